/*
 * Phases 1 and 2 on the GPU.
 *
 * close_kernel closes the pivot tile in one block: the whole tile lies in registers, T x T values a
 * thread; step k needs only row and column k, which their owners publish in shared memory. The row
 * and the column of step k + 1 are relaxed and published first in step k, so that one barrier a
 * step is enough and little is waited for.
 *
 * panel_kernel closes pivot rows and pivot columns in one launch. A block takes all of the pivot's
 * width and a piece of the other direction, reads all it needs before it writes, and so may work in
 * place. Columns are treated as rows of the transposed matrix: their panel is k-major, as phase 3
 * wants it. The closed tile has a zero diagonal, so the old values need not be an operand of their
 * own.
 */
#ifndef GPU_CLOSE_CUH
#define GPU_CLOSE_CUH

#include "kernels/gpu/tile.cuh"

#include <type_traits>

/* Threads of close_kernel in each direction. RDNA has no registers for 8 x 8 values of 64 bits. */
#ifdef __HIP__
template <class Op> constexpr int close_side = sizeof(typename Op::word) > 4 ? 32 : 16;
#else
template <class Op> constexpr int close_side = 16;
#endif
template <class Op> constexpr int close_threads = close_side<Op> *close_side<Op>;

/* This thread's part of the tile and of the published row and column. */
template <class Op, int B> struct pivot_part {
    using word = typename Op::word;
    static constexpr int unit = 16 / (int)sizeof(word), side = close_side<Op>, own = B / side,
                         gap = side * unit;
    word c[own][own];
    int x, y; /* place among the threads */

    __device__ __forceinline__ int
    line(int i) const /* tile row of register row i, less the thread's own offset */
    {
        return i / unit * gap + i % unit;
    }
    template <class Value>
    __device__ __forceinline__ void load(const Value *raw, size_t ld, int width)
    {
#pragma unroll
        for (int i = 0; i < own; i++)
#pragma unroll
            for (int j = 0; j < own; j++) {
                int r = y * unit + line(i), k = x * unit + line(j);
                c[i][j] = r < width && k < width ? raw[(size_t)r * ld + k] : Op::infinity;
            }
    }
    template <class Packed>
    __device__ __forceinline__ void store(typename Packed::word *closed,
                                          typename Packed::word *transposed) const
    {
#pragma unroll
        for (int i = 0; i < own; i++)
#pragma unroll
            for (int j = 0; j < own; j++) {
                int r = y * unit + line(i), k = x * unit + line(j);
                closed[r * B + k] = Packed::spread((typename Packed::value)c[i][j]);
                transposed[k * B + r] = Packed::spread((typename Packed::value)c[i][j]);
            }
    }
    /* Register row and column i hold row and column k of the tile in the threads with y or x ==
     * owner. */
    __device__ __forceinline__ void publish(int i, int owner, word *row, word *col) const
    {
        if (y == owner)
#pragma unroll
            for (int j = 0; j < own; j++)
                row[x * unit + line(j)] = c[i][j];
        if (x == owner)
#pragma unroll
            for (int j = 0; j < own; j++)
                col[y * unit + line(j)] = c[j][i];
    }
    __device__ __forceinline__ void relax_row(int i, const word (&from)[own], const word (&to)[own])
    {
#pragma unroll
        for (int j = 0; j < own; j++)
            c[i][j] = Op::step(c[i][j], from[i], to[j]);
    }
};

/* Packed is the type of the matrix, Op its type for phase 1. */
template <class Packed, int B, class Op = typename Packed::single>
__global__ void GPU_BOUNDS(close_threads<Op>, sizeof(typename Op::word) > 4 ? 1 : 2)
    close_kernel(const typename Packed::value *raw, size_t ld, int width,
                 typename Packed::word *closed, typename Packed::word *transposed)
{
    using word = typename Op::word;
    using part_type = pivot_part<Op, B>;
    constexpr int own = part_type::own, unit = part_type::unit;
    __shared__ __align__(16) word row[2][B], col[2][B];
    part_type part;
    part.x = threadIdx.x % part_type::side;
    part.y = threadIdx.x / part_type::side;
    part.load(raw, ld, width);
    part.publish(0, 0, row[0], col[0]);
#pragma unroll
    for (int g = 0; g < own / unit; g++)
#pragma unroll 1
        for (int q = 0; q < part_type::side && g * part_type::gap + q * unit < width; q++)
#pragma unroll
            for (int e = 0; e < unit; e++) {
                word from[own], to[own];
                __syncthreads();
                load_groups(to, row[e % 2] + part.x * unit, part_type::gap);
                load_groups(from, col[e % 2] + part.y * unit, part_type::gap);
                int i = g * unit + e + 1, first = i; /* the registers of step k + 1 */
                if (e + 1 == unit)
                    first = g * unit;
                bool wraps = e + 1 == unit && g + 1 < own / unit;
                part.relax_row(first, from, to);
                if (wraps)
                    part.relax_row(i, from, to);
#pragma unroll
                for (int r = 0; r < own; r++) {
                    if (r == first || (wraps && r == i))
                        continue;
                    part.c[r][first] = Op::step(part.c[r][first], from[r], to[first]);
                    if (wraps)
                        part.c[r][i] = Op::step(part.c[r][i], from[r], to[i]);
                }
                if (e + 1 < unit)
                    part.publish(first, q, row[(e + 1) % 2], col[(e + 1) % 2]);
                else if (q + 1 < part_type::side)
                    part.publish(first, q + 1, row[0], col[0]);
                else if (wraps)
                    part.publish(i, 0, row[0], col[0]);
#pragma unroll
                for (int r = 0; r < own; r++)
#pragma unroll
                    for (int j = 0; j < own; j++)
                        if (r != first && j != first && !(wraps && (r == i || j == i)))
                            part.c[r][j] = Op::step(part.c[r][j], from[r], to[j]);
            }
    part.template store<Packed>(closed, transposed);
}

template <class Op> struct panel_work {
    const typename Op::word *closed,
        *transposed;               /* the closed tile, B x B, infinite beyond `width` */
    const typename Op::value *raw; /* pivot rows as they were; may lie in d */
    typename Op::value *d;         /* the matrix, from its first row here */
    typename Op::value *row;       /* closed panels, k-major */
    typename Op::word *col;
    size_t raw_ld, ld, row_ld, col_ld;
    int width, slabs,
        filled; /* k: of the pivot; slabs of it; that the panels get, infinite from width on */
    int pivot_col, pivot_row; /* first column and row of the pivot; row -1: it has no rows here */
    struct tiling right, down;
    struct sums *sums; /* of the round and the next, where the kernel is summed */
    bool raw_in_d;
};

/* S: rows = B, the pivot's width; cols: the piece of the other direction. */
template <class S> struct panel_block {
    using op = typename S::op;
    using word = typename S::word;
    using value = typename S::value;
    static constexpr int words = S::depth * S::cols / S::threads,
                         quads = S::depth * S::rows / S::unit / S::threads;
    static_assert(S::depth * S::cols % S::threads == 0 &&
                      S::depth * S::rows / S::unit % S::threads == 0,
                  "slab");
    /* Handed to each call: with a pointer to it kept here the compiler for AMD copies all of it. */
    using work_type = panel_work<op>;
    bool is_row;
    struct tile_place place;
    transfer<quad<word>> a[quads];
    std::conditional_t<S::lanes == 1, transfer<word>, held_transfer<word>> b[words];

    /* Slab s: the closed tile (transposed for rows), and the raw rows, or the raw columns as rows.
     */
    __device__ __forceinline__ void start(const work_type &work, word *to, int s)
    {
        const word *tile = (is_row ? work.transposed : work.closed) + s * S::depth * S::rows;
#pragma unroll
        for (int q = 0; q < quads; q++)
            a[q].start(quad_place(to, q), (const quad<word> *)(tile + quad_at(q)));
#pragma unroll
        for (int q = 0; q < words; q++) {
            int k = line_of(q), x = across_of(q);
            start_word(work, b[q], to + word_at(q), s * S::depth + k, place.at + x * S::lanes);
        }
        transfer_commit();
    }
    __device__ __forceinline__ void finish(word *to)
    {
#pragma unroll
        for (int q = 0; q < quads; q++)
            a[q].finish(quad_place(to, q));
#pragma unroll
        for (int q = 0; q < words; q++)
            b[q].finish(to + word_at(q));
    }
    /* c[i][j] belongs to pivot line k = first_row + i and to rows or columns from at + first_col +
     * j on. Where the pivot's rows and columns meet both are in D; if it is summed, rows alone
     * write there, since columns may come out lower where sums are rounded. */
    template <bool SUMMED>
    __device__ __forceinline__ void store(const work_type &work, const word (&c)[S::tm][S::tn])
    {
#pragma unroll
        for (int i = 0; i < S::tm; i++)
#pragma unroll
            for (int j = 0; j < S::tn; j++) {
                int k = S::first_row() + S::row_of(i);
                uint32_t at = place.at + (S::first_col() + S::col_of(j)) * S::lanes;
                if (is_row)
                    store_row(work, c[i][j], k, at);
                else
                    store_col<SUMMED>(work, c[i][j], k, at);
            }
    }
    /* For the data of slab s, which is at `from`; columns without the pivot's rows. */
    __device__ __forceinline__ uint32_t sum_read(const work_type &work, const word *from,
                                                 int s) const
    {
        uint32_t sum = 0;
#pragma unroll
        for (int q = 0; q < words; q++) {
            int k = s * S::depth + line_of(q);
            if (k < work.width)
                sum += sum_strip(work, from[word_at(q)], k, place.at + across_of(q) * S::lanes);
        }
        return sum;
    }
    /* For the values that store() gives to the panel, and to D. */
    __device__ __forceinline__ void sum_stored(const work_type &work, const word (&c)[S::tm][S::tn],
                                               uint32_t *panel, uint32_t *strip) const
    {
        *panel = *strip = 0;
#pragma unroll
        for (int i = 0; i < S::tm; i++)
#pragma unroll
            for (int j = 0; j < S::tn; j++) {
                int k = S::first_row() + S::row_of(i);
                uint32_t at = place.at + (S::first_col() + S::col_of(j)) * S::lanes;
                if (k < work.filled)
                    *panel += is_row ? sum_strip(work, c[i][j], k, at) : sum_operands(c[i][j], at);
                if (k < work.width && (!is_row || work.pivot_row >= 0))
                    *strip += sum_strip(work, c[i][j], k, at);
            }
    }

  private:
    /* The positions in a slab of this thread's quads of the closed tile, and of its words of the
     * raw lines.
     */
    static __device__ __forceinline__ int quad_at(int q)
    {
        return (q * S::threads + threadIdx.x) * S::unit;
    }
    static __device__ __forceinline__ quad<word> *quad_place(word *to, int q)
    {
        return (quad<word> *)(to + quad_at(q));
    }
    __device__ __forceinline__ int line_of(int q) const
    {
        int index = q * S::threads + threadIdx.x;
        return is_row ? index / S::cols : index % S::depth;
    }
    __device__ __forceinline__ int across_of(int q) const
    {
        int index = q * S::threads + threadIdx.x;
        return is_row ? index % S::cols : index / S::depth;
    }
    __device__ __forceinline__ int word_at(int q) const
    {
        return S::depth * S::rows + line_of(q) * S::col_pitch + across_of(q);
    }
    /* For a word as it is in D: lanes are columns of row k, or rows in column k of the pivot. */
    __device__ __forceinline__ uint32_t sum_strip(const work_type &work, word w, int k,
                                                  uint32_t at) const
    {
        if (is_row)
            return lanes_sum<op>(w, at, place.lo, place.hi);
        uint32_t sum = 0;
#pragma unroll
        for (int l = 0; l < S::lanes; l++)
            if (at + l >= place.lo && at + l < place.hi && !is_pivot(work, at + l))
                sum += value_sum<op>(op::lane(w, l), work.pivot_col + k);
        return sum;
    }
    /* For a word's operands in the column panel. */
    __device__ __forceinline__ uint32_t sum_operands(word w, uint32_t at) const
    {
        uint32_t sum = 0;
#pragma unroll
        for (int l = 0; l < S::lanes; l++)
            if (at + l >= place.lo && at + l < place.hi)
                sum += word_sum(op::spread(op::lane(w, l)));
        return sum;
    }
    static __device__ __forceinline__ bool is_pivot(const work_type &work, uint32_t r)
    {
        return work.pivot_row >= 0 && r - (uint32_t)work.pivot_row < (uint32_t)work.width;
    }
    /* Entry k of the columns (or rows) from `at` on. With several lanes they may lie anywhere in
     * memory. */
    template <class T>
    __device__ __forceinline__ void start_word(const work_type &work, T &sent, word *to, int k,
                                               uint32_t at)
    {
        const value *from =
            is_row ? work.raw + k * work.raw_ld + at : work.d + at * work.ld + work.pivot_col + k;
        size_t step = is_row ? 1 : work.ld;
        if constexpr (S::lanes == 1) {
            if (k < work.width && at >= place.lo && at < place.hi)
                sent.start(to, from);
            else
                sent.start_value(to, op::infinity);
        } else {
            word w = op::spread(op::infinity);
#pragma unroll
            for (int l = 0; l < S::lanes; l++)
                if (k < work.width && at + l >= place.lo && at + l < place.hi)
                    w = op::with_lane(w, l, from[l * step]);
            sent.start_value(to, w);
        }
    }
    __device__ __forceinline__ void store_row(const work_type &work, word w, int k, uint32_t at)
    {
        if (k < work.filled)
            store_lanes<op>(work.row + k * work.row_ld + at, w, at, place.lo, place.hi);
        if (k < work.width && work.pivot_row >= 0)
            store_lanes<op>(work.d + (size_t)(work.pivot_row + k) * work.ld + at, w, at, place.lo,
                            place.hi);
    }
    template <bool SUMMED>
    __device__ __forceinline__ void store_col(const work_type &work, word w, int k, uint32_t at)
    {
#pragma unroll
        for (int l = 0; l < S::lanes; l++) {
            if (at + l < place.lo || at + l >= place.hi)
                continue;
            if (k < work.filled)
                work.col[k * work.col_ld + at + l] = op::spread(op::lane(w, l));
            if (k < work.width && !(SUMMED && is_pivot(work, at + l)))
                work.d[(at + l) * work.ld + work.pivot_col + k] = op::lane(w, l);
        }
    }
};

template <class S, bool SUMMED>
__global__ void GPU_BOUNDS(S::threads, S::blocks)
    panel_kernel(const panel_work<typename S::op> work)
{
    using word = typename S::word;
    extern __shared__ __align__(16) unsigned char memory[];
    word *slabs = (word *)memory;
    bool is_row = (int)blockIdx.x < work.right.tiles;
    struct tile_place place =
        is_row ? tiling_find(work.right, blockIdx.x, S::values_across)
               : tiling_find(work.down, blockIdx.x - work.right.tiles, S::values_across);
    panel_block<S> block = {is_row, place, {}, {}};
#pragma unroll
    for (int s = 0; s < S::stages - 1; s++)
        if (s < work.slabs) {
            block.start(work, slabs + s * S::slab, s);
            block.finish(slabs + s * S::slab);
        } else
            transfer_commit();
    word c[S::tm][S::tn];
#pragma unroll
    for (int i = 0; i < S::tm; i++)
#pragma unroll
        for (int j = 0; j < S::tn; j++)
            c[i][j] = S::op::spread(S::op::infinity);
    int now = 0, next = S::stages - 1;
    [[maybe_unused]] uint32_t read = 0;
#pragma unroll 1
    for (int s = 0; s < work.slabs; s++) {
        transfer_wait<S::stages - 2>();
        __syncthreads();
        bool more = s + S::stages - 1 < work.slabs;
        if (more)
            block.start(work, slabs + next * S::slab, s + S::stages - 1);
        else
            transfer_commit();
        const word *slab = slabs + now * S::slab;
        if constexpr (SUMMED)
            read += block.sum_read(work, slab, s);
        relax_slab<S>(c, slab + S::first_row(), slab + S::depth * S::rows + S::first_col());
        if (more)
            block.finish(slabs + next * S::slab);
        next = now;
        now = now + 1 == S::stages ? 0 : now + 1;
    }
    block.template store<SUMMED>(work, c);
    if constexpr (SUMMED) {
        struct sums *sums = sum_slot(work.sums), *after = sum_slot(work.sums + GPU_SUM_SLOTS);
        uint32_t panel, strip;
        block.sum_stored(work, c, &panel, &strip);
        sum_add(&sums->of[is_row && !work.raw_in_d ? SUM_RAW : SUM_STRIP].read, read);
        sum_add(&sums->of[is_row ? SUM_ROW : SUM_COL].wrote, panel);
        sum_add(&after->of[SUM_STRIP].wrote, strip);
    }
}

#endif
