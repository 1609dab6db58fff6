/* The CPU kernels for any processor, on 16-byte vectors of the compiler. */
#include "kernels/cpu/decay.h"
#include "kernels/cpu/paths.h"
#include "kernels/cpu/relax.h"
#include "kernels/cpu/small.h"

#include <math.h>
#include <string.h>

#define RELAX_TARGET
#define RELAX_ISA   "plain"
#define MR          4
#define V_ANY(v)    plain_any((plain_words)(v))
#define EACH_ROW(X) X(0) X(1) X(2) X(3)

/* A vector of T, and the one of signed numbers as wide, which a comparison gives. */
#define PLAIN_VECTOR(name, T, S)                                                                   \
    typedef T plain_##name __attribute__((vector_size(16)));                                       \
    typedef S plain_##name##_mask __attribute__((vector_size(16)));                                \
    static inline plain_##name plain_##name##_load(const T *p)                                     \
    {                                                                                              \
        plain_##name v;                                                                            \
        memcpy(&v, p, sizeof v);                                                                   \
        return v;                                                                                  \
    }                                                                                              \
    static inline void plain_##name##_store(T *p, plain_##name v)                                  \
    {                                                                                              \
        memcpy(p, &v, sizeof v);                                                                   \
    }                                                                                              \
    static inline plain_##name plain_##name##_min(plain_##name a, plain_##name b)                  \
    {                                                                                              \
        plain_##name##_mask less = (plain_##name##_mask)(a < b);                                   \
        return (plain_##name)(((plain_##name##_mask)a & less) | ((plain_##name##_mask)b & ~less)); \
    }                                                                                              \
    static inline plain_##name plain_##name##_max(plain_##name a, plain_##name b)                  \
    {                                                                                              \
        plain_##name##_mask less = (plain_##name##_mask)(a < b);                                   \
        return (plain_##name)(((plain_##name##_mask)b & less) | ((plain_##name##_mask)a & ~less)); \
    }                                                                                              \
    static inline plain_##name plain_##name##_set1(T x)                                            \
    {                                                                                              \
        return x - (plain_##name){0};                                                              \
    }

/* Sums of distances fit; of those that memory has changed, which --paranoid finds, they need not.
 */
#define PLAIN_SUM(name, U)                                                                         \
    typedef U plain_##name##_wraps __attribute__((vector_size(16)));                               \
    static inline plain_##name plain_##name##_add(plain_##name a, plain_##name b)                  \
    {                                                                                              \
        return (plain_##name)((plain_##name##_wraps)a + (plain_##name##_wraps)b);                  \
    }

typedef uint64_t plain_words __attribute__((vector_size(16)));
static inline bool plain_any(plain_words v)
{
    return (v[0] | v[1]) != 0;
}

PLAIN_VECTOR(u16, uint16_t, int16_t)
PLAIN_VECTOR(i32, int32_t, int32_t)
PLAIN_VECTOR(i64, int64_t, int64_t)
PLAIN_VECTOR(f32, float, int32_t)
PLAIN_VECTOR(f64, double, int64_t)
PLAIN_SUM(i32, uint32_t)
PLAIN_SUM(i64, uint64_t)

#define RELAX(name)    plain_u16_##name
#define T              uint16_t
#define T_INF          INF_U16
#define T_WEIGHT       whole
#define A              uint16_t
#define A_OF(x)        (x)
#define V              plain_u16
#define V_LANES        8
#define V_LOAD(p)      plain_u16_load(p)
#define V_STORE(p, v)  plain_u16_store(p, v)
#define V_STREAM(p, v) V_STORE(p, v)
#define V_SET1(x)      plain_u16_set1(x)
#define V_SPREAD(a)    V_SET1(*(a))
#define V_ADD(a, b)    ((a) + (b))
#define V_MIN(a, b)    plain_u16_min(a, b)
#define V_MAX(a, b)    plain_u16_max(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name)    plain_i32_##name
#define T              int32_t
#define T_INF          INF_I32
#define T_WEIGHT       whole
#define A              int32_t
#define A_OF(x)        (x)
#define V              plain_i32
#define V_LANES        4
#define V_LOAD(p)      plain_i32_load(p)
#define V_STORE(p, v)  plain_i32_store(p, v)
#define V_STREAM(p, v) V_STORE(p, v)
#define V_SET1(x)      plain_i32_set1(x)
#define V_SPREAD(a)    V_SET1(*(a))
#define V_ADD(a, b)    plain_i32_add(a, b)
#define V_MIN(a, b)    plain_i32_min(a, b)
#define V_MAX(a, b)    plain_i32_max(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name)    plain_i64_##name
#define T              int64_t
#define T_INF          INF_I64
#define T_WEIGHT       whole
#define A              int64_t
#define A_OF(x)        (x)
#define V              plain_i64
#define V_LANES        2
#define V_LOAD(p)      plain_i64_load(p)
#define V_STORE(p, v)  plain_i64_store(p, v)
#define V_STREAM(p, v) V_STORE(p, v)
#define V_SET1(x)      plain_i64_set1(x)
#define V_SPREAD(a)    V_SET1(*(a))
#define V_ADD(a, b)    plain_i64_add(a, b)
#define V_MIN(a, b)    plain_i64_min(a, b)
#define V_MAX(a, b)    plain_i64_max(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name)    plain_f32_##name
#define T              float
#define T_INF          INFINITY
#define T_WEIGHT       real
#define A              float
#define A_OF(x)        (x)
#define V              plain_f32
#define V_LANES        4
#define V_LOAD(p)      plain_f32_load(p)
#define V_STORE(p, v)  plain_f32_store(p, v)
#define V_STREAM(p, v) V_STORE(p, v)
#define V_SET1(x)      plain_f32_set1(x)
#define V_SPREAD(a)    V_SET1(*(a))
#define V_ADD(a, b)    ((a) + (b))
#define V_MIN(a, b)    plain_f32_min(a, b)
#define V_MAX(a, b)    plain_f32_max(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name)    plain_f64_##name
#define T              double
#define T_INF          INFINITY
#define T_WEIGHT       real
#define A              double
#define A_OF(x)        (x)
#define V              plain_f64
#define V_LANES        2
#define V_LOAD(p)      plain_f64_load(p)
#define V_STORE(p, v)  plain_f64_store(p, v)
#define V_STREAM(p, v) V_STORE(p, v)
#define V_SET1(x)      plain_f64_set1(x)
#define V_SPREAD(a)    V_SET1(*(a))
#define V_ADD(a, b)    ((a) + (b))
#define V_MIN(a, b)    plain_f64_min(a, b)
#define V_MAX(a, b)    plain_f64_max(a, b)
#include "kernels/cpu/relax_body.h"

static const struct relax_kernels *const instances[DTYPE_COUNT][COMBINES] = {
    [DTYPE_U16] = {&plain_u16_sum_kernels, &plain_u16_most_kernels},
    [DTYPE_I32] = {&plain_i32_sum_kernels, &plain_i32_most_kernels},
    [DTYPE_I64] = {&plain_i64_sum_kernels, &plain_i64_most_kernels},
    [DTYPE_F32] = {&plain_f32_sum_kernels, &plain_f32_most_kernels},
    [DTYPE_F64] = {&plain_f64_sum_kernels, &plain_f64_most_kernels},
};

const struct relax_kernels *relax_plain(enum dtype dtype, enum combine combine)
{
    return instances[dtype][combine];
}

#define BITS_OF(width, name) plain_bits_##width##_##name
#define BITS_BYTES           16
#define BITS_NONE(v)         (!plain_any(v))
#include "kernels/cpu/bits_widths.h"

const struct bits_kernels *bits_plain(size_t width)
{
    return bits_of_width(width);
}

typedef double plain_reals __attribute__((vector_size(16)));
static const plain_words plain_lanes[4] = {{0, 0}, {~0ull, 0}, {0, ~0ull}, {~0ull, ~0ull}};
static inline plain_reals plain_pick(unsigned bits, plain_reals a, plain_reals b)
{
    const plain_words lanes = plain_lanes[bits];
    return (plain_reals)(((plain_words)a & lanes) | ((plain_words)b & ~lanes));
}

#define PATHS(name)            plain_paths_##name
#define PATHS_LANES            2
#define PATHS_ADD(a, bits, b)  ((a) + plain_pick(bits, b, (plain_reals){0}))
#define PATHS_PICK(bits, a, b) plain_pick(bits, a, b)
#include "kernels/cpu/paths_body.h"

const struct paths_kernels *paths_plain(void)
{
    return &plain_paths_kernels;
}

#define DECAY(name)         plain_decay_##name
#define DECAY_REALS         2
#define DECAY_MADD(a, b, c) ((a) * (b) + (c))
#include "kernels/cpu/decay_body.h"

const struct decay_kernels *decay_plain(void)
{
    return &plain_decay_kernels;
}

#define SMALL(name) plain_small_##name
#include "kernels/cpu/small_body.h"

const struct small_kernels *small_plain(void)
{
    return &plain_small_kernels;
}
