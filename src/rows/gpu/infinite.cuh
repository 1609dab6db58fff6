/* The value of a row's entry without a path, by its C type. */
#ifndef ROWS_GPU_INFINITE_CUH
#define ROWS_GPU_INFINITE_CUH

extern "C" {
#include "base/dtype.h"
}

#include <cmath>
#include <type_traits>

template <class T> T infinite_of(enum dtype dtype)
{
    if constexpr (std::is_floating_point_v<T>)
        return (T)HUGE_VAL;
    else
        return (T)dtype_info[dtype].unreachable;
}

#endif
