/* Numbers of a type that is known when the program runs. */
#ifndef TYPED_H
#define TYPED_H

#include "base/dtype.h"
#include "base/value.h"

#include <math.h>
#include <string.h>

/* CASE(name, T, FIELD, UNREACHABLE) for the type: its name, its type in C, the field of a value,
 * and what rows have for unreachable. */
#define TYPED_CASE(dtype, CASE)                                                                    \
    switch (dtype) {                                                                               \
    case DTYPE_U16:                                                                                \
        CASE(u16, uint16_t, whole, UINT16_MAX);                                                    \
        break;                                                                                     \
    case DTYPE_I32:                                                                                \
        CASE(i32, int32_t, whole, INF_I32);                                                        \
        break;                                                                                     \
    case DTYPE_F32:                                                                                \
        CASE(f32, float, real, INFINITY);                                                          \
        break;                                                                                     \
    case DTYPE_F64:                                                                                \
        CASE(f64, double, real, INFINITY);                                                         \
        break;                                                                                     \
    default:                                                                                       \
        CASE(i64, int64_t, whole, INF_I64);                                                        \
    }

/* Number `at` of an array of that type. */
static inline union value typed_get(enum dtype dtype, const void *values, size_t at)
{
    union value value;
#define GET(name, T, FIELD, UNREACHABLE) value.FIELD = ((const T *)values)[at]
    TYPED_CASE(dtype, GET)
#undef GET
    return value;
}

/* The array may have held wider values, which lie where the numbers go. */
static inline void typed_put(enum dtype dtype, void *values, size_t at, union value value)
{
#define PUT(name, T, FIELD, UNREACHABLE)                                                           \
    memcpy((char *)values + at * sizeof(T), &(T){(T)value.FIELD}, sizeof(T))
    TYPED_CASE(dtype, PUT)
#undef PUT
}

#endif
