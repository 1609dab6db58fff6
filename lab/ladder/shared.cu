/*
 * Step 9: both pivot tiles in shared memory: 2 words for 32 relaxations from the device's memory,
 * not 64. The first one is kept transposed, so that both are read along rows; writing it so, the 32
 * threads of a warp all want the same bank, one after the other.
 */
#include "../shared.cuh"
#include "ladder.h"

struct lab_step ladder_shared = {"shared memory", NULL, true, blocked_plain<shared_step<32, 1>>};
