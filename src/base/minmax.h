/* The smaller and the larger of two integers. */
#ifndef MINMAX_H
#define MINMAX_H

#include <stddef.h>
#include <stdint.h>

#define MINMAX(type, name)                                                                         \
    static inline type name##_min(type a, type b)                                                  \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    static inline type name##_max(type a, type b)                                                  \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }

MINMAX(size_t, size)
MINMAX(int, int)
MINMAX(int64_t, int64)

#undef MINMAX

#endif
