/* Waiting for another process that announces nothing. For the first 0.1 ms the thread yields
 * between two checks, as most waits are short. Then it sleeps, so that the other process gets the
 * core. */
#ifndef BACKOFF_H
#define BACKOFF_H

#include "base/clock.h"

#include <sched.h>

struct backoff {  /* zeroed before each wait */
    double begun; /* seconds of the clock at the first check */
};

/* Between two checks. */
static inline void backoff_pause(struct backoff *backoff)
{
    static const double awake = 1e-4, longest = 2e-4,
                        part = 0.125; /* seconds, and of those waited so far */
    const double now = clock_seconds();
    if (backoff->begun == 0)
        backoff->begun = now;
    const double waited = now - backoff->begun,
                 nap = part * waited < longest ? part * waited : longest;
    const struct timespec rest = {0, (long)(1e9 * nap)};
    if (waited < awake)
        sched_yield();
    else
        nanosleep(&rest, NULL);
}

#endif
