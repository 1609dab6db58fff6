#include "base/mem.h"
#include "job/job.h"
#include "rows/sums.h"

#define MIB (1024.0 * 1024.0)

/* Of what a node may use, the edges get one part in so many. */
enum { EDGES_SHARE = 16 };

/* What MPI and the threads take beyond what is resident once MPI has started. */
static size_t system_need(const struct job *job)
{
    return ((size_t)4 << 20) + (size_t)job->topology.threads * (64 << 10);
}

/* What is needed at once; a sum that wraps stays too large. */
static size_t sum(const size_t *parts, size_t count)
{
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        mem_add(&all, all, parts[i]);
    return all;
}

/* Of steps that follow one another, the one that takes most. */
static size_t host_peak(const struct job *job)
{
    const struct engine_plan *plan = &job->plan;
    bool wanted = rows_want_edges(job);
    size_t edges = edges_bytes(&job->edges), most = 0,
           csr = wanted || job->engine->ops->wants_edges ? csr_need(job->graph.n, job->graph.m) : 0;
    const size_t loading[] = {plan->host, plan->loading, edges, csr};
    const size_t solving[] = {plan->host, plan->solving, csr};
    const size_t making[] = {plan->host,
                             plan->making,
                             wanted ? csr : 0,
                             sinks_need(&job->sinks, plan->lanes).host,
                             job->summed ? sums_need(&job->sink_task, plan->lanes) : 0,
                             job->options.beside};
    const size_t checking[] = {plan->host, csr, check_file_need(job)};
    const size_t steps[] = {job->proving, sum(loading, 4), sum(solving, 3), sum(making, 6), sum(checking, 3)};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        most = steps[i] > most ? steps[i] : most;
    return most;
}

static size_t node_sum(const struct job *job, size_t bytes)
{
    /* Nodes sum in MiB, so that absurd sizes do not wrap. */
    size_t all = comm_machine_sum(job->comm, (bytes >> 20) + 1);
    return mem_mul(&all, all, 1 << 20) ? all : SIZE_MAX;
}

struct estimate estimate_make(const struct job *job)
{
    const struct sink_need need = sinks_need(&job->sinks, job->plan.lanes);
    struct estimate e = {.node_limit = mem_node_limit(),
                         .rank_device = job->plan.device,
                         .disk = need.disk,
                         .disk_most = need.disk_most};
    if (job->plan.device > 0)
        mem_add(&e.rank_device, e.rank_device, need.device);
    mem_add(&e.rank_host, host_peak(job), job->resident + system_need(job));
    e.node_host = node_sum(job, e.rank_host);
    return e;
}

static int check_node(struct job *job, size_t node_host)
{
    size_t limit = mem_node_limit();
    if (node_host > limit)
        error_set(&job->error, APSP_MEMORY,
                  "%s: %zu vertices need %.1f GiB on host %s, which may use %.1f GiB", job->graph.path,
                  job->graph.n, (double)node_host / MIB / 1024, job->comm->host, (double)limit / MIB / 1024);
    return comm_agree(job->comm, &job->error);
}

bool estimate_fits(const struct job *job)
{
    struct estimate e = estimate_make(job);
    return comm_sum(job->comm, e.node_host > e.node_limit) == 0;
}

int estimate_check(struct job *job)
{
    return check_node(job, estimate_make(job).node_host);
}

int estimate_check_proof(struct job *job)
{
    size_t bytes;
    mem_add(&bytes, job->proving, job->resident + system_need(job));
    return check_node(job, node_sum(job, bytes));
}

size_t estimate_room(const struct job *job)
{
    struct estimate e = estimate_make(job);
    size_t left = e.node_limit > e.node_host ? e.node_limit - e.node_host : 0,
           share = e.node_limit / EDGES_SHARE;
    return (left < share ? left : share) / (size_t)job->comm->machine_ranks;
}

int job_estimate(struct job *job, FILE *out)
{
    struct estimate e = estimate_make(job);
    const struct comm *comm = job->comm;
    char line[TEXT_SHORT];
    double slowest = -comm_max(job->comm, -job->plan.rate); /* relaxations per second of a rank */
    double seconds = engine_seconds(&job->plan, &job->task) + job->plan.spent;
    size_t most_host = comm_most(job->comm, e.rank_host), most_device = comm_most(job->comm, e.rank_device);
    size_t most_node = comm_most(job->comm, e.node_host);
    if (comm->rank != 0)
        return APSP_OK;
    fprintf(out, "# apsp %s estimate: %zu vertices, %zu edges, %d %s rank%s on %d node%s, %s, %s, type %s\n",
            APSP_VERSION, job->graph.n, job->graph.m, comm->ranks, job->device.ops->name,
            comm->ranks == 1 ? "" : "s", comm->nodes, comm->nodes == 1 ? "" : "s", job->engine->ops->name,
            job->plan.text, dtype_info[job->task.dtype].name);
    fprintf(out, "%-28s %14.1f MiB\n", "memory of a rank, at most", (double)most_host / MIB);
    fprintf(out, "%-28s %14.1f MiB of %.1f MiB\n", "memory of a node, at most", (double)most_node / MIB,
            (double)e.node_limit / MIB);
    if (most_device > 0)
        fprintf(out, "%-28s %14.1f MiB\n", "memory of a GPU, at most", (double)most_device / MIB);
    fprintf(out, "%-28s %14.1f MiB\n", e.disk_most ? "output files, at most" : "output files",
            (double)e.disk / MIB);
    fprintf(out, "%-28s %14.3g s at %.3g relaxations/s a rank, without communication\n", "solve, about",
            seconds, slowest);
    if (*job->methods.reasons)
        fprintf(out, "%-28s %s\n", "methods", job->methods.reasons);
    for (int i = 0; i < job->sinks.count; i++) {
        const struct sink *sink = &job->sinks.at[i];
        double visits =
            sink->ops->need ? sink->ops->need(sink->task, job->plan.lanes).visits / comm->ranks : 0;
        snprintf(line, sizeof line, "%s, about", sink->ops->name);
        if (visits > 0)
            fprintf(out, "%-28s %14.3g visits of vertices and edges by a rank, in %d threads on the CPU\n",
                    line, visits, job->plan.lanes);
    }
    return APSP_OK;
}
