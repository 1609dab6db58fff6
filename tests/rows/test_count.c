/* count.c: bins are as narrow as their number allows, and hold every value that they are made for.
 * The counts of rows are those of values one after the other. */
#include "unit.h"

#include "base/typed.h"
#include "kernels/cpu/relax.h"
#include "rows/count.h"

#include <math.h>
#include <stdlib.h>

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

static const char *const isas[] = {"plain", "avx2", "avx512"};
enum { ISAS = sizeof isas / sizeof *isas, LONGEST = 70001 };

/* Value number j: large and small ones, those below 0 where there are such, and none. */
static union value draw_value(enum dtype dtype, size_t j)
{
    static const int64_t most[DTYPE_COUNT] = {65534, INF_I32 - 1, WEIGHT_MAX, 1 << 20, 1 << 30};
    const struct dtype_info *info = &dtype_info[dtype];
    const int64_t size = j % 5 == 0 ? most[dtype] - (int64_t)j % 7 : (int64_t)(j % 1000),
                  whole = dtype != DTYPE_U16 && j % 3 == 0 ? -size : size;
    if (info->real)
        return (union value){.real = j % 11 == 4 ? INFINITY : (double)whole * 0.1};
    return (union value){.whole = j % 11 == 4 ? info->unreachable : whole};
}

static void check_row(enum dtype dtype, const void *row, size_t n)
{
    const bool real = dtype_info[dtype].real;
    const struct row_counts counts = count_row(relax_choose(dtype, NULL), dtype, row, n);
    size_t reached = 0;
    uint64_t sum = 0;
    int64_t most = 0;
    double total = 0, furthest = 0;
    for (size_t j = 0; j < n; j++) {
        const union value value = typed_get(dtype, row, j);
        if (real ? value.real == INFINITY : value.whole == dtype_info[dtype].unreachable)
            continue;
        reached++;
        if (real) {
            total += value.real;
            furthest = value.real > furthest ? value.real : furthest;
        } else {
            sum += (uint64_t)value.whole;
            most = value.whole > most ? value.whole : most;
        }
    }
    assert_int_equal(counts.reached, reached);
    if (real)
        assert_true(counts.sum.real == total && counts.most.real == furthest);
    else
        assert_true((uint64_t)counts.sum.whole == sum && counts.most.whole == most);
}

/* With every instruction set, of sizes that fill vectors or do not, and of many vectors; of values
 * at the end of the type's range, or of mixed ones. */
static void rows_are_counted(void **state)
{
    static const size_t sizes[] = {0, 1, 7, 31, 32, 33, 63, 64, 100, 8192, 8223, LONGEST};
    double *row = malloc(LONGEST * sizeof *row);
    (void)state;
    assert_non_null(row);
    for (int isa = 0; isa < ISAS; isa++) {
        setenv("APSP_ISA", isas[isa], 1);
        for (enum dtype dtype = DTYPE_U16; dtype < DTYPE_COUNT; dtype++)
            for (int same = 0; same < 2; same++) {
                for (size_t j = 0; j < LONGEST; j++)
                    typed_put(dtype, row, j, draw_value(dtype, same ? 5 : j));
                for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
                    check_row(dtype, row, sizes[k]);
            }
    }
    unsetenv("APSP_ISA");
    free(row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_numbers_have_bins_of_their_own),
                                       cmocka_unit_test(others_share_as_few_as_they_must),
                                       cmocka_unit_test(real_numbers_use_all_bins),
                                       cmocka_unit_test(rows_are_counted)};
    return cmocka_run_group_tests_name("count", tests, NULL, NULL);
}
