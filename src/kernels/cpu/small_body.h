/*
 * One instance of the kernels of small.h. The including file defines
 *   RELAX_TARGET   as for relax_body.h
 *   SMALL(name)    the instance's name for a function
 * Every entry is converted, also one that is not taken: so compilers make vectors of the loops.
 */
#include "kernels/cpu/small.h"

#include <math.h>

#define SMALL_LOAD(name, T)                                                                        \
    RELAX_TARGET static void SMALL(load_##name)(double *restrict length, const void *weight,       \
                                                size_t n, size_t stride)                           \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            const T *restrict from = (const T *)weight + i * stride;                               \
            for (size_t j = 0; j < n; j++) {                                                       \
                const double w = (double)from[j];                                                  \
                length[i * n + j] = w < INFINITY && w != 0 ? w : INFINITY;                         \
            }                                                                                      \
        }                                                                                          \
    }
SMALL_LOAD(i32, int32_t)
SMALL_LOAD(i64, int64_t)
SMALL_LOAD(f32, float)
SMALL_LOAD(f64, double)
#undef SMALL_LOAD

/* Facts about entries side by side, of which vectors have some each. */
enum { SMALL(lanes) = 16 };
struct SMALL(facts) {
    double least[SMALL(lanes)], most[SMALL(lanes)], off[SMALL(lanes)];
};

RELAX_TARGET static inline void SMALL(scan_some)(struct SMALL(facts) *restrict facts,
                                                 const double *restrict length, size_t count)
{
    const double shift = 0x1.8p52; /* Sums with it lose what is behind the point. */
    for (size_t l = 0; l < count; l++) {
        const double w = length[l] < INFINITY ? length[l] : 0,
                     off = fabs(w - ((w + shift) - shift));
        facts->least[l] = w < facts->least[l] ? w : facts->least[l];
        facts->most[l] = w > facts->most[l] ? w : facts->most[l];
        facts->off[l] = off > facts->off[l] ? off : facts->off[l];
    }
}

RELAX_TARGET static struct small_facts SMALL(scan)(const double *length, size_t count)
{
    struct SMALL(facts) facts = {0};
    struct small_facts all = {0};
    size_t k = 0;
    for (; k + SMALL(lanes) <= count; k += SMALL(lanes))
        SMALL(scan_some)(&facts, length + k, SMALL(lanes));
    SMALL(scan_some)(&facts, length + k, count - k);
    for (size_t l = 0; l < SMALL(lanes); l++) {
        all.least = facts.least[l] < all.least ? facts.least[l] : all.least;
        all.most = facts.most[l] > all.most ? facts.most[l] : all.most;
        all.off = facts.off[l] > all.off ? facts.off[l] : all.off;
    }
    return all;
}

/* For each type: T as tiles have it, the type that vectors of it are converted by, the integer of
 * its width, and infinity. */
#define SMALL_TILE(name, T, BY, INDEX, INF)                                                        \
    RELAX_TARGET static void SMALL(narrow_##name)(void *tile, const double *length, size_t n,      \
                                                  size_t pitch)                                    \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            const double *restrict from = length + i * n;                                          \
            T *restrict to = (T *)tile + i * pitch;                                                \
            for (size_t j = 0; j < n; j++)                                                         \
                to[j] = (T)(BY)(from[j] < (double)(INF) ? from[j] : (double)(INF));                \
            for (size_t j = n; j < pitch; j++)                                                     \
                to[j] = INF;                                                                       \
        }                                                                                          \
    }                                                                                              \
    RELAX_TARGET static void SMALL(begin_##name)(void *before, const double *length, size_t n,     \
                                                 size_t pitch)                                     \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            const double *restrict from = length + i * n;                                          \
            INDEX *restrict to = (INDEX *)before + i * pitch;                                      \
            for (size_t j = 0; j < n; j++)                                                         \
                to[j] = from[j] < INFINITY ? (INDEX)i : (INDEX)-1;                                 \
            to[i] = (INDEX)-1;                                                                     \
        }                                                                                          \
    }                                                                                              \
    RELAX_TARGET static void SMALL(trees_##name)(int32_t * trees, const void *before, size_t n,    \
                                                 size_t stride, size_t pitch, int32_t none)        \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            const INDEX *restrict from = (const INDEX *)before + i * pitch;                        \
            int32_t *restrict to = trees + i * stride;                                             \
            for (size_t j = 0; j < n; j++)                                                         \
                to[j] = from[j] == (INDEX)-1 ? none : (int32_t)from[j];                            \
        }                                                                                          \
    }

#define SMALL_STORE(name, T, BY, INF, OUT, LOST)                                                   \
    RELAX_TARGET static void SMALL(store_##name)(void *distances, const void *tile, size_t n,      \
                                                 size_t stride, size_t pitch)                      \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            const T *restrict from = (const T *)tile + i * pitch;                                  \
            OUT *restrict to = (OUT *)distances + i * stride;                                      \
            for (size_t j = 0; j < n; j++) {                                                       \
                const OUT value = (OUT)(BY)from[j];                                                \
                to[j] = from[j] < (INF) ? value : (LOST);                                          \
            }                                                                                      \
        }                                                                                          \
    }

#define SMALL_TYPE(name, T, BY, INDEX, INF)                                                        \
    SMALL_TILE(name, T, BY, INDEX, INF)                                                            \
    SMALL_STORE(name##_f32, T, BY, INF, float, INFINITY)                                           \
    SMALL_STORE(name##_f64, T, BY, INF, double, INFINITY)
SMALL_TYPE(u16, uint16_t, int32_t, uint16_t, INF_U16)
SMALL_TYPE(i32, int32_t, int32_t, uint32_t, INF_I32)
SMALL_TYPE(f64, double, double, uint64_t, INFINITY)
SMALL_STORE(u16_i32, uint16_t, int32_t, INF_U16, int32_t, APSP_UNREACHABLE_I32)
SMALL_STORE(i32_i32, int32_t, int32_t, INF_I32, int32_t, APSP_UNREACHABLE_I32)

/* An infinite double has no integer; the finite ones here are integers below INF_I32. */
RELAX_TARGET static void SMALL(store_f64_i32)(void *distances, const void *tile, size_t n,
                                              size_t stride, size_t pitch)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double from = ((const double *)tile)[i * pitch + j];
            ((int32_t *)distances)[i * stride + j] =
                from < INFINITY ? (int32_t)from : APSP_UNREACHABLE_I32;
        }
}
#undef SMALL_TYPE
#undef SMALL_STORE
#undef SMALL_TILE

#define SMALL_STORES(name)                                                                         \
    {                                                                                              \
        [APSP_I32] = SMALL(store_##name##_i32), [APSP_F32] = SMALL(store_##name##_f32),            \
        [APSP_F64] = SMALL(store_##name##_f64)                                                     \
    }
#define SMALL_TYPES(step)                                                                          \
    {                                                                                              \
        [DTYPE_U16] = SMALL(step##_u16), [DTYPE_I32] = SMALL(step##_i32),                          \
        [DTYPE_F64] = SMALL(step##_f64)                                                            \
    }
static const struct small_kernels SMALL(kernels) = {
    .load = {[APSP_I32] = SMALL(load_i32),
             [APSP_I64] = SMALL(load_i64),
             [APSP_F32] = SMALL(load_f32),
             [APSP_F64] = SMALL(load_f64)},
    .scan = SMALL(scan),
    .narrow = SMALL_TYPES(narrow),
    .store = {[DTYPE_U16] = SMALL_STORES(u16),
              [DTYPE_I32] = SMALL_STORES(i32),
              [DTYPE_F64] = SMALL_STORES(f64)},
    .begin = SMALL_TYPES(begin),
    .trees = SMALL_TYPES(trees),
};
#undef SMALL_TYPES
#undef SMALL_STORES
#undef SMALL
