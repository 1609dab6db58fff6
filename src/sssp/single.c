#include "sssp/single.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 64 }; /* entries of a bucket to begin with */

/* The bucket of a key: 0 for the last key itself. */
static inline int heap_bucket(const struct single_heap *heap, uint64_t key)
{
    return key == heap->last ? 0 : 64 - __builtin_clzll(key ^ heap->last);
}

static bool bucket_grow(struct single_bucket *bucket)
{
    size_t room = bucket->room > 0 ? 2 * bucket->room : ROOM;
    struct single_entry *entry = realloc(bucket->entry, mem_bytes(room, sizeof *entry));
    if (!entry)
        return false;
    bucket->entry = entry;
    bucket->room = room;
    return true;
}

static inline void heap_push(struct single_heap *heap, uint64_t key, uint32_t vertex)
{
    struct single_bucket *bucket = &heap->bucket[heap_bucket(heap, key)];
    if (bucket->count == bucket->room && !bucket_grow(bucket)) {
        heap->failed = true;
        return;
    }
    bucket->entry[bucket->count++] = (struct single_entry){key, vertex};
    heap->count++;
}

/* The entries of the first bucket that has any go to lower ones: the least key becomes the last. */
static void heap_spread(struct single_heap *heap)
{
    int b = 1;
    while (heap->bucket[b].count == 0)
        b++;
    struct single_bucket *bucket = &heap->bucket[b];
    const size_t count = bucket->count;
    heap->last = bucket->entry[0].key;
    for (size_t i = 1; i < count; i++)
        heap->last = bucket->entry[i].key < heap->last ? bucket->entry[i].key : heap->last;
    bucket->count = 0;
    heap->count -= count;
    for (size_t i = 0; i < count; i++) {
        __builtin_prefetch(heap->start + bucket->entry[i].vertex);
        heap_push(heap, bucket->entry[i].key, bucket->entry[i].vertex);
    }
}

static inline bool heap_pop(struct single_heap *heap, struct single_entry *entry)
{
    if (heap->count == 0 || heap->failed)
        return false;
    if (heap->bucket[0].count == 0)
        heap_spread(heap);
    if (heap->failed)
        return false;
    *entry = heap->bucket[0].entry[--heap->bucket[0].count];
    heap->count--;
    return true;
}

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
    mem_add(&bytes, bytes, mem_bytes(n, sizeof(struct single_entry)));
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
    for (int b = 0; b < 65; b++)
        free(single->heap.bucket[b].entry);
    mem_free(single->is_target);
    free(single);
}

static void heap_clear(struct single_heap *heap)
{
    heap->last = heap->count = 0;
    heap->failed = false;
    for (int b = 0; b < 65; b++)
        heap->bucket[b].count = 0;
}

int single_from(struct single *single, size_t source, const uint32_t *targets, size_t count,
                void *row, struct apsp_error *error)
{
    heap_clear(&single->heap);
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
