#include "solve/resume.h"

#include "rows/access_request.h"

#include <string.h>

/* Of accessibility: its words and amounts. */
static uint64_t access_hash(uint64_t hash, const struct solver *solver)
{
    const struct results_access *access = &solver->given.results->access;
    const char *const words[] = {access->cutoffs, access->decays, access->nearest};
    if (!access->request)
        return hash;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        hash = checkpoint_mix(hash, words[k], words[k] ? strlen(words[k]) + 1 : 0);
    const struct access_plan *plan = &access->request->plan;
    return checkpoint_mix(hash, plan->amount,
                          plan->columns * solver->sink_task.n * sizeof *plan->amount);
}

/* The paths that count for betweenness. */
static uint64_t between_hash(uint64_t hash, const struct results *results)
{
    const struct results_between *between = &results->between;
    const bool what[] = {between->edges, between->ends, between->stress, between->load,
                         between->limited};
    return results->betweenness ? checkpoint_mix(checkpoint_mix(hash, what, sizeof what),
                                                 &between->within, sizeof between->within)
                                : hash;
}

/* Hash of the results that are wanted, and of the lists of sources and targets. */
static uint64_t results_hash(const struct solver *solver)
{
    const struct results *results = solver->given.results;
    const struct sources *const lists[] = {solver->sources, solver->targets};
    const unsigned what[] = {solver->sink_task.file, solver->summed, results->counted,
                             results->plot != NULL};
    uint64_t hash = checkpoint_mix(0, what, sizeof what);
    hash = between_hash(access_hash(hash, solver), results);
    for (int s = 0; s < solver->sinks.count; s++) {
        const struct sink_ops *ops = solver->sinks.at[s].ops;
        const char *path = ops->path ? ops->path(results) : NULL,
                   *base = path ? strrchr(path, '/') : NULL,
                   *suffix = path ? strrchr(base ? base : path, '.') : NULL;
        hash = checkpoint_mix(hash, ops->name, strlen(ops->name));
        hash = checkpoint_mix(hash, suffix, suffix ? strlen(suffix) : 0);
    }
    for (int l = 0; l < 2; l++)
        hash = checkpoint_mix(hash, lists[l]->vertex, lists[l]->count * sizeof *lists[l]->vertex);
    return hash;
}

int resume_find(struct solver *solver)
{
    enum { UNDIRECTED = 1, REVERSED = 2, UNWEIGHTED = 4, ALGEBRA = 8 };
    const struct graph *graph = &solver->problem.graph;
    const uint64_t made = graph->undirected * UNDIRECTED | graph->reversed * REVERSED |
                          graph->unweighted * UNWEIGHTED | graph->algebra.kind * ALGEBRA;
    if (!solver->checkpoint)
        return APSP_OK;
    solver->saved =
        (struct checkpoint_rows){.comm = solver->comm, .threads = solver->topology.threads};
    const struct checkpoint_subject subject = {
        .n = graph->n,
        .m = graph->m,
        .edges = solver->problem.scan.sum + made,
        .dtype = solver->problem.proof.dtype,
        .scale = solver->sink_task.scale,
        .potentials = checkpoint_hash(&solver->problem.proof.potential),
        .rows = results_hash(solver),
        .summed = solver->summed,
        .bound = solver->problem.proof.real ? 0 : solver->problem.proof.bound.whole};
    if (checkpoint_match(solver->checkpoint, &subject, &solver->error) ||
        checkpoint_rows_find(&solver->saved, solver->checkpoint, &solver->error))
        return solver->error.code;
    if (solver->saved.kept_bytes > 0) {
        solver->task.kept = solver->saved.kept;
        solver->task.kept_bytes = solver->saved.kept_bytes;
    }
    return APSP_OK;
}
