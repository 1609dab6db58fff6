/*
 * The priority queue of Dijkstra's algorithm: vertices by ascending integer keys, which may become
 * smaller. The bits of a real that is not negative serve as a key, since they have the same order.
 */
#ifndef HEAP_H
#define HEAP_H

#include "base/mem.h"

#include <stdint.h>

struct heap_entry {
    int64_t key;
    uint32_t vertex;
};

struct heap {
    size_t n, count; /* vertices that there may be, and those in the heap */
    struct heap_entry *entry;
    uint32_t *place; /* of each vertex in entry[], from 1; 0: it is not there */
};

/* Finds the parts of a zeroed heap for vertices 0 .. n - 1 (mem.h); it is empty in zeroed memory.
 */
void heap_place(struct heap *heap, struct mem_layout *layout, size_t n);

static inline bool heap_holds(const struct heap *heap, uint32_t vertex)
{
    return heap->place[vertex] > 0;
}

/* For heap_lower and heap_take alone. A node has four children: a path to the top is half as long
 * as with two, and the children are in one line of the cache, or two. */
enum { HEAP_CHILDREN = 4 };
static inline void heap_put(struct heap *heap, size_t at, struct heap_entry entry)
{
    heap->entry[at] = entry;
    heap->place[entry.vertex] = (uint32_t)at + 1;
}

/* Puts the vertex in, or lowers its key. False, and nothing changed, if it is there with a key no
 * larger. Here, since it is called for edges. */
static inline bool heap_lower(struct heap *heap, uint32_t vertex, int64_t key)
{
    size_t at = heap_holds(heap, vertex) ? heap->place[vertex] - (size_t)1 : heap->count;
    if (at < heap->count && heap->entry[at].key <= key)
        return false;
    heap->count += at == heap->count;
    for (size_t up; at > 0 && heap->entry[up = (at - 1) / HEAP_CHILDREN].key > key; at = up)
        heap_put(heap, at, heap->entry[up]);
    heap_put(heap, at, (struct heap_entry){key, vertex});
    return true;
}

/* Takes out the vertex of the least key; there must be one. */
struct heap_entry heap_take(struct heap *heap);

#endif
