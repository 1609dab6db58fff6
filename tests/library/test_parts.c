/* Skims and accessibility from a part of the vertices, to a part of them. */
#include "gives.h"
#include "graph_of.h"

#include <math.h>

enum { SHIFT = 32, MIDDLE = 12 }; /* Three sums are packed into one number. */

static struct sample sample;
static const uint32_t some[] = {7, 3, 48, 0, 21}, ends[] = {30, 7, 2, 45};
enum { SOME = sizeof some / sizeof *some, ENDS = sizeof ends / sizeof *ends };

static struct apsp_solution *solved(struct apsp_graph **graph)
{
    const struct apsp_edges edges = sample_edges(&sample);
    struct apsp_solution *solution;
    struct apsp_options options;
    apsp_options_init(&options);
    options.threads = 2;
    GIVES(apsp_graph_edges(graph, &edges, fresh()), APSP_OK);
    GIVES(apsp_solve(*graph, &options, &solution, fresh()), APSP_OK);
    return solution;
}

/* Sums of the attribute and of the edges along the least of the shortest paths; -1: there is none.
 */
static int64_t *right_skims(const int32_t *attribute)
{
    bool cycle;
    struct edge packed[M];
    for (size_t e = 0; e < M; e++) {
        packed[e] = sample.edge[e];
        packed[e].weight.whole =
            (sample.edge[e].weight.whole << SHIFT) + ((int64_t)attribute[e] << MIDDLE) + 1;
    }
    int64_t *right = reference_whole(N, packed, M, &cycle);
    for (size_t i = 0; i < (size_t)N * N; i++)
        right[i] = right[i] == INF_I64 ? -1 : right[i] & (((int64_t)1 << SHIFT) - 1);
    return right;
}

static void skims_of_a_part(void **state)
{
    int32_t attribute[M];
    uint64_t seed = 9;
    struct apsp_graph *graph, *skim[2] = {NULL, NULL};
    struct apsp_edges edges = sample_edges(&sample);
    (void)state;
    for (size_t e = 0; e < M; e++)
        attribute[e] = (int32_t)random_below(&seed, 50);
    edges.weight = (struct apsp_array){attribute, APSP_I32};
    GIVES(apsp_graph_edges(&skim[0], &edges, fresh()), APSP_OK);
    struct apsp_solution *solution = solved(&graph);
    int64_t *right = right_skims(attribute);
    for (int part = 0; part < 4; part++) {
        const size_t rows = part & 1 ? SOME : N, columns = part & 2 ? ENDS : N;
        struct apsp_skims skims = {.count = 2, .graph = skim};
        if (part & 1)
            skims.from = (struct apsp_list){some, SOME};
        if (part & 2)
            skims.to = (struct apsp_list){ends, ENDS};
        double values[2 * N * N];
        GIVES(apsp_find_skims(solution, &skims, values, fresh()), APSP_OK);
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++) {
                const size_t from = part & 1 ? some[i] : i, to = part & 2 ? ends[j] : j;
                const int64_t both = right[from * N + to];
                const double first = values[i * columns + j],
                             second = values[(rows + i) * columns + j];
                assert_true(both < 0 ? isinf(first) && isinf(second)
                                     : first == (double)(both >> MIDDLE) &&
                                           second == (double)(both & ((1 << MIDDLE) - 1)));
            }
    }
    free(right);
    apsp_solution_free(solution);
    apsp_graph_free(skim[0]);
    apsp_graph_free(graph);
}

static void access_of_a_part(void **state)
{
    static const double within[] = {40, 90};
    const struct apsp_decay decay[] = {{.kind = APSP_DECAY_STEP, .at = within[0]},
                                       {.kind = APSP_DECAY_STEP, .at = within[1]}};
    double amount[N], values[2 * N];
    struct apsp_graph *graph;
    struct apsp_solution *solution = solved(&graph);
    (void)state;
    for (size_t v = 0; v < N; v++)
        amount[v] = (double)(v * v % 11);
    for (int part = 0; part < 2; part++) {
        const size_t rows = part ? SOME : N;
        struct apsp_access access = {.columns = 1, .amount = amount, .decays = 2, .decay = decay};
        if (part)
            access.from = (struct apsp_list){some, SOME};
        GIVES(apsp_find_access(solution, &access, values, fresh()), APSP_OK);
        for (size_t i = 0; i < rows; i++)
            for (size_t k = 0; k < 2; k++) {
                double sum = 0;
                const int64_t *row = sample.right + (part ? some[i] : i) * N;
                for (size_t v = 0; v < N; v++)
                    sum += (double)row[v] <= within[k] ? amount[v] : 0;
                assert_true(values[2 * i + k] == sum);
            }
    }
    const uint32_t twice[] = {4, 4};
    const struct apsp_access wrong = {
        .from = {twice, 2}, .columns = 1, .amount = amount, .decays = 2, .decay = decay};
    GIVES(apsp_find_access(solution, &wrong, values, fresh()), APSP_USAGE);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

int main(void)
{
    sample_make(&sample, 0, 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(skims_of_a_part),
                                       cmocka_unit_test(access_of_a_part)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(sample.right);
    return failed;
}
