/* What callers with arrays of their own need beside edges and rows: matrices, directions,
 * predecessors, and a call that ends when they want it. */
#include "unit.h"

#include "apsp.h"
#include "base/clock.h"
#include "graph_of.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct sample sample, negative;
static struct apsp_error error;

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != APSP_OK)                                                                     \
            fail_msg("%s: %s", #call, error.text);                                                 \
    } while (0)

#define FAILS(call, status, word)                                                                  \
    do {                                                                                           \
        assert_int_equal((call), (status));                                                        \
        if (!strstr(error.text, (word)))                                                           \
            fail_msg("'%s' is not in: %s", (word), error.text);                                    \
    } while (0)

static struct apsp_options options_of(const char *method)
{
    struct apsp_options options;
    apsp_options_init(&options);
    options.device = APSP_DEVICE_CPU;
    options.threads = 2;
    options.method = method;
    return options;
}

static void check_graph(struct apsp_graph *graph, const int64_t *right)
{
    struct apsp_solution *solution;
    struct apsp_options options = options_of(NULL);
    double all[N * N];
    options.output = APSP_F64;
    OK(apsp_solve(graph, &options, &solution, &error));
    OK(apsp_rows(solution, NULL, 0, all, 0, &error));
    for (size_t i = 0; i < N * N; i++)
        assert_int_equal(entry_of(all, APSP_F64, i), right[i]);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

/* The lightest edges of the sample, by columns, in every second place. */
static void fill(double *values, double absent)
{
    for (size_t i = 0; i < 2 * N * N; i++)
        values[i] = i % 2 ? 7 : absent;
    for (size_t e = 0; e < M; e++) {
        double *at = &values[2 * (sample.edge[e].to * N + sample.edge[e].from)];
        *at = *at == absent || isnan(*at) || sample.weightd[e] < *at ? sample.weightd[e] : *at;
    }
}

static void matrices(void **state)
{
    double values[2 * N * N];
    int32_t whole[N * N] = {0};
    struct apsp_matrix matrix = {N, {values, APSP_F64}, 2, 2 * N, NULL};
    struct apsp_graph *graph;
    (void)state;
    fill(values, NAN);
    for (size_t e = 0; e < M; e++) /* a zero is no edge unless it is said to be */
        values[2 * (sample.edge[e].to * N + sample.edge[e].from)] += sample.weightd[e] == 0;
    matrix.no_edge = "inf,nan";
    OK(apsp_graph_matrix(&graph, &matrix, &error));
    apsp_graph_free(graph);
    fill(values, INFINITY);
    OK(apsp_graph_matrix(&graph, &matrix, &error));
    check_graph(graph, sample.right);
    matrix.no_edge = "0,nan";
    OK(apsp_graph_matrix(&graph, &matrix, &error));
    struct apsp_solution *solution;
    FAILS(apsp_solve(graph, NULL, &solution, &error), APSP_INPUT, "is not a finite weight");
    apsp_graph_free(graph);
    matrix.no_edge = "some";
    FAILS(apsp_graph_matrix(&graph, &matrix, &error), APSP_USAGE, "some");
    matrix = (struct apsp_matrix){.vertices = N, .weight = {whole, APSP_I32}};
    whole[3] = 5;
    OK(apsp_graph_matrix(&graph, &matrix, &error));
    int64_t right[N * N];
    for (size_t i = 0; i < N * N; i++)
        right[i] = i % (N + 1) == 0 ? 0 : i == 3 ? 5 : INF_I64;
    check_graph(graph, right);
    matrix.weight.data = NULL;
    FAILS(apsp_graph_matrix(&graph, &matrix, &error), APSP_USAGE, "NULL");
    matrix = (struct apsp_matrix){.vertices = 0, .weight = {whole, APSP_I32}};
    FAILS(apsp_graph_matrix(&graph, &matrix, &error), APSP_INPUT, "0 vertices");
    FAILS(apsp_graph_matrix(&graph, NULL, &error), APSP_USAGE, "NULL");
    assert_null(graph);
}

/* The sample as others have it. */
static int64_t *distances_of(bool undirected, bool reversed, bool unweighted)
{
    struct edge edge[2 * M];
    bool cycle;
    for (size_t e = 0; e < M; e++) {
        edge[e] = sample.edge[e];
        if (reversed)
            edge[e] = (struct edge){edge[e].to, edge[e].from, edge[e].weight};
        if (unweighted)
            edge[e].weight.whole = 1;
        edge[M + e] = (struct edge){edge[e].to, edge[e].from, edge[e].weight};
    }
    return reference_whole(N, edge, undirected ? 2 * M : M, &cycle);
}

/* The sample as edges, as rows, or as a matrix. */
static struct apsp_graph *graph_as(int form, double values[2 * N * N], uint32_t start[N + 1])
{
    struct apsp_edges edges = sample_edges(&sample);
    struct apsp_csr csr = {N, {start, APSP_U32}, edges.to, edges.weight};
    struct apsp_matrix matrix = {N, {values, APSP_F64}, 2, 2 * N, "inf,nan"};
    struct apsp_graph *graph;
    memset(start, 0, (N + 1) * sizeof *start);
    for (size_t e = 0; e < M; e++) /* they are sorted by their tails */
        start[sample.edge[e].from + 1]++;
    for (size_t v = 0; v < N; v++)
        start[v + 1] += start[v];
    fill(values, INFINITY);
    if (form == 0)
        OK(apsp_graph_edges(&graph, &edges, &error));
    else if (form == 1)
        OK(apsp_graph_csr(&graph, &csr, &error));
    else
        OK(apsp_graph_matrix(&graph, &matrix, &error));
    return graph;
}

static void directions_and_weights(void **state)
{
    struct apsp_edges edges = sample_edges(&sample);
    struct apsp_reading reading;
    struct apsp_graph *graph;
    double values[2 * N * N];
    uint32_t start[N + 1];
    (void)state;
    for (int way = 0; way < 24; way++) {
        apsp_reading_init(&reading);
        reading.undirected = way & 1;
        reading.reverse = way & 2;
        reading.unweighted = way & 4;
        int64_t *right = distances_of(way & 1, way & 2, way & 4);
        graph = graph_as(way / 8, values, start);
        OK(apsp_graph_adapt(graph, &reading, &error));
        check_graph(graph, right);
        free(right);
    }
    OK(apsp_graph_edges(&graph, &edges, &error));
    reading.columns = "1,2";
    FAILS(apsp_graph_adapt(graph, &reading, &error), APSP_USAGE, "reading.columns");
    reading.columns = NULL;
    reading.format = "gr";
    FAILS(apsp_graph_adapt(graph, &reading, &error), APSP_USAGE, "files");
    FAILS(apsp_graph_adapt(NULL, &reading, &error), APSP_USAGE, "NULL");
    apsp_graph_free(graph);
    static const char text[] = "p sp 2 1\na 1 2 3\n";
    OK(apsp_graph_bytes(&graph, text, sizeof text - 1, "gr", &error));
    FAILS(apsp_graph_adapt(graph, NULL, &error), APSP_USAGE, "files");
    apsp_graph_free(graph);
}

/* Every step back along the tree is an edge that is as long as the distances say, and leads to the
 * source. */
static void check_tree(const struct sample *graph, size_t source, const int32_t *tree)
{
    const int64_t *right = graph->right + source * N;
    for (size_t v = 0; v < N; v++) {
        size_t at = v, steps = 0;
        assert_int_equal(tree[v] == -9999, v == source || right[v] == INF_I64);
        for (; tree[at] >= 0; at = (size_t)tree[at]) {
            bool tight = false;
            for (size_t e = 0; e < M; e++)
                tight |= graph->edge[e].from == (uint32_t)tree[at] && graph->edge[e].to == at &&
                         right[tree[at]] + graph->edge[e].weight.whole == right[at];
            assert_true(tight);
            assert_true(++steps < N);
        }
        assert_true(at == source || at == v);
    }
}

static void predecessors(void **state)
{
    static const char *const methods[] = {"dense", "sparse"};
    const struct sample *samples[] = {&sample, &negative};
    const uint32_t list[] = {7, 0, 7, N - 1};
    const struct apsp_list from = {list, 4};
    int32_t some[4 * (N + 1)], all[N * N];
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    (void)state;
    for (int way = 0; way < 4; way++) {
        struct apsp_edges edges = sample_edges(samples[way / 2]);
        struct apsp_options options = options_of(methods[way % 2]);
        OK(apsp_graph_edges(&graph, &edges, &error));
        OK(apsp_solve(graph, &options, &solution, &error));
        OK(apsp_predecessors(solution, NULL, -9999, all, 0, &error));
        for (size_t i = 0; i < N; i++)
            check_tree(samples[way / 2], i, all + i * N);
        OK(apsp_predecessors(solution, &from, -9999, some, N + 1, &error));
        for (size_t k = 0; k < 4; k++)
            check_tree(samples[way / 2], list[k], some + k * (N + 1));
        FAILS(apsp_predecessors(solution, &from, 0, some, N - 1, &error), APSP_USAGE, "stride");
        FAILS(apsp_predecessors(solution, NULL, 0, NULL, 0, &error), APSP_USAGE, "NULL");
        const struct apsp_list wrong = {(const uint32_t[]){N}, 1};
        FAILS(apsp_predecessors(solution, &wrong, 0, some, 0, &error), APSP_USAGE, "vertex 50");
        apsp_solution_free(solution);
        apsp_graph_free(graph);
    }
    FAILS(apsp_predecessors(NULL, NULL, 0, all, 0, &error), APSP_USAGE, "NULL");
}

static void memory_of_the_caller_counts(void **state)
{
    struct apsp_edges edges = sample_edges(&sample);
    struct apsp_options options = options_of(NULL);
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    (void)state;
    OK(apsp_graph_edges(&graph, &edges, &error));
    options.beside = SIZE_MAX / 2;
    FAILS(apsp_solve(graph, &options, &solution, &error), APSP_MEMORY, "GiB");
    options.beside = 1 << 20;
    OK(apsp_solve(graph, &options, &solution, &error));
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

/* Distances below 255, for which files have a narrower type. */
static void the_narrowest_rows_are_u16(void **state)
{
    struct apsp_edges edges = sample_edges(&sample);
    struct apsp_options options = options_of(NULL);
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    uint16_t row[N];
    (void)state;
    edges.weight.data = NULL;
    options.output = APSP_NARROW;
    int64_t *right = distances_of(false, false, true);
    OK(apsp_graph_edges(&graph, &edges, &error));
    OK(apsp_solve(graph, &options, &solution, &error));
    assert_int_equal(apsp_solution_facts(solution)->type, APSP_U16);
    OK(apsp_rows(solution, (const uint32_t[]){3}, 1, row, 0, &error));
    for (size_t v = 0; v < N; v++)
        assert_int_equal(entry_of(row, APSP_U16, v), right[3 * N + v]);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
    free(right);
}

static int cancel(void *left, const char *step, size_t done, size_t steps)
{
    (void)step;
    (void)done;
    (void)steps;
    if (--*(int *)left == 0)
        apsp_cancel();
    return 0;
}

static int cancel_blocks(void *left, const struct apsp_block *block)
{
    (void)block;
    return cancel(left, NULL, 0, 0);
}

static void a_cancel_is_of_one_call(void **state)
{
    struct apsp_edges edges = sample_edges(&sample);
    struct apsp_options options = options_of("dense");
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    int left, steps = 1000;
    (void)state;
    options.progress = cancel;
    options.progress_user = &steps;
    options.tile = 10;
    OK(apsp_graph_edges(&graph, &edges, &error));
    OK(apsp_solve(graph, &options, &solution, &error));
    apsp_solution_free(solution);
    options.progress_user = &left;
    for (int step = 1; step <= 1000 - steps; step++) {
        left = step;
        FAILS(apsp_solve(graph, &options, &solution, &error), APSP_CANCELLED, "cancelled");
        assert_null(solution);
    }
    apsp_cancel(); /* before the call */
    options.progress = NULL;
    OK(apsp_solve(graph, &options, &solution, &error));
    left = 1;
    FAILS(apsp_blocks(solution, cancel_blocks, &left, 0, &error), APSP_CANCELLED, "cancelled");
    left = 0;
    OK(apsp_blocks(solution, cancel_blocks, &left, 0, &error));
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

/* A call on a thread of its own, that takes many seconds when it is let be. */
struct call {
    struct apsp_graph *graph;
    struct apsp_options options;
    struct apsp_error error;
    atomic_bool over;
};

static void *solve(void *self)
{
    struct call *call = self;
    struct apsp_solution *solution;
    apsp_solve(call->graph, &call->options, &solution, &call->error);
    apsp_solution_free(solution);
    call->over = true;
    return NULL;
}

/* Of all its threads. */
static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds that it still took, when it was cancelled after so many, and those of processors. */
static double latency(struct call *call, double after, double *worked)
{
    pthread_t thread;
    call->over = false;
    pthread_create(&thread, NULL, solve, call);
    usleep((useconds_t)(after * 1e6));
    double begun = clock_seconds(), before = processor_seconds();
    for (; !call->over; usleep(1000))
        apsp_cancel();
    pthread_join(thread, NULL);
    *worked = processor_seconds() - before;
    return clock_seconds() - begun;
}

static void long_solves_end_soon(void **state)
{
    enum { VERTICES = 15000, DEGREE = 6 };
    static const char *const methods[] = {"dense", "sparse"};
    static const double after[] = {0.01, 0.1, 0.5, 1.2};
    int32_t *from = calloc(VERTICES * DEGREE, 3 * sizeof *from), *to = from + VERTICES * DEGREE,
            *weight = to + VERTICES * DEGREE;
    uint64_t random = 1;
    (void)state;
    for (size_t e = 0; e < VERTICES * DEGREE; e++) {
        from[e] = (int32_t)(e / DEGREE);
        to[e] = (int32_t)random_below(&random, VERTICES);
        weight[e] = (int32_t)random_below(&random, 1000);
    }
    const struct apsp_edges edges = {
        VERTICES, VERTICES * DEGREE, {from, APSP_I32}, {to, APSP_I32}, {weight, APSP_I32}};
    for (int way = 0; way < 8; way++) {
        struct call call = {.options = options_of(methods[way / 4])};
        OK(apsp_graph_edges(&call.graph, &edges, &error));
        double worked, took = latency(&call, after[way % 4], &worked);
        assert_int_equal(call.error.code, APSP_CANCELLED);
        print_message("%s, cancelled after %g s: over %.3f s later, %.3f s of work\n",
                      methods[way / 4], after[way % 4], took, worked);
        assert_true(worked < 1); /* however busy the machine is; 10 and more without */
        apsp_graph_free(call.graph);
    }
    free(from);
}

/* Real weights of many bits, some below 0, that rounded sums stand for until they are fine enough.
 */
static void a_search_for_real_potentials_ends_soon(void **state)
{
    enum { VERTICES = 100000, DEGREE = 3 };
    int32_t *from = calloc(VERTICES * DEGREE, 2 * sizeof *from), *to = from + VERTICES * DEGREE;
    double *weight = calloc(VERTICES * (DEGREE + 1), sizeof *weight),
           *height = weight + VERTICES * DEGREE;
    uint64_t random = 1;
    (void)state;
    for (size_t v = 0; v < VERTICES; v++)
        height[v] = (double)random_below(&random, 1000);
    for (size_t e = 0; e < VERTICES * DEGREE; e++) {
        from[e] = (int32_t)(e / DEGREE);
        to[e] = (int32_t)(e % DEGREE == 0 ? (e / DEGREE + 1) % VERTICES
                                          : random_below(&random, VERTICES));
    }
    for (size_t e = 0; e < VERTICES * DEGREE;
         e++) /* no cycle is negative, as heights cancel out in it */
        weight[e] = sqrt(1 + (double)random_below(&random, 1000)) + height[from[e]] - height[to[e]];
    const struct apsp_edges edges = {
        VERTICES, VERTICES * DEGREE, {from, APSP_I32}, {to, APSP_I32}, {weight, APSP_F64}};
    for (int way = 0; way < 8; way++) {
        struct call call = {.options = options_of("sparse")};
        OK(apsp_graph_edges(&call.graph, &edges, &error));
        double worked, took = latency(&call, 0.05 * way, &worked);
        assert_int_equal(call.error.code, APSP_CANCELLED);
        print_message("over %.3f s later, %.3f s of work\n", took, worked);
        assert_true(worked < 2);
        apsp_graph_free(call.graph);
    }
    free(from);
    free(weight);
}

int main(void)
{
    sample_make(&sample, 0, 0);
    sample_make(&negative, 0, 30);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices),
        cmocka_unit_test(directions_and_weights),
        cmocka_unit_test(predecessors),
        cmocka_unit_test(memory_of_the_caller_counts),
        cmocka_unit_test(the_narrowest_rows_are_u16),
        cmocka_unit_test(a_cancel_is_of_one_call),
        cmocka_unit_test(long_solves_end_soon),
        cmocka_unit_test(a_search_for_real_potentials_ends_soon),
    };
    int failed = cmocka_run_group_tests_name("caller", tests, NULL, NULL);
    free(sample.right);
    free(negative.right);
    return failed;
}
