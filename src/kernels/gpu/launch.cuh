/* The launches of a round's kernels. */
#ifndef GPU_LAUNCH_CUH
#define GPU_LAUNCH_CUH

#include "kernels/gpu/close.cuh"
#include "kernels/gpu/relax.cuh"
#include "kernels/gpu/shapes.cuh"

#include <initializer_list>

/* Slabs of so many k. */
static int slabs_of(const struct gpu_round *round, int depth)
{
    return ((int)range_length(round->pivot) + depth - 1) / depth;
}

template <class Op, int B>
static void close_launch(const struct gpu_round *round, gpuStream_t stream)
{
    typename Op::word *closed = (typename Op::word *)round->closed;
    close_kernel<Op, B><<<1, close_threads<typename Op::single>, 0, stream>>>(
        (const typename Op::value *)round->raw + round->pivot.lo, round->raw_ld,
        (int)range_length(round->pivot), closed, closed + B * B);
    GPU_CHECK(gpuGetLastError());
}

template <class Op> static void close_any(const struct gpu_round *round, gpuStream_t stream)
{
    if (round->depth == 64)
        close_launch<Op, 64>(round, stream);
    else
        close_launch<Op, 128>(round, stream);
}

template <class S, bool SUMMED>
static void panel_launch(const struct gpu_round *round, const struct ranges *rows,
                         const struct ranges *cols, gpuStream_t stream)
{
    using word = typename S::word;
    using value = typename S::value;
    panel_work<typename S::op> work = {};
    work.closed = (const word *)round->closed;
    work.transposed = work.closed + S::rows * S::rows;
    work.raw = (const value *)round->raw;
    work.d = (value *)round->d;
    work.row = (value *)round->row;
    work.col = (word *)round->col;
    work.raw_ld = round->raw_ld;
    work.ld = round->ld;
    work.row_ld = round->row_ld;
    work.col_ld = round->col_ld;
    work.width = (int)range_length(round->pivot);
    work.slabs = slabs_of(round, S::depth);
    work.filled = (int)gpu_filled(range_length(round->pivot));
    work.sums = round->sums;
    work.raw_in_d = round->raw_in_d;
    work.pivot_col = (int)round->pivot.lo;
    work.pivot_row = round->inside ? (int)(round->pivot.lo - round->first_row) : -1;
    work.right = tiling_make(cols, 0, S::values_across);
    work.down = tiling_make(rows, round->first_row, S::values_across);
    int blocks = work.right.tiles + work.down.tiles;
    if (blocks == 0)
        return;
    panel_kernel<S, SUMMED><<<blocks, S::threads, S::shared, stream>>>(work);
    GPU_CHECK(gpuGetLastError());
}

template <class S>
static void panel_summed(const struct gpu_round *round, const struct ranges *rows,
                         const struct ranges *cols, gpuStream_t stream)
{
    if (round->sums)
        panel_launch<S, true>(round, rows, cols, stream);
    else
        panel_launch<S, false>(round, rows, cols, stream);
}

template <class Op>
static void panels_any(const struct gpu_round *round, const struct ranges *rows,
                       const struct ranges *cols, gpuStream_t stream)
{
    if (round->depth == 64)
        panel_summed<panel_shape<Op, 64>>(round, rows, cols, stream);
    else
        panel_summed<panel_shape<Op, 128>>(round, rows, cols, stream);
}

template <class S, class Tile>
static void relax_launch(const struct gpu_round *round, typename Tile::matrix d,
                         const struct ranges *rows, const struct ranges *cols, gpuStream_t stream)
{
    using word = typename S::word;
    relax_work<typename S::op, typename Tile::matrix> work = {};
    work.d = d;
    work.col = (const word *)round->col;
    work.row = (const word *)round->row;
    work.ld = (uint32_t)round->ld;
    work.col_ld = (uint32_t)round->col_ld;
    work.row_ld = (uint32_t)(round->row_ld / S::lanes);
    work.slab_bytes = S::depth * sizeof(word);
    work.slabs = slabs_of(round, S::depth);
    work.down = tiling_make(rows, round->first_row, S::rows);
    work.right = tiling_make(cols, 0, S::values_across);
    dim3 grid((unsigned)work.right.tiles, (unsigned)work.down.tiles);
    if (grid.x == 0 || grid.y == 0)
        return;
    relax_kernel<S, Tile><<<grid, S::threads, S::shared, stream>>>(work);
    GPU_CHECK(gpuGetLastError());
}

template <class S>
static void relax_summed(const struct gpu_round *round, const struct ranges *rows,
                         const struct ranges *cols, gpuStream_t stream)
{
    typename S::value *d = (typename S::value *)round->d;
    if (round->sums)
        relax_launch<S, summed_tile<S>>(round, {d, round->sums}, rows, cols, stream);
    else
        relax_launch<S, matrix_tile<S>>(round, d, rows, cols, stream);
}

template <class Op>
static void relax_any(const struct gpu_round *round, const struct ranges *rows,
                      const struct ranges *cols, int processors, gpuStream_t stream)
{
    if (takes_large<Op>(ranges_length(rows) * ranges_length(cols), processors))
        relax_summed<large_shape<Op>>(round, rows, cols, stream);
    else
        relax_summed<small_shape<Op>>(round, rows, cols, stream);
}

template <class S> static gpuError_t allow(std::initializer_list<const void *> kernels)
{
    gpuError_t status = gpuSuccess;
    for (const void *kernel : kernels)
        if (status == gpuSuccess)
            status = gpuFuncSetAttribute(kernel, gpuFuncMaxSharedMemory, (int)S::shared);
    return status;
}

template <class S> static gpuError_t allow_relax(void)
{
    return allow<S>({(const void *)relax_kernel<S, matrix_tile<S>>,
                     (const void *)relax_kernel<S, summed_tile<S>>});
}

template <class S> static gpuError_t allow_panel(void)
{
    return allow<S>({(const void *)panel_kernel<S, false>, (const void *)panel_kernel<S, true>});
}

template <class Op> static gpuError_t prepare_any(void)
{
    gpuError_t status = allow_relax<large_shape<Op>>();
    if (status == gpuSuccess)
        status = allow_relax<small_shape<Op>>();
    if (status == gpuSuccess)
        status = allow_panel<panel_shape<Op, 64>>();
    if (status == gpuSuccess)
        status = allow_panel<panel_shape<Op, 128>>();
    return status;
}

template <class Op> static struct gpu_kernels kernels_for()
{
    return {prepare_any<Op>, close_any<Op>, panels_any<Op>, relax_any<Op>};
}

template <class... Op> static struct gpu_kernels kernels_among(op_list<Op...>, enum dtype dtype)
{
    const struct gpu_kernels table[] = {kernels_for<Op>()...};
    return table[dtype];
}

#endif
