/*
 * Step 16: occupancy. Told that five blocks of the 32 x 8 threads share a multiprocessor the
 * compiler keeps to the registers that this leaves: more warps hide more of what others wait for.
 */
#include "../course.cuh"
#include "ladder.h"

struct lab_step ladder_occupancy = {"occupancy, 5 blocks of 32 x 8", NULL, true,
                                    blocked_plain<course<64, 32, 8, 5>>};
