/*
 * A priority queue of vertices by ascending keys, for searches whose keys never fall below the last
 * one taken. A key waits in the bucket of the highest bit in which it differs from that one (R.
 * Ahuja et al., Faster algorithms for the shortest path problem, JACM 37(2), 1990). A vertex may
 * wait more than once: only its least distance counts, and the caller tells. radix_body.h has the
 * operations, for a type of distances.
 */
#ifndef RADIX_H
#define RADIX_H

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>

enum { RADIX_BUCKETS = 65, RADIX_ROOM = 64 /* entries of a bucket to begin with */ };

/* Zeroed but for `start`, it is empty. */
struct radix {
    const size_t *start; /* By vertices: what is asked for of those that come soon. */
    int shift;           /* The key of a whole distance is the distance without so many bits. */
    double scale;        /* The key of a real distance is its product with this. */
    uint64_t last;
    size_t head;  /* Entries of the first bucket that have been taken. */
    size_t count; /* Entries in all buckets, without these. */
    bool failed;  /* Memory was short: nothing is taken any more. */
    struct radix_bucket {
        void *entry;
        size_t count, room;
    } bucket[RADIX_BUCKETS];
};

static inline void radix_clear(struct radix *heap)
{
    heap->last = heap->count = heap->head = 0;
    heap->failed = false;
    for (int b = 0; b < RADIX_BUCKETS; b++)
        heap->bucket[b].count = 0;
}

static inline void radix_free(struct radix *heap)
{
    for (int b = 0; b < RADIX_BUCKETS; b++)
        free(heap->bucket[b].entry);
}

static inline bool radix_grow(struct radix_bucket *bucket, size_t each)
{
    size_t room = bucket->room > 0 ? 2 * bucket->room : RADIX_ROOM;
    void *entry = realloc(bucket->entry, mem_bytes(room, each));
    if (!entry)
        return false;
    bucket->entry = entry;
    bucket->room = room;
    return true;
}

/* Keys of real distances are less than 2^62. */
static inline uint64_t radix_key_real(double scaled)
{
    return (uint64_t)(int64_t)(scaled < 0x1p62 ? scaled : 0x1p62);
}

#define RADIX_KEY_WHOLE(heap, d) ((uint64_t)(d) >> (heap)->shift)
#define RADIX_KEY_REAL(heap, d)  radix_key_real((double)(d) * (heap)->scale)

#endif
