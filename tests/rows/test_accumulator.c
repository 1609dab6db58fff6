/* accumulator.c: bins of 32 bits are emptied before one of them may be full, and nothing is counted
 * twice. */
#include "unit.h"

#include "rows/accumulator.h"

static void bins_are_emptied_before_they_are_full(void **state)
{
    enum { N = 3, BINS = 4 };
    const struct accumulator_plan plan = {
        .n = N,
        .dtype = DTYPE_I32,
        .counted = APSP_STATS_HISTOGRAM,
        .bins = count_bins(false, (union value){.whole = BINS - 1}, false)};
    size_t pairs[BINS + 1] = {0};
    struct accumulator_sum sum = {.pairs = pairs};
    struct accumulator *accumulator = accumulator_new(&plan);
    (void)state;
    assert_non_null(accumulator);
    assert_int_equal(plan.bins.count, BINS);
    uint32_t *bins = accumulator_pairs(accumulator, UINT32_MAX, &sum);
    for (int k = 0; k <= BINS; k++)
        bins[k] = UINT32_MAX / (BINS + 1);
    bins = accumulator_pairs(accumulator, 1, &sum);
    for (int k = 0; k <= BINS; k++)
        assert_int_equal(bins[k], 0);
    bins[BINS - 1] = 1;
    accumulator_end(accumulator, &sum);
    for (int k = 0; k < BINS; k++)
        assert_int_equal(pairs[k], UINT32_MAX / (BINS + 1) + (k == BINS - 1));
    accumulator_free(accumulator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bins_are_emptied_before_they_are_full)};
    return cmocka_run_group_tests_name("accumulator", tests, NULL, NULL);
}
