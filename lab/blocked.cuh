/*
 * The blocked algorithm on a GPU, as the course has it (G. Venkataraman, S. Sahni and S.
 * Mukhopadhyaya, 2003): in round r phase 1 relaxes the pivot tile (r, r), phase 2 the tiles of its
 * row and column, phase 3 all others. A step brings its own relaxation of a tile; the rest is here.
 *
 *   struct step {
 *       static constexpr int factor = 32;            the side of a pivot tile
 *       static constexpr int tx = 32, ty = 32;       threads of a block
 *       static constexpr int blocks = 1;             of them asked for on a multiprocessor
 *       static constexpr size_t shared = 0;          bytes of shared memory of a block
 *       static constexpr int multiple = 32;          to which n is padded; 1: not at all
 *       template <bool DEPENDENT>
 *       static __device__ void relax(int *d, size_t ld, int n, int r, int i, int j);
 *   };
 *
 * relax: tile (i, j) by tiles (i, r) and (r, j). DEPENDENT: it is one of these two, so that value k
 * has to be there before value k + 1.
 */
#ifndef LAB_BLOCKED_CUH
#define LAB_BLOCKED_CUH

#include "gpu.cuh"
#include "paths.h"

#include <vector>

template <class Step>
__global__ void GPU_BOUNDS(Step::tx *Step::ty, Step::blocks) phase1(int *d, size_t ld, int n, int r)
{
    Step::template relax<true>(d, ld, n, r, r, r);
}

template <class Step>
__global__ void GPU_BOUNDS(Step::tx *Step::ty, Step::blocks) phase2(int *d, size_t ld, int n, int r)
{
    const int t = blockIdx.x + ((int)blockIdx.x >= r); /* all but the pivot */
    Step::template relax<true>(d, ld, n, r, blockIdx.y == 0 ? r : t, blockIdx.y == 0 ? t : r);
}

template <class Step>
__global__ void GPU_BOUNDS(Step::tx *Step::ty, Step::blocks) phase3(int *d, size_t ld, int n, int r)
{
    const int j = blockIdx.x + ((int)blockIdx.x >= r), i = blockIdx.y + ((int)blockIdx.y >= r);
    Step::template relax<false>(d, ld, n, r, i, j);
}

/* The margin that makes n a multiple of the factor: vertices without edges. */
static __global__ void pad_kernel(int *d, size_t ld, int n)
{
    const size_t j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (j < ld && (i >= (size_t)n || j >= (size_t)n))
        d[i * ld + j] = i == j ? 0 : LAB_FAR;
}

/* The device's time of every phase, summed over the rounds. */
struct phase_times {
    std::vector<gpuEvent_t> events;
    void mark()
    {
        gpuEvent_t event;
        GPU_CHECK(gpuEventCreate(&event));
        GPU_CHECK(gpuEventRecord(event, 0));
        events.push_back(event);
    }
    /* After the last one is reached: seconds of the phases. */
    void sum(double (&seconds)[3])
    {
        for (size_t e = 0; e + 1 < events.size(); e++) {
            float ms;
            GPU_CHECK(gpuEventElapsedTime(&ms, events[e], events[e + 1]));
            seconds[e % 3] += 1e-3 * ms;
        }
    }
    ~phase_times()
    {
        for (gpuEvent_t event : events)
            (void)gpuEventDestroy(event);
    }
};

/* A step may bring a phase 3 of its own by a specialisation of this. */
template <class Step> struct blocked_phase3 {
    static constexpr auto kernel = phase3<Step>;
    static constexpr int threads = Step::tx * Step::ty;
    static constexpr size_t shared = Step::shared;
    static void launch(int *d, size_t ld, int n, int tiles, int r)
    {
        phase3<Step><<<dim3(tiles - 1, tiles - 1), dim3(Step::tx, Step::ty), shared>>>(d, ld, n, r);
    }
};

template <class Step> struct blocked_rounds {
    static gpuError_t allow()
    {
        gpuError_t status = gpuSuccess;
        for (auto kernel : {phase1<Step>, phase2<Step>, phase3<Step>})
            if (status == gpuSuccess)
                status = gpuFuncSetAttribute((const void *)kernel, gpuFuncMaxSharedMemory,
                                             (int)Step::shared);
        return status;
    }
    /* times: NULL, or marks between the phases. */
    static void round(int *d, size_t ld, int n, int tiles, int r, struct phase_times *times)
    {
        const dim3 threads(Step::tx, Step::ty);
        phase1<Step><<<1, threads, Step::shared>>>(d, ld, n, r);
        if (times)
            times->mark();
        if (tiles > 1)
            phase2<Step><<<dim3(tiles - 1, 2), threads, Step::shared>>>(d, ld, n, r);
        if (times)
            times->mark();
        if (tiles > 1)
            blocked_phase3<Step>::launch(d, ld, n, tiles, r);
        if (times)
            times->mark();
    }
};

struct blocked_parts { /* seconds */
    double phase[3], to_device, from_device;
};

/* parts: NULL where marks between the phases would only cost time. */
template <class Step>
enum lab_outcome blocked_run(struct lab_problem *problem, struct lab_run *run,
                             struct blocked_parts *parts)
{
    const int n = (int)problem->n,
              side = (n + Step::multiple - 1) / Step::multiple * Step::multiple;
    const int tiles = (side + Step::factor - 1) / Step::factor;
    if constexpr (Step::shared > 0) {
        if (Step::shared > shared_most())
            return LAB_ABSENT;
        GPU_CHECK(blocked_rounds<Step>::allow());
    }
    device_array<int> d((size_t)side * side);
    device_clock clock;
    double start = lab_now();
    copy_rows(d.at, side, (const int *)problem->in[0], problem->n, problem->n, problem->n);
    clock.start();
    if (side > n)
        pad_kernel<<<dim3((side + 255) / 256, side), 256>>>(d.at, side, n);
    struct phase_times times;
    if (parts)
        times.mark();
    for (int r = 0; r < tiles; r++)
        blocked_rounds<Step>::round(d.at, side, n, tiles, r, parts ? &times : NULL);
    run->seconds = clock.stop();
    double solved = lab_now();
    copy_rows((int *)problem->out, problem->n, (const int *)d.at, side, problem->n, problem->n);
    run->whole = lab_now() - start;
    if (parts) {
        times.sum(parts->phase);
        parts->to_device = solved - start - run->seconds;
        parts->from_device = start + run->whole - solved;
    }
    run->occupancy = occupancy(blocked_phase3<Step>::kernel, blocked_phase3<Step>::threads,
                               blocked_phase3<Step>::shared);
    return LAB_DONE;
}

template <class Step>
enum lab_outcome blocked_plain(struct lab_problem *problem, struct lab_run *run)
{
    return blocked_run<Step>(problem, run, NULL);
}

#endif
