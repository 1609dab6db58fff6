#include "solve/estimate.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/setting.h"
#include "rows/sums.h"

#define MIB (1024.0 * 1024.0)

/* The edges get one part in so many of the memory that a node may use. */
enum { EDGES_SHARE = 16 };

bool rows_want_edges(const struct solver *solver)
{
    return solver->summed || solver->given.results->read_back || sinks_want_edges(&solver->sinks);
}

static size_t checking_need(const struct solver *solver)
{
    return solver->given.checking ? solver->given.checking(solver->given.caller) : 0;
}

/* Bytes of MPI and the threads beyond those that are resident once MPI has started. */
static size_t system_need(const struct solver *solver)
{
    return ((size_t)4 << 20) + (size_t)solver->topology.threads * (64 << 10);
}

/* Sum of parts that are needed at once; one that wraps stays too large. */
static size_t sum(const size_t *parts, size_t count)
{
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        mem_add(&all, all, parts[i]);
    return all;
}

int estimate_lanes(const struct solver *solver)
{
    const struct sinks *sinks = &solver->sinks;
    const bool own = sinks->count == 1 && sinks->at[0].ops->maker && sinks_need(sinks, 1).no_rows;
    return own ? int_max(solver->plan.lanes, solver->task.rows_request.lanes) : solver->plan.lanes;
}

/* The most that one of the steps takes. Sinks are open from the first step on. */
static size_t host_peak(const struct solver *solver)
{
    const struct engine_plan *plan = &solver->plan;
    bool wanted = rows_want_edges(solver) || plan->takes_csr;
    size_t edges = edges_bytes(&solver->problem.edges), most = 0,
           csr = wanted || solver->engine->ops->wants_edges
                     ? csr_need(solver->problem.graph.n, solver->problem.graph.m)
                     : 0;
    const size_t open = sinks_need(&solver->sinks, 1).host;
    const size_t loading[] = {plan->host, plan->loading, edges, csr, open};
    const size_t solving[] = {plan->host, plan->solving, csr, open};
    const size_t making[] = {plan->host,
                             plan->making,
                             wanted ? csr : 0,
                             sinks_need(&solver->sinks, estimate_lanes(solver)).host,
                             sums_need(&solver->sink_task, plan->lanes),
                             solver->request.beside};
    const size_t checking[] = {plan->host, csr, checking_need(solver)};
    const size_t steps[] = {solver->proving, sum(loading, 5), sum(solving, 4), sum(making, 6),
                            sum(checking, 3)};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        most = size_max(steps[i], most);
    return most;
}

static size_t node_sum(const struct solver *solver, size_t bytes)
{
    /* Nodes sum in MiB, so that absurd sizes do not wrap. */
    size_t all = comm_machine_sum(solver->comm, (bytes >> 20) + 1);
    return mem_mul(&all, all, 1 << 20) ? all : SIZE_MAX;
}

struct estimate estimate_make(const struct solver *solver)
{
    const struct sink_need need = sinks_need(&solver->sinks, estimate_lanes(solver));
    struct estimate e = {.node_limit = mem_node_limit(),
                         .rank_device = solver->plan.device,
                         .disk = need.disk,
                         .disk_most = need.disk_most};
    if (solver->plan.device > 0)
        mem_add(&e.rank_device, e.rank_device, need.device);
    mem_add(&e.rank_host, host_peak(solver), solver->resident + system_need(solver));
    e.node_host = node_sum(solver, e.rank_host);
    return e;
}

static int check_node(struct solver *solver, size_t node_host)
{
    size_t limit = mem_node_limit();
    if (node_host > limit)
        error_set(&solver->error, APSP_MEMORY,
                  "%s: %zu vertices need %.1f GiB on host %s, which may use %.1f GiB; use more "
                  "hosts, or %s",
                  solver->problem.graph.path, solver->problem.graph.n,
                  (double)node_host / MIB / 1024, solver->comm->host, (double)limit / MIB / 1024,
                  SETTING(FEWER_ROWS));
    return comm_agree(solver->comm, &solver->error);
}

bool estimate_fits(const struct solver *solver, size_t *node)
{
    struct estimate e = estimate_make(solver);
    *node = comm_most(solver->comm, e.node_host);
    return comm_sum(solver->comm, e.node_host > e.node_limit) == 0;
}

int estimate_check(struct solver *solver)
{
    return check_node(solver, estimate_make(solver).node_host);
}

int estimate_check_proof(struct solver *solver)
{
    size_t bytes;
    mem_add(&bytes, solver->proving, solver->resident + system_need(solver));
    return check_node(solver, node_sum(solver, bytes));
}

size_t estimate_room(const struct solver *solver)
{
    struct estimate e = estimate_make(solver);
    size_t left = e.node_limit > e.node_host ? e.node_limit - e.node_host : 0,
           share = e.node_limit / EDGES_SHARE;
    return size_min(left, share) / (size_t)solver->comm->machine_ranks;
}
