#include "base/clock.h"
#include "base/fault.h"
#include "library/library.h"
#include "library/options.h"
#include "library/team.h"
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

int library_ask(struct apsp_solution *solution, library_rank *ask, void *question,
                struct apsp_error *error)
{
    LIBRARY_CALL;
    if (!solution)
        return error_set(error, APSP_USAGE, "NULL: expected a solution");
    return solution->team ? team_ask(solution->team, ask, question, error)
                          : ask(solution, question, error);
}

/* Threads of the process: those of its ranks, which are equally many in a team. */
static int count_threads(const struct apsp_solution *solution)
{
    struct comm *comm = solution->solver->comm;
    const int own = solution->solver->topology.threads;
    return solution->team ? comm->ranks * (int)comm_most(comm, (size_t)own) : own;
}

static void fill_facts(struct apsp_solution *solution)
{
    struct solver *solver = solution->solver;
    const struct solver_times *times = &solver->times;
    const struct proof *proof = &solver->problem.proof;
    const struct sink *certificate = sinks_find(&solver->sinks, "verify");
    bool bounded = proof->real || proof->bound.whole < INT64_MAX;
    solution->facts = (struct apsp_facts){
        .vertices = solver->problem.graph.n,
        .edges = solver->problem.graph.m,
        .type = (enum apsp_type)(solver->sink_task.file + APSP_U16),
        .scale = scale_factor(solver->sink_task.scale),
        .computed = (enum apsp_type)(solver->task.dtype + APSP_U16),
        .bounded = bounded,
        .bound = proof->real ? proof->bound.real
                             : scale_value(solver->sink_task.scale, proof->bound.whole),
        .rows = solution->team ? comm_sum(solver->comm, solver->plan.rows) : solver->plan.rows,
        .parallel = solver->report.parallel,
        .loops = solver->problem.scan.loops,
        .verified = certificate ? certificate->rows : 0,
        .ranks = solver->comm->ranks,
        .threads = count_threads(solution),
        .method = solver->engine->ops->name,
        .plan = solver->plan.text,
        .device = solver->report.device,
        .read = times->read,
        .build = times->build,
        .solve = times->solve,
        .verify = certificate ? certificate->seconds : 0,
        .total = comm_max(solver->comm, clock_seconds() - solver->started),
        .sums = sums_name(proof->exact, solver->summed)};
}

void apsp_cancel(void)
{
    stop_ask();
}

/* Rank 0 has found it; without memory there is none. */
static void keep_cycle(struct apsp_graph *graph, struct solver *solver)
{
    const struct cycle *found = &solver->problem.proof.ring;
    size_t length = found->length;
    comm_broadcast(solver->comm, &length, sizeof length, 0);
    graph->cycle = calloc(length, sizeof *graph->cycle);
    if (comm_sum(solver->comm, graph->cycle == NULL) > 0) {
        free(graph->cycle);
        graph->cycle = NULL;
        return;
    }
    if (solver->comm->rank == 0)
        memcpy(graph->cycle, found->vertex, length * sizeof *graph->cycle);
    comm_broadcast(solver->comm, graph->cycle, length * sizeof *graph->cycle, 0);
    graph->cycle_length = length;
}

/* As many of its vertices as the text has room for, in the numbers of the file. */
static void name_cycle(struct labels labels, const struct apsp_graph *graph,
                       struct apsp_error *error)
{
    enum { STEP = LABEL_SHOWN + 16 }; /* " -> 2147483647", and " -> ..." */
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
static void forget_caller(struct solver *solver)
{
    struct request *request = &solver->request;
    request->method = request->transport = request->sums = request->paths = NULL;
    request->tell = NULL;
    request->listener = NULL;
    request->held = NULL;
    request->held_bytes = 0;
    solver->given.request = *request;
    solver->given.graph = NULL;
}

/* All steps, up to the rows that are certified. */
static int run(struct solver *solver, const struct solver_task *task)
{
    struct apsp_error *error = &solver->error;
    if (solver_plan(solver, task) || sinks_open(&solver->sinks, error) || solver_load(solver) ||
        solver_solve(solver))
        return error->code;
    return solver->sinks.count > 0
               ? solver_pass(solver, &solver->sinks, solver->task.threads, error)
               : APSP_OK;
}

/* A solver that has solved a graph, for the solution; NULL after an error. The communicator stays
 * the caller's. An error on one rank is that of all. */
static struct solver *solve_graph(struct apsp_graph *graph, struct comm *comm,
                                  struct apsp_solution *solution, struct solver_task *task,
                                  struct apsp_error *error)
{
    struct solver *solver;
    struct apsp_graph aside = {0}, *keeps = solution && solution->aside ? &aside : graph;
    if (graph)
        forget_cycle(keeps);
    if (solver_make(&solver, comm, error))
        return NULL;
    if (solver_check_graph(solver, graph ? &graph->graph : NULL, true) == APSP_OK) {
        solution->results.seed = solution->results.verify > 0 ? comm_seed(comm) : 0;
        task->graph = &graph->graph;
        task->results = &solution->results;
        run(solver, task);
    }
    *error = solver->error;
    if (error->code == APSP_CYCLE) {
        keep_cycle(keeps, solver);
        name_cycle(graph_labels(&graph->graph), keeps, error);
    }
    forget_cycle(&aside);
    if (!error->code)
        return solver;
    solver->comm = NULL;
    solver_free(solver, false);
    return NULL;
}

/* What the solver has solved is the solution from now on. */
static void take_solver(struct apsp_solution *solution, struct solver *solver)
{
    solution->solver = solver;
    solution->row_of = solution->tree_of = SIZE_MAX;
    forget_caller(solver);
    fill_facts(solution);
    sinks_close(&solver->sinks);
}

static void keep_words(struct apsp_solution *solution, const struct request *request)
{
    snprintf(solution->transport, sizeof solution->transport, "%s", request->transport);
    snprintf(solution->sums, sizeof solution->sums, "%s", request->sums);
}

struct solve_question {
    struct apsp_graph *graph;
    const struct apsp_options *options;
};

/* Takes the communicator. The solution may be NULL, and the error be there already. */
static int solve(struct apsp_solution *solution, struct comm *comm,
                 const struct solve_question *question, struct apsp_error *error)
{
    struct solver_task task = {.guest = true};
    struct results none;
    options_translate(&task.request, solution ? &solution->results : &none, question->options,
                      error);
    if (!solution)
        error_set(error, APSP_MEMORY, "no memory for a solution");
    else if (solution->aside)
        options_aside(&task.request);
    struct solver *solver = solve_graph(question->graph, comm, solution, &task, error);
    if (!solver) {
        comm_free(comm);
        return error->code;
    }
    keep_words(solution, &task.request);
    take_solver(solution, solver);
    return APSP_OK;
}

static int solve_rank(struct apsp_solution *solution, void *question, struct apsp_error *error)
{
    struct comm *comm;
    if (solution->team ? comm_init(&comm, 0, error) : comm_solo(&comm, error))
        return error->code;
    return solve(solution, comm, question, error);
}

static void forget_questions(struct apsp_solution *solution)
{
    predecessor_space_free(solution->space);
    csr_free(&solution->csr);
    free(solution->tree);
    free(solution->row);
    solution->space = NULL;
    solution->edges = NULL;
    solution->tree = NULL;
    solution->row = NULL;
}

static int check_update(const struct apsp_solution *solution, const struct apsp_graph *graph,
                        struct apsp_error *error)
{
    if (!graph)
        error_set(error, APSP_USAGE, "NULL: expected a graph");
    else if (graph->graph.n != solution->facts.vertices)
        error_set(error, APSP_INPUT, "%s: has %zu vertices, and the solution is of %zu",
                  graph->graph.path, graph->graph.n, solution->facts.vertices);
    return comm_agree(solution->solver->comm, error);
}

static int update_rank(struct apsp_solution *solution, void *question, struct apsp_error *error)
{
    struct apsp_graph *graph = question;
    if (check_update(solution, graph, error))
        return error->code;
    struct solver *before = solution->solver;
    struct solver_task task = {.guest = true, .request = before->given.request};
    task.request.method = before->engine->ops->name;
    task.request.transport = solution->transport;
    task.request.sums = solution->sums;
    task.request.paths = algebra_name(before->problem.graph.algebra.kind);
    task.request.held = before->report.kept;
    task.request.held_bytes = before->report.kept_bytes;
    struct solver *solver = solve_graph(graph, before->comm, solution, &task, error);
    if (!solver)
        return error->code;
    before->comm = NULL;
    solver_free(before, false);
    forget_questions(solution);
    take_solver(solution, solver);
    return APSP_OK;
}

int apsp_update(struct apsp_solution *solution, struct apsp_graph *graph, struct apsp_error *error)
{
    return library_ask(solution, update_rank, graph, error);
}

/* What is NULL, and ought not to be. */
static int check_solve(const struct apsp_graph *graph, struct apsp_solution **out,
                       struct apsp_error *error)
{
    if (out)
        *out = NULL;
    if (!graph || !out)
        error_set(error, APSP_USAGE, "NULL: expected a graph, and room for a solution");
    return error->code;
}

int apsp_solve(struct apsp_graph *graph, const struct apsp_options *options,
               struct apsp_solution **out, struct apsp_error *error)
{
    LIBRARY_CALL;
    struct solve_question question = {graph, options};
    const int ranks = options_ranks(options, error);
    if (check_solve(graph, out, error))
        return error->code;
    struct apsp_solution *solution = calloc(1, sizeof *solution);
    if (!solution)
        return error_set(error, APSP_MEMORY, "no memory for a solution");
    if (ranks <= 1)
        solve_rank(solution, &question, error);
    else if (team_open(&solution->team, ranks, solution, error) == APSP_OK)
        team_ask(solution->team, solve_rank, &question, error);
    if (error->code == APSP_OK) {
        *out = solution;
        return APSP_OK;
    }
    team_close(solution->team);
    free(solution);
    return error->code;
}

int apsp_load_mpi(void)
{
    struct apsp_error error = {0};
    return comm_load_mpi(&error);
}

int apsp_solve_over(struct apsp_graph *graph, const void *communicator, int unable,
                    const struct apsp_options *options, struct apsp_solution **out,
                    struct apsp_error *error)
{
    LIBRARY_CALL;
    struct comm *comm;
    const struct solve_question question = {graph, options};
    if (out)
        *out = NULL;
    if (!communicator)
        return error_set(error, APSP_USAGE, "NULL: expected a communicator");
    if (comm_load_mpi(error) == APSP_OK && unable > 0)
        error_set(error, APSP_PEER, "MPI cannot be loaded by %d of the other ranks", unable);
    if (error->code || comm_init_mpi(&comm, communicator, 0, error))
        return error->code;
    struct apsp_solution *solution = calloc(1, sizeof *solution);
    if (options_ranks(options, error) > 1)
        error_set(error, APSP_USAGE,
                  "options: ranks and gpus are for apsp_solve; here the ranks are "
                  "those of the communicator");
    check_solve(graph, out, error);
    if (solve(solution, comm, &question, error))
        free(solution);
    else
        *out = solution;
    return error->code;
}

const struct apsp_facts *apsp_solution_facts(const struct apsp_solution *solution)
{
    return solution ? &solution->facts : NULL;
}

static int free_rank(struct apsp_solution *solution, void *question, struct apsp_error *error)
{
    (void)question;
    forget_questions(solution);
    solver_free(solution->solver, false);
    return error->code;
}

void apsp_solution_free(struct apsp_solution *solution)
{
    LIBRARY_TURN;
    struct apsp_error error = {0};
    if (!solution)
        return;
    if (!solution->team)
        free_rank(solution, NULL, &error);
    else if (team_ask(solution->team, free_rank, NULL, &error))
        return; /* in a process whose ranks they are not */
    team_close(solution->team);
    free(solution);
}
