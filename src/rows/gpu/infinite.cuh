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

/* A row of a table by the type of values and the type that they become: integers become any. */
#define FROM_WHOLE(to, from)                                                                       \
    {                                                                                              \
        to<from, uint16_t>, to<from, int32_t>, to<from, int64_t>, to<from, float>,                 \
            to<from, double>                                                                       \
    }
#define CONVERSIONS(to)                                                                            \
    {                                                                                              \
        FROM_WHOLE(to, uint16_t), FROM_WHOLE(to, int32_t), FROM_WHOLE(to, int64_t),                \
            {NULL, NULL, NULL, to<float, float>, to<float, double>},                               \
        {                                                                                          \
            NULL, NULL, NULL, to<double, float>, to<double, double>                                \
        }                                                                                          \
    }
static_assert(DTYPE_COUNT == 5, "in the order of enum dtype");

#endif
