/*
 * The staged files of this process (staged.h), which a signal removes or names. One thread at a
 * time has the list. It gets no signal meanwhile, so a handler waits only for another thread.
 */
#ifndef STAGED_LIST_H
#define STAGED_LIST_H

#include "files/staged.h"

#include <signal.h>

/* Takes the list and blocks signals; *mask is for staged_list_give. */
void staged_list_take(sigset_t *mask);
void staged_list_give(const sigset_t *mask);

/* For a caller that has taken the list. The struct stays where it is in memory. */
void staged_list_add(struct staged *staged);
/* For a caller that has not. */
void staged_list_remove(const struct staged *staged);

/* Ends the life of a file as its state says: an incomplete one goes, a complete one gets its
 * fallback name, and one that a checkpoint names stays. Safe in a signal handler. */
void staged_leave(const struct staged *staged);

#endif
