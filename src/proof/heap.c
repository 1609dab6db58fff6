#include "proof/heap.h"

#include "base/mem.h"

bool heap_open(struct heap *heap, size_t n)
{
    *heap = (struct heap){.n = n};
    heap->entry = mem_alloc(mem_bytes(n, sizeof *heap->entry));
    heap->place = mem_alloc(mem_bytes(n, sizeof *heap->place));
    return heap->entry && heap->place;
}

void heap_close(struct heap *heap)
{
    mem_free(heap->place);
    mem_free(heap->entry);
    *heap = (struct heap){0};
}

size_t heap_need(size_t n)
{
    return mem_bytes(n, sizeof(struct heap_entry) + sizeof(uint32_t));
}

struct heap_entry heap_take(struct heap *heap)
{
    struct heap_entry *entry = heap->entry, top = entry[0], last = entry[--heap->count];
    size_t at = 0, count = heap->count;
    for (size_t child; (child = HEAP_CHILDREN * at + 1) < count;) {
        size_t least = child, end = child + HEAP_CHILDREN < count ? child + HEAP_CHILDREN : count;
        while (++child < end)
            least = entry[child].key < entry[least].key ? child : least;
        if (entry[least].key >= last.key)
            break;
        heap_put(heap, at, entry[least]);
        at = least;
    }
    if (count > 0)
        heap_put(heap, at, last);
    heap->place[top.vertex] = 0;
    return top;
}
