/* A team is a warp of NVIDIA or a wavefront of AMD: lanes that run together. Comments call both a
 * warp. */
#ifndef GPU_TEAM_CUH
#define GPU_TEAM_CUH

#include "kernels/gpu/gpu.h"

namespace
{

#if defined(__HIP_PLATFORM_AMD__)
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
constexpr int team_lanes = 32;
#elif defined(__AMDGCN_WAVEFRONT_SIZE)
constexpr int team_lanes = __AMDGCN_WAVEFRONT_SIZE;
#else /* CDNA, and the host, which does not know: code of its own serves both */
constexpr int team_lanes = 64;
#endif
__device__ __forceinline__ uint32_t team_first(uint32_t value)
{
    return (uint32_t)__builtin_amdgcn_readfirstlane((int)value);
}
__device__ __forceinline__ void team_sync()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
__device__ __forceinline__ bool team_all(bool condition)
{
    return __all(condition);
}
__device__ __forceinline__ int team_xor(int value, int lanes)
{
    return __shfl_xor(value, lanes);
}
using team_mask = uint64_t; /* a bit for each lane */
__device__ __forceinline__ team_mask team_ballot(bool condition)
{
    return __ballot(condition);
}
__device__ __forceinline__ uint32_t team_from(uint32_t value, int lane)
{
    return (uint32_t)__shfl((int)value, lane);
}
/* Reads a word in the device's memory, as atomic operations of other blocks have left it. */
__device__ __forceinline__ uint32_t load_fresh(const uint32_t *at)
{
    return __hip_atomic_load(at, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
/* For words in shared memory, among the warps of a block. */
__device__ __forceinline__ uint32_t load_acquire(const uint32_t *at)
{
    return __hip_atomic_load(at, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP);
}
__device__ __forceinline__ void store_release(uint32_t *at, uint32_t value)
{
    __hip_atomic_store(at, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
}
/* The number that a lane draws. */
__device__ __forceinline__ uint32_t draw(uint32_t *next)
{
    return atomicAdd(next, 1);
}
#else
constexpr int team_lanes = 32;
__device__ __forceinline__ uint32_t team_first(uint32_t value)
{
    return __shfl_sync(0xffffffffu, value, 0);
}
__device__ __forceinline__ void team_sync()
{
    __syncwarp();
}
__device__ __forceinline__ bool team_all(bool condition)
{
    return __all_sync(0xffffffffu, condition);
}
__device__ __forceinline__ int team_xor(int value, int lanes)
{
    return __shfl_xor_sync(0xffffffffu, value, lanes);
}
using team_mask = uint32_t;
__device__ __forceinline__ team_mask team_ballot(bool condition)
{
    return __ballot_sync(0xffffffffu, condition);
}
__device__ __forceinline__ uint32_t team_from(uint32_t value, int lane)
{
    return __shfl_sync(0xffffffffu, value, lane);
}
__device__ __forceinline__ uint32_t load_fresh(const uint32_t *at)
{
    return __ldcg(at);
}
__device__ __forceinline__ uint32_t load_acquire(const uint32_t *at)
{
    uint32_t value;
    asm volatile("ld.acquire.cta.shared.u32 %0, [%1];"
                 : "=r"(value)
                 : "r"((uint32_t)__cvta_generic_to_shared(at))
                 : "memory");
    return value;
}
__device__ __forceinline__ void store_release(uint32_t *at, uint32_t value)
{
    asm volatile(
        "st.release.cta.shared.u32 [%0], %1;" ::"r"((uint32_t)__cvta_generic_to_shared(at)),
        "r"(value)
        : "memory");
}
/* Never as many as ~0u: of atomicAdd(), and with ~0u, nvcc makes a sum over the lanes, of ten
 * instructions.
 */
__device__ __forceinline__ uint32_t draw(uint32_t *next)
{
    return atomicInc(next, ~0u - 1);
}
#endif

/* The lane's number in its warp. */
__device__ __forceinline__ int team_lane()
{
    return (int)(threadIdx.x % team_lanes);
}

/* Takes the lowest bit away, and returns its number. The mask is not 0. */
__device__ __forceinline__ int take_lowest(team_mask *mask)
{
    const int lowest = __ffsll((long long)*mask) - 1;
    *mask &= *mask - 1;
    return lowest;
}

/* The sum of all lanes, in each of them. */
__device__ __forceinline__ uint32_t team_sum(uint32_t value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_add_sync(0xffffffffu, value);
#else
    for (int lanes = team_lanes / 2; lanes > 0; lanes /= 2)
        value += (uint32_t)team_xor((int)value, lanes);
    return value;
#endif
}

/* The largest of all lanes, in each of them. */
__device__ __forceinline__ int team_most(int value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_max_sync(0xffffffffu, value);
#else
    for (int lanes = team_lanes / 2; lanes > 0; lanes /= 2) {
        const int other = team_xor(value, lanes);
        value = other > value ? other : value;
    }
    return value;
#endif
}

/* Brings 128 bytes near, some time before they are read. */
__device__ __forceinline__ void prefetch(const void *line)
{
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L1 [%0];" ::"l"(line));
#else
    (void)line;
#endif
}

} // namespace

#endif
