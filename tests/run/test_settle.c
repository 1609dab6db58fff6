/* check.c: how many rows are certified where that was left open. */
#include "unit.h"

#include "run/check.h"

/* Rows of a graph of a million edges and vertices together after so many seconds of solving. */
static size_t settled(struct comm *comm, int threads, bool more, double seconds)
{
    struct solver solver = {.comm = comm,
                            .problem.graph = {.n = 1000, .m = 999000},
                            .sink_task = {.n = 1000},
                            .topology.threads = threads};
    struct run run = {.options = {.results.verify = 64, .verify_more = more}, .solver = &solver};
    check_settle(&run, seconds);
    return run.options.results.verify;
}

static void all_rows_are_certified_where_that_is_cheap(void **state)
{
    (void)state;
    struct comm *comm;
    struct apsp_error error = {0};
    assert_int_equal(comm_solo(&comm, &error), APSP_OK);
    assert_int_equal(settled(comm, 1, true, 1), 64); /* 10^9 visits take seconds */
    assert_true(settled(comm, 1, true, 1000) == APSP_VERIFY_ALL);
    assert_int_equal(settled(comm, 1, false, 1000), 64);
    assert_int_equal(settled(comm, 1, true, 40), 64);
    assert_true(settled(comm, 4, true, 40) == APSP_VERIFY_ALL);
    comm_free(comm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rows_are_certified_where_that_is_cheap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
