/* Step 7: tiles of 16 x 16 pairs with 32 values of each row at a time: a warp reads 256 bytes side by side.
 */
#include "contraction.cuh"

struct lab_step contraction_coalesced = {"tiles of 16 x 16 x 32, coalesced", "49.2 GFLOP/s (M2070)", true,
                                         contraction_run<16, 32, 1, 1, 1, false>};
