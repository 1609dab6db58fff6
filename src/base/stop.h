/*
 * The wish of a caller of the library that what is under way ends soon. Loops that may take long
 * look at it, on any thread, and leave their work as it is; whoever has called them, and all before
 * rows are given out, then end with APSP_CANCELLED. It holds until it is forgotten, so that all of
 * them see it.
 */
#ifndef STOP_H
#define STOP_H

#include "base/error.h"

#include <stdbool.h>

void stop_ask(void); /* from any thread, and from a signal handler */
void stop_forget(void);
bool stop_wanted(void);

/* APSP_CANCELLED if it is wanted. */
int stop_check(struct apsp_error *error);
/* APSP_CANCELLED. */
int stop_now(struct apsp_error *error);

#endif
