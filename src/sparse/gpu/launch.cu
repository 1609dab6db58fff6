#include "sparse/gpu/launch.cuh"

struct walk_kernels walk_kernels_of(enum dtype dtype, enum combine combine)
{
    return combine == COMBINE_MAX ? walk_kernels_maxima(dtype) : kernels_among(op_sums(), dtype);
}

size_t walk_overhead(void)
{
    return sizeof(struct walk_state);
}
