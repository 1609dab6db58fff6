/* Space that a file system has run out of may come back: who writes results waits for it, if told to. */
#ifndef SPACE_H
#define SPACE_H

#include <stdbool.h>

/* How long a write without space is tried again, in the whole process; 0, as at the start: not at all. */
void space_patience(int seconds);

/*
 * After a call for the file `path` that failed with errno `cause`: true when it has waited and the call is to
 * be made again. `since` is 0 before the first. Any thread; one line on stderr tells that the process waits.
 */
bool space_wait(const char *path, int cause, double *since);
/* After a call that succeeded: the next one without space waits anew. */
void space_found(const char *path, double *since);

#endif
