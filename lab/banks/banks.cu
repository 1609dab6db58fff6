/* Rows of PITCH words, timed beside rows of 33, which no two lanes meet in. */
#include "../gpu.cuh"
#include "banks.h"

#include <cstdint>

template <int PITCH>
__global__ void __launch_bounds__(BANKS_THREADS) column(uint32_t *to, const uint32_t *from, int n)
{
    __shared__ uint32_t room[BANKS * PITCH];
    volatile uint32_t *tile = room; /* every read is one */
    const int lane = threadIdx.x % BANKS;
    uint32_t sum = 0;
    for (int e = threadIdx.x; e < BANKS * BANKS; e += BANKS_THREADS)
        tile[e / BANKS * PITCH + e % BANKS] = from[e];
    __syncthreads();
    for (int turn = 0; turn < n; turn++)
#pragma unroll
        for (int k = 0; k < BANKS; k++)
            sum += tile[lane * PITCH + k];
    if (blockIdx.x == 0 && threadIdx.x < BANKS)
        to[lane] = sum;
}

template <int PITCH> static double timed(uint32_t *to, const uint32_t *from, size_t n)
{
    device_clock clock;
    clock.start();
    column<PITCH><<<BANKS_BLOCKS, BANKS_THREADS>>>(to, from, (int)n);
    return clock.stop();
}

template <int PITCH> static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    const size_t bytes = BANKS * BANKS * sizeof(uint32_t);
    device_array<uint32_t> from(BANKS * BANKS), to(BANKS);
    GPU_CHECK(gpuMemcpy(from.at, problem->in[0], bytes, gpuMemcpyHostToDevice));
    const double free_of_conflicts = timed<BANKS + 1>(to.at, from.at, problem->n);
    run->seconds = timed<PITCH>(to.at, from.at, problem->n);
    GPU_CHECK(gpuMemcpy(problem->out, to.at, problem->bytes, gpuMemcpyDeviceToHost));
    run->column[BANKS_PAPER] = banks_meet(PITCH);
    run->column[BANKS_MEASURED] = run->seconds / free_of_conflicts;
    return LAB_DONE;
}

#define ROW(pitch)                                                                                 \
    {                                                                                              \
        "pitch " #pitch, NULL, true, run<pitch>                                                    \
    }
struct lab_step banks_steps[] = {
    ROW(32), ROW(33), ROW(34), ROW(35), ROW(36), ROW(37), ROW(38), ROW(39), ROW(40), ROW(41),
    ROW(42), ROW(43), ROW(44), ROW(45), ROW(46), ROW(47), ROW(48), ROW(49), ROW(50), ROW(51),
    ROW(52), ROW(53), ROW(54), ROW(55), ROW(56), ROW(57), ROW(58), ROW(59), ROW(60), ROW(61),
    ROW(62), ROW(63), ROW(64), ROW(65), ROW(66), ROW(67), ROW(68), ROW(69), ROW(70), ROW(71),
    ROW(72), ROW(73), ROW(74), ROW(75), ROW(76), ROW(77), ROW(78), ROW(79), ROW(80), ROW(81),
    ROW(82), ROW(83), ROW(84), ROW(85), ROW(86), ROW(87), ROW(88), ROW(89), ROW(90), ROW(91),
    ROW(92), ROW(93), ROW(94), ROW(95), ROW(96)};
const int banks_count = sizeof banks_steps / sizeof *banks_steps;
