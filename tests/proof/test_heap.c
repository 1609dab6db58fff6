/* heap.c against a plain array: keys are lowered and taken out in order, and the heap can be used again. */
#include "unit.h"

#include "proof/heap.h"

#include <stdlib.h>

enum { MOST = 60 };

static const int64_t absent = INT64_MAX;

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
        assert_true(heap_open(&heap, n));
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
        heap_close(&heap);
    }
}

static void sizes_are_checked(void **state)
{
    (void)state;
    struct heap heap;
    assert_false(heap_open(&heap, SIZE_MAX / 8));
    heap_close(&heap);
    assert_true(heap_need(INT32_MAX) >= (size_t)INT32_MAX * 16);
    assert_true(heap_need(SIZE_MAX / 8) == SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(least_keys_come_first),
                                       cmocka_unit_test(sizes_are_checked)};
    return cmocka_run_group_tests_name("heap", tests, NULL, NULL) != 0;
}
