/* Plans without an order: a glance tells graphs of small separators from others. */
#include "unit.h"

#include "base/random.h"
#include "graph/narrow.h"
#include "make_grid.h"
#include "sparse/rough.h"

enum { SIDE = 60 };

/* A plan before a glance at these edges, and after it. */
struct glances {
    struct engine_plan before, after;
};

static struct glances glance(const struct pattern *pattern)
{
    const struct csr csr = {.n = pattern->n,
                            .m = pattern->start[pattern->n],
                            .start = pattern->start,
                            .to = pattern->to};
    struct comm *comm;
    struct apsp_error error = {0};
    assert_int_equal(comm_solo(&comm, &error), APSP_OK);
    const struct request request = {0};
    const struct device cores = {.ops = &device_cpu};
    const struct engine_task task = {.request = &request,
                                     .comm = comm,
                                     .n = csr.n,
                                     .m = csr.m,
                                     .csr = &csr,
                                     .device = &cores,
                                     .narrow = csr_narrow(&csr),
                                     .skewed = csr_is_skewed(&csr)};
    struct glances glances = {.before = {.rate = 1e9}};
    rough_plan(&glances.before, &task);
    glances.after = glances.before;
    rough_glance(&glances.after, &task);
    comm_free(comm);
    return glances;
}

/* The odds of an order after a glance. */
static double odds_of(const struct pattern *pattern)
{
    const struct glances glances = glance(pattern);
    const struct engine_plan *before = &glances.before, *plan = &glances.after;
    assert_true(plan->bound && plan->look > 0 && plan->odds >= before->odds);
    assert_true(plan->risk == before->risk || plan->risk < ENGINE_RISK);
    assert_int_equal(plan->odds > before->odds, plan->work > before->work);
    assert_int_equal(plan->odds > before->odds, plan->look < before->look);
    return plan->odds;
}

static void grids_are_narrow(void **state)
{
    (void)state;
    struct pattern grid = make_grid(SIDE);
    assert_true(odds_of(&grid) > ENGINE_ODDS);
    free_grid(&grid);
}

/* So is a path; not if it has less than half of the vertices. */
static void half_of_the_graph_is_reached(void **state)
{
    (void)state;
    enum { N = 1000 };
    size_t start[N + 1];
    uint32_t to[N];
    const struct pattern path = {.n = N, .start = start, .to = to};
    for (int way = 0; way < 2; way++) { /* from its middle forward, or around */
        for (uint32_t v = 0; v < N; v++) {
            to[v] = way ? (v + 1) % N : v + 1 < N ? v + 1 : v;
            start[v] = v;
        }
        start[N] = N;
        assert_true(odds_of(&path) > ENGINE_ODDS);
        to[N / 2 + 100] = N / 2;
        assert_true(odds_of(&path) == ENGINE_ODDS);
    }
}

/* By an order of this cube, a row takes 2.7e6 relaxations, and solving 3.1e10. */
static void cubes_are_meshes(void **state)
{
    struct pattern cube = make_cube(30);
    const struct glances glances = glance(&cube);
    const struct engine_plan *plan = &glances.after;
    (void)state;
    assert_true(plan->odds > ENGINE_ODDS && plan->risk < ENGINE_RISK);
    assert_true(plan->look == glances.before.look);
    assert_true(plan->row_work > 2e6 && plan->row_work < 4e6);
    assert_true(plan->work > 2e10 && plan->work < 5e10);
    free_grid(&cube);
}

static void stars_and_random_graphs_are_wide(void **state)
{
    (void)state;
    struct pattern graph = make_grid(SIDE);
    uint64_t random = 1;
    for (size_t e = 0; e < graph.start[graph.n]; e++)
        graph.to[e] = random_below(&random, (uint32_t)graph.n);
    assert_true(odds_of(&graph) == ENGINE_ODDS);
    assert_true(glance(&graph).after.risk == ENGINE_RISK);
    for (size_t e = 0; e < graph.start[graph.n]; e++)
        graph.to[e] = 0;
    for (size_t v = 0; v <= graph.n; v++) /* all arcs are those of the middle */
        graph.start[v] = v <= graph.n / 2 ? 0 : graph.n;
    for (uint32_t v = 0; v < graph.n; v++)
        graph.to[v] = v;
    assert_true(odds_of(&graph) == ENGINE_ODDS);
    assert_true(glance(&graph).after.risk < ENGINE_RISK);
    free_grid(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_are_narrow),
        cmocka_unit_test(half_of_the_graph_is_reached),
        cmocka_unit_test(cubes_are_meshes),
        cmocka_unit_test(stars_and_random_graphs_are_wide),
    };
    return cmocka_run_group_tests_name("rough", tests, NULL, NULL) != 0;
}
