/* Skims for the caller: a sink that is in no table. */
#include "library/library.h"
#include "rows/skim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct skimming {
    const struct sources *to; /* NULL: all */
    struct skims skims;
    struct skim_arcs arcs;
    struct skim *lane[SINK_LANES];
    double *values;
};

static size_t columns_of(const struct skimming *skimming, const struct sink_task *task)
{
    return skimming->to ? skimming->to->count : task->n;
}

/* The sums of a row, which has begun, to its place in each table. */
static int put_row(const struct skimming *skimming, struct skim *skim, const struct sink_task *task,
                   size_t place)
{
    const struct skims *skims = &skimming->skims;
    const size_t columns = columns_of(skimming, task), table = sink_rows(task) * columns;
    double *value = skimming->values + place * columns;
    for (size_t j = 0; j < columns; j++, value++) {
        const uint32_t v = skimming->to ? skimming->to->vertex[j] : (uint32_t)j;
        const bool reached = skim_reaches(skim, &skimming->arcs, v);
        const int64_t *sum = reached ? skim_to(skim, &skimming->arcs, v) : NULL;
        if (reached && !sum)
            return APSP_REFUTED;
        for (size_t k = 0; k < skims->count; k++)
            value[k * table] = reached ? scale_value(skims->scale[k], sum[k]) : (double)INFINITY;
    }
    return APSP_OK;
}

static int skims_take(struct sink *sink, int lane, const struct block *block,
                      struct apsp_error *error)
{
    struct skimming *skimming = sink->state;
    const struct sink_task *task = sink->task;
    struct skim **skim = &skimming->lane[lane];
    if (!*skim && !(*skim = skim_new(skimming->arcs.n, skimming->skims.count)))
        return error_set(error, APSP_MEMORY, "no memory for skims on %s", task->comm->host);
    for (size_t k = 0; k < block->count && !error->code; k++) {
        const size_t source = block_source(block, k), place = sink_place(task, source);
        if (place >= sink_rows(task))
            continue;
        skim_row(*skim, &skimming->arcs, source, block->dtype, block_row(block, k));
        if (put_row(skimming, *skim, task, place))
            error_set(error, APSP_REFUTED, "row %s: no path has the distances of the row",
                      LABEL(task->certificate.labels, source));
    }
    return error->code;
}

static const struct sink_ops sink_skims = {.name = "skims", .works = true, .take = skims_take};

struct skims_question {
    const struct apsp_skims *skims;
    double *values;
};

static int check(const struct apsp_solution *solution, const struct skims_question *question,
                 struct apsp_error *error)
{
    const struct apsp_skims *skims = question->skims;
    if (!skims || !question->values || (skims->count > 0 && !skims->graph))
        return error_set(error, APSP_USAGE,
                         "NULL: the graphs and the room for values must not be NULL");
    if (skims->count == 0 || skims->count > SKIMS_MAX)
        return error_set(error, APSP_USAGE, "count: expected 1 to %d skims, found %zu", SKIMS_MAX,
                         skims->count);
    if (solution->solver->sink_task.algebra.kind != ALGEBRA_SHORTEST)
        return error_set(error, APSP_USAGE, "the solution is of %s paths, which have no skims",
                         algebra_name(solution->solver->sink_task.algebra.kind));
    for (size_t k = 0; k < skims->count; k++)
        if (skims->graph[k] && skims->graph[k]->graph.n != solution->facts.vertices)
            return error_set(error, APSP_INPUT,
                             "graph[%zu]: has %zu vertices, and the solution %zu", k,
                             skims->graph[k]->graph.n, solution->facts.vertices);
    return APSP_OK;
}

/* Collective. The attributes of all skims, and the edges to follow back. */
static int read_skims(struct skimming *skimming, struct apsp_solution *solution,
                      const struct apsp_skims *skims, const struct sources *from,
                      struct apsp_error *error)
{
    struct solver *solver = solution->solver;
    for (size_t k = 0; k < skims->count && !error->code; k++) {
        char name[SKIM_NAME];
        struct graph own = {0};
        if (skims->graph[k])
            own = skims->graph[k]->graph; /* An edge scan changes its counts. */
        snprintf(name, sizeof name, "%zu", k);
        skims_add(&skimming->skims, name, skims->graph[k] ? &own : NULL, solver->comm,
                  solver->task.threads, error);
        comm_agree(solver->comm, error);
    }
    if (error->code || library_edges(solution, error))
        return error->code;
    skim_arcs_make(&skimming->arcs, solution->edges, &skimming->skims, from, skimming->to, error);
    return comm_agree(solver->comm, error);
}

/* The task has its sources. Ranks of several processes have rows of their own, and add 0 for
 * others. */
static int make(struct skimming *skimming, struct apsp_solution *solution,
                const struct sink_task *task, struct apsp_error *error)
{
    const size_t count = sink_rows(task) * columns_of(skimming, task) * skimming->skims.count;
    struct sink sink = {.ops = &sink_skims, .task = task, .state = skimming};
    if (!library_is_alone(solution))
        memset(skimming->values, 0, count * sizeof *skimming->values);
    if (library_pass(solution, &sink, solution->solver->task.threads, error) == APSP_OK &&
        !library_is_alone(solution))
        comm_sum_all(task->comm, (size_t *)skimming->values, count);
    return error->code;
}

static int skims_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    const struct skims_question *question = opaque;
    struct sink_task task = solution->solver->sink_task;
    const struct apsp_list all = {0}, *from = question->skims ? &question->skims->from : &all,
                           *to = question->skims ? &question->skims->to : &all;
    struct sources sources = {0}, targets = {0};
    struct skimming *skimming = calloc(1, sizeof *skimming);
    if (!skimming)
        error_set(error, APSP_MEMORY, "no memory for skims on %s", task.comm->host);
    else if (check(solution, question, error) == APSP_OK &&
             sources_take(&sources, from->vertex, from->count, task.n, "from", error) == APSP_OK)
        sources_take(&targets, to->vertex, to->count, task.n, "to", error);
    const bool none = (from->vertex && from->count == 0) || (to->vertex && to->count == 0);
    if (comm_agree(task.comm, error) == APSP_OK && !none) {
        skimming->values = question->values;
        skimming->to = targets.count ? &targets : NULL;
        task.sources = sources.count ? &sources : NULL;
        task.targets = NULL;
        if (read_skims(skimming, solution, question->skims, task.sources, error) == APSP_OK)
            make(skimming, solution, &task, error);
        for (int lane = 0; lane < SINK_LANES; lane++)
            skim_free(skimming->lane[lane]);
        skim_arcs_free(&skimming->arcs);
        skims_free(&skimming->skims);
    }
    free(skimming);
    sources_free(&targets);
    sources_free(&sources);
    return error->code;
}

int apsp_find_skims(struct apsp_solution *solution, const struct apsp_skims *skims, double *values,
                    struct apsp_error *error)
{
    struct skims_question question = {skims, values};
    return library_ask(solution, skims_rank, &question, error);
}
