/* The command `apsp-verify`: proves or refutes a file of distances, whoever made it. */
#include "base/mem.h"
#include "base/progress.h"
#include "base/standard.h"
#include "base/text.h"
#include "base/threads.h"
#include "cli/against.h"
#include "cli/subject.h"
#include "proof/search.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = 4096, BATCH_BYTES = 1 << 24, VALUE_BYTES = 8 };

struct command {
    const char *graph, *distances;
    struct subject_options subject;
    const char *report;
    size_t rows; /* APSP_VERIFY_ALL for all; 0: so too, but with a report none */
    int threads;
    bool quiet, stop;
};

#define FIELD(name) offsetof(struct command, name)

static const struct option_row option_rows[] = {
    {OPTION_HEADING, .help = "options"},
    {OPTION_ROWS, "rows", "N|all", FIELD(rows), 1, INT32_MAX,
     .help = "check N rows, spread over the file, or all of them", .otherwise = "all"},
    {OPTION_TEXT, "report", "FILE", FIELD(report),
     .help =
         "hold GRAPH and DISTANCES against the report (apsp --json) of the run that made them, by hashes of "
         "their bytes, and check rows only if --rows asks for that"},
    {OPTION_INT, "threads", "N", FIELD(threads), 1, THREADS_MAX, .help = "threads that check rows",
     .otherwise = "all cores"},
    {OPTION_FLAG, "quiet", NULL, FIELD(quiet), .help = "print nothing unless something is wrong"},
    SUBJECT_OPTIONS(FIELD(subject)),
};

static const struct option_argument arguments[] = {{"GRAPH", FIELD(graph)}, {"DISTANCES", FIELD(distances)}};

static void print_formats(void)
{
    graph_source_print();
    distances_format_print();
}

static const struct option_program program = {
    .name = "apsp-verify",
    .usage = "apsp-verify [options] GRAPH DISTANCES",
    .about = "Proves or refutes all-pairs shortest distances by a certificate for each row, which does not "
             "depend on how they were computed, nor on who made the file. DISTANCES holds n x n numbers, in "
             "the order of GRAPH's vertices unless it names them; it may be compressed, and - is standard "
             "input. Whole distances are compared exactly, in whatever type they are.",
    .exits = "0 all rows are right, 1 a file is not that of the report, 2 command line, 3 content of a file, "
             "4 too little memory, 5 a file cannot "
             "be read, 8 a row is wrong, 9 GRAPH has a negative cycle, with --targets",
    .examples = "apsp-verify --rows=64 roads.gr distances.bin\n"
                "apsp-verify --unreachable -1 --sources 7,9 roads.mtx two-rows.npy",
    .print_list = print_formats,
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
    size_t *rows, count, batch; /* of rows that follow each other so many are read at once */
    atomic_size_t done, worst;  /* worst: the first place in rows[] known to be wrong */
    struct progress progress;
    struct potential potential; /* of a file with some columns, whose rows are completed */
};

/* What one thread has. */
struct checker {
    struct check *check;
    char *values; /* of a batch */
    char *row;    /* and where columns are missing a whole one, */
    struct search *search;
    struct certify_space *space;
    struct apsp_error *error; /* of all */
};

/* Enough for the threads to share, and no more than a read is worth. */
static size_t choose_batch(const struct check *check)
{
    size_t n = check->subject.graph.n, fair = check->count / (4 * (size_t)check->command->threads),
           rows = BATCH_BYTES / (n * VALUE_BYTES);
    rows = rows < fair ? rows : fair;
    return rows > 0 ? rows : 1;
}

static bool is_partial(const struct check *check)
{
    return check->subject.distances.columns < check->subject.graph.n;
}

/* Bytes that the threads take, and the list of rows. */
static size_t need_beside(const struct check *check)
{
    const struct distances *distances = &check->subject.distances;
    size_t all, n = check->subject.graph.n, each = mem_bytes(mem_bytes(check->batch, n), VALUE_BYTES);
    if (is_partial(check)) {
        mem_add(&each, each, search_need(n));
        mem_add(&each, each, mem_bytes(n, VALUE_BYTES));
    }
    mem_add(&each, each, certify_need(n, distances->dtype));
    mem_add(&each, each, distances_need(distances));
    mem_add(&all, mem_bytes((size_t)check->command->threads, each),
            mem_bytes(check->count, sizeof *check->rows));
    if (is_partial(check))
        mem_add(&all, all, potential_need(n, check->subject.graph.m, dtype_info[distances->dtype].real));
    return all;
}

/* For searches. */
static int find_potential(struct check *check, struct apsp_error *error)
{
    struct cycle cycle;
    potential_find(&check->potential, &cycle, &check->subject.edges, check->command->threads, error);
    if (cycle.length > 0)
        error_set(error, APSP_CYCLE, "%s: has a negative cycle of %zu vertices, and no distances",
                  check->command->graph, cycle.length);
    cycle_free(&cycle);
    return error->code;
}

static int choose_rows(struct check *check, struct apsp_error *error)
{
    const struct distances *distances = &check->subject.distances;
    size_t rows = distances->rows;
    check->count = check->command->rows < rows ? check->command->rows : rows;
    check->batch = check->count < rows ? 1 : choose_batch(check);
    if (subject_load(&check->subject, need_beside(check), check->command->threads, error) ||
        (is_partial(check) && find_potential(check, error)))
        return error->code;
    check->rows = malloc(check->count * sizeof *check->rows);
    if (!check->rows)
        return error_set(error, APSP_MEMORY, "no memory for a list of %zu rows", check->count);
    certify_choose(check->rows, check->count, rows);
    return APSP_OK;
}

/* The error becomes that of the first row in order, whichever thread finds its own first. */
static void record(const struct checker *checker, size_t place, const struct apsp_error *found)
{
#pragma omp critical(verify_error)
    if (place < checker->check->worst) {
        checker->check->worst = place;
        *checker->error = *found;
    }
}

/* The row that is to be proved: the distances that are missing are found by a search. A right row is the only
 * one that the certificate takes, so that nothing depends on the search but that right ones are taken. */
static const void *complete(const struct checker *checker, size_t vertex, const char *given)
{
    const struct check *check = checker->check;
    const struct distances *distances = &check->subject.distances;
    const size_t each = dtype_info[distances->dtype].bytes;
    if (!checker->search)
        return given;
    search_row(checker->search, &check->subject.edges, &check->potential, vertex, distances->dtype,
               checker->row);
    for (size_t i = 0; i < distances->columns; i++)
        memcpy(checker->row + distances_target(distances, i) * each, given + i * each, each);
    return checker->row;
}

static void check_place(const struct checker *checker, size_t place, const char *given)
{
    struct check *check = checker->check;
    const struct distances *distances = &check->subject.distances;
    struct apsp_error own = {0};
    char why[CERTIFY_WHY];
    size_t vertex = distances_vertex(distances, check->rows[place]);
    if (!certify_row(&check->subject.certificate, checker->space, vertex, complete(checker, vertex, given),
                     NULL, why)) {
        error_set(&own, APSP_REFUTED, "%s: verification FAILED: %s%s", check->command->distances, why,
                  distances_remark(distances));
        record(checker, place, &own);
    }
    size_t done = atomic_fetch_add(&check->done, 1) + 1;
    if (omp_get_thread_num() == 0)
        progress_step(&check->progress, done);
}

/* The places of a batch, which are rows that follow each other, or one. Where they cannot be read together it
 * is the first one that counts. */
static void check_batch(const struct checker *checker, size_t first)
{
    struct check *check = checker->check;
    const struct distances *distances = &check->subject.distances;
    const size_t columns = distances->columns, left = check->count - first,
                 count = left < check->batch ? left : check->batch, row = check->rows[first];
    struct apsp_error own = {0};
    if (distances_read(distances, (struct range){row, row + count}, (struct range){0, columns},
                       checker->values, &own) != APSP_OK) {
        record(checker, first, &own);
        return;
    }
    for (size_t i = 0; i < count && first + i < check->worst; i++)
        check_place(checker, first + i, checker->values + i * columns * dtype_info[distances->dtype].bytes);
}

static void check_rows(struct check *check, struct apsp_error *error)
{
    const size_t n = check->subject.graph.n, batch = check->batch;
    const bool partial = is_partial(check);
    double work = (double)check->count * (double)(n + check->subject.edges.m);
    check->progress = (struct progress){.shown = !check->command->quiet && isatty(STDERR_FILENO),
                                        .steps = check->count,
                                        .work = work,
                                        .step = "row",
                                        .unit = "edges/s"};
    progress_start(&check->progress);
    check->worst = SIZE_MAX;
#pragma omp parallel num_threads(check->command->threads)
    {
        struct checker checker = {.check = check,
                                  .values = malloc(mem_bytes(batch * n, VALUE_BYTES)),
                                  .row = partial ? malloc(mem_bytes(n, VALUE_BYTES)) : NULL,
                                  .search = partial ? search_new(n) : NULL,
                                  .space = certify_space_new(n, check->subject.distances.dtype),
                                  .error = error};
        struct apsp_error short_of = {0};
        if (!checker.values || !checker.space || (partial && (!checker.row || !checker.search))) {
            error_set(&short_of, APSP_MEMORY, "no memory for %zu rows of %zu distances", batch, n);
            record(&checker, 0, &short_of);
        }
#pragma omp for schedule(dynamic)
        for (size_t place = 0; place < check->count; place += batch)
            if (place < check->worst && !short_of.code)
                check_batch(&checker, place);
        certify_space_free(checker.space);
        search_free(checker.search);
        free(checker.row);
        free(checker.values);
    }
    progress_end(&check->progress);
}

static int check_report(const struct command *command, struct apsp_error *error)
{
    const struct against against = {command->report, command->graph, command->distances, command->threads};
    if (against_check(&against, error) == APSP_OK && !command->quiet)
        puts("report: PASSED, these are the files of the run");
    return error->code;
}

static int run(const struct command *command, struct apsp_error *error)
{
    struct check check = {.command = command};
    char verdict[TEXT_SHORT];
    if (subject_open(&check.subject, command->graph, command->distances, &command->subject, error) ==
            APSP_OK &&
        choose_rows(&check, error) == APSP_OK)
        check_rows(&check, error);
    if (!error->code && !command->quiet)
        puts(text_verdict(verdict, check.count, check.subject.distances.rows));
    standard_flush(error);
    free(check.rows);
    potential_free(&check.potential);
    subject_free(&check.subject);
    return error->code;
}

int main(int argc, char **argv)
{
    struct command command = {.threads = threads_default()};
    struct apsp_error error = {0};
    standard_open();
    if (option_parse(&program, &command, argc, argv, &error) == APSP_OK && !command.stop) {
        if (command.report)
            check_report(&command, &error);
        if (command.rows == 0 && !command.report)
            command.rows = APSP_VERIFY_ALL;
        if (command.rows > 0 && !error.code)
            run(&command, &error);
    }
    if (error.code)
        standard_tell("apsp-verify", &error, "");
    return error.code;
}
