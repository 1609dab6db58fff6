/* Receivers of progress: a bar on stderr with steps done, rate and time left, or lines with these
 * if that is no terminal; and a function. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    bool shown;   /* the bar, or the lines */
    size_t steps; /* in all */
    double work;  /* in all, spread evenly over the steps */
    const char *step,
        *unit; /* what a step is called, and what the work is counted in, per second */
    /* Receives every step, unless it is NULL; false: stop after this step. */
    bool (*tell)(void *self, const char *step, size_t done, size_t steps);
    void *self;
    bool stopped;
    /* Steps that run into one another ask before each whether it is to wait until the ones before
     * it are done; NULL: no. */
    bool (*pause)(void *pauser, size_t done);
    void *pauser;
    bool paused; /* the work has ended so, and some is left */
    double started, drawn;
    int width; /* of the terminal; 0: there is none */
};

/* The caller has set all but the times and the width of a zeroed one. */
void progress_start(struct progress *progress);
/* Redraws at most ten times a second, in the width that the terminal has by then; lines come after
 * a second, and then in twice the time up to a minute. False once the work is to stop. */
bool progress_step(struct progress *progress, size_t done);
void progress_end(struct progress *progress); /* erases the bar */

#endif
