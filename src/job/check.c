/*
 * The certificate of rows as they are in the file: once it is complete, and before it has its name,
 * it is read back as apsp-verify reads it, whoever wrote which row. Each rank opens it anew, so
 * that a file system between hosts shows what is there.
 */
#include "distances/check.h"
#include "base/clock.h"
#include "base/hdf5.h"
#include "base/mem.h"
#include "job/job.h"
#include "rows/matrix.h"
#include "rows/output.h"

/* Visits of vertices and edges by a thread in a second, about, and the part of the solve that all
 * rows may cost where nobody has said how many. */
#define VISITS 2e8
#define PART   0.1

/* The sink whose file is read, or NULL. */
static const struct sink *find_file(const struct job *job)
{
    for (int i = 0; i < job->sinks.count && job->options.results.read_back; i++)
        if (job->sinks.at[i].ops->distances)
            return &job->sinks.at[i];
    return NULL;
}

/* Rows of other types than those of the file were whole, and rounded once: they are to be exact. */
static bool is_rounded(const struct job *job)
{
    return dtype_info[job->sink_task.file].real && !dtype_info[job->sink_task.dtype].real;
}

static struct check_task task_of(const struct job *job, const struct distances *distances,
                                 const struct exact *exact)
{
    struct check_task task = {.distances = distances,
                              .name = job->options.results.distances,
                              .comm = job->comm,
                              .threads = job->topology.threads,
                              .rows = job->options.results.verify,
                              .seed = job->options.results.seed,
                              .potential = &job->proof.potential,
                              .progress = job->options.request.progress};
    if (is_rounded(job))
        task.exact = exact;
    else
        task.certificate = job->sink_task.certificate;
    return task;
}

size_t check_file_need(const struct job *job)
{
    const struct sink_task *task = &job->sink_task;
    const struct distances distances = {.graph = &job->graph,
                                        .rows = sink_rows(task),
                                        .columns = sink_columns(task),
                                        .targets = job->targets,
                                        .dtype = task->file == DTYPE_U8 ? DTYPE_I64 : task->file};
    const struct exact exact = {.certificate = task->certificate};
    struct check_task check = task_of(job, &distances, &exact);
    size_t bytes =
        mem_bytes(mem_bytes((size_t)check.threads, task->n), sizeof(union value)); /* of libhdf5 */
    if (!job->options.results.read_back)
        return 0;
    if (job->options.verify_more)
        check.rows = APSP_VERIFY_ALL;
    mem_add(&bytes, bytes, check_need(&check));
    return bytes;
}

static const char *format_of(const char *path)
{
    return hdf5_is_named(path) ? "hdf5" : matrix_format_of(path)->typed ? "npy" : "raw";
}

void check_settle(struct job *job, double seconds)
{
    const double visits = (double)sink_rows(&job->sink_task) *
                          ((double)job->graph.n + (double)job->graph.m),
                 rate = VISITS * (double)comm_sum(job->comm, (size_t)job->topology.threads);
    if (job->options.verify_more && visits / rate <= PART * comm_max(job->comm, seconds))
        job->options.results.verify = APSP_VERIFY_ALL;
}

int check_file(struct job *job)
{
    const struct sink *file = find_file(job);
    const struct exact exact = {job->sink_task.certificate, job->proof.potential};
    struct distances distances = {.file.fd = -1};
    const struct check_task task = task_of(job, &distances, &exact);
    struct check_result result;
    double begun = clock_seconds();
    if (!file)
        return APSP_OK;
    const struct distances_written written = {.staged = output_file(file->output),
                                              .format = format_of(job->options.results.distances),
                                              .dtype = job->sink_task.file,
                                              .scale = job->sink_task.scale,
                                              .sources = &job->sources,
                                              .targets = &job->targets};
    distances_open_written(&distances, &written, &job->graph, &job->error);
    if (comm_agree(job->comm, &job->error) == APSP_OK)
        check_rows(&task, &result, &job->error);
    distances_close(&distances);
    if (job->error.code)
        return job->error.code;
    job->report.verified = result.rows;
    job->report.check =
        (struct report_phase){"verify", job_since(job, begun), (double)result.rows, "rows/s"};
    return APSP_OK;
}
