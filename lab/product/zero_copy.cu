/*
 * Steps 4 to 7: host memory that the device reads over the bus, without copies first: once for each
 * use, or for each T uses by tiles of 8, 16 and 32.
 */
#include "product.cuh"

struct lab_step product_zero_global = {"GPU, zero-copy host memory", "0.65 flop/byte (GTX 1060)",
                                       true, product_zero_copy<0>};
struct lab_step product_zero_8 = {"zero-copy, tiles of 8", NULL, true, product_zero_copy<8>};
struct lab_step product_zero_16 = {"zero-copy, tiles of 16", NULL, true, product_zero_copy<16>};
struct lab_step product_zero_32 = {"zero-copy, tiles of 32", NULL, true, product_zero_copy<32>};
