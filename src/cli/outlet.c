#include "cli/outlet.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

/* A pipe that can be written to takes PIPE_BUF bytes at once, and a file any number. */
void outlet_open(struct outlet *outlet, int from)
{
    struct stat standard;
    outlet->from = from;
    outlet->room = fstat(STDOUT_FILENO, &standard) == 0 && S_ISREG(standard.st_mode)
                       ? sizeof outlet->data
                       : PIPE_BUF;
}

struct pollfd outlet_next(const struct outlet *outlet)
{
    if (outlet->held > 0)
        return (struct pollfd){.fd = STDOUT_FILENO, .events = POLLOUT};
    return (struct pollfd){.fd = outlet->from, .events = POLLIN};
}

static void take(struct outlet *outlet)
{
    ssize_t got = read(outlet->from, outlet->data, outlet->room);
    if (got > 0 && !outlet->cause) {
        outlet->at = 0;
        outlet->held = (size_t)got;
    } else if (got == 0 || (got < 0 && errno != EINTR)) {
        close(outlet->from);
        outlet->from = -1;
    }
}

static void put(struct outlet *outlet)
{
    ssize_t written = write(STDOUT_FILENO, outlet->data + outlet->at, outlet->held);
    if (written >= 0) {
        outlet->at += (size_t)written;
        outlet->held -= (size_t)written;
    } else if (errno != EINTR && errno != EAGAIN) {
        outlet->cause = errno;
        outlet->held = 0;
    }
}

void outlet_step(struct outlet *outlet)
{
    if (outlet->held > 0)
        put(outlet);
    else
        take(outlet);
}

void outlet_end(struct outlet *outlet)
{
    int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (copy >= 0 && close(copy) != 0 && !outlet->cause)
        outlet->cause = errno;
}
