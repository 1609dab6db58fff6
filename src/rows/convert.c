#include "rows/convert.h"

#include "rows/divide.h"

#include <string.h>

#ifndef APSP_GPU
convert_placing *convert_device(void)
{
    return NULL;
}
#endif

typedef void converter(const struct conversion *conversion, size_t i, const void *row, void *out);

/* The loops differ in types alone. S is the type of the sums. */
#define CONVERT(name, S, FROM, INFINITE, TO, UNREACHABLE)                                          \
    static void name(const struct conversion *conversion, size_t i, const void *row, void *out)    \
    {                                                                                              \
        const size_t n = conversion->n;                                                            \
        const FROM *restrict from = row;                                                           \
        const S *restrict h = conversion->potentials;                                              \
        TO *restrict to = out;                                                                     \
        for (size_t j = 0; !h && j < n; j++)                                                       \
            to[j] = from[j] == INFINITE ? UNREACHABLE : (TO)from[j];                               \
        const uint32_t *restrict column = conversion->column;                                      \
        for (size_t j = 0; h && !column && j < n; j++)                                             \
            to[j] = from[j] == INFINITE ? UNREACHABLE : (TO)((S)from[j] - h[i] + h[j]);            \
        for (size_t j = 0; h && column && j < n; j++)                                              \
            to[j] = from[j] == INFINITE ? UNREACHABLE : (TO)((S)from[j] - h[i] + h[column[j]]);    \
    }

#define CONVERT_WHOLE(name, FROM, INFINITE)                                                        \
    CONVERT(name##_u16, int64_t, FROM, INFINITE, uint16_t, UINT16_MAX)                             \
    CONVERT(name##_i32, int64_t, FROM, INFINITE, int32_t, INF_I32)                                 \
    CONVERT(name##_i64, int64_t, FROM, INFINITE, int64_t, INF_I64)                                 \
    CONVERT(name##_f32, int64_t, FROM, INFINITE, float, INFINITY)                                  \
    CONVERT(name##_f64, int64_t, FROM, INFINITE, double, INFINITY)

CONVERT_WHOLE(u16, uint16_t, INF_U16)
CONVERT_WHOLE(i32, int32_t, INF_I32)
CONVERT_WHOLE(i64, int64_t, INF_I64)
CONVERT(f32_f32, double, float, INFINITY, float, INFINITY)
CONVERT(f32_f64, double, float, INFINITY, double, INFINITY)
CONVERT(f64_f32, double, double, INFINITY, float, INFINITY)
CONVERT(f64_f64, double, double, INFINITY, double, INFINITY)

static converter *const converters[DTYPE_COUNT][DTYPE_COUNT] = {
    [DTYPE_U16] = {u16_u16, u16_i32, u16_i64, u16_f32, u16_f64},
    [DTYPE_I32] = {i32_u16, i32_i32, i32_i64, i32_f32, i32_f64},
    [DTYPE_I64] = {i64_u16, i64_i32, i64_i64, i64_f32, i64_f64},
    [DTYPE_F32] = {NULL, NULL, NULL, f32_f32, f32_f64},
    [DTYPE_F64] = {NULL, NULL, NULL, f64_f32, f64_f64},
};

bool convert_changes(enum dtype from, enum dtype to, bool shifted)
{
    return shifted || from != to || dtype_info[from].infinity != dtype_info[to].unreachable;
}

void convert_row(const struct conversion *conversion, size_t i, const void *row, void *out)
{
    converters[conversion->from][conversion->to](conversion, i, row, out);
}

typedef void packer(struct scale scale, const void *row, void *out, size_t count);

#define PACK(name, FROM, UNREACHABLE, TO, INFINITE, VALUE)                                         \
    static void name(struct scale scale, const void *row, void *out, size_t count)                 \
    {                                                                                              \
        const FROM *restrict from = row;                                                           \
        TO *restrict to = out;                                                                     \
        const double factor = scale_factor(scale);                                                 \
        (void)factor;                                                                              \
        for (size_t j = 0; j < count; j++)                                                         \
            to[j] = from[j] == UNREACHABLE ? INFINITE : (VALUE);                                   \
    }

#define PACK_REAL(name, FROM, UNREACHABLE)                                                         \
    PACK(name##_to_f32, FROM, UNREACHABLE, float, INFINITY,                                        \
         divide_to_float((double)from[j], factor))                                                 \
    PACK(name##_to_f64, FROM, UNREACHABLE, double, INFINITY, (double)from[j] / factor)

PACK(u16_to_u8, uint16_t, UINT16_MAX, uint8_t, UINT8_MAX, (uint8_t)from[j])
PACK_REAL(u16, uint16_t, UINT16_MAX)
PACK_REAL(i32, int32_t, INF_I32)
PACK_REAL(i64, int64_t, INF_I64)
PACK(f64_to_f32, double, INFINITY, float, INFINITY, (float)from[j])

static packer *const packers[DTYPE_COUNT][DTYPE_ALL] = {
    [DTYPE_U16] = {[DTYPE_U8] = u16_to_u8, [DTYPE_F32] = u16_to_f32, [DTYPE_F64] = u16_to_f64},
    [DTYPE_I32] = {[DTYPE_F32] = i32_to_f32, [DTYPE_F64] = i32_to_f64},
    [DTYPE_I64] = {[DTYPE_F32] = i64_to_f32, [DTYPE_F64] = i64_to_f64},
    [DTYPE_F64] = {[DTYPE_F32] = f64_to_f32},
};

void convert_pack(const struct packing *packing, const void *row, void *out, size_t count)
{
    if (packing->file != packing->rows)
        packers[packing->rows][packing->file](packing->scale, row, out, count);
    else if (out != row)
        memcpy(out, row, count * dtype_info[packing->file].bytes);
}
