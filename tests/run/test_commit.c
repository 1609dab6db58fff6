/* commit.c: what has its name at the end of a run whose files cannot all have theirs. */
#include "unit.h"

#include "folder.h"
#include "run/run.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char graph[sizeof folder + 20], target[sizeof folder + 20], kept[sizeof folder + 20],
    scale[sizeof folder + 20];

static bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

/* Two edges with tenths, of which the distances are written as integers. */
static void write_graph(void)
{
    FILE *out = fopen(graph, "w");
    assert_non_null(out);
    assert_true(fputs("from,to,weight\na,b,0.5\nb,c,1.7\n", out) >= 0);
    assert_int_equal(fclose(out), 0);
}

/* A run up to its last step. Then a folder takes the name of the scale. */
static void commit(bool taken, bool force, int code)
{
    const struct run_options options = {
        .graph = graph,
        .results = {.distances = target, .force = force},
        .request = {.output_type = "i32", .device = APSP_DEVICE_CPU, .threads = 1},
        .quiet = true};
    struct apsp_error error = {0};
    struct run *run;
    assert_int_equal(run_make(&run, &options, &error), APSP_OK);
    assert_int_equal(run_load(run), APSP_OK);
    assert_int_equal(run_solve(run), APSP_OK);
    assert_int_equal(run_rows(run), APSP_OK);
    if (taken)
        assert_int_equal(mkdir(scale, 0700), 0);
    assert_int_equal(run_commit(run), code);
    assert_true(code || run->report.proof > 0);
    assert_true(code || (run->report.bound.whole >= 22 && run->report.bound.whole <= 34));
    assert_non_null(strstr(code ? run->solver->error.text : "", code ? scale : ""));
    run_free(run);
}

static void multiples_do_not_stand_without_their_scale(void **state)
{
    (void)state;
    write_graph();
    commit(false, false, APSP_OK);
    assert_true(exists(target) && exists(scale) && !exists(kept));
    assert_int_equal(unlink(target) | unlink(scale), 0);
    for (int force = 0; force < 2; force++) {
        commit(true, force, force ? APSP_IO : APSP_USAGE);
        assert_true(!exists(target) && exists(kept));
        assert_int_equal(rmdir(scale) | unlink(kept), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiples_do_not_stand_without_their_scale)};
    if (make_folder(NULL))
        return 1;
    snprintf(graph, sizeof graph, "%s/graph.csv", folder);
    snprintf(target, sizeof target, "%s/out.i32", folder);
    snprintf(kept, sizeof kept, "%s/out.i32.kept", folder);
    snprintf(scale, sizeof scale, "%s/out.i32.scale", folder);
    return cmocka_run_group_tests_name("commit", tests, NULL, remove_folder) != 0;
}
