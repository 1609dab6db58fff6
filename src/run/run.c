/* The steps of a run, each collective and each ending in agreement. */
#include "run/run.h"

#include "base/fault.h"
#include "base/mem.h"
#include "files/space.h"
#include "run/check.h"
#include "run/files.h"

#include <stdlib.h>
#include <string.h>

/* Opens the graph of the options on every rank. */
static int run_open_graph(struct run *run)
{
    const struct run_options *options = &run->options;
    struct comm *comm = run->solver->comm;
    struct apsp_error *error = &run->solver->error;
    if (graph_open_together(&run->graph, options->graph, &options->input, comm, error) == APSP_IO &&
        comm->nodes > 1) {
        const struct apsp_error cause = *error;
        *error = (struct apsp_error){0};
        error_set(error, cause.code, "%s on host %s", cause.text, comm->host);
    }
    return solver_check_graph(run->solver, &run->graph, false);
}

/* The rows and columns that are wanted, and with them the files that the run reads. */
static int run_read_lists(struct run *run)
{
    struct run_options *options = &run->options;
    struct solver *solver = run->solver;
    options->checkpoint.inputs = options_inputs(options);
    if (sources_are_random(options->sources))
        sources_choose(&run->sources, options->sources, options->results.seed, &run->graph,
                       solver->comm, &solver->error);
    else
        sources_read(&run->sources, "--sources", options->sources, &run->graph, solver->comm,
                     &solver->error);
    if (solver->error.code || sources_read(&run->targets, "--targets", options->targets,
                                           &run->graph, solver->comm, &solver->error))
        return solver->error.code;
    options->lists[0] = run->sources.file;
    options->lists[1] = run->targets.file;
    options->results.access.request = &run->access;
    if (access_request_read(&run->access, &options->results.access, &run->graph, solver->comm,
                            &solver->error))
        return solver->error.code;
    options->results.isochrones.wanted = &run->isochrones;
    if (isochrones_read(&run->isochrones, &options->results.isochrones,
                        options->results.access.cutoffs, &run->graph, solver->comm, &solver->error))
        return solver->error.code;
    if (*run->isochrones.about)
        graph_note(&run->graph, "%s", run->isochrones.about);
    if (options->results.skim)
        options->results.skims = &run->skims;
    if (skims_read(&run->skims, options->results.skim, &run->graph, solver->comm,
                   options->request.threads > 0 ? options->request.threads : 1, &solver->error))
        return solver->error.code;
    options->results.inputs = options_inputs(options);
    return APSP_OK;
}

/* Completes the options by those that follow from others. */
static void run_complete_options(struct run *run)
{
    struct run_options *options = &run->options;
    options->input.hash = options->json && run->solver->comm->rank == 0;
    options->lists[0] = options->lists[1] = true;
    options->checkpoint.force = options->results.force;
    options->checkpoint.write_retry = options->write_retry;
    options->checkpoint.dtype = options->request.dtype;
    options->request.keep_order = options->save_order != NULL;
    options->results.graph = options->graph;
    options->results.saved = options->checkpoint.folder != NULL;
    options->results.read_back = check_is_read_back(&options->results);
    const bool chance = options->results.verify > 0 || sources_are_random(options->sources);
    if (chance && options->results.seed == 0)
        options->results.seed = comm_seed(run->solver->comm);
}

static int run_plan(struct run *run)
{
    const struct run_options *options = &run->options;
    const struct solver_task task = {.graph = &run->graph,
                                     .request = options->request,
                                     .results = &options->results,
                                     .checkpoint =
                                         options->checkpoint.folder ? &options->checkpoint : NULL,
                                     .sources = run->sources.count ? &run->sources : NULL,
                                     .targets = run->targets.count ? &run->targets : NULL,
                                     .plan_only = options->estimate,
                                     .checking = check_file_need,
                                     .caller = run};
    if (solver_plan(run->solver, &task))
        return run->solver->error.code;
    run_name_scale(run);
    return comm_agree(run->solver->comm, &run->solver->error);
}

static int run_start(struct run *run)
{
    const struct run_options *options = &run->options;
    struct comm *comm = run->solver->comm;
    struct apsp_error *error = &run->solver->error;
    int wanted = options->ranks > 0 ? options->ranks : options->gpus;
    if (wanted > 0 && comm->ranks != wanted)
        error_set(error, APSP_USAGE, "%d ranks are requested, but the launcher started %d", wanted,
                  comm->ranks);
    run_complete_options(run);
    run_check_files(run);
    if (comm_agree(comm, error))
        return error->code;
    run->begun = true;
    device_look(options->request.device);
    const bool opened = run_open_graph(run) == APSP_OK && run_read_lists(run) == APSP_OK;
    device_settle(options->request.device);
    if (!opened || run_plan(run) || options->estimate)
        return error->code;
    return run_open_files(run);
}

int run_make(struct run **out, const struct run_options *options, struct apsp_error *error)
{
    struct apsp_error own = {0}; /* that of the command line travels with the run */
    struct comm *comm;
    *out = NULL;
    space_wait_limit(options->write_retry);
    if (comm_init(&comm, options->ranks_per_node, &own))
        return error_set(error, (enum apsp_status)own.code, "%s", own.text);
    struct run *run = *out = calloc(1, sizeof *run);
    if (!run && comm->ranks > 1)
        fault(APSP_MEMORY, "no memory for the run");
    if (!run) {
        comm_free(comm);
        return error_set(error, APSP_MEMORY, "no memory for the run");
    }
    run->options = *options;
    for (int i = 0; i < RUN_FILES; i++)
        run->file[i].fd = -1;
    if (solver_make(&run->solver, comm, error)) {
        if (comm->rank > 0)
            *error->text = '\0'; /* Rank 0 tells of it. */
        comm_free(comm);
        free(run);
        *out = NULL;
        return error->code;
    }
    trace_start(&run->report.trace, comm, options->json != NULL);
    return run_start(run);
}

int run_load(struct run *run)
{
    return solver_load(run->solver);
}

int run_solve(struct run *run)
{
    return solver_solve(run->solver);
}

/* Rows that no other sink wants are not made to be certified. */
static void run_settle_early(struct run *run)
{
    const struct solver *solver = run->solver;
    bool made = solver->plan.row_work == 0 || solver->task.sources == run->sources.count;
    if (!run->options.results.read_back && made)
        check_settle(run, solver->times.solve);
}

int run_rows(struct run *run)
{
    struct solver *solver = run->solver;
    run_settle_early(run);
    if (solver->sinks.count > 0 &&
        solver_pass(solver, &solver->sinks, solver->task.threads, &solver->error))
        return solver->error.code;
    if (run->options.results.read_back)
        check_settle(run, solver->times.solve + solver->times.rows);
    return check_file(run);
}

int run_take_order(struct run *run, void **order, size_t *bytes)
{
    const struct engine_report *report = &run->solver->report;
    struct comm *comm = run->solver->comm;
    *order = NULL;
    *bytes = report->kept ? report->kept_bytes : 0;
    comm_broadcast(comm, bytes, sizeof *bytes, 0);
    if (comm->rank == 0 && *bytes > 0) {
        *order = mem_alloc(*bytes);
        if (*order)
            memcpy(*order, report->kept, *bytes);
        else
            error_set(&run->solver->error, APSP_MEMORY, "no memory to keep the order");
    }
    return comm_agree(comm, &run->solver->error);
}

const char *run_detail(const struct run *run)
{
    const struct solver *solver = run->solver;
    if (!solver->error.code)
        return "";
    if (solver->error.code == APSP_CYCLE && solver->problem.proof.cycle && !run->detail)
        return solver->problem.proof.cycle;
    return run->detail ? run->detail : "";
}

void run_free(struct run *run)
{
    if (!run)
        return;
    for (int i = 0; i < RUN_FILES; i++)
        staged_free(&run->file[i]);
    for (int i = 0; i < RUN_WATCHED; i++)
        staged_free(&run->watched[i]);
    solver_free(run->solver, run->reported && !run->solver->error.code);
    skims_free(&run->skims);
    isochrones_free(&run->isochrones);
    access_request_free(&run->access);
    sources_free(&run->targets);
    sources_free(&run->sources);
    free(run->scale_path);
    free(run->detail);
    free(run->report.places);
    trace_free(&run->report.trace);
    graph_close(&run->graph);
    free(run);
}
