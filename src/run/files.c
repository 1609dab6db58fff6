#include "run/files.h"

#include "base/mem.h"
#include "base/standard.h"
#include "base/text.h"
#include "solve/estimate.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
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

size_t run_checkpoint_bytes(const struct run *run)
{
    const struct solver *solver = run->solver;
    if (!run->options.checkpoint.folder || !solver->engine->ops->save)
        return 0;
    return mem_bytes(2, checkpoint_bytes(solver->problem.graph.n, solver->task.dtype));
}

/* Whether the folder of checkpoints has room for two, beside those that are there. */
static void check_checkpoint_room(struct run *run)
{
    enum { BLOCK = 512, FILES = 2 };
    const char *folder = run->options.checkpoint.folder;
    const size_t need = run_checkpoint_bytes(run);
    char path[PATH_MAX], bytes[TEXT_NUMBER], left[TEXT_NUMBER];
    struct statvfs system;
    if (need == 0 || run->solver->comm->rank != 0 || statvfs(folder, &system) != 0 ||
        system.f_blocks == 0) /* zero: it does not tell */
        return;
    size_t available = mem_bytes(system.f_bavail, system.f_frsize);
    for (int i = 1; i <= FILES; i++) {
        struct stat status;
        snprintf(path, sizeof path, "%s/checkpoint.%d", folder, i);
        if (stat(path, &status) == 0)
            mem_add(&available, available, (size_t)status.st_blocks * BLOCK);
    }
    if (need > available)
        error_set(&run->solver->error, APSP_IO,
                  "%s: two checkpoints take %s, and its file system has %s free", folder,
                  text_bytes(bytes, need), text_bytes(left, available));
}

/* Says before the work what large files will take. */
static void note_sizes(const struct run *run)
{
    enum { LARGE = 1 << 30 };
    const struct solver *solver = run->solver;
    for (int i = 0; i < solver->sinks.count && solver->comm->rank == 0; i++) {
        const struct sink *sink = &solver->sinks.at[i];
        const char *path = sink->ops->path ? sink->ops->path(&run->options.results) : NULL;
        char text[TEXT_LINE], bytes[TEXT_NUMBER];
        const struct sink_need need = path && sink->ops->need
                                          ? sink->ops->need(sink->task, estimate_lanes(solver))
                                          : (struct sink_need){0};
        if (need.disk < LARGE || run->options.quiet)
            continue;
        snprintf(text, sizeof text, "will have %s%s", need.disk_most ? "at most " : "",
                 text_bytes(bytes, need.disk));
        standard_note(path, text);
    }
}

int run_open_files(struct run *run)
{
    note_sizes(run);
    check_checkpoint_room(run);
    if (comm_agree(run->solver->comm, &run->solver->error))
        return run->solver->error.code;
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
