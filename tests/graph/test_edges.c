/*
 * edge_scan.c, edges.c and csr.c: whatever the source, the number of ranks and the room, a graph
 * comes out the same, and its source is parsed no more often than it must be. Start it with any
 * number of ranks: mpirun
 * --oversubscribe -n RANKS build/tests/graph/test_edges
 */
#include "ranks.h"
#include "unit.h"

#include "base/random.h"
#include "graph/same.h"
#include "graph/source_sequence.c"
#include "make_csr.h"
#include "shared_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

/* In place of the program's own table: what sources.c would be with one source more. */
extern const struct graph_source graph_edges32, graph_gr, graph_mtx;
const struct graph_source *const graph_sources[] = {&graph_edges32, &graph_sequence, &graph_gr,
                                                    &graph_mtx, NULL};

enum { VERTICES = 500, EDGES = 40000 };

static _Thread_local struct comm *comm;
static _Thread_local char path[sizeof folder + 20];
static _Thread_local struct edge list[EDGES];

/* Parallel ones, loops, and negative weights where `low` is. */
static void make_list(int64_t low)
{
    uint64_t state = 9;
    for (size_t e = 0; e < EDGES; e++)
        list[e] = (struct edge){random_below(&state, VERTICES),
                                random_below(&state, VERTICES),
                                {low + random_below(&state, 1000)}};
}

static FILE *begin_file(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = comm->rank == 0 ? fopen(path, "w") : NULL;
    assert_true(file || comm->rank != 0);
    return file;
}

static void end_file(FILE *file)
{
    if (file)
        assert_int_equal(fclose(file), 0);
    comm_barrier(comm);
}

static void write_list(const char *name, const char *head, const char *mark, size_t first)
{
    FILE *file = begin_file(name);
    if (file)
        fprintf(file, "%s", head);
    for (size_t e = 0; file && e < EDGES; e++)
        fprintf(file, "%s%zu %zu %lld\n", mark, list[e].from + first, list[e].to + first,
                (long long)list[e].weight.whole);
    end_file(file);
}

static void write_text(const char *name, const char *text)
{
    FILE *file = begin_file(name);
    if (file)
        fputs(text, file);
    end_file(file);
}

/* The edges of list[] in their order, sorted by tails: what every csr_load must give. */
static void check_csr(const struct csr *csr)
{
    size_t at = 0;
    assert_int_equal(csr->n, VERTICES);
    for (uint32_t v = 0; v < VERTICES; v++) {
        assert_int_equal(csr->start[v], at);
        for (size_t e = 0; e < EDGES; e++) {
            if (list[e].from != v || (list[e].to == v && list[e].weight.whole >= 0))
                continue;
            assert_int_equal(csr->to[at], list[e].to);
            assert_true(csr_real(csr, at) == (double)list[e].weight.whole);
            at++;
        }
    }
    assert_int_equal(csr->start[VERTICES], at);
    assert_int_equal(csr->m, at);
}

/* Takes the edge scan with that room, and builds the graph twice, the second time on one rank. */
static void check_graph(struct graph *graph, size_t room, bool keeps)
{
    struct apsp_error error = {0};
    struct edge_scan scan;
    struct edges edges = {.graph = graph, .comm = comm, .threads = 2, .room = room};
    size_t loops = 0;
    for (size_t e = 0; e < EDGES; e++)
        loops += list[e].from == list[e].to;
    assert_int_equal(edge_scan_take(&scan, &edges, &error), APSP_OK);
    assert_int_equal(scan.edges, EDGES);
    assert_int_equal(scan.loops, loops);
    assert_int_equal(edges.kept, keeps);
    for (int pass = 0; pass < 2; pass++) {
        struct csr csr;
        bool wanted = pass == 0 || comm->rank == comm->ranks - 1;
        assert_int_equal(csr_load(&csr, &edges, wanted, &error), APSP_OK);
        if (wanted)
            check_csr(&csr);
        else
            assert_null(csr.start);
        csr_free(&csr);
        assert_int_equal(comm_sum(comm, edges.parsed),
                         (size_t)EDGES * (keeps ? 1 : 2 + (size_t)pass));
    }
    edges_free(&edges);
}

static void check_file(const char *format)
{
    struct apsp_error error = {0};
    for (int kept = 0; kept < 2; kept++) {
        struct graph graph;
        assert_int_equal(
            graph_open(&graph, path, &(struct graph_options){.format = format}, false, &error),
            APSP_OK);
        check_graph(&graph, kept && comm->rank == 0 ? SIZE_MAX : kept ? 16 << 20 : 1 << 10, kept);
        graph_close(&graph);
    }
}

static void files_give_the_same_graph(void **state)
{
    char head[80];
    (void)state;
    for (int64_t low = -300; low <= 0; low += 300) {
        make_list(low);
        snprintf(head, sizeof head, "p sp %d %d\n", VERTICES, EDGES);
        write_list("graph.gr", head, "a ", 1);
        check_file(NULL);
        snprintf(head, sizeof head, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n",
                 VERTICES, VERTICES, EDGES);
        write_list("graph.mtx", head, "", 1);
        check_file(NULL);
    }
}

static void sequences_give_the_same_graph(void **state)
{
    char head[40];
    (void)state;
    make_list(-300);
    snprintf(head, sizeof head, "%d %d\n", VERTICES, EDGES);
    write_list("graph.seq", head, "", 0);
    check_file(NULL);
    check_file("sequence");
    assert_non_null(strstr(graph_source_names(), "edges32, sequence, gr"));
}

static void arrays_give_the_same_graph(void **state)
{
    static uint32_t from[EDGES], to[EDGES];
    static int64_t whole[EDGES];
    static double real[EDGES];
    struct apsp_error error = {0};
    (void)state;
    make_list(-300);
    for (size_t e = 0; e < EDGES; e++) {
        from[e] = list[e].from;
        to[e] = list[e].to;
        whole[e] = list[e].weight.whole;
        real[e] = (double)whole[e];
    }
    for (int kind = 0; kind < 3; kind++)
        for (int kept = 0; kept < 2; kept++) {
            struct apsp_edges arrays = {
                VERTICES, EDGES, {from, APSP_U32}, {to, APSP_U32}, {NULL, APSP_AUTO}};
            struct graph graph;
            if (kind < 2)
                arrays.weight = kind ? (struct apsp_array){real, APSP_F64}
                                     : (struct apsp_array){whole, APSP_I64};
            for (size_t e = 0; e < EDGES && kind == 2; e++)
                list[e].weight.whole = 1;
            assert_int_equal(graph_arrays(&graph, &arrays, &error), APSP_OK);
            assert_int_equal(graph.real, kind == 1);
            check_graph(&graph, kept ? SIZE_MAX : 0, kept);
            graph_close(&graph);
        }
}

/* More than a thread reads at a time: edge e has weight e, and those of a vertex come in their
 * order. */
static void pieces_keep_the_order(void **state)
{
    enum { M = 1 << 20 };
    uint32_t *ends = malloc(2 * M * sizeof *ends);
    int64_t *whole = malloc(M * sizeof *whole);
    struct apsp_error error = {0};
    (void)state;
    assert_true(ends && whole);
    for (size_t e = 0; e < M; e++) {
        ends[e] = (uint32_t)(e * 7 % VERTICES);
        ends[M + e] = (uint32_t)((ends[e] + 1) % VERTICES);
        whole[e] = (int64_t)e;
    }
    for (int kept = 0; kept < 2; kept++) {
        const struct apsp_edges arrays = {
            VERTICES, M, {ends, APSP_U32}, {ends + M, APSP_U32}, {whole, APSP_I64}};
        struct graph graph;
        struct edge_scan scan;
        struct csr csr;
        assert_int_equal(graph_arrays(&graph, &arrays, &error), APSP_OK);
        struct edges edges = {
            .graph = &graph, .comm = comm, .threads = 3, .room = kept ? SIZE_MAX : 0};
        assert_int_equal(edge_scan_take(&scan, &edges, &error), APSP_OK);
        assert_int_equal(csr_load(&csr, &edges, true, &error), APSP_OK);
        assert_int_equal(csr.m, M);
        for (size_t u = 0; u < VERTICES; u++)
            for (size_t e = csr.start[u], last = 0; e < csr.start[u + 1]; e++) {
                size_t weight = (size_t)csr.weight[e].whole;
                assert_true(ends[weight] == u && ends[M + weight] == csr.to[e]);
                assert_true(e == csr.start[u] || weight > last);
                last = weight;
            }
        csr_free(&csr);
        edges_free(&edges);
        graph_close(&graph);
    }
    free(whole);
    free(ends);
}

/* The code and the text of the edge scan on all ranks; `words` are parted by '|'. */
static void check_refused(struct graph *graph, size_t room, const char *words)
{
    struct apsp_error error = {0};
    struct edge_scan scan;
    struct edges edges = {.graph = graph, .comm = comm, .threads = 1, .room = room};
    char all[200];
    assert_int_equal(edge_scan_take(&scan, &edges, &error), APSP_INPUT);
    snprintf(all, sizeof all, "%s", words);
    for (char *rest, *word = strtok_r(all, "|", &rest); word; word = strtok_r(NULL, "|", &rest))
        if (!strstr(error.text, word))
            fail_msg("'%s' is not in: %s", word, error.text);
    edges_free(&edges);
}

static void arrays_are_checked(void **state)
{
    const uint32_t from[] = {0, 1, 7}, good[] = {1, 2, 0}, bad[] = {1, 3, 0};
    const int64_t heavy[] = {1, INT64_C(1) << 62};
    const double real[] = {1, NAN};
    const struct {
        size_t edges;
        const uint32_t *to;
        struct apsp_array weight;
        const char *words;
    } cases[] = {{3, good, {NULL, APSP_AUTO}, "edge 2|vertex 7 is not in 0 .. 2"},
                 {2, bad, {NULL, APSP_AUTO}, "edge 1|vertex 3"},
                 {2, good, {heavy, APSP_I64}, "edge 1|weight 4611686018427387904"},
                 {2, good, {real, APSP_F64}, "edge 1|nan is not finite"}};
    struct apsp_error error = {0};
    struct graph graph;
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct apsp_edges arrays = {
            3, cases[k].edges, {from, APSP_U32}, {cases[k].to, APSP_U32}, cases[k].weight};
        assert_int_equal(graph_arrays(&graph, &arrays, &error), APSP_OK);
        check_refused(&graph, k % 2 ? SIZE_MAX : 0, cases[k].words);
        graph_close(&graph);
    }
    assert_int_equal(graph_arrays(&graph, &(struct apsp_edges){.vertices = 0}, &error), APSP_INPUT);
    graph_close(&graph);
}

static void broken_promises_are_named(void **state)
{
#define MTX "%%MatrixMarket matrix coordinate pattern symmetric\n"
    static const struct {
        const char *name, *text, *words;
    } cases[] = {{"bad.gr", "p sp 3 2\na 1 2 5\nc and no more\n", "1 edges, but|promises 2"},
                 {"bad.gr", "p sp 3 1\na 1 2 5\na 1 3 5\n", "2 edges or more|promises 1"},
                 {"bad.gr", "p sp 3 1\na 1 4 5\n", ":2:|'4'"},
                 {"bad.gr", "p sp 3 1\na 1 2 99999999999\n", ":2:|'99999999999'"},
                 {"bad.mtx", MTX "2 2 3\n1 2\n2 2\n% end\n", "2 edges, but|promises 3"},
                 {"bad.mtx", MTX "2 2 1\n1 2\n2 1\n1 1\n", "edges or more|promises 1"},
                 {"bad.seq", "3 2\n0 1 5\n", "1 edges, but|promises 2"},
                 {"bad.seq", "3 1\n0 1 5\n1 2 5\n", "2 edges or more|promises 1"}};
    (void)state;
    for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; k++) {
        struct apsp_error error = {0};
        struct graph graph;
        write_text(cases[k / 2].name, cases[k / 2].text);
        assert_int_equal(graph_open(&graph, path, NULL, false, &error), APSP_OK);
        check_refused(&graph, k % 2 ? SIZE_MAX : 0, cases[k / 2].words);
        graph_close(&graph);
        comm_barrier(comm);
    }
}

/* How many edges the entries are shows in the edge scan. */
static void symmetric_entries_are_counted(void **state)
{
    struct apsp_error error = {0};
    struct graph graph;
    struct edge_scan scan;
    (void)state;
    write_text("loops.mtx", MTX "5 5 6\n1 1\n2 1\n3 3\n%\n5 2\n5 5\n4 3\n");
    for (int kept = 0; kept < 2; kept++) {
        struct csr csr;
        assert_int_equal(graph_open(&graph, path, NULL, false, &error), APSP_OK);
        assert_int_equal(graph.records, 6);
        assert_int_equal(graph.m, 12);
        struct edges edges = {
            .graph = &graph, .comm = comm, .threads = 1, .room = kept ? SIZE_MAX : 0};
        assert_int_equal(edge_scan_take(&scan, &edges, &error), APSP_OK);
        assert_int_equal(graph.m, 9);
        assert_int_equal(scan.edges, 9);
        assert_int_equal(scan.loops, 3);
        assert_int_equal(csr_load(&csr, &edges, true, &error), APSP_OK);
        assert_int_equal(csr.m, 6);
        csr_free(&csr);
        edges_free(&edges);
        graph_close(&graph);
    }
}

static void extremes_are_over_all_ranks(void **state)
{
    struct apsp_error error = {0};
    struct graph graph;
    struct edge_scan scan;
    (void)state;
    write_text("few.gr", "p sp 3 4\na 1 2 7\na 2 2 99\na 3 3 -20\na 2 1 -5\n");
    assert_int_equal(graph_open(&graph, path, NULL, false, &error), APSP_OK);
    struct edges edges = {.graph = &graph, .comm = comm, .threads = 1, .room = SIZE_MAX};
    assert_int_equal(edge_scan_take(&scan, &edges, &error), APSP_OK);
    assert_int_equal(scan.most.whole, 7);
    assert_int_equal(scan.least.whole, -20);
    edges_free(&edges);
    graph_close(&graph);
}

static const char before[] = "p sp 3 3\na 1 2 7\na 2 3 9\na 3 1 4\n";

/* In place, by rank 0; as if at the time of the last writing, if that is to be kept. */
static void rewrite(const char *text, bool keep_time)
{
    comm_barrier(comm);
    if (comm->rank == 0) {
        struct stat status;
        assert_int_equal(stat(path, &status), 0);
        FILE *file = fopen(path, "r+");
        assert_non_null(file);
        fputs(text, file);
        assert_int_equal(fclose(file), 0);
        struct timespec times[2] = {status.st_atim, status.st_mtim};
        times[1].tv_nsec ^= !keep_time;
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    }
    comm_barrier(comm);
}

/* A file of the same size and time that changes between two passes: rows that want the edges, and
 * those who load them, learn of it. */
static void changed_files_are_noticed(void **state)
{
    static const char *const after[] = {
        "p sp 3 3\na 1 2 7\nc 2 3 9\na 3 1 4\n", "p sp 3 3\na 1 2 7\na 2 3 8\na 3 1 4\n",
        "p sp 3 3\na 1 2 7\na 2 1 9\na 3 1 4\n", "p sp 3 3\na 1 2 9\na 2 3 7\na 3 1 4\n",
        "p sp 3 3\na 2 1 7\na 2 3 9\na 3 1 4\n", "p sp 3 3\na 1 2 7\nx 2 3 9\na 3 1 4\n",
        "p sp 3 3\na 1 2 7\na 2 4 9\na 3 1 4\n"};
    (void)state;
    for (size_t k = 0; k < sizeof after / sizeof *after; k++) {
        struct apsp_error error = {0}, own = {0};
        struct graph graph;
        struct edge_scan scan;
        struct csr csr;
        const struct edge *some;
        size_t count = 1;
        write_text("change.gr", before);
        assert_int_equal(graph_open(&graph, path, NULL, false, &error), APSP_OK);
        struct edges edges = {.graph = &graph, .comm = comm, .threads = 1, .room = 0};
        assert_int_equal(edge_scan_take(&scan, &edges, &error), APSP_OK);
        assert_int_equal(csr_load(&csr, &edges, true, &error), APSP_OK);
        csr_free(&csr);
        rewrite(after[k], true);
        assert_int_equal(csr_load(&csr, &edges, true, &error), APSP_IO);
        assert_non_null(strstr(error.text, "changed while it was read"));
        csr_free(&csr);
        edges_begin(&edges);
        while (edges_next(&edges, &some, &count, &own) == APSP_OK && count > 0)
            ;
        assert_int_equal(comm_agree(comm, &own), APSP_IO);
        edges_free(&edges);
        graph_close(&graph);
    }
}

/* One that is written to before the edge scan is over: what was read of it may be of two graphs. */
static void writers_are_noticed(void **state)
{
    static const char *const after[] = {before, "p sp 3 3\na 1 2 7\nx 2 3 9\na 3 1 4\n"};
    (void)state;
    for (size_t k = 0; k < sizeof after / sizeof *after; k++) {
        struct apsp_error error = {0};
        struct graph graph;
        struct edge_scan scan;
        write_text("change.gr", before);
        assert_int_equal(graph_open(&graph, path, NULL, false, &error), APSP_OK);
        struct edges edges = {.graph = &graph, .comm = comm, .threads = 1, .room = SIZE_MAX};
        rewrite(after[k], false);
        assert_int_equal(edge_scan_take(&scan, &edges, &error), APSP_IO);
        assert_non_null(strstr(error.text, "changed while it was read"));
        edges_free(&edges);
        graph_close(&graph);
    }
}

/* Each rank its own file, as hosts have. */
static void hosts_see_one_graph(void **state)
{
    struct apsp_error error = {0};
    struct graph graph;
    char own[sizeof path + 20];
    (void)state;
    for (int differs = 0; differs < 2; differs++) {
        snprintf(own, sizeof own, "%s/%d.gr", folder, comm->rank);
        FILE *file = fopen(own, "w");
        assert_non_null(file);
        fputs(before, file);
        if (differs && comm->rank == comm->ranks - 1 && comm->rank > 0) {
            rewind(file);
            fputs("p sp 3 3\na 1 2 8", file);
        }
        assert_int_equal(fclose(file), 0);
        assert_int_equal(graph_open(&graph, own, NULL, false, &error), APSP_OK);
        int wanted = differs && comm->ranks > 1 ? APSP_IO : APSP_OK;
        assert_int_equal(graph_check_same(&graph, comm, &error), wanted);
        assert_true(!wanted || strstr(error.text, "is not the file of rank 0"));
        graph_close(&graph);
    }
}

static int test(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_give_the_same_graph),
        cmocka_unit_test(sequences_give_the_same_graph),
        cmocka_unit_test(arrays_give_the_same_graph),
        cmocka_unit_test(arrays_are_checked),
        cmocka_unit_test(pieces_keep_the_order),
        cmocka_unit_test(broken_promises_are_named),
        cmocka_unit_test(symmetric_entries_are_counted),
        cmocka_unit_test(extremes_are_over_all_ranks),
        cmocka_unit_test(changed_files_are_noticed),
        cmocka_unit_test(writers_are_noticed),
        cmocka_unit_test(hosts_see_one_graph),
    };
    struct apsp_error error = {0};
    if (comm_init(&comm, 0, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return error.code;
    }
    make_shared_folder(comm, "edges");
    int failed = cmocka_run_group_tests_name("edges", tests, NULL, NULL);
    remove_shared_folder(comm);
    comm_free(comm);
    return failed != 0;
}

int main(void)
{
    return ranks_main(test);
}
