/* The step that writes the trees of shortest paths: every rank makes those of its own rows. */
#include "job/job.h"

#include "base/clock.h"
#include "base/mem.h"
#include "proof/predecessor.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { CHUNK = 1 << 20 }; /* bytes of the trees that a thread makes before it writes them */

struct lane {
    struct predecessor_space *space;
    void *distances; /* of the rows in hand; NULL where the backend needs no buffer */
};

struct trees {
    struct apsp_job *job;
    struct csr edges;
    enum dtype dtype;  /* of the rows */
    size_t step, room; /* rows in hand, bytes of their distances */
    int count;
    struct lane *lanes;
    struct apsp_error error; /* of a lane */
    atomic_size_t done;      /* rows */
    struct progress progress;
};

int predecessors_threads(const struct apsp_job *job)
{
    int threads = job->plan.threads;
    return job->ops->fetch_copies(&job->plan) && threads > BACKEND_LANES ? BACKEND_LANES : threads;
}

static size_t step_of(size_t n)
{
    size_t rows = CHUNK / sizeof(int32_t) / n;
    return rows ? rows : 1;
}

size_t predecessors_need(const struct apsp_job *job)
{
    enum dtype type = dtype_info[job->plan.dtype].output;
    size_t all, lane, n = job->plan.n, each = job->ops->fetch_copies(&job->plan) ? dtype_info[type].bytes : 0;
    mem_mul(&lane, n * step_of(n), sizeof(int32_t) + each);
    mem_mul(&lane, lane, (size_t)predecessors_threads(job));
    mem_add(&all, mem_bytes((size_t)predecessors_threads(job), predecessor_need(n, type)), lane);
    mem_add(&all, all, csr_need(n, job->graph.m));
    return all;
}

static int open_lanes(struct trees *trees)
{
    struct apsp_job *job = trees->job;
    bool copies = job->ops->fetch_copies(&job->plan), failed = false;
    trees->lanes = calloc((size_t)trees->count, sizeof *trees->lanes);
    for (int i = 0; trees->lanes && i < trees->count; i++) {
        struct lane *lane = &trees->lanes[i];
        lane->space = predecessor_space_new(job->plan.n, trees->dtype);
        if (copies)
            lane->distances = job->ops->host_alloc(trees->room);
        failed |= !lane->space || (copies && !lane->distances);
    }
    if (failed || !trees->lanes)
        error_set(&job->error, APSP_MEMORY, "no memory for the predecessors on %s", job->comm->host);
    return comm_agree(job->comm, &job->error);
}

static void close_lanes(struct trees *trees)
{
    for (int i = 0; trees->lanes && i < trees->count; i++) {
        predecessor_space_free(trees->lanes[i].space);
        if (trees->lanes[i].distances)
            trees->job->ops->host_free(trees->lanes[i].distances);
    }
    free(trees->lanes);
}

/* The trees of these rows, into the buffer. */
static const void *fetch_trees(void *self, int lane, struct range rows, void *buffer, size_t *stride)
{
    struct trees *trees = self;
    struct backend *backend = trees->job->backend;
    struct lane *mine = &trees->lanes[lane];
    size_t n = trees->edges.n, gap, each = dtype_info[trees->dtype].bytes;
    const char *from = backend->ops->fetch(backend, lane, rows, mine->distances, &gap);
    int32_t *tree = buffer;
    const struct certificate certificate = {&trees->edges, trees->job->proof.reach, trees->job->graph.first};
    char why[CERTIFY_WHY];
    for (size_t i = rows.lo; i < rows.hi; i++, from += gap * each, tree += n) {
        if (predecessor_row(&certificate, mine->space, i, from, tree, why))
            continue;
#pragma omp critical(predecessors_error)
        error_set(&trees->error, APSP_REFUTED, "no predecessors, since the distances are wrong: %s", why);
        return NULL;
    }
    *stride = n;
    size_t done = atomic_fetch_add(&trees->done, range_length(rows)) + range_length(rows);
    if (lane == 0)
        progress_step(&trees->progress, done);
    return buffer;
}

static void write_trees(struct trees *trees)
{
    struct apsp_job *job = trees->job;
    const struct output_rows source = {.rows = job->plan.rows,
                                       .lanes = trees->count,
                                       .step = trees->step,
                                       .self = trees,
                                       .fetch = fetch_trees,
                                       .alloc = mem_alloc,
                                       .free = mem_free};
    double rows = (double)range_length(job->plan.rows);
    progress_start(&trees->progress, job->options.progress && job->comm->rank == 0,
                   range_length(job->plan.rows), rows * (double)(trees->edges.n + trees->edges.m));
    trees->progress.step = "row";
    trees->progress.unit = "edges/s";
    output_write(job->predecessors, &source, &job->error);
    progress_end(&trees->progress);
    if (trees->error.code)
        error_set(&job->error, (enum apsp_status)trees->error.code, "%s", trees->error.text);
    comm_agree(job->comm, &job->error);
}

int apsp_job_predecessors(struct apsp_job *job)
{
    struct trees trees = {.job = job,
                          .dtype = dtype_info[job->plan.dtype].output,
                          .step = step_of(job->plan.n),
                          .count = predecessors_threads(job)};
    double begun = clock_seconds();
    if (!job->predecessors)
        return APSP_OK;
    trees.room = trees.step * job->plan.n * dtype_info[trees.dtype].bytes;
    if (csr_load(&trees.edges, &job->edges, true, &job->error) == APSP_OK && open_lanes(&trees) == APSP_OK)
        write_trees(&trees);
    close_lanes(&trees);
    csr_free(&trees.edges);
    comm_barrier(job->comm);
    job->report.seconds.predecessors = comm_max(job->comm, clock_seconds() - begun);
    return job->error.code;
}
