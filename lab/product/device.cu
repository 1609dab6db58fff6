/* Steps 8 to 11: the same from the device's own memory, with copies before and after. */
#include "product.cuh"

struct lab_step product_global = {"device memory", NULL, true, product_on_device<0>};
struct lab_step product_8 = {"device memory, tiles of 8", NULL, true, product_on_device<8>};
struct lab_step product_16 = {"device memory, tiles of 16", NULL, true, product_on_device<16>};
struct lab_step product_32 = {"device memory, tiles of 32", "16.54 flop/byte (GTX 1060)", true,
                              product_on_device<32>};
