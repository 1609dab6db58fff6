/* The steps of a solver, each collective and each ending in agreement. */
#include "solve/solver.h"

#include "base/ending.h"
#include "base/fault.h"
#include "base/mem.h"
#include "base/stop.h"
#include "base/threads.h"
#include "graph/same.h"
#include "solve/estimate.h"
#include "solve/plan.h"
#include "solve/tell.h"

#include <stdlib.h>
#include <string.h>

int solver_make(struct solver **out, struct comm *comm, struct apsp_error *error)
{
    struct solver *solver = calloc(1, sizeof *solver);
    struct apsp_error lack = {0}; /* What `error` holds on entry goes into the solver. */
    *out = NULL;
    if (!solver)
        error_set(&lack, APSP_MEMORY, "no memory for the solver");
    if (comm_agree(comm, &lack)) {
        free(solver);
        *error = lack;
        return error->code;
    }
    *out = solver;
    *solver = (struct solver){.error = *error, .comm = comm, .started = clock_seconds()};
    return APSP_OK;
}

int solver_check_graph(struct solver *solver, const struct graph *graph, bool guest)
{
    struct apsp_error *error = &solver->error;
    if (comm_agree(solver->comm, error))
        return error->code;
    const size_t mine[] = {graph->bytes, graph->n, graph->m, graph->real};
    size_t first[sizeof mine / sizeof *mine];
    memcpy(first, mine, sizeof first);
    comm_broadcast(solver->comm, first, sizeof first, 0);
    if (memcmp(first, mine, sizeof first) != 0)
        error_set(
            error, guest ? APSP_INPUT : APSP_IO,
            "%s on host %s (%zu bytes, %s weights) is not the %s of rank 0 (%zu bytes, %s weights)",
            graph->path, solver->comm->host, graph->bytes,
            graph->real ? "floating-point" : "integer", guest ? "graph" : "file", first[0],
            first[3] ? "floating-point" : "integer");
    return comm_agree(solver->comm, error) ? error->code
                                           : graph_check_same(graph, solver->comm, error);
}

static bool solver_is_small(const struct solver *solver)
{
    enum { SMALL = 64 };
    return solver->problem.graph.n <= SMALL && solver->problem.graph.m <= (size_t)SMALL * SMALL;
}

/* A small graph is solved before other threads have started; 0: let the topology choose. */
static int solver_threads(const struct solver *solver)
{
    return solver->request.threads == 0 && solver_is_small(solver) ? 1 : solver->request.threads;
}

/* Cores that the caller has bound its process to are its choice: they are shared, and not changed.
 * OpenMP ends a process that cannot have the threads it asks for: they are no more than the machine
 * can run. */
static void solver_share_cores(struct solver *solver)
{
    size_t mine = (size_t)threads_default(), all = comm_machine_sum(solver->comm, mine),
           machine = (size_t)threads_machine(), quota = (size_t)threads_quota(),
           left = machine < quota ? machine : quota, wanted = (size_t)solver_threads(solver);
    if (wanted > 0)
        mine = wanted < machine ? wanted : machine;
    else if (all > left)
        mine = mine * left / all;
    solver->topology = (struct topology){.threads = mine > 0 ? (int)mine : 1};
}

/* Before edges are read, after that, and when they are loaded. */
static int solver_tell_reading(struct solver *solver, size_t done)
{
    enum { STEPS = 2 };
    if (solver->told && !solver_tell_together(solver, "read", done, STEPS))
        stop_now(&solver->error);
    return solver->error.code;
}

/* A call of the library that needs little does not look at what the process has: the limit is far,
 * or the process has come to its end anyway. */
static int solver_find_place(struct solver *solver)
{
    enum { MUCH = 1 << 20 };
    const struct device_request request = {solver->request.device, solver->request.share_gpus};
    if (device_choose(&solver->device, solver->comm, &request, &solver->error))
        return solver->error.code;
    if (solver->given.guest)
        solver_share_cores(solver);
    else
        topology_bind(&solver->topology, solver->comm, solver->device.place,
                      solver_threads(solver));
    if (!solver->given.guest || !solver_is_small(solver) || solver->request.beside > MUCH)
        solver->resident = !solver->comm->threads || solver->comm->rank == 0 ? mem_resident() : 0;
    return APSP_OK;
}

/* A run that goes on from a checkpoint computes in its type. A plan alone makes no folder. */
static int solver_open_checkpoint(struct solver *solver)
{
    const struct checkpoint_policy *policy = solver->given.checkpoint;
    if (policy && !solver->given.plan_only)
        checkpoint_open(&solver->checkpoint, solver->comm, policy, solver->problem.graph.n,
                        &solver->error);
    if (!solver->error.code && checkpoint_type(solver->checkpoint))
        solver->request.dtype = checkpoint_type(solver->checkpoint);
    return solver->error.code;
}

int solver_plan(struct solver *solver, const struct solver_task *task)
{
    static const struct sources all;
    solver->given = *task;
    solver->request = task->request;
    solver->problem.graph = *task->graph;
    solver->problem.graph.algebra = (struct algebra){.kind = algebra_find(task->request.paths)};
    solver->sources = task->sources ? task->sources : &all;
    solver->targets = task->targets ? task->targets : &all;
    solver->told =
        solver->comm->ranks == 1 || comm_most(solver->comm, task->request.tell != NULL) > 0;
    if (solver_tell_reading(solver, 0) || solver_find_place(solver) ||
        solver_open_checkpoint(solver))
        return solver->error.code;
    return plan_make(solver);
}

/* The report of the engine, with the most of any rank. */
static void solver_take_report(struct solver *solver)
{
    struct engine_report *report = &solver->report;
    *report = (struct engine_report){.device = ""};
    if (solver->engine->ops->report)
        solver->engine->ops->report(solver->engine, report);
    report->build = comm_max(solver->comm, report->build);
    report->exposed = comm_max(solver->comm, report->exposed);
    for (int i = 0; i < report->phases; i++)
        report->phase[i].seconds = comm_max(solver->comm, report->phase[i].seconds);
}

int solver_load(struct solver *solver)
{
    const double begun = clock_seconds();
    if (solver_tell_reading(solver, 1) ||
        solver->engine->ops->load(solver->engine, &solver->problem.edges, &solver->error))
        return solver->error.code;
    edges_free(&solver->problem.edges);
    const double whole = solver_since(solver, begun);
    solver_take_report(solver);
    solver->times.build = solver->report.build;
    solver->times.read += whole - solver->times.build;
    return sinks_check(&solver->sinks, false, &solver->error) ? solver->error.code
                                                              : solver_tell_reading(solver, 2);
}

/* A signal does not wait for the core's end. */
static bool solver_tell_solving(void *self, const char *step, size_t done, size_t steps)
{
    struct solver *solver = self;
    return solver_tell_together(solver, step, done, steps) &&
           !(solver_saves_rows(solver) && comm_sum(solver->comm, ending_asked()) > 0);
}

int solver_solve(struct solver *solver)
{
    struct progress progress = {
        .shown = solver->request.progress && solver->comm->rank == 0,
        .steps = solver->plan.steps,
        .work = solver->plan.work,
        .step = solver->plan.step,
        .unit = solver->engine->ops->unit,
        .tell = solver->told || solver_saves_rows(solver) ? solver_tell_solving : NULL,
        .self = solver};
    if (solver_saves_rows(solver) &&
        comm_sum(solver->comm, checkpoint_wanted(solver->checkpoint)) > 0 &&
        solver_save_rows(solver, &solver->error))
        return solver->error.code;
    comm_barrier(solver->comm);
    const double begun = clock_seconds(), before = checkpoint_figures(solver->checkpoint).seconds;
    progress_start(&progress);
    if (solver->engine->ops->solve)
        solver->engine->ops->solve(solver->engine, &progress, &solver->error);
    solver->times.solve =
        solver_since(solver, begun) - (checkpoint_figures(solver->checkpoint).seconds - before);
    progress_end(&progress);
    if (progress.stopped || stop_wanted()) {
        solver->error = (struct apsp_error){0}; /* of work that was left as it was */
        if (!solver_saves_rows(solver) || stop_wanted())
            stop_now(&solver->error);
        else
            solver_save_rows(solver, &solver->error);
    }
    if (comm_agree(solver->comm, &solver->error))
        return solver->error.code;
    solver_take_report(solver);
    solver->times.solve += solver->report.ahead;
    if (!rows_want_edges(solver) && !solver->plan.takes_csr)
        csr_free(&solver->problem.csr);
    return APSP_OK;
}

void solver_free(struct solver *solver, bool done)
{
    if (!solver)
        return;
    checkpoint_free(solver->checkpoint,
                    done && solver->given.checkpoint && !solver->given.checkpoint->keep);
    if (done)
        checkpoint_rows_end(&solver->saved);
    sinks_close(&solver->sinks);
    methods_free(&solver->methods);
    problem_free(&solver->problem);
    checkpoint_rows_free(&solver->saved);
    comm_free(solver->comm);
    free(solver);
}
