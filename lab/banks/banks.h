/*
 * Bank conflicts: 32 lanes read a column of a tile in shared memory. Lane i reads values (i, 0) ..
 * (i, 31) of the input, n times, and adds them up.
 */
#ifndef BANKS_H
#define BANKS_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BANKS = 32, BANKS_THREADS = 256, BANKS_BLOCKS = 512 /* all of which do the same */ };
enum { BANKS_PAPER, BANKS_MEASURED }; /* columns */

extern struct lab_step banks_steps[];
extern const int banks_count;

/* How many of 32 lanes meet in one bank when they read a column of rows of so many words. */
int banks_meet(int pitch);

#ifdef __cplusplus
}
#endif
#endif
