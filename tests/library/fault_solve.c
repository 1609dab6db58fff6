/* fault_solve METHOD [RANKS], with an allocation that fails (tests/faults/memory.c): a solve, rows
 * and a path give APSP_MEMORY or what is right, and right is what they give after that. For
 * memory.sh. */
#include "unit.h"

#include "apsp.h"
#include "graph_of.h"

#include <stdio.h>
#include <string.h>

static int solve(const struct apsp_edges *edges, const char *method, int ranks,
                 const int64_t *right)
{
    struct apsp_graph *graph = NULL;
    struct apsp_solution *solution = NULL;
    struct apsp_options options;
    struct apsp_path path = {0, NULL};
    struct apsp_error error;
    const uint32_t list[] = {3, 1};
    const struct apsp_list two = {list, 2};
    const struct apsp_pairs_request request = {.from = two, .to = two, .nearest = 2};
    struct apsp_pairs pairs = {0, NULL};
    int64_t all[N * N], some[2 * N], table[4];
    apsp_options_init(&options);
    options.device = APSP_DEVICE_CPU;
    options.threads = ranks > 0 ? 1 : 2;
    options.ranks = ranks;
    options.method = method;
    options.output = APSP_I64;
    options.verify = 3;
    if (apsp_graph_edges(&graph, edges, &error) == APSP_OK &&
        apsp_solve(graph, &options, &solution, &error) == APSP_OK &&
        apsp_rows(solution, NULL, 0, all, 0, &error) == APSP_OK &&
        apsp_rows(solution, list, 2, some, 0, &error) == APSP_OK &&
        apsp_table(solution, &two, &two, table, 0, &error) == APSP_OK &&
        apsp_find_pairs(solution, &request, &pairs, &error) == APSP_OK &&
        apsp_find_path(solution, 0, 1, &path, &error) == APSP_OK &&
        (memcmp(all, right, sizeof all) != 0 || table[1] != right[3 * N + 1] ||
         table[2] != right[N + 3] || memcmp(some, all + 3 * N, N * sizeof *all) != 0))
        error.code = -1;
    apsp_pairs_free(&pairs);
    apsp_path_free(&path);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
    return error.code;
}

int main(int argc, char **argv)
{
    const char *method = argc > 1 ? argv[1] : NULL;
    const int ranks = argc > 2 ? atoi(argv[2]) : 0;
    static struct sample sample;
    sample_make(&sample, 0, 30);
    if (!sample.right) /* the reference's own allocation */
        return 0;
    const struct apsp_edges edges = sample_edges(&sample);
    int first = solve(&edges, method, ranks, sample.right),
        second = solve(&edges, method, ranks, sample.right);
    free(sample.right);
    if (first == APSP_OK && second == APSP_MEMORY) /* the first has had them all */
        return 77;
    if ((first != APSP_OK && first != APSP_MEMORY) || second != APSP_OK)
        return fprintf(stderr, "%d, then %d\n", first, second), 1;
    return 0;
}
