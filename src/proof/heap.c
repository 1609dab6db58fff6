#include "proof/heap.h"

void heap_place(struct heap *heap, struct mem_layout *layout, size_t n)
{
    heap->n = n;
    heap->entry = mem_place(layout, n, sizeof *heap->entry);
    heap->place = mem_place(layout, n, sizeof *heap->place);
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
