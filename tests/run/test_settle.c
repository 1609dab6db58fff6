/* check.c: how many rows are certified where that was left open. */
#include "unit.h"

#include "folder.h"
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

/* Certified rows of a run over a path of 100 vertices, whose solving has taken so many seconds. */
static size_t certified(const char *graph, const char *stats, double seconds)
{
    const struct run_options options = {
        .graph = graph,
        .results = {.stats = stats, .force = true, .verify = 64},
        .request = {.method = "dense", .device = APSP_DEVICE_CPU, .threads = 1},
        .verify_more = true,
        .quiet = true};
    struct apsp_error error = {0};
    struct run *run;
    assert_int_equal(run_make(&run, &options, &error), APSP_OK);
    assert_int_equal(run_load(run) || run_solve(run), 0);
    run->solver->times.solve = seconds;
    assert_int_equal(run_rows(run), APSP_OK);
    const size_t rows = sinks_find(&run->solver->sinks, "verify")->rows;
    run_free(run);
    return rows;
}

/* They are certified while they are made, so that the seconds of solving are known before. */
static void rows_that_are_made_are_certified(void **state)
{
    char graph[sizeof folder + 20], stats[sizeof folder + 20];
    (void)state;
    snprintf(graph, sizeof graph, "%s/path.csv", folder);
    snprintf(stats, sizeof stats, "%s/stats.csv", folder);
    FILE *file = fopen(graph, "w");
    assert_non_null(file);
    fputs("from,to\n", file);
    for (int v = 0; v < 99; v++)
        fprintf(file, "%d,%d\n", v, v + 1);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(certified(graph, stats, 0), 64);
    assert_int_equal(certified(graph, stats, 1e6), 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_rows_are_certified_where_that_is_cheap),
                                       cmocka_unit_test(rows_that_are_made_are_certified)};
    return cmocka_run_group_tests_name("settle", tests, make_folder, remove_folder);
}
