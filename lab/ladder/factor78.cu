/* Step 13: 78 x 78, the largest tile of which two fill the 48 KiB that a block of a GTX 1080 has; 9
 * values a thread. */
#include "../course.cuh"
#include "ladder.h"

struct lab_step ladder_factor78 = {"blocking factor 78", NULL, true,
                                   blocked_plain<course<78, 26, 26>>};
