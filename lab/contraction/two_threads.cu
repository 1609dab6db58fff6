/* Step 8: two threads for each pair, in z, each with half of the values, added up in shared memory.
 */
#include "contraction.cuh"

struct lab_step contraction_two_threads = {"two threads for each pair", NULL, true,
                                           contraction_run<contraction_shape<16, 2, 16, 1, 2>>};
