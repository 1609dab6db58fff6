/* Statistics of graphs whose edges lead back, which the sparse engine counts from a half of each
 * row, against distances by Bellman and Ford's algorithm. */
#include "unit.h"

#include "apsp.h"
#include "base/random.h"
#include "column_at.h"
#include "make_csr.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 90, EDGES = 8 * MOST };

static uint64_t state = 7;

static uint32_t draw(uint32_t low, uint32_t high)
{
    return low + random_below(&state, high - low + 1);
}

struct sample {
    size_t n, m;
    struct edge edge[EDGES];
    int64_t from[EDGES], to[EDGES], weight[EDGES];
};

static void add(struct sample *sample, uint32_t from, uint32_t to, int64_t weight)
{
    const size_t e = sample->m++;
    sample->edge[e] = (struct edge){from, to, {weight}};
    sample->from[e] = from;
    sample->to[e] = to;
    sample->weight[e] = weight;
}

/* Paths, stars, trees, several parts and random graphs, with loops and parallel edges. Each edge
 * leads back with its weight, or by an edge of less weight and one of more. */
static void make(struct sample *sample, uint32_t kind, int64_t most)
{
    const uint32_t n = draw(1, draw(0, 3) ? MOST / 3 : MOST), last = n - 1;
    const size_t pairs = kind < 3 ? last : draw(0, 3 * n);
    *sample = (struct sample){.n = n};
    for (uint32_t k = 0; k < pairs; k++) {
        const uint32_t from = kind < 3 ? k : draw(0, last), to = kind == 0   ? k + 1
                                                                 : kind == 1 ? last
                                                                 : kind == 2 ? draw(k + 1, last)
                                                                             : draw(0, last);
        const int64_t weight =
            (int64_t)(((uint64_t)draw(0, 1 << 30) << 30 | draw(0, 1 << 30)) % ((uint64_t)most + 1));
        if (kind == 4 && from % 3 != to % 3)
            continue;
        add(sample, from, to, weight);
        if (draw(0, 9) == 0)
            add(sample, to, from, weight + 1);
        add(sample, to, from, weight);
    }
}

/* Whether the least weights are the same both ways, pair by pair, and no vertex has too many edges
 * for a look through them. */
static bool is_mutual(const struct sample *sample)
{
    static int64_t least[MOST][MOST];
    size_t edges[MOST] = {0};
    for (size_t e = 0; e < sample->m; e++)
        if (sample->from[e] != sample->to[e] && ++edges[sample->from[e]] > MUTUAL_MOST)
            return false;
    for (size_t k = 0; k < MOST * MOST; k++)
        least[k / MOST][k % MOST] = INT64_MAX;
    for (size_t e = 0; e < sample->m; e++)
        if (sample->weight[e] < least[sample->from[e]][sample->to[e]])
            least[sample->from[e]][sample->to[e]] = sample->weight[e];
    for (size_t k = 0; k < MOST * MOST; k++)
        if (least[k / MOST][k % MOST] != least[k % MOST][k / MOST])
            return false;
    return true;
}

static void check(const struct sample *sample, const struct apsp_options *options)
{
    struct apsp_error error = {0};
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    struct apsp_stats stats;
    const struct apsp_edges edges = {sample->n,
                                     sample->m,
                                     {sample->from, APSP_I64},
                                     {sample->to, APSP_I64},
                                     {sample->weight, APSP_I64}};
    bool cycle;
    int64_t *right = reference_whole(sample->n, sample->edge, sample->m, &cycle);
    if (apsp_graph_edges(&graph, &edges, &error) || apsp_solve(graph, options, &solution, &error) ||
        apsp_find_stats(solution, 0, &stats, &error))
        fail_msg("%s", error.text);
    for (size_t v = 0; v < sample->n; v++) {
        double most = 0, sum = 0, reached = 0;
        for (size_t u = 0; u < sample->n; u++) {
            const int64_t value = right[v * sample->n + u];
            if (value == INF_I64)
                continue;
            most = (double)value > most ? (double)value : most;
            sum += (double)value;
            reached++;
        }
        assert_true(column_at(&stats, "eccentricity", v) == most);
        assert_true(column_at(&stats, "sum", v) == sum);
        assert_true(column_at(&stats, "reachable", v) == reached);
    }
    apsp_stats_free(&stats);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
    free(right);
}

/* Some with a core; of all integer types; a third of them have an edge that does not lead back. */
static void statistics_of_halves(void **unused)
{
    static const int64_t most[] = {1, 1000, 20000000, (int64_t)1 << 42};
    static const enum apsp_type type[] = {APSP_AUTO, APSP_I32, APSP_I64};
    static struct sample sample;
    (void)unused;
    for (uint32_t trial = 0; trial < 900; trial++) {
        struct apsp_options options;
        char kappa[16];
        const uint32_t size = trial % 4;
        make(&sample, trial % 7, most[size]);
        if (trial % 3 == 0 && sample.m > 0)
            add(&sample, draw(0, (uint32_t)sample.n - 1), draw(0, (uint32_t)sample.n - 1), 0);
        apsp_options_init(&options);
        options.device = APSP_DEVICE_CPU;
        options.method = "sparse";
        options.threads = 1 + (int)draw(0, 1);
        options.ranks = (int)draw(0, 3);
        options.type = type[size < 2 ? trial / 4 % 3 : size < 3 ? trial / 4 % 2 : 2];
        snprintf(kappa, sizeof kappa, "%u", draw(0, 20));
        if (draw(0, 1))
            setenv("APSP_KAPPA", kappa, 1);
        check(&sample, &options);
        unsetenv("APSP_KAPPA");
    }
}

static void graphs_whose_edges_lead_back(void **unused)
{
    static struct sample sample;
    size_t mutual = 0, others = 0;
    (void)unused;
    for (uint32_t trial = 0; trial < 2000; trial++) {
        make(&sample, trial % 7, trial % 2 ? 2 : 1000);
        if (trial % 2 && sample.m > 0)
            add(&sample, draw(0, (uint32_t)sample.n - 1), draw(0, (uint32_t)sample.n - 1), 1);
        struct csr csr = make_csr(sample.n, false, sample.edge, sample.m);
        const bool expected = is_mutual(&sample);
        mutual += expected;
        others += !expected;
        assert_int_equal(csr_is_mutual(&csr, 1 + (int)(trial % 2)), expected);
        csr_free(&csr);
    }
    assert_true(mutual > 500 && others > 100);
}

/* Rows that are too long to be looked through are never said to be the same both ways. */
static void long_rows_are_not_looked_through(void **unused)
{
    enum { LEAVES = MUTUAL_MOST + 1 };
    static struct edge edge[2 * LEAVES];
    (void)unused;
    for (uint32_t k = 0; k < LEAVES; k++) {
        edge[2 * k] = (struct edge){0, k + 1, {1}};
        edge[2 * k + 1] = (struct edge){k + 1, 0, {1}};
    }
    for (uint32_t left = 0; left < 2; left++) {
        struct csr csr = make_csr(LEAVES + 1, false, edge, 2 * (size_t)(LEAVES - left));
        assert_int_equal(csr_is_mutual(&csr, 2), left == 1);
        csr_free(&csr);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_of_halves),
        cmocka_unit_test(graphs_whose_edges_lead_back),
        cmocka_unit_test(long_rows_are_not_looked_through),
    };
    return cmocka_run_group_tests_name("half", tests, NULL, NULL) != 0;
}
