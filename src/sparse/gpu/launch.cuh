/* The launches of the walk's kernels. */
#ifndef SPARSE_LAUNCH_CUH
#define SPARSE_LAUNCH_CUH

#include "sparse/gpu/walk.cuh"

namespace
{

template <class Op, walk_sink SINK> gpuError_t prepare_walk(size_t window)
{
    return gpuFuncSetAttribute((const void *)walk_kernel<Op, SINK>, gpuFuncMaxSharedMemory,
                               (int)window);
}

template <class Op> gpuError_t prepare(size_t window)
{
    gpuError_t status = prepare_walk<Op, WALK_ROWS>(window);
    if constexpr (std::is_integral_v<typename Op::value>) {
        if (status == gpuSuccess)
            status = prepare_walk<Op, WALK_COUNTS>(window);
        if (status == gpuSuccess)
            status = prepare_walk<Op, WALK_HALVES>(window);
    }
    return status;
}

template <class Op> void sweep_up(const struct walk_work *work, gpuStream_t stream)
{
    if (work->groups == 0)
        return;
    upward_kernel<Op><<<work->groups, UPWARD_THREADS, 0, stream>>>(*work);
    GPU_CHECK(gpuGetLastError());
}

template <class Op, walk_sink SINK>
void walk(const struct walk_work *work, int blocks, gpuStream_t stream)
{
    if constexpr (SINK == WALK_ROWS || std::is_integral_v<typename Op::value>) {
        walk_kernel<Op, SINK><<<blocks, WALK_THREADS, work->window, stream>>>(*work);
        GPU_CHECK(gpuGetLastError());
    }
}

template <class Op> struct walk_kernels kernels_for()
{
    return {prepare<Op>, sweep_up<Op>, walk<Op, WALK_COUNTS>, walk<Op, WALK_HALVES>,
            walk<Op, WALK_ROWS>};
}

template <class... Op> struct walk_kernels kernels_among(op_list<Op...>, enum dtype dtype)
{
    const struct walk_kernels table[] = {kernels_for<Op>()...};
    return table[dtype];
}

} // namespace

#endif
