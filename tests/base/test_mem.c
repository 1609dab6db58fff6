/* mem.c: checked sizes, large allocations, and what the node and the process say of their memory.
 */
#include "unit.h"

#include "base/mem.h"
#include "guard.h"

#include <string.h>
#include <unistd.h>

static void products_and_sums_are_checked(void **state)
{
    (void)state;
    size_t out = 0, n = INT32_MAX, half = SIZE_MAX / 2;
    assert_true(mem_mul(&out, 6, 7));
    assert_int_equal(out, 42);
    assert_true(mem_mul(&out, 0, SIZE_MAX));
    assert_int_equal(out, 0);
    assert_true(mem_mul(&out, n, n));
    assert_int_equal(out, n * n);
    assert_true(mem_mul(&out, out, 4));
    assert_false(mem_mul(&out, out, 2));
    assert_int_equal(out, SIZE_MAX);
    assert_true(mem_add(&out, half, half));
    assert_int_equal(out, SIZE_MAX - 1);
    assert_false(mem_add(&out, out, 2));
    assert_int_equal(out, SIZE_MAX);
    assert_int_equal(mem_bytes(6, 7), 42);
    assert_int_equal(mem_bytes(SIZE_MAX / 8, 8), SIZE_MAX / 8 * 8);
    assert_int_equal(mem_bytes(SIZE_MAX / 8 + 1, 8), SIZE_MAX);
    assert_int_equal(mem_bytes(SIZE_MAX, 0), 0);
}

static void memory_is_zero_and_aligned(void **state)
{
    static const size_t sizes[] = {1,      63, 64, 65, 4096, (2 << 20) - 1, 2 << 20, (2 << 20) + 1,
                                   9 << 20};
    (void)state;
    for (int again = 0; again < 2; again++) { /* a second time from used memory */
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            unsigned char *memory = mem_alloc(sizes[s]);
            assert_non_null(memory);
            assert_int_equal((uintptr_t)memory % 64, 0);
            for (size_t i = 0; i < sizes[s]; i++)
                if (memory[i])
                    fail_msg("byte %zu of %zu is not zero", i, sizes[s]);
            memset(memory, 255, sizes[s]);
            mem_free(memory);
        }
    }
    mem_free(NULL);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    assert_null(mem_alloc(SIZE_MAX));
    assert_null(mem_alloc(SIZE_MAX / 2));
    assert_null(mem_alloc((size_t)1 << 60));
}

static void node_limit_is_plausible(void **state)
{
    (void)state;
    size_t total = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    assert_in_range(mem_node_limit(), 1 << 20, total);
}

static void residence_follows_use(void **state)
{
    (void)state;
    size_t bytes = (size_t)64 << 20, before = mem_resident();
    unsigned char *memory = mem_alloc(bytes);
    assert_non_null(memory);
    memset(memory, 1, bytes);
    size_t during = mem_resident();
    mem_free(memory);
    assert_true(before > 0 && during >= before + bytes * 9 / 10);
    /* The address sanitizer keeps a byte of eight, of its own. */
    const size_t kept = guard_bytes() > 0 ? bytes / 8 : 0;
    assert_true(mem_resident() <= during - bytes * 9 / 10 + kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_and_sums_are_checked),
        cmocka_unit_test(memory_is_zero_and_aligned),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(node_limit_is_plausible),
        cmocka_unit_test(residence_follows_use),
    };
    return cmocka_run_group_tests_name("mem", tests, NULL, NULL) != 0;
}
