/* The command `apsp-verify`: proves or refutes a file of distances, whoever made it. */
#include "base/mem.h"
#include "base/progress.h"
#include "base/text.h"
#include "cli/input.h"
#include "cli/subject.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = 4096 };

struct command {
    const char *graph, *distances;
    struct graph_options input;
    size_t rows; /* APSP_VERIFY_ALL for all */
    int threads;
    bool quiet, stop;
};

#define FIELD(name) offsetof(struct command, name)

static const struct option_row option_rows[] = {
    {OPTION_HEADING, .help = "options"},
    {OPTION_ROWS, "rows", "N|all", FIELD(rows), 1, INT32_MAX,
     .help = "check N rows, spread over the file, or all of them", .otherwise = "all"},
    INPUT_OPTIONS(FIELD(input)),
    {OPTION_INT, "threads", "N", FIELD(threads), 1, THREADS_MAX, .help = "threads that check rows",
     .otherwise = "all cores"},
    {OPTION_FLAG, "quiet", NULL, FIELD(quiet), .help = "print nothing unless something is wrong"},
};

static const struct option_argument arguments[] = {{"GRAPH", FIELD(graph)}, {"DISTANCES", FIELD(distances)}};

static const struct option_program program = {
    .name = "apsp-verify",
    .usage = "apsp-verify [options] GRAPH DISTANCES",
    .about = "Proves or refutes all-pairs shortest distances by a certificate for each row, which does not "
             "depend on how they were computed. DISTANCES holds n x n numbers, row by row: an array of NumPy "
             "of type <u2, <i4, <i8, <f4 or <f8 if its suffix is .npy, bare numbers of the type that a "
             "suffix such as .u16 "
             "names, else little-endian int32, where 1073741823 means unreachable. A row takes time in "
             "proportion to the size of GRAPH.",
    .exits =
        "0 all rows are right, 2 command line, 3 content of a file, 4 too little memory, 5 a file cannot "
        "be read, 8 a row is wrong",
    .examples = "apsp-verify --rows=64 roads.gr distances.bin",
    .print_list = graph_source_print,
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
    struct subject subject;
    size_t *rows, count;
    atomic_size_t done, worst; /* worst: the first place in rows[] known to be wrong */
    struct progress progress;
};

/* Bytes that the threads take, and the list of rows. */
static size_t need_beside(const struct check *check)
{
    size_t each, all, n = check->subject.graph.n;
    enum dtype dtype = check->subject.distances.dtype;
    mem_add(&each, certify_need(n, dtype), mem_bytes(n, dtype_info[dtype].bytes));
    mem_add(&all, mem_bytes((size_t)check->command->threads, each),
            mem_bytes(check->count, sizeof *check->rows));
    return all;
}

static int choose_rows(struct check *check, struct apsp_error *error)
{
    size_t n = check->subject.graph.n;
    check->count = check->command->rows < n ? check->command->rows : n;
    if (subject_load(&check->subject, need_beside(check), check->command->threads, error))
        return error->code;
    check->rows = malloc(check->count * sizeof *check->rows);
    if (!check->rows)
        return error_set(error, APSP_MEMORY, "no memory for a list of %zu rows", check->count);
    certify_choose(check->rows, check->count, n);
    return APSP_OK;
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
    char why[CERTIFY_WHY];
    size_t i = check->rows[place];
    if (matrix_read(&check->subject.distances, i, 0, check->subject.graph.n, row, &own) == APSP_OK &&
        !certify_row(&check->subject.certificate, space, i, row, NULL, why))
        error_set(&own, APSP_REFUTED, "%s: verification FAILED: %s", check->command->distances, why);
    if (own.code)
        record(check, place, &own, error);
    size_t done = atomic_fetch_add(&check->done, 1) + 1;
    if (omp_get_thread_num() == 0)
        progress_step(&check->progress, done);
}

static void check_rows(struct check *check, struct apsp_error *error)
{
    double work = (double)check->count * (double)(check->subject.graph.n + check->subject.edges.m);
    check->progress = (struct progress){.shown = !check->command->quiet && isatty(STDERR_FILENO),
                                        .steps = check->count,
                                        .work = work,
                                        .step = "row",
                                        .unit = "edges/s"};
    progress_start(&check->progress);
    check->worst = SIZE_MAX;
#pragma omp parallel num_threads(check->command->threads)
    {
        void *row = malloc(check->subject.graph.n * dtype_info[check->subject.distances.dtype].bytes);
        struct certify_space *space =
            certify_space_new(check->subject.graph.n, check->subject.distances.dtype);
        struct apsp_error short_of = {0};
        if (!row || !space) {
            error_set(&short_of, APSP_MEMORY, "no memory for a row of %zu distances", check->subject.graph.n);
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
    if (subject_open(&check.subject, command->graph, &command->input, command->distances, error) == APSP_OK &&
        choose_rows(&check, error) == APSP_OK)
        check_rows(&check, error);
    if (!error->code && !command->quiet)
        puts(text_verdict(verdict, check.count, check.subject.graph.n));
    free(check.rows);
    subject_free(&check.subject);
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
