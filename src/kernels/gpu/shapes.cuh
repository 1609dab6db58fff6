/* The shape of block for each kind of work. */
#ifndef GPU_SHAPES_CUH
#define GPU_SHAPES_CUH

#include "kernels/gpu/tile.cuh"

/*
 * The table of shapes: tile, values of a thread, slab, stages, blocks per multiprocessor, threads
 * side by side, padding, unrolled k. LARGE does the bulk, SMALL what is too little to fill the
 * device with large tiles, PANEL phase 2.
 */
#ifdef __HIP__
/* CDNA: a compute unit has 64 KiB of local memory and 128 bytes a clock from it, and 512 registers
 * for a lane of its waves. With 8 x 8 values a thread takes 64 bytes for 64 relaxations, which are
 * 96 (i32) or 64 (f32) clocks of the vector units. So local memory is half busy at most, while 4 x
 * 4 values would saturate it. Short slabs leave room for several blocks, and unrolling by four k
 * keeps all in registers (tests/hip/assembly.sh). */
template <class Op, size_t BYTES = sizeof(typename Op::word)> struct shapes {
    using large = tile_shape<Op, 128, 128, 8, 8, 8, 2, 3, 8, 0, 4>;
    using small = tile_shape<Op, 64, 64, 4, 4, 16, 2, 4, 16, 0, 4>;
};
template <class Op> struct shapes<Op, 8> {
    using large = tile_shape<Op, 128, 64, 8, 4, 8, 2, 2, 8, 0, 4>;
    using small = tile_shape<Op, 64, 64, 4, 4, 8, 2, 4, 16, 0, 4>;
};
template <class Op, int B>
using panel_shape = tile_shape<Op, B, 32, B / 16, 4, 32 / sizeof(typename Op::word), 2, 4, 8, 4, 2>;
template <class Op> using large_shape = typename shapes<Op>::large;
template <class Op> using small_shape = typename shapes<Op>::small;
#else
/* Words of 8 bytes take two registers each: half the values in as many. How far to unroll was
 * measured. */
template <class Op, size_t BYTES = sizeof(typename Op::word)> struct shapes {
    using large = tile_shape<Op, 128, 128, 8, 8, 32, 2, 2, 8, 0, Op::lanes == 1 ? 8 : 32>;
    using small = tile_shape<Op, 64, 64, 4, 8, 16, 3, 4, 8>;
};
template <class Op> struct shapes<Op, 8> {
    using large = tile_shape<Op, 128, 64, 8, 4, 8, 3, 2, 8>;
    using small = tile_shape<Op, 64, 64, 4, 4, 16, 3, 3, 8>;
};
template <class Op> using large_shape = typename shapes<Op>::large;
template <class Op> using small_shape = typename shapes<Op>::small;
template <class Op, int B> using panel_shape = tile_shape<Op, B, 32, B / 16, 4, 16, 3, 4, 8, 4>;
#endif

/* Fewer large tiles than this many for each that the device holds at once: the last of them would
 * leave it half idle. */
enum { SMALL_BELOW = 9 };
template <class Op> bool takes_large(size_t values, int processors)
{
    using large = large_shape<Op>;
    return values / (large::rows * large::values_across) >=
           (size_t)SMALL_BELOW * large::blocks * processors;
}

#endif
