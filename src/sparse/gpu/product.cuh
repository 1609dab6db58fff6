/*
 * A warp makes tiles of 8, 16 or 32 targets times the sources of a group: a lane has targets of its
 * own, and 16 bytes of every row. A lane loads these 16 bytes and a word for each target in a step
 * of k. A multiprocessor gives its lanes 128 bytes a clock and relaxes 64 words. So 16 targets and
 * 4 words of a row (20 loaded for 64 relaxed) leave room beside the loads, and 8 targets hardly do.
 */
#ifndef SPARSE_PRODUCT_CUH
#define SPARSE_PRODUCT_CUH

#include "kernels/gpu/team.cuh"
#include "kernels/gpu/tile.cuh"
#include "sparse/gpu/walk.h"

namespace
{

enum { ACROSS = WALK_ROW / 16 /* lanes that share targets */ };

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

/* The offsets of a product's rows. The first ones are read before the rows are there. */
struct offsets {
    const uint2 *__restrict__ pair;
    uint2 at, ahead;
};

__device__ __forceinline__ struct offsets first_offsets(const uint32_t *list)
{
    const uint2 *pair = (const uint2 *)list;
    return {pair, pair[0], pair[1]};
}

/*
 * acc = min(acc, U (x) D): `depth` > 0 rows D at these offsets from `rows`. Reads one k of the
 * panel and a few offsets beyond the last. PICKED: U has all k, and those are taken whose rows are
 * read.
 */
template <class Op, int T, bool PICKED>
__device__ __forceinline__ void
product(tile<Op, T> &acc, const typename tile<Op, T>::operand *__restrict__ u, int pitch,
        struct offsets list, uint32_t depth, const char *rows)
{
    using shape = tile<Op, T>;
    using row = typename shape::row;
    typename shape::operand operand[shape::chunks];
    auto operand_of = [&](int step, uint32_t offset) {
        return u + (PICKED ? (size_t)(offset / WALK_ROW) : step) * pitch;
    };
#pragma unroll
    for (int c = 0; c < shape::chunks; c++)
        operand[c] = operand_of(0, list.at.x)[c];
    row d = *(const row *)(rows + list.at.x), next;
#pragma unroll 1
    for (uint32_t left = depth / 2; left > 0; left--) {
        next = *(const row *)(rows + list.at.y);
        const auto *second = operand_of(1, list.at.y);
        list = {list.pair + 1, list.ahead, list.pair[2]};
        relax(acc, operand, d, second);
        d = *(const row *)(rows + list.at.x);
        relax(acc, operand, next, operand_of(2, list.at.x));
        if (!PICKED)
            u += 2 * pitch;
    }
    if (depth % 2 != 0)
        relax(acc, operand, d, u);
}

template <class Op> __device__ __forceinline__ quad<typename Op::word> infinite_row()
{
    quad<typename Op::word> row;
#pragma unroll
    for (int s = 0; s < 16 / (int)sizeof(typename Op::word); s++)
        row.at[s] = Op::spread(Op::infinity);
    return row;
}

} // namespace

#endif
