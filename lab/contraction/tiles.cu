/* Step 4: tiles of 8 x 8 pairs with 8 values each in shared memory: a value that was read is used 8 times. */
#include "contraction.cuh"

struct lab_step contraction_tiles = {"tiles of 8 x 8 x 8 shared", "13.7 GFLOP/s (M2070)", true,
                                     contraction_run<8, 8, 0, 1, 1, false>};
