/*
 * A team makes tiles of 8, 16 or 32 targets times the sources of a group: a lane has targets of its own, and
 * 16 bytes of every row. What a lane loads for a step of k are these 16 bytes and a word for each target; a
 * multiprocessor hands its lanes 128 bytes a clock and relaxes 64 words, so 16 targets and 4 words of a row
 * (20 loaded for 64 relaxed) leave room beside the loads, and 8 targets hardly do.
 *
 * There are no barriers in a walk. A team publishes the number of the task that it is at, and begins a task
 * when all teams have come as far as it needs. The next task is fetched while the last one is computed.
 */
#include "sparse/walk_gpu.h"

#include "kernels/gpu/tile.cuh"

#include <type_traits>

namespace
{

#if defined(__HIP_PLATFORM_AMD__)
#ifdef __AMDGCN_WAVEFRONT_SIZE
constexpr int team_lanes = __AMDGCN_WAVEFRONT_SIZE;
#else
constexpr int team_lanes = 64;
#endif
__device__ __forceinline__ uint32_t team_first(uint32_t value)
{
    return (uint32_t)__builtin_amdgcn_readfirstlane((int)value);
}
__device__ __forceinline__ void team_sync()
{
    __builtin_amdgcn_wave_barrier();
}
__device__ __forceinline__ bool team_all(bool condition)
{
    return __all(condition);
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
#endif

/* Brings 128 bytes near, some time before they are read. */
__device__ __forceinline__ void prefetch(const void *line)
{
#ifndef __HIP__
    asm volatile("prefetch.global.L1 [%0];" ::"l"(line));
#else
    (void)line;
#endif
}

enum {
    ACROSS = WALK_ROW / 16, /* lanes that share targets */
    TEAMS = WALK_THREADS / team_lanes,
    TASK_WORDS = sizeof(struct task) / sizeof(uint32_t),
    LINE = 128,
    AHEAD = 20,    /* tasks from the one that is fetched to the one that is computed */
    SUMMED = 4096, /* times 16 values of 15 bits are below 2^32 */
    CLIMB_LIST = (int)NODE_MAX + (int)TASK_LIST_PAD,
};
static_assert(TASK_WIDEST == 2 * TASK_UNIT, "two blocks");
static_assert(TASK_WORDS % 4 == 0 && TASK_WORDS <= 32, "a task is read at once, in loads of 16 bytes");

/* What lies in shared memory beside the window. */
struct walk_state {
    alignas(16) uint32_t task[TEAMS][TASK_WORDS];
    alignas(16) volatile uint32_t progress[TEAMS];
    struct walk_group group;
    uint32_t ticket, number; /* of the next task; of the group */
};

/* Up to 16 bytes that are loaded at once. */
template <class W, int COUNT> struct alignas(sizeof(W) * COUNT) pack {
    W at[COUNT];
};

/* The registers of a lane: T targets times the words of 16 bytes of a row. */
template <class Op, int T> struct tile {
    using word = typename Op::word;
    static constexpr int wide = 16 / sizeof(word), chunk = T < wide ? T : wide, chunks = T / chunk;
    using operand = pack<word, chunk>;
    using row = quad<word>;
    row at[T];
};

/* One k: all targets, and the operands of the next k as soon as this one's have been used. */
template <class Op, int T>
__device__ __forceinline__ void
relax(tile<Op, T> &acc, typename tile<Op, T>::operand (&u)[tile<Op, T>::chunks],
      const typename tile<Op, T>::row &d, const typename tile<Op, T>::operand *__restrict__ next)
{
    using shape = tile<Op, T>;
#pragma unroll
    for (int c = 0; c < shape::chunks; c++) {
#pragma unroll
        for (int j = 0; j < shape::chunk; j++)
#pragma unroll
            for (int s = 0; s < shape::wide; s++) {
                typename Op::word &value = acc.at[c * shape::chunk + j].at[s];
                value = Op::step(value, u[c].at[j], d.at[s]);
            }
        u[c] = next[c];
    }
}

/*
 * acc = min(acc, U (x) D): `depth` > 0 rows D at these offsets from `rows`. Reads one k of the panel and a
 * few offsets beyond the last.
 */
template <class Op, int T>
__device__ __forceinline__ void product(tile<Op, T> &acc, const typename tile<Op, T>::operand *__restrict__ u,
                                        int pitch, const uint32_t *__restrict__ list, uint32_t depth,
                                        const char *rows)
{
    using shape = tile<Op, T>;
    using row = typename shape::row;
    typename shape::operand operand[shape::chunks];
    uint2 at = *(const uint2 *)list, ahead = *(const uint2 *)(list + 2);
#pragma unroll
    for (int c = 0; c < shape::chunks; c++)
        operand[c] = u[c];
    row d = *(const row *)(rows + at.x), next;
    uint32_t k = 0;
#pragma unroll 1
    for (; k + 2 <= depth; k += 2) {
        next = *(const row *)(rows + at.y);
        at = ahead;
        list += 2;
        ahead = *(const uint2 *)(list + 2);
        relax(acc, operand, d, u + pitch);
        d = *(const row *)(rows + at.x);
        relax(acc, operand, next, u + 2 * pitch);
        u += 2 * pitch;
    }
    if (k < depth)
        relax(acc, operand, d, u);
}

/* Of a lane, over the tasks of one group: its words' values. */
template <class Op> struct lane_counts {
    static constexpr int wide = 16 / sizeof(typename Op::word), sources = wide * Op::lanes;
    std::conditional_t<Op::lanes == 2, uint32_t, int64_t> sum[sources]; /* of SUMMED tasks, at least */
    typename Op::word most[wide];
};

template <class V> __device__ __forceinline__ V larger(V a, V b)
{
    return a > b ? a : b;
}

/* Two values a word. */
__device__ __forceinline__ uint32_t larger_pair(uint32_t a, uint32_t b)
{
#if defined(__HIP__)
    return larger(a & 0xffffu, b & 0xffffu) | larger(a & 0xffff0000u, b & 0xffff0000u);
#else
    return __vmaxu2(a, b);
#endif
}

template <class Op>
__device__ __forceinline__ typename Op::word larger_word(typename Op::word a, typename Op::word b)
{
    if constexpr (Op::lanes == 2)
        return larger_pair(a, b);
    else
        return larger(a, b);
}

/* Is one of the values of a word at least `limit`? */
template <class Op> __device__ __forceinline__ bool reaches(typename Op::word w, typename Op::value limit)
{
    if constexpr (Op::lanes == 2)
        return (w & 0xffffu) >= limit || w >> 16 >= limit;
    else
        return w >= limit;
}

/* The largest of the targets, by words; true if one of all is at least `limit`. */
template <class Op, int T>
__device__ __forceinline__ bool find_most(typename tile<Op, T>::row &most, const tile<Op, T> &acc,
                                          typename Op::value limit)
{
    typename Op::word all = 0;
#pragma unroll
    for (int s = 0; s < tile<Op, T>::wide; s++) {
        most.at[s] = acc.at[0].at[s];
#pragma unroll
        for (int j = 1; j < T; j++)
            most.at[s] = larger_word<Op>(most.at[s], acc.at[j].at[s]);
        all = larger_word<Op>(all, most.at[s]);
    }
    return reaches<Op>(all, limit);
}

/* Adds all targets but the last `same`, which are like the last that counts. The sum of all fits 32 bits
 * where a word has so many. */
template <class Op, int T>
__device__ __forceinline__ void add_sums(lane_counts<Op> &counts, const tile<Op, T> &acc, int same)
{
#pragma unroll
    for (int s = 0; s < tile<Op, T>::wide; s++) {
        const typename Op::word last = acc.at[T - 1].at[s];
        if constexpr (Op::lanes == 2) {
            uint32_t low = 0, high = 0;
#pragma unroll
            for (int j = 0; j < T; j += 2) { /* two of 15 bits fit 16 */
                uint32_t both = acc.at[j].at[s] + (T > 1 ? acc.at[(j + 1) % T].at[s] : 0);
                low += both & 0xffffu;
                high += both >> 16;
            }
            counts.sum[2 * s] += low - same * (last & 0xffffu);
            counts.sum[2 * s + 1] += high - same * (last >> 16);
        } else if constexpr (sizeof(typename Op::word) == 4) {
            uint32_t sum = 0;
#pragma unroll
            for (int j = 0; j < T; j++)
                sum += (uint32_t)acc.at[j].at[s];
            counts.sum[s] += sum - same * (uint32_t)last;
        } else {
#pragma unroll
            for (int j = 0; j < T; j++)
                counts.sum[s] += (int64_t)acc.at[j].at[s];
            counts.sum[s] -= same * (int64_t)last;
        }
    }
}

/* Those that are not reached become 0, and so do targets that are no more than repeated. */
template <class Op, int T>
__device__ __forceinline__ void drop_lost(tile<Op, T> &acc, int valid, uint32_t *lost)
{
    uint32_t none[lane_counts<Op>::sources] = {};
#pragma unroll
    for (int j = 0; j < T; j++)
#pragma unroll
        for (int s = 0; s < lane_counts<Op>::sources; s++) {
            typename Op::word &word = acc.at[j].at[s / Op::lanes];
            bool far = Op::lane(word, s % Op::lanes) >= Op::infinity;
            none[s] += far && j < valid;
            if (far || j >= valid) {
                if constexpr (Op::lanes == 1)
                    word = 0;
                else
                    word = Op::with_lane(word, s % Op::lanes, 0);
            }
        }
#pragma unroll
    for (int s = 0; s < lane_counts<Op>::sources; s++)
        if (none[s] > 0)
            atomicAdd(lost + s, none[s]);
}

/* The first `valid` targets of the lane; the others are like the last of these. Sums of large values are made
 * one by one. */
template <class Op, int T>
__device__ __forceinline__ void count_tile(lane_counts<Op> &counts, tile<Op, T> &acc, int valid,
                                           uint32_t *lost)
{
    constexpr typename Op::value limit =
        sizeof(typename Op::value) == 4 ? (typename Op::value)(0x100000000u / T / 4) : Op::infinity;
    int same = max(0, min(T, T - valid));
    typename tile<Op, T>::row most;
    if (find_most<Op, T>(most, acc, limit)) {
        drop_lost<Op, T>(acc, valid, lost);
        (void)find_most<Op, T>(most, acc, limit);
        if constexpr (sizeof(typename Op::value) == 4) {
#pragma unroll
            for (int j = 0; j < T; j++)
#pragma unroll
                for (int s = 0; s < tile<Op, T>::wide; s++) {
                    counts.sum[s] += acc.at[j].at[s];
                    acc.at[j].at[s] = 0;
                }
        }
        same = 0;
    }
#pragma unroll
    for (int s = 0; s < tile<Op, T>::wide; s++)
        counts.most[s] = larger_word<Op>(counts.most[s], most.at[s]);
    add_sums<Op, T>(counts, acc, same);
}

/* Where the rows of node t begin within the group's labels; TASK_NONE: it is not above the group. */
__device__ uint32_t find_path(const struct walk_work &work, const struct walk_group &group, uint32_t t)
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

/* What a team knows while it walks. */
struct walker {
    const struct walk_group &group; /* in shared memory */
    uint32_t number;                /* of the group */
    int lane;
    char *window; /* from the lane's part of a row on */
    char *far;
};

template <class Op> __device__ __forceinline__ quad<typename Op::word> infinite_row()
{
    quad<typename Op::word> row;
#pragma unroll
    for (int s = 0; s < 16 / (int)sizeof(typename Op::word); s++)
        row.at[s] = Op::spread(Op::infinity);
    return row;
}

/* Infinite, or where the group climbed through the node, its labels. */
template <class Op, int T>
__device__ __forceinline__ void start_tile(tile<Op, T> &acc, const struct walk_work &work,
                                           const struct walker &walker, const struct task &task, int first)
{
    uint32_t found = TASK_NONE;
#pragma unroll
    for (int j = 0; j < T; j++)
        acc.at[j] = infinite_row<Op>();
    if (task.low <= walker.group.high && task.end > walker.group.low)
        found = find_path(work, walker.group, task.node);
    if (found == TASK_NONE)
        return;
    const char *from = (const char *)work.label + (walker.group.row + found + task.skipped) * WALK_ROW +
                       walker.lane % ACROSS * 16;
#pragma unroll
    for (int j = 0; j < T; j++)
        acc.at[j] = *(const typename tile<Op, T>::row *)(from + min(first + j, task.targets - 1) * WALK_ROW);
}

/* Targets side by side, on the device. */
template <class Op, int T>
__device__ __forceinline__ void store_rows(char *to, const tile<Op, T> &acc, int valid)
{
#pragma unroll
    for (int j = 0; j < T; j++)
        if (j < valid)
            *(typename tile<Op, T>::row *)(to + j * WALK_ROW) = acc.at[j];
}

/* In the window, in blocks of TASK_UNIT targets, which a lane may have a part of. */
template <class Op, int T>
__device__ __forceinline__ void store_window(char *window, const struct task &task, const tile<Op, T> &acc,
                                             int first)
{
    constexpr int most = T < TASK_UNIT ? T : (int)TASK_UNIT;
#pragma unroll
    for (int from = 0; from < T; from += most) {
        const uint32_t block = first + from < TASK_UNIT ? task.block[0] : task.block[1];
        char *to = window + (block * TASK_UNIT + (first + from) % TASK_UNIT) * WALK_ROW;
#pragma unroll
        for (int j = 0; j < most; j++)
            *(typename tile<Op, T>::row *)(to + j * WALK_ROW) = acc.at[from + j];
    }
}

template <class Op, int T, bool COUNT>
__device__ __forceinline__ void make_tile(const struct walk_work &work, const struct walker &walker,
                                          const struct task &task, lane_counts<Op> &counts)
{
    using operand = typename tile<Op, T>::operand;
    constexpr int pitch = T * (team_lanes / ACROSS) / tile<Op, T>::chunk; /* operands of a k */
    const int first = walker.lane / ACROSS * T, valid = (int)task.targets - first;
    const operand *u =
        (const operand *)((const typename Op::word *)work.down + (size_t)task.panel * TASK_UNIT) +
        walker.lane / ACROSS * tile<Op, T>::chunks;
    tile<Op, T> acc;
    start_tile<Op, T>(acc, work, walker, task, first);
    if (task.near > 0)
        product<Op, T>(acc, u, pitch, work.list + task.list, task.near, walker.window);
    if (task.far > 0)
        product<Op, T>(acc, u + (size_t)task.near * pitch, pitch, work.list + task.far_list, task.far,
                       walker.far);
    if (task.store == TASK_NEAR)
        store_window<Op, T>(walker.window, task, acc, first);
    else if (task.store != TASK_NONE)
        store_rows<Op, T>(walker.far + (size_t)(task.store + first) * WALK_ROW, acc, valid);
    if constexpr (COUNT)
        count_tile<Op, T>(counts, acc, valid,
                          work.lost + (size_t)walker.number * WALK_ROW / sizeof(typename Op::value) +
                              walker.lane % ACROSS * lane_counts<Op>::sources);
    else
        store_rows<Op, T>((char *)work.rows +
                              ((size_t)walker.number * work.n + task.first + first) * WALK_ROW +
                              walker.lane % ACROSS * 16,
                          acc, valid);
}

template <class Op, bool COUNT>
__device__ __forceinline__ void make_task(const struct walk_work &work, const struct walker &walker,
                                          const struct task &task, lane_counts<Op> &counts)
{
    constexpr int groups = team_lanes / ACROSS; /* of lanes with the same targets */
    if (task.width == TASK_WIDEST)
        make_tile<Op, TASK_WIDEST / groups, COUNT>(work, walker, task, counts);
    else
        make_tile<Op, TASK_WIDEST / 2 / groups, COUNT>(work, walker, task, counts);
}

/* All tasks before `need` are done when no team is at one of them. */
__device__ __forceinline__ void wait_for(const struct walk_state &state, uint32_t need, int lane)
{
    while (!team_all(state.progress[lane % TEAMS] >= need))
        ;
    __threadfence_block();
}

/* What some team will read soon: a task's panel and the offsets of its rows. */
struct fetch {
    uint32_t panel, list, bytes;
};

__device__ __forceinline__ struct fetch fetch_of(const struct walk_work &work, uint32_t number, uint32_t word)
{
    const struct task *task = work.task + min(number, work.tasks - 1);
    return {task->panel, task->list, (task->near + task->far) * task->width * word};
}

__device__ __forceinline__ void fetch_lines(const struct walk_work &work, const struct fetch &fetch,
                                            uint32_t word, int lane)
{
    if ((uint32_t)lane * LINE < fetch.bytes)
        prefetch((const char *)work.down + (size_t)fetch.panel * TASK_UNIT * word + lane * LINE);
    if (lane == team_lanes - 1)
        prefetch(work.list + fetch.list);
}

/* To those of the group; the lane begins again. */
template <class Op>
__device__ __forceinline__ void add_counts(const struct walk_work &work, const struct walker &walker,
                                           lane_counts<Op> &counts)
{
    size_t source = (size_t)walker.number * WALK_ROW / sizeof(typename Op::value) +
                    walker.lane % ACROSS * lane_counts<Op>::sources;
#pragma unroll
    for (int s = 0; s < lane_counts<Op>::sources; s++) {
        atomicAdd((unsigned long long *)work.sum + source + s, (unsigned long long)counts.sum[s]);
        atomicMax((unsigned long long *)work.most + source + s,
                  (unsigned long long)Op::lane(counts.most[s / Op::lanes], s % Op::lanes));
    }
    counts = {};
}

template <class Op, bool COUNT>
__device__ __forceinline__ void walk_group_down(const struct walk_work &work, const struct walker &walker,
                                                struct walk_state &state, lane_counts<Op> &counts)
{
    const int team = threadIdx.x / team_lanes, lane = walker.lane,
              word = lane < TASK_WORDS ? lane : TASK_WORDS - 1;
    uint32_t current = team, known = 0, made = 0;
    const uint32_t *words = (const uint32_t *)work.task;
    uint32_t part = words[(size_t)min(current, work.tasks - 1) * TASK_WORDS + word];
    while (current < work.tasks) {
        if (lane < TASK_WORDS)
            state.task[team][lane] = part;
        team_sync();
        const struct task task = *(const struct task *)state.task[team];
        uint32_t next = lane == 0 ? atomicInc(&state.ticket, ~0u) : 0;
        next = team_first(next);
        part = words[(size_t)min(next, work.tasks - 1) * TASK_WORDS + word];
        const struct fetch fetch = fetch_of(work, current + AHEAD, sizeof(typename Op::word));
        if (known < task.need) {
            wait_for(state, task.need, lane);
            known = task.need;
        }
        make_task<Op, COUNT>(work, walker, task, counts);
        fetch_lines(work, fetch, sizeof(typename Op::word), lane);
        if (COUNT && ++made % SUMMED == 0)
            add_counts<Op>(work, walker, counts);
        __threadfence_block();
        team_sync();
        if (lane == 0)
            state.progress[team] = next;
        current = next;
    }
}

template <class Op, bool COUNT>
__global__ void GPU_BOUNDS(WALK_THREADS, 1) walk_kernel(const struct walk_work work)
{
    extern __shared__ quad<uint32_t> window[];
    __shared__ struct walk_state state;
    const int lane = threadIdx.x % team_lanes, team = threadIdx.x / team_lanes;
    struct walker walker = {state.group, 0, lane, (char *)window + lane % ACROSS * 16,
                            (char *)work.far + (size_t)blockIdx.x * work.fars * WALK_ROW +
                                lane % ACROSS * 16};
    for (;;) {
        __syncthreads(); /* all have read what is written next */
        if (threadIdx.x == 0) {
            state.number = atomicAdd(work.next, 1);
            state.ticket = TEAMS;
            if (state.number < work.groups)
                state.group = work.group[state.number];
        }
        if (lane == 0)
            state.progress[team] = team;
        __syncthreads();
        walker.number = state.number;
        if (walker.number >= work.groups)
            return;
        lane_counts<Op> counts = {};
        walk_group_down<Op, COUNT>(work, walker, state, counts);
        if (COUNT)
            add_counts<Op>(work, walker, counts);
    }
}

/* What a block has in shared memory on the way up: the rows of a node before it is passed. */
struct climb_state {
    alignas(16) char row[(size_t)NODE_MAX * WALK_ROW];
    alignas(8) uint32_t list[CLIMB_LIST];
    uint32_t target[CLIMB_THREADS / 32][TASK_WIDEST]; /* rows of a tile */
};

/* Rows of the group that are the targets `from` .. of node t. */
__device__ __forceinline__ uint32_t climbed_row(const struct walk_work &work, const struct walk_group &group,
                                                const struct walk_node &node, uint32_t base, uint32_t target)
{
    if (target < node.size)
        return base + target;
    if (target >= node.size + node.count)
        return TASK_NONE;
    uint64_t at = node.boundary + target - node.size;
    return find_path(work, group, work.owner[at]) + work.inside[at];
}

template <class Op>
__device__ __forceinline__ void climb_tile(const struct walk_work &work, const struct climb_state &state,
                                           const struct walk_node &node, uint32_t first,
                                           const uint32_t *target, char *label)
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
    product<Op, T>(acc, u, TASK_WIDEST / shape::chunk, state.list, node.size, state.row + lane % ACROSS * 16);
#pragma unroll
    for (int j = 0; j < T; j++) {
        uint32_t at = target[lane / ACROSS * T + j];
        if (at != TASK_NONE)
            *(row *)(label + at * (size_t)WALK_ROW) = acc.at[j];
    }
}

/* The labels of one group: distances from its sources by paths that stay inside each node's region. */
template <class Op> __global__ void GPU_BOUNDS(CLIMB_THREADS, 4) climb_kernel(const struct walk_work work)
{
    using row = quad<typename Op::word>;
    __shared__ struct climb_state state;
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
    for (uint32_t i = threadIdx.x; i < CLIMB_LIST; i += blockDim.x)
        state.list[i] = i < NODE_MAX ? i * (uint32_t)WALK_ROW : 0;
    __syncthreads();
    for (uint32_t s = threadIdx.x; s < width; s += blockDim.x) {
        uint32_t start = work.start[blockIdx.x * width + s];
        if (start != TASK_NONE)
            ((typename Op::value *)label)[(size_t)start * width + s] = 0;
    }
    for (uint32_t p = 0; p < group.length; p++) {
        const struct walk_node node = work.node[work.path[group.path + p]];
        const uint32_t base = work.path_row[group.path + p], targets = node.size + node.count;
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < node.size * ACROSS; i += blockDim.x)
            ((row *)state.row)[i] = label[(size_t)base * ACROSS + i];
        __syncthreads();
        for (uint32_t first = team * TASK_WIDEST; first < targets; first += teams * TASK_WIDEST) {
            for (int i = lane; i < TASK_WIDEST; i += team_lanes)
                state.target[team][i] = climbed_row(work, group, node, base, first + i);
            team_sync();
            climb_tile<Op>(work, state, node, first, state.target[team], own);
            team_sync();
        }
    }
}

template <class Op> gpuError_t prepare(size_t window)
{
    gpuError_t status =
        gpuFuncSetAttribute((const void *)walk_kernel<Op, false>, gpuFuncMaxSharedMemory, (int)window);
    if constexpr (std::is_integral_v<typename Op::value>)
        if (status == gpuSuccess)
            status =
                gpuFuncSetAttribute((const void *)walk_kernel<Op, true>, gpuFuncMaxSharedMemory, (int)window);
    return status;
}

template <class Op> void climb(const struct walk_work *work, gpuStream_t stream)
{
    if (work->groups == 0)
        return;
    climb_kernel<Op><<<work->groups, CLIMB_THREADS, 0, stream>>>(*work);
    GPU_CHECK(gpuGetLastError());
}

template <class Op, bool COUNT> void walk(const struct walk_work *work, int blocks, gpuStream_t stream)
{
    if constexpr (!COUNT || std::is_integral_v<typename Op::value>) {
        walk_kernel<Op, COUNT><<<blocks, WALK_THREADS, work->window, stream>>>(*work);
        GPU_CHECK(gpuGetLastError());
    }
}

template <class Op> struct walk_kernels kernels_for()
{
    return {prepare<Op>, climb<Op>, walk<Op, true>, walk<Op, false>};
}

} // namespace

struct walk_kernels walk_kernels_of(enum dtype dtype)
{
    const struct walk_kernels table[] = {kernels_for<op_u16>(), kernels_for<op_i32>(), kernels_for<op_i64>(),
                                         kernels_for<op_f32>(), kernels_for<op_f64>()};
    static_assert(sizeof table / sizeof *table == DTYPE_COUNT, "in the order of enum dtype");
    return table[dtype];
}

size_t walk_overhead(void)
{
    return sizeof(struct walk_state);
}
