/* Diameter, radius, centre and periphery by few searches, beside the eccentricities of distances by
 * Bellman and Ford's algorithm, one by one. */
#include "unit.h"

#include "apsp.h"
#include "base/random.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 60, EDGES = 6 * MOST };

static uint64_t state = 17;
static struct apsp_error error;

struct sample {
    size_t n, m;
    uint32_t from[2 * EDGES], to[2 * EDGES];
    double weight[2 * EDGES], most[MOST], diameter, radius;
    bool connected, rounded;
};

static void add(struct sample *sample, uint32_t from, uint32_t to, double weight)
{
    sample->from[sample->m] = from;
    sample->to[sample->m] = to;
    sample->weight[sample->m++] = weight;
}

/* Parts with paths, trees and cycles, of either kind; `kind` of weights: equal ones, whole ones,
 * decimals, reals that sums round, and whole or rounded ones that potentials move below 0. */
enum kind { EQUAL, WHOLE, DECIMAL, ROUNDED, MOVED, MOVED_ROUNDED, KINDS };

static double weight_of(enum kind kind)
{
    const double unit = (double)(random_next(&state) >> 11) * 0x1p-53;
    return kind == EQUAL     ? 3
           : kind == DECIMAL ? random_below(&state, 50) / 10.0
           : kind == ROUNDED || kind == MOVED_ROUNDED
               ? unit
               : random_below(&state, random_below(&state, 2) ? 3 : 1000);
}

static void make(struct sample *sample, size_t n, enum kind kind, bool directed)
{
    const uint32_t reach = 1 + random_below(&state, 6), parts = random_below(&state, 4);
    double potential[MOST] = {0};
    *sample = (struct sample){
        .n = n, .rounded = kind == DECIMAL || kind == ROUNDED || kind == MOVED_ROUNDED};
    for (size_t v = 0; v < n && kind >= MOVED; v++)
        potential[v] = weight_of(kind) * 4;
    for (uint32_t v = 1; v < n; v++) {
        const uint32_t u = v - 1 - random_below(&state, v < reach ? v : reach);
        const bool back = random_below(&state, 2);
        if (random_below(&state, (uint32_t)n) < parts)
            continue;
        for (uint32_t more = 1 + random_below(&state, 2); more-- > 0;) {
            const uint32_t a = more   ? random_below(&state, v + 1)
                               : back ? v
                                      : u,
                           b = more || back ? u : v;
            const double weight = weight_of(kind);
            if (a == b)
                continue;
            add(sample, a, b, weight + potential[a] - potential[b]);
            if (!directed || random_below(&state, 2))
                add(sample, b, a, weight + potential[b] - potential[a]);
        }
    }
}

static void find_right(struct sample *sample)
{
    struct edge edge[2 * EDGES];
    bool cycle;
    for (size_t e = 0; e < sample->m; e++)
        edge[e] = (struct edge){sample->from[e], sample->to[e], {.real = sample->weight[e]}};
    double *right = reference_real(sample->n, edge, sample->m, &cycle);
    assert_false(cycle);
    sample->connected = true;
    sample->radius = INFINITY;
    sample->diameter = 0;
    for (size_t v = 0; v < sample->n; v++) {
        sample->most[v] = 0;
        for (size_t w = 0; w < sample->n; w++) {
            const double at = right[v * sample->n + w];
            sample->connected &= !isinf(at);
            if (!isinf(at))
                sample->most[v] = fmax(sample->most[v], at);
        }
        sample->radius = fmin(sample->radius, sample->most[v]);
        sample->diameter = fmax(sample->diameter, sample->most[v]);
    }
    free(right);
}

static bool is_near(const struct sample *sample, double a, double b)
{
    return fabs(a - b) <= (sample->rounded ? 1e-12 * (1 + fabs(b)) : 1e-13 * fabs(b));
}

static void check_list(const struct sample *sample, const uint32_t *list, size_t count,
                       double extreme)
{
    size_t at = 0;
    for (uint32_t v = 0; v < sample->n; v++) {
        const bool is_there = at < count && list[at] == v;
        assert_true(!is_there || is_near(sample, sample->most[v], extreme));
        assert_true(is_there || sample->rounded || !is_near(sample, sample->most[v], extreme));
        at += is_there;
    }
    assert_true(at == count && count > 0);
}

static void check(const struct sample *sample, const struct apsp_extent *extent)
{
    assert_true(extent->connected == sample->connected);
    assert_int_equal(extent->vertices, sample->n);
    assert_true(is_near(sample, extent->diameter.real, sample->diameter));
    assert_true(is_near(sample, extent->radius.real, sample->radius));
    check_list(sample, extent->central, extent->centrals, sample->radius);
    check_list(sample, extent->peripheral, extent->peripherals, sample->diameter);
}

static void check_each(const struct sample *sample, struct apsp_solution *solution)
{
    union {
        int64_t whole;
        double real;
    } value[MOST];
    const enum apsp_type type = apsp_solution_facts(solution)->type;
    if (apsp_eccentricities(solution, value, &error))
        fail_msg("%s", error.text);
    for (size_t v = 0; v < sample->n; v++)
        assert_true(is_near(sample, type == APSP_F64 ? value[v].real : (double)value[v].whole,
                            sample->most[v]));
}

/* The searches that were made. */
static size_t run(const struct sample *sample, bool whole, const char *method, bool each)
{
    struct apsp_options options;
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    struct apsp_extent extent;
    int64_t weight[2 * EDGES];
    for (size_t e = 0; e < sample->m; e++)
        weight[e] = (int64_t)sample->weight[e];
    const struct apsp_edges edges = {
        sample->n,
        sample->m,
        {sample->from, APSP_U32},
        {sample->to, APSP_U32},
        {whole ? (const void *)weight : sample->weight, whole ? APSP_I64 : APSP_F64}};
    apsp_options_init(&options);
    options.device = APSP_DEVICE_CPU;
    options.threads = 2;
    options.method = method;
    options.rows = 1;
    if (apsp_graph_edges(&graph, &edges, &error) || apsp_solve(graph, &options, &solution, &error))
        fail_msg("%s", error.text);
    if (apsp_find_extent(solution, &extent, &error))
        fail_msg("%s", error.text);
    check(sample, &extent);
    if (each)
        check_each(sample, solution);
    const size_t searches = extent.searches;
    apsp_extent_free(&extent);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
    return searches;
}

static void random_graphs(void **unused)
{
    static const char *const methods[] = {NULL, "dense", "sssp", "sparse"};
    (void)unused;
    for (uint32_t trial = 0; trial < 1200; trial++) {
        struct sample sample;
        const enum kind kind = trial % KINDS;
        const bool directed = trial / KINDS % 2 || kind >= MOVED;
        make(&sample, 1 + random_below(&state, MOST), kind, directed);
        find_right(&sample);
        run(&sample, kind == EQUAL || kind == WHOLE || kind == MOVED, methods[trial % 7 % 4],
            trial % 5 == 4);
    }
}

/* A path both ways, a ring one way, and two parts of which one leads to the other. */
static void few_searches(void **unused)
{
    struct sample sample = {.n = MOST};
    (void)unused;
    for (uint32_t v = 1; v < MOST; v++) {
        add(&sample, v - 1, v, 2);
        add(&sample, v, v - 1, 2);
    }
    find_right(&sample);
    assert_true(run(&sample, true, NULL, false) <= 8);
    sample = (struct sample){.n = MOST};
    for (uint32_t v = 0; v < MOST; v++)
        add(&sample, v, (v + 1) % MOST, v == 0 ? 1 : 0.5);
    add(&sample, 7, 6, 0.125);
    find_right(&sample);
    run(&sample, false, NULL, false);
    sample.m -= 2;
    add(&sample, MOST - 5, 7, 0.25);
    find_right(&sample);
    run(&sample, false, NULL, false);
}

static void refusals(void **unused)
{
    struct apsp_extent extent;
    (void)unused;
    assert_int_equal(apsp_find_extent(NULL, &extent, &error), APSP_USAGE);
    const struct apsp_edges edges = {3, 0, {0}, {0}, {0}};
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    assert_int_equal(apsp_graph_edges(&graph, &edges, &error), APSP_OK);
    assert_int_equal(apsp_solve(graph, NULL, &solution, &error), APSP_OK);
    assert_int_equal(apsp_find_extent(solution, NULL, &error), APSP_USAGE);
    assert_int_equal(apsp_eccentricities(NULL, &extent, &error), APSP_USAGE);
    assert_int_equal(apsp_eccentricities(solution, NULL, &error), APSP_USAGE);
    assert_int_equal(apsp_find_extent(solution, &extent, &error), APSP_OK);
    assert_true(extent.centrals == 3 && extent.peripherals == 3 && !extent.connected);
    apsp_extent_free(&extent);
    apsp_solution_free(solution);
    struct apsp_options options;
    apsp_options_init(&options);
    options.paths = "widest";
    assert_int_equal(apsp_solve(graph, &options, &solution, &error), APSP_OK);
    assert_int_equal(apsp_find_extent(solution, &extent, &error), APSP_USAGE);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(few_searches),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("extent", tests, NULL, NULL) != 0;
}
