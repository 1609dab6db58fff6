/* Space that a file system has run out of may come back: who writes results waits for it, if told
 * to. */
#ifndef SPACE_H
#define SPACE_H

#include <stdbool.h>

/* How long this process waits for space for a file, in all; 0, as at the start: not at all. */
void space_wait_limit(int seconds);

/* The waiting for one file. */
struct space {
    const char *path; /* in messages; it stays */
    int file;
    bool never;           /* it does not wait */
    int waiting;          /* writers that do; since when one of them has; and seconds before that */
    double since, waited; /* of the clock */
    int voice;            /* a descriptor, while `speaks` */
    bool speaks;
};

/*
 * After a call that failed with errno `cause`: true when it has waited and the call is to be made
 * again.
 * `*waits` is the writer's own, false before the first call. Any thread. One of the processes of
 * the machine that wait for the file reports it on stderr.
 */
bool space_wait(struct space *space, int cause, bool *waits);
/* All that the writer had to write is written. */
void space_found(struct space *space, bool *waits);

#endif
