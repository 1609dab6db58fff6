/* The CPU kernels for any processor, on 16-byte vectors of the compiler. */
#include "relax_cpu.h"

#include <string.h>

typedef int32_t plain_i32 __attribute__((vector_size(16)));

static inline plain_i32 plain_load(const int32_t *p)
{
    plain_i32 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void plain_store(int32_t *p, plain_i32 v)
{
    memcpy(p, &v, sizeof v);
}

static inline plain_i32 plain_min(plain_i32 a, plain_i32 b)
{
    plain_i32 less = a < b;
    return (a & less) | (b & ~less);
}

#define RELAX(name) plain_i32_##name
#define RELAX_TARGET
#define RELAX_ISA     "plain"
#define T             int32_t
#define T_INF         INF_I32
#define V             plain_i32
#define V_LANES       4
#define V_LOAD(p)     plain_load(p)
#define V_STORE(p, v) plain_store(p, v)
#define V_SET1(x)     ((x) - (plain_i32){0})
#define V_ADD(a, b)   ((a) + (b))
#define V_MIN(a, b)   plain_min(a, b)
#define MR            4
#define EACH_ROW(X)   X(0) X(1) X(2) X(3)
#include "relax_cpu_body.h"

static const struct relax_kernels *const instances[DTYPE_COUNT] = {[DTYPE_I32] = &plain_i32_kernels};

const struct relax_kernels *relax_plain(enum dtype dtype)
{
    return instances[dtype];
}
