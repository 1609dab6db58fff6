/*
 * Many small graphs of all families and types by the sparse engine and by searches: equal, byte for
 * byte, to the dense one on the CPU, and to Bellman and Ford's algorithm. mpirun -n RANKS
 * build/tests/sparse/test_many, or MANY_RANKS threads of one process. MANY graphs, 40 unless told,
 * a different set for every number of ranks; the sparse engine's device is MANY_DEVICE, cpu unless
 * told. Ranks may share a GPU.
 */
#include "unit.h"

#include "apsp_mpi.h"
#include "base/dtype.h"
#include "base/random.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_MOST = 70, EDGES = 6 * N_MOST, MANY = 40 };

static uint64_t state;
static enum apsp_device sparse_device = APSP_DEVICE_CPU;
static int thread_ranks;  /* 0: ranks are processes */
static uint32_t computed; /* bits of the types that the sparse engine has computed in */

static uint32_t draw(uint32_t least, uint32_t most)
{
    return least + random_below(&state, most - least + 1);
}

/* How edge e of a family of n vertices goes. */
static struct edge draw_edge(uint32_t family, uint32_t e, uint32_t n)
{
    uint32_t a = draw(0, n - 1), b = draw(0, n - 1), half = n / 2 > 0 ? n / 2 : 1;
    switch (family) {
    case 0: /* any */
        return (struct edge){a, b, {0}};
    case 1: /* a path, both ways */
        return e % 2 ? (struct edge){e / 2 % n, (e / 2 + 1) % n, {0}}
                     : (struct edge){(e / 2 + 1) % n, e / 2 % n, {0}};
    case 2: /* a star */
        return e % 2 ? (struct edge){0, a, {0}} : (struct edge){a, 0, {0}};
    case 3: /* one way only */
        return (struct edge){a < b ? a : b, a < b ? b : a, {0}};
    case 4: /* two parts and vertices alone */
        return e % 2 ? (struct edge){a % half, b % half, {0}}
                     : (struct edge){n - 1 - a % (half / 2 + 1), n - 1 - b % (half / 2 + 1), {0}};
    case 5: /* a grid of 6 columns */
        return (struct edge){a, e % 2 ? (a + 1) % n : (a + 6) % n, {0}};
    default: /* near ones, and some far */
        return (struct edge){a, e % 9 ? (a + draw(1, 3)) % n : b, {0}};
    }
}

struct sample {
    uint32_t n, m;
    struct edge edge[EDGES];
    uint32_t from[EDGES], to[EDGES];
    double real[EDGES];
    int64_t whole[EDGES];
    bool reals;
};

/* Weights may be zero; negative whole ones come of potentials, so no cycle is. Reals are multiples
 * of 1/8, at least 0: their sums are exact. */
static void make_sample(struct sample *sample, uint32_t trial)
{
    uint32_t n = draw(1, trial % 3 ? N_MOST / 4 : N_MOST), family = trial % 7;
    uint32_t heaviest = trial % 5 == 0 ? 1 : trial % 5 == 1 ? 100000 : 50, depth;
    sample->reals = trial % 6 == 5;
    depth = !sample->reals && trial % 4 == 3 ? 30 : 0;
    sample->n = n;
    sample->m = trial % 50 == 49 ? 0 : draw(0, 5 * n);
    for (uint32_t e = 0; e < sample->m; e++) {
        struct edge *edge = &sample->edge[e];
        *edge = draw_edge(family, e, n);
        int64_t weight = (int64_t)draw(0, heaviest);
        weight += (int64_t)depth * ((int64_t)(edge->from % 7) - (int64_t)(edge->to % 7));
        sample->from[e] = edge->from;
        sample->to[e] = edge->to;
        sample->whole[e] = weight;
        sample->real[e] = (double)weight / 8;
        if (sample->reals)
            edge->weight.real = sample->real[e];
        else
            edge->weight.whole = weight;
    }
}

/* Of all distances, by rows that are counted as they are made. */
struct totals {
    char sum[48];
    size_t pairs;
};

static void count_rows(struct apsp_solution *solution, struct totals *totals)
{
    struct apsp_stats stats;
    struct apsp_error error;
    if (apsp_find_stats(solution, APSP_STATS_OUT, &stats, &error))
        fail_msg("%s", error.text);
    memcpy(totals->sum, stats.sum, sizeof totals->sum);
    totals->pairs = stats.pairs;
    apsp_stats_free(&stats);
}

/* All rows, as the type of the solution. */
static void *rows_by(const char *method, struct apsp_graph *graph, struct apsp_options *options,
                     const uint32_t *list, size_t count, struct totals *totals)
{
    struct apsp_solution *solution;
    struct apsp_error error;
    options->method = method;
    options->device = strcmp(method, "sparse") == 0 ? sparse_device : APSP_DEVICE_CPU;
    options->ranks = thread_ranks;
    if (thread_ranks ? apsp_solve(graph, options, &solution, &error)
                     : apsp_solve_mpi(graph, MPI_COMM_WORLD, options, &solution, &error))
        fail_msg("%s: %s", method, error.text);
    const struct apsp_facts *facts = apsp_solution_facts(solution);
    assert_string_equal(facts->method, method);
    if (strcmp(method, "sparse") == 0)
        computed |= 1u << facts->computed;
    void *rows = calloc(count * facts->vertices, sizeof(int64_t));
    assert_non_null(rows);
    if (apsp_rows(solution, list, count, rows, 0, &error))
        fail_msg("%s: %s", method, error.text);
    count_rows(solution, totals);
    apsp_solution_free(solution);
    return rows;
}

static double number_at(const void *rows, size_t k, enum apsp_type type)
{
    return type == APSP_I64   ? (double)((const int64_t *)rows)[k]
           : type == APSP_F64 ? ((const double *)rows)[k]
                              : ((const float *)rows)[k];
}

static void compare(const struct sample *sample, const uint32_t *list, size_t count,
                    const void *rows, enum apsp_type type)
{
    size_t n = sample->n;
    bool cycle;
    void *right = sample->reals ? (void *)reference_real(n, sample->edge, sample->m, &cycle)
                                : (void *)reference_whole(n, sample->edge, sample->m, &cycle);
    assert_false(cycle);
    for (size_t k = 0; k < count; k++)
        for (size_t v = 0; v < n; v++) {
            double wanted = number_at(right, list[k] * n + v, sample->reals ? APSP_F64 : APSP_I64);
            if (!sample->reals && wanted >= (double)INF_I64)
                wanted = (double)dtype_info[DTYPE_I64].unreachable;
            double found = number_at(rows, k * n + v, type);
            if (found != wanted)
                fail_msg("%zu vertices, from %u to %zu: %.17g, not %.17g", n, list[k], v, found,
                         wanted);
        }
    free(right);
}

/* Whole numbers in types that hold 100,000 n, and 16 bits where these do; reals in both. */
static enum apsp_type type_of(const struct sample *sample, uint32_t trial)
{
    static const enum apsp_type whole[] = {APSP_AUTO, APSP_I32, APSP_I64},
                                real[] = {APSP_F32, APSP_F64};
    return sample->reals ? real[trial / 7 % 2] : whole[trial / 7 % 3];
}

/* By cost, small graphs have no core: two of three get one of some size. */
static void set_kappa(uint32_t trial)
{
    char kappa[16];
    snprintf(kappa, sizeof kappa, "%u", draw(0, 12));
    if (trial % 3 == 0)
        unsetenv("APSP_KAPPA");
    else
        setenv("APSP_KAPPA", kappa, 1);
}

static void check_sample(const struct sample *sample, uint32_t trial)
{
    const struct apsp_edges edges = {sample->n,
                                     sample->m,
                                     {sample->from, APSP_U32},
                                     {sample->to, APSP_U32},
                                     sample->reals ? (struct apsp_array){sample->real, APSP_F64}
                                                   : (struct apsp_array){sample->whole, APSP_I64}};
    struct apsp_options options;
    struct apsp_graph *graph;
    struct apsp_error error;
    uint32_t list[N_MOST], count = draw(1, sample->n);
    for (uint32_t k = 0; k < count; k++) /* in any order, some of them twice */
        list[k] = draw(0, sample->n - 1);
    apsp_options_init(&options);
    options.share_gpus = 1;
    options.threads = 1 + (int)(trial % 2);
    options.rows = trial % 3; /* the number need not be right */
    options.type = type_of(sample, trial);
    options.output = sample->reals ? options.type : APSP_I64;
    options.verify = trial % 8 == 0 ? APSP_VERIFY_ALL : 0;
    set_kappa(trial);
    assert_int_equal(apsp_graph_edges(&graph, &edges, &error), APSP_OK);
    struct totals totals[2];
    void *sparse = rows_by("sparse", graph, &options, list, count, &totals[0]),
         *dense = rows_by("dense", graph, &options, list, count, &totals[1]);
    assert_string_equal(totals[0].sum, totals[1].sum);
    assert_true(totals[0].pairs == totals[1].pairs);
    void *sssp = rows_by("sssp", graph, &options, list, count, &totals[0]);
    const size_t bytes = (size_t)count * sample->n * dtype_info[options.output - APSP_U16].bytes;
    assert_memory_equal(sparse, dense, bytes);
    assert_memory_equal(sssp, dense, bytes);
    compare(sample, list, count, sparse, options.output);
    free(sssp);
    free(dense);
    free(sparse);
    apsp_graph_free(graph);
}

static void many_graphs(void **unused)
{
    static struct sample sample;
    const char *many = getenv("MANY"), *device = getenv("MANY_DEVICE"),
               *threads = getenv("MANY_RANKS");
    uint32_t trials = many ? (uint32_t)atoi(many) : MANY;
    int ranks;
    (void)unused;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    thread_ranks = threads ? atoi(threads) : 0;
    ranks = thread_ranks ? thread_ranks : ranks;
    if (device && strcmp(device, "gpu") == 0)
        sparse_device = APSP_DEVICE_GPU;
    state = (uint64_t)ranks;
    for (uint32_t trial = 0; trial < trials; trial++) {
        make_sample(&sample, trial);
        check_sample(&sample, trial);
    }
    for (enum apsp_type type = APSP_U16; type <= APSP_F64; type++)
        assert_true(trials < MANY || computed >> type & 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_graphs)};
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed != 0;
}
