/* Sets of vertices: a bit for each. */
#ifndef SSSP_GPU_SETS_CUH
#define SSSP_GPU_SETS_CUH

#include "kernels/gpu/gpu.h"

namespace
{

__device__ __forceinline__ bool has_bit(const uint32_t *set, uint32_t v)
{
    return set[v / 32] >> v % 32 & 1;
}

} // namespace

#endif
