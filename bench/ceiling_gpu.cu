/*
 * How fast the device relaxes when nothing else limits it: every thread keeps 8 x 8 words (8 x 4 of
 * 8 bytes) in registers and takes its operands from shared memory, which stays the same throughout.
 * This is the inner loop of any kernel of this kind; what a real one adds (filling shared memory,
 * reading and writing the matrix) can only cost.
 */
#include "ceiling_gpu.h"

#include "kernels/gpu/tile.cuh"

enum { DEPTH = 32, THREADS = 256, TURNS = 1500, LAUNCHES = 5 };

template <class Op>
using ceiling_shape = tile_shape<Op, 128, (sizeof(typename Op::word) > 4 ? 64 : 128), 8,
                                 (sizeof(typename Op::word) > 4 ? 4 : 8), 16, 1, 1, 16>;

/* Any value that is finite and leaves room for a few sums. */
template <class Op> static __device__ typename Op::word some_word(unsigned i)
{
    return Op::spread((typename Op::value)(i * 7919u % 16001u));
}

template <class Op>
static __global__ void __launch_bounds__(THREADS) ceiling_kernel(typename Op::word *out, int turns)
{
    using S = ceiling_shape<Op>;
    using word = typename Op::word;
    static_assert(S::threads == THREADS && DEPTH % S::depth == 0, "shape");
    __shared__ __align__(16) word a[DEPTH][S::rows], b[DEPTH][S::cols];
    word c[S::tm][S::tn];
    for (int i = threadIdx.x; i < DEPTH * S::rows; i += THREADS)
        a[0][i] = some_word<Op>(i);
    for (int i = threadIdx.x; i < DEPTH * S::cols; i += THREADS)
        b[0][i] = some_word<Op>(i + 77777);
#pragma unroll
    for (int i = 0; i < S::tm; i++)
#pragma unroll
        for (int j = 0; j < S::tn; j++)
            c[i][j] = some_word<Op>(threadIdx.x * 64 + i * S::tn + j);
    __syncthreads();
    for (int t = 0; t < turns; t++) {
#pragma unroll 1
        for (int k = 0; k < DEPTH; k += S::depth)
            relax_slab<S>(c, a[k] + S::first_row(), b[k] + S::first_col());
        __syncthreads(); /* a changing operand, or the compiler would do one turn only */
        a[t % DEPTH][threadIdx.x % S::rows] = c[0][0];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < S::tm; i++)
#pragma unroll
        for (int j = 0; j < S::tn; j++)
            out[((size_t)blockIdx.x * THREADS + threadIdx.x) * S::tm * S::tn + i * S::tn + j] =
                c[i][j];
}

template <class Op> static double best_rate(typename Op::word *out, int blocks, int turns)
{
    using S = ceiling_shape<Op>;
    gpuEvent_t from, to;
    float least = 1e30f, now;
    GPU_CHECK(gpuEventCreate(&from));
    GPU_CHECK(gpuEventCreate(&to));
    for (int i = 0; i <= LAUNCHES; i++) {
        GPU_CHECK(gpuEventRecord(from, 0));
        ceiling_kernel<Op><<<blocks, THREADS>>>(out, turns);
        GPU_CHECK(gpuEventRecord(to, 0));
        GPU_CHECK(gpuGetLastError());
        GPU_CHECK(gpuEventSynchronize(to));
        GPU_CHECK(gpuEventElapsedTime(&now, from, to));
        if (i > 0 && now < least) /* the first one warms up */
            least = now;
    }
    GPU_CHECK(gpuEventDestroy(from));
    GPU_CHECK(gpuEventDestroy(to));
    constexpr double each = S::rows * S::values_across * DEPTH;
    return each * blocks * turns / (1e-3 * least);
}

template <class Op> static double ceiling(void)
{
    using S = ceiling_shape<Op>;
    int device = 0, processors = 0;
    typename Op::word *out;
    double best = 0;
    GPU_CHECK(gpuDeviceGetAttribute(&processors, gpuAttributeProcessors, device));
    GPU_CHECK(
        gpuMalloc((void **)&out, (size_t)2 * processors * THREADS * S::tm * S::tn * sizeof *out));
    for (int each = 1; each <= 2; each++) { /* blocks per multiprocessor */
        double rate = best_rate<Op>(out, each * processors, sizeof *out > 4 ? TURNS / 4 : TURNS);
        best = rate > best ? rate : best;
    }
    GPU_CHECK(gpuFree(out));
    return best;
}

template <class... Op> static double ceiling_among(op_list<Op...>, enum dtype dtype)
{
    static double (*const table[])(void) = {ceiling<Op>...};
    return table[dtype]();
}

double ceiling_gpu(enum dtype dtype, enum combine combine)
{
    return combine == COMBINE_MAX ? ceiling_among(op_maxima(), dtype)
                                  : ceiling_among(op_sums(), dtype);
}
