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

/* Of steps that follow one another, the one that takes most. Sinks are open from the first on. */
static size_t host_peak(const struct job *job)
{
    const struct engine_plan *plan = &job->plan;
    bool wanted = rows_want_edges(job);
    size_t edges = edges_bytes(&job->edges), most = 0,
           csr = wanted || job->engine->ops->wants_edges ? csr_need(job->graph.n, job->graph.m) : 0;
    const size_t open = sinks_need(&job->sinks, 1).host;
    const size_t loading[] = {plan->host, plan->loading, edges, csr, open};
    const size_t solving[] = {plan->host, plan->solving, csr, open};
    const size_t making[] = {plan->host,
                             plan->making,
                             wanted ? csr : 0,
                             sinks_need(&job->sinks, plan->lanes).host,
                             job->summed ? sums_need(&job->sink_task, plan->lanes) : 0,
                             job->options.request.beside};
    const size_t checking[] = {plan->host, csr, check_file_need(job)};
    const size_t steps[] = {job->proving, sum(loading, 5), sum(solving, 4), sum(making, 6),
                            sum(checking, 3)};
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
                  "%s: %zu vertices need %.1f GiB on host %s, which may use %.1f GiB",
                  job->graph.path, job->graph.n, (double)node_host / MIB / 1024, job->comm->host,
                  (double)limit / MIB / 1024);
    return comm_agree(job->comm, &job->error);
}

bool estimate_fits(const struct job *job, size_t *node)
{
    struct estimate e = estimate_make(job);
    *node = comm_most(job->comm, e.node_host);
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
