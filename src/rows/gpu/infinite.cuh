/* Infinity of reals, and what the table of types has for integers, by their C types. */
#ifndef ROWS_GPU_INFINITE_CUH
#define ROWS_GPU_INFINITE_CUH

extern "C" {
#include "base/dtype.h"
}

#include <cmath>
#include <type_traits>

template <class T> T infinite(int64_t whole)
{
    if constexpr (std::is_floating_point_v<T>)
        return (T)HUGE_VAL;
    else
        return (T)whole;
}

/* The value of a row's entry without a path. */
template <class T> T infinite_of(enum dtype dtype)
{
    return infinite<T>(dtype_info[dtype].unreachable);
}

#endif
