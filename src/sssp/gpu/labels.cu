#include "sssp/gpu/labels.cuh"

#include "kernels/gpu/team.cuh"
#include "sssp/gpu/sets.cuh"

namespace
{

constexpr int THREADS = 256, BLOCKS = 8, /* of a multiprocessor */
    FETCHES = 4,                         /* rows under way at once, of each side */
    SIDES = team_lanes / SIDE;           /* a warp of 64 takes two arcs at a time */

/* The value of one lane, in all of them. */
template <class V> __device__ __forceinline__ V value_from(V value, int lane)
{
    constexpr int words = (int)(sizeof(V) + 3) / 4;
    union {
        V value;
        uint32_t word[words];
    } both = {};
    both.value = value;
#pragma unroll
    for (int i = 0; i < words; i++)
        both.word[i] = team_from(both.word[i], lane);
    return both.value;
}

/* The least of both sides' labels, for each of them. */
template <class Op> __device__ __forceinline__ void join_sides(part<Op> &row)
{
    if constexpr (SIDES > 1) {
        constexpr int words = (int)sizeof(row) / 4;
        union {
            part<Op> row;
            int word[words];
        } other;
        other.row = row;
#pragma unroll
        for (int i = 0; i < words; i++)
            other.word[i] = team_xor(other.word[i], SIDE);
#pragma unroll
        for (int i = 0; i < part<Op>::words; i++)
            row.at[i] = Op::step(row.at[i], other.row.at[i], Op::spread(0));
    }
}

/*
 * Bounds leave out arcs that shorten nothing. Those of a vertex are the least and the most of its
 * labels, each less the offset of its source. An arc from u to v is of no use if its weight and the
 * least bound of u are together not below the most bound of v. Then label[u] + weight >= label[v]
 * for each source. That holds for any offsets. Good ones make the bounds of a vertex meet. The
 * least bound of u falls with each change. A reader may miss a change of this pass, which it then
 * reads in the next one. A most bound that is too high does no harm.
 */
template <class Op> constexpr bool has_bounds = false;
template <> constexpr bool has_bounds<op_u16> = true;
template <> constexpr bool has_bounds<op_i32> = true;

constexpr int32_t FAR = INF_I32; /* a bound that no label has */

/* The offsets of a lane's part of a row, and the bounds of vertices changed by the last pass and by
 * this one: FAR less the least of them. */
template <class Op> struct limits {
    static constexpr int each = part<Op>::words * Op::lanes;
    int32_t offset[each];
    int32_t nearest;
    uint32_t next;
};

template <class Op> __device__ __forceinline__ limits<Op> limits_of(const struct gpu_labels &labels)
{
    limits<Op> limits = {};
    if constexpr (has_bounds<Op>) {
#pragma unroll
        for (int i = 0; i < limits.each; i++) {
            const uint32_t source = threadIdx.x % SIDE * limits.each + i;
            limits.offset[i] = source < labels.count ? labels.offset[source] : FAR;
        }
        limits.nearest =
            (int32_t)((uint32_t)FAR - labels.set[0][((size_t)labels.arcs.n + 31) / 32]);
    }
    return limits;
}

/* The bounds of a row, in all lanes. */
template <class Op>
__device__ __forceinline__ int32_t most_bound(const part<Op> &row, const limits<Op> &limits)
{
    int32_t most = -FAR;
#pragma unroll
    for (int i = 0; i < limits.each; i++)
        most =
            max(most, (int32_t)Op::lane(row.at[i / Op::lanes], i % Op::lanes) - limits.offset[i]);
    return team_most(most);
}

template <class Op>
__device__ __forceinline__ int32_t least_bound(const part<Op> &row, const limits<Op> &limits)
{
    int32_t most = -FAR;
#pragma unroll
    for (int i = 0; i < limits.each; i++) {
        const int32_t label = (int32_t)Op::lane(row.at[i / Op::lanes], i % Op::lanes);
        if (label < Op::infinity)
            most = max(most, limits.offset[i] - label);
    }
    return -team_most(most);
}

/* An in-neighbour that a lane has. */
template <class Op> struct neighbour {
    uint32_t u;
    typename Op::value weight;
    int32_t bound; /* of what comes by way of it */
    bool within, on;
};

template <class Op>
__device__ __forceinline__ neighbour<Op> look(const struct gpu_labels &labels, uint64_t e,
                                              uint64_t end, const limits<Op> &limits, int32_t most)
{
    neighbour<Op> its = {0, 0, 0, e < end, false};
    if (!its.within)
        return its;
    its.u = labels.arcs.from[e];
    its.weight = ((const typename Op::value *)labels.arcs.weight)[e];
    if constexpr (has_bounds<Op>)
        its.within = limits.nearest + (int32_t)its.weight < most;
    its.on = its.within && has_bit(labels.set[0], its.u);
    if constexpr (has_bounds<Op>)
        if (its.on) {
            its.bound = labels.least[its.u] + (int32_t)its.weight;
            its.on = its.bound < most;
        }
    return its;
}

/* Some rows of the mask. */
template <class Op>
__device__ __forceinline__ void fetch(const struct gpu_labels &labels, const neighbour<Op> &its,
                                      team_mask *mask, part<Op> &row)
{
    const int side = team_lane() / SIDE;
    part<Op> from[FETCHES];
    typename Op::value length[FETCHES];
#pragma unroll
    for (int f = 0; f < FETCHES; f++) {
        if (*mask == 0) { /* The first one was not, and once more does no harm. */
            from[f] = from[0];
            length[f] = length[0];
            continue;
        }
        int lane = take_lowest(mask), other = lane;
        if (SIDES > 1 && *mask != 0)
            other = take_lowest(mask);
        lane = side == 0 ? lane : other;
        length[f] = value_from(its.weight, lane);
        from[f] = *part_at<Op>(labels, team_from(its.u, lane));
    }
#pragma unroll
    for (int f = 0; f < FETCHES; f++)
#pragma unroll
        for (int i = 0; i < part<Op>::words; i++)
            row.at[i] = Op::step(row.at[i], from[f].at[i], Op::spread(length[f]));
}

/* Shortens labels by way of the active ones of in-neighbours number [e, end), which come by rising
 * weight. False: none is active, and the row has not been looked at. */
template <class Op>
__device__ __forceinline__ bool pull(const struct gpu_labels &labels, uint32_t v, uint64_t e,
                                     uint64_t end, const limits<Op> &limits, part<Op> &old,
                                     part<Op> &row)
{
    int32_t most = has_bounds<Op> ? labels.most[v] : FAR;
    bool any = false;
    for (; e < end; e += team_lanes) {
        const neighbour<Op> its = look<Op>(labels, e + team_lane(), end, limits, most);
        team_mask mask = team_ballot(its.on);
        if (has_bounds<Op> && mask == 0 && team_all(!its.within))
            break;
        if (mask != 0 && !any) {
            any = true;
            row = old = *part_at<Op>(labels, v);
        }
        while (mask != 0) {
            fetch<Op>(labels, its, &mask, row);
            if constexpr (has_bounds<Op>) {
                most = most_bound<Op>(row, limits);
                mask &= team_ballot(its.bound < most);
            }
        }
    }
    if (any)
        join_sides<Op>(row);
    return any;
}

template <class Op>
__device__ __forceinline__ bool differs(const part<Op> &old, const part<Op> &row)
{
    bool any = false;
#pragma unroll
    for (int i = 0; i < part<Op>::words; i++)
        any |= old.at[i] != row.at[i];
    return any;
}

__device__ __forceinline__ void mark(const struct gpu_labels &labels, uint32_t v)
{
    if (team_lane() == 0)
        atomicOr(labels.set[1] + v / 32, 1u << v % 32);
}

/* The bounds of a row that has changed; others may lower its labels, too. */
template <class Op>
__device__ __forceinline__ void keep_bounds(const struct gpu_labels &labels, uint32_t v,
                                            const part<Op> &row, bool shared, limits<Op> &limits)
{
    if constexpr (has_bounds<Op>) {
        const int32_t least = least_bound<Op>(row, limits), most = most_bound<Op>(row, limits);
        limits.next = max(limits.next, (uint32_t)(FAR - least));
        if (team_lane() > 0)
            return;
        if (shared)
            atomicMin(labels.least + v, least);
        else
            labels.least[v] = least;
        labels.most[v] = most;
    }
}

/* A vertex that is this warp's alone. */
template <class Op>
__device__ __forceinline__ bool pull_light(const struct gpu_labels &labels, uint32_t v,
                                           limits<Op> &limits)
{
    part<Op> old, row;
    if (!pull<Op>(labels, v, labels.arcs.start[v], labels.arcs.start[v + 1], limits, old, row))
        return false;
    const bool changed = differs<Op>(old, row);
    if (team_all(!changed))
        return false;
    if (changed && team_lane() < SIDE)
        *(part<Op> *)part_at<Op>(labels, v) = row;
    keep_bounds<Op>(labels, v, row, false, limits);
    mark(labels, v);
    return true;
}

/* Other warps lower labels of the vertex as well. */
template <class Op>
__device__ __forceinline__ bool pull_segment(const struct gpu_labels &labels,
                                             const struct gpu_segment &segment, limits<Op> &limits)
{
    using value = typename Op::value;
    const uint32_t v = segment.vertex;
    const uint64_t last = labels.arcs.start[v + 1],
                   end = last - segment.first < GPU_SEGMENT ? last : segment.first + GPU_SEGMENT;
    part<Op> old, row;
    if (!pull<Op>(labels, v, segment.first, end, limits, old, row))
        return false;
    const bool changed = differs<Op>(old, row);
    if (team_all(!changed))
        return false;
    if (changed && team_lane() < SIDE) {
        value *at = (value *)part_at<Op>(labels, v);
#pragma unroll
        for (int i = 0; i < part<Op>::words; i++)
#pragma unroll
            for (int l = 0; l < Op::lanes; l++)
                if (Op::lane(row.at[i], l) < Op::lane(old.at[i], l))
                    Op::lower(at + i * Op::lanes + l, Op::lane(row.at[i], l));
    }
    keep_bounds<Op>(labels, v, row, true, limits);
    mark(labels, v);
    return true;
}

/* Whether the lightest arc to a vertex may be of use. */
template <class Op>
__device__ __forceinline__ bool may_change(const struct gpu_labels &labels, uint32_t v,
                                           const limits<Op> &limits)
{
    if constexpr (has_bounds<Op>)
        return limits.nearest +
                   (int32_t)((const typename Op::value *)labels.arcs.weight)[labels.arcs.start[v]] <
               labels.most[v];
    return true;
}

template <class Op>
__global__ void __launch_bounds__(THREADS) pass_kernel(const struct gpu_labels labels, uint32_t k)
{
    const uint32_t n = labels.arcs.n, sets = (n + 31) / 32;
    const uint32_t thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS,
                   team = thread / team_lanes, teams = threads / team_lanes;
    if (k > 0 && labels.alive[k - 1] == 0)
        return;
    for (uint32_t i = thread; i <= sets; i += threads)
        labels.set[2][i] = 0;
    limits<Op> limits = limits_of<Op>(labels);
    bool any = false;
    for (uint32_t s = team; s < labels.arcs.segments; s += teams)
        any |= pull_segment<Op>(labels, labels.arcs.segment[s], limits);
    for (size_t first = team; first < n; first += (size_t)teams * team_lanes) {
        const size_t own = first + (size_t)team_lane() * teams;
        team_mask mask = team_ballot(own < n && has_bit(labels.arcs.light, (uint32_t)own) &&
                                     may_change<Op>(labels, (uint32_t)own, limits));
        while (mask != 0)
            any |= pull_light<Op>(labels, (uint32_t)(first + (size_t)take_lowest(&mask) * teams),
                                  limits);
    }
    if (any && team_lane() == 0) {
        labels.alive[k] = 1;
        atomicMax(labels.set[1] + sets, limits.next);
    }
}

/* All labels are infinite, */
template <class Op>
__global__ void __launch_bounds__(THREADS) clear_kernel(const struct gpu_labels labels)
{
    using value = typename Op::value;
    constexpr int each = 16 / (int)sizeof(value);
    struct alignas(16) quad {
        value at[each];
    } infinite;
    const size_t n = labels.arcs.n, sets = (n + 31) / 32, quads = n * (GPU_LABELS_ROW / 16);
    const size_t thread = (size_t)blockIdx.x * THREADS + threadIdx.x,
                 threads = (size_t)gridDim.x * THREADS;
#pragma unroll
    for (int i = 0; i < each; i++)
        infinite.at[i] = Op::infinity;
    for (size_t i = thread; i < quads; i += threads)
        ((quad *)labels.rows)[i] = infinite;
    for (size_t i = thread; i <= sets; i += threads)
        labels.set[0][i] = labels.set[1][i] = 0;
    for (size_t i = thread; i < n; i += threads)
        labels.least[i] = labels.most[i] = FAR;
}

/* but that of a source to itself. */
template <class Op> __global__ void sources_kernel(const struct gpu_labels labels)
{
    const uint32_t i = threadIdx.x;
    if (i >= labels.count)
        return;
    const uint32_t v = labels.source[i];
    ((typename Op::value *)((char *)labels.rows + (size_t)v * GPU_LABELS_ROW))[i] = 0;
    atomicOr(labels.set[0] + v / 32, 1u << v % 32);
    labels.least[v] = -labels.offset[i];
    atomicMax(labels.set[0] + (labels.arcs.n + 31) / 32, (uint32_t)(FAR + labels.offset[i]));
}

template <class Op> void begin(const struct gpu_labels *labels, int processors, gpuStream_t stream)
{
    clear_kernel<Op><<<(unsigned)processors * BLOCKS, THREADS, 0, stream>>>(*labels);
    GPU_CHECK(gpuGetLastError());
    sources_kernel<Op><<<1, GPU_LABELS_ROW / 2, 0, stream>>>(*labels);
    GPU_CHECK(gpuGetLastError());
}

template <class Op>
void pass(const struct gpu_labels *labels, uint32_t k, int processors, gpuStream_t stream)
{
    const size_t teams = THREADS / team_lanes,
                 wanted = ((size_t)labels->arcs.n + labels->arcs.segments) / teams + 1,
                 most = (size_t)processors * BLOCKS;
    pass_kernel<Op><<<(unsigned)(wanted < most ? wanted : most), THREADS, 0, stream>>>(*labels, k);
    GPU_CHECK(gpuGetLastError());
}

using begin_call = void(const struct gpu_labels *labels, int processors, gpuStream_t stream);
using pass_call = void(const struct gpu_labels *labels, uint32_t k, int processors,
                       gpuStream_t stream);

template <class... Op> begin_call *begin_among(op_list<Op...>, enum dtype dtype)
{
    begin_call *const table[] = {begin<Op>...};
    return table[dtype];
}

template <class... Op> pass_call *pass_among(op_list<Op...>, enum dtype dtype)
{
    pass_call *const table[] = {pass<Op>...};
    return table[dtype];
}

} // namespace

void gpu_labels_begin(const struct gpu_labels *labels, enum dtype dtype, int processors,
                      gpuStream_t stream)
{
    begin_among(op_sums(), dtype)(labels, processors, stream);
}

void gpu_labels_pass(struct gpu_labels *labels, enum dtype dtype, enum combine combine, uint32_t k,
                     int processors, gpuStream_t stream)
{
    pass_call *pass =
        combine == COMBINE_MAX ? pass_among(op_maxima(), dtype) : pass_among(op_sums(), dtype);
    pass(labels, k, processors, stream);
    uint32_t *done = labels->set[0];
    labels->set[0] = labels->set[1];
    labels->set[1] = labels->set[2];
    labels->set[2] = done;
}
