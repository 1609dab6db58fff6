/*
 * Faults that the ranks cannot agree on, since one of them cannot go on: of MPI, of a device, of memory for
 * what every rank needs. All other errors travel to main (error.h).
 */
#ifndef FAULT_H
#define FAULT_H

#include "base/error.h"

/* Prints one line with rank and host, and ends the whole job with this code. Works before fault_place too. */
void fault(enum apsp_status code, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* What a fault calls first, so that the files of an aborted run do not stay. */
void fault_cleanup(void (*cleanup)(void));

/* Which rank this process is, and what ends all of them; it need not return. NULL: this process is alone. */
void fault_place(int rank, void (*end)(int code));

#endif
