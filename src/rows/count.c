#include "rows/count.h"

#include <math.h>

/* The loops differ in types alone, and are such as compilers make vectors of. */
#define COUNT_WHOLE(name, T)                                                                                 \
    static struct row_counts name(const void *values, size_t n, int64_t unreachable)                         \
    {                                                                                                        \
        const T *row = values;                                                                               \
        int64_t sum = 0;                                                                                     \
        T most = 0;                                                                                          \
        size_t reached = 0;                                                                                  \
        for (size_t j = 0; j < n; j++) {                                                                     \
            T value = row[j] == (T)unreachable ? 0 : row[j];                                                 \
            reached += row[j] != (T)unreachable;                                                             \
            most = value > most ? value : most;                                                              \
            sum += value;                                                                                    \
        }                                                                                                    \
        return (struct row_counts){reached, {.whole = most}, {.whole = sum}};                                \
    }

#define COUNT_REAL(name, T)                                                                                  \
    static struct row_counts name(const void *values, size_t n, int64_t unreachable)                         \
    {                                                                                                        \
        const T *row = values;                                                                               \
        double sum = 0, most = 0;                                                                            \
        size_t reached = 0;                                                                                  \
        (void)unreachable;                                                                                   \
        for (size_t j = 0; j < n; j++) {                                                                     \
            double value = row[j] < (T)INFINITY ? (double)row[j] : 0;                                        \
            reached += row[j] < (T)INFINITY;                                                                 \
            most = value > most ? value : most;                                                              \
            sum += value;                                                                                    \
        }                                                                                                    \
        return (struct row_counts){reached, {.real = most}, {.real = sum}};                                  \
    }

COUNT_WHOLE(count_u16, uint16_t)
COUNT_WHOLE(count_i32, int32_t)
COUNT_WHOLE(count_i64, int64_t)
COUNT_REAL(count_f32, float)
COUNT_REAL(count_f64, double)

struct row_counts count_row(enum dtype dtype, const void *row, size_t n)
{
    static struct row_counts (*const counters[DTYPE_COUNT])(const void *, size_t, int64_t) = {
        [DTYPE_U16] = count_u16, [DTYPE_I32] = count_i32, [DTYPE_I64] = count_i64,
        [DTYPE_F32] = count_f32, [DTYPE_F64] = count_f64,
    };
    return counters[dtype](row, n, dtype_info[dtype].unreachable);
}
