/* Passes over the rows, with checkpoints between parts of them. */
#include "rows/sums.h"
#include "solve/tell.h"

#include <stdlib.h>

/* The times of making rows, with so much work for the engine's own. */
static void pass_times(struct solver *solver, const struct rows_maker *maker, double work,
                       const struct sums *sums)
{
    struct solver_times *times = &solver->times;
    const double rows = (double)comm_sum(solver->comm, maker->rows),
                 share = sums ? sums_share(sums) : 0;
    const double summing = comm_max(solver->comm, maker->seconds * (work > 0 || !sums ? share : 1));
    times->sums += summing;
    times->sums_work += sums ? rows * (maker->work - work) : 0;
    times->rows += maker->seconds - summing;
    times->rows_work += rows * work;
}

/* Rows can wait for another run where a checkpoint has what they are made of, or those that are
 * done. */
static bool pass_is_time(void *self, size_t done)
{
    const struct solver *solver = self;
    (void)done;
    return solver_saves_rows(solver) ? checkpoint_wanted(solver->checkpoint)
                                     : checkpoint_asked(solver->checkpoint);
}

/* Whether it has paused. */
static bool pass_once(struct solver *solver, struct sinks *sinks, int threads,
                      struct apsp_error *error)
{
    bool paused = false;
    struct rows_request request = rows_request(sinks, threads);
    struct rows_maker maker = {0};
    struct sums *sums = NULL;
    size_t *list;
    bool own = false; /* the maker is a sink's */
    request.near.asked &= !solver->far;
    sums_request(&request, &solver->sink_task, threads);
    if (rows_list(&request, &list, sinks, error) == APSP_OK &&
        rows_without(&maker, &request, sinks, error) == APSP_OK && !maker.next)
        solver->engine->ops->rows(solver->engine, &request, &maker, error);
    else
        own = true;
    const double work = error->code ? 0 : maker.work;
    if (sums_are_wanted(&solver->sink_task) && !own && !error->code)
        sums_open(&sums, &maker, &solver->sink_task, error);
    if (comm_agree(solver->comm, error) == APSP_OK) {
        double edges = (double)solver->problem.graph.n + (double)solver->problem.graph.m;
        struct progress progress = {.shown = solver->request.progress && solver->comm->rank == 0 &&
                                             (request.lanes > 0 || maker.work > 0),
                                    .steps = maker.rows,
                                    .work =
                                        (double)maker.rows * (maker.work > 0 ? maker.work : edges),
                                    .step = "row",
                                    .unit = maker.work > 0 ? solver->engine->ops->unit : "edges/s",
                                    .tell = solver_tell,
                                    .self = solver,
                                    .pause = solver->checkpoint ? pass_is_time : NULL,
                                    .pauser = solver};
        progress_start(&progress);
        rows_pass(&maker, sinks, &progress, error);
        progress_end(&progress);
        pass_times(solver, &maker, work, sums);
        if (!own && maker.form > solver->times.form)
            solver->times.form = maker.form;
        paused = progress.paused && !error->code;
    }
    sums_free(sums);
    free(list);
    return paused;
}

/* With checkpoints between parts of it. */
static int pass_all(struct solver *solver, struct sinks *sinks, int threads,
                    struct apsp_error *error)
{
    while (pass_once(solver, sinks, threads, error))
        if (solver_saves_rows(solver) ? solver_save_rows(solver, error)
                                      : solver->engine->ops->save(solver->engine, error))
            return error->code;
    return error->code;
}

int solver_pass(struct solver *solver, struct sinks *sinks, int threads, struct apsp_error *error)
{
    pass_all(solver, sinks, threads, error);
    for (struct sinks some = sinks_again(sinks); some.count > 0 && !error->code;
         some = sinks_again(sinks)) {
        pass_all(solver, &some, threads, error);
        sinks_return(sinks, &some);
    }
    return error->code;
}
