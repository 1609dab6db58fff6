/*
 * Step 7: tiles of 16 x 16 pairs with 2 x 16 or 2 x 32 values of each row at a time: a warp reads
 * 128 or 256 bytes side by side, not 64, and what was read is used 16 times.
 */
#include "contraction.cuh"

struct lab_step contraction_coalesced16 = {"tiles of (16, 2, 16), coalesced", NULL, true,
                                           contraction_run<contraction_shape<16, 2, 16, 1>>};
struct lab_step contraction_coalesced32 = {"tiles of (16, 2, 32), coalesced",
                                           "49.2 GFLOP/s (M2070)", true,
                                           contraction_run<contraction_shape<16, 2, 32, 1>>};
