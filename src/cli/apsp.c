/* The command `apsp`: the way of the data: source -> engine -> rows -> sinks. */
#include "base/ending.h"
#include "base/mem.h"
#include "base/standard.h"
#include "cli/launch.h"
#include "cli/options.h"
#include "cli/series.h"
#include "run/run.h"

#include <signal.h>
#include <stdlib.h>

/* What asks for a checkpoint. Slurm sends SIGTERM to the tasks of srun; the ranks of mpirun get it
 * from there when all is over. */
static void take_requests(const struct run_options *options)
{
    if (options->checkpoint.folder)
        ending_ask(SIGUSR1);
    if (options->checkpoint.folder && getenv("SLURM_JOB_ID") && !getenv("OMPI_COMM_WORLD_RANK"))
        ending_ask(SIGTERM);
}

static int fail(const struct apsp_error *error, const char *detail)
{
    standard_tell("apsp", error, detail);
    return error->code;
}

/* Every step is collective; the first that fails, fails on all ranks. */
static void run_all(struct run *run)
{
    if (run_load(run)) /* source -> engine: the edges */
        return;
    if (run_solve(run)) /* the engine's work */
        return;
    run_rows(run);   /* engine -> rows -> sinks: files, certificate, predecessors */
    run_commit(run); /* the files get their names, those too that a failure leaves; the report is
                        printed */
}

/* All ranks of this process have it in common. */
struct command {
    struct run_options options;
    struct series series;
    struct apsp_error
        error; /* of the command line, which ranks of several processes tell together */
    int code;  /* of the exit, as rank 0 says */
};

/* The order that a run has made, of a series; content on rank 0. */
struct order {
    void *content;
    size_t bytes;
};

static int run_one(struct command *command, const struct run_options *options, struct order *order)
{
    struct apsp_error error = command->error;
    struct run *run = NULL;
    if (run_make(&run, options, &error) == APSP_OK) {
        if (options->estimate)
            run_estimate(run);
        else
            run_all(run);
        if (order && order->bytes == 0 && !run->solver->error.code)
            run_take_order(run, &order->content, &order->bytes);
    }
    if (run) {
        error = run->solver->error;
        if (error.code)
            run_report_failure(run);
        if (error.code && run->solver->comm->rank == 0)
            fail(&error, run_detail(run));
    } else if (*error.text) {
        fail(&error, "");
    }
    if (!run || !run->solver->comm->threads || run->solver->comm->rank == 0)
        command->code = error.code;
    run_free(run);
    return error.code;
}

static void run_rank(void *self)
{
    struct command *command = self;
    const struct series *series = &command->series;
    struct order order = {0};
    int code = APSP_OK;
    for (int k = 0; k < series->count && !code; k++) {
        struct run_options options = series->options[k];
        if (order.bytes > 0) {
            options.request.held = order.content;
            options.request.held_bytes = order.bytes;
        }
        code = run_one(command, &options, series->count > 1 ? &order : NULL);
    }
    mem_free(order.content);
}

static int apsp(int argc, char **argv)
{
    static struct command command;
    struct apsp_error *error = &command.error;
    int ranks = 1;

    signal(SIGPIPE,
           SIG_IGN); /* a reader that has gone is an error like any other, of stderr none */
    launch_unquote(&argc, argv, error);
    if (options_parse(&command.options, argc, argv, error) == APSP_OK) {
        if (command.options.stop)
            return APSP_OK;
        series_make(&command.series, &command.options, error);
        ranks = command.options.ranks ? launch_ranks(command.options.ranks, "ranks", error)
                                      : launch_ranks(command.options.gpus, "gpus", error);
    }
    if (error->code &&
        !launch_started()) /* one of several processes tells its error by way of the run */
        return fail(error, "");

    command.series.count += command.series.count == 0;
    take_requests(&command.options);
    if (ranks == 1)
        run_rank(&command);
    else if (comm_run(ranks, run_rank, &command, error))
        command.code = fail(error, "");
    series_free(&command.series);
    comm_finish();
    return command.code;
}

int main(int argc, char **argv)
{
    return standard_run("apsp", apsp, argc, argv);
}
