/* A launch of a kernel sets the thread's last result, as all calls of ROCm's runtime do. */
#include "imitate.h"

extern "C" unsigned __real___cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                                       struct CUstream_st *stream);

extern "C" unsigned __wrap___cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                                       struct CUstream_st *stream)
{
    (void)imitate::called(hipSuccess);
    return __real___cudaPushCallConfiguration(grid, block, shared, stream);
}
