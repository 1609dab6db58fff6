/* Values of rows as they are given out (rows/convert.h), by their C types. */
#ifndef ROWS_GPU_PACK_CUH
#define ROWS_GPU_PACK_CUH

#include "kernels/gpu/gpu.h"

#define DIVIDE_PLACE static __device__ __forceinline__

extern "C" {
#include "rows/divide.h"
}

#include "rows/gpu/infinite.cuh"

/* Makes a value of one row that of another. */
template <class From, class To> struct packer {
    From infinity;
    To unreachable;
    double factor; /* Integers become real values of it. */

    __device__ __forceinline__ To operator()(From value) const
    {
        if (value == infinity)
            return unreachable;
        else if constexpr (std::is_floating_point_v<From> || !std::is_floating_point_v<To>)
            return (To)value;
        else if constexpr (std::is_same_v<To, float>)
            return divide_to_float((double)value, factor);
        else
            return (double)value / factor;
    }
};

#endif
