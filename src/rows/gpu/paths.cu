#include "rows/gpu/paths.h"

#include "rows/gpu/fixed.cuh"

namespace
{

enum {
    THREADS = 256,
    BLOCKS = 8,                     /* of a processor */
    OWN = PATHS_WIDTH / team_lanes, /* sources of a lane */
    PIECE = 8,                      /* vertices of a set that a warp takes at a time */
    SPARSE = 8 /* after a level of n / SPARSE events, all vertices are looked at */
};

struct alignas(8 * OWN) part {
    double of[OWN];
};

__device__ __forceinline__ part *part_at(double *rows, size_t number)
{
    return (part *)(rows + number * PATHS_WIDTH) + team_lane();
}

__device__ __forceinline__ part load(const double *rows, size_t number)
{
    return ((const part *)(rows + number * PATHS_WIDTH))[team_lane()];
}

/* Whether the lane's source number i is among the bits. */
__device__ __forceinline__ bool has(uint64_t bits, int i)
{
    return bits >> (team_lane() * OWN + i) & 1;
}

__device__ __forceinline__ uint64_t team_from(uint64_t bits, int lane)
{
    return (uint64_t)team_from((uint32_t)(bits >> 32), lane) << 32 |
           team_from((uint32_t)bits, lane);
}

/* What other blocks have left in the device's memory. */
__device__ __forceinline__ uint64_t load_left(const uint64_t *at)
{
#ifdef __HIP_PLATFORM_AMD__
    return __hip_atomic_load(at, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
    return __ldcg((const unsigned long long *)at);
#endif
}

__device__ __forceinline__ double load_left(const double *at)
{
    return __longlong_as_double((long long)load_left((const uint64_t *)at));
}

__device__ __forceinline__ bool is_in(const struct gpu_paths &paths, const uint32_t *set,
                                      uint32_t v)
{
    return set[v % paths.words] >> v / paths.words & 1;
}

/* The sums over some neighbours, and the sources that they are for. */
struct found {
    uint64_t bits;
    part sum;
};

/* Neighbours number [e, end) that share wanted sources; where arcs have sums, `own` has the paths
 * of the vertex itself. */
template <bool ARCS>
__device__ __forceinline__ void gather(const struct gpu_paths &paths, const uint32_t *list,
                                       uint64_t e, uint64_t end, const uint64_t *near,
                                       uint64_t want, const part &own, found &found)
{
    for (; e < end; e += team_lanes) {
        uint32_t u = 0;
        uint64_t bits = 0;
        if (e + team_lane() < end) {
            u = list[e + team_lane()];
            bits = near[u] & want;
        }
        team_mask mask = team_ballot(bits != 0);
        while (mask != 0) {
            part row[FETCHES];
            uint64_t shared[FETCHES];
            uint32_t places = 0;
#pragma unroll
            for (int f = 0; f < FETCHES; f++) {
                shared[f] = 0;
                row[f] = {};
                if (mask == 0)
                    continue;
                const int from = take_lowest(&mask);
                places |= (uint32_t)(from | PLACE_TAKEN) << 8 * f;
                shared[f] = team_from(bits, from);
                row[f] = load(paths.row, team_from(u, from));
            }
            rounded terms[FETCHES] = {};
#pragma unroll
            for (int f = 0; f < FETCHES; f++) {
                found.bits |= shared[f];
#pragma unroll
                for (int i = 0; i < OWN; i++) {
                    const bool wanted = has(shared[f], i);
                    if (ARCS || wanted) /* Terms have no branch: they overlap then. */
                        found.sum.of[i] = add(found.sum.of[i], wanted ? row[f].of[i] : 0);
                    if (ARCS)
                        terms[f].add_term(paths.fixed,
                                          wanted ? multiply(row[f].of[i], own.of[i]) : 0);
                }
            }
            if (ARCS)
                add_sums(paths.fixed, paths.arc + e, places, terms);
        }
    }
}

/* Leaves what a segment has found. Returns whether it is the last one of the vertex: then *found
 * has what all have found. */
__device__ bool meet(const struct gpu_paths &paths, const struct gpu_paths_lists &lists,
                     uint32_t segment, found &found)
{
    const struct gpu_paths_parts &parts = paths.parts;
    const uint32_t v = lists.owner[segment], first = lists.first[v], end = lists.first[v + 1];
    if (found.bits)
        *part_at(parts.row, segment) = found.sum;
    if (team_lane() == 0)
        parts.bits[segment] = found.bits;
    __threadfence();
    team_sync();
    uint32_t done = 0;
    if (team_lane() == 0)
        done = atomicAdd(parts.ticket + first, 1u) + 1;
    if (team_first(done) != end - first)
        return false;
    __threadfence();
    found = {};
    for (uint32_t s = first; s < end; s++) {
        const uint64_t bits = load_left(parts.bits + s);
        const part *sum = part_at(parts.row, s);
        found.bits |= bits;
#pragma unroll
        for (int i = 0; i < OWN; i++)
            if (has(bits, i))
                found.sum.of[i] = add(found.sum.of[i], load_left(sum->of + i));
    }
    if (team_lane() == 0)
        parts.ticket[first] = 0;
    return true;
}

__device__ __forceinline__ void put_event(const struct gpu_paths &paths, unsigned long long at,
                                          uint64_t bits, uint32_t v, uint32_t segment)
{
    if (at < paths.room)
        paths.event[at] = {bits, v, segment};
}

/* By one lane: a vertex of a long list of successors has as many events as that has segments. */
__device__ void add_events(const struct gpu_paths &paths, uint64_t bits, uint32_t v)
{
    const uint32_t first = paths.out.first[v], end = paths.out.first[v + 1];
    const uint32_t events = end > first ? end - first : 1;
    unsigned long long at = atomicAdd(paths.events, (unsigned long long)events);
    if (end == first)
        put_event(paths, at, bits, v, GPU_PATHS_WHOLE);
    for (uint32_t s = first; s < end; s++)
        put_event(paths, at++, bits, v, s);
}

__global__ void __launch_bounds__(THREADS) clear_kernel(const struct gpu_paths paths)
{
    const size_t thread = (size_t)blockIdx.x * THREADS + threadIdx.x,
                 threads = (size_t)gridDim.x * THREADS;
    const uint64_t all =
        paths.count < PATHS_WIDTH ? ((uint64_t)1 << paths.count) - 1 : ~(uint64_t)0;
    for (size_t v = thread; v < paths.n; v += threads) {
        paths.missing[v] = all;
        for (int l = 0; l < GPU_PATHS_NEAR; l++)
            paths.near[l][v] = 0;
    }
    if (thread == 0) {
        *paths.events = 0;
        paths.level[0] = 0;
        *paths.beyond = 0;
    }
}

__global__ void __launch_bounds__(PATHS_WIDTH) start_kernel(const struct gpu_paths paths)
{
    const uint32_t i = threadIdx.x;
    if (i >= paths.count)
        return;
    const uint32_t v = paths.source[i];
    const uint64_t bit = (uint64_t)1 << i;
    paths.row[(size_t)v * PATHS_WIDTH + i] = 1;
    paths.missing[v] &= ~bit;
    paths.near[0][v] = bit;
    add_events(paths, bit, v);
}

/* All vertices that miss some. */
__device__ void mark_all(const struct gpu_paths &paths, uint32_t thread, uint32_t threads)
{
    for (uint32_t w = thread; w < paths.words; w += threads) {
        uint32_t set = 0;
        for (uint32_t j = 0; j < 32; j++) {
            const size_t v = w + (size_t)j * paths.words;
            if (v < paths.n && paths.missing[v] != 0)
                set |= 1u << j;
        }
        paths.marked[w] = set;
    }
}

__device__ __forceinline__ void range_of(const struct gpu_paths &paths,
                                         const struct gpu_paths_event &event, uint64_t *first,
                                         uint64_t *end)
{
    *first = paths.out.start[event.vertex];
    *end = paths.out.start[event.vertex + 1];
    if (event.segment == GPU_PATHS_WHOLE)
        return;
    *first += (uint64_t)(event.segment - paths.out.first[event.vertex]) * PATHS_SEGMENT;
    *end = *end - *first < PATHS_SEGMENT ? *end : *first + PATHS_SEGMENT;
}

/* Marks the vertices that the level before may reach. Clears the bits of the level before that. */
__global__ void __launch_bounds__(THREADS) mark_kernel(const struct gpu_paths paths, uint64_t level)
{
    const uint32_t thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    const unsigned long long first = paths.level[level - 1],
                             all = *paths.events < paths.room ? *paths.events : paths.room;
    if (thread == 0)
        paths.level[level] = all;
    if (first == all)
        return;
    for (unsigned long long i = (level > 1 ? paths.level[level - 2] : first) + thread; i < first;
         i += threads)
        paths.near[(level + 1) % GPU_PATHS_NEAR][paths.event[i].vertex] = 0;
    if ((all - first) * SPARSE >= paths.n) {
        mark_all(paths, thread, threads);
        return;
    }
    for (unsigned long long i = first + thread / team_lanes; i < all; i += threads / team_lanes) {
        const struct gpu_paths_event event = paths.event[i];
        uint64_t e, end;
        range_of(paths, event, &e, &end);
        for (e += (uint64_t)team_lane(); e < end; e += team_lanes) {
            const uint32_t v = paths.out.vertex[e];
            if (paths.missing[v] & event.bits)
                atomicOr(paths.marked + v % paths.words, 1u << v / paths.words);
        }
    }
}

/* The vertex has the paths that were found, and the bits of this level. Returns these. */
__device__ __forceinline__ uint64_t reach(const struct gpu_paths &paths, uint64_t level, uint32_t v,
                                          const found &found)
{
    if (!found.bits)
        return 0;
    part *at = part_at(paths.row, v), row = *at;
    bool beyond = false;
#pragma unroll
    for (int i = 0; i < OWN; i++)
        if (has(found.bits, i)) {
            row.of[i] = found.sum.of[i];
            beyond |= !(row.of[i] <= PATHS_MOST);
        }
    *at = row;
    if (beyond)
        *paths.beyond = 1;
    if (team_lane() == 0) {
        paths.missing[v] &= ~found.bits;
        paths.near[level % GPU_PATHS_NEAR][v] = found.bits;
    }
    return found.bits;
}

__device__ void reach_segment(const struct gpu_paths &paths, uint64_t level, uint32_t segment)
{
    const uint32_t v = paths.in.owner[segment];
    const uint64_t first =
                       paths.in.start[v] + (uint64_t)(segment - paths.in.first[v]) * PATHS_SEGMENT,
                   last = paths.in.start[v + 1],
                   end = last - first < PATHS_SEGMENT ? last : first + PATHS_SEGMENT;
    found found = {};
    gather<false>(paths, paths.in.vertex, first, end, paths.near[(level - 1) % GPU_PATHS_NEAR],
                  paths.missing[v], {}, found);
    if (!meet(paths, paths.in, segment, found))
        return;
    const uint64_t bits = reach(paths, level, v, found);
    if (team_lane() > 0)
        return;
    atomicAnd(paths.marked + v % paths.words, ~(1u << v / paths.words));
    if (bits)
        add_events(paths, bits, v);
}

/* Events of some vertices of a warp, one for each lane that has bits. */
__device__ __forceinline__ void add_events_of_team(const struct gpu_paths &paths, uint64_t bits,
                                                   uint32_t v)
{
    const bool is_long = bits && paths.out.first[v] < paths.out.first[v + 1];
    const team_mask mask = team_ballot(bits && !is_long);
    if (is_long)
        add_events(paths, bits, v);
    if (mask == 0)
        return;
    const team_mask before = ((team_mask)1 << team_lane()) - 1;
    uint64_t at = 0;
    if (team_lane() == 0)
        at = atomicAdd(paths.events, (unsigned long long)__popcll(mask));
    at = team_from(at, 0);
    if (bits && !is_long)
        put_event(paths, at + (unsigned)__popcll(mask & before), bits, v, GPU_PATHS_WHOLE);
}

__global__ void __launch_bounds__(THREADS)
    forward_kernel(const struct gpu_paths paths, uint64_t level)
{
    const uint32_t team = (blockIdx.x * THREADS + threadIdx.x) / team_lanes,
                   teams = gridDim.x * (THREADS / team_lanes), pieces = 32 / PIECE;
    const uint64_t *near = paths.near[(level - 1) % GPU_PATHS_NEAR];
    if (paths.level[level] == paths.level[level - 1])
        return;
    for (uint32_t s = team; s < paths.in.segments; s += teams)
        if (is_in(paths, paths.marked, paths.in.owner[s]))
            reach_segment(paths, level, s);
    for (uint32_t k = team; k < paths.words * pieces; k += teams) {
        const uint32_t w = k / pieces, piece = ((1u << PIECE) - 1) << k % pieces * PIECE;
        const uint32_t set = paths.marked[w] & paths.light[w] & piece;
        uint64_t own = 0;
        for (team_mask mask = set; mask != 0;) {
            const int j = take_lowest(&mask);
            const uint32_t v = w + (uint32_t)j * paths.words;
            found found = {};
            gather<false>(paths, paths.in.vertex, paths.in.start[v], paths.in.start[v + 1], near,
                          paths.missing[v], {}, found);
            const uint64_t bits = reach(paths, level, v, found);
            if (team_lane() == j)
                own = bits;
        }
        if (set == 0)
            continue;
        team_sync();
        if (team_lane() == 0)
            atomicAnd(paths.marked + w, ~set);
        add_events_of_team(paths, own, w + (uint32_t)(team_lane() % 32) * paths.words);
    }
}

/* A vertex whose successors have been added up. */
__device__ __forceinline__ void settle(const struct gpu_paths &paths, uint64_t level, uint32_t v,
                                       uint64_t bits, const part &sum)
{
    part *at = part_at(paths.row, v), row = *at;
    const double wanted = paths.wanted[v];
    rounded terms = {};
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        if (!has(bits, i))
            continue;
        const double own = multiply(row.of[i], sum.of[i]), all = add(own, wanted);
        row.of[i] = all / row.of[i];
        /* The sources are ends of as many paths as they depend on themselves. */
        terms.add_term(paths.fixed, level == 0 ? round(add(all, -wanted)) : paths.ends ? all : own);
    }
    *at = row;
    if (team_lane() == 0)
        paths.near[level % GPU_PATHS_NEAR][v] = bits;
    if (level > 0 || paths.ends)
        add_sum(paths.fixed, paths.sum + v, terms);
}

template <bool ARCS>
__global__ void __launch_bounds__(THREADS)
    backward_kernel(const struct gpu_paths paths, uint64_t level, uint64_t last)
{
    const uint32_t thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    const uint64_t *near = paths.near[(level + 1) % GPU_PATHS_NEAR];
    const unsigned long long end = paths.level[level + 1];
    if (level + 2 <= last)
        for (unsigned long long i = paths.level[level + 2] + thread; i < paths.level[level + 3];
             i += threads)
            paths.near[(level + 2) % GPU_PATHS_NEAR][paths.event[i].vertex] = 0;
    for (unsigned long long i = paths.level[level] + thread / team_lanes; i < end;
         i += threads / team_lanes) {
        const struct gpu_paths_event event = paths.event[i];
        const part own = ARCS ? load(paths.row, event.vertex) : part{};
        uint64_t e, after;
        found found = {};
        range_of(paths, event, &e, &after);
        gather<ARCS>(paths, paths.out.vertex, e, after, near, event.bits, own, found);
        if (event.segment == GPU_PATHS_WHOLE || meet(paths, paths.out, event.segment, found))
            settle(paths, level, event.vertex, event.bits, found.sum);
    }
}

} // namespace

void gpu_paths_begin(const struct gpu_paths *paths, int processors, gpuStream_t stream)
{
    clear_kernel<<<(unsigned)processors * BLOCKS, THREADS, 0, stream>>>(*paths);
    GPU_CHECK(gpuGetLastError());
    start_kernel<<<1, PATHS_WIDTH, 0, stream>>>(*paths);
    GPU_CHECK(gpuGetLastError());
}

void gpu_paths_forward(const struct gpu_paths *paths, size_t level, int processors,
                       gpuStream_t stream)
{
    mark_kernel<<<(unsigned)processors * BLOCKS, THREADS, 0, stream>>>(*paths, level);
    GPU_CHECK(gpuGetLastError());
    forward_kernel<<<(unsigned)processors * BLOCKS, THREADS, 0, stream>>>(*paths, level);
    GPU_CHECK(gpuGetLastError());
}

void gpu_paths_backward(const struct gpu_paths *paths, size_t level, size_t last, int processors,
                        gpuStream_t stream)
{
    const auto kernel = paths->arc ? backward_kernel<true> : backward_kernel<false>;
    kernel<<<(unsigned)processors * BLOCKS, THREADS, 0, stream>>>(*paths, level, last);
    GPU_CHECK(gpuGetLastError());
}
