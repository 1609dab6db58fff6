/* certify.c: a right row passes, and no other row does, since right rows are unique. */
#include "unit.h"

#include "certify.h"
#include "dtype.h"
#include "reference.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SMALL = 12, EDGES_MAX = 64 };

static char path[] = "/tmp/apsp-test-certify-XXXXXX";
static char why[400];

static void put_file(const void *data, size_t bytes)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static struct edge edge(uint32_t from, uint32_t to, int64_t weight)
{
    return (struct edge){.from = from, .to = to, .weight = weight};
}

/* The edges as a course file, read back by certify_load. */
static struct certify_graph load(size_t n, const struct edge *edges, size_t m)
{
    int32_t words[2 + 3 * EDGES_MAX] = {(int32_t)n, (int32_t)m};
    struct certify_graph loaded;
    struct apsp_error error = {0};
    struct graph graph;
    for (size_t e = 0; e < m; e++) {
        words[2 + 3 * e] = (int32_t)edges[e].from;
        words[3 + 3 * e] = (int32_t)edges[e].to;
        words[4 + 3 * e] = (int32_t)edges[e].weight;
    }
    put_file(words, (2 + 3 * m) * sizeof *words);
    assert_int_equal(graph_open(&graph, path, NULL, &error), APSP_OK);
    assert_int_equal(certify_load(&loaded, &graph, &error), APSP_OK);
    graph_close(&graph);
    return loaded;
}

/* Whether `row` passes; a refutation is one line that names the row. */
static bool passes(const struct certify_graph *graph, size_t i, const int32_t *row,
                   struct certify_space *space)
{
    char start[40];
    strcpy(why, "untouched");
    if (certify_row(graph, i, row, space, 1, why, sizeof why)) {
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
        edges[e].weight = rand() % 3 == 0 ? 0 : rand() % (heaviest + 1);
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
static void change_each_entry(const struct certify_graph *graph, size_t i, int32_t *row,
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
static void change_many_entries(const struct certify_graph *graph, size_t i, const int32_t *right,
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
        struct certify_graph graph = load(n, edges, m);
        struct certify_space *space = certify_space_new(n);
        assert_non_null(right);
        assert_non_null(space);
        for (size_t i = 0; i < n; i++) {
            assert_true(passes(&graph, i, right + i * n, space));
            change_each_entry(&graph, i, right + i * n, space);
            change_many_entries(&graph, i, right + i * n, space);
        }
        certify_space_free(space);
        certify_free(&graph);
        free(right);
    }
}

/* On a cycle of weight zero every vertex has a tight edge into it, whatever their common distance. */
static void zero_cycles_prove_nothing(void **state)
{
    (void)state;
    const struct edge edges[] = {edge(0, 1, 9), edge(1, 2, 0), edge(2, 3, 0), edge(3, 1, 0)};
    struct certify_space *space = certify_space_new(4);
    struct certify_graph reached = load(4, edges, 4), unreached = load(4, edges + 1, 3);
    for (int32_t d = 0; d < 12; d++) {
        const int32_t row[] = {0, d, d, d};
        assert_int_equal(passes(&reached, 0, row, space), d == 9);
        assert_false(passes(&unreached, 0, row, space));
    }
    assert_true(passes(&unreached, 0, (const int32_t[]){0, INF_I32, INF_I32, INF_I32}, space));
    certify_free(&reached);
    certify_free(&unreached);
    certify_space_free(space);
}

/* Sums beyond infinity and beyond 32 bits. */
static void sums_do_not_wrap(void **state)
{
    (void)state;
    const int32_t weights[] = {INF_I32 - 1, INF_I32, INF_I32 + 1, INT32_MAX};
    size_t start[] = {0, 1, 2, 2};
    uint32_t to[] = {1, 2};
    struct certify_space *space = certify_space_new(3);
    for (size_t k = 0; k < 4; k++) {
        int32_t weight[] = {INF_I32 - 1, weights[k]};
        const struct certify_graph graph = {3, 2, start, to, weight};
        const int32_t ends[] = {INF_I32, INF_I32 - 1, INF_I32 - 2, 0, -2, -3, -4, INT32_MIN};
        for (size_t j = 0; j < sizeof ends / sizeof *ends; j++)
            assert_false(passes(&graph, 0, (const int32_t[]){0, INF_I32 - 1, ends[j]}, space));
        assert_false(passes(&graph, 0, (const int32_t[]){0, INF_I32 - 1, INF_I32}, space));
        assert_non_null(strstr(why, "exceeds")); /* it is reachable, though no number says how far */
        assert_int_equal(passes(&graph, 1, (const int32_t[]){INF_I32, 0, weights[k]}, space), k == 0);
    }
    certify_space_free(space);
}

static void reasons_name_the_vertices(void **state)
{
    (void)state;
    const struct edge edges[] = {edge(0, 1, 5), edge(1, 2, 7)};
    struct certify_graph graph = load(3, edges, 2);
    struct certify_space *space = certify_space_new(3);
    assert_false(passes(&graph, 0, (const int32_t[]){0, 5, 13}, space));
    assert_string_equal(
        why, "row 1: distance 13 of vertex 3 exceeds 5 of vertex 2 plus the edge between them of 7");
    assert_false(passes(&graph, 0, (const int32_t[]){0, 5, 11}, space));
    assert_string_equal(why, "row 1: no path has the distance 11 of vertex 3");
    assert_false(passes(&graph, 1, (const int32_t[]){INF_I32, 1, 7}, space));
    assert_string_equal(why, "row 2: vertex 2 is 1 away from itself");
    assert_false(passes(&graph, 2, (const int32_t[]){INF_I32, -8, 0}, space));
    assert_string_equal(why, "row 3: vertex 2 has -8, outside 0 .. 1073741823");
    certify_free(&graph);
    certify_space_free(space);
}

static void loops_go_and_parallel_edges_stay(void **state)
{
    (void)state;
    const struct edge edges[] = {edge(2, 0, 4), edge(1, 1, 0), edge(0, 2, 3),
                                 edge(2, 0, 1), edge(2, 2, 9), edge(1, 0, 6)};
    struct certify_graph graph = load(3, edges, 6);
    assert_int_equal(graph.n, 3);
    assert_int_equal(graph.m, 4);
    assert_int_equal(graph.start[0], 0);
    assert_int_equal(graph.start[1], 1);
    assert_int_equal(graph.start[2], 2);
    assert_int_equal(graph.start[3], 4);
    assert_int_equal(graph.to[0], 2);
    assert_int_equal(graph.to[1], 0);
    assert_int_equal(graph.weight[2], 4);
    assert_int_equal(graph.weight[3], 1);
    certify_free(&graph);
    certify_free(&graph); /* freed is empty */
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    const char *const texts[] = {"p sp 3 2\na 1 2 5\n", "p sp 3 1\na 1 2 5\na 1 3 5\n", "p sp 3 1\na 1 4 5\n",
                                 "p sp 3 1\na 1 2 99999999999\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct certify_graph edges = {0};
        struct apsp_error error = {0};
        struct graph graph;
        put_file(texts[k], strlen(texts[k]));
        if (graph_open(&graph, path, "gr", &error) == APSP_OK) {
            assert_int_equal(certify_load(&edges, &graph, &error), APSP_INPUT);
            certify_free(&edges);
            graph_close(&graph);
        }
        assert_int_equal(error.code, APSP_INPUT);
        assert_non_null(strstr(error.text, path));
    }
}

static void needs_grow_and_never_wrap(void **state)
{
    (void)state;
    assert_true(certify_need(1000, 5000, 2) >= 8 * 6000 + 2 * (4 * 1000 + 125));
    assert_true(certify_need(1000, 5000, 2) <= 8 * 6001 + 2 * (4 * 1000 + 1000));
    assert_true(certify_need(INT32_MAX, SIZE_MAX, 4) == SIZE_MAX);
    assert_true(certify_need(INT32_MAX, SIZE_MAX / 8, INT_MAX) == SIZE_MAX);
    assert_true(certify_need(INT32_MAX, 0, 4) > (size_t)INT32_MAX * 24);
}

static void chosen_rows_are_different_and_spread(void **state)
{
    (void)state;
    static size_t rows[2000], again[2000];
    for (size_t n = 1; n <= 1500; n += n < 40 ? 1 : 97) {
        for (size_t wanted = 1; wanted <= n + 1; wanted += 1 + wanted / 3) {
            size_t count = certify_choose(rows, wanted, n), last = SIZE_MAX;
            assert_int_equal(count, wanted < n ? wanted : n);
            for (size_t k = 0; k < count; last = rows[k++]) {
                assert_true(rows[k] < n && (k == 0 || rows[k] > last));
                assert_in_range(rows[k], k * (n / count), (k + 1) * (n / count + 1) - 1);
            }
            assert_int_equal(certify_choose(again, wanted, n), count);
            assert_memory_equal(rows, again, count * sizeof *rows);
        }
    }
    assert_int_equal(certify_choose(rows, SIZE_MAX, 1500), 1500);
    assert_int_equal(certify_choose(rows, 3, INT32_MAX), 3);
    assert_true(rows[2] < INT32_MAX && rows[2] >= INT32_MAX / 3 * 2);
    assert_int_equal(certify_choose(rows, 0, 10), 0);
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
        cmocka_unit_test(loops_go_and_parallel_edges_stay),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(needs_grow_and_never_wrap),
        cmocka_unit_test(chosen_rows_are_different_and_spread),
    };
    return cmocka_run_group_tests_name("certify", tests, make_file, remove_file) != 0;
}
