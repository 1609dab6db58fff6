/* Step 15: the same for the factor 78: 39 x 13 threads of 2 x 6 values. */
#include "../course.cuh"
#include "ladder.h"

struct lab_step ladder_coarse78 = {"coarser threads, 39 x 13", "2.18 s (GTX 1080)", true,
                                   blocked_plain<course<78, 39, 13>>};
