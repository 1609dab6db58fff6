/* engine/groups.c: which rank has which sources. */
#include "unit.h"

#include "engine/groups.h"

enum { RANKS = 5, SOURCES = 400 };

/* Every source belongs to one group of one rank, and each rank knows how many it has. */
static void each_source_once(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= RANKS; ranks++)
        for (size_t sources = 0; sources <= SOURCES; sources += 7) {
            size_t seen[SOURCES] = {0};
            for (int rank = 0; rank < ranks; rank++) {
                const struct comm comm = {.rank = rank, .ranks = ranks};
                size_t turn = 0, all = 0, first, count;
                for (; (count = groups_at(&comm, sources, 16, turn, &first)) > 0; turn++) {
                    all += count;
                    for (size_t k = 0; k < count; k++)
                        seen[first + k]++;
                }
                assert_int_equal(turn, groups_count(&comm, sources, 16));
                assert_int_equal(all, groups_sources(&comm, sources, 16));
            }
            for (size_t k = 0; k < sources; k++)
                assert_int_equal(seen[k], 1);
        }
}

/* Where a group takes longer than the one before, by as much each time, ranks take equal time. */
static void rising_times_are_shared(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= RANKS; ranks++)
        for (int rank = 0; rank < ranks; rank++) {
            const struct comm comm = {.rank = rank, .ranks = ranks};
            const size_t groups = 6 * (size_t)ranks;
            size_t sum = 0, first;
            for (size_t turn = 0; groups_at(&comm, groups, 1, turn, &first) > 0; turn++)
                sum += first;
            assert_int_equal(sum, groups * (groups - 1) / 2 / (size_t)ranks);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_source_once),
        cmocka_unit_test(rising_times_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
