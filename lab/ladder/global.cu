/*
 * Step 6: the blocked algorithm as a first GPU program has it: a thread for every value of a tile
 * of 32 x 32, all in the device's memory. Thread x has row x of the tile, so that the 32 threads of
 * a warp read 32 rows: 32 pieces of memory for one word each. Every access asks whether it is
 * inside of the matrix.
 */
#include "../global.cuh"
#include "ladder.h"

struct lab_step ladder_global = {"GPU, global memory", "18.4 s (GTX 1080)", true,
                                 blocked_plain<global_step<true, false>>};
