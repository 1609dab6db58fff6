#include "run/files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *run_path(const struct run *run, int file)
{
    const struct run_options *options = &run->options;
    const char *const paths[RUN_FILES] = {
        [RUN_PLOT] = options->results.plot, [RUN_ORDER] = options->save_order,
        [RUN_NAMES] = options->names,       [RUN_SCALE] = run->scale_path,
        [RUN_REPORT] = options->json,
    };
    return run->solver->comm->rank == 0 ? paths[file] : NULL;
}

/* The run that is resumed has left its report. */
bool run_may_replace(const struct run *run, int file)
{
    return run->options.results.force || (file == RUN_REPORT && run->options.checkpoint.resume);
}

void run_check_files(struct run *run)
{
    struct apsp_error *error = &run->solver->error;
    for (int i = 0; i < RUN_FILES && !error->code; i++)
        if (run_path(run, i))
            staged_check(run_path(run, i), options_inputs(&run->options).path,
                         run_may_replace(run, i), error);
}

static bool path_is_file(const char *path)
{
    struct apsp_error ignored = {0};
    enum target_kind kind;
    return target_find(&kind, path, &ignored) == APSP_OK && kind == TARGET_FILE;
}

/* Integers with the divisor 1 need no file, unless another one stands there. */
void run_name_scale(struct run *run)
{
    const struct results *results = &run->options.results;
    if (!results->distances || run->solver->comm->rank != 0 || !path_is_file(results->distances))
        return;
    if (asprintf(&run->scale_path, "%s.scale", results->distances) < 0) {
        run->scale_path = NULL;
        error_set(&run->solver->error, APSP_MEMORY, "no memory for the name of a file");
        return;
    }
    if (sink_divisor(&run->solver->sink_task) == 1 && access(run->scale_path, F_OK) != 0) {
        free(run->scale_path);
        run->scale_path = NULL;
        return;
    }
    staged_check(run->scale_path, options_inputs(&run->options).path, results->force,
                 &run->solver->error);
}

/* Rank 0 may be killed: others remove its files too when the run ends. Where they cannot see them
 * they need not. */
static void watch_files(struct run *run)
{
    enum { ROOM = 1 << 14 };
    struct comm *comm = run->solver->comm;
    char names[ROOM];
    size_t bytes = comm->rank == 0 ? staged_names(names, ROOM) : 0;
    comm_broadcast(comm, &bytes, sizeof bytes, 0);
    comm_broadcast(comm, names, bytes, 0);
    const char *name = names, *end = names + bytes;
    for (int i = 0; comm->rank > 0 && name < end && i < RUN_WATCHED;
         i++, name += strlen(name) + 1) {
        struct apsp_error ignored = {0};
        staged_join(&run->watched[i], name, name, false, &ignored);
    }
}

int run_open_files(struct run *run)
{
    struct solver *solver = run->solver;
    struct apsp_error *error = &solver->error;
    checkpoint_rows_name(&solver->saved, &solver->sinks);
    if (sinks_open(&solver->sinks, error))
        return error->code;
    run_check_files(run);
    for (int i = 0; i < RUN_FILES && !error->code; i++)
        if (run_path(run, i))
            staged_create(&run->file[i], run_path(run, i), run_may_replace(run, i), error);
    if (comm_agree(solver->comm, error) == APSP_OK && solver->comm->ranks > 1 &&
        !solver->comm->threads)
        watch_files(run);
    if (!error->code && solver_saves_rows(solver))
        checkpoint_rows_load(&solver->saved, &solver->sinks, error);
    return error->code;
}
