/*
 * Phase 3 on the GPU: D = min(D, column panel (x) row panel), in tiles. Why the tile has this
 * shape, for an NVIDIA H200 and 4-byte values; its multiprocessor relaxes 64 values per clock
 * (min(c, a + b) is one instruction, at half the rate of an addition).
 *
 * Registers: each k costs a thread tm + tn operands for tm x tn relaxations. With 8 x 8 that is 16
 * words from shared memory for 64 relaxations, 64 bytes per clock of the 128 that shared memory
 * gives. With 4 x 8 it would be 96, with 4 x 4 all 128. A shape of 16 x 8 would halve the traffic
 * again. But 128 values and their operands leave room for only one block on a multiprocessor, and
 * the multiprocessor idles while it loads and stores its tile. Two blocks of 256 threads with 8 x 8
 * fill the 64 Ki registers.
 *
 * Tile: 256 threads of 8 x 8 are 128 x 128 values. A block takes 2 x 128 words per k from the L2
 * cache, 4 bytes per clock, and reads and writes its values once for 128 k, 4 bytes per clock; all
 * 132 multiprocessors together 1.05 TB/s of each. A 64 x 64 tile asks the L2 cache for twice as
 * much, and a pivot of 64 the memory. So both stay at 128, and small tiles are for small work only.
 *
 * Slabs: operands come in slabs of 32 k, 32 KiB, two of them. While one is relaxed (8192 clocks, or
 * twice that beside the other block) the next arrives. So a latency of thousands of clocks is
 * hidden. Two slabs of two blocks are 128 KiB of the 227; shorter ones would meet at barriers more
 * often. Both panels are k-major, so that every load and every operand is 16 bytes wide and no bank
 * is read twice. 8 adjacent threads read 128 bytes of the row panel. The 4 rows of threads in a
 * warp share their reads of the column panel.
 *
 * The rest: the pipe of min(c, a + b) also does comparisons, shifts and most address
 * arithmetic; each such instruction takes the place of 32 relaxations. A thread spends 8192
 * relaxations on a tile of K = 128, so 80 instructions are one per cent. Hence products in place of
 * shifts (the multiply pipe is idle), byte offsets into shared memory, the two-dimensional grid (no
 * division), one branch for whole tiles, and one tile per block. A block that continued with a next
 * tile would save less than its bookkeeping costs.
 *
 * For 2-byte values a word holds two columns, and all of this is true of words: the tile is 128 x
 * 256 values, the column panel holds every value twice. Words of 8 bytes take half the tile
 * (launch.cu).
 */
#ifndef GPU_RELAX_CUH
#define GPU_RELAX_CUH

#include "kernels/gpu/tile.cuh"

/* Matrix: what the tile of a block knows the matrix by. */
template <class Op, class Matrix = typename Op::value *> struct relax_work {
    Matrix d;
    const typename Op::word *col, *row; /* panels, k-major */
    uint32_t ld, col_ld, row_ld; /* of values, words, words; 32 bits: they are factors of addresses
                                    in the inner loop */
    uint32_t slab_bytes; /* depth * sizeof(word): no constant here, or the products become shifts */
    int slabs;           /* slabs of k */
    struct tiling down, right;
};

/* A tile of D. Values outside the ranges are neither read nor written. */
template <class S> struct matrix_tile {
    using word = typename S::word;
    using value = typename S::value;
    using matrix = value *;
    matrix d;
    uint32_t ld;
    struct tile_place row, col;

    __device__ __forceinline__ void load(word (&c)[S::tm][S::tn]) const
    {
        uint32_t x = col.at + S::first_col() * S::lanes, y = row.at + S::first_row();
        const value *first = d + ((uint64_t)y * ld + x);
        if (whole()) {
#pragma unroll
            for (int i = 0; i < S::tm; i++)
                load_groups(c[i], (const word *)(first + (size_t)ld * S::row_of(i)), S::col_gap);
            return;
        }
#pragma unroll
        for (int i = 0; i < S::tm; i++)
#pragma unroll
            for (int j = 0; j < S::tn; j++)
                c[i][j] = inside(y + S::row_of(i))
                              ? load_lanes<typename S::op>(
                                    first + (size_t)ld * S::row_of(i) + S::col_of(j) * S::lanes,
                                    x + S::col_of(j) * S::lanes, col.lo, col.hi)
                              : S::op::spread(S::op::infinity);
    }
    __device__ __forceinline__ void store(const word (&c)[S::tm][S::tn]) const
    {
        uint32_t x = col.at + S::first_col() * S::lanes, y = row.at + S::first_row();
        value *first = d + ((uint64_t)y * ld + x);
        if (whole()) {
#pragma unroll
            for (int i = 0; i < S::tm; i++)
                store_groups(c[i], (word *)(first + (size_t)ld * S::row_of(i)), S::col_gap);
            return;
        }
#pragma unroll
        for (int i = 0; i < S::tm; i++)
#pragma unroll
            for (int j = 0; j < S::tn; j++)
                if (inside(y + S::row_of(i)))
                    store_lanes<typename S::op>(
                        first + (size_t)ld * S::row_of(i) + S::col_of(j) * S::lanes, c[i][j],
                        x + S::col_of(j) * S::lanes, col.lo, col.hi);
    }
    __device__ __forceinline__ uint32_t sum(const word (&c)[S::tm][S::tn]) const
    {
        uint32_t x = col.at + S::first_col() * S::lanes, y = row.at + S::first_row(), sum = 0;
        if (whole()) {
#pragma unroll
            for (int i = 0; i < S::tm; i++)
#pragma unroll
                for (int j = 0; j < S::tn; j++)
                    sum += word_sum(c[i][j]);
            return sum;
        }
#pragma unroll
        for (int i = 0; i < S::tm; i++)
#pragma unroll
            for (int j = 0; j < S::tn; j++)
                if (inside(y + S::row_of(i)))
                    sum += lanes_sum<typename S::op>(c[i][j], x + S::col_of(j) * S::lanes, col.lo,
                                                     col.hi);
        return sum;
    }

  private:
    __device__ __forceinline__ bool whole() const
    {
        return tile_whole(row, S::rows) && tile_whole(col, S::values_across);
    }
    __device__ __forceinline__ bool inside(uint32_t r) const
    {
        return r >= row.lo && r < row.hi;
    }
};

/* The same, and adds its words to the sums of the round and the next. */
template <class V> struct summed_matrix {
    V *d;
    struct sums *sums;
};
template <class S> struct summed_tile {
    using word = typename S::word;
    using matrix = summed_matrix<typename S::value>;
    matrix d;
    uint32_t ld;
    struct tile_place row, col;

    __device__ __forceinline__ void load(word (&c)[S::tm][S::tn]) const
    {
        plain().load(c);
        sum_add(&sum_slot(d.sums)->of[SUM_STRIP].read, plain().sum(c));
    }
    __device__ __forceinline__ void store(const word (&c)[S::tm][S::tn]) const
    {
        plain().store(c);
        sum_add(&sum_slot(d.sums + GPU_SUM_SLOTS)->of[SUM_STRIP].wrote, plain().sum(c));
    }

  private:
    __device__ __forceinline__ matrix_tile<S> plain() const
    {
        return {d.d, ld, row, col};
    }
};

/* Sends slabs of one panel on their way, WIDTH values of each k; the threads take quads in turn. */
template <class S, int WIDTH> struct slab_transfer {
    using word = typename S::word;
    static constexpr int at_once = S::threads * S::unit / WIDTH,
                         turns = S::depth / at_once; /* values of k */
    static_assert(S::threads * S::unit % WIDTH == 0 && S::depth % at_once == 0, "slab");
    const word *from;
    transfer<quad<word>> sent[turns];

    __device__ __forceinline__ void aim(const word *panel, uint32_t first, uint32_t ld)
    {
        from = panel + ((uint64_t)ld * (threadIdx.x * S::unit / WIDTH) +
                        (first + threadIdx.x * S::unit % WIDTH));
    }
    __device__ __forceinline__ void start(unsigned char *to, uint32_t ld, uint32_t slab_bytes)
    {
#pragma unroll
        for (int t = 0; t < turns; t++)
            sent[t].start(place(to, t), (const quad<word> *)(from + (size_t)ld * (t * at_once)));
        from = (const word *)((const unsigned char *)from + (uint64_t)ld * slab_bytes);
    }
    __device__ __forceinline__ void finish(unsigned char *to)
    {
#pragma unroll
        for (int t = 0; t < turns; t++)
            sent[t].finish(place(to, t));
    }

  private:
    static __device__ __forceinline__ quad<word> *place(unsigned char *to, int turn)
    {
        return (quad<word> *)to + turn * S::threads + threadIdx.x;
    }
};

template <class S, class Tile = matrix_tile<S>>
__global__ void GPU_BOUNDS(S::threads, S::blocks)
    relax_kernel(const relax_work<typename S::op, typename Tile::matrix> work)
{
    using word = typename S::word;
    constexpr uint32_t slab = S::slab * sizeof(word), second = S::depth * S::rows * sizeof(word);
    extern __shared__ __align__(16) unsigned char memory[];
    Tile tile = {work.d, work.ld, tiling_find(work.down, blockIdx.y, S::rows),
                 tiling_find(work.right, blockIdx.x, S::values_across)};
    slab_transfer<S, S::rows> a;
    slab_transfer<S, S::cols> b;
    a.aim(work.col, tile.row.at, work.col_ld);
    b.aim(work.row, tile.col.at / S::lanes, work.row_ld);
#pragma unroll
    for (int s = 0; s < S::stages - 1; s++) {
        if (s < work.slabs) {
            a.start(memory + s * slab, work.col_ld, work.slab_bytes);
            b.start(memory + s * slab + second, work.row_ld, work.slab_bytes);
            a.finish(memory + s * slab);
            b.finish(memory + s * slab + second);
        }
        transfer_commit();
    }
    word c[S::tm][S::tn];
    tile.load(c);
#ifdef __AMDGCN__ /* else the first slab would wait for this and, with it, for the next slab */
    __builtin_amdgcn_s_waitcnt(0);
#endif
    const uint32_t x = S::first_row() * sizeof(word), y = second + S::first_col() * sizeof(word);
    const bool low = S::tm_low < S::tm && tile.row.at + S::rows / 2 >= tile.row.hi;
    uint32_t now = 0, next = (S::stages - 1) * slab;
#pragma unroll 1
    for (int s = S::stages - 1; s < work.slabs + S::stages - 1; s++) {
        transfer_wait<S::stages - 2>();
        __syncthreads();
        if (s < work.slabs) {
            a.start(memory + next, work.col_ld, work.slab_bytes);
            b.start(memory + next + second, work.row_ld, work.slab_bytes);
        }
        transfer_commit();
        const word *left = (const word *)(memory + (x + now)),
                   *right = (const word *)(memory + (y + now));
        if (low)
            relax_slab<S, S::tm_low>(c, left, right);
        else
            relax_slab<S>(c, left, right);
        if (s < work.slabs) {
            a.finish(memory + next);
            b.finish(memory + next + second);
        }
        next = now;
        now = now + slab == S::stages * slab ? 0 : now + slab;
    }
    tile.store(c);
}

#endif
