/* The command `apsp-verify`: checks a file of distances of any program. */
#include "base/standard.h"
#include "base/text.h"
#include "base/threads.h"
#include "cli/against.h"
#include "cli/launch.h"
#include "cli/reported.h"
#include "comm/topology.h"
#include "distances/check.h"

#include <stdlib.h>
#include <unistd.h>

enum { THREADS_MAX = 4096, RANKS_MAX = 65536 };

struct command {
    const char *graph, *distances;
    struct subject_options subject;
    const char *report;
    size_t rows;   /* APSP_VERIFY_ALL for all; 0: so too, but with a report none */
    uint64_t seed; /* of the choice of some; 0: a new one */
    int threads, ranks;
    bool quiet, stop;
};

#define FIELD(name) offsetof(struct command, name)

static const struct option_row option_rows[] = {
    {OPTION_HEADING, .help = "options"},
    {OPTION_ROWS, "rows", "N|all", FIELD(rows), 1, INT32_MAX,
     .help = "check N rows, spread over the file by chance, or all of them", .otherwise = "all"},
    {OPTION_TEXT, "report", "FILE", FIELD(report),
     .help = "compare hashes of GRAPH and DISTANCES with the report (apsp --json) of the run that "
             "made them. Rows are checked only with --rows, and GRAPH is then read with the "
             "options of that run"},
    {OPTION_U64, "seed", "S", FIELD(seed), 1, UINT64_MAX,
     .help = "choose the N rows that a run with this seed has chosen",
     .otherwise = "a new one, which is printed"},
    {OPTION_INT, "ranks", "N", FIELD(ranks), 1, RANKS_MAX,
     .help = "run N ranks on this machine, as threads of one process, which share the rows"},
    {OPTION_INT, "threads", "N", FIELD(threads), 1, THREADS_MAX, .help = "threads that check rows",
     .otherwise = "all cores"},
    {OPTION_FLAG, "quiet", NULL, FIELD(quiet), .help = "print nothing unless something is wrong"},
    SUBJECT_OPTIONS(FIELD(subject)),
};

static const struct option_argument arguments[] = {
    {"GRAPH", .offset = FIELD(graph), .about = INPUT_ABOUT},
    {"DISTANCES", .offset = FIELD(distances)}};

static void print_formats(void)
{
    graph_source_print();
    distances_format_print();
}

static const struct option_program program = {
    .name = "apsp-verify",
    .usage = "apsp-verify [options] GRAPH DISTANCES\n"
             "mpirun [its options] apsp-verify [options] GRAPH DISTANCES",
    .about = "Checks all-pairs shortest distances by a certificate for each row, for a file of any "
             "program. DISTANCES holds n x n numbers, in the order of GRAPH's vertices unless it "
             "names them. It may be compressed, and - is standard input. Integer distances are "
             "compared exactly, in any type, and so are those of decimal weights.",
    .exits = "0 all rows are right, 1 not the files of the report, 2 command line, 3 content of a "
             "file, 4 too little memory, 5 unreadable file, 7 MPI or another rank, 8 a row is "
             "wrong, 9 negative cycle",
    .examples = "apsp-verify --rows=64 roads.gr distances.bin\n"
                "apsp-verify --ranks 4 roads.gr distances.bin\n"
                "apsp-verify --unreachable -1 --sources 7,9 roads.mtx two-rows.npy",
    .print_list = print_formats,
    .rows = option_rows,
    .row_count = sizeof option_rows / sizeof *option_rows,
    .arguments = arguments,
    .argument_count = 2,
    .needed = 2,
    .stop = FIELD(stop),
};

/* Cores, for ranks their shares. */
static int choose_threads(const struct command *command, struct comm *comm)
{
    struct topology topology;
    if (comm->ranks == 1)
        return command->threads ? command->threads : threads_default();
    topology_bind(&topology, comm, "", command->threads);
    return topology.threads;
}

static void print_verdict(const struct check_task *task, const struct check_result *result)
{
    char verdict[TEXT_SHORT], number[TEXT_NUMBER];
    fputs(text_verdict(verdict, result->rows, task->distances->rows), stdout);
    if (result->rounded > 0)
        printf("; %s of them within rounding, not correctly rounded",
               text_count(number, result->rounded));
    if (result->rows < task->distances->rows)
        printf("; seed %llu", (unsigned long long)task->seed);
    putchar('\n');
}

static int check(struct subject *subject, const struct command *command, struct apsp_error *error)
{
    struct comm *comm = subject->comm;
    struct check_result result;
    struct check_task task = {.distances = &subject->distances,
                              .name = command->distances,
                              .comm = comm,
                              .threads = choose_threads(command, comm),
                              .rows = command->rows,
                              .seed = command->seed ? command->seed : comm_seed(comm),
                              .certificate.edges = &subject->edges,
                              .potential = &subject->potential,
                              .exact = subject->distances.real ? &subject->exact : NULL,
                              .progress = !command->quiet && isatty(STDERR_FILENO)};
    if (subject_load(subject, check_need(&task), task.threads, error))
        return error->code;
    task.certificate = subject->certificate;
    task.exact = subject_exact(subject);
    if (check_rows(&task, &result, error) == APSP_OK && !command->quiet && comm->rank == 0)
        print_verdict(&task, &result);
    return error->code;
}

static int check_report(const struct command *command, bool quiet, struct apsp_error *error)
{
    struct against against = {.report = command->report,
                              .graph = command->graph,
                              .distances = command->distances,
                              .threads = command->threads ? command->threads : threads_default()};
    if (command->report && !error->code && against_check(&against, error) == APSP_OK && !quiet) {
        fputs("report: PASSED, these are the files of the run ", stdout);
        text_print_clean(stdout, against.command);
        putchar('\n');
    }
    free(against.command);
    return error->code;
}

static int run(const struct command *command, struct comm *comm, struct apsp_error *error)
{
    struct subject subject = {.comm = comm};
    struct subject_options options = command->subject;
    cJSON *report = NULL;
    if (command->ranks > 0 && command->ranks != comm->ranks && !error->code)
        error_set(error, APSP_USAGE, "%d ranks are requested, but the launcher started %d",
                  command->ranks, comm->ranks);
    if (comm->rank == 0 && launch_started()) /* else it has been told of before */
        check_report(command, command->quiet, error);
    if (command->report && command->rows > 0 && !error->code)
        reported_options(&options, command->report, &report, error);
    if (comm_agree(comm, error) == APSP_OK && command->rows > 0 &&
        subject_open(&subject, command->graph, command->distances, &options, error) == APSP_OK)
        check(&subject, command, error);
    standard_flush(error);
    if (comm_agree(comm, error) && comm->rank == 0)
        standard_tell("apsp-verify", error,
                      error->code == APSP_REFUTED ? subject_hint(&subject) : "");
    subject_free(&subject);
    cJSON_Delete(report);
    return error->code;
}

/* A seed chooses where not all rows are checked. */
static int check_seed(const struct command *command, struct apsp_error *error)
{
    if (command->seed && (command->rows == 0 || command->rows == APSP_VERIFY_ALL))
        error_set(error, APSP_USAGE, "--seed requires --rows=N");
    return error->code;
}

static int read_line(struct command *command, int argc, char **argv, struct apsp_error *error)
{
    if (option_parse(&program, command, argc, argv, error) != APSP_OK || command->stop ||
        check_seed(command, error))
        return error->code;
    if (command->rows == 0 && !command->report)
        command->rows = APSP_VERIFY_ALL;
    return launch_started() ? APSP_OK : check_report(command, command->quiet, error);
}

/* All ranks of this process have it in common. */
struct verifying {
    struct command command;
    struct apsp_error error; /* of the command line */
    int ranks;               /* threads of this process */
    int code;                /* of the exit, as rank 0 says */
};

static void run_rank(void *self)
{
    struct verifying *verifying = self;
    struct apsp_error error = verifying->error, own = {0};
    struct comm *comm;
    if (verifying->ranks > 1 || launch_started() ? comm_init(&comm, 0, &own)
                                                 : comm_solo(&comm, &own)) {
        standard_tell("apsp-verify", &own, "");
        verifying->code = own.code;
        return;
    }
    const bool tells = !comm->threads || comm->rank == 0;
    run(&verifying->command, comm, &error);
    if (tells)
        verifying->code = error.code;
}

static int verify(int argc, char **argv)
{
    struct verifying verifying = {.ranks = 1};
    struct apsp_error *error = &verifying.error;
    if (launch_unquote(&argc, argv, error) == APSP_OK &&
        read_line(&verifying.command, argc, argv, error) == APSP_OK) {
        if (verifying.command.stop)
            return APSP_OK;
        verifying.ranks = launch_ranks(verifying.command.ranks, "ranks", error);
    }
    struct apsp_error few = {0};
    if (verifying.ranks == 1)
        run_rank(&verifying);
    else if (comm_run(verifying.ranks, run_rank, &verifying, &few)) {
        standard_tell("apsp-verify", &few, "");
        verifying.code = few.code;
    }
    comm_finish();
    return verifying.code;
}

int main(int argc, char **argv)
{
    return standard_run("apsp-verify", verify, argc, argv);
}
