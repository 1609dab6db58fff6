/* strip.c: the distribution of rows, and lists of ranges against sets of single numbers. */
#include "unit.h"

#include "dense/strip.h"

enum { SPAN = 12 };

static void strips_partition_the_rows(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 70; n++) {
        for (int ranks = 1; ranks <= 75; ranks++) {
            size_t next = 0;
            for (int rank = 0; rank < ranks; rank++) {
                struct range rows = strip_rows(n, ranks, rank);
                assert_int_equal(rows.lo, next);
                assert_in_range(range_length(rows), n / (size_t)ranks,
                                (n + (size_t)ranks - 1) / (size_t)ranks);
                for (size_t row = rows.lo; row < rows.hi; row++)
                    assert_int_equal(strip_owner(n, ranks, row), rank);
                next = rows.hi;
            }
            assert_int_equal(next, n);
        }
    }
}

static void strips_of_the_largest_graph(void **state)
{
    (void)state;
    size_t n = INT32_MAX, next = 0;
    int ranks = 4099;
    for (int rank = 0; rank < ranks; rank++) {
        struct range rows = strip_rows(n, ranks, rank);
        assert_int_equal(rows.lo, next);
        assert_int_equal(strip_owner(n, ranks, rows.lo), rank);
        assert_int_equal(strip_owner(n, ranks, rows.hi - 1), rank);
        next = rows.hi;
    }
    assert_int_equal(next, n);
}

static void empty_strips_come_last(void **state)
{
    (void)state;
    for (int rank = 0; rank < 7; rank++)
        assert_int_equal(range_length(strip_rows(3, 7, rank)), rank < 3);
}

/* The list as a set of bits, after a check of its form. */
static unsigned bits_of(const struct ranges *list)
{
    unsigned bits = 0;
    size_t last = 0;
    assert_in_range(list->count, 0, RANGES_MAX);
    for (int i = 0; i < list->count; i++) {
        struct range r = list->at[i];
        assert_true(r.lo < r.hi && r.hi <= SPAN && r.lo >= last);
        bits |= (1U << r.hi) - (1U << r.lo);
        last = r.hi;
    }
    assert_int_equal(ranges_length(list), __builtin_popcount(bits));
    return bits;
}

/* The list of the runs of ones in bits. */
static struct ranges list_of(unsigned bits)
{
    struct ranges list = {0};
    for (size_t i = 0; i < SPAN; i++) {
        if (!(bits >> i & 1))
            continue;
        if (i > 0 && bits >> (i - 1) & 1)
            list.at[list.count - 1].hi = i + 1;
        else
            list.at[list.count++] = (struct range){i, i + 1};
    }
    return list;
}

static void ranges_are_sets(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 1U << SPAN; bits++) {
        struct ranges list = list_of(bits);
        assert_int_equal(bits_of(&list), bits);
        for (size_t lo = 0; lo <= SPAN; lo++) {
            for (size_t hi = lo; hi <= SPAN; hi++) {
                unsigned other = (1U << hi) - (1U << lo);
                struct ranges within = ranges_within(list, (struct range){lo, hi});
                struct ranges without = ranges_without(list, (struct range){lo, hi});
                assert_int_equal(bits_of(&within), bits & other);
                assert_int_equal(bits_of(&without), bits & ~other);
            }
        }
    }
}

static void range_alone_or_empty(void **state)
{
    (void)state;
    struct ranges alone = ranges_of((struct range){3, 9}), none = ranges_of((struct range){4, 4});
    assert_int_equal(alone.count, 1);
    assert_int_equal(ranges_length(&alone), 6);
    assert_int_equal(none.count, 0);
    assert_int_equal(ranges_length(&none), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips_partition_the_rows), cmocka_unit_test(strips_of_the_largest_graph),
        cmocka_unit_test(empty_strips_come_last),    cmocka_unit_test(ranges_are_sets),
        cmocka_unit_test(range_alone_or_empty),
    };
    return cmocka_run_group_tests_name("strip", tests, NULL, NULL) != 0;
}
