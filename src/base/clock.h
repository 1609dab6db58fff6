/* Seconds from an arbitrary start. */
#ifndef CLOCK_H
#define CLOCK_H

#include <time.h>

static inline double clock_read(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Reads the wall clock. */
static inline double clock_seconds(void)
{
    return clock_read(CLOCK_MONOTONIC);
}

/* Seconds that a core has worked for the calling thread. */
static inline double clock_of_thread(void)
{
    return clock_read(CLOCK_THREAD_CPUTIME_ID);
}

#endif
