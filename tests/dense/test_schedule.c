/* schedule.c: the dense schedule eliminates every vertex once, in order, within strips, in tiles
 * and remainders. */
#include "unit.h"

#include "dense/schedule.h"

static void check_round(const struct round *round, size_t n, int ranks, size_t tile, size_t next)
{
    struct range strip = strip_rows(n, ranks, round->owner);
    size_t left = strip.hi - next;
    assert_int_equal(round->pivot.lo, next);
    assert_true(next >= strip.lo && round->pivot.hi <= strip.hi);
    assert_int_equal(range_length(round->pivot), left < tile ? left : tile);
    assert_int_equal(ranges_length(&round->rows), n);
    assert_int_equal(ranges_length(&round->cols), n);
}

static void check_schedule(size_t n, int ranks, size_t tile)
{
    struct schedule schedule;
    size_t next = 0;
    assert_true(schedule_dense(&schedule, n, ranks, tile));
    for (size_t r = 0; r < schedule.count; r++) {
        check_round(&schedule.rounds[r], n, ranks, tile, next);
        next = schedule.rounds[r].pivot.hi;
    }
    assert_int_equal(next, n);
    schedule_free(&schedule);
    assert_int_equal(schedule.count, 0);
    schedule_free(&schedule);
}

static void rounds_cover_every_vertex(void **state)
{
    static const size_t tiles[] = {1, 3, 16, 64, 1000, SIZE_MAX};
    (void)state;
    for (size_t n = 1; n <= 70; n++)
        for (int ranks = 1; ranks <= 9; ranks++)
            for (size_t t = 0; t < sizeof tiles / sizeof tiles[0]; t++)
                check_schedule(n, ranks, tiles[t]);
}

static void more_ranks_than_rows(void **state)
{
    (void)state;
    check_schedule(1, 7, 1);
    check_schedule(3, 1000, 16);
}

static void large_graph(void **state)
{
    (void)state;
    check_schedule(60000, 64, 128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_cover_every_vertex),
        cmocka_unit_test(more_ranks_than_rows),
        cmocka_unit_test(large_graph),
    };
    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL) != 0;
}
