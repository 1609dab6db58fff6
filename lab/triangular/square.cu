/* Step 7: square tiles of 32 x 32 for two-dimensional blocks, 2 x 2 values a thread. */
#include "blocks.cuh"

struct lab_step triangular_square = {"two-dimensional blocks of a tile", "78.6 GFLOP/s (M2070)",
                                     true, triangular_run<blocks_launch<2>>};
