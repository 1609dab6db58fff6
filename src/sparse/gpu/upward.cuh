/* The way up: the labels of the groups. */
#ifndef SPARSE_UPWARD_CUH
#define SPARSE_UPWARD_CUH

#include "sparse/gpu/product.cuh"

namespace
{

/* Where the rows of node t begin within the group's labels; TASK_NONE: it is not above the group.
 */
__device__ uint32_t find_path(const struct walk_work &work, const struct walk_group &group,
                              uint32_t t)
{
    uint32_t low = 0, high = group.length;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (work.path[group.path + middle] < t)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < group.length && work.path[group.path + low] == t;
    return found ? work.path_row[group.path + low] : TASK_NONE;
}

enum { UPWARD_LIST = (int)NODE_MAX + (int)TASK_LIST_PAD };

/* The shared memory of a block in the upward sweep: the rows of a supernode before it is passed. */
struct upward_state {
    alignas(16) char row[(size_t)NODE_MAX * WALK_ROW];
    alignas(8) uint32_t list[UPWARD_LIST];
    uint32_t target[UPWARD_THREADS / 32][TASK_WIDEST]; /* rows of a tile */
    uint32_t picked;
};

/* Rows of the group that are the targets `from` .. of node t. */
__device__ __forceinline__ uint32_t upward_row(const struct walk_work &work,
                                               const struct walk_group &group,
                                               const struct walk_node &node, uint32_t base,
                                               uint32_t target)
{
    if (target < node.size)
        return base + target;
    if (target >= node.size + node.count)
        return TASK_NONE;
    uint64_t at = node.boundary + target - node.size;
    return find_path(work, group, work.owner[at]) + work.inside[at];
}

template <class Op>
__device__ __forceinline__ void
upward_tile(const struct walk_work &work, const struct upward_state &state,
            const struct walk_node &node, uint32_t first, const uint32_t *target, char *label)
{
    constexpr int T = TASK_WIDEST / (team_lanes / ACROSS);
    using shape = tile<Op, T>;
    using row = quad<typename Op::word>;
    const int lane = threadIdx.x % team_lanes;
    const typename shape::operand *u =
        (const typename shape::operand *)((const typename Op::word *)work.up + node.up +
                                          (size_t)first * node.size) +
        lane / ACROSS * shape::chunks;
    tile<Op, T> acc;
#pragma unroll
    for (int j = 0; j < T; j++) {
        uint32_t at = target[lane / ACROSS * T + j];
        acc.at[j] = *(const row *)(label + (at == TASK_NONE ? 0 : at) * (size_t)WALK_ROW);
    }
    product<Op, T, false>(acc, u, TASK_WIDEST / shape::chunk, first_offsets(state.list), node.size,
                          state.row + lane % ACROSS * 16);
#pragma unroll
    for (int j = 0; j < T; j++) {
        uint32_t at = target[lane / ACROSS * T + j];
        if (at != TASK_NONE)
            *(row *)(label + at * (size_t)WALK_ROW) = acc.at[j];
    }
}

/* Lists the rows of the core that anything has come up to. */
template <class Op>
__device__ __forceinline__ void pick_rows(const struct walk_work &work, struct upward_state &state,
                                          const struct walk_group &group, const char *own)
{
    const int lane = threadIdx.x % team_lanes, at_once = blockDim.x / ACROSS;
    const uint32_t size = group.core == TASK_NONE ? 0 : work.core;
    uint32_t *pick = work.pick + (size_t)blockIdx.x * work.picks;
    if (threadIdx.x == 0)
        state.picked = 0;
    __syncthreads();
    for (uint32_t first = 0; first < size; first += at_once) {
        const uint32_t i = first + threadIdx.x / ACROSS;
        int finite = 0;
        if (i < size) {
            quad<typename Op::word> row =
                *(const quad<typename Op::word> *)(own + (size_t)(group.core + i) * WALK_ROW);
            for (int s = 0; s < 16 / (int)sizeof(typename Op::word); s++)
                for (int l = 0; l < Op::lanes; l++)
                    finite |= Op::lane(row.at[s], l) < Op::infinity;
        }
        for (int half = ACROSS / 2; half > 0; half /= 2)
            finite |= team_xor(finite, half);
        if (finite && lane % ACROSS == 0)
            pick[atomicAdd(&state.picked, 1)] = i * WALK_ROW;
    }
    __syncthreads();
    if (threadIdx.x < TASK_LIST_PAD)
        pick[state.picked + threadIdx.x] = 0;
    if (threadIdx.x == 0)
        work.picked[blockIdx.x] = state.picked;
}

/* The labels of one group: distances from its sources by paths that stay inside each node's region.
 */
template <class Op>
__global__ void GPU_BOUNDS(UPWARD_THREADS, 5) upward_kernel(const struct walk_work work)
{
    using row = quad<typename Op::word>;
    __shared__ struct upward_state state;
    constexpr uint32_t width = WALK_ROW / sizeof(typename Op::value);
    const int team = threadIdx.x / team_lanes, teams = blockDim.x / team_lanes,
              lane = threadIdx.x % team_lanes;
    const struct walk_group group = work.group[blockIdx.x];
    row *label = (row *)((char *)work.label + group.row * WALK_ROW);
    char *own = (char *)label + lane % ACROSS * 16;
    uint32_t last = group.path + group.length - 1;
    uint32_t rows = work.path_row[last] + work.node[work.path[last]].size;
    for (uint32_t i = threadIdx.x; i < rows * ACROSS; i += blockDim.x)
        label[i] = infinite_row<Op>();
    for (uint32_t i = threadIdx.x; i < UPWARD_LIST; i += blockDim.x)
        state.list[i] = i < NODE_MAX ? i * (uint32_t)WALK_ROW : 0;
    __syncthreads();
    for (uint32_t s = threadIdx.x; s < width; s += blockDim.x) {
        uint32_t start = work.start[blockIdx.x * width + s];
        if (start != TASK_NONE)
            ((typename Op::value *)label)[(size_t)start * width + s] = 0;
    }
    for (uint32_t p = 0; p < group.length - (group.core != TASK_NONE); p++) {
        const struct walk_node node = work.node[work.path[group.path + p]];
        const uint32_t base = work.path_row[group.path + p], targets = node.size + node.count;
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < node.size * ACROSS; i += blockDim.x)
            ((row *)state.row)[i] = label[(size_t)base * ACROSS + i];
        __syncthreads();
        for (uint32_t first = team * TASK_WIDEST; first < targets; first += teams * TASK_WIDEST) {
            for (int i = lane; i < TASK_WIDEST; i += team_lanes)
                state.target[team][i] = upward_row(work, group, node, base, first + i);
            team_sync();
            upward_tile<Op>(work, state, node, first, state.target[team], own);
            team_sync();
        }
    }
    if (work.core > 0) {
        __syncthreads();
        pick_rows<Op>(work, state, group, own);
    }
}

} // namespace

#endif
