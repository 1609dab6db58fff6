#include "sssp/single.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline uint64_t key_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t key_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define SINGLE(name) single_u16_##name
#define T            uint16_t
#define T_INF        INF_U16
#define T_UNIT       whole
#define T_KEY(d)     (d)
#include "sssp/single_body.h"

#define SINGLE(name) single_i32_##name
#define T            int32_t
#define T_INF        INF_I32
#define T_UNIT       whole
#define T_KEY(d)     ((uint64_t)(d))
#include "sssp/single_body.h"

#define SINGLE(name) single_i64_##name
#define T            int64_t
#define T_INF        INF_I64
#define T_UNIT       whole
#define T_KEY(d)     ((uint64_t)(d))
#include "sssp/single_body.h"

#define SINGLE(name) single_f32_##name
#define T            float
#define T_INF        INFINITY
#define T_UNIT       real
#define T_KEY(d)     key_of_float(d)
#include "sssp/single_body.h"

#define SINGLE(name) single_f64_##name
#define T            double
#define T_INF        INFINITY
#define T_UNIT       real
#define T_KEY(d)     key_of_double(d)
#include "sssp/single_body.h"

size_t single_need(size_t n)
{
    size_t bytes;
    mem_add(&bytes, sizeof(struct single), n);
    mem_add(&bytes, bytes, mem_bytes(n, sizeof(struct radix_entry)));
    return bytes;
}

int single_open(struct single **out, const struct network *network, enum dtype dtype,
                union value unit, struct apsp_error *error)
{
    struct single *single = *out = calloc(1, sizeof *single);
    unsigned char *is_target = single ? mem_alloc(network->n) : NULL;
    if (!is_target) {
        free(single);
        *out = NULL;
        return error_set(error, APSP_MEMORY, "no memory for a search");
    }
    *single = (struct single){.network = network,
                              .dtype = dtype,
                              .unit = unit,
                              .is_target = is_target,
                              .heap.start = network->start};
    return APSP_OK;
}

void single_close(struct single *single)
{
    if (!single)
        return;
    radix_free(&single->heap);
    mem_free(single->is_target);
    free(single);
}

int single_from(struct single *single, size_t source, const uint32_t *targets, size_t count,
                void *row, struct apsp_error *error)
{
    radix_clear(&single->heap);
    for (size_t k = 0; targets && k < count; k++)
        single->is_target[targets[k]] = 1;
    switch (single->dtype) {
    case DTYPE_U16:
        single_u16_run(single, source, count, row);
        break;
    case DTYPE_I32:
        single_i32_run(single, source, count, row);
        break;
    case DTYPE_F32:
        single_f32_run(single, source, count, row);
        break;
    case DTYPE_F64:
        single_f64_run(single, source, count, row);
        break;
    default:
        single_i64_run(single, source, count, row);
    }
    for (size_t k = 0; targets && k < count; k++)
        single->is_target[targets[k]] = 0;
    return single->heap.failed ? error_set(error, APSP_MEMORY, "no memory for a search") : APSP_OK;
}
