/*
 * The sink that counts: what stats.h makes of rows and columns. Rows need not be there for what an
 * engine counts on its way. Where quantiles are to be exact, and bins are too wide for that, it
 * asks to see the rows again.
 */
#include "rows/sink_stats.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "base/text.h"
#include "rows/output.h"
#include "rows/stats_columns.h"
#include "rows/stats_plan.h"

#include <stdlib.h>
#include <string.h>

struct stats {
    struct accumulator_plan plan;
    struct count_target histogram;
    struct row_counts *rows; /* by their places; zero on ranks that do not have the row */
    double *made; /* behind them, of reductions with a function of rows: by the same places */
    struct accumulator_sum sum;
    struct apsp_stats result;
    bool counted; /* the first pass is over: what follows narrows */
    struct quantile quantile[APSP_QUANTILES];
    struct accumulator_device *device; /* for blocks that are there */
    size_t *narrowing;                 /* words of quantile_count, of all workers and ranks */
    size_t *most; /* of each vertex, what its column of halves has; NULL: there are no halves */
    struct lane {
        struct half_counts *half;
        struct accumulator *accumulator;
        struct row_counts *counts;
        size_t room; /* of counts */
        size_t *words;
    } lane[SINK_LANES];
};

/* A page has a sink of its own. */
static const char *path(const struct results *results)
{
    return results->stats && !stats_is_page(results->stats) ? results->stats : NULL;
}

static bool asked(const struct results *results)
{
    return path(results) || results->plot;
}

static unsigned counts(const struct sink_task *task)
{
    return stats_fits(task) ? stats_plan(task).counted : 0;
}

/* Narrowing is the host's, and so are sums of more than 64 bits. */
static bool on_device(const struct sink_task *task)
{
    const struct accumulator_plan plan = stats_plan(task);
    return accumulator_device() && !stats_narrows(&plan) && !plan.wide && stats_made(&plan) == 0;
}

/* A checkpoint has rows alone, which have to be whole. */
static bool halves(const struct sink_task *task)
{
    return counts(task) == APSP_STATS_OUT && sink_rows(task) == task->n && !task->sources &&
           !task->results->saved;
}

static struct sink_need need(const struct sink_task *task, int lanes)
{
    const struct accumulator_plan plan = stats_plan(task);
    size_t each;
    struct sink_need need = {.host = mem_bytes(stats_row_words(task, &plan), sizeof(size_t))};
    if (halves(task))
        mem_add(&need.host, need.host, mem_bytes(task->n, sizeof(size_t)));
    mem_add(&need.host, need.host, stats_columns_need(plan.counted, sink_rows(task)));
    mem_add(&need.host, need.host, mem_bytes(stats_columns(&plan), 2 * sizeof(size_t)));
    mem_add(&need.host, need.host, mem_bytes(plan.bins.count, sizeof(size_t)));
    mem_add(&need.host, need.host,
            mem_bytes(stats_filled_bins(task, &plan), sizeof(struct apsp_bin)));
    mem_add(&need.host, need.host, mem_bytes(stats_narrowing_words(&plan), sizeof(size_t)));
    mem_add(&each, accumulator_need(&plan),
            mem_bytes(stats_narrowing_words(&plan), sizeof(size_t)));
    mem_add(&need.host, need.host, mem_bytes((size_t)lanes, each));
    if (on_device(task))
        need.device = accumulator_device()->need(&plan);
    return need;
}

static bool take_memory(struct stats *stats, const struct sink_task *task)
{
    const struct accumulator_plan *plan = &stats->plan;
    size_t columns = stats_columns(plan), bins = plan->bins.count,
           words = stats_narrowing_words(plan);
    stats->rows = mem_alloc(mem_bytes(stats_row_words(task, plan), sizeof(size_t)));
    if (stats->rows)
        stats->made = (double *)(stats->rows + sink_rows(task));
    if (columns > 0) {
        stats->sum.most = mem_alloc(mem_bytes(columns, sizeof(size_t)));
        stats->sum.reached = mem_alloc(mem_bytes(columns, sizeof(size_t)));
    }
    if (bins > 0)
        stats->sum.pairs = mem_alloc(mem_bytes(bins, sizeof(size_t)));
    if (words > 0)
        stats->narrowing = mem_alloc(mem_bytes(words, sizeof(size_t)));
    return stats->rows && (columns == 0 || (stats->sum.most && stats->sum.reached)) &&
           (bins == 0 || stats->sum.pairs) && (words == 0 || stats->narrowing);
}

static int no_memory(const struct sink *sink, struct apsp_error *error)
{
    return error_set(error, APSP_MEMORY, "no memory for statistics on %s", sink->task->comm->host);
}

static struct accumulator *accumulator_of(struct stats *stats, int number)
{
    struct lane *lane = &stats->lane[number];
    if (!lane->accumulator)
        lane->accumulator = accumulator_new(&stats->plan);
    return lane->accumulator;
}

static uint32_t *pairs_of(void *self, int number, size_t more)
{
    struct stats *stats = self;
    struct accumulator *accumulator = accumulator_of(stats, number);
    return accumulator ? accumulator_pairs(accumulator, more, &stats->sum) : NULL;
}

static int open_stats(struct sink *sink, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    struct stats *stats = calloc(1, sizeof *stats);
    sink->state = stats;
    if (!stats)
        return no_memory(sink, error);
    stats->plan = stats_plan(task);
    stats->histogram = (struct count_target){stats->plan.bins, stats, pairs_of};
    return take_memory(stats, task) ? APSP_OK : no_memory(sink, error);
}

/* One accumulator for all workers, which the first to come opens. */
static int take_on_device(struct stats *stats, int number, const struct block *block,
                          struct apsp_error *error)
{
#pragma omp critical(stats_device)
    if (!stats->device)
        accumulator_device()->open(&stats->device, &stats->plan, error);
    if (!error->code)
        accumulator_device()->take(stats->device, number, block, stats->lane[number].counts, error);
    return error->code;
}

static int take_on_host(const struct sink *sink, int number, const struct block *block,
                        struct apsp_error *error)
{
    struct stats *stats = sink->state;
    struct accumulator *accumulator = accumulator_of(stats, number);
    if (!accumulator)
        return no_memory(sink, error);
    accumulator_take(accumulator, block, stats->lane[number].counts, &stats->sum);
    return APSP_OK;
}

static bool take_most(struct stats *stats)
{
#pragma omp critical(stats_most)
    if (!stats->most)
        stats->most = mem_alloc(mem_bytes(stats->plan.n, sizeof *stats->most));
    return stats->most != NULL;
}

static struct half_counts *take_half(void *self, int number, enum dtype dtype,
                                     const uint32_t *vertex)
{
    struct stats *stats = self;
    struct half_counts **half = &stats->lane[number].half;
    if (!*half && take_most(stats))
        *half = half_counts_new(stats->plan.n, dtype, vertex);
    return *half;
}

static struct half_target half(const struct sink *sink)
{
    return (struct half_target){sink->state, take_half};
}

static struct count_target histogram(const struct sink *sink)
{
    return ((const struct stats *)sink->state)->histogram;
}

/* Row k's, of reductions with a function of rows. */
static void make_values(const struct sink *sink, const struct block *block, size_t k, size_t place)
{
    const struct stats *stats = sink->state;
    const struct reduction *reduction;
    for (size_t i = 0; (reduction = reductions_made(stats->plan.counted, i)); i++)
        stats->made[i * sink_rows(sink->task) + place] =
            reduction->row(block->dtype, block_row(block, k), block->n);
}

static int take_counts(struct sink *sink, int number, const struct block *block,
                       struct apsp_error *error)
{
    struct stats *stats = sink->state;
    struct lane *lane = &stats->lane[number];
    if (lane->room < block->count) {
        free(lane->counts);
        lane->counts = malloc(block->count * sizeof *lane->counts);
        lane->room = lane->counts ? block->count : 0;
    }
    if (!lane->counts)
        return no_memory(sink, error);
    if (block->device && on_device(sink->task) ? take_on_device(stats, number, block, error)
                                               : take_on_host(sink, number, block, error))
        return error->code;
    for (size_t k = 0; k < block->count; k++) {
        const size_t place = sink_place(sink->task, block_source(block, k));
        stats->rows[place] = lane->counts[k];
        make_values(sink, block, k, place);
    }
    return APSP_OK;
}

static int take(struct sink *sink, int number, const struct block *block, struct apsp_error *error)
{
    struct stats *stats = sink->state;
    struct lane *lane = &stats->lane[number];
    if (!stats->counted)
        return take_counts(sink, number, block, error);
    if (!lane->words)
        lane->words =
            mem_alloc(mem_bytes(stats_narrowing_words(&stats->plan), sizeof *lane->words));
    if (!lane->words)
        return no_memory(sink, error);
    for (size_t k = 0; k < block->count; k++)
        quantile_count(stats->quantile, APSP_QUANTILES, block, k, lane->words);
    return APSP_OK;
}

static void end_lanes(struct stats *stats)
{
    for (int i = 0; i < SINK_LANES; i++) {
        struct lane *lane = &stats->lane[i];
        if (lane->accumulator)
            accumulator_end(lane->accumulator, &stats->sum);
        if (lane->half)
            half_counts_add(lane->half, stats->plan.n, stats->rows, stats->most);
        half_counts_free(lane->half);
        lane->half = NULL;
    }
    if (stats->device) {
        accumulator_device()->end(stats->device, &stats->sum);
        accumulator_device()->free(stats->device);
        stats->device = NULL;
    }
}

static int save(struct sink *sink, struct sink_part part[SINK_PARTS], struct apsp_error *error)
{
    (void)error;
    struct stats *stats = sink->state;
    const size_t columns = stats_columns(&stats->plan);
    end_lanes(stats);
    part[0] =
        (struct sink_part){(size_t *)stats->rows, stats_row_words(sink->task, &stats->plan), false};
    part[1] = (struct sink_part){stats->sum.most, columns, true};
    part[2] = (struct sink_part){stats->sum.reached, columns, false};
    part[3] = (struct sink_part){stats->sum.pairs, stats->plan.bins.count, false};
    return SINK_PARTS;
}

/* Adds up the counts of all workers and ranks. Pairs of a vertex and itself, which are at distance
 * 0, do not count. */
static void add_up(struct sink *sink)
{
    struct stats *stats = sink->state;
    struct comm *comm = sink->task->comm;
    end_lanes(stats);
    comm_sum_all(comm, (size_t *)stats->rows, stats_row_words(sink->task, &stats->plan));
    if (stats->sum.most) {
        comm_most_all(comm, stats->sum.most, stats->plan.n);
        comm_sum_all(comm, stats->sum.reached, stats->plan.n);
    }
    if (stats->sum.pairs) {
        comm_sum_all(comm, stats->sum.pairs, stats->plan.bins.count);
        stats->sum.pairs[-stats->plan.bins.first] -= sink_rows(sink->task);
    }
}

/* The largest values of the columns of halves, if some rank has made any. */
static int add_most(struct sink *sink, struct apsp_error *error)
{
    struct stats *stats = sink->state;
    struct comm *comm = sink->task->comm;
    if (comm_most(comm, stats->most != NULL) == 0)
        return APSP_OK;
    if (!take_most(stats))
        no_memory(sink, error);
    if (comm_agree(comm, error))
        return error->code;
    comm_most_all(comm, stats->most, stats->plan.n);
    for (size_t v = 0; v < stats->plan.n; v++)
        stats->rows[v].most.whole = int64_max(stats->rows[v].most.whole, (int64_t)stats->most[v]);
    return APSP_OK;
}

/* What all workers and ranks have. Multiples of a scale are given as what they stand for, whatever
 * files have.
 */
static struct stats_counts counts_of(const struct sink *sink)
{
    const struct stats *stats = sink->state;
    const struct sink_task *task = sink->task;
    const bool real = dtype_info[task->file].real || scale_factor(task->scale) != 1;
    return (struct stats_counts){
        .plan = &stats->plan,
        .scaled = real && !dtype_info[task->dtype].real,
        .scale = task->scale,
        .rows = sink_rows(task),
        .vertex = task->sources && task->sources->count ? task->sources->vertex : NULL,
        .row = stats->rows,
        .threads = task->threads,
        .made = stats->made,
        .sum = stats->sum};
}

static int count_all(struct sink *sink, struct apsp_error *error)
{
    struct stats *stats = sink->state;
    const struct sink_task *task = sink->task;
    add_up(sink);
    if (add_most(sink, error))
        return error->code;
    const struct stats_counts all = counts_of(sink);
    if (stats_make(&stats->result, &all, error))
        return error->code;
    const struct apsp_stats *result = &stats->result;
    for (int q = 0; result->bins > 0 && q < APSP_QUANTILES; q++)
        stats->quantile[q] =
            quantile_start(dtype_info[task->dtype].real, &stats->plan.bins, stats->sum.pairs,
                           stats_rank(q, result->pairs - result->sources));
    stats->counted = true;
    return APSP_OK;
}

static void narrow(struct sink *sink)
{
    struct stats *stats = sink->state;
    const struct stats_counts all = counts_of(sink);
    const size_t words = stats_narrowing_words(&stats->plan);
    memset(stats->narrowing, 0, words * sizeof *stats->narrowing);
    for (int i = 0; i < SINK_LANES; i++)
        if (stats->lane[i].words) {
            for (size_t k = 0; k < words; k++)
                stats->narrowing[k] += stats->lane[i].words[k];
            memset(stats->lane[i].words, 0, words * sizeof(size_t));
        }
    comm_sum_all(sink->task->comm, stats->narrowing, words);
    for (int q = 0; q < APSP_QUANTILES; q++) {
        quantile_narrow(&stats->quantile[q], stats->narrowing + (size_t)q * quantile_words(1));
        stats->result.quantile[q].at = stats_value(
            &all, quantile_value(dtype_info[stats->plan.dtype].real, stats->quantile[q].low));
    }
}

static bool again(const struct sink *sink)
{
    const struct stats *stats = sink->state;
    bool wide = false;
    for (int q = 0; q < APSP_QUANTILES; q++)
        wide |= stats->quantile[q].low < stats->quantile[q].high;
    return wide && stats->narrowing;
}

static int write_file(const struct sink *sink, struct apsp_error *error)
{
    struct stats *stats = sink->state;
    const struct stats_text text = {&stats->result, sink->task->threads,
                                    sink->task->certificate.labels};
    return stats_is_json(sink->task->results->stats) ? stats_json(sink->staged, &text, error)
                                                     : stats_csv(sink->staged, &text, error);
}

static int merge(struct sink *sink, struct apsp_error *error)
{
    struct stats *stats = sink->state;
    if (stats->counted)
        narrow(sink);
    else if (count_all(sink, error))
        return error->code;
    sink->rows = sink_rows(sink->task);
    sink->amount += (double)sink->rows * (double)sink->task->n;
    sink->unit = "distances/s";
    if (again(sink))
        return APSP_OK;
    stats->result.exact |= stats->narrowing != NULL;
    return sink->staged && staged_is_pending(sink->staged) ? write_file(sink, error) : APSP_OK;
}

struct apsp_stats *sink_stats_result(const struct sink *sink)
{
    return &((struct stats *)sink->state)->result;
}

static void close_stats(struct sink *sink)
{
    struct stats *stats = sink->state;
    if (!stats)
        return;
    for (int i = 0; i < SINK_LANES; i++) {
        accumulator_free(stats->lane[i].accumulator);
        half_counts_free(stats->lane[i].half);
        free(stats->lane[i].counts);
        mem_free(stats->lane[i].words);
    }
    if (stats->device)
        accumulator_device()->free(stats->device);
    apsp_stats_free(&stats->result);
    mem_free(stats->narrowing);
    mem_free(stats->most);
    mem_free(stats->sum.pairs);
    mem_free(stats->sum.reached);
    mem_free(stats->sum.most);
    mem_free(stats->rows);
    free(stats);
}

const struct sink_ops sink_stats = {
    .name = "statistics",
    .works = true,
    .asked = asked,
    .path = path,
    .setting = SETTING_STATS,
    .suffixes = ".json .csv .txt .html",
    .stages = true,
    .counts = counts,
    .on_device = on_device,
    .histogram = histogram,
    .halves = halves,
    .half = half,
    .need = need,
    .open = open_stats,
    .take = take,
    .save = save,
    .merge = merge,
    .again = again,
    .close = close_stats,
};
