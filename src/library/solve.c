#include "base/clock.h"
#include "base/fault.h"
#include "library/library.h"
#include "library/options.h"
#include "rows/sums.h"

#include <stdlib.h>
#include <string.h>

const char *apsp_version(void)
{
    return APSP_VERSION;
}

void apsp_on_fault(void (*handler)(int code, const char *text))
{
    fault_handle(handler);
}

static void fill_facts(struct apsp_solution *solution)
{
    struct job *job = solution->job;
    const struct report *report = &job->report;
    const struct sink *certificate = sinks_find(&job->sinks, "verify");
    bool bounded = job->proof.real || job->proof.bound.whole < INT64_MAX;
    solution->facts = (struct apsp_facts){
        .vertices = job->graph.n,
        .edges = job->graph.m,
        .type = (enum apsp_type)(job->sink_task.file + APSP_U16),
        .scale = scale_factor(job->sink_task.scale),
        .computed = (enum apsp_type)(job->task.dtype + APSP_U16),
        .bounded = bounded,
        .bound = job->proof.real ? job->proof.bound.real
                                 : scale_value(job->sink_task.scale, job->proof.bound.whole),
        .rows = job->plan.rows,
        .parallel = report->engine.parallel,
        .loops = job->census.loops,
        .verified = certificate ? certificate->rows : 0,
        .ranks = job->comm->ranks,
        .threads = job->topology.threads,
        .method = job->engine->ops->name,
        .plan = job->plan.text,
        .device = report->engine.device,
        .read = report->read.seconds,
        .build = report->build.seconds,
        .solve = report->solve.seconds,
        .verify = certificate ? certificate->seconds : 0,
        .total = comm_max(job->comm, clock_seconds() - job->started),
        .sums = sums_name(job->proof.exact, job->summed)};
}

void apsp_cancel(void)
{
    stop_ask();
}

/* Rank 0 has found it; without memory there is none. */
static void keep_cycle(struct apsp_graph *graph, struct job *job)
{
    const struct cycle *found = &job->proof.ring;
    size_t length = found->length;
    comm_broadcast(job->comm, &length, sizeof length, 0);
    graph->cycle = calloc(length, sizeof *graph->cycle);
    if (comm_sum(job->comm, graph->cycle == NULL) > 0) {
        free(graph->cycle);
        graph->cycle = NULL;
        return;
    }
    if (job->comm->rank == 0)
        memcpy(graph->cycle, found->vertex, length * sizeof *graph->cycle);
    comm_broadcast(job->comm, graph->cycle, length * sizeof *graph->cycle, 0);
    graph->cycle_length = length;
}

/* As many of its vertices as the text has room for, in the numbers of the file. */
static void name_cycle(const struct apsp_graph *graph, struct apsp_error *error)
{
    enum { STEP = LABEL_SHOWN + 16 }; /* " -> 2147483647", and " -> ..." */
    struct labels labels = graph_labels(&graph->graph);
    size_t used = strlen(error->text), length = graph->cycle_length;
    for (size_t k = 0; k <= length && length > 0; k++) {
        if (sizeof error->text - used < STEP) {
            snprintf(error->text + used, sizeof error->text - used, " -> ...");
            return;
        }
        used += (size_t)snprintf(error->text + used, sizeof error->text - used, "%s%s",
                                 k ? " -> " : "", LABEL(labels, graph->cycle[k % length]));
    }
}

static void forget_cycle(struct apsp_graph *graph)
{
    free(graph->cycle);
    graph->cycle = NULL;
    graph->cycle_length = 0;
}

/* The caller's strings and callback are for the call alone. */
static void forget_caller(struct request *request)
{
    request->method = request->transport = request->sums = NULL;
    request->tell = NULL;
    request->listener = NULL;
}

static int run(struct job *job)
{
    return job_read(job) || job_solve(job) || job_rows(job) ? job->error.code : APSP_OK;
}

/* Takes the communicator. What is wrong on one rank, all get to know. */
static int solve(struct apsp_graph *graph, struct comm *comm, const struct apsp_options *options,
                 struct apsp_solution **out, struct apsp_error *error)
{
    struct run_options told = {0};
    struct job *job;
    struct apsp_solution *solution = calloc(1, sizeof *solution);
    options_translate(&told.request, &told.results, options, error);
    if (!graph || !out)
        error_set(error, APSP_USAGE, "NULL: there must be a graph, and room for a solution");
    if (!solution)
        error_set(error, APSP_MEMORY, "no memory for a solution");
    if (graph)
        forget_cycle(graph);
    if (job_make(&job, &told, comm, graph ? &graph->graph : NULL, error) == APSP_OK)
        run(job);
    if (job)
        *error = job->error;
    if (error->code == APSP_CYCLE) {
        keep_cycle(graph, job);
        name_cycle(graph, error);
    }
    if (error->code) {
        free(solution);
        job_free(job);
        return error->code;
    }
    *solution = (struct apsp_solution){.job = job, .row_of = SIZE_MAX, .tree_of = SIZE_MAX};
    forget_caller(&job->options.request);
    fill_facts(solution);
    sinks_close(&job->sinks);
    *out = solution;
    return APSP_OK;
}

int apsp_solve(struct apsp_graph *graph, const struct apsp_options *options,
               struct apsp_solution **solution, struct apsp_error *error)
{
    struct apsp_error own;
    struct comm *comm;
    error = library_error(error, &own);
    if (solution)
        *solution = NULL;
    return comm_solo(&comm, error) ? error->code : solve(graph, comm, options, solution, error);
}

int apsp_load_mpi(void)
{
    struct apsp_error error = {0};
    return comm_load_mpi(&error);
}

int apsp_solve_over(struct apsp_graph *graph, const void *communicator, int unable,
                    const struct apsp_options *options, struct apsp_solution **solution,
                    struct apsp_error *error)
{
    struct apsp_error own;
    struct comm *comm;
    error = library_error(error, &own);
    if (solution)
        *solution = NULL;
    if (!communicator)
        return error_set(error, APSP_USAGE, "NULL: there must be a communicator");
    if (comm_load_mpi(error) == APSP_OK && unable > 0)
        error_set(error, APSP_PEER, "MPI cannot be loaded by %d of the other ranks", unable);
    if (error->code || comm_init_mpi(&comm, communicator, 0, error))
        return error->code;
    return solve(graph, comm, options, solution, error);
}

const struct apsp_facts *apsp_solution_facts(const struct apsp_solution *solution)
{
    return solution ? &solution->facts : NULL;
}

void apsp_solution_free(struct apsp_solution *solution)
{
    if (!solution)
        return;
    predecessor_space_free(solution->space);
    csr_free(&solution->csr);
    free(solution->tree);
    free(solution->row);
    job_free(solution->job);
    free(solution);
}
