/* count.c: bins are as narrow as their number allows, and hold every value that they are made for.
 */
#include "unit.h"

#include "rows/count.h"

#include <math.h>

static struct count_bins whole_bins(int64_t bound, bool negative)
{
    struct count_bins bins = count_bins(false, (union value){.whole = bound}, negative);
    const double low = negative ? -(double)bound : 0;
    assert_true(bins.scale == ldexp(1, -bins.shift) && bins.count <= COUNT_BINS);
    assert_true((double)bins.first == floor(low * bins.scale));
    assert_true(floor((double)bound * bins.scale) - (double)bins.first + 1 == (double)bins.count);
    return bins;
}

static void whole_numbers_have_bins_of_their_own(void **state)
{
    (void)state;
    assert_int_equal(whole_bins(0, false).count, 1);
    assert_int_equal(whole_bins(1000, false).count, 1001);
    assert_int_equal(whole_bins(1000, true).count, 2001);
    assert_int_equal(whole_bins(COUNT_BINS - 1, false).shift, 0);
    assert_int_equal(whole_bins(COUNT_BINS - 1, false).count, COUNT_BINS);
    assert_int_equal(whole_bins(COUNT_BINS / 2 - 1, true).shift, 0);
}

static void others_share_as_few_as_they_must(void **state)
{
    (void)state;
    assert_int_equal(whole_bins(COUNT_BINS, false).shift, 1);
    assert_int_equal(whole_bins(COUNT_BINS / 2, true).shift, 1);
    assert_int_equal(whole_bins(2 * (int64_t)COUNT_BINS - 1, false).shift, 1);
    assert_int_equal(whole_bins(2 * (int64_t)COUNT_BINS, false).shift, 2);
    assert_int_equal(whole_bins((INT64_C(1) << 40) - 1, false).shift, 40 - 24);
}

static void real_numbers_use_all_bins(void **state)
{
    static const double bounds[] = {1e-290, 0.3, 1, 1e9, 1e300};
    (void)state;
    for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++)
        for (int negative = 0; negative < 2; negative++) {
            struct count_bins bins = count_bins(true, (union value){.real = bounds[k]}, negative);
            assert_true(bins.count <= COUNT_BINS && bins.count > COUNT_BINS / 4);
            assert_true(isfinite(bins.scale) && bins.scale == ldexp(1, -bins.shift));
            assert_true(floor(bounds[k] * bins.scale) - (double)bins.first < (double)bins.count);
        }
    assert_int_equal(count_bins(true, (union value){.real = 0}, false).count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_numbers_have_bins_of_their_own),
                                       cmocka_unit_test(others_share_as_few_as_they_must),
                                       cmocka_unit_test(real_numbers_use_all_bins)};
    return cmocka_run_group_tests_name("count", tests, NULL, NULL);
}
