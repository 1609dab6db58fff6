/*
 * Step 14: fewer threads with more values each, 2 x 8: for 16 relaxations a thread now reads 10
 * words of shared memory where 4 x 4 of the threads before read 16, and the instructions are the
 * same.
 */
#include "../course.cuh"
#include "ladder.h"

struct lab_step ladder_coarse64 = {"coarser threads, 32 x 8", NULL, true,
                                   blocked_plain<course<64, 32, 8>>};
