/* heap.c against a plain array: keys are lowered and taken out in order, and the heap can be used
 * again. */
#include "unit.h"

#include "proof/heap.h"

#include <stdlib.h>

enum { MOST = 60 };

static const int64_t absent = INT64_MAX;

/* To be freed by the caller. */
static void *open_heap(struct heap *heap, size_t n)
{
    struct mem_layout layout = {0};
    *heap = (struct heap){0};
    heap_place(heap, &layout, n);
    layout = (struct mem_layout){.base = mem_alloc(layout.bytes)};
    assert_non_null(layout.base);
    heap_place(heap, &layout, n);
    return layout.base;
}

static size_t least(const int64_t *keys, size_t n)
{
    size_t best = 0;
    for (size_t v = 1; v < n; v++)
        best = keys[v] < keys[best] ? v : best;
    return best;
}

static void check_take(struct heap *heap, int64_t *keys)
{
    struct heap_entry taken = heap_take(heap);
    assert_true(taken.key == keys[least(keys, heap->n)]);
    assert_true(keys[taken.vertex] == taken.key);
    assert_false(heap_holds(heap, taken.vertex));
    keys[taken.vertex] = absent;
}

static void least_keys_come_first(void **state)
{
    (void)state;
    srand(5);
    for (size_t n = 1; n < MOST; n++) {
        struct heap heap;
        int64_t keys[MOST];
        for (size_t v = 0; v < n; v++)
            keys[v] = absent;
        void *memory = open_heap(&heap, n);
        for (int step = 0; step < 2000; step++) {
            uint32_t v = (uint32_t)((size_t)rand() % n);
            int64_t key = rand() % 100 - 50;
            assert_int_equal(heap_holds(&heap, v), keys[v] != absent);
            if (rand() % 3 == 0 && heap.count > 0) {
                check_take(&heap, keys);
                continue;
            }
            assert_int_equal(heap_lower(&heap, v, key), key < keys[v]);
            keys[v] = key < keys[v] ? key : keys[v];
        }
        while (heap.count > 0)
            check_take(&heap, keys);
        assert_true(keys[least(keys, n)] == absent);
        mem_free(memory);
    }
}

static void sizes_are_checked(void **state)
{
    (void)state;
    struct heap heap = {0};
    struct mem_layout layout = {0};
    heap_place(&heap, &layout, INT32_MAX);
    assert_true(layout.bytes >= (size_t)INT32_MAX * 20);
    heap_place(&heap, &layout, SIZE_MAX / 8);
    assert_true(layout.bytes == SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(least_keys_come_first),
                                       cmocka_unit_test(sizes_are_checked)};
    return cmocka_run_group_tests_name("heap", tests, NULL, NULL) != 0;
}
