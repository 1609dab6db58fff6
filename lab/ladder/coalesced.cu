/*
 * Step 8: thread x has column x of the tile. The 32 threads of a warp then read 32 words side by
 * side, one or two pieces of memory, and all of them the same d[i][k].
 */
#include "../global.cuh"
#include "ladder.h"

struct lab_step ladder_coalesced = {"coalesced access", NULL, true,
                                    blocked_plain<global_step<false, true>>};
