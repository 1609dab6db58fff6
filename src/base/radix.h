/*
 * Vertices by ascending keys, for searches whose keys never fall below the last one taken: a key
 * waits in the bucket of the highest bit in which it differs from that one (R. Ahuja et al., Faster
 * algorithms for the shortest path problem, JACM 37(2), 1990). A vertex may wait more than once:
 * only its least key counts, and the caller tells.
 */
#ifndef RADIX_H
#define RADIX_H

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>

struct radix_entry {
    uint64_t key;
    uint32_t vertex;
};

enum { RADIX_BUCKETS = 65, RADIX_ROOM = 64 /* entries of a bucket to begin with */ };

struct radix_bucket {
    struct radix_entry *entry;
    size_t count, room;
};

/* Zeroed but for `start`, it is empty. */
struct radix {
    const size_t *start; /* By vertices: what is asked for of those that come soon. */
    uint64_t last;
    size_t count; /* Entries in all buckets. */
    bool failed;  /* Memory was short: nothing is taken any more. */
    struct radix_bucket bucket[RADIX_BUCKETS];
};

static inline void radix_clear(struct radix *heap)
{
    heap->last = heap->count = 0;
    heap->failed = false;
    for (int b = 0; b < RADIX_BUCKETS; b++)
        heap->bucket[b].count = 0;
}

static inline void radix_free(struct radix *heap)
{
    for (int b = 0; b < RADIX_BUCKETS; b++)
        free(heap->bucket[b].entry);
}

/* The bucket of a key: 0 for the last key itself. */
static inline int radix_place(const struct radix *heap, uint64_t key)
{
    return key == heap->last ? 0 : 64 - __builtin_clzll(key ^ heap->last);
}

static inline bool radix_grow(struct radix_bucket *bucket)
{
    size_t room = bucket->room > 0 ? 2 * bucket->room : RADIX_ROOM;
    struct radix_entry *entry = realloc(bucket->entry, mem_bytes(room, sizeof *entry));
    if (!entry)
        return false;
    bucket->entry = entry;
    bucket->room = room;
    return true;
}

static inline void radix_push(struct radix *heap, uint64_t key, uint32_t vertex)
{
    struct radix_bucket *bucket = &heap->bucket[radix_place(heap, key)];
    if (bucket->count == bucket->room && !radix_grow(bucket)) {
        heap->failed = true;
        return;
    }
    bucket->entry[bucket->count++] = (struct radix_entry){key, vertex};
    heap->count++;
}

/* The entries of the first bucket that has any go to lower ones: the least key becomes the last. */
static inline void radix_spread(struct radix *heap)
{
    int b = 1;
    while (heap->bucket[b].count == 0)
        b++;
    struct radix_bucket *bucket = &heap->bucket[b];
    const size_t count = bucket->count;
    heap->last = bucket->entry[0].key;
    for (size_t i = 1; i < count; i++)
        heap->last = bucket->entry[i].key < heap->last ? bucket->entry[i].key : heap->last;
    bucket->count = 0;
    heap->count -= count;
    for (size_t i = 0; i < count; i++) {
        __builtin_prefetch(heap->start + bucket->entry[i].vertex);
        radix_push(heap, bucket->entry[i].key, bucket->entry[i].vertex);
    }
}

static inline bool radix_pop(struct radix *heap, struct radix_entry *entry)
{
    if (heap->count == 0 || heap->failed)
        return false;
    if (heap->bucket[0].count == 0)
        radix_spread(heap);
    if (heap->failed)
        return false;
    *entry = heap->bucket[0].entry[--heap->bucket[0].count];
    heap->count--;
    return true;
}

#endif
