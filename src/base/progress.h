/* A progress bar on stderr: steps done, rate, time left. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    bool shown;              /* false: every call does nothing */
    size_t rounds;           /* in all */
    double work;             /* relaxations in all, spread evenly over the rounds */
    const char *step, *unit; /* what is counted: progress_start sets "round" and "relaxations/s" */
    double started, drawn;
};

void progress_start(struct progress *progress, bool shown, size_t rounds, double work);
void progress_step(struct progress *progress, size_t rounds_done); /* redraws at most ten times a second */
void progress_end(struct progress *progress);                      /* erases the bar */

#endif
