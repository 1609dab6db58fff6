#include "sparse/gpu/launch.cuh"

struct walk_kernels walk_kernels_maxima(enum dtype dtype)
{
    return kernels_among(op_maxima(), dtype);
}
