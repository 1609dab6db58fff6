/* Batches of small graphs beside solves of each of them alone, and what they refuse. */
#include "gives.h"

#include "apsp.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { GRAPHS = 60, MOST = 23, ROOM = 25, NONE = -9999 };

#define OK(call) assert_int_equal(call, APSP_OK)
static unsigned draw(unsigned below)
{
    static unsigned state = 1;
    state = state * 1103515245U + 12345U;
    return (state >> 8) % below;
}

/* What the weights of a batch are like. */
struct kind {
    double scale; /* of integers up to 9 */
    int negative; /* not 0: some are, without negative cycles */
    int undirected;
};

static double weights[GRAPHS][MOST * MOST], found[GRAPHS][ROOM * ROOM];
static int32_t before[GRAPHS][ROOM * ROOM];
static struct apsp_small graphs[GRAPHS];

static void make_graphs(const struct kind *kind, bool trees)
{
    for (size_t k = 0; k < GRAPHS; k++) {
        const size_t n = 1 + k % MOST;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double *w = &weights[k][i * MOST + j];
                *w = draw(4) ? 0 : (1 + draw(9)) * kind->scale;
                if (kind->negative && *w > 0) /* of potentials 3 i */
                    *w += (3.0 * (double)i - 3.0 * (double)j) * kind->scale;
            }
        graphs[k] = (struct apsp_small){.vertices = n,
                                        .weight = weights[k],
                                        .stride = MOST,
                                        .distances = found[k],
                                        .before = trees ? before[k] : NULL};
    }
}

/* That of the edge, which a matrix that counts as undirected may have in its other half. */
static double length_of(const struct kind *kind, size_t k, size_t u, size_t v)
{
    double w = weights[k][u * MOST + v], back = weights[k][v * MOST + u];
    w = w == 0 ? INFINITY : w;
    return kind->undirected && back != 0 && back < w ? back : w;
}

/* Sums of integers are equal; others are rounded, of lengths up to 100 times the scale. */
static bool are_near(const struct kind *kind, double a, double b)
{
    return kind->scale == floor(kind->scale) ? a == b : fabs(a - b) <= 1e-13 * 100 * kind->scale;
}

static void compare_trees(const struct kind *kind, size_t k, size_t u)
{
    const size_t n = graphs[k].vertices;
    for (size_t v = 0; v < n; v++) {
        const double *row = found[k] + u * ROOM;
        size_t at = v, steps = 0;
        double sum = 0;
        if (u == v || isinf(row[v])) {
            assert_int_equal(before[k][u * ROOM + v], NONE);
            continue;
        }
        for (; at != u && steps <= n; steps++) {
            const size_t next = (size_t)before[k][u * ROOM + at];
            assert_true(next < n);
            sum += length_of(kind, k, next, at);
            at = next;
        }
        assert_true(at == u && are_near(kind, sum, row[v]));
    }
}

/* Row by row with a solution of the same graph. */
static void compare(const struct kind *kind, size_t k)
{
    const size_t n = graphs[k].vertices;
    const struct apsp_matrix matrix = {n, {weights[k], APSP_F64}, MOST, 1, NULL};
    struct apsp_options options;
    struct apsp_reading reading;
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    double rows[MOST * MOST];
    apsp_options_init(&options);
    apsp_reading_init(&reading);
    options.output = APSP_F64;
    reading.undirected = kind->undirected;
    OK(apsp_graph_matrix(&graph, &matrix, fresh()));
    OK(apsp_graph_adapt(graph, &reading, fresh()));
    OK(apsp_solve(graph, &options, &solution, fresh()));
    OK(apsp_rows(solution, NULL, 0, rows, 0, fresh()));
    for (size_t i = 0; i < ROOM; i++)
        for (size_t j = 0; j < ROOM; j++) {
            const double d = found[k][i * ROOM + j],
                         right = i < n && j < n ? rows[i * n + j] : INFINITY;
            assert_true(d == right || are_near(kind, d, right));
            if (graphs[k].before && (i >= n || j >= n))
                assert_int_equal(before[k][i * ROOM + j], NONE);
        }
    for (size_t i = 0; graphs[k].before && i < n; i++)
        compare_trees(kind, k, i);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

static void batches_are_as_solves(void **state)
{
    static const struct kind kinds[] = {{1, 0, 0},     {1, 0, 1},   {1000, 0, 0}, {1e9, 0, 0},
                                        {0.125, 0, 1}, {0.1, 0, 0}, {1, 1, 0},    {0.3, 1, 0}};
    static const char *const isas[] = {"avx512", "avx2", "plain"};
    (void)state;
    for (size_t t = 0; t < 6 * sizeof kinds / sizeof *kinds; t++) {
        const struct kind *kind = kinds + t / 6;
        const bool trees = t / 3 % 2 == 0;
        struct apsp_batch_task batch;
        assert_int_equal(setenv("APSP_ISA", isas[t % 3], 1), 0);
        make_graphs(kind, trees);
        apsp_batch_task_init(&batch);
        batch.count = GRAPHS;
        batch.graph = graphs;
        batch.weight = batch.output = APSP_F64;
        batch.undirected = kind->undirected;
        batch.room = ROOM;
        batch.none = NONE;
        batch.threads = 1 + (int)(t % 2);
        OK(apsp_batch(&batch, fresh()));
        for (size_t k = 0; k < GRAPHS; k++)
            compare(kind, k);
    }
    assert_int_equal(unsetenv("APSP_ISA"), 0);
}

/* 0 -> 1 -> 2 and 0 -> 2, twice. */
static const int32_t from[] = {0, 1, 0, 0}, to[] = {1, 2, 2, 2};
static const int32_t weight_i32[] = {0, 3, 9, 4};
static double d_f64[9];

static struct apsp_small small(void)
{
    return (struct apsp_small){.vertices = 3,
                               .weight = weight_i32,
                               .from = from,
                               .to = to,
                               .edges = 4,
                               .distances = d_f64};
}

static struct apsp_batch_task batch_of(const struct apsp_small *graph, enum apsp_type weight,
                                       enum apsp_type output)
{
    struct apsp_batch_task batch;
    apsp_batch_task_init(&batch);
    batch.count = 1;
    batch.graph = graph;
    batch.weight = weight;
    batch.output = output;
    return batch;
}

static void edges_and_outputs(void **state)
{
    static const double hidden[] = {1, INFINITY, INFINITY, 2.5};
    int32_t d_i32[9];
    float d_f32[9];
    struct apsp_small graph = small();
    struct apsp_batch_task batch = batch_of(&graph, APSP_I32, APSP_F64);
    (void)state;
    OK(apsp_batch(&batch, fresh()));
    assert_true(d_f64[1] == 0 && d_f64[2] == 3 && d_f64[5] == 3 && isinf(d_f64[3]));
    graph.distances = d_i32;
    batch.output = APSP_I32;
    OK(apsp_batch(&batch, fresh()));
    assert_true(d_i32[2] == 3 && d_i32[3] == APSP_UNREACHABLE_I32);
    batch.unweighted = 1;
    OK(apsp_batch(&batch, fresh()));
    assert_true(d_i32[1] == 1 && d_i32[2] == 1);
    graph.weight = NULL;
    batch.unweighted = 0;
    OK(apsp_batch(&batch, fresh()));
    assert_true(d_i32[1] == 1 && d_i32[2] == 1);
    graph.weight = hidden;
    graph.distances = d_f32;
    batch.weight = APSP_F64;
    batch.output = APSP_F32;
    OK(apsp_batch(&batch, fresh()));
    assert_true(d_f32[1] == 1 && d_f32[2] == 2.5F && isinf(d_f32[5]));
    batch.count = 0;
    batch.graph = NULL;
    OK(apsp_batch(&batch, fresh()));
}

static void what_is_wrong_is_refused(void **state)
{
    static const double nan_[] = {1, NAN, 1, 1}, low[] = {1, -INFINITY, 1, 1},
                        half[] = {.5, 1, 1, 1};
    static const int64_t large[] = {INT64_C(1) << 53, 1, 1, 1}, more[] = {1 << 24, 1, 1, 1};
    static const int32_t out[] = {0, 3, 1, 1}, ring[] = {1, 2, 0, 0}, cycle[] = {1, -3, 1, 5},
                         loop[] = {0, 1, 0, 2};
    struct apsp_small graph = small(), two[2];
    struct apsp_batch_task batch = batch_of(&graph, APSP_F64, APSP_F64);
    (void)state;
    graph.weight = nan_;
    FAILS(apsp_batch(&batch, fresh()), APSP_INPUT, "graph 0: edge 1: the weight is NaN");
    graph.weight = low;
    FAILS(apsp_batch(&batch, fresh()), APSP_INPUT, "-inf");
    graph.weight = half;
    batch.output = APSP_I32;
    FAILS(apsp_batch(&batch, fresh()), APSP_INPUT, "not all weights are integers");
    graph.weight = large;
    batch.weight = APSP_I64;
    batch.output = APSP_F64;
    FAILS(apsp_batch(&batch, fresh()), APSP_INPUT, "below 2^53");
    graph.weight = more;
    batch.output = APSP_F32;
    FAILS(apsp_batch(&batch, fresh()), APSP_INPUT, "f32 is exact below");
    graph = small();
    batch = batch_of(&graph, APSP_I32, APSP_F64);
    graph.to = out;
    FAILS(apsp_batch(&batch, fresh()), APSP_INPUT, "edge 1: vertex 3 is not in 0 .. 2");
    graph.to = loop;
    graph.weight = cycle;
    FAILS(apsp_batch(&batch, fresh()), APSP_CYCLE, "loop at vertex 1");
    graph.from = to;
    graph.to = ring;
    graph.edges = 3;
    two[0] = small();
    two[1] = graph;
    two[1].from = (const int32_t[]){0, 1, 2};
    two[1].weight = cycle;
    batch.graph = two;
    batch.count = 2;
    FAILS(apsp_batch(&batch, fresh()), APSP_CYCLE, "graph 1: there is a negative cycle");
    two[0].vertices = 0;
    FAILS(apsp_batch(&batch, fresh()), APSP_INPUT, "graph 0: 0 vertices");
    two[0].vertices = APSP_BATCH_VERTICES + 1;
    FAILS(apsp_batch(&batch, fresh()), APSP_INPUT, "1025 vertices");
    two[0] = small();
    two[0].distances = NULL;
    FAILS(apsp_batch(&batch, fresh()), APSP_USAGE, "graph 0: NULL");
    two[0] = small();
    two[0].from = NULL;
    two[0].stride = 2;
    FAILS(apsp_batch(&batch, fresh()), APSP_USAGE, "stride 2");
    two[0] = small();
    batch.room = 2;
    FAILS(apsp_batch(&batch, fresh()), APSP_USAGE, "room for 2");
    batch.room = 0;
    batch.weight = APSP_U16;
    FAILS(apsp_batch(&batch, fresh()), APSP_USAGE, "type 1");
    batch.weight = APSP_I32;
    batch.output = APSP_I64;
    FAILS(apsp_batch(&batch, fresh()), APSP_USAGE, "of distances");
    batch.graph = NULL;
    FAILS(apsp_batch(&batch, fresh()), APSP_USAGE, "2 graphs");
    batch.size = 0;
    FAILS(apsp_batch(&batch, fresh()), APSP_USAGE, "apsp_batch_task_init");
    FAILS(apsp_batch(NULL, fresh()), APSP_USAGE, "NULL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_are_as_solves),
        cmocka_unit_test(edges_and_outputs),
        cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
