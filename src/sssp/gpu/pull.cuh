/* How a warp pulls the bits that a vertex misses. */
#ifndef SSSP_GPU_PULL_CUH
#define SSSP_GPU_PULL_CUH

#include "kernels/gpu/team.cuh"
#include "kernels/reduce.h"
#include "sssp/gpu/sets.cuh"
#include "sssp/gpu/waves.h"

#include <type_traits>

namespace
{

enum {
    THREADS = 256,
    FETCHES = 4 /* rows under way at once */
};

/* A lane's part of a row. */
template <int WORDS> struct alignas(4 * WORDS) part {
    uint32_t at[WORDS];
};

template <int ROW> constexpr int words_of = ROW / team_lanes > 0 ? ROW / team_lanes : 1;

template <int ROW> using part_of = part<words_of<ROW>>;

template <int ROW> __device__ __forceinline__ part_of<ROW> *part_at(uint32_t *rows, size_t number)
{
    return (part_of<ROW> *)(rows + number * ROW) + team_lane();
}

template <int ROW>
__device__ __forceinline__ part_of<ROW> load_part(const uint32_t *rows, size_t number)
{
    return ((const part_of<ROW> *)(rows + number * ROW))[team_lane()];
}

template <int WORDS>
using quick =
    std::conditional_t<WORDS == 4, uint4, std::conditional_t<WORDS == 2, uint2, unsigned>>;

/* These words are read once. The caches are for rows of the front. */
template <int WORDS> __device__ __forceinline__ void store_once(part<WORDS> *at, part<WORDS> row)
{
#if defined(__CUDA_ARCH__)
    using word = quick<WORDS>;
    __stcs((word *)at, *(const word *)&row);
#else
    *at = row;
#endif
}

template <int WORDS> __device__ __forceinline__ part<WORDS> load_once(const part<WORDS> *at)
{
#if defined(__CUDA_ARCH__)
    using word = quick<WORDS>;
    const word row = __ldcs((const word *)at);
    return *(const part<WORDS> *)&row;
#else
    return *at;
#endif
}

/* The bits of sources that the batch has, of one word. */
__device__ __forceinline__ uint32_t bits_of(uint32_t count, uint32_t word)
{
    const uint32_t first = word * 32;
    return first >= count ? 0 : count - first >= 32 ? ~0u : (1u << (count - first)) - 1;
}

/* The work of a launch: which level this is. */
struct level_work {
    struct gpu_waves waves;
    uint32_t level, k;
};

/* The bits that v misses. */
template <int ROW>
__device__ __forceinline__ part_of<ROW> load_missing(const struct gpu_waves &waves, uint32_t v,
                                                     bool fresh)
{
    constexpr int WORDS = words_of<ROW>;
    if (!fresh)
        return load_once(part_at<ROW>(waves.missing, v));
    part_of<ROW> all;
#pragma unroll
    for (int i = 0; i < WORDS; i++)
        all.at[i] = bits_of(waves.count, (uint32_t)(team_lane() * WORDS + i));
    return all;
}

template <int ROW>
__device__ __forceinline__ bool is_covered(const part_of<ROW> &needed, const part_of<ROW> &found)
{
    uint32_t left = 0;
#pragma unroll
    for (int i = 0; i < words_of<ROW>; i++)
        left |= needed.at[i] & ~found.at[i];
    return left == 0;
}

/* Rows of the front of in-neighbours number [e, end), until nothing more is needed. */
template <int ROW>
__device__ __forceinline__ void gather(const struct gpu_waves &waves, uint64_t e, uint64_t end,
                                       const part_of<ROW> &needed, part_of<ROW> &found)
{
    constexpr int WORDS = words_of<ROW>;
    const uint32_t *active = waves.set[0];
    bool covered = false;
    for (; e < end && !covered; e += team_lanes) {
        uint32_t u = 0;
        bool on = false;
        if (e + team_lane() < end) {
            u = waves.arcs.from[e + team_lane()];
            on = has_bit(active, u);
        }
        team_mask mask = team_ballot(on);
        while (mask != 0 && !covered) {
            part_of<ROW> row[FETCHES];
#pragma unroll
            for (int f = 0; f < FETCHES; f++) {
                row[f] = {};
                if (mask != 0)
                    row[f] = load_part<ROW>(waves.front, team_from(u, take_lowest(&mask)));
            }
#pragma unroll
            for (int f = 0; f < FETCHES; f++)
#pragma unroll
                for (int i = 0; i < WORDS; i++)
                    found.at[i] |= row[f].at[i];
            covered = team_all(is_covered<ROW>(needed, found));
        }
    }
}

/* Digits of this level where sources are found. */
template <int ROW>
__device__ __forceinline__ void keep_level(const struct level_work &work, uint32_t v, bool fresh,
                                           const part_of<ROW> &found)
{
    const struct gpu_waves &waves = work.waves;
    for (uint32_t p = 0; p < waves.planes; p++) {
        const bool digit = work.level >> p & 1;
        part_of<ROW> *at = part_at<ROW>(waves.plane, (size_t)p * waves.arcs.n + v), bits = {};
        if (!digit && !fresh)
            continue;
        if (!fresh)
            bits = *at;
#pragma unroll
        for (int i = 0; i < words_of<ROW> && digit; i++)
            bits.at[i] |= found.at[i];
        *at = bits;
    }
}

/* The bits that v has found become its row of the next front. Returns whether it misses nothing any
 * more; *any: it has got something. */
template <int ROW>
__device__ __forceinline__ bool finish(const struct level_work &work, uint32_t v, bool fresh,
                                       const part_of<ROW> &needed, part_of<ROW> found, bool *any)
{
    const struct gpu_waves &waves = work.waves;
    part_of<ROW> left;
    uint32_t bits = 0, ones = 0, open = 0;
#pragma unroll
    for (int i = 0; i < words_of<ROW>; i++) {
        found.at[i] &= needed.at[i];
        left.at[i] = needed.at[i] & ~found.at[i];
        bits |= found.at[i];
        open |= left.at[i];
        ones += (uint32_t)__popc(found.at[i]);
    }
    *any = !team_all(bits == 0);
    if (!*any)
        return false;
    const bool full = team_all(open == 0);
    store_once(part_at<ROW>(waves.next, v), found);
    if (!full || waves.plane) /* which tells what is not reached */
        store_once(part_at<ROW>(waves.missing, v), left);
    if (waves.plane)
        keep_level<ROW>(work, v, fresh, found);
    if (waves.reached)
        ones = team_sum(ones);
    if (team_lane() == 0) {
        atomicOr(waves.set[1] + v / 32, 1u << v % 32);
        if (fresh)
            atomicAnd(waves.fresh + v / 32, ~(1u << v % 32));
        if (waves.reached) {
            waves.reached[v] = REDUCE_COUNT(waves.reached[v], ones);
            waves.most[v] = REDUCE_MOST(waves.most[v], (int64_t)work.level * waves.unit);
        }
    }
    return full;
}

template <int ROW> __device__ __forceinline__ bool pull(const struct level_work &work, uint32_t v)
{
    const struct gpu_waves &waves = work.waves;
    const bool fresh = has_bit(waves.fresh, v);
    const part_of<ROW> needed = load_missing<ROW>(waves, v, fresh);
    part_of<ROW> found = {};
    bool any;
    gather<ROW>(waves, waves.arcs.start[v], waves.arcs.start[v + 1], needed, found);
    if (finish<ROW>(work, v, fresh, needed, found, &any) && team_lane() == 0)
        atomicAnd(waves.open + v / 32, ~(1u << v % 32));
    return any;
}

/* The warp that ends the last segment of a vertex: rows that others have added to are read as they
 * are in the device's memory. */
template <int ROW>
__device__ __forceinline__ bool meet(const struct level_work &work, uint32_t v, uint32_t heavy,
                                     bool fresh, const part_of<ROW> &needed)
{
    const struct gpu_waves &waves = work.waves;
    part_of<ROW> found, *part = part_at<ROW>(waves.part, heavy);
    bool any;
#pragma unroll
    for (int i = 0; i < words_of<ROW>; i++)
        found.at[i] = load_fresh(&part->at[i]);
    *part = {};
    const bool full = finish<ROW>(work, v, fresh, needed, found, &any);
    if (team_lane() == 0) {
        waves.ticket[heavy] = 0;
        waves.full[heavy] = full;
    }
    return any;
}

template <int ROW>
__device__ __forceinline__ bool pull_segment(const struct level_work &work,
                                             const struct gpu_segment &segment)
{
    const struct gpu_waves &waves = work.waves;
    const uint32_t v = segment.vertex, heavy = segment.heavy;
    if (waves.full[heavy])
        return false;
    const bool fresh = has_bit(waves.fresh, v);
    const part_of<ROW> needed = load_missing<ROW>(waves, v, fresh);
    const uint64_t last = waves.arcs.start[v + 1],
                   end = last - segment.first < GPU_SEGMENT ? last : segment.first + GPU_SEGMENT;
    part_of<ROW> found = {}, *part = part_at<ROW>(waves.part, heavy), wanted = needed;
#pragma unroll
    for (int i = 0; i < words_of<ROW>; i++) /* but for what others have found */
        wanted.at[i] &= ~load_fresh(&part->at[i]);
    if (!team_all(is_covered<ROW>(wanted, found)))
        gather<ROW>(waves, segment.first, end, wanted, found);
#pragma unroll
    for (int i = 0; i < words_of<ROW>; i++)
        if (found.at[i] & wanted.at[i])
            atomicOr(&part->at[i], found.at[i] & wanted.at[i]);
    __threadfence();
    team_sync();
    uint32_t done = 0;
    if (team_lane() == 0)
        done = atomicAdd(waves.ticket + heavy, 1u) + 1;
    if (team_first(done) != waves.arcs.parts[heavy])
        return false;
    __threadfence();
    return meet<ROW>(work, v, heavy, fresh, needed);
}

/* Vertices go to warps in alternation; a warp looks at as many of its own at a time as it has
 * lanes. */
template <int ROW>
__global__ void __launch_bounds__(THREADS) pull_kernel(const struct level_work work)
{
    const struct gpu_waves &waves = work.waves;
    const uint32_t n = waves.arcs.n, sets = (n + 31) / 32;
    const uint32_t thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS,
                   team = thread / team_lanes, teams = threads / team_lanes;
    if (work.k > 0 && waves.counts->alive[work.k - 1] == 0)
        return;
    for (uint32_t i = thread; i < sets; i += threads)
        waves.set[2][i] = 0;
    bool any = false;
    for (uint32_t s = team; s < waves.arcs.segments; s += teams)
        any |= pull_segment<ROW>(work, waves.arcs.segment[s]);
    for (size_t first = team; first < n; first += (size_t)teams * team_lanes) {
        const size_t own = first + (size_t)team_lane() * teams;
        team_mask mask = team_ballot(own < n && has_bit(waves.open, (uint32_t)own));
        while (mask != 0)
            any |= pull<ROW>(work, (uint32_t)(first + (size_t)take_lowest(&mask) * teams));
    }
    if (any && team_lane() == 0)
        waves.counts->alive[work.k] = 1;
}

} // namespace

#endif
