/* Estimates beside the facts of the solve. */
#include "unit.h"

#include "apsp.h"

#include <string.h>

enum { N = 500 };

static int32_t from[N], to[N];
static struct apsp_error error;

static struct apsp_graph *ring(int32_t weight)
{
    static int32_t weights[N];
    struct apsp_graph *graph;
    for (int32_t v = 0; v < N; v++) {
        from[v] = v;
        to[v] = (v + 1) % N;
        weights[v] = weight;
    }
    const struct apsp_edges edges = {N, N, {from, APSP_I32}, {to, APSP_I32}, {weights, APSP_I32}};
    if (apsp_graph_edges(&graph, &edges, &error))
        fail_msg("%s", error.text);
    return graph;
}

static void is_the_plan_of_the_solve(void **unused)
{
    static const char *const methods[] = {NULL, "dense", "sparse", "sssp"};
    (void)unused;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct apsp_graph *graph = ring(3);
        struct apsp_forecast estimate;
        struct apsp_options options;
        struct apsp_solution *solution;
        int taken = 0;
        apsp_options_init(&options);
        options.device = APSP_DEVICE_CPU;
        options.method = methods[k];
        assert_int_equal(apsp_estimate(graph, &options, &estimate, &error), APSP_OK);
        assert_int_equal(apsp_solve(graph, &options, &solution, &error), APSP_OK);
        assert_int_equal(estimate.vertices, N);
        assert_int_equal(estimate.edges, N);
        assert_int_equal(estimate.computed, apsp_solution_facts(solution)->computed);
        assert_true(estimate.fits && estimate.memory <= estimate.limit && estimate.seconds > 0);
        for (int i = 0; i < estimate.methods; i++) {
            taken += estimate.method[i].taken;
            if (estimate.method[i].taken && methods[k])
                assert_string_equal(estimate.method[i].name, methods[k]);
        }
        assert_int_equal(taken, 1);
        apsp_solution_free(solution);
        apsp_graph_free(graph);
    }
}

static void errors(void **unused)
{
    struct apsp_forecast estimate;
    struct apsp_options options;
    struct apsp_graph *graph = ring(-1);
    (void)unused;
    apsp_options_init(&options);
    assert_int_equal(apsp_estimate(graph, &options, &estimate, &error), APSP_CYCLE);
    assert_int_equal(apsp_estimate(graph, &options, NULL, &error), APSP_USAGE);
    assert_int_equal(apsp_estimate(NULL, &options, &estimate, &error), APSP_USAGE);
    options.method = "abacus";
    assert_int_equal(apsp_estimate(graph, &options, &estimate, &error), APSP_USAGE);
    assert_int_equal(estimate.vertices, 0);
    apsp_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_plan_of_the_solve),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests_name("planned", tests, NULL, NULL) != 0;
}
