#include "rows/convert.h"

#include <math.h>

/* The loops differ in types alone. W is the type of the sums. */
#define CONVERT(name, FROM, FROM_INF, TO, TO_INF, W)                                                         \
    static void name(void *out, const void *row, size_t n, const void *potentials, size_t i)                 \
    {                                                                                                        \
        const FROM *from = row;                                                                              \
        const W *h = potentials;                                                                             \
        TO *to = out;                                                                                        \
        for (size_t j = 0; j < n; j++)                                                                       \
            to[j] = from[j] == FROM_INF ? TO_INF : (TO)(h ? (W)from[j] - h[i] + h[j] : (W)from[j]);          \
    }

CONVERT(convert_u16, uint16_t, INF_U16, int32_t, INF_I32, int64_t)
CONVERT(convert_i32, int32_t, INF_I32, int32_t, INF_I32, int64_t)
CONVERT(convert_i64, int64_t, INF_I64, int64_t, INF_I64, int64_t)
CONVERT(convert_f32, float, INFINITY, float, INFINITY, double)
CONVERT(convert_f64, double, INFINITY, double, INFINITY, double)

void convert_row(enum dtype type, void *out, const void *row, size_t n, const void *h, size_t i)
{
    static void (*const converters[DTYPE_COUNT])(void *, const void *, size_t, const void *, size_t) = {
        [DTYPE_U16] = convert_u16, [DTYPE_I32] = convert_i32, [DTYPE_I64] = convert_i64,
        [DTYPE_F32] = convert_f32, [DTYPE_F64] = convert_f64,
    };
    converters[type](out, row, n, h, i);
}
