/* The CPU kernels for any processor, on 16-byte vectors of the compiler. */
#include "kernels/cpu/isa.h"

#include <math.h>

#define RELAX_TARGET
#define RELAX_ISA   "plain"
#define MR          4
#define EACH_ROW(X) X(0) X(1) X(2) X(3)
#define ISA(name)   plain_##name
#define ISA_KERNELS isa_plain

static bool plain_supported(void)
{
    return true;
}

typedef uint64_t plain_words __attribute__((vector_size(16)));
typedef float plain_singles __attribute__((vector_size(16)));
typedef double plain_reals __attribute__((vector_size(16)));

static inline bool plain_any(plain_words v)
{
    return (v[0] | v[1]) != 0;
}

/* Minimum and maximum of vectors V of T; a comparison gives one of S. */
#define PLAIN_VECTOR(name, T, S, V)                                                                \
    typedef T plain_##name __attribute__((vector_size(16)));                                       \
    typedef S plain_##name##_mask __attribute__((vector_size(16)));                                \
    static inline V plain_##name##_min(V a, V b)                                                   \
    {                                                                                              \
        const plain_##name##_mask less = (plain_##name)a < (plain_##name)b;                        \
        return (V)(((plain_##name##_mask)a & less) | ((plain_##name##_mask)b & ~less));            \
    }                                                                                              \
    static inline V plain_##name##_max(V a, V b)                                                   \
    {                                                                                              \
        const plain_##name##_mask less = (plain_##name)a < (plain_##name)b;                        \
        return (V)(((plain_##name##_mask)b & less) | ((plain_##name##_mask)a & ~less));            \
    }

PLAIN_VECTOR(u16, uint16_t, int16_t, plain_words)
PLAIN_VECTOR(i32, int32_t, int32_t, plain_words)
PLAIN_VECTOR(i64, int64_t, int64_t, plain_words)
PLAIN_VECTOR(f32, float, int32_t, plain_singles)
PLAIN_VECTOR(f64, double, int64_t, plain_reals)

static const plain_words plain_lanes[4] = {{0, 0}, {~0ull, 0}, {0, ~0ull}, {~0ull, ~0ull}};
static inline plain_reals plain_pick(unsigned bits, plain_reals a, plain_reals b)
{
    const plain_words lanes = plain_lanes[bits];
    return (plain_reals)(((plain_words)a & lanes) | ((plain_words)b & ~lanes));
}

#define V_BYTES         16
#define V_16            8
#define V_32            4
#define V_64            2
#define V_WHOLE         plain_words
#define V_F32           plain_singles
#define V_F64           plain_reals
#define V_ANY(v)        plain_any((plain_words)(v))
#define V_STREAM(p, v)  V_STORE(p, v)
#define V_MIN_U16(a, b) plain_u16_min(a, b)
#define V_MAX_U16(a, b) plain_u16_max(a, b)
#define V_MIN_I32(a, b) plain_i32_min(a, b)
#define V_MAX_I32(a, b) plain_i32_max(a, b)
#define V_MIN_I64(a, b) plain_i64_min(a, b)
#define V_MAX_I64(a, b) plain_i64_max(a, b)
#define V_MIN_F32(a, b) plain_f32_min(a, b)
#define V_MAX_F32(a, b) plain_f32_max(a, b)
#define V_MIN_F64(a, b) plain_f64_min(a, b)
#define V_MAX_F64(a, b) plain_f64_max(a, b)
#define A_U16           uint16_t
#define A_OF_U16(x)     (x)
#define SPREAD_U16(a)   V_SET1(*(a))
#define BITS_NONE(v)    (!V_ANY(v))

#define PATHS_ADD(a, bits, b)  ((a) + plain_pick(bits, b, (plain_reals){0}))
#define PATHS_PICK(bits, a, b) plain_pick(bits, a, b)
#define DECAY_MADD(a, b, c)    ((a) * (b) + (c))
#include "kernels/cpu/isa_body.h"
