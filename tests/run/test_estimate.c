/*
 * The memory that a run says it needs, held against the bytes of all its allocations. The graphs
 * make each part of the sum the one that decides. And a run that is told of too little
 * memory does not start. mpirun --oversubscribe -n RANKS build/tests/run/test_estimate
 */
#include "unit.h"

#include "base/mem.h"
#include "base/random.h"
#include "run/run.h"
#include "shared_folder.h"
#include "solve/estimate.h"
#include "sparse/order_file.h"
#include "wrap_memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t __real_mem_node_limit(void);
size_t __wrap_mem_node_limit(void);

static size_t limit; /* of the node; 0: its own */

size_t __wrap_mem_node_limit(void)
{
    return limit ? limit : __real_mem_node_limit();
}

static struct comm *comm;
static char graph[sizeof folder + 20], out[sizeof folder + 20], more[sizeof folder + 20];

/* A cycle, so that all is reached, and random edges. */
static void write_graph(size_t n, size_t m, const char *kind, uint32_t weights)
{
    uint64_t state = 5;
    FILE *file = comm->rank == 0 ? fopen(graph, "w") : NULL;
    if (file) {
        fprintf(file, "%%%%MatrixMarket matrix coordinate %s general\n%zu %zu %zu\n", kind, n, n,
                m);
        for (size_t e = 0; e < m; e++) {
            size_t u = e < n ? e : random_below(&state, (uint32_t)n),
                   v = e < n ? (e + 1) % n : random_below(&state, (uint32_t)n);
            fprintf(file, "%zu %zu %u%s\n", u + 1, v + 1, 1 + random_below(&state, weights),
                    *kind == 'r' ? "e-25" : "");
        }
        assert_int_equal(fclose(file), 0);
    }
    comm_barrier(comm);
}

static struct run_options options_of(struct run_options options)
{
    options.graph = graph;
    options.request.device = APSP_DEVICE_CPU;
    options.request.method = options.request.method ? options.request.method : "dense";
    options.request.threads = options.request.threads ? options.request.threads : 1;
    options.results.seed = 1;
    options.results.force = options.quiet = true;
    return options;
}

/* What the sum allows for besides (estimate.c). */
static size_t system_of(const struct run *run)
{
    return ((size_t)4 << 20) + (size_t)run->solver->topology.threads * (64 << 10) +
           run->solver->resident;
}

/* A part of a file that is being read, names and lists. */
enum { SMALL = 3 << 19 };

/* The most bytes that one run holds; `said` gets what it said that it needs. */
static size_t run_once(const char *what, struct run_options options, size_t *said)
{
    static int (*const steps[])(struct run *) = {run_load, run_solve, run_rows, run_commit};
    struct apsp_error error = {0};
    struct run *run;
    options = options_of(options);
    long before = memory_held;
    memory_most = before;
    assert_int_equal(run_make(&run, &options, &error), APSP_OK);
    const struct estimate estimate = estimate_make(run->solver);
    const size_t all = comm_sum(comm, estimate.rank_host);
    assert_in_range(estimate.node_host, all, all + ((size_t)comm->ranks << 20));
    *said = estimate.rank_host - system_of(run);
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        if (steps[k](run))
            fail_msg("%s: %s", what, run->solver->error.text);
    run_free(run);
    return (size_t)(memory_most - before);
}

/* The run's bytes at their highest are those that it has said, but for small ones and, to the other
 * side, a sixth; of several ranks a half, since buffers for edges on their way are not there with
 * the sinks' own. A thread that starts late may get no rows and take no buffer, so a run that holds
 * too little is repeated. */
static void measure(const char *what, struct run_options options)
{
    const size_t spare = comm->ranks == 1 ? 6 : 2;
    size_t taken, said, tries = 0;
    do {
        taken = run_once(what, options, &said);
        print_message("%s: %.2f MiB of %.2f MiB\n", what, (double)taken / (1 << 20),
                      (double)said / (1 << 20));
    } while (comm_sum(comm, said > taken + taken / spare + SMALL) > 0 && ++tries < 20);
    if (comm_sum(comm, taken > said + SMALL) > 0 || tries == 20)
        fail_msg("%s: %zu bytes, where %zu were said", what, taken, said);
}

static void jobs_take_what_they_say(void **state)
{
    (void)state;
    write_graph(1500, 6000, "integer", 60000);
    measure("strip", (struct run_options){.request.dtype = "i64"});
    measure("buffers", (struct run_options){.request.dtype = "i32",
                                            .request.output_type = "i64",
                                            .results.distances = out,
                                            .request.threads = 3});
    measure("trees", (struct run_options){.request.dtype = "i32",
                                          .results.predecessors = more,
                                          .request.threads = 5});
    measure("file", (struct run_options){.request.dtype = "i32",
                                         .results.distances = out,
                                         .results.verify = APSP_VERIFY_ALL,
                                         .request.threads = 5});
    write_graph(300, 400000, "integer", 1000);
    measure("edges", (struct run_options){.request.dtype = "i32"});
    measure("edges as lists",
            (struct run_options){.request.dtype = "i32", .results.predecessors = more});
    measure("betweenness", (struct run_options){.request.dtype = "i32",
                                                .results.betweenness = more,
                                                .request.threads = 3});
    write_graph(600, 3000, "real", 1000000);
    measure("sums", (struct run_options){.request.dtype = "f64",
                                         .request.sums = "path",
                                         .results.distances = out,
                                         .request.threads = 12});
}

/* Writes an order of write_graph's path of m < n edges: even vertices come first. */
static void write_order(const char *path, uint32_t n, uint32_t m)
{
    struct apsp_error error = {0};
    struct csr csr = {.n = n, .m = m};
    struct pattern pattern;
    uint32_t *order = malloc(n * sizeof *order);
    void *content = malloc(order_file_bytes(n));
    csr.start = calloc((size_t)n + 1, sizeof *csr.start);
    csr.to = malloc(m * sizeof *csr.to);
    FILE *file = comm->rank == 0 ? fopen(path, "w") : NULL;
    assert_true(order && content && csr.start && csr.to);
    for (uint32_t v = 0; v < n; v++) {
        csr.start[v + 1] = v < m ? v + 1 : m;
        if (v < m)
            csr.to[v] = v + 1;
        order[v] = v < (n + 1) / 2 ? 2 * v : 2 * (v - (n + 1) / 2) + 1;
    }
    assert_int_equal(pattern_make(&pattern, &csr, 1, &error), APSP_OK);
    order_file_fill(content, order, &pattern);
    if (file) {
        assert_int_equal(fwrite(content, order_file_bytes(n), 1, file), 1);
        assert_int_equal(fclose(file), 0);
    }
    comm_barrier(comm);
    pattern_free(&pattern);
    free(csr.to);
    free(csr.start);
    free(content);
    free(order);
}

static void trees_of_orders_that_are_read_count(void **state)
{
    enum { ALL = 200000, EDGES = 1000 };
    (void)state;
    write_graph(ALL, EDGES, "integer", 1000);
    write_order(more, ALL, EDGES);
    measure("tree",
            (struct run_options){.request = {.dtype = "i64", .method = "sparse", .order = more},
                                 .sources = "1"});
}

static int open_job(struct run_options options, size_t bytes, size_t *said)
{
    struct apsp_error error = {0};
    struct run *run;
    limit = bytes;
    options = options_of(options);
    int code = run_make(&run, &options, &error);
    *said = run && !code ? estimate_make(run->solver).node_host : 0;
    run_free(run);
    limit = 0;
    return code;
}

/* The narrowest type would fit; that it will not do shows when the edges are known. */
static void what_does_not_fit_is_refused(void **state)
{
    /* Another engine may fit where this one does not. */
    const struct run_options options = {.request = {.dtype = "auto", .method = "dense"}};
    size_t narrow, wide, none;
    (void)state;
    write_graph(3000, 3000, "integer", 20);
    assert_int_equal(open_job(options, 0, &narrow), APSP_OK);
    write_graph(3000, 3000, "integer", 2000000000);
    assert_int_equal(open_job(options, 0, &wide), APSP_OK);
    assert_true(wide > narrow + (1 << 20));
    assert_int_equal(open_job(options, wide + (wide - narrow) / 2, &none), APSP_OK);
    assert_int_equal(open_job(options, wide - (wide - narrow) / 4, &none), APSP_MEMORY);
    assert_int_equal(open_job(options, narrow / 2, &none), APSP_MEMORY);
}

int main(void)
{
    struct apsp_error error = {0};
    if (comm_init(&comm, 0, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return error.code;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(jobs_take_what_they_say),
                                       cmocka_unit_test(trees_of_orders_that_are_read_count),
                                       cmocka_unit_test(what_does_not_fit_is_refused)};
    make_shared_folder(comm, "estimate");
    snprintf(graph, sizeof graph, "%s/graph.mtx", folder);
    snprintf(out, sizeof out, "%s/out.npy", folder);
    snprintf(more, sizeof more, "%s/more.npy", folder);
    int failed = cmocka_run_group_tests_name("estimate", tests, NULL, NULL);
    remove_shared_folder(comm);
    comm_free(comm);
    comm_finish();
    return failed != 0;
}
