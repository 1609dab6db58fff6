#include "base/mem.h"
#include "dense/load.h"
#include "job/job.h"
#include "proof/certify.h"

#include <string.h>

#define MIB (1024.0 * 1024.0)

/* What MPI and the threads take beyond what is resident once MPI has started. */
static size_t system_need(const struct apsp_job *job)
{
    return ((size_t)4 << 20) + (size_t)job->topology.threads * (64 << 10);
}

/* Of the buffers of steps that follow one another, the largest count. */
static void cover(size_t *most, size_t bytes)
{
    if (bytes > *most)
        *most = bytes;
}

/* The host transport's window, which the first rank of a node holds: where it is asked for, or GPUs are on
 * several nodes. */
static size_t window_need(const struct apsp_job *job)
{
    const char *name = job->options.transport;
    bool used = (name && strcmp(name, "host") == 0) || (job->ops != &backend_cpu && job->comm->nodes > 1);
    size_t bytes;
    if (!used || job->comm->ranks == 1 || job->comm->node_rank != 0)
        return 0;
    mem_mul(&bytes, 2 * dtype_info[job->plan.dtype].bytes, job->plan.tile);
    mem_mul(&bytes, bytes, job->plan.n);
    return bytes;
}

struct estimate estimate_make(const struct apsp_job *job)
{
    struct estimate e = {.node_limit = mem_node_limit()};
    const struct backend_plan *plan = &job->plan;
    struct backend_need need = job->ops->need(plan);
    enum dtype output = dtype_info[plan->dtype].output;
    size_t passing = load_need();
    if (job->options.distances)
        cover(&passing, output_need(job->ops, plan));
    if (job->options.verify)
        cover(&passing, csr_need(job->graph.n, job->graph.m) +
                            mem_bytes((size_t)job->topology.threads, certify_need(job->graph.n, output)));
    if (job->options.predecessors)
        cover(&passing, predecessors_need(job));
    mem_add(&e.rank_host, need.host, passing);
    mem_add(&e.rank_host, e.rank_host, mem_resident() + system_need(job));
    mem_add(&e.rank_host, e.rank_host, window_need(job));
    e.rank_device = need.device;
    /* Nodes sum in MiB, so that absurd sizes do not wrap. */
    e.node_host = comm_machine_sum(job->comm, (e.rank_host >> 20) + 1);
    if (!mem_mul(&e.node_host, e.node_host, 1 << 20))
        e.node_host = SIZE_MAX;
    if (job->options.distances)
        e.disk = matrix_bytes(job->options.distances, job->graph.n, output);
    if (job->options.predecessors)
        mem_add(&e.disk, e.disk, matrix_bytes(job->options.predecessors, job->graph.n, DTYPE_I32));
    return e;
}

int estimate_check(struct apsp_job *job)
{
    struct estimate e = estimate_make(job);
    if (e.node_host > e.node_limit)
        error_set(&job->error, APSP_MEMORY,
                  "%s: %zu vertices need %.1f GiB on host %s, which may use %.1f GiB", job->graph.path,
                  job->graph.n, (double)e.node_host / MIB / 1024, job->comm->host,
                  (double)e.node_limit / MIB / 1024);
    return comm_agree(job->comm, &job->error);
}

int apsp_job_estimate(struct apsp_job *job, FILE *out)
{
    struct estimate e = estimate_make(job);
    double slowest = -comm_max(job->comm, -job->ops->rate(&job->plan)); /* relaxations per second of a rank */
    double n = (double)job->plan.n, seconds = n * n * n / slowest / job->comm->ranks;
    size_t most_host = comm_most(job->comm, e.rank_host), most_device = comm_most(job->comm, e.rank_device);
    size_t most_node = comm_most(job->comm, e.node_host);
    if (job->comm->rank != 0)
        return APSP_OK;
    fprintf(out,
            "# apsp %s estimate: %zu vertices, %zu edges, %d %s rank%s on %d node%s, tile %zu, type %s\n",
            APSP_VERSION, job->graph.n, job->graph.m, job->comm->ranks, job->ops->name,
            job->comm->ranks == 1 ? "" : "s", job->comm->nodes, job->comm->nodes == 1 ? "" : "s",
            job->plan.tile, dtype_info[job->plan.dtype].name);
    fprintf(out, "%-28s %14.1f MiB\n", "memory of a rank, at most", (double)most_host / MIB);
    fprintf(out, "%-28s %14.1f MiB of %.1f MiB\n", "memory of a node, at most", (double)most_node / MIB,
            (double)e.node_limit / MIB);
    if (most_device > 0)
        fprintf(out, "%-28s %14.1f MiB\n", "memory of a GPU, at most", (double)most_device / MIB);
    fprintf(out, "%-28s %14.1f MiB\n", "output files", (double)e.disk / MIB);
    fprintf(out, "%-28s %14.3g s at %.3g relaxations/s a rank, without communication\n", "solve, about",
            seconds, slowest);
    if (job->options.predecessors)
        fprintf(out, "%-28s %14.3g visits of vertices and edges by a rank, in %d threads on the CPU\n",
                "predecessors, about", n / job->comm->ranks * (n + (double)job->graph.m),
                predecessors_threads(job));
    return APSP_OK;
}
