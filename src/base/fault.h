/*
 * Faults that the ranks cannot agree on, since one of them cannot go on: of MPI, of a device, of memory for
 * what every rank needs. All other errors travel to main (error.h).
 */
#ifndef FAULT_H
#define FAULT_H

#include "base/error.h"

/* Calls the handler with one line that names rank and host. If there is none, or it returns: ends all
 * ranks, or this process with abort() if it is alone. Works before fault_place too. */
void fault(enum apsp_status code, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* NULL: none, as at the start. */
void fault_handle(void (*handler)(int code, const char *text));
/* The handler of the commands: prints the line, and ends the whole job with this code. */
void fault_end(int code, const char *text) __attribute__((noreturn));

/* What a fault calls first, so that the files of an aborted run do not stay. */
void fault_cleanup(void (*cleanup)(void));

/* Which rank this process is, and what ends all of them; it need not return. NULL: this process is alone. */
void fault_place(int rank, void (*end)(int code));

#endif
