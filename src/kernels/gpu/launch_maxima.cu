/* The kernels of maxima: by themselves, since they take as long to compile as those of sums. */
#include "kernels/gpu/launch.cuh"

struct gpu_kernels gpu_kernels_maxima(enum dtype dtype)
{
    return kernels_among(op_maxima(), dtype);
}
