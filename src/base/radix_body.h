/*
 * One instance of the operations of radix.h, for a type of distances. The including file defines
 * RADIX(name), RADIX_T and RADIX_KEY(heap, d), the key of a distance.
 */
typedef struct {
    RADIX_T d;
    uint32_t vertex;
} RADIX(entry);

static inline void RADIX(push)(struct radix *heap, RADIX_T d, uint32_t vertex)
{
    const uint64_t differs = RADIX_KEY(heap, d) ^ heap->last;
    struct radix_bucket *bucket = &heap->bucket[differs == 0 ? 0 : 64 - __builtin_clzll(differs)];
    if (bucket->count == bucket->room && !radix_grow(bucket, sizeof(RADIX(entry)))) {
        heap->failed = true;
        return;
    }
    ((RADIX(entry) *)bucket->entry)[bucket->count++] = (RADIX(entry)){d, vertex};
    heap->count++;
}

/* The entries of the first bucket that has any go to lower ones: the least key becomes the last. */
static void RADIX(spread)(struct radix *heap)
{
    int b = 1;
    while (heap->bucket[b].count == 0)
        b++;
    struct radix_bucket *bucket = &heap->bucket[b];
    const RADIX(entry) *entry = bucket->entry;
    const size_t count = bucket->count;
    RADIX_T least = entry[0].d;
    for (size_t i = 1; i < count; i++)
        least = entry[i].d < least ? entry[i].d : least;
    heap->last = RADIX_KEY(heap, least);
    bucket->count = 0;
    heap->count -= count;
    for (size_t i = 0; i < count; i++) {
        __builtin_prefetch(heap->start + entry[i].vertex);
        RADIX(push)(heap, entry[i].d, entry[i].vertex);
    }
}

/* The next entry, those of one key in the order in which they came; false at the end, or where all
 * keys to come are above `most`. */
static inline bool RADIX(pop)(struct radix *heap, uint64_t most, RADIX(entry) * entry)
{
    struct radix_bucket *first = &heap->bucket[0];
    if (heap->head == first->count) {
        heap->head = first->count = 0;
        if (heap->count == 0 || heap->failed || heap->last >= most)
            return false;
        RADIX(spread)(heap);
        if (heap->failed || heap->last > most)
            return false;
    }
    *entry = ((RADIX(entry) *)first->entry)[heap->head++];
    heap->count--;
    return true;
}

#undef RADIX
#undef RADIX_T
#undef RADIX_KEY
