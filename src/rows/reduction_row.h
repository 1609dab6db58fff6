/* A function of rows for a reduction that adds up doubles. */
#ifndef REDUCTION_ROW_H
#define REDUCTION_ROW_H

#include "apsp.h"
#include "base/dtype.h"
#include "kernels/reduce.h"

#include <math.h>

/* So many sums at once, which compilers make vectors of. */
enum { REDUCTION_SUMS = 8 };

/* Adds the values of n distances of type T; those that are not below `inf` count as 0. */
#define REDUCTION_LOOP(T, inf, adds)                                                               \
    for (size_t j = 0; j < n; j += REDUCTION_SUMS)                                                 \
        for (size_t k = 0; k < (n - j < REDUCTION_SUMS ? n - j : REDUCTION_SUMS); k++) {           \
            const T at = ((const T *)row)[j + k], value = at < (inf) ? at : 0;                     \
            sum[k] += adds(value);                                                                 \
        }

/* double NAME(dtype, row, n): the sum of adds(value), which is 0 for 0, of all that are reached.
 * Values are added in the order of their numbers modulo REDUCTION_SUMS. */
#define REDUCTION_ROW(name, adds)                                                                  \
    double name(enum dtype dtype, const void *row, size_t n)                                       \
    {                                                                                              \
        double sum[REDUCTION_SUMS] = {0}, all = 0;                                                 \
        if (dtype == DTYPE_U16)                                                                    \
            REDUCTION_LOOP(uint16_t, APSP_UNREACHABLE_U16, adds)                                   \
        else if (dtype == DTYPE_I32)                                                               \
            REDUCTION_LOOP(int32_t, INF_I32, adds)                                                 \
        else if (dtype == DTYPE_I64)                                                               \
            REDUCTION_LOOP(int64_t, INF_I64, adds)                                                 \
        else if (dtype == DTYPE_F32)                                                               \
            REDUCTION_LOOP(float, (float)INFINITY, adds)                                           \
        else                                                                                       \
            REDUCTION_LOOP(double, (double)INFINITY, adds)                                         \
        for (size_t k = 0; k < REDUCTION_SUMS; k++)                                                \
            all += sum[k];                                                                         \
        return all;                                                                                \
    }

#endif
