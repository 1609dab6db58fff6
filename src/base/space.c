#include "base/space.h"

#include "base/clock.h"
#include "base/text.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

static int patience;
static atomic_bool told; /* that some thread waits */

void space_patience(int seconds)
{
    patience = seconds;
}

static void tell(const char *path, const char *what)
{
    fputs("apsp: ", stderr);
    text_print_clean(stderr, path);
    fprintf(stderr, ": %s\n", what);
}

bool space_wait(const char *path, int cause, double *since)
{
    const struct timespec pause = {.tv_nsec = 200000000};
    const double now = clock_seconds();
    char what[TEXT_LINE];
    if (*since == 0)
        *since = now;
    if ((cause != ENOSPC && cause != EDQUOT) || now - *since >= patience) {
        told = false;
        return false;
    }
    if (!atomic_exchange(&told, true)) {
        snprintf(what, sizeof what, "%s: waits up to %d s for space (--write-retry)", strerror(cause),
                 patience);
        tell(path, what);
    }
    nanosleep(&pause, NULL);
    return true;
}

void space_found(const char *path, double *since)
{
    if (*since > 0 && atomic_exchange(&told, false))
        tell(path, "there is space again");
    *since = 0;
}
