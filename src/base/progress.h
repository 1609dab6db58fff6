/* A progress bar on stderr: steps done, rate, time left. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    bool shown;              /* false: every call does nothing */
    size_t steps;            /* in all */
    double work;             /* in all, spread evenly over the steps */
    const char *step, *unit; /* what a step is called, and what the work is counted in, per second */
    double started, drawn;
};

/* The caller has set all but the times of a zeroed one. */
void progress_start(struct progress *progress);
void progress_step(struct progress *progress, size_t done); /* redraws at most ten times a second */
void progress_end(struct progress *progress);               /* erases the bar */

#endif
