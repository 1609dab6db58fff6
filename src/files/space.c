#include "files/space.h"

#include "base/clock.h"
#include "base/setting.h"
#include "base/standard.h"
#include "base/text.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static atomic_int wait_limit;

void space_wait_limit(int seconds)
{
    wait_limit = seconds;
}

/* One process of a machine has the socket of that name, in no file system, and speaks for all. */
static bool take_voice(struct space *space)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    struct stat status;
    if (fstat(space->file, &status) != 0)
        return false;
    int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "apsp-space-%llx-%llx",
                          (unsigned long long)status.st_dev, (unsigned long long)status.st_ino);
    space->voice = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    space->speaks =
        bind(space->voice, (const struct sockaddr *)&name,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) == 0 ||
        errno != EADDRINUSE;
    if (!space->speaks)
        close(space->voice);
    return space->speaks;
}

static void tell_waiting(struct space *space, int cause)
{
    char what[TEXT_LINE];
    if (space->speaks || !take_voice(space))
        return;
    snprintf(what, sizeof what, "%s: waits up to %d s for space (%s)", strerror(cause), wait_limit,
             SETTING(WRITE_RETRY));
    standard_note(space->path, what);
}

/* With the last writer waiting is over. */
static void leave(struct space *space, bool *waits, bool found)
{
    *waits = false;
    if (--space->waiting > 0)
        return;
    space->waited += clock_seconds() - space->since;
    if (space->speaks && found)
        standard_note(space->path, "there is space again");
    if (space->speaks)
        close(space->voice);
    space->speaks = false;
}

bool space_wait(struct space *space, int cause, bool *waits)
{
    const struct timespec pause = {.tv_nsec = 200000000};
    bool lacks = (cause == ENOSPC || cause == EDQUOT) && wait_limit > 0 && !space->never;
#pragma omp critical(space)
    {
        if (lacks && !*waits && space->waiting++ == 0)
            space->since = clock_seconds();
        *waits |= lacks;
        lacks = lacks && space->waited + clock_seconds() - space->since < wait_limit;
        if (lacks)
            tell_waiting(space, cause);
        else if (*waits)
            leave(space, waits, false);
    }
    if (lacks)
        nanosleep(&pause, NULL);
    return lacks;
}

void space_found(struct space *space, bool *waits)
{
    if (!*waits)
        return;
#pragma omp critical(space)
    leave(space, waits, true);
}
