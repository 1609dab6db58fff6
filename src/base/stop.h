/*
 * The request of a caller of the library to end the current call soon. Long loops check it, on any
 * thread, and leave their work as it is. Their callers end with APSP_CANCELLED before any row is
 * given out. It holds until it is forgotten, so that all of them see it.
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
