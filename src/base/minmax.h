/* The smaller and the larger of two integers, and their order. */
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

/* For qsort() and bsearch(). */
static inline int size_compare(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

#endif
