/*
 * The way down. There are no barriers in a walk: a warp publishes the number of the task that it is
 * at, and begins a task when all warps have come as far as it needs. All reads and writes of its
 * lanes come before that. They meet, and the first one releases the number. The lanes of another
 * warp acquire it, each that of one warp, and meet. The next task is fetched while the last one is
 * computed.
 */
#ifndef SPARSE_WALK_CUH
#define SPARSE_WALK_CUH

#include "sparse/gpu/half.cuh"
#include "sparse/gpu/upward.cuh"

#include <cstddef>

namespace
{

enum {
    TEAMS = WALK_THREADS / team_lanes,
    TEAMS_MOST = WALK_THREADS / 32, /* the host does not know how many lanes a warp has */
    TASK_WORDS = sizeof(struct task) / sizeof(uint32_t),
    LINE = 128,
    SKIP_AHEAD =
        4 * TEAMS_MOST, /* tasks from one that is skipped to that whose words are fetched */
};
static_assert(TASK_WIDEST == 2 * TASK_UNIT, "two blocks");
static_assert(TASK_WORDS % 4 == 0 && TASK_WORDS <= 32,
              "a task is read at once, in loads of 16 bytes");

/* A walk makes one of these of its tiles. */
enum walk_sink { WALK_ROWS, WALK_COUNTS, WALK_HALVES };

/* The shared memory beside the window. */
struct walk_state {
    alignas(16) uint32_t task[TEAMS_MOST][TASK_WORDS];
    alignas(16) uint32_t progress[TEAMS_MOST];
    struct walk_group group;
    uint32_t ticket, number; /* of the next task; of the group */
};

/* The state of a warp in its walk. */
struct walker {
    const struct walk_group &group; /* in shared memory */
    uint32_t number;                /* of the group */
    int lane;
    char *window; /* from the lane's part of a row on */
    char *far;
};

/* Infinite, or the upward distances if the group passed the supernode in its upward sweep. */
template <class Op, int T>
__device__ __forceinline__ void start_tile(tile<Op, T> &acc, const struct walk_work &work,
                                           const struct walker &walker, const struct task &task,
                                           int first)
{
    uint32_t found = TASK_NONE;
#pragma unroll
    for (int j = 0; j < T; j++)
        acc.at[j] = infinite_row<Op>();
    if (task.low <= walker.group.high && task.end > walker.group.low)
        found = find_path(work, walker.group, task.node);
    if (found == TASK_NONE)
        return;
    const char *from = (const char *)work.label +
                       (walker.group.row + found + task.skipped) * WALK_ROW +
                       walker.lane % ACROSS * 16;
#pragma unroll
    for (int j = 0; j < T; j++)
        acc.at[j] = *(const typename tile<Op, T>::row *)(from + min(first + j, task.targets - 1) *
                                                                    WALK_ROW);
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
__device__ __forceinline__ void store_window(char *window, const struct task &task,
                                             const tile<Op, T> &acc, int first)
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

/* Where the tile's operands begin, for a lane, and from k to k. */
template <class Op, int T> struct panel {
    using operand = typename tile<Op, T>::operand;
    static constexpr int pitch = T * (team_lanes / ACROSS) / tile<Op, T>::chunk;
    const operand *at;
    __device__ __forceinline__ panel(const struct walk_work &work, const struct walker &walker,
                                     const struct task &task)
        : at((const operand *)((const typename Op::word *)work.down +
                               (size_t)task.panel * TASK_UNIT) +
             walker.lane / ACROSS * tile<Op, T>::chunks)
    {
    }
};

/* The tile to the sink. */
template <class Op, int T, walk_sink SINK>
__device__ __forceinline__ void give_tile(const struct walk_work &work, const struct walker &walker,
                                          const struct task &task, tile<Op, T> &acc,
                                          lane_counts<Op> &counts)
{
    const int first = walker.lane / ACROSS * T, valid = (int)task.targets - first;
    uint32_t *lost = work.lost + (size_t)walker.number * WALK_ROW / sizeof(typename Op::value) +
                     walker.lane % ACROSS * lane_counts<Op>::sources;
    if constexpr (SINK == WALK_HALVES)
        count_half<Op, T>(work, walker.group, task, acc, walker.lane, counts, lost);
    else if constexpr (SINK == WALK_COUNTS)
        count_tile<Op, T>(counts, acc, valid, lost);
    else
        store_rows<Op, T>((char *)work.rows +
                              ((size_t)walker.number * work.n + task.first + first) * WALK_ROW +
                              walker.lane % ACROSS * 16,
                          acc, valid);
}

/* For the rows that a task reads. */
struct task_offsets {
    struct offsets near, far;
};

template <class Op, int T, walk_sink SINK>
__device__ __forceinline__ void make_tile(const struct walk_work &work, const struct walker &walker,
                                          const struct task &task, const struct task_offsets &list,
                                          lane_counts<Op> &counts)
{
    const int first = walker.lane / ACROSS * T, valid = (int)task.targets - first;
    const panel<Op, T> u(work, walker, task);
    tile<Op, T> acc;
    start_tile<Op, T>(acc, work, walker, task, first);
    if (task.near > 0)
        product<Op, T, false>(acc, u.at, u.pitch, list.near, task.near, walker.window);
    if (task.far > 0)
        product<Op, T, false>(acc, u.at + (size_t)task.near * u.pitch, u.pitch, list.far, task.far,
                              walker.far);
    if (task.store == TASK_NEAR)
        store_window<Op, T>(walker.window, task, acc, first);
    else if (task.store != TASK_NONE)
        store_rows<Op, T>(walker.far + (size_t)(task.store + first) * WALK_ROW, acc, valid);
    give_tile<Op, T, SINK>(work, walker, task, acc, counts);
}

/* For the core: by way of its vertices that the group has reached. */
template <class Op, int T, walk_sink SINK>
__device__ __forceinline__ void make_core_tile(const struct walk_work &work,
                                               const struct walker &walker, const struct task &task,
                                               lane_counts<Op> &counts)
{
    const int first = walker.lane / ACROSS * T, valid = (int)task.targets - first;
    const panel<Op, T> u(work, walker, task);
    const uint32_t picked = work.picked[walker.number];
    tile<Op, T> acc;
#pragma unroll
    for (int j = 0; j < T; j++)
        acc.at[j] = infinite_row<Op>();
    if (picked > 0)
        product<Op, T, true>(acc, u.at, u.pitch,
                             first_offsets(work.pick + (size_t)walker.number * work.picks), picked,
                             (const char *)work.label +
                                 (walker.group.row + walker.group.core) * WALK_ROW +
                                 walker.lane % ACROSS * 16);
    if (task.store != TASK_NONE)
        store_rows<Op, T>(walker.far + (size_t)(task.store + first) * WALK_ROW, acc, valid);
    give_tile<Op, T, SINK>(work, walker, task, acc, counts);
}

template <class Op, walk_sink SINK>
__device__ __forceinline__ void make_task(const struct walk_work &work, const struct walker &walker,
                                          const struct task &task, const struct task_offsets &list,
                                          lane_counts<Op> &counts)
{
    constexpr int groups = team_lanes / ACROSS; /* of lanes with the same targets */
    if (task.core)
        make_core_tile<Op, TASK_WIDEST / groups, SINK>(work, walker, task, counts);
    else if (task.width == TASK_WIDEST)
        make_tile<Op, TASK_WIDEST / groups, SINK>(work, walker, task, list, counts);
    else
        make_tile<Op, TASK_WIDEST / 2 / groups, SINK>(work, walker, task, list, counts);
}

/* In step for racecheck, which follows barriers alone: between two of them a warp does a task at
 * most. */
#ifdef APSP_LOCKSTEP
constexpr bool lockstep = true;
#else
constexpr bool lockstep = false;
#endif

/* All tasks before `need` are done when no warp is at one of them. */
__device__ __forceinline__ void wait_for(const struct walk_state &state, uint32_t need, int lane)
{
    for (bool done = false; !done;) {
        if (lockstep)
            __syncthreads(); /* all that was done is published */
        done = team_all(load_acquire(&state.progress[lane % TEAMS]) >= need);
        if (lockstep)
            __syncthreads();
    }
    team_sync();
}

/* The data that a warp will read soon: a task's panel and the offsets of its rows. */
__device__ __forceinline__ void fetch_ahead(const struct walk_work &work, const struct task &task,
                                            uint32_t word, uint32_t lane)
{
    if (lane * LINE < task.ahead.words * word)
        prefetch((const char *)work.down + (size_t)task.ahead.panel * TASK_UNIT * word +
                 lane * LINE);
    if (lane == team_lanes - 1)
        prefetch(work.list + task.ahead.list);
}

/* To those of the group; the lane begins again. */
template <class Op>
__device__ __forceinline__ void add_counts(const struct walk_work &work,
                                           const struct walker &walker, lane_counts<Op> &counts)
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

/* Whether the warp has something to do for a task, of whose words each lane has one. */
template <walk_sink SINK>
__device__ __forceinline__ bool is_wanted(const struct walk_group &group, uint32_t part)
{
    if (SINK != WALK_HALVES)
        return true;
    return is_of_half(group, team_from(part, offsetof(struct task, first) / sizeof part),
                      team_from(part, offsetof(struct task, low) / sizeof part),
                      team_from(part, offsetof(struct task, end) / sizeof part));
}

template <class Op, walk_sink SINK>
__device__ __forceinline__ void walk_group_down(const struct walk_work &work,
                                                const struct walker &walker,
                                                struct walk_state &state, lane_counts<Op> &counts)
{
    const int team = threadIdx.x / team_lanes, lane = walker.lane,
              word = lane < TASK_WORDS ? lane : TASK_WORDS - 1;
    const uint32_t begin = walker.group.begin, end = walker.group.end;
    uint32_t current = begin + team, known = begin, made = 0;
    const uint32_t *words = (const uint32_t *)work.task;
    uint32_t part = words[(size_t)min(current, end - 1) * TASK_WORDS + word];
    while (current < end) {
        const bool wanted = is_wanted<SINK>(walker.group, part);
        if (wanted && lane < TASK_WORDS)
            state.task[team][lane] = part;
        team_sync();
        const struct task task = *(const struct task *)state.task[team];
        uint32_t next = lane == 0 ? draw(&state.ticket) : 0;
        next = team_first(next);
        part = words[(size_t)min(next, end - 1) * TASK_WORDS + word];
        if (wanted) {
            const struct task_offsets list = {first_offsets(work.list + task.list),
                                              first_offsets(work.list + task.far_list)};
            if (lockstep || known < task.need) {
                wait_for(state, task.need, lane);
                known = task.need;
            }
            make_task<Op, SINK>(work, walker, task, list, counts);
            fetch_ahead(work, task, sizeof(typename Op::word), lane);
            if (SINK != WALK_ROWS && Op::lanes > 1 && ++made % SUMMED == 0)
                add_counts<Op>(work, walker, counts);
        } else if (lane == 0) {
            prefetch(work.task + min(next + SKIP_AHEAD, end - 1));
        }
        team_sync();
        if (lane == 0)
            store_release(&state.progress[team], next);
        current = next;
    }
    if (lockstep)
        wait_for(state, end, lane);
}

/* By one thread. */
__device__ __forceinline__ void take_group(const struct walk_work &work, struct walk_state &state)
{
    state.number = atomicAdd(work.next, 1);
    if (state.number >= work.groups)
        return;
    state.group = work.group[state.number];
    state.ticket = state.group.begin + TEAMS;
    for (int team = 0; team < TEAMS; team++)
        state.progress[team] = state.group.begin + team;
}

template <class Op, walk_sink SINK>
__global__ void GPU_BOUNDS(WALK_THREADS, 1) walk_kernel(const struct walk_work work)
{
    extern __shared__ quad<uint32_t> window[];
    __shared__ struct walk_state state;
    const int lane = threadIdx.x % team_lanes;
    struct walker walker = {state.group, 0, lane, (char *)window + lane % ACROSS * 16,
                            (char *)work.far + (size_t)blockIdx.x * work.fars * WALK_ROW +
                                lane % ACROSS * 16};
    for (;;) {
        __syncthreads(); /* all have read what is written next */
        if (threadIdx.x == 0)
            take_group(work, state);
        __syncthreads();
        walker.number = state.number;
        if (walker.number >= work.groups)
            return;
        lane_counts<Op> counts = {};
        walk_group_down<Op, SINK>(work, walker, state, counts);
        if (SINK != WALK_ROWS)
            add_counts<Op>(work, walker, counts);
    }
}

} // namespace

#endif
