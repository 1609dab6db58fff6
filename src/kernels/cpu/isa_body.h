/*
 * The kernels of one instruction set. The including file defines
 *   RELAX_TARGET, RELAX_ISA, MR, EACH_ROW(X)   as for relax_body.h
 *   ISA(name), ISA_KERNELS   the name of a function of the set, and that of its struct isa
 *   ISA(supported)           whether the processor has it
 *   V_BYTES, V_ANY(v)        bytes of a vector; whether any bit of it is set
 *   V_16, V_32, V_64         numbers of so many bits in a vector
 *   V_WHOLE, V_F32, V_F64    vectors of integers, and of each type of reals
 *   V_MIN_U16(a, b) ...      the lesser ones of two vectors, and V_MAX_U16 ..., for each type
 *   V_STREAM(p, v)           an aligned store past the caches
 *   A_U16, A_OF_U16(x), SPREAD_U16(a)   A, A_OF and V_SPREAD of relax_body.h for u16
 *   BITS_NONE(v)             whether no bit is set
 *   PATHS_ADD, PATHS_PICK    as for paths_body.h
 *   DECAY_MADD               as for decay_body.h
 */
#define RELAX(name) ISA(u16_##name)
#define T           uint16_t
#define T_INF       INF_U16
#define T_WEIGHT    whole
#define A           A_U16
#define A_OF(x)     A_OF_U16(x)
#define V           V_WHOLE
#define V_LANES     V_16
#define V_SPREAD(a) SPREAD_U16(a)
#define V_MIN(a, b) V_MIN_U16(a, b)
#define V_MAX(a, b) V_MAX_U16(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name) ISA(i32_##name)
#define T           int32_t
#define T_INF       INF_I32
#define T_WEIGHT    whole
#define A           int32_t
#define A_OF(x)     (x)
#define V           V_WHOLE
#define V_LANES     V_32
#define V_SPREAD(a) V_SET1(*(a))
#define V_MIN(a, b) V_MIN_I32(a, b)
#define V_MAX(a, b) V_MAX_I32(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name) ISA(i64_##name)
#define T           int64_t
#define T_INF       INF_I64
#define T_WEIGHT    whole
#define A           int64_t
#define A_OF(x)     (x)
#define V           V_WHOLE
#define V_LANES     V_64
#define V_SPREAD(a) V_SET1(*(a))
#define V_MIN(a, b) V_MIN_I64(a, b)
#define V_MAX(a, b) V_MAX_I64(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name) ISA(f32_##name)
#define T           float
#define T_INF       INFINITY
#define T_WEIGHT    real
#define A           float
#define A_OF(x)     (x)
#define V           V_F32
#define V_LANES     V_32
#define V_SPREAD(a) V_SET1(*(a))
#define V_MIN(a, b) V_MIN_F32(a, b)
#define V_MAX(a, b) V_MAX_F32(a, b)
#include "kernels/cpu/relax_body.h"

#define RELAX(name) ISA(f64_##name)
#define T           double
#define T_INF       INFINITY
#define T_WEIGHT    real
#define A           double
#define A_OF(x)     (x)
#define V           V_F64
#define V_LANES     V_64
#define V_SPREAD(a) V_SET1(*(a))
#define V_MIN(a, b) V_MIN_F64(a, b)
#define V_MAX(a, b) V_MAX_F64(a, b)
#include "kernels/cpu/relax_body.h"

#define BITS_OF(width, name) ISA(bits_##width##_##name)
#define BITS_BYTES           V_BYTES
#include "kernels/cpu/bits_widths.h"

#define PATHS(name) ISA(paths_##name)
#define PATHS_LANES V_64
#include "kernels/cpu/paths_body.h"

#define DECAY(name) ISA(decay_##name)
#define DECAY_REALS V_64
#include "kernels/cpu/decay_body.h"

#define SMALL(name) ISA(small_##name)
#include "kernels/cpu/small_body.h"

const struct isa ISA_KERNELS = {
    .name = RELAX_ISA,
    .supported = ISA(supported),
    .relax = {[DTYPE_U16] = {&ISA(u16_sum_kernels), &ISA(u16_most_kernels)},
              [DTYPE_I32] = {&ISA(i32_sum_kernels), &ISA(i32_most_kernels)},
              [DTYPE_I64] = {&ISA(i64_sum_kernels), &ISA(i64_most_kernels)},
              [DTYPE_F32] = {&ISA(f32_sum_kernels), &ISA(f32_most_kernels)},
              [DTYPE_F64] = {&ISA(f64_sum_kernels), &ISA(f64_most_kernels)}},
    .bits = {&BITS_OF(512, kernels), &BITS_OF(1024, kernels), &BITS_OF(2048, kernels),
             &BITS_OF(4096, kernels)},
    .paths = &ISA(paths_kernels),
    .decay = &ISA(decay_kernels),
    .small = &ISA(small_kernels),
};
