/* Random graphs of 16 edges a vertex, and their distances by the product's own solver. */
#include "paths.h"

#include "base/random.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEGREE = 16, WEIGHT_MOST = 100 };

static void make_matrix(int *d, size_t n)
{
    uint64_t state = n;
    for (size_t i = 0; i < n * n; i++)
        d[i] = i % (n + 1) == 0 ? 0 : LAB_FAR;
    for (size_t i = 0; i < n; i++)
        for (int e = 0; e < DEGREE; e++) {
            size_t j = random_below(&state, (uint32_t)n);
            int weight = 1 + (int)random_below(&state, WEIGHT_MOST);
            if (weight < d[i * n + j])
                d[i * n + j] = weight;
        }
}

bool paths_solve(const struct lab_problem *problem, const struct apsp_options *options,
                 int *distances, double *seconds)
{
    const size_t n = problem->n;
    const int *d = problem->in[0];
    size_t count = 0;
    uint32_t *from = lab_alloc(n * DEGREE, sizeof *from), *to = lab_alloc(n * DEGREE, sizeof *to);
    int32_t *weight = lab_alloc(n * DEGREE, sizeof *weight);
    struct apsp_graph *graph = NULL;
    struct apsp_solution *solution = NULL;
    for (size_t i = 0; i < n * n; i++)
        if (d[i] < LAB_FAR && d[i] > 0) {
            from[count] = (uint32_t)(i / n), to[count] = (uint32_t)(i % n);
            weight[count++] = d[i];
        }
    struct apsp_edges edges = {n, count, {from, APSP_U32}, {to, APSP_U32}, {weight, APSP_I32}};
    bool good = !apsp_graph_edges(&graph, &edges, NULL) &&
                !apsp_solve(graph, options, &solution, NULL) &&
                !apsp_rows(solution, NULL, 0, distances, 0, NULL);
    *seconds = good ? apsp_solution_facts(solution)->solve : 0;
    apsp_solution_free(solution);
    apsp_graph_free(graph);
    free(from);
    free(to);
    free(weight);
    return good;
}

static bool make(struct lab_problem *problem)
{
    size_t n = problem->n;
    struct apsp_options options;
    double seconds;
    problem->in[0] = lab_alloc(n * n, sizeof(int));
    problem->out = lab_alloc(n * n, sizeof(int));
    problem->right = lab_alloc(n * n, sizeof(int));
    problem->bytes = n * n * sizeof(int);
    make_matrix(problem->in[0], n);
    apsp_options_init(&options);
    options.output = APSP_I32;
    return paths_solve(problem, &options, problem->right, &seconds);
}

static size_t wrong(const struct lab_problem *problem)
{
    return lab_differ(problem, sizeof(int));
}

static double work(size_t n)
{
    return (double)n * (double)n * (double)n;
}

const struct lab_kind lab_paths = {make, wrong, work};
