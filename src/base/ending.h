/* The clean-up of a process that ends before its work does: by a signal, or by an exit() of other
 * code. */
#ifndef ENDING_H
#define ENDING_H

#include <stdbool.h>

/*
 * `clean` runs, then the process ends as it would have. It may only do what a signal handler may,
 * and may run on several threads, and again. Signals that would end the process are handled if they
 * have their default action. Signals of faults, and SIGINT, SIGTERM and SIGHUP, are handled in any
 * case. Ignored signals and real-time signals are not. SIGXFSZ is ignored: a limit of file sizes is
 * an error like any other. Children that fork() makes clean nothing.
 */
void ending_guard(void (*clean)(void));
/* The signals are as they were. */
void ending_release(void);
/* Runs `clean`, if there is one, for a process that ends in another way. */
void ending_clean(void);

/* From now on this signal does not end the process, guarded or not. It sets a flag, which
 * ending_asked reads. */
void ending_ask(int signal);
bool ending_asked(void);

#endif
