/*
 * The certificate of rows as they are in the file: once it is complete, and before it has its name,
 * it is read back as apsp-verify reads it. Each rank opens it anew, so
 * that a file system between hosts shows what is there.
 */
#include "run/check.h"

#include "base/clock.h"
#include "base/hdf5.h"
#include "base/mem.h"
#include "distances/check.h"
#include "rows/matrix.h"
#include "rows/output.h"

/* Visits of vertices and edges by a thread in a second, about, and the share of the solve's time
 * that all rows may cost if the user has not named their number. */
#define VISITS 2e8
#define SHARE  0.1

/* The sink whose file is read, or NULL. */
static const struct sink *check_sink(const struct run *run)
{
    for (int i = 0; i < run->solver->sinks.count && run->options.results.read_back; i++)
        if (run->solver->sinks.at[i].ops->distances)
            return &run->solver->sinks.at[i];
    return NULL;
}

/* Rows of other types than those of the file were whole, and rounded once: they are to be exact. */
static bool check_is_rounded(const struct run *run)
{
    return dtype_info[run->solver->sink_task.file].real &&
           !dtype_info[run->solver->sink_task.dtype].real;
}

static struct check_task check_task_of(const struct run *run, const struct distances *distances,
                                       const struct exact *exact)
{
    struct check_task task = {.distances = distances,
                              .name = run->options.results.distances,
                              .comm = run->solver->comm,
                              .threads = run->solver->topology.threads,
                              .rows = run->options.results.verify,
                              .seed = run->options.results.seed,
                              .potential = &run->solver->problem.proof.potential,
                              .progress = run->options.request.progress};
    if (check_is_rounded(run))
        task.exact = exact;
    else
        task.certificate = run->solver->sink_task.certificate;
    return task;
}

bool check_is_read_back(const struct results *results)
{
    bool read = false;
    for (int i = 0; sink_table[i]; i++)
        read |= sink_table[i]->distances && sink_table[i]->path(results);
    return read && results->verify > 0;
}

size_t check_file_need(const void *caller)
{
    const struct run *run = caller;
    const struct sink_task *task = &run->solver->sink_task;
    const struct distances distances = {.graph = &run->solver->problem.graph,
                                        .rows = sink_rows(task),
                                        .columns = sink_columns(task),
                                        .targets = run->targets,
                                        .dtype = task->file == DTYPE_U8 ? DTYPE_I64 : task->file};
    const struct exact exact = {.certificate = task->certificate};
    struct check_task check = check_task_of(run, &distances, &exact);
    size_t bytes =
        mem_bytes(mem_bytes((size_t)check.threads, task->n), sizeof(union value)); /* of libhdf5 */
    if (!run->options.results.read_back)
        return 0;
    if (run->options.verify_more)
        check.rows = APSP_VERIFY_ALL;
    mem_add(&bytes, bytes, check_need(&check));
    return bytes;
}

static const char *check_format(const char *path)
{
    return hdf5_is_named(path) ? "hdf5" : matrix_format_of(path)->typed ? "npy" : "raw";
}

void check_settle(struct run *run, double seconds)
{
    const double visits =
                     (double)sink_rows(&run->solver->sink_task) *
                     ((double)run->solver->problem.graph.n + (double)run->solver->problem.graph.m),
                 rate = VISITS *
                        (double)comm_sum(run->solver->comm, (size_t)run->solver->topology.threads);
    if (run->options.verify_more && visits / rate <= SHARE * comm_max(run->solver->comm, seconds))
        run->options.results.verify = APSP_VERIFY_ALL;
}

int check_file(struct run *run)
{
    const struct sink *file = check_sink(run);
    const struct exact exact = {run->solver->sink_task.certificate,
                                run->solver->problem.proof.potential};
    struct distances distances = {.file.fd = -1};
    const struct check_task task = check_task_of(run, &distances, &exact);
    struct check_result result = {0};
    double begun = clock_seconds();
    if (!file)
        return APSP_OK;
    const struct distances_written written = {.staged = output_file(file->output),
                                              .format =
                                                  check_format(run->options.results.distances),
                                              .dtype = run->solver->sink_task.file,
                                              .scale = run->solver->sink_task.scale,
                                              .sources = &run->sources,
                                              .targets = &run->targets};
    distances_open_written(&distances, &written, &run->solver->problem.graph, &run->solver->error);
    if (comm_agree(run->solver->comm, &run->solver->error) == APSP_OK)
        check_rows(&task, &result, &run->solver->error);
    distances_close(&distances);
    if (run->solver->error.code)
        return run->solver->error.code;
    run->report.verified = result.rows;
    run->report.check = (struct report_phase){"verify", solver_since(run->solver, begun),
                                              (double)result.rows, "rows/s"};
    return APSP_OK;
}
