/* What is still done when the process ends before its work does: by a signal, or by an exit() that
 * it did not call. */
#ifndef ENDING_H
#define ENDING_H

#include <stdbool.h>

/*
 * `clean` runs, then the process ends as it would have. It may only do what a signal handler may,
 * and may run on several threads, and again. Signals that would end the process are taken where
 * they have their default action, those that tell of a fault, and SIGINT, SIGTERM and SIGHUP,
 * whoever has them; never those that are ignored, nor real-time signals. SIGXFSZ is ignored: a
 * limit of file sizes is an error like any other. Children that fork() makes clean nothing.
 */
void ending_guard(void (*clean)(void));
/* The signals are as they were. */
void ending_release(void);
/* Runs `clean`, if there is one, for a process that ends in another way. */
void ending_clean(void);

/* From now on the signal asks for something in place of ending the process, guarded or not; and
 * whether one has. */
void ending_ask(int signal);
bool ending_asked(void);

#endif
