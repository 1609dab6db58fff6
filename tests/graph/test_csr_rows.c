/* csr_rows.c: rows in memory become the CSR and the edge scan that csr_load and edge_scan_take make
 * of the same edges, whatever the types of the arrays. */
#include "unit.h"

#include "base/random.h"
#include "base/stop.h"
#include "graph/csr_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 3000, DEGREES = 100, M_MOST = N * DEGREES };

/* The same entries in all types. */
struct entries {
    size_t n, m;
    int32_t start32[N + 1], to32[M_MOST], weight32[M_MOST];
    uint32_t start_u32[N + 1], to_u32[M_MOST];
    int64_t start64[N + 1], to64[M_MOST], weight64[M_MOST];
    uint64_t start_u64[N + 1], to_u64[M_MOST];
    float weight_f32[M_MOST];
    double weight_f64[M_MOST];
};

static struct entries entries;
static struct comm *comm;

enum weights { WHOLE, SOME_NEGATIVE, EIGHTHS, DECIMALS, WEIGHTS };

static void put_entry(size_t e, uint32_t to, double weight)
{
    entries.to32[e] = (int32_t)to;
    entries.to_u32[e] = to;
    entries.to64[e] = to;
    entries.to_u64[e] = to;
    entries.weight32[e] = (int32_t)weight;
    entries.weight64[e] = (int64_t)weight;
    entries.weight_f32[e] = (float)weight;
    entries.weight_f64[e] = weight;
}

/* Rows without edges, with few, and with many; loops among them. */
static void make_entries(enum weights kind, size_t n)
{
    static const double unit[] = {1, 1, 0.125, 0.1};
    uint64_t state = 5 + kind;
    size_t m = 0;
    for (uint32_t v = 0; v < n; v++) {
        const size_t degree =
            random_below(&state, 3) ? random_below(&state, 4) : random_below(&state, DEGREES);
        entries.start32[v] = (int32_t)m;
        for (size_t k = 0; k < degree; k++, m++) {
            const uint32_t to = random_below(&state, 20) ? random_below(&state, (uint32_t)n) : v;
            const double weight = random_below(&state, 1000) * unit[kind];
            const bool below = kind == SOME_NEGATIVE && random_below(&state, 2);
            put_entry(m, to, below || weight == 0 ? -weight : weight);
        }
    }
    entries.start32[n] = (int32_t)m;
    entries.n = n;
    entries.m = m;
    for (size_t v = 0; v <= n; v++)
        entries.start_u32[v] = (uint32_t)(entries.start64[v] = entries.start32[v]);
    for (size_t v = 0; v <= n; v++)
        entries.start_u64[v] = entries.start_u32[v];
}

static void open_rows(struct graph *graph, int way)
{
    const struct apsp_array start[] = {{entries.start32, APSP_I32},
                                       {entries.start_u32, APSP_U32},
                                       {entries.start64, APSP_I64},
                                       {entries.start_u64, APSP_U64}},
                            to[] = {{entries.to32, APSP_I32},
                                    {entries.to_u32, APSP_U32},
                                    {entries.to64, APSP_I64},
                                    {entries.to_u64, APSP_U64}},
                            weight[] = {{entries.weight_f64, APSP_F64},
                                        {entries.weight_f32, APSP_F32},
                                        {entries.weight32, APSP_I32},
                                        {entries.weight64, APSP_I64},
                                        {NULL, APSP_I32}};
    const struct apsp_csr csr = {entries.n, start[way % 4], to[way / 4 % 4], weight[way / 16]};
    struct apsp_error error = {0};
    assert_int_equal(graph_csr(graph, &csr, &error), APSP_OK);
}

static struct edges edges_of(struct graph *graph)
{
    return (struct edges){.graph = graph, .comm = comm, .threads = 2, .room = SIZE_MAX};
}

static void check_scan(const struct edge_scan *a, const struct edge_scan *b)
{
    assert_true(a->edges == b->edges && a->loops == b->loops && a->real == b->real);
    assert_true(a->real ? a->least.real == b->least.real && a->most.real == b->most.real
                        : a->least.whole == b->least.whole && a->most.whole == b->most.whole);
    assert_int_equal(a->scales, b->scales);
    assert_true(a->scale.binary == b->scale.binary && a->scale.power == b->scale.power);
}

static void check_equal(const struct csr *a, const struct csr *b)
{
    assert_true(a->n == b->n && a->m == b->m && a->real == b->real);
    assert_memory_equal(a->start, b->start, (a->n + 1) * sizeof *a->start);
    assert_memory_equal(a->to, b->to, a->m * sizeof *a->to);
    assert_memory_equal(a->weight, b->weight, a->m * sizeof *a->weight);
}

/* The edges can be handed out afterwards, in the order of the arrays. */
static void check_edges(struct edges *edges)
{
    const struct edge *list;
    struct apsp_error error = {0};
    size_t count, at = 0;
    edges_begin(edges);
    while (edges_next(edges, &list, &count, &error) == APSP_OK && count > 0)
        for (size_t e = 0; e < count; e++)
            assert_int_equal(list[e].to, entries.to_u32[at++]);
    assert_int_equal(error.code, APSP_OK);
    assert_int_equal(at, entries.m);
}

static void check_way(int way, bool unweighted)
{
    struct graph graph;
    struct edge_scan scan[2];
    struct csr csr[2];
    struct apsp_error error = {0};
    open_rows(&graph, way);
    const struct graph_options options = {.unweighted = unweighted};
    assert_int_equal(graph_adapt(&graph, &options, &error), APSP_OK);
    struct edges other = edges_of(&graph);
    assert_int_equal(edge_scan_take(&scan[0], &other, &error), APSP_OK);
    assert_int_equal(csr_load(&csr[0], &other, true, &error), APSP_OK);
    edges_free(&other);
    struct edges edges = edges_of(&graph);
    assert_true(csr_rows_are_there(&graph, comm));
    assert_int_equal(csr_rows_take(&csr[1], &scan[1], &edges, &error), APSP_OK);
    check_scan(&scan[0], &scan[1]);
    check_equal(&csr[0], &csr[1]);
    check_edges(&edges);
    edges_free(&edges);
    csr_free(&csr[0]);
    csr_free(&csr[1]);
    graph_close(&graph);
}

static void rows_become_the_csr(void **unused)
{
    (void)unused;
    for (enum weights kind = WHOLE; kind < WEIGHTS; kind++)
        for (size_t n = 1; n <= N; n = n == 1 ? N : N + 1) {
            make_entries(kind, n);
            for (int way = 0; way < 80; way += way < 4 ? 1 : 5)
                check_way(way, way % 3 == 1);
        }
}

static void expect(int way, const char *text)
{
    struct graph graph;
    struct edge_scan scan;
    struct csr csr;
    struct apsp_error error = {0};
    open_rows(&graph, way);
    struct edges edges = edges_of(&graph);
    assert_int_not_equal(csr_rows_take(&csr, &scan, &edges, &error), APSP_OK);
    assert_non_null(strstr(error.text, text));
    edges_free(&edges);
    csr_free(&csr);
    graph_close(&graph);
}

/* The first wrong entry is told, in whatever piece it is. */
static void wrong_entries_are_named(void **unused)
{
    char text[80];
    (void)unused;
    make_entries(WHOLE, N);
    const size_t last = entries.m - 1, middle = last / 2;
    entries.to32[last] = N;
    snprintf(text, sizeof text, "edge %zu: vertex %d is not in 0 .. %d", last, N, N - 1);
    expect(0, text);
    entries.to32[middle] = -1;
    snprintf(text, sizeof text, "edge %zu: vertex -1", middle);
    expect(0, text);
    entries.weight_f64[middle - 1] = NAN;
    snprintf(text, sizeof text, "edge %zu: weight nan", middle - 1);
    expect(0, text);
    entries.weight_f32[last] = -INFINITY;
    snprintf(text, sizeof text, "edge %zu: weight -inf", last);
    expect(16 + 4, text);
    entries.weight64[0] = INT64_MAX;
    expect(48 + 4, "edge 0: weight 9223372036854775807");
}

/* Arrays that change behind the back of the graph lead to no other memory. */
static void rows_that_change_are_refused(void **unused)
{
    (void)unused;
    for (int what = 0; what < 3; what++) {
        struct graph graph;
        struct edge_scan scan;
        struct csr csr;
        struct apsp_error error = {0};
        make_entries(WHOLE, N);
        open_rows(&graph, 0);
        entries.start32[what == 0 ? 0 : what == 1 ? N / 2 : N] = what == 1 ? INT32_MAX : 1;
        struct edges edges = edges_of(&graph);
        assert_int_equal(csr_rows_take(&csr, &scan, &edges, &error), APSP_IO);
        edges_free(&edges);
        csr_free(&csr);
        graph_close(&graph);
    }
}

static void stops_when_it_is_asked_to(void **unused)
{
    (void)unused;
    make_entries(WHOLE, N);
    stop_ask();
    expect(0, "");
    stop_forget();
}

/* Other sources and options take the other way. */
static void others_are_not_taken(void **unused)
{
    struct graph graph;
    struct apsp_error error = {0};
    const struct graph_options options[] = {{.undirected = true}, {.reverse = true}};
    const uint32_t ends[] = {0, 1};
    const struct apsp_edges arrays = {2, 1, {ends, APSP_U32}, {ends + 1, APSP_U32}, {0}};
    (void)unused;
    make_entries(WHOLE, N);
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        open_rows(&graph, 0);
        assert_int_equal(graph_adapt(&graph, &options[k], &error), APSP_OK);
        assert_false(csr_rows_are_there(&graph, comm));
        graph_close(&graph);
    }
    open_rows(&graph, 0);
    graph.algebra.kind = ALGEBRA_WIDEST;
    assert_false(csr_rows_are_there(&graph, comm));
    graph_close(&graph);
    assert_int_equal(graph_arrays(&graph, &arrays, &error), APSP_OK);
    assert_false(csr_rows_are_there(&graph, comm));
    graph_close(&graph);
}

int main(void)
{
    struct apsp_error error = {0};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_become_the_csr),          cmocka_unit_test(wrong_entries_are_named),
        cmocka_unit_test(rows_that_change_are_refused), cmocka_unit_test(stops_when_it_is_asked_to),
        cmocka_unit_test(others_are_not_taken),
    };
    if (comm_solo(&comm, &error))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    comm_free(comm);
    return failed;
}
