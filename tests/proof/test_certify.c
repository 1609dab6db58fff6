/* certify.c: a right row passes, and no other row does, since right rows are unique. */
#include "unit.h"

#include "base/dtype.h"
#include "guard.h"
#include "make_csr.h"
#include "proof/certify.h"
#include "proof/search.h"
#include "reference.h"
#include "rounded.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SMALL = 12, EDGES_MAX = 64 };

static char path[] = "/tmp/apsp-test-certify-XXXXXX";
static char why[CERTIFY_WHY];

static void put_file(const void *data, size_t bytes)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static struct edge edge(uint32_t from, uint32_t to, int64_t weight)
{
    return (struct edge){.from = from, .to = to, .weight.whole = weight};
}

/* The edges as a file, read back by csr_load. */
static struct csr load(size_t n, const struct edge *edges, size_t m)
{
    int32_t words[2 + 3 * EDGES_MAX] = {(int32_t)n, (int32_t)m};
    struct csr loaded;
    struct apsp_error error = {0};
    struct graph graph;
    for (size_t e = 0; e < m; e++) {
        words[2 + 3 * e] = (int32_t)edges[e].from;
        words[3 + 3 * e] = (int32_t)edges[e].to;
        words[4 + 3 * e] = (int32_t)edges[e].weight.whole;
    }
    put_file(words, (2 + 3 * m) * sizeof *words);
    assert_int_equal(graph_open(&graph, path, NULL, false, &error), APSP_OK);
    load_csr(&loaded, &graph);
    graph_close(&graph);
    return loaded;
}

/* Whether `row` passes; a refutation is one line that names the row. */
static bool passes(const struct csr *graph, size_t i, const int32_t *row,
                   struct certify_space *space)
{
    char start[40];
    strcpy(why, "untouched");
    if (certify_row(&(struct certificate){.edges = graph, .labels = {1, NULL}}, space, i, row, NULL,
                    why)) {
        assert_string_equal(why, "untouched");
        return true;
    }
    snprintf(start, sizeof start, "row %zu: ", i + 1);
    assert_int_equal(strncmp(why, start, strlen(start)), 0);
    assert_null(strchr(why, '\n'));
    return false;
}

static size_t random_edges(struct edge *edges, size_t n, int64_t heaviest)
{
    size_t m = (size_t)rand() % EDGES_MAX;
    for (size_t e = 0; e < m; e++) {
        edges[e].from = (uint32_t)((size_t)rand() % n);
        edges[e].to = (uint32_t)((size_t)rand() % n);
        edges[e].weight.whole = rand() % 3 == 0 ? 0 : rand() % (heaviest + 1);
    }
    for (size_t v = 0; v + 1 < n && m > EDGES_MAX / 2; v += 2, m -= 2) { /* cycles of weight zero */
        edges[m - 1] = (struct edge){(uint32_t)v, (uint32_t)v + 1, {0}};
        edges[m - 2] = (struct edge){(uint32_t)v + 1, (uint32_t)v, {0}};
        if (rand() % 2)
            break;
    }
    return m;
}

/* Every entry of the row in turn gets every value of interest. */
static void change_each_entry(const struct csr *graph, size_t i, int32_t *row,
                              struct certify_space *space)
{
    for (size_t v = 0; v < graph->n; v++) {
        int32_t right = row[v];
        const int64_t others[] = {0,
                                  1,
                                  2,
                                  (int64_t)right + 1,
                                  (int64_t)right - 1,
                                  INF_I32,
                                  INF_I32 - 1,
                                  (int64_t)INF_I32 + 1,
                                  -1,
                                  INT32_MAX,
                                  INT32_MIN,
                                  row[(v + 1) % graph->n]};
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            row[v] = (int32_t)others[k];
            assert_int_equal(passes(graph, i, row, space), row[v] == right);
        }
        row[v] = right;
    }
}

/* Several entries at once, so that wrong values support one another. */
static void change_many_entries(const struct csr *graph, size_t i, const int32_t *right,
                                struct certify_space *space)
{
    int32_t row[SMALL];
    size_t bytes = graph->n * sizeof *row;
    for (int trial = 0; trial < 20; trial++) {
        int32_t shift = rand() % 7 - 3, from = rand() % 4;
        memcpy(row, right, bytes);
        for (size_t v = 0; v < graph->n; v++)
            if (trial % 2 ? row[v] >= from : rand() % 2)
                row[v] = trial % 3 && row[v] == INF_I32 ? from : row[v] + shift;
        assert_int_equal(passes(graph, i, row, space), memcmp(row, right, bytes) == 0);
    }
}

static void only_right_rows_pass(void **state)
{
    (void)state;
    struct edge edges[EDGES_MAX];
    srand(21);
    for (int round = 0; round < 300; round++) {
        size_t n = 1 + (size_t)round % SMALL, m = random_edges(edges, n, round % 2 ? 5 : 100000);
        int32_t *right = reference_dijkstra(n, edges, m);
        struct csr graph = load(n, edges, m);
        struct certify_space *space = certify_space_new(n, DTYPE_I32);
        assert_non_null(right);
        assert_non_null(space);
        for (size_t i = 0; i < n; i++) {
            assert_true(passes(&graph, i, right + i * n, space));
            change_each_entry(&graph, i, right + i * n, space);
            change_many_entries(&graph, i, right + i * n, space);
        }
        certify_space_free(space);
        csr_free(&graph);
        free(right);
    }
}

/* On a cycle of weight zero every vertex has a tight edge into it, whatever their common distance.
 */
static void zero_cycles_prove_nothing(void **state)
{
    (void)state;
    const struct edge edges[] = {edge(0, 1, 9), edge(1, 2, 0), edge(2, 3, 0), edge(3, 1, 0)};
    struct certify_space *space = certify_space_new(4, DTYPE_I32);
    struct csr reached = load(4, edges, 4), unreached = load(4, edges + 1, 3);
    for (int32_t d = 0; d < 12; d++) {
        const int32_t row[] = {0, d, d, d};
        assert_int_equal(passes(&reached, 0, row, space), d == 9);
        assert_false(passes(&unreached, 0, row, space));
    }
    assert_true(passes(&unreached, 0, (const int32_t[]){0, INF_I32, INF_I32, INF_I32}, space));
    csr_free(&reached);
    csr_free(&unreached);
    certify_space_free(space);
}

/* Sums beyond infinity and beyond 32 bits. */
static void sums_do_not_wrap(void **state)
{
    (void)state;
    const int32_t weights[] = {INF_I32 - 1, INF_I32, INF_I32 + 1, INT32_MAX};
    size_t start[] = {0, 1, 2, 2};
    uint32_t to[] = {1, 2};
    struct certify_space *space = certify_space_new(3, DTYPE_I32);
    for (size_t k = 0; k < 4; k++) {
        union value weight[] = {{INF_I32 - 1}, {weights[k]}};
        const struct csr graph = {.n = 3, .m = 2, .start = start, .to = to, .weight = weight};
        const int32_t ends[] = {INF_I32, INF_I32 - 1, INF_I32 - 2, 0, -2, -3, -4, INT32_MIN};
        for (size_t j = 0; j < sizeof ends / sizeof *ends; j++)
            assert_false(passes(&graph, 0, (const int32_t[]){0, INF_I32 - 1, ends[j]}, space));
        assert_false(passes(&graph, 0, (const int32_t[]){0, INF_I32 - 1, INF_I32}, space));
        assert_non_null(
            strstr(why, "exceeds")); /* it is reachable, though no number says how far */
        assert_int_equal(passes(&graph, 1, (const int32_t[]){INF_I32, 0, weights[k]}, space),
                         k == 0);
    }
    certify_space_free(space);
    /* Nor in the type in which sums are made. */
    union value weight[] = {{INF_I64 - 1}, {2}};
    const struct csr graph = {.n = 3, .m = 2, .start = start, .to = to, .weight = weight};
    struct certify_space *whole = certify_space_new(3, DTYPE_I64);
    assert_false(certify_row(&(struct certificate){.edges = &graph}, whole, 0,
                             (int64_t[]){0, INF_I64 - 1, INF_I64}, NULL, why));
    assert_non_null(strstr(why, "exceeds"));
    certify_space_free(whole);
}

static void reasons_name_the_vertices(void **state)
{
    (void)state;
    const struct edge edges[] = {edge(0, 1, 5), edge(1, 2, 7)};
    struct csr graph = load(3, edges, 2);
    struct certify_space *space = certify_space_new(3, DTYPE_I32);
    assert_false(passes(&graph, 0, (const int32_t[]){0, 5, 13}, space));
    assert_string_equal(
        why,
        "row 1: distance 13 of vertex 3 exceeds 5 of vertex 2 plus the edge between them of 7");
    assert_false(passes(&graph, 0, (const int32_t[]){0, 5, 11}, space));
    assert_string_equal(why, "row 1: no path has the distance 11 of vertex 3");
    assert_false(passes(&graph, 1, (const int32_t[]){INF_I32, 1, 7}, space));
    assert_string_equal(why, "row 2: vertex 2 has the distance 1 from itself");
    assert_false(passes(&graph, 2, (const int32_t[]){INF_I32, INT32_MIN, 0}, space));
    assert_string_equal(why, "row 3: vertex 2 has -2147483648, outside -1073741822 .. 1073741823");
    csr_free(&graph);
    certify_space_free(space);
}

/* Weights of any sign without negative cycles: from potentials of their own. */
static size_t signed_edges(struct edge *edges, size_t n, int64_t heaviest)
{
    int64_t shift[SMALL];
    size_t m = random_edges(edges, n, heaviest);
    for (size_t v = 0; v < n; v++)
        shift[v] = rand() % (2 * heaviest + 1) - heaviest;
    for (size_t e = 0; e < m; e++)
        edges[e].weight.whole += shift[edges[e].from] - shift[edges[e].to];
    return m;
}

static void put_whole(enum dtype type, void *row, size_t v, int64_t value)
{
    if (type == DTYPE_I32)
        ((int32_t *)row)[v] = value == INF_I64 ? INF_I32 : (int32_t)value;
    else
        ((int64_t *)row)[v] = value;
}

static void signed_rows_of_both_types(void **state)
{
    struct edge edges[EDGES_MAX];
    (void)state;
    for (int round = 0; round < 400; round++) {
        enum dtype type = round % 2 ? DTYPE_I32 : DTYPE_I64;
        int64_t scale = type == DTYPE_I64 && round % 4 ? INT64_C(1) << 40 : 1, row[SMALL];
        size_t n = 1 + (size_t)round % SMALL, m = signed_edges(edges, n, 50);
        bool cycle;
        for (size_t e = 0; e < m; e++)
            edges[e].weight.whole *= scale;
        int64_t *right = reference_whole(n, edges, m, &cycle);
        struct csr graph = make_csr(n, false, edges, m);
        struct certify_space *space = certify_space_new(n, type);
        assert_false(cycle);
        for (size_t i = 0; i < n; i++) {
            for (size_t v = 0; v < n; v++)
                put_whole(type, row, v, right[i * n + v]);
            assert_true(
                certify_row(&(struct certificate){.edges = &graph}, space, i, row, NULL, why));
            for (size_t v = 0; v < n; v++) {
                int64_t here = right[i * n + v];
                const int64_t others[] = {here + 1, here - 1,  here - 1000, INF_I64,
                                          0,        INT64_MIN, -INF_I64,    -here};
                for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
                    if (others[k] == here || others[k] > INF_I64 ||
                        (type == DTYPE_I32 && others[k] < INT32_MIN))
                        continue;
                    put_whole(type, row, v, others[k]);
                    assert_false(certify_row(&(struct certificate){.edges = &graph}, space, i, row,
                                             NULL, why));
                }
                put_whole(type, row, v, here);
            }
        }
        certify_space_free(space);
        csr_free(&graph);
        free(right);
    }
}

static void put_real(enum dtype type, void *row, size_t v, double value)
{
    if (type == DTYPE_F32)
        ((float *)row)[v] = (float)value;
    else
        ((double *)row)[v] = value;
}

static struct potential find_potential(const struct csr *graph)
{
    struct potential potential;
    struct cycle cycle;
    struct apsp_error error = {0};
    assert_int_equal(potential_find(&potential, &cycle, graph, 1, &error), APSP_OK);
    assert_int_equal(cycle.length, 0);
    return potential;
}

static double real_of(enum dtype type, const void *row, size_t v)
{
    return type == DTYPE_F32 ? (double)((const float *)row)[v] : ((const double *)row)[v];
}

/* Right rows pass although rounded; wrong by more than rounding, they do not. */
static void real_rows_within_rounding(void **state)
{
    struct edge edges[EDGES_MAX];
    (void)state;
    for (int round = 0; round < 400; round++) {
        enum dtype type = round % 2 ? DTYPE_F32 : DTYPE_F64;
        const double wrong = type == DTYPE_F32 ? 0.05 : 1e-9;
        bool shifted = round % 3 == 0;
        size_t n = 1 + (size_t)round % SMALL,
               m = shifted ? signed_edges(edges, n, 50) : random_edges(edges, n, 50);
        for (size_t e = 0; e < m; e++) {
            double weight = (double)edges[e].weight.whole, noise = 1e-3 * (rand() % 10);
            edges[e].weight.real = shifted ? weight + noise : weight * (0.1 + noise);
        }
        struct csr graph = make_csr(n, true, edges, m);
        struct potential potential = shifted ? find_potential(&graph) : (struct potential){0};
        const struct certificate certificate = {.edges = &graph, .potential = &potential};
        struct certify_space *space = certify_space_new(n, type);
        char *right = rounded_rows(type, &graph, &potential);
        for (size_t i = 0; i < n; i++) {
            void *row = right + i * n * dtype_info[type].bytes;
            assert_true(certify_row(&certificate, space, i, row, NULL, why));
            for (size_t v = 0; v < n; v++) {
                double here = real_of(type, row, v);
                const double others[] = {
                    here + wrong, here - wrong, here + 0.01 * fabs(here) + wrong, INFINITY, 0,
                    -INFINITY,    NAN};
                for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
                    if (others[k] == here || (isinf(here) && k < 4))
                        continue;
                    put_real(type, row, v, others[k]);
                    assert_false(certify_row(&certificate, space, i, row, NULL, why));
                    assert_null(strchr(why, '\n'));
                }
                put_real(type, row, v, here);
            }
        }
        free(right);
        certify_space_free(space);
        potential_free(&potential);
        csr_free(&graph);
    }
}

/* A long path of tenths, added up from either end: the rounding grows with the edges, and so does
 * the slack.
 */
static void long_sums_drift(void **state)
{
    enum { N = 20000 };
    static struct edge edges[N];
    static double row[N];
    static float narrow[N];
    (void)state;
    for (size_t v = 0; v + 1 < N; v++) {
        edges[v] = edge((uint32_t)v, (uint32_t)v + 1, 0);
        edges[v].weight.real = 0.1;
        row[v + 1] = 0.1 * (double)(v + 1);
        narrow[v + 1] = narrow[v] + 0.1f;
    }
    struct csr graph = make_csr(N, true, edges, N - 1);
    struct certify_space *space = certify_space_new(N, DTYPE_F64),
                         *small = certify_space_new(N, DTYPE_F32);
    assert_true(certify_row(&(struct certificate){.edges = &graph}, space, 0, row, NULL, why));
    assert_true(certify_row(&(struct certificate){.edges = &graph}, small, 0, narrow, NULL, why));
    row[N - 1] += 1e-6;
    assert_false(certify_row(&(struct certificate){.edges = &graph}, space, 0, row, NULL, why));
    row[N - 1] -= 2e-6;
    assert_false(certify_row(&(struct certificate){.edges = &graph}, space, 0, row, NULL, why));
    certify_space_free(small);
    certify_space_free(space);
    csr_free(&graph);
}

/* A path of length 1000 that a nearly equal one is found before, and a way back to nearly 0: what
 * was within rounding there is still so here. */
static void sizes_stay_along_a_path(void **state)
{
    (void)state;
    for (int real = 0; real < 2; real++) {
        enum dtype type = real ? DTYPE_F64 : DTYPE_F32;
        const double gap = real ? 6.5e-11 : 0.035, wrong = real ? 2e-10 : 0.1;
        const uint32_t from[] = {0, 0, 2, 1, 3}, to[] = {1, 2, 1, 3, 4};
        const double weights[] = {1000 + gap, 500, 500, -1000, 0.5},
                     right[] = {0, 1000, 500, 0, 0.5};
        struct edge edges[5];
        double row[5];
        for (size_t e = 0; e < 5; e++) {
            edges[e] = edge(from[e], to[e], 0);
            edges[e].weight.real = weights[e];
            put_real(type, row, e, right[e]);
        }
        struct csr graph = make_csr(5, true, edges, 5);
        struct potential potential = find_potential(&graph);
        const struct certificate certificate = {.edges = &graph, .potential = &potential};
        struct certify_space *space = certify_space_new(5, type);
        assert_true(certify_row(&certificate, space, 0, row, NULL, why));
        for (size_t v = 0; v < 5; v++) {
            put_real(type, row, v, right[v] + wrong);
            assert_false(certify_row(&certificate, space, 0, row, NULL, why));
            put_real(type, row, v, right[v] - wrong);
            assert_false(certify_row(&certificate, space, 0, row, NULL, why));
            put_real(type, row, v, right[v]);
        }
        certify_space_free(space);
        potential_free(&potential);
        csr_free(&graph);
    }
}

/* A slack that overflowed would let any number pass. */
static void slacks_stay_finite(void **state)
{
    (void)state;
    struct edge edges[] = {edge(0, 1, 0), edge(1, 2, 0)};
    edges[0].weight.real = -4.4e307;
    edges[1].weight.real = 3;
    struct csr graph = make_csr(3, true, edges, 2);
    struct potential potential = find_potential(&graph);
    const struct certificate certificate = {.edges = &graph, .potential = &potential};
    struct certify_space *space = certify_space_new(3, DTYPE_F64);
    double row[] = {0, -4.4e307, -4.4e307};
    assert_true(certify_row(&certificate, space, 0, row, NULL, why));
    row[2] = 7;
    assert_false(certify_row(&certificate, space, 0, row, NULL, why));
    certify_space_free(space);
    potential_free(&potential);
    csr_free(&graph);
}

/* On a graph with a negative cycle no row is right. */
static void negative_cycles_refute_all(void **state)
{
    (void)state;
    struct edge edges[] = {edge(0, 1, 1), edge(1, 0, -2), edge(2, 2, -1)};
    struct csr graph = make_csr(3, false, edges, 3);
    struct certify_space *space = certify_space_new(3, DTYPE_I32);
    assert_false(passes(&graph, 0, (const int32_t[]){0, 1, INF_I32}, space));
    assert_false(passes(&graph, 0, (const int32_t[]){0, -1, INF_I32}, space));
    assert_false(passes(&graph, 2, (const int32_t[]){INF_I32, INF_I32, 0}, space));
    certify_space_free(space);
    csr_free(&graph);
    for (size_t e = 0; e < 3; e++)
        edges[e].weight.real = (double)edges[e].weight.whole;
    graph = make_csr(3, true, edges, 3);
    space = certify_space_new(3, DTYPE_F64);
    union value h[] = {{.real = -1}, {.real = 0}, {.real = 0}};
    struct potential potential = {.n = 3, .real = true, .h = h};
    for (int shifted = 0; shifted < 2; shifted++) {
        const struct certificate certificate = {.edges = &graph,
                                                .potential = shifted ? &potential : NULL};
        assert_false(certify_row(&certificate, space, 0, (double[]){0, 1, INFINITY}, NULL, why));
        assert_non_null(strstr(why, "negative cycle"));
        assert_false(certify_row(&certificate, space, 1, (double[]){-2, 0, INFINITY}, NULL, why));
        assert_false(
            certify_row(&certificate, space, 2, (double[]){INFINITY, INFINITY, 0}, NULL, why));
    }
    certify_space_free(space);
    csr_free(&graph);
}

static void loops_go_and_parallel_edges_stay(void **state)
{
    (void)state;
    const struct edge edges[] = {edge(2, 0, 4), edge(1, 1, 0), edge(0, 2, 3),
                                 edge(2, 0, 1), edge(2, 2, 9), edge(1, 0, 6)};
    struct csr graph = load(3, edges, 6);
    assert_int_equal(graph.n, 3);
    assert_int_equal(graph.m, 4);
    assert_int_equal(graph.start[0], 0);
    assert_int_equal(graph.start[1], 1);
    assert_int_equal(graph.start[2], 2);
    assert_int_equal(graph.start[3], 4);
    assert_int_equal(graph.to[0], 2);
    assert_int_equal(graph.to[1], 0);
    assert_int_equal(graph.weight[2].whole, 4);
    assert_int_equal(graph.weight[3].whole, 1);
    csr_free(&graph);
    csr_free(&graph); /* freed is empty */
}

static void needs_grow_and_never_wrap(void **state)
{
    (void)state;
    const size_t guard = guard_bytes();
    assert_in_range(certify_need(1000, DTYPE_U16), 12 * 1000 + 125, 13000 + 4 * guard);
    assert_in_range(certify_need(1000, DTYPE_I32), 12 * 1000 + 125, 13000 + 4 * guard);
    assert_in_range(certify_need(1000, DTYPE_F64), search_need(1000),
                    search_need(1000) + 9000 + 2 * guard);
    assert_in_range(csr_need(1000, 5000), 8 * 1001 + 12 * 5000,
                    8 * 1001 + 12 * 5000 + 192 + 3 * guard);
    assert_true(certify_need(SIZE_MAX / 8, DTYPE_I32) == SIZE_MAX);
    assert_true(certify_need(SIZE_MAX / 16, DTYPE_F32) == SIZE_MAX);
    assert_true(csr_need(INT32_MAX, SIZE_MAX) == SIZE_MAX);
    assert_true(certify_need(INT32_MAX, DTYPE_I64) > (size_t)INT32_MAX * 12);
}

/* 65535 stands for unreachable, and every smaller number for itself. */
static void rows_of_16_bits(void **state)
{
    (void)state;
    const struct edge edges[] = {edge(0, 1, 65534), edge(1, 2, 1), edge(0, 2, 40000),
                                 edge(3, 0, 1)};
    struct csr graph = load(4, edges, 4);
    struct certify_space *space = certify_space_new(4, DTYPE_U16);
    const struct certificate certificate = {.edges = &graph};
    uint16_t rows[3][4] = {
        {0, 65534, 40000, 65535}, {65535, 0, 1, 65535}, {65535, 65535, 0, 65535}};
    int32_t tree[4];
    const int32_t parents[] = {-1, 0, 0, -1};
    assert_true(certify_row(&certificate, space, 0, rows[0], tree, why));
    assert_memory_equal(tree, parents, sizeof tree);
    for (size_t i = 0; i < 3; i++)
        for (size_t v = 0; v < 4; v++) {
            uint16_t right = rows[i][v];
            const uint16_t others[] = {
                0, 1, 32767, 65534, 65535, (uint16_t)(right + 1), (uint16_t)(right - 1)};
            assert_true(certify_row(&certificate, space, i, rows[i], NULL, why));
            for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
                rows[i][v] = others[k];
                assert_int_equal(certify_row(&certificate, space, i, rows[i], NULL, why),
                                 others[k] == right);
            }
            rows[i][v] = right;
        }
    /* 3 -> 0 -> 1 is 65535: it is reachable, though no number says how far. */
    assert_false(certify_row(&certificate, space, 3, (uint16_t[]){1, 65535, 40001, 0}, NULL, why));
    assert_string_equal(why, "row 3: distance 65535 of vertex 1 exceeds 1 of vertex 0 plus the "
                             "edge between them of 65534");
    certify_space_free(space);
    csr_free(&graph);
}

/* Weights need not be converted for rows of a real type. */
static void whole_weights_may_have_real_rows(void **state)
{
    (void)state;
    const struct edge edges[] = {edge(0, 1, 5), edge(1, 2, 7)};
    struct csr graph = load(3, edges, 2);
    struct certify_space *space = certify_space_new(3, DTYPE_F32);
    const struct certificate certificate = {.edges = &graph};
    for (int pass = 0; pass < 2; pass++, csr_convert(&graph, (struct scale){0})) {
        assert_true(certify_row(&certificate, space, 0, (float[]){0, 5, 12}, NULL, why));
        assert_false(certify_row(&certificate, space, 0, (float[]){0, 5, 13}, NULL, why));
    }
    certify_space_free(space);
    csr_free(&graph);
}

/* Sums of multiples of one power of two are exact as long as the type holds them all; beyond that
 * rounded. */
static void real_rows_of_dyadic_weights_are_exact(void **state)
{
    (void)state;
    for (int real = 0; real < 2; real++) {
        enum dtype type = real ? DTYPE_F64 : DTYPE_F32;
        const int digits = dtype_info[type].digits, lowest = real ? -1074 : -149;
        for (int large = 0; large < 2; large++)
            for (int exponent = lowest; exponent <= 100;
                 exponent += exponent < 0 ? 1 - exponent / 2 : 50) {
                const double unit = ldexp(1, exponent), most = ldexp(unit, digits);
                const double weights[] = {large ? most : most / 2 - unit, unit, unit,
                                          4 * most + unit};
                const double sums[] = {0, weights[0], weights[0] + unit, weights[0] + 2 * unit};
                struct edge edges[] = {edge(0, 1, 0), edge(1, 2, 0), edge(2, 3, 0), edge(3, 0, 0)};
                for (size_t e = 0; e < 4; e++)
                    edges[e].weight.real = weights[e];
                struct csr graph = make_csr(4, true, edges, large ? 3 : 4);
                struct certify_space *space = certify_space_new(4, type);
                const struct certificate certificate = {.edges = &graph};
                double row[4];
                for (size_t v = 0; v < 4; v++)
                    put_real(type, row, v, sums[v]);
                assert_true(certify_row(&certificate, space, 0, row, NULL, why));
                put_real(type, row, 3, sums[3] + (large ? 4 : 1) * unit);
                assert_int_equal(certify_row(&certificate, space, 0, row, NULL, why), large);
                certify_space_free(space);
                csr_free(&graph);
            }
    }
    struct edge edges[] = {edge(0, 1, 3)};
    struct csr graph = make_csr(2, false, edges, 1);
    struct certify_space *space = certify_space_new(2, DTYPE_I64);
    assert_false(certify_row(&(struct certificate){.edges = &graph}, space, 0,
                             (int64_t[]){0, INF_I64}, NULL, why));
    assert_non_null(strstr(why, "distance inf of vertex 1 exceeds 0"));
    certify_space_free(space);
    csr_free(&graph);
}

/* Exact with negative weights too, if the potentials are; these are of whole weights. */
static void exact_potentials_leave_rows_exact(void **state)
{
    struct edge edges[EDGES_MAX];
    (void)state;
    for (int round = 0; round < 200; round++) {
        enum dtype type = round % 2 ? DTYPE_F32 : DTYPE_F64;
        size_t n = 2 + (size_t)round % (SMALL - 1), m = signed_edges(edges, n, 50);
        bool cycle;
        int64_t *right = reference_whole(n, edges, m, &cycle);
        struct csr graph = make_csr(n, false, edges, m);
        struct potential potential = find_potential(&graph);
        const struct certificate certificate = {.edges = &graph, .potential = &potential};
        struct certify_space *space = certify_space_new(n, type);
        const double wrong = type == DTYPE_F32 ? 0x1p-10 : 0x1p-40;
        assert_false(cycle);
        for (int pass = 0; pass < 2; pass++) {
            for (size_t i = 0; i < n; i++) {
                double row[SMALL];
                for (size_t v = 0; v < n; v++)
                    put_real(type, row, v,
                             right[i * n + v] == INF_I64 ? INFINITY : (double)right[i * n + v]);
                assert_true(certify_row(&certificate, space, i, row, NULL, why));
                const size_t v = (size_t)rand() % n;
                put_real(type, row, v, real_of(type, row, v) + wrong);
                assert_int_equal(certify_row(&certificate, space, i, row, NULL, why),
                                 isinf(real_of(type, row, v)) != 0);
            }
            csr_convert(&graph, (struct scale){0});
            potential_convert(&potential);
        }
        free(right);
        certify_space_free(space);
        potential_free(&potential);
        csr_free(&graph);
    }
}

/* Quarters, with potentials that are none: what the solver's sums lose is no fault of the row. */
static void other_potentials_round(void **state)
{
    struct edge edges[EDGES_MAX];
    size_t rounded = 0;
    (void)state;
    for (int round = 0; round < 100; round++) {
        size_t n = 2 + (size_t)round % (SMALL - 1), m = random_edges(edges, n, 50);
        for (size_t e = 0; e < m; e++)
            edges[e].weight.real = (double)edges[e].weight.whole / 4;
        struct csr graph = make_csr(n, true, edges, m);
        union value h[SMALL];
        for (size_t v = 0; v < n; v++)
            h[v].real = -100 / 3.0;
        const struct potential potential = {.n = n, .real = true, .h = h};
        const struct certificate certificate = {.edges = &graph, .potential = &potential};
        struct certify_space *space = certify_space_new(n, DTYPE_F64);
        double *rows = rounded_rows(DTYPE_F64, &graph, &potential);
        for (size_t i = 0; i < n; i++) {
            assert_true(certify_row(&certificate, space, i, rows + i * n, NULL, why));
            for (size_t v = 0; v < n; v++)
                rounded +=
                    isfinite(rows[i * n + v]) && rint(4 * rows[i * n + v]) != 4 * rows[i * n + v];
        }
        free(rows);
        certify_space_free(space);
        csr_free(&graph);
    }
    assert_true(rounded > 0);
}

/* Nor what it takes for 0: an edge that they leave below that by a little. */
static void edges_below_0_are_rounded(void **state)
{
    (void)state;
    struct edge edges[] = {edge(0, 1, 0)};
    edges[0].weight.real = -0.25;
    struct csr graph = make_csr(2, true, edges, 1);
    union value h[] = {{.real = 0}, {.real = -0.25 + 0x1p-54}};
    const struct potential potential = {.n = 2, .real = true, .h = h};
    const struct certificate certificate = {.edges = &graph, .potential = &potential};
    struct certify_space *space = certify_space_new(2, DTYPE_F64);
    assert_true(certify_row(&certificate, space, 0, (double[]){0, -0.25}, NULL, why));
    assert_true(certify_row(&certificate, space, 0, (double[]){0, h[1].real}, NULL, why));
    csr_free(&graph);
    certify_space_free(space);
}

/* Slacks of edges would add up to thousands: a path of whole edges, each with a parallel one twice
 * as long.
 */
static void slacks_do_not_add_up(void **state)
{
    enum { N = 5000 };
    static struct edge edges[2 * N];
    static float row[N];
    (void)state;
    for (size_t v = 0; v + 1 < N; v++) {
        edges[2 * v] = edges[2 * v + 1] = edge((uint32_t)v, (uint32_t)v + 1, 0);
        edges[2 * v].weight.real = 1;
        edges[2 * v + 1].weight.real = 2;
    }
    for (int tenths = 0; tenths < 2; tenths++) {
        for (size_t e = 0; e < 2 * (N - 1) && tenths; e++)
            edges[e].weight.real *= 0.1;
        struct csr graph = make_csr(N, true, edges, 2 * (N - 1));
        struct certify_space *space = certify_space_new(N, DTYPE_F32);
        const struct certificate certificate = {.edges = &graph};
        double far = 0;
        for (size_t v = 1; v < N; v++)
            row[v] = row[v - 1] + (tenths ? 0.1F : 1.0F);
        const float right = row[N - 1];
        assert_true(certify_row(&certificate, space, 0, row, NULL, why));
        row[N - 1] = tenths ? 713.3F : 7133;
        assert_false(certify_row(&certificate, space, 0, row, NULL, why));
        row[N - 1] = tenths ? right * 1.001F : 5000;
        assert_false(certify_row(&certificate, space, 0, row, NULL, why));
        for (size_t v = 1; v < N;
             v++) { /* every distance a little more than the one before it allows */
            far += (tenths ? 0.1 : 1) * 1.4;
            row[v] = (float)far;
        }
        assert_false(certify_row(&certificate, space, 0, row, NULL, why));
        certify_space_free(space);
        csr_free(&graph);
    }
}

/* Nor does one heavy edge excuse others. */
static void heavy_edges_excuse_nothing(void **state)
{
    (void)state;
    struct edge edges[] = {edge(0, 1, 0), edge(1, 2, 0), edge(2, 3, 0)};
    const double weights[] = {3, 0x1p50, 4};
    for (size_t e = 0; e < 3; e++)
        edges[e].weight.real = weights[e];
    struct csr graph = make_csr(4, true, edges, 3);
    struct certify_space *space = certify_space_new(4, DTYPE_F64);
    const struct certificate certificate = {.edges = &graph};
    for (int off = -8; off <= 8; off++) {
        const double row[] = {0, 3, 3 + 0x1p50, 7 + 0x1p50 + off};
        assert_int_equal(certify_row(&certificate, space, 0, row, NULL, why), off == 0);
    }
    assert_false(certify_row(&certificate, space, 1,
                             (double[]){INFINITY, 0, 0x1p50 + 7, 0x1p50 + 4}, NULL, why));
    certify_space_free(space);
    csr_free(&graph);
}

/* Nor do edges that are longer than any distance, whatever their digits. */
static void long_edges_excuse_nothing(void **state)
{
    (void)state;
    struct edge edges[] = {edge(0, 1, 0), edge(1, 2, 0), edge(2, 0, 0)};
    const double weights[] = {3, 4, 1000.1};
    for (size_t e = 0; e < 3; e++)
        edges[e].weight.real = weights[e];
    struct csr graph = make_csr(3, true, edges, 3);
    struct certify_space *space = certify_space_new(3, DTYPE_F32);
    const struct certificate certificate = {.edges = &graph};
    assert_true(certify_row(&certificate, space, 0, (float[]){0, 3, 7}, NULL, why));
    assert_false(certify_row(&certificate, space, 0, (float[]){0, 3, nextafterf(7, 8)}, NULL, why));
    assert_true(certify_row(&certificate, space, 2, (float[]){1000.1F, 1003.1F, 0}, NULL, why));
    certify_space_free(space);
    csr_free(&graph);
}

/* Nor do vertices that no path has room for: every other one is an edge away, and may have been
 * passed by few. */
static void many_vertices_excuse_nothing(void **state)
{
    enum { N = 20000 };
    static struct edge edges[2 * N];
    static float row[N];
    size_t m = 0;
    (void)state;
    for (uint32_t v = 1; v < N; v++) {
        edges[m] = edge(0, v, 0);
        edges[m++].weight.real = 1 + v * 1e-6 / 3;
        edges[m] = edge(v, v % (N - 1) + 1, 0);
        edges[m++].weight.real = 0.1;
        row[v] = (float)edges[m - 2].weight.real;
    }
    struct csr graph = make_csr(N, true, edges, m);
    struct certify_space *space = certify_space_new(N, DTYPE_F32);
    const struct certificate certificate = {.edges = &graph};
    assert_true(certify_row(&certificate, space, 0, row, NULL, why));
    for (int sign = -1; sign <= 1; sign += 2) {
        const float right = row[N / 2];
        row[N / 2] += (float)(sign * 1e-5);
        assert_false(certify_row(&certificate, space, 0, row, NULL, why));
        row[N / 2] = right;
    }
    certify_space_free(space);
    csr_free(&graph);
}

/* Nor do weights that the row's vertex does not reach. */
static void other_components_excuse_nothing(void **state)
{
    (void)state;
    struct edge edges[] = {edge(0, 1, 0), edge(2, 3, 0), edge(3, 4, 0)};
    const double weights[] = {1, -1e20, 0.1};
    for (size_t e = 0; e < 3; e++)
        edges[e].weight.real = weights[e];
    struct csr graph = make_csr(5, true, edges, 3);
    struct potential potential = find_potential(&graph);
    struct certify_space *space = certify_space_new(5, DTYPE_F64);
    const struct certificate certificate = {.edges = &graph, .potential = &potential};
    double row[] = {0, 1, INFINITY, INFINITY, INFINITY};
    assert_true(certify_row(&certificate, space, 0, row, NULL, why));
    row[1] = -777777;
    assert_false(certify_row(&certificate, space, 0, row, NULL, why));
    row[1] = nextafter(1, 2);
    assert_false(certify_row(&certificate, space, 0, row, NULL, why));
    assert_true(certify_row(&certificate, space, 2,
                            (double[]){INFINITY, INFINITY, 0, -1e20, -1e20 + 0.1}, NULL, why));
    certify_space_free(space);
    potential_free(&potential);
    csr_free(&graph);
}

/* Nor do those that it reaches, but that lead nowhere near: a path, one heavy edge away from it to
 * a vertex that nothing leaves, and another one before a vertex that leads to the path and is not
 * reached. */
static void heavy_ends_excuse_nothing(void **state)
{
    enum { PATH = 999, N = PATH + 3 };
    static struct edge edges[N - 1];
    static double row[N];
    (void)state;
    srand(46);
    for (size_t v = 0; v + 1 < PATH; v++) {
        edges[v] = edge((uint32_t)v, (uint32_t)v + 1, 0);
        edges[v].weight.real = (1.0 + rand()) / RAND_MAX;
        row[v + 1] = row[v] + edges[v].weight.real;
    }
    edges[PATH - 1] = edge(0, PATH, 0);
    edges[PATH - 1].weight.real = row[PATH] = -1e9;
    edges[PATH] = edge(PATH + 1, PATH + 2, 0);
    edges[PATH].weight.real = -1e20;
    edges[PATH + 1] = edge(PATH + 2, 1, 0);
    edges[PATH + 1].weight.real = 1e20;
    row[PATH + 1] = row[PATH + 2] = INFINITY;
    struct csr graph = make_csr(N, true, edges, N - 1);
    struct potential potential = find_potential(&graph);
    const struct certificate certificate = {.edges = &graph, .potential = &potential};
    struct certify_space *space = certify_space_new(N, DTYPE_F64);
    assert_true(certify_row(&certificate, space, 0, row, NULL, why));
    for (size_t v = 1; v < PATH; v += 83) {
        const double right = row[v], others[] = {right * 1.001, right * (1 - 1e-9), -777777, 7e5};
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            row[v] = others[k];
            assert_false(certify_row(&certificate, space, 0, row, NULL, why));
        }
        row[v] = right;
    }
    certify_space_free(space);
    potential_free(&potential);
    csr_free(&graph);
}

/* The same of three vertices, where no sum but that with the heavy edge could be rounded; and what
 * that edge does lead to may be off by its rounding. */
static void heavy_edges_excuse_what_they_lead_to(void **state)
{
    (void)state;
    struct edge edges[] = {edge(0, 1, 0), edge(0, 2, 0), edge(2, 3, 0)};
    const double weights[] = {1, -1e20, 3}, wrong[] = {-777777, 7, 1e5};
    for (size_t e = 0; e < 3; e++)
        edges[e].weight.real = weights[e];
    struct csr graph = make_csr(4, true, edges, 3);
    struct potential potential = find_potential(&graph);
    const struct certificate certificate = {.edges = &graph, .potential = &potential};
    struct certify_space *space = certify_space_new(4, DTYPE_F64);
    double row[] = {0, 1, -1e20, nextafter(-1e20, 0)};
    assert_true(certify_row(&certificate, space, 0, row, NULL, why));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        row[1] = wrong[k];
        assert_false(certify_row(&certificate, space, 0, row, NULL, why));
        assert_non_null(strstr(why, "vertex 1 has"));
    }
    certify_space_free(space);
    potential_free(&potential);
    csr_free(&graph);
}

/* Nor does one excuse an edge below 0 that it does not lead to, however large it is. */
static void heavy_edges_hide_no_negative_ones(void **state)
{
    (void)state;
    struct edge edges[] = {edge(0, 1, 0), edge(0, 2, 0)};
    edges[0].weight.real = -0.001;
    edges[1].weight.real = -1e20;
    struct csr graph = make_csr(3, true, edges, 2);
    union value h[] = {{.real = 0}, {.real = 0}, {.real = -1e20}};
    const struct potential potential = {.n = 3, .real = true, .h = h};
    const struct certificate certificate = {.edges = &graph, .potential = &potential};
    struct certify_space *space = certify_space_new(3, DTYPE_F64);
    assert_false(certify_row(&certificate, space, 0, (double[]){0, 0, -1e20}, NULL, why));
    assert_non_null(strstr(why, "negative cycle"));
    csr_free(&graph);
    certify_space_free(space);
}

/* Random edges out of `tails` of the n vertices, each of which leads to the next. */
static struct csr ordered_graph(size_t n, size_t tails, size_t m)
{
    static struct edge edges[4096];
    for (size_t e = 0; e < m; e++) {
        edges[e] = edge((uint32_t)(e % tails),
                        (uint32_t)(e < tails ? (e + 1) % n : (size_t)rand() % n), 0);
        edges[e].weight.real = (1.0 + rand()) / RAND_MAX;
    }
    struct csr graph = make_csr(n, true, edges, m);
    search_order(&graph, &(struct potential){0}, 1);
    return graph;
}

/* A row looks at no edge that is longer than its longest distance: their heads lead nowhere. */
static void longer_edges_are_not_looked_at(void **state)
{
    enum { N = 40, M = 4096 };
    const struct potential none = {0};
    (void)state;
    srand(47);
    struct csr graph = ordered_graph(N, N, M);
    double *rows = rounded_rows(DTYPE_F64, &graph, &none), longest = 0;
    size_t hidden = 0;
    for (size_t k = 0; k < (size_t)N * N; k++)
        longest = fmax(longest, rows[k]);
    for (size_t u = 0; u < N; u++)
        for (size_t e = graph.start[u]; e < graph.start[u + 1]; e++) {
            assert_true(e == graph.start[u] || graph.weight[e - 1].real <= graph.weight[e].real);
            const bool beyond = e > graph.start[u] && graph.weight[e - 1].real > 1.01 * longest;
            graph.to[e] = beyond ? UINT32_MAX : graph.to[e];
            hidden += beyond;
        }
    assert_true(hidden > M / 2);
    struct certify_space *space = certify_space_new(N, DTYPE_F64);
    for (size_t i = 0; i < N; i++) {
        rows[i * N + (i + 1) % N] =
            nextafter(rows[i * N + (i + 1) % N], 0); /* as if rounded otherwise */
        assert_true(
            certify_row(&(struct certificate){.edges = &graph}, space, i, rows + i * N, NULL, why));
    }
    certify_space_free(space);
    free(rows);
    csr_free(&graph);
}

/* And finds what it says too little of all the same: vertices that are further, or reached, or not.
 */
static void ordered_edges_hide_nothing(void **state)
{
    enum { N = 12 };
    (void)state;
    srand(48);
    for (int round = 0; round < 200; round++) {
        const size_t tails = 1 + (size_t)rand() % N; /* rows have gaps where nothing leaves some */
        struct csr graph = ordered_graph(N, tails, tails + (size_t)rand() % (3 * N));
        double *rows = rounded_rows(DTYPE_F64, &graph, &(struct potential){0});
        struct certify_space *space = certify_space_new(N, DTYPE_F64);
        const struct certificate certificate = {.edges = &graph};
        for (size_t i = 0; i < N; i++)
            for (size_t v = 0; v < N; v++) {
                double *row = rows + i * N, right = row[v];
                const double others[] = {right, right / 2, 2 * right, 0, INFINITY, 1e300, 0.5};
                for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
                    row[v] = others[k];
                    assert_int_equal(certify_row(&certificate, space, i, row, NULL, why),
                                     row[v] == right);
                }
                row[v] = right;
            }
        certify_space_free(space);
        free(rows);
        csr_free(&graph);
    }
}

/* Weights near the smallest number of f32, which holds them as multiples of that alone. */
static void smallest_numbers_are_rounded_too(void **state)
{
    enum { N = 60, M = 4 * N };
    static struct edge edges[M];
    (void)state;
    srand(45);
    for (int round = 0; round < 50; round++) {
        const double tiny = 0x1p-149, heaviest = round % 2 ? 3 : 300;
        for (size_t e = 0; e < M; e++) {
            edges[e] = edge((uint32_t)(rand() % N), (uint32_t)(rand() % N), 0);
            edges[e].weight.real =
                round % 5 ? tiny * heaviest * rand() / RAND_MAX : tiny / 4 * (rand() % 1000);
        }
        struct csr graph = make_csr(N, true, edges, M);
        struct certify_space *space = certify_space_new(N, DTYPE_F32);
        const struct certificate certificate = {.edges = &graph};
        float *rows = rounded_rows(DTYPE_F32, &graph, &(struct potential){0});
        for (size_t i = 0; i < N; i++) {
            const size_t v = (i + 1) % N;
            float *row = rows + i * N, right = row[v];
            assert_true(certify_row(&certificate, space, i, row, NULL, why));
            row[v] += (float)(40 * tiny);
            assert_int_equal(certify_row(&certificate, space, i, row, NULL, why),
                             isinf(right) != 0);
            row[v] = right;
        }
        free(rows);
        certify_space_free(space);
        csr_free(&graph);
    }
}

/* The tree is that of the paths that the row was held against. */
static void real_rows_have_trees(void **state)
{
    (void)state;
    struct edge edges[] = {edge(0, 1, 0), edge(0, 2, 0), edge(2, 1, 0), edge(1, 3, 0)};
    const double weights[] = {1, 0.3, 0.3, 0};
    const int32_t parents[] = {-1, 2, 0, 1, -1};
    int32_t tree[5];
    for (size_t e = 0; e < 4; e++)
        edges[e].weight.real = weights[e];
    struct csr graph = make_csr(5, true, edges, 4);
    struct certify_space *space = certify_space_new(5, DTYPE_F64);
    assert_true(certify_row(&(struct certificate){.edges = &graph}, space, 0,
                            (double[]){0, 0.6, 0.3, 0.6, INFINITY}, tree, why));
    assert_memory_equal(tree, parents, sizeof tree);
    assert_false(certify_row(&(struct certificate){.edges = &graph}, space, 0,
                             (double[]){0, 0.6, 0.3, 0.6, 7}, NULL, why));
    assert_string_equal(why, "row 0: no path has the distance 7 of vertex 4");
    assert_false(certify_row(&(struct certificate){.edges = &graph}, space, 0,
                             (double[]){0, 0.6, 0.3, INFINITY, INFINITY}, NULL, why));
    assert_non_null(strstr(
        why, "row 0: vertex 3 has the distance inf, and the shortest path 0.59999999999999998"));
    certify_space_free(space);
    csr_free(&graph);
}

static void chosen_rows_are_different_and_spread(void **state)
{
    (void)state;
    static size_t rows[2000], again[2000];
    for (size_t n = 1; n <= 1500; n += n < 40 ? 1 : 97) {
        for (size_t wanted = 1; wanted <= n + 1; wanted += 1 + wanted / 3) {
            size_t count = certify_choose(rows, wanted, n, wanted), last = SIZE_MAX;
            assert_int_equal(count, wanted < n ? wanted : n);
            for (size_t k = 0; k < count; last = rows[k++]) {
                assert_true(rows[k] < n && (k == 0 || rows[k] > last));
                assert_in_range(rows[k], k * (n / count), (k + 1) * (n / count + 1) - 1);
            }
            assert_int_equal(certify_choose(again, wanted, n, wanted), count);
            assert_memory_equal(rows, again, count * sizeof *rows);
        }
    }
    assert_int_equal(certify_choose(rows, SIZE_MAX, 1500, 1), 1500);
    assert_int_equal(certify_choose(rows, 3, INT32_MAX, 1), 3);
    assert_true(rows[2] < INT32_MAX && rows[2] >= INT32_MAX / 3 * 2);
    assert_int_equal(certify_choose(rows, 0, 10, 1), 0);
    certify_choose(rows, 1000, 1500000, 1);
    certify_choose(again, 1000, 1500000, 2);
    assert_memory_not_equal(rows, again, 1000 * sizeof *rows);
}

static void values_that_are_no_distances_are_named(void **state)
{
    static const double values[] = {-INFINITY, NAN};
    struct edge edges[] = {edge(0, 1, 0)};
    (void)state;
    edges[0].weight.real = 1;
    struct csr graph = make_csr(2, true, edges, 1);
    const struct certificate certificate = {.edges = &graph};
    struct certify_space *space = certify_space_new(2, DTYPE_F64);
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        const double row[] = {0, values[k]};
        assert_false(certify_row(&certificate, space, 0, row, NULL, why));
        assert_non_null(strstr(why, "which is not a distance"));
    }
    certify_space_free(space);
    csr_free(&graph);
}

/* Where rows are not a multiple of those to check the rest is spread too. */
static void each_row_may_be_chosen(void **state)
{
    enum { N = 127, WANTED = 64, SEEDS = 300 };
    size_t rows[WANTED], chosen[N] = {0};
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        certify_choose(rows, WANTED, N, seed);
        for (size_t k = 0; k < WANTED; k++)
            chosen[rows[k]]++;
    }
    for (size_t v = 0; v < N; v++)
        assert_true(chosen[v] > 0);
}

static int make_file(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 || close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_right_rows_pass),
        cmocka_unit_test(zero_cycles_prove_nothing),
        cmocka_unit_test(sums_do_not_wrap),
        cmocka_unit_test(reasons_name_the_vertices),
        cmocka_unit_test(signed_rows_of_both_types),
        cmocka_unit_test(real_rows_within_rounding),
        cmocka_unit_test(long_sums_drift),
        cmocka_unit_test(sizes_stay_along_a_path),
        cmocka_unit_test(slacks_stay_finite),
        cmocka_unit_test(negative_cycles_refute_all),
        cmocka_unit_test(loops_go_and_parallel_edges_stay),
        cmocka_unit_test(needs_grow_and_never_wrap),
        cmocka_unit_test(rows_of_16_bits),
        cmocka_unit_test(whole_weights_may_have_real_rows),
        cmocka_unit_test(real_rows_of_dyadic_weights_are_exact),
        cmocka_unit_test(exact_potentials_leave_rows_exact),
        cmocka_unit_test(other_potentials_round),
        cmocka_unit_test(edges_below_0_are_rounded),
        cmocka_unit_test(slacks_do_not_add_up),
        cmocka_unit_test(heavy_edges_excuse_nothing),
        cmocka_unit_test(long_edges_excuse_nothing),
        cmocka_unit_test(many_vertices_excuse_nothing),
        cmocka_unit_test(other_components_excuse_nothing),
        cmocka_unit_test(heavy_ends_excuse_nothing),
        cmocka_unit_test(heavy_edges_excuse_what_they_lead_to),
        cmocka_unit_test(heavy_edges_hide_no_negative_ones),
        cmocka_unit_test(longer_edges_are_not_looked_at),
        cmocka_unit_test(ordered_edges_hide_nothing),
        cmocka_unit_test(smallest_numbers_are_rounded_too),
        cmocka_unit_test(real_rows_have_trees),
        cmocka_unit_test(chosen_rows_are_different_and_spread),
        cmocka_unit_test(each_row_may_be_chosen),
        cmocka_unit_test(values_that_are_no_distances_are_named),
    };
    return cmocka_run_group_tests_name("certify", tests, make_file, remove_file) != 0;
}
