/* The command `apsp-verify`: proves or refutes a file of distances, whoever made it. */
#include "base/mem.h"
#include "base/progress.h"
#include "base/text.h"
#include "cli/option.h"
#include "graph/census.h"
#include "proof/certify.h"
#include "proof/potential.h"
#include "rows/matrix.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = 4096 };

struct command {
    const char *graph, *distances, *format;
    size_t rows; /* APSP_VERIFY_ALL for all */
    int threads;
    bool quiet, stop;
};

#define FIELD(name) offsetof(struct command, name)

static const struct option_row option_rows[] = {
    {OPTION_HEADING, .help = "options"},
    {OPTION_ROWS, "rows", "N|all", FIELD(rows), 1, INT32_MAX,
     .help = "check N rows, spread over the file, or all of them", .otherwise = "all"},
    {OPTION_TEXT, "format", "F", FIELD(format), .names = graph_source_names, .help = "format of GRAPH",
     .otherwise = "by its suffix"},
    {OPTION_INT, "threads", "N", FIELD(threads), 1, THREADS_MAX, .help = "threads that check rows",
     .otherwise = "all cores"},
    {OPTION_FLAG, "quiet", NULL, FIELD(quiet), .help = "print nothing unless something is wrong"},
};

static const struct option_argument arguments[] = {{"GRAPH", FIELD(graph)}, {"DISTANCES", FIELD(distances)}};

static const struct option_program program = {
    .name = "apsp-verify",
    .usage = "apsp-verify [options] GRAPH DISTANCES",
    .about =
        "Proves or refutes all-pairs shortest distances by a certificate for each row, which does not "
        "depend on how they were computed. DISTANCES holds n x n numbers, row by row: an array of NumPy "
        "of type <u2, <i4, <i8, <f4 or <f8 if its suffix is .npy, else little-endian int32, where 1073741823 "
        "means unreachable. A row takes time in proportion to the size of GRAPH.",
    .exits =
        "0 all rows are right, 2 command line, 3 content of a file, 4 too little memory, 5 a file cannot "
        "be read, 8 a row is wrong",
    .examples = "apsp-verify --rows=64 roads.gr distances.bin",
    .rows = option_rows,
    .row_count = sizeof option_rows / sizeof *option_rows,
    .arguments = arguments,
    .argument_count = 2,
    .needed = 2,
    .stop = FIELD(stop),
};

/* What all threads check with. */
struct check {
    const struct command *command;
    struct graph graph;
    struct comm *comm;
    size_t room; /* bytes that may be left over */
    struct csr edges;
    double reach; /* see certify.h */
    struct matrix distances;
    size_t *rows, count;
    atomic_size_t done, worst; /* worst: the first place in rows[] known to be wrong */
    struct progress progress;
};

static int choose_rows(struct check *check, struct apsp_error *error)
{
    size_t n = check->graph.n, threads = (size_t)check->command->threads, need, rows,
           limit = mem_node_limit();
    enum dtype dtype = check->distances.dtype;
    check->count = check->command->rows < n ? check->command->rows : n;
    mem_mul(&rows, threads, n * dtype_info[dtype].bytes);
    mem_add(&need, mem_bytes(threads, certify_need(n, dtype)), rows);
    mem_add(&need, need, csr_need(n, check->graph.m));
    if (dtype_info[dtype].real)
        mem_add(&need, need, potential_need(n, check->graph.m, true));
    mem_add(&need, need, check->count * sizeof *check->rows);
    if (need > limit)
        return error_set(error, APSP_MEMORY,
                         "%s: %zu vertices and %zu edges need %zu bytes of memory, and there are %zu",
                         check->graph.path, n, check->graph.m, need, limit);
    check->room = limit - need;
    check->rows = malloc(check->count * sizeof *check->rows);
    if (!check->rows)
        return error_set(error, APSP_MEMORY, "no memory for a list of %zu rows", check->count);
    certify_choose(check->rows, check->count, n);
    return APSP_OK;
}

static int load_edges(struct check *check, struct apsp_error *error)
{
    struct census census;
    struct edges edges = {
        .graph = &check->graph, .comm = check->comm, .threads = check->command->threads, .room = check->room};
    if (census_take(&census, &edges, error) == APSP_OK)
        csr_load(&check->edges, &edges, true, error);
    edges_free(&edges);
    if (error->code || !dtype_info[check->distances.dtype].real)
        return error->code;
    csr_convert(&check->edges);
    return potential_find_reach(&check->reach, &check->edges, check->command->threads, error);
}

/* `error` becomes that of the first row in order, whichever thread finds its own first. */
static void record(struct check *check, size_t place, const struct apsp_error *found,
                   struct apsp_error *error)
{
#pragma omp critical(verify_error)
    if (place < check->worst) {
        check->worst = place;
        *error = *found;
    }
}

static void check_place(struct check *check, size_t place, void *row, struct certify_space *space,
                        struct apsp_error *error)
{
    struct apsp_error own = {0};
    const struct certificate certificate = {&check->edges, check->reach, check->graph.first};
    char why[CERTIFY_WHY];
    size_t i = check->rows[place];
    if (matrix_read(&check->distances, i, 0, check->graph.n, row, &own) == APSP_OK &&
        !certify_row(&certificate, space, i, row, NULL, why))
        error_set(&own, APSP_REFUTED, "%s: verification FAILED: %s", check->command->distances, why);
    if (own.code)
        record(check, place, &own, error);
    size_t done = atomic_fetch_add(&check->done, 1) + 1;
    if (omp_get_thread_num() == 0)
        progress_step(&check->progress, done);
}

static void check_rows(struct check *check, struct apsp_error *error)
{
    double work = (double)check->count * (double)(check->graph.n + check->edges.m);
    check->progress = (struct progress){.shown = !check->command->quiet && isatty(STDERR_FILENO),
                                        .steps = check->count,
                                        .work = work,
                                        .step = "row",
                                        .unit = "edges/s"};
    progress_start(&check->progress);
    check->worst = SIZE_MAX;
#pragma omp parallel num_threads(check->command->threads)
    {
        void *row = malloc(check->graph.n * dtype_info[check->distances.dtype].bytes);
        struct certify_space *space = certify_space_new(check->graph.n, check->distances.dtype);
        struct apsp_error short_of = {0};
        if (!row || !space) {
            error_set(&short_of, APSP_MEMORY, "no memory for a row of %zu distances", check->graph.n);
            record(check, 0, &short_of, error);
        }
#pragma omp for schedule(dynamic)
        for (size_t place = 0; place < check->count; place++)
            if (place < check->worst && !short_of.code)
                check_place(check, place, row, space, error);
        certify_space_free(space);
        free(row);
    }
    progress_end(&check->progress);
}

static int run(const struct command *command, struct apsp_error *error)
{
    struct check check = {.command = command};
    char verdict[TEXT_SHORT];
    if (comm_solo(&check.comm, error) == APSP_OK &&
        graph_open(&check.graph, command->graph, command->format, true, error) == APSP_OK &&
        matrix_open(&check.distances, command->distances, &check.graph, error) == APSP_OK &&
        choose_rows(&check, error) == APSP_OK && load_edges(&check, error) == APSP_OK)
        check_rows(&check, error);
    if (!error->code && !command->quiet)
        puts(text_verdict(verdict, true, check.count, check.graph.n));
    free(check.rows);
    csr_free(&check.edges);
    matrix_close(&check.distances);
    graph_close(&check.graph);
    comm_free(check.comm);
    return error->code;
}

int main(int argc, char **argv)
{
    struct command command = {.rows = APSP_VERIFY_ALL, .threads = omp_get_max_threads()};
    struct apsp_error error = {0};
    if (option_parse(&program, &command, argc, argv, &error) == APSP_OK && !command.stop)
        run(&command, &error);
    if (error.code)
        fprintf(stderr, "apsp-verify: %s\n", error.text);
    return error.code;
}
