/* Solves of small graphs, one after another: what the machine has is read once for the process, and
 * no thread is started. */
#include "unit.h"

#include "apsp.h"
#include "graph_of.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static struct sample sample;

static size_t reads_so_far(void)
{
    char line[64];
    size_t reads = SIZE_MAX;
    FILE *file = fopen("/proc/self/io", "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "syscr: %zu", &reads) == 1)
            break;
    if (file)
        fclose(file);
    return reads;
}

static size_t threads_now(void)
{
    size_t count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; tasks && (entry = readdir(tasks));)
        count += entry->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return count;
}

/* Asks a graph of N vertices, of whole or of real weights, for all that there is. */
static void solve(bool real)
{
    struct apsp_error error;
    struct apsp_options options;
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    struct apsp_stats stats;
    double rows[N * N];
    struct apsp_edges edges = {
        N, M, {sample.from64, APSP_I64}, {sample.to64, APSP_I64}, {sample.weight64, APSP_I64}};
    if (real)
        edges.weight = (struct apsp_array){sample.weightd, APSP_F64};
    apsp_options_init(&options);
    options.device = APSP_DEVICE_CPU;
    options.output = APSP_F64;
    options.verify = N;
    assert_int_equal(apsp_graph_edges(&graph, &edges, &error), APSP_OK);
    assert_int_equal(apsp_solve(graph, &options, &solution, &error), APSP_OK);
    assert_int_equal(apsp_table(solution, NULL, NULL, rows, 0, &error), APSP_OK);
    assert_int_equal(
        apsp_find_stats(solution, APSP_STATS_OUT | APSP_STATS_HISTOGRAM, &stats, &error), APSP_OK);
    apsp_stats_free(&stats);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

static void small_solves_read_nothing_again(void **state)
{
    (void)state;
    solve(false);
    solve(true);
    const size_t before = reads_so_far(), between = reads_so_far();
    if (before == SIZE_MAX)
        skip();
    for (int i = 0; i < 20; i++)
        solve(i % 2);
    assert_int_equal(reads_so_far() - between, between - before);
}

static void small_solves_start_no_threads(void **state)
{
    (void)state;
    assert_int_equal(threads_now(), 1);
    solve(false);
    solve(true);
    assert_int_equal(threads_now(), 1);
}

int main(void)
{
    sample_make(&sample, 0, 0);
    for (size_t e = 0; e < M; e++)
        sample.weightd[e] += 0.1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_solves_start_no_threads),
                                       cmocka_unit_test(small_solves_read_nothing_again)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(sample.right);
    return failed;
}
