/*
 * Faults that the ranks cannot agree on, since one of them cannot go on: of MPI, of a device, of
 * memory for what every rank needs. All other errors travel up to the caller (error.h). Incomplete
 * files of results are removed (ending.h).
 */
#ifndef FAULT_H
#define FAULT_H

#include "base/error.h"

/* Calls the handler with one line that names rank and host. If there is none, or it returns: ends
 * all ranks, or this process with abort() if it is alone. Works before fault_place too. */
void fault(enum apsp_status code, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* NULL: none, as at the start. */
void fault_handle(void (*handler)(int code, const char *text));

/*
 * For a command that ends by returning from main. Its handler prints the line, behind the name, and
 * ends the whole job with the code. And from now on an exit() that a library calls is a fault
 * (APSP_MEMORY), as OpenMP's where it can start no thread.
 */
void fault_command(const char *name);
/* Whether such an exit() is one, which is false once main returns, and where MPI itself ends ranks.
 * Returns whether it was. */
bool fault_on_exit(bool is_fault);

/* Which rank this process is, and what ends all of them; it need not return. NULL: this process is
 * alone. */
void fault_place(int rank, void (*end)(int code));
/* Sets the rank of this process; -1: its threads are the ranks. Returns the one before. */
int fault_place_rank(int rank);
/* Sets the rank of this thread; -1: that of the process. */
void fault_place_thread(int rank);

#endif
