/* The steps that are the product's own engine: its solve, and the occupancy of its phase 3. */
#include "../gpu.cuh"
#include "engine.h"
#include "kernels/gpu/relax.cuh"
#include "kernels/gpu/shapes.cuh"

template <class S> static double occupancy_of_shape()
{
    const auto kernel = relax_kernel<S, matrix_tile<S>>;
    GPU_CHECK(gpuFuncSetAttribute((const void *)kernel, gpuFuncMaxSharedMemory, (int)S::shared));
    return occupancy(kernel, S::threads, S::shared);
}

template <class Op> static double occupancy_for(size_t n)
{
    int processors = 0, device = 0;
    GPU_CHECK(gpuGetDevice(&device));
    GPU_CHECK(gpuDeviceGetAttribute(&processors, gpuAttributeProcessors, device));
    return takes_large<Op>(n * n, processors) ? occupancy_of_shape<large_shape<Op>>()
                                              : occupancy_of_shape<small_shape<Op>>();
}

enum lab_outcome ladder_engine(struct lab_problem *problem, struct lab_run *run, enum dtype dtype,
                               bool apart)
{
    const struct lab_way way = {&backend_gpu, dtype, apart};
    run->bytes = dtype == DTYPE_U16 ? 2 : 4;
    run->occupancy =
        dtype == DTYPE_U16 ? occupancy_for<op_u16>(problem->n) : occupancy_for<op_i32>(problem->n);
    return lab_strip(problem, &way, run);
}
