/* Every function of apsp.h in one process, without MPI: arguments good and bad, all types of
 * arrays, callbacks that stop, and one solve after another. */
#include "gives.h"

#include "apsp.h"
#include "base/fault.h"
#include "graph_of.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sample sample, negative;
#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != APSP_OK)                                                                     \
            fail_msg("%s: %s", #call, error.text);                                                 \
        assert_int_equal(error.code, APSP_OK);                                                     \
        assert_string_equal(error.text, "");                                                       \
    } while (0)

static struct apsp_options options_of(enum apsp_type type, enum apsp_type output)
{
    struct apsp_options options;
    memset(&options, 0xff, sizeof options);
    apsp_options_init(&options);
    options.device = APSP_DEVICE_CPU;
    options.threads = 2;
    options.type = type;
    options.output = output;
    return options;
}

static void check_rows(struct apsp_solution *solution, const int64_t *right)
{
    enum apsp_type type = apsp_solution_facts(solution)->type;
    double all[N * (N + 3)];
    OK(apsp_rows(solution, NULL, 0, all, N + 3, fresh()));
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            assert_int_equal(entry_of(all, type, i * (N + 3) + j), right[i * N + j]);
}

static void check_graph(struct apsp_graph *graph, const int64_t *right,
                        const struct apsp_options *options)
{
    struct apsp_solution *solution;
    assert_int_equal(apsp_graph_vertices(graph), N);
    OK(apsp_solve(graph, options, &solution, fresh()));
    check_rows(solution, right);
    apsp_solution_free(solution);
}

static void version_is_that_of_the_header(void **state)
{
    (void)state;
    assert_string_equal(apsp_version(), APSP_VERSION);
}

static void edges_of_all_types(void **state)
{
    const struct apsp_array from[] = {{sample.from32, APSP_I32},
                                      {sample.from32, APSP_U32},
                                      {sample.from64, APSP_I64},
                                      {sample.fromu64, APSP_U64}},
                            to[] = {{sample.to32, APSP_I32},
                                    {sample.tou32, APSP_U32},
                                    {sample.to64, APSP_I64},
                                    {sample.to64, APSP_U64}},
                            weight[] = {{sample.weight32, APSP_I32},
                                        {sample.weight64, APSP_I64},
                                        {sample.weightf, APSP_F32},
                                        {sample.weightd, APSP_F64}};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (size_t w = 0; w < 4; w++) {
            const struct apsp_edges edges = {N, M, from[i], to[i], weight[w]};
            struct apsp_graph *graph;
            OK(apsp_graph_edges(&graph, &edges, fresh()));
            check_graph(graph, sample.right, NULL);
            apsp_graph_free(graph);
        }
}

/* Thirds on a path, with a way round that is longer but for rounding. */
static void sums_are_those_along_paths(void **state)
{
    enum { LONG = 40 };
    static const char *const ways[] = {NULL, "path", "solver"};
    static const enum apsp_type types[] = {APSP_AUTO, APSP_F32};
    int32_t from[LONG - 1], to[LONG - 1];
    double weight[LONG - 1];
    const struct apsp_edges edges = {
        LONG, LONG - 1, {from, APSP_I32}, {to, APSP_I32}, {weight, APSP_F64}};
    struct apsp_graph *graph;
    (void)state;
    for (int v = 0; v + 1 < LONG; v++) {
        from[v] = v;
        to[v] = v + 1;
        weight[v] = (v % 7 + 1) / 3.0;
    }
    OK(apsp_graph_edges(&graph, &edges, fresh()));
    for (size_t k = 0; k < 6; k++) {
        struct apsp_options options = options_of(types[k / 3], APSP_AUTO);
        struct apsp_solution *solution;
        double rows[LONG * LONG];
        const char *way = options.sums = ways[k % 3];
        OK(apsp_solve(graph, &options, &solution, fresh()));
        assert_string_equal(apsp_solution_facts(solution)->sums, way ? way : "path");
        OK(apsp_rows(solution, NULL, 0, rows, 0, fresh()));
        for (size_t i = 0; i < LONG && (!way || strcmp(way, "path") == 0); i++) {
            double sum = 0;
            for (size_t j = i; j < LONG; sum += weight[j++ % (LONG - 1)])
                assert_true(k < 3 ? rows[i * LONG + j] == sum
                                  : ((float *)rows)[i * LONG + j] == (float)sum);
        }
        struct apsp_path along;
        OK(apsp_find_path(solution, 0, LONG - 1, &along, fresh()));
        assert_int_equal(along.length, LONG);
        apsp_path_free(&along);
        apsp_solution_free(solution);
    }
    struct apsp_options options = options_of(APSP_AUTO, APSP_AUTO);
    struct apsp_solution *solution;
    options.sums = "paths";
    FAILS(apsp_solve(graph, &options, &solution, fresh()), APSP_USAGE, "options.sums paths");
    apsp_graph_free(graph);
}

/* Tenths are computed as integers, and given out as reals: each correctly rounded. */
struct tenths {
    size_t rows, wrong; /* blocks */
};

static bool is_tenth(double value, int64_t right)
{
    return right == INF_I64 ? isinf(value) : value == (double)right / 10;
}

static int see_tenths(void *user, const struct apsp_block *block)
{
    struct tenths *seen = user;
    bool right = block->type == APSP_F64;
    for (size_t k = 0; right && k < block->count; k++)
        for (size_t j = 0; j < N; j++)
            right &= is_tenth(((const double *)block->values)[k * block->stride + j],
                              sample.right[(block->first + k) * N + j]);
    __atomic_fetch_add(&seen->rows, block->count, __ATOMIC_RELAXED);
    __atomic_fetch_add(&seen->wrong, !right, __ATOMIC_RELAXED);
    return 0;
}

static void check_tenths(struct apsp_solution *solution, size_t i)
{
    const struct apsp_pairs_request request = {.from = {(uint32_t[]){(uint32_t)i}, 1},
                                               .nearest = 7};
    struct apsp_pairs pairs;
    struct apsp_path path;
    OK(apsp_find_pairs(solution, &request, &pairs, fresh()));
    for (size_t k = 0; k < pairs.count; k++)
        assert_true(is_tenth(pairs.pair[k].real, sample.right[i * N + pairs.pair[k].to]));
    apsp_pairs_free(&pairs);
    for (size_t j = 0; j < N; j++) {
        struct apsp_distance distance;
        OK(apsp_find_distance(solution, i, j, &distance, fresh()));
        assert_true(is_tenth(distance.real, sample.right[i * N + j]));
        OK(apsp_find_path(solution, i, j, &path, fresh()));
        assert_int_equal(path.length > 0, sample.right[i * N + j] < INF_I64);
        apsp_path_free(&path);
    }
}

static void decimals_are_rounded_once(void **state)
{
    struct apsp_options options = options_of(APSP_AUTO, APSP_AUTO);
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    char text[M * 40];
    double rows[N * N];
    (void)state;
    int used =
        sprintf(text, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", N, N, M);
    for (size_t e = 0; e < M; e++)
        used += sprintf(text + used, "%d %d %d.%d\n", sample.from32[e] + 1, sample.to32[e] + 1,
                        sample.weight32[e] / 10, sample.weight32[e] % 10);
    OK(apsp_graph_bytes(&graph, text, (size_t)used, "mtx", fresh()));
    OK(apsp_solve(graph, &options, &solution, fresh()));
    assert_true(apsp_solution_facts(solution)->computed < APSP_F32);
    OK(apsp_rows(solution, NULL, 0, rows, 0, fresh()));
    for (size_t k = 0; k < (size_t)N * N; k++)
        assert_true(is_tenth(rows[k], sample.right[k]));
    for (unsigned flags = 0; flags <= APSP_PARALLEL; flags++) {
        struct tenths seen = {0};
        OK(apsp_blocks(solution, see_tenths, &seen, flags, fresh()));
        assert_true(seen.rows == N && seen.wrong == 0);
    }
    for (size_t i = 0; i < N; i += 7)
        check_tenths(solution, i);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

static void weights_may_be_left_out(void **state)
{
    const int64_t from[] = {0, 1}, to[] = {1, 2};
    const struct apsp_edges edges = {3, 2, {from, APSP_I64}, {to, APSP_I64}, {NULL, APSP_AUTO}},
                            none = {.vertices = 1};
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    int32_t d[9];
    (void)state;
    OK(apsp_graph_edges(&graph, &edges, fresh()));
    OK(apsp_solve(graph, NULL, &solution, fresh()));
    OK(apsp_rows(solution, NULL, 0, d, 0, fresh()));
    assert_true(d[1] == 1 && d[2] == 2 && d[3] == APSP_UNREACHABLE_I32);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
    OK(apsp_graph_edges(&graph, &none, fresh()));
    OK(apsp_solve(graph, NULL, &solution, fresh()));
    OK(apsp_rows(solution, NULL, 0, d, 0, fresh()));
    assert_int_equal(d[0], 0);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

static void compressed_rows_of_all_types(void **state)
{
    int32_t start32[N + 1] = {0};
    int64_t start64[N + 1];
    (void)state;
    for (size_t e = 0; e < M; e++)
        start32[sample.from32[e] + 1]++;
    for (size_t v = 0; v < N; v++)
        start32[v + 1] += start32[v];
    for (size_t v = 0; v <= N; v++)
        start64[v] = start32[v];
    const struct apsp_csr all[] = {
        {N, {start32, APSP_I32}, {sample.to32, APSP_I32}, {sample.weight32, APSP_I32}},
        {N, {start32, APSP_U32}, {sample.tou32, APSP_U32}, {sample.weight64, APSP_I64}},
        {N, {start64, APSP_I64}, {sample.to64, APSP_I64}, {sample.weightf, APSP_F32}},
        {N, {start64, APSP_U64}, {sample.to64, APSP_U64}, {sample.weightd, APSP_F64}}};
    struct apsp_graph *graph;
    for (size_t k = 0; k < 4; k++) {
        OK(apsp_graph_csr(&graph, &all[k], fresh()));
        check_graph(graph, sample.right, NULL);
        apsp_graph_free(graph);
    }
    start32[7] = 1000;
    FAILS(apsp_graph_csr(&graph, &all[0], fresh()), APSP_INPUT, "start[8]");
    assert_null(graph);
    start32[0] = 1;
    FAILS(apsp_graph_csr(&graph, &all[0], fresh()), APSP_INPUT, "start[0] is 1");
    struct apsp_csr bad = all[2];
    bad.to.data = NULL;
    FAILS(apsp_graph_csr(&graph, &bad, fresh()), APSP_USAGE, "to: expected an array, found NULL");
    bad.start.type = APSP_F64;
    FAILS(apsp_graph_csr(&graph, &bad, fresh()), APSP_USAGE, "start: type");
    FAILS(apsp_graph_csr(&graph, NULL, fresh()), APSP_USAGE, "NULL");
}

/* The sample as the text of a DIMACS file. */
static size_t text_of(char *text)
{
    int used = sprintf(text, "p sp %d %d\n", N, M);
    for (size_t e = 0; e < M; e++)
        used += sprintf(text + used, "a %d %d %d\n", sample.from32[e] + 1, sample.to32[e] + 1,
                        sample.weight32[e]);
    return (size_t)used;
}

static void memory_and_files_are_graphs(void **state)
{
    static char text[M * 40];
    char path[] = "/tmp/apsp-test-XXXXXX.gr";
    size_t bytes = text_of(text);
    struct apsp_graph *graph;
    (void)state;
    OK(apsp_graph_bytes(&graph, text, bytes, "gr", fresh()));
    check_graph(graph, sample.right, NULL);
    apsp_graph_free(graph);
    FAILS(apsp_graph_bytes(&graph, text, bytes, "mtx", fresh()), APSP_INPUT, "the graph in memory");
    FAILS(apsp_graph_bytes(&graph, text, 0, "gr", fresh()), APSP_INPUT, "empty");
    FAILS(apsp_graph_bytes(&graph, text, bytes, NULL, fresh()), APSP_USAGE, "edges32, gr, mtx");
    FAILS(apsp_graph_bytes(&graph, text, bytes, "xls", fresh()), APSP_USAGE, "xls");
    FAILS(apsp_graph_bytes(&graph, NULL, 0, "gr", fresh()), APSP_USAGE, "NULL");
    assert_null(graph);
    int fd = mkstemps(path, 3);
    assert_int_equal(write(fd, text, bytes), bytes);
    close(fd);
    OK(apsp_graph_file(&graph, path, NULL, fresh()));
    unlink(path); /* it stays open */
    check_graph(graph, sample.right, NULL);
    check_graph(graph, sample.right, NULL);
    apsp_graph_free(graph);
    FAILS(apsp_graph_file(&graph, path, NULL, fresh()), APSP_IO, "cannot open");
    FAILS(apsp_graph_file(&graph, NULL, NULL, fresh()), APSP_USAGE, "NULL");
    FAILS(apsp_graph_file(&graph, "/tmp", "gr", fresh()), APSP_IO, "directory");
}

static void vertices_have_names(void **state)
{
    static const char list[] =
        "x,from,to,cost\n0,Rome,Oslo,4\n0,Oslo,Rome,1\n0,Rome,Oslo,2\n0,Nice,Rome,1\n";
    static const char *const names[] = {"Nice", "Oslo", "Rome"};
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    struct apsp_reading reading;
    char name[10];
    size_t vertex = 7;
    (void)state;
    memset(&reading, 0xff, sizeof reading);
    apsp_reading_init(&reading);
    reading.sort_names = reading.reverse = 1;
    reading.parallel = APSP_PARALLEL_SUM;
    char columns[] = "from,to,cost";
    reading.columns = columns;
    OK(apsp_graph_read_bytes(&graph, list, sizeof list - 1, &reading, fresh()));
    memset(columns, 'x', sizeof columns); /* they are the caller's again */
    for (size_t v = 0; v < 3; v++) {
        assert_int_equal(apsp_vertex_name(graph, v, name, sizeof name), 4);
        assert_string_equal(name, names[v]);
        OK(apsp_find_vertex(graph, names[v], &vertex, fresh()));
        assert_int_equal(vertex, v);
    }
    assert_int_equal(apsp_vertex_name(graph, 1, name, 3), 4);
    assert_string_equal(name, "Os");
    assert_int_equal(apsp_vertex_name(graph, 1, NULL, 0), 4);
    assert_int_equal(apsp_vertex_name(graph, 3, name, sizeof name), 0);
    assert_string_equal(name, "");
    assert_int_equal(apsp_vertex_name(NULL, 0, NULL, 0), 0);
    assert_string_equal(apsp_graph_notes(graph), "");
    assert_string_equal(apsp_graph_notes(NULL), "");
    FAILS(apsp_find_vertex(graph, "Bonn", &vertex, fresh()), APSP_USAGE, "'Bonn' is not a vertex");
    FAILS(apsp_find_vertex(NULL, "Bonn", &vertex, fresh()), APSP_USAGE, "NULL");
    assert_int_equal(vertex, 2);
    struct apsp_distance distance;
    OK(apsp_solve(graph, NULL, &solution, fresh()));
    OK(apsp_find_distance(solution, 1, 0, &distance, fresh())); /* Oslo <- Rome <- Nice, reversed */
    assert_int_equal(distance.whole, 7);
    apsp_solution_free(solution);
    apsp_graph_free(graph);

    reading.columns = NULL;
    reading.parallel = APSP_PARALLEL_ERROR;
    FAILS(apsp_graph_read_bytes(&graph, list, sizeof list - 1, &reading, fresh()), APSP_INPUT,
          "parallel edges");
    reading.parallel = (enum apsp_parallel)9;
    FAILS(apsp_graph_read_bytes(&graph, list, sizeof list - 1, &reading, fresh()), APSP_USAGE,
          "parallel 9");
    apsp_reading_init(&reading);
    reading.label_key = "cost";
    FAILS(apsp_graph_read_bytes(&graph, list, sizeof list - 1, &reading, fresh()), APSP_USAGE,
          "gml, graphml");
    reading.size = 3;
    FAILS(apsp_graph_read_bytes(&graph, list, sizeof list - 1, &reading, fresh()), APSP_USAGE,
          "apsp_reading_init");
    assert_null(graph);
    struct apsp_edges edges = sample_edges(&sample);
    OK(apsp_graph_edges(&graph, &edges, fresh()));
    assert_int_equal(apsp_vertex_name(graph, 0, name, sizeof name), 1);
    assert_string_equal(name, "0");
    assert_int_equal(apsp_vertex_name(graph, apsp_graph_vertices(graph) + 1, name, sizeof name), 0);
    OK(apsp_find_vertex(graph, "3", &vertex, fresh()));
    assert_int_equal(vertex, 3);
    apsp_graph_free(graph);
}

/* A solution on cores has no table on a GPU. */
static void tables_of_cores_stay_on_the_host(void **state)
{
    const struct apsp_options options = options_of(APSP_AUTO, APSP_AUTO);
    const struct apsp_edges edges = {
        N, M, {sample.from32, APSP_I32}, {sample.to32, APSP_I32}, {sample.weight32, APSP_I32}};
    struct apsp_graph *graph;
    struct apsp_device_table table;
    struct apsp_solution *solution;
    double room[4];
    struct apsp_device_memory memory = {room, sizeof room, NULL};
    (void)state;
    OK(apsp_graph_edges(&graph, &edges, fresh()));
    OK(apsp_solve(graph, &options, &solution, fresh()));
    FAILS(apsp_table_on_device(solution, NULL, NULL, &table, fresh()), APSP_DEVICE, "not on a GPU");
    FAILS(apsp_table_into_device(solution, NULL, NULL, &memory, fresh()), APSP_DEVICE,
          "not on a GPU");
    memory.values = NULL;
    FAILS(apsp_table_into_device(solution, NULL, NULL, &memory, fresh()), APSP_USAGE, "NULL");
    FAILS(apsp_table_into_device(solution, NULL, NULL, NULL, fresh()), APSP_USAGE, "NULL");
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

static void bad_edges_are_refused(void **state)
{
    struct apsp_edges edges = sample_edges(&sample);
    struct apsp_graph *graph;
    struct apsp_solution *solution = (void *)&edges;
    (void)state;
    FAILS(apsp_graph_edges(&graph, NULL, fresh()), APSP_USAGE, "NULL");
    FAILS(apsp_graph_edges(NULL, &edges, fresh()), APSP_USAGE, "NULL");
    edges.weight.type = APSP_U16;
    FAILS(apsp_graph_edges(&graph, &edges, fresh()), APSP_USAGE, "weight: type");
    edges = sample_edges(&sample);
    edges.from.data = NULL;
    FAILS(apsp_graph_edges(&graph, &edges, fresh()), APSP_USAGE,
          "from: expected an array, found NULL");
    assert_null(graph);
    edges = sample_edges(&sample);
    edges.vertices = 0;
    FAILS(apsp_graph_edges(&graph, &edges, fresh()), APSP_INPUT, "0 vertices");
    edges.vertices = 20;
    OK(apsp_graph_edges(&graph, &edges, fresh()));
    FAILS(apsp_solve(graph, NULL, &solution, fresh()), APSP_INPUT, "is not in 0 .. 19");
    assert_null(solution);
    assert_int_equal(apsp_solve(graph, NULL, &solution, NULL), APSP_INPUT);
    apsp_graph_free(graph);
    FAILS(apsp_solve(NULL, NULL, &solution, fresh()), APSP_USAGE, "NULL");
    apsp_graph_free(NULL);
    apsp_solution_free(NULL);
    assert_int_equal(apsp_graph_vertices(NULL), 0);
    assert_null(apsp_solution_facts(NULL));
    FAILS(apsp_solve_over(NULL, NULL, 0, NULL, &solution, fresh()), APSP_USAGE, "communicator");
}

static void rows_of_all_types(void **state)
{
    static const enum apsp_type types[] = {APSP_U16, APSP_I32, APSP_I64, APSP_F32, APSP_F64};
    struct apsp_edges edges = sample_edges(&sample);
    struct apsp_graph *graph;
    (void)state;
    OK(apsp_graph_edges(&graph, &edges, fresh()));
    for (size_t t = 0; t < 5; t++)
        for (size_t o = 0; o < 5; o++) {
            struct apsp_options options = options_of(types[t], types[o]);
            struct apsp_solution *solution;
            if (t > 2 && (o < 3 || o > t)) {
                FAILS(apsp_solve(graph, &options, &solution, fresh()), APSP_INPUT,
                      "options.output");
                continue;
            }
            OK(apsp_solve(graph, &options, &solution, fresh()));
            assert_int_equal(apsp_solution_facts(solution)->type, types[o]);
            assert_int_equal(apsp_solution_facts(solution)->computed, types[t]);
            check_rows(solution, sample.right);
            apsp_solution_free(solution);
        }
    struct apsp_options narrow = options_of(APSP_AUTO, APSP_NARROW);
    check_graph(graph, sample.right, &narrow);
    apsp_graph_free(graph);
}

static void options_are_checked(void **state)
{
    struct apsp_edges edges = sample_edges(&sample);
    struct apsp_options good = options_of(APSP_AUTO, APSP_AUTO), bad;
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    struct {
        struct apsp_options known;
        char later[8];
    } longer = {good, {0}};
    (void)state;
    OK(apsp_graph_edges(&graph, &edges, fresh()));
#define BAD(field, value, status, word)                                                            \
    bad = good;                                                                                    \
    bad.field = (value);                                                                           \
    FAILS(apsp_solve(graph, &bad, &solution, fresh()), status, word)
    BAD(size, 0, APSP_USAGE, "apsp_options_init");
    BAD(threads, -1, APSP_USAGE, "threads");
    BAD(threads, 5000, APSP_USAGE, "threads");
    BAD(tile, 1 << 20, APSP_USAGE, "tile");
    BAD(type, APSP_U64, APSP_USAGE, "type");
    BAD(output, APSP_U32, APSP_USAGE, "output");
    BAD(device, (enum apsp_device)9, APSP_USAGE, "device");
    BAD(method, "magic", APSP_USAGE, "magic");
    BAD(transport, "pigeon", APSP_USAGE, "pigeon");
    bad = good;
    bad.paranoid = 1;
    bad.verify = 3;
    FAILS(apsp_solve(graph, &bad, &solution, fresh()), APSP_USAGE,
          "paranoid proves all rows right, and verify is 3");
    bad = good;
    bad.size = offsetof(struct apsp_options, type); /* an older caller's */
    bad.type = (enum apsp_type)77;
    check_graph(graph, sample.right, &bad);
    longer.known.size = sizeof longer; /* a newer one's */
    check_graph(graph, sample.right, &longer.known);
    longer.later[3] = 1;
    FAILS(apsp_solve(graph, &longer.known, &solution, fresh()), APSP_USAGE, "newer");
    apsp_graph_free(graph);
}

static void facts_are_told(void **state)
{
    struct apsp_edges edges = sample_edges(&sample);
    struct apsp_options options = options_of(APSP_AUTO, APSP_AUTO);
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    (void)state;
    options.verify = APSP_VERIFY_ALL;
    options.method = "dense";
    OK(apsp_graph_edges(&graph, &edges, fresh()));
    OK(apsp_solve(graph, &options, &solution, fresh()));
    const struct apsp_facts *facts = apsp_solution_facts(solution);
    assert_true(facts->vertices == N && facts->edges == M && facts->verified == N &&
                facts->ranks == 1);
    assert_true(facts->type == APSP_I32 && facts->computed == APSP_U16);
    assert_int_equal(facts->threads, sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1);
    assert_true(facts->rows == N && facts->bounded && facts->bound >= 99);
    assert_true(facts->total >= facts->solve && facts->solve >= 0 && facts->read >= 0 &&
                facts->verify >= 0);
    assert_string_equal(facts->method, "dense");
    assert_true(*facts->plan && *facts->device);
    check_rows(solution, sample.right); /* after the certificate's pass */
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

/* A bit that turns round in the middle of the solve (dense/flip.h); and all rows are certified. */
static void paranoid_sees_changed_memory(void **state)
{
    struct apsp_edges edges = sample_edges(&sample);
    struct apsp_options options = options_of(APSP_AUTO, APSP_AUTO);
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    (void)state;
    options.method = "dense";
    options.tile = 10;
    options.paranoid = 1;
    OK(apsp_graph_edges(&graph, &edges, fresh()));
    OK(apsp_solve(graph, &options, &solution, fresh()));
    assert_int_equal(apsp_solution_facts(solution)->verified, N);
    apsp_solution_free(solution);
    assert_int_equal(setenv("APSP_FLIP", "row:1", 1), 0);
    FAILS(apsp_solve(graph, &options, &solution, fresh()), APSP_REFUTED,
          "bit flip in memory of rank");
    options.paranoid = 0;
    OK(apsp_solve(graph, &options, &solution, fresh()));
    apsp_solution_free(solution);
    assert_int_equal(unsetenv("APSP_FLIP"), 0);
    apsp_graph_free(graph);
}

static int threads_of(int wanted, size_t vertices)
{
    const struct apsp_edges edges = {.vertices = vertices};
    struct apsp_options options = options_of(APSP_AUTO, APSP_AUTO);
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    options.threads = wanted;
    OK(apsp_graph_edges(&graph, &edges, fresh()));
    OK(apsp_solve(graph, &options, &solution, fresh()));
    int threads = apsp_solution_facts(solution)->threads;
    apsp_solution_free(solution);
    apsp_graph_free(graph);
    return threads;
}

static void threads_are_those_of_the_machine(void **state)
{
    int most = (int)sysconf(_SC_NPROCESSORS_ONLN);
    (void)state;
    assert_int_equal(threads_of(4096, N), most);
    assert_in_range(threads_of(0, 100), 1, most);
    assert_int_equal(threads_of(0, N), 1);
}

static struct apsp_solution *solve_sample(struct apsp_graph **graph, const struct sample *of,
                                          enum apsp_type type)
{
    struct apsp_edges edges = sample_edges(of);
    struct apsp_options options = options_of(APSP_AUTO, type);
    struct apsp_solution *solution;
    options.tile = 16;
    OK(apsp_graph_edges(graph, &edges, fresh()));
    OK(apsp_solve(*graph, &options, &solution, fresh()));
    return solution;
}

static void lists_of_rows(void **state)
{
    const uint32_t list[] = {7, 0, 49, 7, 3}, bad[] = {1, 50};
    struct apsp_graph *graph;
    struct apsp_solution *solution = solve_sample(&graph, &sample, APSP_I64);
    int64_t some[5][N + 1];
    (void)state;
    OK(apsp_rows(solution, list, 5, some, N + 1, fresh()));
    for (size_t k = 0; k < 5; k++)
        assert_memory_equal(some[k], sample.right + list[k] * (size_t)N, N * sizeof **some);
    OK(apsp_rows(solution, list, 0, NULL, 0, fresh()));
    FAILS(apsp_rows(solution, bad, 2, some, 0, fresh()), APSP_USAGE, "list[1]: vertex 50");
    FAILS(apsp_rows(solution, list, 1, some, N - 1, fresh()), APSP_USAGE, "stride");
    FAILS(apsp_rows(solution, list, 5, some, SIZE_MAX / 5 / sizeof **some + 1, fresh()), APSP_USAGE,
          "stride");
    FAILS(apsp_rows(solution, list, 1, NULL, 0, fresh()), APSP_USAGE, "NULL");
    FAILS(apsp_rows(NULL, list, 1, some, 0, fresh()), APSP_USAGE, "NULL");
    check_rows(solution, sample.right);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

struct seen {
    size_t rows, stop;
    pthread_t thread;
    bool here, right;
};

static int see(void *user, const struct apsp_block *block)
{
    struct seen *seen = user;
    for (size_t k = 0; k < block->count; k++) {
        size_t row = block->source ? block->source[k] : block->first + k;
        for (size_t j = 0; j < block->columns; j++)
            seen->right &= entry_of(block->values, block->type, k * block->stride + j) ==
                           sample.right[row * N + j];
    }
    seen->here &= pthread_equal(pthread_self(), seen->thread) != 0 && block->lane == 0;
    __atomic_fetch_add(&seen->rows, block->count, __ATOMIC_RELAXED);
    return seen->rows >= seen->stop;
}

static void blocks_by_a_callback(void **state)
{
    struct apsp_graph *graph;
    struct apsp_solution *solution = solve_sample(&graph, &sample, APSP_AUTO);
    struct seen seen = {.stop = SIZE_MAX, .thread = pthread_self(), .here = true, .right = true};
    struct seen start = seen;
    (void)state;
    OK(apsp_blocks(solution, see, &seen, 0, fresh()));
    assert_true(seen.rows == N && seen.here && seen.right);
    seen = start;
    OK(apsp_blocks(solution, see, &seen, APSP_PARALLEL, fresh()));
    assert_true(seen.rows == N && seen.right);
    for (unsigned flags = 0; flags <= APSP_PARALLEL; flags++) {
        seen = start;
        seen.stop = 1;
        FAILS(apsp_blocks(solution, see, &seen, flags, fresh()), APSP_CANCELLED, "callback");
        assert_in_range(seen.rows, 1, N - 1);
    }
    FAILS(apsp_blocks(solution, NULL, NULL, 0, fresh()), APSP_USAGE, "NULL");
    FAILS(apsp_blocks(solution, see, &seen, 4, fresh()), APSP_USAGE, "flag");
    FAILS(apsp_blocks(NULL, see, &seen, 0, fresh()), APSP_USAGE, "NULL");
    seen = start;
    OK(apsp_blocks(solution, see, &seen, 0, fresh())); /* stopping has left nothing behind */
    assert_int_equal(seen.rows, N);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

/* The lightest edge from u to v. */
static int64_t step(const struct sample *of, uint32_t u, uint32_t v)
{
    int64_t least = INF_I64;
    for (size_t e = 0; e < M; e++)
        if (of->edge[e].from == u && of->edge[e].to == v && of->edge[e].weight.whole < least)
            least = of->edge[e].weight.whole;
    return least;
}

static void check_pair(struct apsp_solution *solution, const struct sample *of, size_t i, size_t j)
{
    int64_t right = of->right[i * N + j], sum = 0;
    struct apsp_distance distance;
    struct apsp_path path;
    OK(apsp_find_distance(solution, i, j, &distance, fresh()));
    assert_int_equal(distance.reachable, right < INF_I64);
    OK(apsp_find_path(solution, i, j, &path, fresh()));
    assert_int_equal(path.length > 0, right < INF_I64);
    if (right == INF_I64) {
        assert_true(isinf(distance.real) && !path.vertex);
        return;
    }
    assert_true((int64_t)distance.real == right);
    assert_true(apsp_solution_facts(solution)->type >= APSP_F32 || distance.whole == right);
    assert_true(path.vertex[0] == i && path.vertex[path.length - 1] == j);
    for (size_t k = 1; k < path.length; k++)
        sum += step(of, path.vertex[k - 1], path.vertex[k]);
    assert_int_equal(sum, right);
    apsp_path_free(&path);
}

static void distances_and_paths(void **state)
{
    static const enum apsp_type types[] = {APSP_I32, APSP_F64, APSP_I64};
    const struct sample *const samples[] = {&sample, &negative};
    const struct apsp_pairs_request request = {.bounded = 1, .within = NAN};
    struct apsp_distance distance;
    struct apsp_pairs pairs;
    struct apsp_path path;
    (void)state;
    for (size_t s = 0; s < 6; s++) {
        struct apsp_graph *graph;
        struct apsp_solution *solution = solve_sample(&graph, samples[s / 3], types[s % 3]);
        for (size_t i = 0; i < N; i += 3)
            for (size_t j = 0; j < N; j++)
                check_pair(solution, samples[s / 3], i, j);
        FAILS(apsp_find_distance(solution, N, 0, &distance, fresh()), APSP_USAGE, "vertex 50");
        FAILS(apsp_find_distance(solution, 0, 0, NULL, fresh()), APSP_USAGE, "NULL");
        FAILS(apsp_find_path(solution, 0, N, &path, fresh()), APSP_USAGE, "vertex 50");
        FAILS(apsp_find_path(NULL, 0, 0, &path, fresh()), APSP_USAGE, "NULL");
        FAILS(apsp_find_distance(NULL, 0, 0, &distance, fresh()), APSP_USAGE, "NULL");
        FAILS(apsp_find_pairs(NULL, &request, &pairs, fresh()), APSP_USAGE, "NULL");
        FAILS(apsp_find_pairs(solution, NULL, &pairs, fresh()), APSP_USAGE, "NULL");
        FAILS(apsp_find_pairs(solution, &request, &pairs, fresh()), APSP_USAGE, "not a number");
        assert_true(!pairs.pair && !pairs.count);
        apsp_path_free(NULL);
        apsp_solution_free(solution);
        apsp_graph_free(graph);
    }
}

static void through(struct apsp_solution *solution, const struct apsp_through *paths,
                    const double *vertices, const double *arcs)
{
    double values[8];
    struct apsp_edge_values edges;
    OK(apsp_paths_through(solution, paths, values, &edges, fresh()));
    for (size_t v = 0; v < 6; v++)
        assert_true(fabs(values[v] - vertices[v]) < 1e-15);
    assert_int_equal(edges.count, 6);
    for (size_t e = 0; e < edges.count; e++)
        assert_true(fabs(edges.edge[e].value - arcs[e]) < 1e-15);
    assert_true(edges.edge[2].from == 1 && edges.edge[2].to == 5);
    apsp_edge_values_free(&edges);
}

/* Edges, targets, ends and lengths of paths: 0 -> 1 -> 2 -> 3 -> 4 and 1 -> 5 -> 3, of weights 2,
 * or of 2 and one of 1. Edges: 0 1, 1 2, 1 5, 2 3, 3 4, 5 3. */
static void paths_through(void **state)
{
    enum { V = 6, E = 6 };
    static const int32_t from[E] = {0, 1, 2, 3, 1, 5}, to[E] = {1, 2, 3, 4, 5, 3},
                         equal[E] = {2, 2, 2, 2, 2, 2}, other[E] = {2, 2, 2, 1, 2, 2};
    const uint32_t first[] = {0, 0}, last[] = {4, 3}, none[] = {V};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct apsp_edges edges = {
            V, E, {from, APSP_I32}, {to, APSP_I32}, {k ? other : equal, APSP_I32}};
        struct apsp_graph *graph;
        struct apsp_solution *solution;
        struct apsp_edge_values values;
        OK(apsp_graph_edges(&graph, &edges, fresh()));
        OK(apsp_solve(graph, NULL, &solution, fresh()));
        through(solution, &(struct apsp_through){0}, (const double[]){0, 4, 2, 4, 0, 2},
                (const double[]){5, 4, 4, 4, 5, 4});
        through(solution, &(struct apsp_through){.flags = APSP_ENDPOINTS},
                (const double[]){5, 9, 6, 9, 5, 6}, (const double[]){5, 4, 4, 4, 5, 4});
        through(solution, &(struct apsp_through){.flags = APSP_STRESS},
                (const double[]){0, 6, 4, 6, 0, 4}, (const double[]){7, 6, 6, 6, 7, 6});
        through(solution, &(struct apsp_through){.flags = APSP_LOAD},
                (const double[]){0, 4, 2, 4, 0, 2}, (const double[]){5, 4, 4, 4, 5, 4});
        through(solution, &(struct apsp_through){.from = {first, 2}, .to = {last, 2}},
                (const double[]){0, 2, 1, 1, 0, 1}, (const double[]){2, 1, 1, 1, 1, 1});
        through(solution, &(struct apsp_through){.to = {last, 0}}, (const double[V]){0},
                (const double[E]){0});
        through(solution, &(struct apsp_through){.bounded = 1, .within = 4.5},
                (const double[]){0, 2, 0.5, 2, 0, 0.5}, (const double[]){3, 2.5, 2.5, 2.5, 3, 2.5});
        through(solution, &(struct apsp_through){.flags = APSP_ENDPOINTS | APSP_NORMALIZED},
                (const double[]){5 / 30., 9 / 30., 6 / 30., 9 / 30., 5 / 30., 6 / 30.},
                (const double[]){5 / 30., 4 / 30., 4 / 30., 4 / 30., 5 / 30., 4 / 30.});
        FAILS(apsp_paths_through(solution, NULL, NULL, &values, fresh()), APSP_USAGE, "NULL");
        FAILS(apsp_paths_through(solution, &(struct apsp_through){.to = {none, 1}}, NULL, &values,
                                 fresh()),
              APSP_USAGE, "to[0]: vertex 6");
        FAILS(apsp_paths_through(solution, &(struct apsp_through){.from = {none, 1}}, NULL, &values,
                                 fresh()),
              APSP_USAGE, "from[0]: vertex 6");
        for (size_t wrong = 0; wrong < 2; wrong++)
            FAILS(apsp_paths_through(
                      solution, &(struct apsp_through){.bounded = 1, .within = wrong ? NAN : -1},
                      NULL, &values, fresh()),
                  APSP_USAGE, "within");
        apsp_solution_free(solution);
        apsp_graph_free(graph);
    }
}

/* 0 -> 1 -> 2 -> 3 -> 4 and, as short, 1 -> 5 -> 3; then the same graph both ways. */
static void betweenness(void **state)
{
    enum { V = 6, E = 6 };
    static const int32_t from[2 * E] = {0, 1, 2, 3, 1, 5, 1, 2, 3, 4, 5, 3},
                                  to[2 * E] = {1, 2, 3, 4, 5, 3, 0, 1, 2, 3, 1, 5},
                                  zero[E] = {1, 1, 0, 1, 1, 1};
    static const double right[V] = {0, 4, 2, 4, 0, 2}, of_zero[V] = {0, 4, 1, 1, 0, 1},
                        both[V] = {0, 4.5, 2, 4.5, 0, 2};
    const uint32_t zeros[] = {0, 0}, none[] = {V};
    double values[V];
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct apsp_edges edges = {
            V, (k + 1) * E, {from, APSP_I32}, {to, APSP_I32}, {NULL, APSP_AUTO}};
        struct apsp_graph *graph;
        struct apsp_solution *solution;
        OK(apsp_graph_edges(&graph, &edges, fresh()));
        OK(apsp_solve(graph, NULL, &solution, fresh()));
        OK(apsp_betweenness(solution, NULL, 0, 0, values, fresh()));
        for (size_t v = 0; v < V; v++)
            assert_true(values[v] == (k ? both : right)[v]);
        OK(apsp_betweenness(solution, NULL, 0, APSP_ORDERED, values, fresh()));
        for (size_t v = 0; v < V; v++)
            assert_true(values[v] == (k ? 2 * both[v] : right[v]));
        OK(apsp_betweenness(solution, NULL, 0, APSP_NORMALIZED, values, fresh()));
        for (size_t v = 0; v < V; v++)
            assert_true(fabs(values[v] - (k ? 2 * both[v] : right[v]) / 20) < 1e-15);
        OK(apsp_betweenness(solution, zeros, 0, 0, values, fresh()));
        for (size_t v = 0; v < V; v++)
            assert_true(values[v] == 0);
        OK(apsp_betweenness(solution, zeros, 2, 0, values, fresh()));
        for (size_t v = 0; v < V && k == 0; v++)
            assert_true(values[v] == of_zero[v]);
        FAILS(apsp_betweenness(solution, none, 1, 0, values, fresh()), APSP_USAGE,
              "list[0]: vertex 6");
        FAILS(apsp_betweenness(solution, NULL, 0, 32, values, fresh()), APSP_USAGE, "flag");
        FAILS(apsp_betweenness(solution, NULL, 0, APSP_STRESS | APSP_LOAD, values, fresh()),
              APSP_USAGE, "contradicts");
        FAILS(apsp_betweenness(solution, NULL, 0, 0, NULL, fresh()), APSP_USAGE, "NULL");
        FAILS(apsp_betweenness(NULL, NULL, 0, 0, values, fresh()), APSP_USAGE, "NULL");
        apsp_solution_free(solution);
        apsp_graph_free(graph);
    }
    const struct apsp_edges edges = {V, E, {from, APSP_I32}, {to, APSP_I32}, {zero, APSP_I32}};
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    OK(apsp_graph_edges(&graph, &edges, fresh()));
    OK(apsp_solve(graph, NULL, &solution, fresh()));
    FAILS(apsp_betweenness(solution, NULL, 0, 0, values, fresh()), APSP_INPUT,
          "from 2 to 3 has weight 0");
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

/* Edges that go where another one goes; loops aside. */
static size_t parallel_of(const struct sample *of)
{
    size_t count = 0;
    for (size_t e = 0; e < M; e++) {
        bool found = false;
        for (size_t other = 0; other < e; other++)
            found |= of->from32[other] == of->from32[e] && of->to32[other] == of->to32[e];
        count += found && of->from32[e] != of->to32[e];
    }
    return count;
}

static void parallel_edges_are_counted(void **state)
{
    static const char *const methods[] = {"dense", "sparse"};
    const struct apsp_edges edges = sample_edges(&sample);
    const size_t parallel = parallel_of(&sample);
    (void)state;
    assert_in_range(parallel, 1, M / 2);
    for (size_t m = 0; m < 2; m++) {
        struct apsp_options options = options_of(APSP_AUTO, APSP_AUTO);
        struct apsp_graph *graph;
        struct apsp_solution *solution;
        options.method = methods[m];
        OK(apsp_graph_edges(&graph, &edges, fresh()));
        OK(apsp_solve(graph, &options, &solution, fresh()));
        assert_int_equal(apsp_solution_facts(solution)->parallel, parallel);
        apsp_solution_free(solution);
        apsp_graph_free(graph);
    }
}

static void negative_weights_and_cycles(void **state)
{
    struct apsp_edges edges = sample_edges(&negative);
    struct sample *broken = malloc(sizeof *broken);
    struct apsp_options options = options_of(APSP_AUTO, APSP_AUTO);
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    size_t length;
    int64_t sum = 0;
    (void)state;
    OK(apsp_graph_edges(&graph, &edges, fresh()));
    check_graph(graph, negative.right, NULL);
    assert_null(apsp_graph_cycle(graph, &length));
    assert_int_equal(length, 0);
    apsp_graph_free(graph);
    sample_make(broken, -60, 0);
    edges = sample_edges(broken);
    OK(apsp_graph_edges(&graph, &edges, fresh()));
    for (int again = 0; again < 2; again++) {
        FAILS(apsp_solve(graph, NULL, &solution, fresh()), APSP_CYCLE, ": vertices ");
        assert_non_null(strstr(error.text, " -> "));
        const uint32_t *cycle = apsp_graph_cycle(graph, &length);
        assert_non_null(cycle);
        for (size_t k = 0; k < length; k++)
            sum += step(broken, cycle[k], cycle[(k + 1) % length]);
        assert_true(sum < 0);
    }
    assert_non_null(apsp_graph_cycle(graph, NULL));
    options.method = "none";
    FAILS(apsp_solve(graph, &options, &solution, fresh()), APSP_USAGE, "options.method");
    assert_null(apsp_graph_cycle(graph, &length)); /* the last solve has found none */
    assert_int_equal(length, 0);
    apsp_graph_free(graph);
    free(broken->right);
    free(broken);
}

/* The only cycle, and every vertex of it. */
static void a_cycle_has_its_vertices_in_their_order(void **state)
{
    static const int32_t from[] = {7, 9, 20, 3, 31, 3, 0}, to[] = {9, 20, 3, 31, 7, 9, 3},
                         weight[] = {-1, -1, -1, -1, -1, 5, 2};
    static const uint32_t right[] = {3, 31, 7, 9, 20};
    const struct apsp_edges edges = {N, 7, {from, APSP_I32}, {to, APSP_I32}, {weight, APSP_I32}};
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    size_t length;
    (void)state;
    OK(apsp_graph_edges(&graph, &edges, fresh()));
    FAILS(apsp_solve(graph, NULL, &solution, fresh()), APSP_CYCLE, "3 -> 31 -> 7 -> 9 -> 20 -> 3");
    const uint32_t *cycle = apsp_graph_cycle(graph, &length);
    assert_int_equal(length, 5);
    assert_memory_equal(cycle, right, sizeof right);
    apsp_graph_free(graph);
}

struct listener {
    int calls, stop;
    size_t done, steps;
    char last[16], steps_seen[40];
};

static int listen(void *user, const char *name, size_t done, size_t steps)
{
    struct listener *listener = user;
    if (strcmp(listener->last, name) != 0)
        strcat(strcat(listener->steps_seen, name), " ");
    snprintf(listener->last, sizeof listener->last, "%s", name);
    listener->done = done;
    listener->steps = steps;
    return ++listener->calls == listener->stop;
}

static void progress_can_cancel(void **state)
{
    struct apsp_edges edges = sample_edges(&sample);
    struct apsp_options options = options_of(APSP_AUTO, APSP_AUTO);
    struct listener all = {0};
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    (void)state;
    options.tile = 10;
    options.verify = APSP_VERIFY_ALL;
    options.threads = 1;
    options.progress = listen;
    options.progress_user = &all;
    OK(apsp_graph_edges(&graph, &edges, fresh()));
    check_graph(graph, sample.right, &options);
    assert_string_equal(all.steps_seen, "read round row ");
    assert_int_equal(all.done, all.steps);
    for (int stop = 1; stop <= all.calls; stop++) {
        struct listener one = {.stop = stop};
        options.progress_user = &one;
        FAILS(apsp_solve(graph, &options, &solution, fresh()), APSP_CANCELLED, "cancelled");
        assert_int_equal(one.calls, stop);
        assert_null(solution);
    }
    options.progress = NULL;
    check_graph(graph, sample.right, &options);
    apsp_graph_free(graph);
}

/* Two solutions at a time, on different threads, one after the other. */
static void *solve_on_thread(void *graph)
{
    struct apsp_solution *solution = NULL;
    apsp_solve(graph, NULL, &solution, fresh());
    return solution;
}

static void threads_one_after_the_other(void **state)
{
    struct apsp_edges edges = sample_edges(&sample);
    struct apsp_graph *graph;
    void *solution[3];
    (void)state;
    OK(apsp_graph_edges(&graph, &edges, fresh()));
    for (int t = 0; t < 3; t++) {
        pthread_t thread;
        pthread_create(&thread, NULL, solve_on_thread, graph);
        pthread_join(thread, &solution[t]);
        assert_non_null(solution[t]);
    }
    for (int t = 0; t < 3; t++) {
        check_rows(solution[t], sample.right);
        apsp_solution_free(solution[t]);
    }
    apsp_graph_free(graph);
}

static void end_with(int code, const char *text)
{
    _exit(strstr(text, "no such GPU") ? code : 1);
}

/* The status of a process that has a fault. */
static int status_of_fault(void (*handler)(int code, const char *text))
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        apsp_on_fault(handler);
        fault(APSP_DEVICE, "no such GPU");
    }
    waitpid(child, &status, 0);
    return status;
}

static void faults_go_to_the_handler(void **state)
{
    (void)state;
    int handled = status_of_fault(end_with), bare = status_of_fault(NULL);
    assert_true(WIFEXITED(handled) && WEXITSTATUS(handled) == APSP_DEVICE);
    assert_true(WIFSIGNALED(bare) && WTERMSIG(bare) == SIGABRT);
}

static void end_all(int code)
{
    _exit(40 + code);
}

static void faults_end_all_ranks(void **state)
{
    (void)state;
    fault_place(1, end_all);
    int among = status_of_fault(NULL);
    assert_true(WIFEXITED(among) && WEXITSTATUS(among) == 40 + APSP_DEVICE);
    /* A solve without ranks is a place too. */
    threads_of(1, 1);
    int alone = status_of_fault(NULL);
    assert_true(WIFSIGNALED(alone) && WTERMSIG(alone) == SIGABRT);
}

int main(void)
{
    sample_make(&sample, 0, 0);
    sample_make(&negative, 0, 30);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_is_that_of_the_header),
        cmocka_unit_test(edges_of_all_types),
        cmocka_unit_test(sums_are_those_along_paths),
        cmocka_unit_test(decimals_are_rounded_once),
        cmocka_unit_test(weights_may_be_left_out),
        cmocka_unit_test(compressed_rows_of_all_types),
        cmocka_unit_test(memory_and_files_are_graphs),
        cmocka_unit_test(vertices_have_names),
        cmocka_unit_test(tables_of_cores_stay_on_the_host),
        cmocka_unit_test(bad_edges_are_refused),
        cmocka_unit_test(rows_of_all_types),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(facts_are_told),
        cmocka_unit_test(paranoid_sees_changed_memory),
        cmocka_unit_test(threads_are_those_of_the_machine),
        cmocka_unit_test(lists_of_rows),
        cmocka_unit_test(blocks_by_a_callback),
        cmocka_unit_test(distances_and_paths),
        cmocka_unit_test(betweenness),
        cmocka_unit_test(paths_through),
        cmocka_unit_test(parallel_edges_are_counted),
        cmocka_unit_test(negative_weights_and_cycles),
        cmocka_unit_test(a_cycle_has_its_vertices_in_their_order),
        cmocka_unit_test(progress_can_cancel),
        cmocka_unit_test(threads_one_after_the_other),
        cmocka_unit_test(faults_go_to_the_handler),
        cmocka_unit_test(faults_end_all_ranks),
    };
    int failed = cmocka_run_group_tests_name("library", tests, NULL, NULL);
    free(sample.right);
    free(negative.right);
    return failed;
}
