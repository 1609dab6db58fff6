#include "sssp/probe.h"

#include "base/clock.h"
#include "base/mem.h"
#include "sssp/corrector.h"
#include "sssp/reach.h"
#include "sssp/shape.h"
#include "sssp/single.h"

#include <math.h>

/* A batch of bits may take these seconds, or this part of what a model says of the whole task. */
#define LEAST_SECONDS 0.05
#define TASK_PART     0.01

/* Searches alone take these seconds together, if there are so many. */
#define SEARCH_SECONDS 0.01

/* A search alone takes these seconds for each vertex and arc, at the very least. */
#define ALONE_LEAST 3e-9

enum {
    LEVELS = 1000, /* of bits on a device, at most */
    STEPS = 200,   /* of labels on a device, which sees them only after a pass */
    PASSES = 32,   /* of labels: graphs with longer chains are for searches alone */
    GROWN = 8,     /* of bits, to see how pairs grow */
    SHARE = 8      /* A batch of labels may take one part in so many of all searches alone. */
};

/* Pairs that a batch has found, until its time is over: that of its thread, whatever else the
 * machine does. */
struct watch {
    double begun, limit;
    bool cut; /* The limit came before the end. */
    size_t levels;
    double pairs;
    double factor, power; /* The fastest growth of the pairs in a level. */
};

static bool watch_level(void *self, size_t level, size_t count)
{
    struct watch *watch = self;
    watch->levels = level;
    watch->pairs += (double)count;
    if (level > 0) {
        const double before = watch->pairs - (double)count;
        watch->factor = fmax(watch->factor, watch->pairs / before);
        watch->power = fmax(watch->power, (double)level * (double)count / watch->pairs);
    }
    watch->cut = count > 0 && clock_of_thread() - watch->begun > watch->limit;
    return !watch->cut;
}

/*
 * The levels of a batch that was cut short, for so many pairs. Pairs grow with a power of the level
 * on roads and meshes, and by a factor in each level on other graphs. Many levels tell these apart.
 * After few of them it is the factor, which gives fewer levels. Growth ends where most vertices are
 * reached, or cannot be, so the most that was seen counts. A narrow graph has at least as many
 * levels again behind those in which one search reaches half of it.
 */
static double watch_levels(const struct watch *watch, size_t narrow, double most)
{
    const double levels = (double)watch->levels, left = log(most / watch->pairs);
    if (narrow > 0)
        return fmax(levels, 2 * (double)narrow);
    if (watch->factor <= 1 || left <= 0)
        return levels;
    return watch->levels < GROWN ? levels + left / log(watch->factor)
                                 : levels * exp(left / watch->power);
}

/* Sources of a batch, as many as one of the task has. Those of a wide batch take less time each. */
static size_t bits_sources(const struct searcher_case *its, size_t n)
{
    const size_t parallel = (size_t)its->task->threads * (size_t)its->task->comm->ranks,
                 each = (its->sources + parallel - 1) / parallel,
                 most = n < BITS_LEAST ? n : BITS_LEAST;
    return each < most ? each : most;
}

/* So many sources of the order around a place. */
static const uint32_t *sources_at(const struct network *network, size_t place, size_t count)
{
    const size_t first = place > count / 2 ? place - count / 2 : 0, last = network->n - count;
    return network->order + (first < last ? first : last);
}

static int probe_bits(double *each, const struct searcher_case *its, double rate,
                      const struct network *network, const struct reach *reach,
                      struct apsp_error *error)
{
    const size_t n = network->n, count = bits_sources(its, n);
    const struct waves_plan plan = {.width = BITS_LEAST};
    const double model = (double)its->sources * (double)(n + network->arcs) / rate,
                 part = TASK_PART * model;
    const struct waves_arcs arcs = shape_arcs(network);
    struct waves *waves;
    if (waves_open(&waves, &arcs, &plan, error))
        return error->code;
    struct watch watch = {.begun = clock_of_thread(),
                          .limit = part > LEAST_SECONDS ? part : LEAST_SECONDS};
    const struct waves_listener listener = {&watch, watch_level};
    const struct waves_batch batch = {.source = sources_at(network, reach->place[0], count),
                                      .count = count,
                                      .listener = &listener};
    waves_run(waves, &batch, error);
    *each = (clock_of_thread() - watch.begun) / (double)count;
    if (watch.cut && watch.levels > 0)
        *each *= watch_levels(&watch, its->task->narrow.levels, (double)count * (double)n) /
                 (double)watch.levels;
    waves_free(waves);
    return error->code;
}

/* From the first source of the reach, and from more where searches are short. */
static int probe_search(double *each, const struct searcher_case *its,
                        const struct network *network, const struct network *forward,
                        const struct reach *reach, struct apsp_error *error)
{
    const struct rows_request *rows = &its->task->rows_request;
    const struct single_request request =
        single_request_of(its->task, rows->column, rows->columns, rows->near);
    struct single *single;
    if (single_open(&single, forward, its->task->dtype, its->weights->unit, &request, error))
        return error->code;
    const double begun = clock_seconds();
    double taken = 0;
    size_t count = 0;
    for (; taken < SEARCH_SECONDS && count < reach->count && !error->code; count++) {
        single_from(single, network->vertex[network->order[reach->place[count]]], error);
        taken = clock_seconds() - begun;
    }
    *each = taken / (double)count;
    single_close(single);
    return error->code;
}

int probe_alone(double *seconds, const struct searcher_case *its, const struct network *forward,
                struct apsp_error *error)
{
    struct reach reach;
    if (reach_look(&reach, forward, its->task->csr, error) ||
        probe_search(seconds, its, forward, forward, &reach, error))
        return error->code;
    *seconds *= reach.part;
    return APSP_OK;
}

/* The seconds are infinite if the batch has not ended. */
static int probe_labels(double *each, const struct searcher_case *its,
                        const struct network *network, const struct reach *reach, double alone,
                        struct apsp_error *error)
{
    const size_t n = network->n, width = corrector_width(its->task->dtype, CORRECTOR_PAIRS),
                 count = n < width ? n : width;
    const double sources = (double)its->sources / SHARE,
                 most = (double)width < sources ? (double)width : sources;
    const struct corrector_limit limit = {PASSES, most * alone};
    struct corrector *corrector;
    if (corrector_open(&corrector, network, its->task->dtype, width, error))
        return error->code;
    const double begun = clock_seconds();
    bool ended =
        corrector_run(corrector, sources_at(network, reach->place[0], count), count, &limit);
    *each = ended ? (clock_seconds() - begun) / (double)count : INFINITY;
    corrector_free(corrector);
    return APSP_OK;
}

/* Each source of the reach takes so long in a batch or alone; one of them may be infinite. Others
 * take hardly any time, but the look at a row takes as long. */
static struct probe choose(const struct reach *reach, double batch, double alone, double looking)
{
    if (alone < batch + looking)
        return (struct probe){true, alone * reach->part};
    return (struct probe){false, batch * reach->part + looking};
}

int probe_run(struct probe *probe, const struct searcher_case *its, double rate,
              const struct network *network, const struct network *forward,
              struct apsp_error *error)
{
    double batch = 0, alone = INFINITY;
    const bool equal = its->weights->equal;
    struct reach reach;
    *probe = (struct probe){0};
    if (reach_look(&reach, network, its->task->csr, error) ||
        (equal && probe_bits(&batch, its, rate, network, &reach, error)) ||
        (forward->n && probe_search(&alone, its, network, forward, &reach, error)) ||
        (!equal && probe_labels(&batch, its, network, &reach, alone, error)))
        return error->code;
    *probe = choose(&reach, batch, alone, engine_row_looking(its->task));
    return APSP_OK;
}

int probe_device(struct probe *probe, const struct searcher_case *its, struct searcher *searcher,
                 const struct network *forward, struct apsp_error *error)
{
    const struct network *network = searcher->network;
    const size_t n = network->n, width = searcher->ops->width(its), count = n < width ? n : width;
    const double threads = its->task->threads, looking = engine_row_looking(its->task) / threads;
    const bool near = its->task->rows_request.near.asked;
    double alone = !forward->n ? INFINITY : near ? 0 : ALONE_LEAST * (double)(n + network->arcs);
    struct searcher_trial trial;
    struct reach reach;
    *probe = (struct probe){0};
    if (reach_look(&reach, network, its->task->csr, error) ||
        searcher->ops->attempt(searcher, sources_at(network, reach.place[0], count), count,
                               its->weights->equal ? LEVELS : STEPS, &trial, error))
        return error->code;
    const double batch = trial.ended || !forward->n ? trial.seconds : INFINITY;
    if (alone < threads * (batch + looking) &&
        probe_search(&alone, its, network, forward, &reach, error))
        return error->code;
    *probe = choose(&reach, batch, alone / threads, looking);
    probe->seconds *= probe->alone ? threads : 1;
    return APSP_OK;
}
