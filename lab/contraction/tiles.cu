/* Step 4: tiles of 8 x 8 pairs with 8 x 8 values of each row in shared memory: what was read is
 * used 8 times.
 */
#include "contraction.cuh"

struct lab_step contraction_tiles = {"tiles of (8, 8, 8) shared", "13.7 GFLOP/s (M2070)", true,
                                     contraction_run<contraction_shape<8, 8, 8>>};
