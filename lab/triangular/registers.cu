/* Step 8: tiles of 96 x 96, 6 x 6 values a thread in registers: 12 reads of shared memory for 36
 * products. */
#include "blocks.cuh"

struct lab_step triangular_registers = {"register tile, 6 x 6", NULL, true,
                                        triangular_run<blocks_launch<6>>};
