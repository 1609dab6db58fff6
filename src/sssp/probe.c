#include "sssp/probe.h"

#include "base/clock.h"
#include "base/mem.h"
#include "sssp/corrector.h"
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
    SEARCHES = 64, /* of a probe, at most */
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

static int probe_bits(struct probe *probe, const struct searcher_case *its, double rate,
                      const struct network *network, struct apsp_error *error)
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
    const struct waves_batch batch = {
        .source = network->order + (n - count) / 2, .count = count, .listener = &listener};
    waves_run(waves, &batch, error);
    const double seconds = clock_of_thread() - watch.begun;
    probe->seconds = seconds / (double)count;
    if (watch.cut && watch.levels > 0)
        probe->seconds *= watch_levels(&watch, its->task->narrow, (double)count * (double)n) /
                          (double)watch.levels;
    waves_free(waves);
    return error->code;
}

/* Seconds of a search alone: from the source in the middle of the order, or from more sources,
 * evenly spread, where searches are short. */
static int probe_search(double *seconds, const struct searcher_case *its,
                        const struct network *network, const struct network *forward,
                        struct apsp_error *error)
{
    const struct rows_request *rows = &its->task->rows_request;
    const struct single_request request =
        single_request_of(its->task, rows->column, rows->columns, rows->near);
    const size_t n = network->n;
    struct single *single;
    if (single_open(&single, forward, its->task->dtype, its->weights->unit, &request, error))
        return error->code;
    const double begun = clock_seconds();
    double taken = 0;
    size_t count = 0;
    for (; taken < SEARCH_SECONDS && count < SEARCHES && !error->code; count++) {
        const size_t at = (n / 2 + count * (n / SEARCHES + 1)) % n;
        single_from(single, network->vertex[network->order[at]], error);
        taken = clock_seconds() - begun;
    }
    *seconds = taken / (double)count;
    single_close(single);
    return error->code;
}

int probe_alone(double *seconds, const struct searcher_case *its, const struct network *forward,
                struct apsp_error *error)
{
    return probe_search(seconds, its, forward, forward, error);
}

static int probe_labels(struct probe *probe, const struct searcher_case *its,
                        const struct network *network, double alone, struct apsp_error *error)
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
    bool ended = corrector_run(corrector, network->order + (n - count) / 2, count, &limit);
    const double seconds =
        (clock_seconds() - begun) / (double)count + engine_row_looking(its->task);
    probe->alone = !ended || seconds > alone;
    probe->seconds = probe->alone ? alone : seconds;
    corrector_free(corrector);
    return APSP_OK;
}

int probe_run(struct probe *probe, const struct searcher_case *its, double rate,
              const struct network *network, const struct network *forward,
              struct apsp_error *error)
{
    double alone = 0;
    const bool equal = its->weights->equal;
    *probe = (struct probe){0};
    if (equal && (probe_bits(probe, its, rate, network, error) || !forward->n))
        return error->code;
    if (probe_search(&alone, its, network, forward, error))
        return error->code;
    if (!equal)
        return probe_labels(probe, its, network, alone, error);
    probe->seconds += engine_row_looking(its->task);
    probe->alone = alone < probe->seconds;
    probe->seconds = probe->alone ? alone : probe->seconds;
    return APSP_OK;
}

int probe_device(struct probe *probe, const struct searcher_case *its, struct searcher *searcher,
                 const struct network *forward, struct apsp_error *error)
{
    const struct network *network = searcher->network;
    const bool either = forward->n > 0;
    const size_t n = network->n, width = searcher->ops->width(its), count = n < width ? n : width;
    const double threads = its->task->threads,
                 least = its->task->rows_request.near.asked
                             ? 0
                             : ALONE_LEAST * (double)(n + network->arcs);
    double alone = least;
    struct searcher_trial trial;
    *probe = (struct probe){0};
    if (searcher->ops->attempt(searcher, network->order + (n - count) / 2, count,
                               its->weights->equal ? LEVELS : STEPS, &trial, error))
        return error->code;
    trial.seconds += engine_row_looking(its->task) / threads;
    if (either && (!trial.ended || trial.seconds > alone / threads) &&
        probe_search(&alone, its, network, forward, error))
        return error->code;
    probe->alone = either && (!trial.ended || trial.seconds > alone / threads);
    probe->seconds = probe->alone ? alone : trial.seconds;
    return APSP_OK;
}
