/* How threads hold rows of labels. */
#ifndef SSSP_GPU_LABELS_CUH
#define SSSP_GPU_LABELS_CUH

#include "sssp/gpu/labels.h"

#include "kernels/gpu/op.cuh"

namespace
{

constexpr int SIDE = 32; /* lanes that have a row */

/* A part of a row, which one lane has. */
template <class Op> struct part {
    static constexpr int words = (int)GPU_LABELS_ROW / SIDE / (int)sizeof(typename Op::word);
    typename Op::word at[words];
};

template <class Op> struct alignas(8) loaded : part<Op> {
};

template <class Op>
__device__ __forceinline__ loaded<Op> *part_at(const struct gpu_labels &labels, uint32_t v)
{
    return (loaded<Op> *)((char *)labels.rows + (size_t)v * GPU_LABELS_ROW) + threadIdx.x % SIDE;
}

} // namespace

#endif
