/*
 * The common part of the GPU kernels: the shapes of a block's tile, the way of operands into shared
 * memory, and the inner loop. Nothing here depends on the width of a wavefront.
 */
#ifndef GPU_TILE_CUH
#define GPU_TILE_CUH

#include "kernels/gpu/op.cuh"
#include "kernels/gpu/sums.cuh"

template <class W> struct alignas(16) quad { /* what one load or store moves */
    W at[16 / sizeof(W)];
};

/*
 * The tile of a block: `rows` x `cols` words, of which a thread keeps tm x tn in registers, as
 * groups of one quad each in both directions, the groups spread evenly over the tile. Operands come
 * in slabs of `depth` values of k, `stages` of them in shared memory, and the inner loop is
 * unrolled `unrolled` times; `blocks` share a multiprocessor. `across` threads lie side by side
 * before the next row of threads starts.
 */
template <class Op, int ROWS, int COLS, int TM, int TN, int DEPTH, int STAGES, int BLOCKS,
          int ACROSS, int PAD = 0, int UNROLLED = DEPTH>
struct tile_shape {
    using op = Op;
    using word = typename Op::word;
    using value = typename Op::value;
    static constexpr int lanes = Op::lanes, values_across = COLS * lanes;
    static constexpr int rows = ROWS, cols = COLS, tm = TM, tn = TN, depth = DEPTH, stages = STAGES,
                         blocks = BLOCKS, unrolled = UNROLLED;
    static constexpr int wide = COLS / TN, high = ROWS / TM, threads = wide * high,
                         unit = 16 / (int)sizeof(word);
    /* Register rows of the tile's first half: enough where the matrix ends in it. A loop that is
     * unrolled whole leaves the instruction cache no room for a second one, and two loops have the
     * compiler for AMD move registers between them. */
#ifdef __HIP__
    static constexpr bool two_loops = false;
#else
    static constexpr bool two_loops = UNROLLED < DEPTH && TM / 2 % unit == 0;
#endif
    static constexpr int tm_low = two_loops ? TM / 2 : TM;
    static constexpr int row_gap = ROWS / (TM / unit), col_gap = COLS / (TN / unit);
    static constexpr int col_pitch = COLS + PAD; /* of a slab's second operand in shared memory */
    static constexpr int slab = DEPTH * (ROWS + col_pitch);
    static constexpr size_t shared = (size_t)STAGES * slab * sizeof(word);
    static_assert(TM % unit == 0 && TN % unit == 0 && wide % ACROSS == 0 && threads % ACROSS == 0,
                  "shape");
    static_assert(GPU_FILL % DEPTH == 0 && DEPTH % UNROLLED == 0, "slab");
    static_assert(shared <= 64 * 1024, "the local memory of an AMD block");

    /* Tile row and column of register row i and column j, from the thread's first group. */
    static __device__ __forceinline__ constexpr int row_of(int i)
    {
        return i / unit * row_gap + i % unit;
    }
    static __device__ __forceinline__ constexpr int col_of(int j)
    {
        return j / unit * col_gap + j % unit;
    }
    /* Where this thread's first group lies in the tile. */
    static __device__ __forceinline__ uint32_t first_col()
    {
        uint32_t run = threadIdx.x / ACROSS / high;
        return (run * ACROSS + threadIdx.x % ACROSS) * unit;
    }
    static __device__ __forceinline__ uint32_t first_row()
    {
        return threadIdx.x / ACROSS % high * unit;
    }
};

/* Value by value: the compiler for AMD keeps what is copied whole in memory. */
template <class W> __device__ __forceinline__ void copy_value(W &to, const W &from)
{
    to = from;
}
template <class W> __device__ __forceinline__ void copy_value(quad<W> &to, const quad<W> &from)
{
#pragma unroll
    for (int e = 0; e < 16 / (int)sizeof(W); e++)
        to.at[e] = from.at[e];
}

/*
 * A value on its way to shared memory: start() sends it off, finish() makes sure that it arrives
 * before the barrier after next. Where the hardware copies by itself finish() has nothing to do,
 * elsewhere the value waits in registers. Both are told where it goes: a pointer kept here would no
 * longer be known to point into shared memory.
 */
template <class P> struct held_transfer {
    P value;
    __device__ __forceinline__ void start(P *, const P *from)
    {
        copy_value(value, *from);
    }
    __device__ __forceinline__ void start_value(P *, P what)
    {
        value = what;
    }
    __device__ __forceinline__ void finish(P *to)
    {
        copy_value(*to, value);
    }
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#include <cuda_pipeline_primitives.h>
template <class P> struct transfer {
    __device__ __forceinline__ void start(P *to, const P *from)
    {
        __pipeline_memcpy_async(to, from, sizeof(P));
    }
    __device__ __forceinline__ void start_value(P *to, P value)
    {
        *to = value;
    }
    __device__ __forceinline__ void finish(P *)
    {
    }
};
__device__ __forceinline__ void transfer_commit()
{
    __pipeline_commit();
}
template <int PENDING> __device__ __forceinline__ void transfer_wait()
{
    __pipeline_wait_prior(PENDING);
}
#else
template <class P> using transfer = held_transfer<P>;
__device__ __forceinline__ void transfer_commit()
{
}
template <int PENDING> __device__ __forceinline__ void transfer_wait()
{
}
#endif

/* A word of the matrix at `at`, a multiple of its lanes; lanes outside [lo, hi) are neither read
 * nor written.
 */
template <class Op>
__device__ __forceinline__ typename Op::word load_lanes(const typename Op::value *from, uint32_t at,
                                                        uint32_t lo, uint32_t hi)
{
    using word = typename Op::word;
    if (at >= lo && at + (Op::lanes - 1) < hi)
        return *(const word *)from;
    word w = Op::spread(Op::infinity);
#pragma unroll
    for (int l = 0; l < Op::lanes; l++)
        if (at + l >= lo && at + l < hi)
            w = Op::with_lane(w, l, from[l]);
    return w;
}

template <class Op>
__device__ __forceinline__ void store_lanes(typename Op::value *to, typename Op::word w,
                                            uint32_t at, uint32_t lo, uint32_t hi)
{
    if (at >= lo && at + (Op::lanes - 1) < hi) {
        *(typename Op::word *)to = w;
        return;
    }
#pragma unroll
    for (int l = 0; l < Op::lanes; l++)
        if (at + l >= lo && at + l < hi)
            to[l] = Op::lane(w, l);
}

/* x[0..N) = groups of a quad, `gap` apart. */
template <int N, class W>
__device__ __forceinline__ void load_groups(W (&x)[N], const W *from, int gap)
{
    constexpr int unit = 16 / (int)sizeof(W);
#pragma unroll
    for (int g = 0; g < N / unit; g++) {
        quad<W> q = *(const quad<W> *)(from + g * gap);
#pragma unroll
        for (int e = 0; e < unit; e++)
            x[g * unit + e] = q.at[e];
    }
}

template <int N, class W>
__device__ __forceinline__ void store_groups(const W (&x)[N], W *to, int gap)
{
    constexpr int unit = 16 / (int)sizeof(W);
#pragma unroll
    for (int g = 0; g < N / unit; g++) {
        quad<W> q;
#pragma unroll
        for (int e = 0; e < unit; e++)
            q.at[e] = x[g * unit + e];
        *(quad<W> *)(to + g * gap) = q;
    }
}

/* c = min(c, a (x) b) for one slab and the first TM register rows; a and b point at this thread's
 * first group. Where k go in pairs a quad of the second operand is taken at a time: the registers
 * have no room for more. */
template <class S, int TM = S::tm>
__device__ __forceinline__ void relax_slab(typename S::word (&c)[S::tm][S::tn],
                                           const typename S::word *a, const typename S::word *b)
{
    using op = typename S::op;
    constexpr int at_once = op::paired ? 2 : 1, group = op::paired ? S::unit : S::tn;
    constexpr int turns = S::unrolled / at_once;
#pragma unroll turns
    for (int k = 0; k < S::depth; k += at_once) {
        typename S::word x[at_once][TM], y[at_once][group];
#pragma unroll
        for (int p = 0; p < at_once; p++)
            load_groups(x[p], a + (k + p) * S::rows, S::row_gap);
#pragma unroll
        for (int g = 0; g < S::tn; g += group) {
#pragma unroll
            for (int p = 0; p < at_once; p++)
                load_groups(y[p], b + (k + p) * S::col_pitch + S::col_of(g), S::col_gap);
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < group; j++)
                    if constexpr (op::paired)
                        c[i][g + j] = op::step(c[i][g + j], x[0][i], y[0][j], x[1][i], y[1][j]);
                    else
                        c[i][g + j] = op::step(c[i][g + j], x[0][i], y[0][j]);
        }
    }
}

/* A list of ranges cut into tiles that start at multiples of ALIGN; tiles are numbered through.
 * 32-bit numbers within a GPU. */
enum { TILE_ALIGN = 8 };
struct tiling {
    int count, tiles;
    uint32_t lo[RANGES_MAX], hi[RANGES_MAX];
    int first[RANGES_MAX];
};

static inline struct tiling tiling_make(const struct ranges *list, size_t origin, int size)
{
    struct tiling t = {};
    t.count = list->count;
    for (int r = 0; r < list->count; r++) {
        t.lo[r] = (uint32_t)(list->at[r].lo - origin);
        t.hi[r] = (uint32_t)(list->at[r].hi - origin);
        t.first[r] = t.tiles;
        t.tiles += (int)(t.hi[r] - t.lo[r] / TILE_ALIGN * TILE_ALIGN + size - 1) / size;
    }
    return t;
}

struct tile_place { /* a tile starts at `at`; only lo <= i < hi belongs to it */
    uint32_t at, lo, hi;
};

static __device__ __forceinline__ struct tile_place tiling_find(const struct tiling &t, int index,
                                                                int size)
{
    int r = 0;
    while (r + 1 < t.count && index >= t.first[r + 1])
        r++;
    return {t.lo[r] / TILE_ALIGN * TILE_ALIGN + (uint32_t)(index - t.first[r]) * size, t.lo[r],
            t.hi[r]};
}

static __device__ __forceinline__ bool tile_whole(const struct tile_place &place, int size)
{
    return place.at >= place.lo && place.at + size <= place.hi;
}

#endif
