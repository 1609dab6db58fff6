#include "sssp/probe.h"

#include "base/clock.h"
#include "base/mem.h"
#include "sssp/corrector.h"
#include "sssp/single.h"
#include "sssp/waves.h"

/* A batch of bits may take these seconds, or this part of what a model says of the whole task. */
#define LEAST_SECONDS 0.05
#define TASK_PART     0.01

/* Searches alone take these seconds together, if there are so many. A value of a row takes these to
 * be made and looked at, where near ones are wanted. */
#define SEARCH_SECONDS 0.01
#define VALUE_SECONDS  0.5e-9

/* A search alone takes these seconds for each vertex and arc, at the very least. */
#define ALONE_LEAST 3e-9

enum {
    LEVELS = 1000, /* of bits on a device, at most */
    STEPS = 200,   /* of labels on a device, which sees them only after a pass */
    PASSES = 32,   /* of labels: graphs with longer chains are for searches alone */
    SEARCHES = 64, /* of a probe, at most */
    SHARE = 8      /* A batch of labels may take one part in so many of all searches alone. */
};

/* Pairs that a batch has found, until its time is over: that of its thread, whatever else the
 * machine does. */
struct watch {
    double begun, limit;
    size_t pairs;
};

static bool watch_level(void *self, size_t level, size_t count)
{
    struct watch *watch = self;
    (void)level;
    watch->pairs += count;
    return clock_of_thread() - watch->begun <= watch->limit;
}

/* A batch that was cut short has found a part of its pairs: the others take as long, at least. */
static int probe_bits(struct probe *probe, const struct searcher_case *its, double rate,
                      const struct network *network, struct apsp_error *error)
{
    const size_t n = network->n, count = n < BITS_LEAST ? n : BITS_LEAST;
    const struct waves_plan plan = {.width = BITS_LEAST};
    const double model = (double)its->sources * (double)(n + network->arcs) / rate,
                 part = TASK_PART * model;
    struct waves *waves;
    if (waves_open(&waves, network, &plan, error))
        return error->code;
    struct watch watch = {clock_of_thread(), part > LEAST_SECONDS ? part : LEAST_SECONDS, 0};
    const struct waves_listener listener = {&watch, watch_level};
    const struct waves_batch batch = {
        .source = network->order + (n - count) / 2, .count = count, .listener = &listener};
    waves_run(waves, &batch, error);
    const double seconds = clock_of_thread() - watch.begun, most = (double)count * (double)n;
    probe->seconds = seconds / (double)count;
    if (seconds > watch.limit && watch.pairs > 0)
        probe->seconds *= most / (double)watch.pairs;
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

/* Seconds of looking for what is near in a whole row. */
static double row_seconds(const struct searcher_case *its)
{
    const struct rows_request *rows = &its->task->rows_request;
    return rows->near.asked ? VALUE_SECONDS * (double)(rows->column ? rows->columns : its->task->n)
                            : 0;
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
    const double seconds = (clock_seconds() - begun) / (double)count + row_seconds(its);
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
    probe->seconds += row_seconds(its);
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
    trial.seconds += row_seconds(its) / threads;
    if (either && (!trial.ended || trial.seconds > alone / threads) &&
        probe_search(&alone, its, network, forward, error))
        return error->code;
    probe->alone = either && (!trial.ended || trial.seconds > alone / threads);
    probe->seconds = probe->alone ? alone : trial.seconds;
    return APSP_OK;
}
