#include "rows/rows.h"

#include "base/clock.h"
#include "base/stop.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What the workers of a rank share. */
struct pass {
    const struct rows_maker *maker;
    struct sinks *sinks;
    struct progress *progress;
    atomic_size_t done;          /* rows */
    atomic_bool paused;          /* no more rows are made now, */
    atomic_bool failed;          /* or at all, */
    atomic_bool lost[SINKS_MAX]; /* or not for these */
    double spent[SINKS_MAX];     /* seconds of all workers, */
    double making;               /* and of making rows, if that is work */
    enum block_form form;        /* the one of the most work */
};

struct rows_request rows_request(const struct sinks *sinks, int threads)
{
    struct rows_request request = {.any = sinks->count > 0};
    bool narrow = true, values = false, histograms = false;
    for (int s = 0; s < sinks->count; s++) {
        const struct sink *sink = &sinks->at[s];
        unsigned counts = sink->ops->counts ? sink->ops->counts(sink->task) : 0;
        request.counts |= counts;
        /* One sink has the histogram; others count theirs in rows. */
        values |= counts == 0 || (histograms && counts & APSP_STATS_HISTOGRAM);
        histograms |= (counts & APSP_STATS_HISTOGRAM) != 0;
        if (counts & APSP_STATS_HISTOGRAM && sink->opened)
            request.histogram = sink->ops->histogram(sink);
        bool on_device = sink->ops->on_device && sink->ops->on_device(sink->task);
        request.on_device |= on_device;
        request.on_host |= !on_device;
        narrow &= sink->ops->targets && !sink->task->results->skims;
        if (sink->ops->works)
            request.lanes = threads < SINK_LANES ? threads : SINK_LANES;
    }
    request.counts = values ? 0 : request.counts;
    if (sinks->count == 1 && sinks->at[0].ops->near)
        request.near = sinks->at[0].ops->near(sinks->at[0].task);
    const struct sink *only = sinks->count == 1 ? &sinks->at[0] : NULL;
    request.places = only && only->ops->places && request.on_device;
    request.sides = only && only->ops->sides && only->ops->sides(only->task);
    request.halves = only && only->ops->halves && only->ops->halves(only->task);
    if (request.halves && only->opened)
        request.half = only->ops->half(only);
    if (request.sides && only->opened)
        request.beside = only->ops->beside(only);
    const struct sources *targets =
        request.any ? sinks->at[0].task->targets : NULL; /* all have one task */
    if (narrow && targets) {
        request.column = targets->vertex;
        request.columns = targets->count;
    }
    return request;
}

/* Adds the rows of one ascending list to those of another, which has room for both, from its end
 * on. */
static size_t merge_lists(size_t *list, size_t count, const size_t *more, size_t more_count)
{
    size_t a = count, b = more_count, at = count + more_count, all = at;
    while (b > 0)
        list[--at] = a > 0 && list[a - 1] > more[b - 1] ? list[--a] : more[--b];
    size_t kept = 0;
    for (size_t k = 0; k < all; k++)
        if (kept == 0 || list[k] != list[kept - 1])
            list[kept++] = list[k];
    return kept;
}

/* All that there are, where a sink wants them, else those that any of them wants. */
static int wanted_list(struct rows_request *request, size_t **list, const struct sinks *sinks,
                       struct apsp_error *error)
{
    size_t all = 0, count;
    for (int s = 0; s < sinks->count; s++) {
        const struct sink *sink = &sinks->at[s];
        const struct sources *sources = sink->task->sources;
        if (!sink->ops->wants || !sink->ops->wants(sink, &count)) {
            request->list = sources ? sources->sorted : NULL;
            request->count = sources ? sources->count : 0;
            return APSP_OK;
        }
        all += count;
    }
    *list = malloc((all + 1) * sizeof **list);
    if (!*list)
        return error_set(error, APSP_MEMORY, "no memory for a list of %zu rows", all);
    request->list = *list;
    request->count = 0;
    for (int s = 0; s < sinks->count; s++) {
        const size_t *wanted = sinks->at[s].ops->wants(&sinks->at[s], &count);
        request->count = merge_lists(*list, request->count, wanted, count);
    }
    return APSP_OK;
}

/* Takes those out that are done. */
static int left_list(struct rows_request *request, size_t **list, const struct sinks *sinks,
                     struct apsp_error *error)
{
    const struct sink_task *task = sinks->at[0].task;
    const size_t count = request->list ? request->count : task->n;
    size_t *left = *list ? *list : malloc((count + 1) * sizeof *left), kept = 0;
    if (!left)
        return error_set(error, APSP_MEMORY, "no memory for a list of %zu rows", count);
    for (size_t k = 0; k < count; k++) {
        size_t vertex = request->list ? request->list[k] : k;
        if (!sinks->done[sink_place(task, vertex)])
            left[kept++] = vertex;
    }
    request->list = *list = left;
    request->count = kept;
    return APSP_OK;
}

int rows_list(struct rows_request *request, size_t **list, const struct sinks *sinks,
              struct apsp_error *error)
{
    *list = NULL;
    request->list = NULL;
    if (wanted_list(request, list, sinks, error) ||
        !(sinks->done && memchr(sinks->done, 1, sink_rows(sinks->at[0].task))))
        return error->code;
    return left_list(request, list, sinks, error);
}

int rows_without(struct rows_maker *maker, const struct rows_request *request, struct sinks *sinks,
                 struct apsp_error *error)
{
    struct sink *sink = &sinks->at[0];
    *maker = (struct rows_maker){.lanes = request->lanes > 0 ? request->lanes : 1};
    if (sinks->count == 1 && sink->ops->maker)
        sink->ops->maker(sink, request->list, request->count, maker, error);
    if (!maker->next)
        *maker = (struct rows_maker){0};
    return error->code;
}

static bool make_block(const struct rows_maker *maker, int lane, struct block *block, double *spent,
                       struct apsp_error *error)
{
    double begun = clock_seconds();
    bool made = maker->next(maker->self, lane, block, error);
    if (maker->work > 0)
        *spent += clock_seconds() - begun;
    return made;
}

/* A sink that fails gets no more rows, of any worker; the others get theirs, as long as that makes
 * a file. */
static void lose(struct pass *pass, int s, const struct apsp_error *own, struct apsp_error *error)
{
    pass->lost[s] = true;
#pragma omp critical(rows_pass)
    {
        pass->sinks->at[s].lost = true;
        sinks_fail(error, own);
        pass->failed |= !sinks_last(pass->sinks);
    }
}

static void mark_taken(const struct sinks *sinks, const struct block *block)
{
    for (size_t k = 0; sinks->taken && k < block->count; k++)
        sinks->taken[sink_place(sinks->at[0].task, block_source(block, k))] = 1;
}

static void take_block(struct pass *pass, int lane, const struct block *block,
                       double spent[SINKS_MAX], struct apsp_error *error)
{
    double begun = clock_seconds();
    for (int s = 0; s < pass->sinks->count; s++) {
        struct sink *sink = &pass->sinks->at[s];
        struct apsp_error own = {0};
        if (!pass->lost[s] && sink->ops->take(sink, lane, block, &own))
            lose(pass, s, &own, error);
        double now = clock_seconds();
        spent[s] += now - begun;
        begun = now;
    }
    mark_taken(pass->sinks, block);
}

static void run_lane(struct pass *pass, int lane, struct apsp_error *error)
{
    const struct rows_maker *maker = pass->maker;
    struct progress *progress = pass->progress;
    struct apsp_error own = {0};
    struct block block;
    double spent[SINKS_MAX] = {0}, making = 0;
    enum block_form form = BLOCK_NONE;
    while (!pass->failed && !pass->paused && !own.code &&
           make_block(maker, lane, &block, &making, &own)) {
        take_block(pass, lane, &block, spent, error);
        form = block_form(&block) > form ? block_form(&block) : form;
        size_t done = atomic_fetch_add(&pass->done, block.count) + block.count;
        if (lane == 0 && !progress_step(progress, done))
            stop_now(&own);
        else if (lane == 0 && progress->pause && progress->pause(progress->pauser, done))
            pass->paused = true;
    }
    if (maker->end)
        maker->end(maker->self, lane);
#pragma omp critical(rows_pass)
    {
        for (int s = 0; s < pass->sinks->count; s++)
            pass->spent[s] += spent[s];
        pass->making += making;
        pass->form = form > pass->form ? form : pass->form;
        if (own.code) {
            pass->failed = true;
            sinks_fail(error, &own);
        }
    }
}

/* What is lost on a rank is lost on all, which get one error: a refutation, if there is one. */
static bool agree(struct pass *pass, struct apsp_error *error)
{
    struct sinks *sinks = pass->sinks;
    struct comm *comm = sinks->at[0].task->comm;
    pass->progress->paused = comm_sum(comm, pass->maker->rows - pass->done) > 0;
    if (comm_most(comm, error->code == APSP_REFUTED) && error->code != APSP_REFUTED)
        *error = (struct apsp_error){0};
    comm_agree(comm, error);
    for (int s = 0; s < sinks->count; s++)
        sinks->at[s].lost = comm_most(comm, sinks->at[s].lost) > 0;
    return comm_most(comm, pass->failed) == 0;
}

/* Each sink, and making rows, gets the share of the wall time that its workers took. */
static void divide_time(struct pass *pass, double wall, double *making)
{
    struct sinks *sinks = pass->sinks;
    double all = pass->making;
    for (int s = 0; s < sinks->count; s++)
        all += pass->spent[s];
    *making = comm_max(sinks->at[0].task->comm, all > 0 ? wall * pass->making / all : 0);
    for (int s = 0; s < sinks->count; s++)
        sinks->at[s].seconds += comm_max(
            sinks->at[s].task->comm, wall * (all > 0 ? pass->spent[s] / all : 1.0 / sinks->count));
}

int rows_pass(struct rows_maker *maker, struct sinks *sinks, struct progress *progress,
              struct apsp_error *error)
{
    struct pass pass = {.maker = maker, .sinks = sinks, .progress = progress};
    double begun = clock_seconds();
    if (sinks_check(sinks, true, error) && !sinks_last(sinks))
        return error->code;
    for (int s = 0; s < sinks->count; s++)
        pass.lost[s] = sinks->at[s].lost;
#pragma omp parallel num_threads(maker->lanes)
    run_lane(&pass, omp_get_thread_num(), error);
    if (!pass.failed && !pass.paused && pass.done != maker->rows) {
        error_set(error, APSP_REFUTED, "%zu rows were made, expected %zu", pass.done, maker->rows);
        pass.failed = true;
    }
    if (!agree(&pass, error))
        return error->code;
    maker->form = (enum block_form)comm_most(sinks->at[0].task->comm, pass.form);
    divide_time(&pass, clock_seconds() - begun, &maker->seconds);
    return progress->paused ? error->code : sinks_merge(sinks, error);
}
