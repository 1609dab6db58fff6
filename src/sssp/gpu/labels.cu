#include "sssp/gpu/labels.h"

#include "kernels/gpu/op.cuh"
#include "kernels/gpu/team.cuh"
#include "sssp/gpu/sets.cuh"

namespace
{

constexpr int THREADS = 256, BLOCKS = 8, /* of a multiprocessor */
    FETCHES = 4,                         /* rows under way at once, of each side */
    SIDE = 32, /* lanes that have a row; a team of 64 takes two arcs at a time */
    SIDES = team_lanes / SIDE;

/* What a lane has of a row. */
template <class Op> struct part {
    static constexpr int words = (int)GPU_LABELS_ROW / SIDE / (int)sizeof(typename Op::word);
    typename Op::word at[words];
};

template <class Op> struct alignas(8) loaded : part<Op> {
};

template <class Op>
__device__ __forceinline__ loaded<Op> *part_at(const struct gpu_labels &labels, uint32_t v)
{
    return (loaded<Op> *)((char *)labels.rows + (size_t)v * GPU_LABELS_ROW) + threadIdx.x % SIDE;
}

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

/* What is shorter by way of in-neighbours number [e, end) that are active. False: none is, and the
 * row has not been looked at. */
template <class Op>
__device__ __forceinline__ bool pull(const struct gpu_labels &labels, uint32_t v, uint64_t e,
                                     uint64_t end, part<Op> &old, part<Op> &row)
{
    using value = typename Op::value;
    const value *weights = (const value *)labels.arcs.weight;
    const int side = team_lane() / SIDE;
    bool any = false;
    for (; e < end; e += team_lanes) {
        uint32_t u = 0;
        value weight = 0;
        bool on = false;
        if (e + team_lane() < end) {
            u = labels.arcs.from[e + team_lane()];
            weight = weights[e + team_lane()];
            on = has_bit(labels.set[0], u);
        }
        team_mask mask = team_ballot(on);
        if (mask != 0 && !any) {
            any = true;
            row = old = *part_at<Op>(labels, v);
        }
        while (mask != 0) {
            part<Op> from[FETCHES];
            value length[FETCHES];
#pragma unroll
            for (int f = 0; f < FETCHES; f++) {
                if (mask == 0) { /* The first one was not, and once more does no harm. */
                    from[f] = from[0];
                    length[f] = length[0];
                    continue;
                }
                int lane = take_lowest(&mask), other = lane;
                if (SIDES > 1 && mask != 0)
                    other = take_lowest(&mask);
                lane = side == 0 ? lane : other;
                length[f] = value_from(weight, lane);
                from[f] = *part_at<Op>(labels, team_from(u, lane));
            }
#pragma unroll
            for (int f = 0; f < FETCHES; f++)
#pragma unroll
                for (int i = 0; i < part<Op>::words; i++)
                    row.at[i] = Op::step(row.at[i], from[f].at[i], Op::spread(length[f]));
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

/* A vertex that is this team's alone. */
template <class Op>
__device__ __forceinline__ bool pull_light(const struct gpu_labels &labels, uint32_t v)
{
    part<Op> old, row;
    if (!pull<Op>(labels, v, labels.arcs.start[v], labels.arcs.start[v + 1], old, row))
        return false;
    const bool changed = differs<Op>(old, row);
    if (team_all(!changed))
        return false;
    if (changed && team_lane() < SIDE)
        *(part<Op> *)part_at<Op>(labels, v) = row;
    mark(labels, v);
    return true;
}

/* Other teams lower labels of the vertex as well. */
template <class Op>
__device__ __forceinline__ bool pull_segment(const struct gpu_labels &labels,
                                             const struct gpu_segment &segment)
{
    using value = typename Op::value;
    const uint32_t v = segment.vertex;
    const uint64_t last = labels.arcs.start[v + 1],
                   end = last - segment.first < GPU_SEGMENT ? last : segment.first + GPU_SEGMENT;
    part<Op> old, row;
    if (!pull<Op>(labels, v, segment.first, end, old, row))
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
    mark(labels, v);
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
    for (uint32_t i = thread; i < sets; i += threads)
        labels.set[2][i] = 0;
    bool any = false;
    for (uint32_t s = team; s < labels.arcs.segments; s += teams)
        any |= pull_segment<Op>(labels, labels.arcs.segment[s]);
    for (size_t first = team; first < n; first += (size_t)teams * team_lanes) {
        const size_t own = first + (size_t)team_lane() * teams;
        team_mask mask = team_ballot(own < n && has_bit(labels.arcs.light, (uint32_t)own));
        while (mask != 0)
            any |= pull_light<Op>(labels, (uint32_t)(first + (size_t)take_lowest(&mask) * teams));
    }
    if (any && team_lane() == 0)
        labels.alive[k] = 1;
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
    for (size_t i = thread; i < sets; i += threads)
        labels.set[0][i] = labels.set[1][i] = 0;
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
