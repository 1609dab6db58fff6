/*
 * Step 17: input and result in pinned host memory, from which the device copies by itself at the bus's speed;
 * other memory the driver copies twice. It shows in the column with copies.
 */
#include "../course.cuh"
#include "ladder.h"

struct lab_step ladder_pinned = {"pinned host memory", "1.3 s (GTX 1080)", true,
                                 blocked_plain<course<64, 32, 8, 5, true>>};
