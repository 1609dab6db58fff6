/* The launches of the walk's kernels. */
#ifndef SPARSE_LAUNCH_CUH
#define SPARSE_LAUNCH_CUH

#include "sparse/gpu/walk.cuh"

namespace
{

template <class Op> gpuError_t prepare(size_t window)
{
    gpuError_t status = gpuFuncSetAttribute((const void *)walk_kernel<Op, false>,
                                            gpuFuncMaxSharedMemory, (int)window);
    if constexpr (std::is_integral_v<typename Op::value>)
        if (status == gpuSuccess)
            status = gpuFuncSetAttribute((const void *)walk_kernel<Op, true>,
                                         gpuFuncMaxSharedMemory, (int)window);
    return status;
}

template <class Op> void sweep_up(const struct walk_work *work, gpuStream_t stream)
{
    if (work->groups == 0)
        return;
    upward_kernel<Op><<<work->groups, UPWARD_THREADS, 0, stream>>>(*work);
    GPU_CHECK(gpuGetLastError());
}

template <class Op, bool COUNT>
void walk(const struct walk_work *work, int blocks, gpuStream_t stream)
{
    if constexpr (!COUNT || std::is_integral_v<typename Op::value>) {
        walk_kernel<Op, COUNT><<<blocks, WALK_THREADS, work->window, stream>>>(*work);
        GPU_CHECK(gpuGetLastError());
    }
}

template <class Op> struct walk_kernels kernels_for()
{
    return {prepare<Op>, sweep_up<Op>, walk<Op, true>, walk<Op, false>};
}

template <class... Op> struct walk_kernels kernels_among(op_list<Op...>, enum dtype dtype)
{
    const struct walk_kernels table[] = {kernels_for<Op>()...};
    return table[dtype];
}

} // namespace

#endif
