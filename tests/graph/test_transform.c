/* What options make of the edges of a graph, against matrices: directions, weights, parallel edges,
 * and the largest strongly connected component by transitive closure. */
#include "unit.h"

#include "folder.h"
#include "graph/source.h"

#include <stdlib.h>
#include <string.h>

enum { N = 24, M_MAX = 200 };

static char path[sizeof folder + 20];

/* Sums of weights, and numbers, of the edges between each two vertices. */
struct table {
    size_t n, edges;
    long long sum[N][N];
    int count[N][N];
};

static unsigned short seed[3] = {7, 8, 9};

static long draw(long below)
{
    return nrand48(seed) % below;
}

/* A file of m edges, loops among them, and its table. */
static void make_graph(struct table *table, size_t n, size_t m)
{
    snprintf(path, sizeof path, "%s/graph.gr", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "p sp %zu %zu\n", n, m);
    *table = (struct table){.n = n, .edges = m};
    for (size_t e = 0; e < m; e++) {
        long u = draw((long)n), v = draw((long)n), w = draw(1000) - 500;
        fprintf(file, "a %ld %ld %ld\n", u + 1, v + 1, w);
        table->sum[u][v] += w;
        table->count[u][v]++;
    }
    assert_int_equal(fclose(file), 0);
}

/* Vertices go by their labels, which are numbers from 1. */
static size_t row_of(const struct graph *graph, size_t v)
{
    char text[LABEL_SHOWN];
    return strtoul(label_text(graph_labels(graph), v, text), NULL, 10) - 1;
}

static void read_table(struct table *table, const struct graph_options *options, int parts,
                       size_t room)
{
    struct graph graph;
    struct apsp_error error = {0};
    struct edge edges[8];
    size_t count, records = 0;
    assert_int_equal(graph_open(&graph, path, options, false, &error), APSP_OK);
    *table = (struct table){.n = graph.n};
    for (int i = 0; i < parts; i++) {
        struct graph_part *part;
        assert_int_equal(graph_part_open(&part, &graph, i, parts, &error), APSP_OK);
        while (graph_part_next(part, edges, room, &count, &error) == APSP_OK && count > 0)
            for (size_t e = 0; e < count; e++) {
                assert_true(count <= room && edges[e].from < graph.n && edges[e].to < graph.n);
                size_t u = row_of(&graph, edges[e].from), v = row_of(&graph, edges[e].to);
                table->edges++;
                table->sum[u][v] += edges[e].weight.whole;
                table->count[u][v]++;
            }
        assert_int_equal(error.code, APSP_OK);
        records += graph_part_records(part);
        graph_part_free(part);
    }
    assert_int_equal(graph_check_records(&graph, records, &error), APSP_OK);
    assert_true(graph.m >= table->edges);
    graph_close(&graph);
}

/* The edges are the same, however they are read. */
static void check(const struct table *expected, const struct graph_options *options)
{
    static struct table found;
    for (int parts = 1; parts <= 3; parts++)
        for (size_t room = 1; room <= 8; room += 1 + (size_t)parts) {
            read_table(&found, options, parts, room);
            assert_int_equal(found.n, expected->n);
            assert_int_equal(found.edges, expected->edges);
            assert_memory_equal(found.sum, expected->sum, sizeof found.sum);
            assert_memory_equal(found.count, expected->count, sizeof found.count);
        }
}

static void transform(const struct table *from, struct table *to,
                      const struct graph_options *options)
{
    *to = (struct table){.n = from->n};
    for (size_t u = 0; u < N; u++)
        for (size_t v = 0; v < N; v++) {
            size_t a = options->reverse ? v : u, b = options->reverse ? u : v;
            long long sum = options->unweighted ? from->count[u][v] : from->sum[u][v];
            to->sum[a][b] += sum;
            to->count[a][b] += from->count[u][v];
            to->sum[b][a] += options->undirected && u != v ? sum : 0;
            to->count[b][a] += options->undirected && u != v ? from->count[u][v] : 0;
        }
    bool merged = options->parallel && strcmp(options->parallel, "sum") == 0;
    for (size_t u = 0; u < N; u++)
        for (size_t v = 0; v < N; v++) {
            to->count[u][v] = merged && to->count[u][v] > 1 ? 1 : to->count[u][v];
            to->edges += (size_t)to->count[u][v];
        }
}

static void edges_are_transformed(void **state)
{
    static struct table graph, expected;
    (void)state;
    for (int trial = 0; trial < 20; trial++) {
        make_graph(&graph, 2 + (size_t)draw(N - 1), (size_t)draw(M_MAX));
        for (int which = 0; which < 16; which++) {
            const struct graph_options options = {.undirected = which & 1,
                                                  .reverse = which & 2,
                                                  .unweighted = which & 4,
                                                  .parallel = which & 8 ? "sum" : NULL};
            transform(&graph, &expected, &options);
            check(&expected, &options);
        }
    }
}

static void close_over(const struct table *table, bool reach[N][N])
{
    for (size_t u = 0; u < N; u++)
        for (size_t v = 0; v < N; v++)
            reach[u][v] = u == v || table->count[u][v] > 0;
    for (size_t k = 0; k < N; k++)
        for (size_t u = 0; u < N; u++)
            for (size_t v = 0; v < N; v++)
                reach[u][v] |= reach[u][k] && reach[k][v];
}

static size_t size_of(bool reach[N][N], size_t u)
{
    size_t size = 0;
    for (size_t v = 0; v < N; v++)
        size += reach[u][v] && reach[v][u];
    return size;
}

static void largest_component_is_kept(void **state)
{
    static struct table graph, expected;
    bool reach[N][N];
    (void)state;
    for (int trial = 0; trial < 40; trial++) {
        const struct graph_options options = {.undirected = trial % 2, .largest = true};
        struct table whole;
        size_t best = 0;
        make_graph(&graph, N, (size_t)draw(60));
        transform(&graph, &whole, &options);
        close_over(&whole, reach);
        for (size_t u = 1; u < N; u++)
            best = size_of(reach, u) > size_of(reach, best) ? u : best;
        expected = (struct table){.n = size_of(reach, best)};
        for (size_t u = 0; u < N; u++)
            for (size_t v = 0; v < N; v++)
                if (reach[best][u] && reach[u][best] && reach[best][v] && reach[v][best]) {
                    expected.sum[u][v] = whole.sum[u][v];
                    expected.count[u][v] = whole.count[u][v];
                    expected.edges += (size_t)whole.count[u][v];
                }
        check(&expected, &options);
    }
}

static void refuse(const char *text, const char *parallel, const char *words)
{
    struct graph graph;
    struct apsp_error error = {0};
    const struct graph_options options = {.parallel = parallel};
    snprintf(path, sizeof path, "%s/graph.csv", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(graph_open(&graph, path, &options, false, &error),
                     words ? APSP_INPUT : APSP_OK);
    if (words && !strstr(error.text, words))
        fail_msg("'%s' is not in: %s", words, error.text);
    graph_close(&graph);
}

static void parallel_edges_are_refused(void **state)
{
    (void)state;
    refuse("a,b\nb,a\n", "error", NULL);
    refuse("a,b\nb,a\na,b\n", "error",
           "graph.csv:1: there are parallel edges from a to b; reading.parallel");
    refuse("p sp 3 3\nc\na 1 2 3\n\na 2 3 1\na 1 2 3", "error", "graph.csv:6 and ");
    refuse("%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 3\n\n1 2 3\n", "error",
           "graph.csv:5 and ");
    refuse("%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 3\n1 2 3\n", "error",
           "graph.csv:4 and ");
    refuse("Source,Target,Type\na,c,Directed\na,b,Undirected\n\nb,a,Directed\n", "error",
           "graph.csv:5 and ");
    refuse("graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ]"
           " edge [ source 2 target 1 ] edge [ source 1 target 2 ] ]",
           "error",
           "graph.csv: edges 1 and 3 are parallel edges from 1 to 2; reading.parallel min");
    refuse("a,b\nb,a\na,b\n", "min", NULL);
    refuse("a,b,4611686018427387902\na,b,1\n", "sum",
           "sum of parallel edges from a to b is too large");
    refuse("a,b,-4611686018427387902\na,b,-1\n", "sum", "too large");
    refuse("a,b,1.5e308\na,b,1e308\n", "sum", "too large");
    refuse("a,b,0.5\na,b,1\n", "sum", NULL);
    refuse("a,a\na,b\n", "error", NULL);
    refuse("a,a\na,b\na,a\n", "error", "parallel edges from a to a");
}

/* Edges that lead both ways anyhow do not become more: whoever sums parallel ones gets each weight
 * once. */
static void two_ways_stay_two(void **state)
{
    static const char *const files[][2] = {
        {"a.graph", "3 2 1\n2 7\n1 7 3 2\n2 2\n"},
        {"a.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 7\n3 2 2\n"},
        {"a.gml",
         "graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] edge [ source 1 target 2 weight 7 ]"
         "edge [ source 2 target 3 weight 2 ] ]"},
        {"a.graphml",
         "<graphml><key id='w' for='edge' attr.name='weight'/><graph edgedefault='undirected'>"
         "<node id='1'/><node id='2'/><node id='3'/>"
         "<edge source='1' target='2'><data key='w'>7</data></edge>"
         "<edge source='2' target='3'><data key='w'>2</data></edge></graph></graphml>"},
        {"b.graphml",
         "<graphml><key id='w' for='edge' attr.name='weight'/><graph edgedefault='directed'>"
         "<node id='1'/><node id='2'/><node id='3'/>"
         "<edge source='1' target='2' directed='false'><data key='w'>7</data></edge>"
         "<edge source='2' target='3'><data key='w'>2</data></edge></graph></graphml>"},
    };
    struct table expected = {.n = 3, .edges = 4};
    (void)state;
    expected.sum[0][1] = expected.sum[1][0] = 7;
    expected.sum[1][2] = expected.sum[2][1] = 2;
    expected.count[0][1] = expected.count[1][0] = expected.count[1][2] = expected.count[2][1] = 1;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i][0]);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(files[i][1], file);
        assert_int_equal(fclose(file), 0);
        static const char *const parallel[] = {NULL, "sum", "error"};
        for (size_t p = 0; p < 3; p++)
            check(&expected, &(struct graph_options){.undirected = true, .parallel = parallel[p]});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_transformed),
        cmocka_unit_test(largest_component_is_kept),
        cmocka_unit_test(two_ways_stay_two),
        cmocka_unit_test(parallel_edges_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
