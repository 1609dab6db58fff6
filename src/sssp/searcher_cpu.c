/* Rows by the cores of the machine: a worker searches by itself, one batch of sources after
 * another. */
#include "base/mem.h"
#include "engine/groups.h"
#include "rows/convert.h"
#include "rows/counted.h"
#include "sssp/corrector.h"
#include "sssp/folding.h"
#include "sssp/levels.h"
#include "sssp/searcher.h"
#include "sssp/shape.h"
#include "sssp/single.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Arcs times sources a second of a thread, with bits and with labels of 16 bits; rough, measured by
 * bench/sssp. */
#define WAVES_RATE  8e9
#define LABELS_RATE 0.5e9
#define ALONE_RATE  0.03e9

enum {
    SQUARE = 64, /* sources and vertices whose values are transposed together */
    ALIGN = 64,
    ROWS_MOST = 1 << 20, /* bytes of a block, which caches hold, if it has more than: */
    ROWS_LEAST = 8       /* rows */
};

struct lane {
    struct waves *waves; /* For equal weights; or */
    struct corrector *corrector;
    struct single *single; /* For sources alone. */
    struct levels levels;
    struct counted counted;
    size_t first, count, at; /* The batch in hand, and its sources whose rows have been given. */
    uint32_t *source;        /* Vertices of the batch. */
    char *rows, *given;      /* As computed; converted, where that changes anything. */
    char *square;            /* Some rows of labels before they are transposed. */
    char *picked;            /* The columns that are wanted of a row of all. */
};

struct cpu {
    struct searcher base;
    struct searcher_request request;
    atomic_size_t next; /* Group of this rank. */
    struct lane lane[SINK_LANES];
};

static bool is_equal(const struct searcher_case *its)
{
    return its->weights->equal;
}

static bool converts(const struct searcher_case *its)
{
    const struct engine_task *task = its->task;
    return (its->alone || !is_equal(its)) &&
           convert_changes(task->dtype, task->output, task->shifted);
}

/* Harmonic sums are rounded, and a probe chooses between labels and single searches: so both count
 * them from rows, in one order. */
static unsigned cpu_counts(const struct searcher_case *its)
{
    bool many = its->counts & APSP_STATS_HISTOGRAM && its->task->n > SHAPE_PAIRS / BITS_LEAST;
    bool ordered = its->counts & APSP_STATS_HARMONIC && !is_equal(its);
    return its->alone || many || ordered ? 0 : its->counts;
}

static size_t cpu_parallel(const struct searcher_case *its)
{
    return (size_t)its->task->threads;
}

static int cpu_lanes(const struct searcher_case *its, int working, size_t group)
{
    (void)group;
    return working > 0 ? working : its->task->threads;
}

static size_t cpu_width(const struct searcher_case *its)
{
    return its->alone      ? 1
           : is_equal(its) ? shape_width(its)
                           : corrector_width(its->task->dtype, CORRECTOR_PAIRS);
}

static double cpu_rate(const struct searcher_case *its, int lanes)
{
    const double each = its->alone ? ALONE_RATE
                        : is_equal(its)
                            ? WAVES_RATE
                            : LABELS_RATE * 2 / (double)dtype_info[its->task->dtype].bytes;
    return each * lanes;
}

static size_t stride_of(size_t columns)
{
    return columns < SIZE_MAX - ALIGN ? (columns + ALIGN - 1) / ALIGN * ALIGN : columns;
}

static size_t columns_of(const struct searcher_case *its)
{
    const struct rows_request *request = &its->task->rows_request;
    return its->counts ? 0 : request->column ? request->columns : its->task->n;
}

/* Rows of a block of values. */
static size_t block_rows(const struct searcher_case *its, size_t columns)
{
    size_t rows = SQUARE, row = mem_bytes(columns, dtype_info[its->task->output].bytes);
    if (its->alone)
        return 1;
    if (!is_equal(its))
        return relax_choose(its->task->dtype, NULL)->nr;
    while (rows > ROWS_LEAST && mem_bytes(rows, row) > ROWS_MOST)
        rows /= 2;
    return rows;
}

/* The memory of a worker, but for that of its searches. */
static size_t lane_place(struct lane *lane, const struct searcher_case *its, size_t group,
                         size_t columns, void *base)
{
    struct mem_layout layout = {.base = base};
    const struct engine_task *task = its->task;
    const bool bits = is_equal(its) && !its->alone, labels = !is_equal(its) && !its->alone;
    const size_t values = columns > 0 ? mem_bytes(block_rows(its, columns), stride_of(columns)) : 0,
                 each = dtype_info[bits ? task->output : task->dtype].bytes;
    lane->rows = mem_place(&layout, its->alone ? 0 : values, each);
    lane->picked = mem_place(&layout, its->alone ? values : 0, each);
    lane->given = mem_place(&layout, converts(its) ? values : 0, dtype_info[task->output].bytes);
    lane->source = mem_place(&layout, group, sizeof *lane->source);
    lane->square = mem_place(&layout, labels ? SQUARE * RELAX_ROW : 0, each);
    if (labels)
        counted_place(&lane->counted, &layout, task->dtype, task->n, its->counts, false);
    return layout.bytes;
}

static int cpu_need(struct searcher_need *need, const struct searcher_case *its, size_t group,
                    int lanes, struct apsp_error *error)
{
    struct lane lane;
    const struct engine_task *task = its->task;
    const struct rows_request *rows = &task->rows_request;
    const struct single_request alone =
        single_request_of(task, rows->column, rows->columns, rows->near);
    const bool folds = folding_serves(task, its->weights);
    size_t each = lane_place(&lane, its, group, columns_of(its), NULL);
    if (its->alone)
        mem_add(&each, each, single_need(task->n, task->dtype, &alone, folds));
    else if (is_equal(its))
        mem_add(&each, each, shape_need(its, group));
    else
        mem_add(&each, each, corrector_need(task->n, task->dtype, cpu_width(its)));
    *need = (struct searcher_need){.host = mem_bytes(each, (size_t)lanes)};
    return error->code;
}

static struct searcher_case case_of(const struct cpu *cpu)
{
    return (struct searcher_case){.task = cpu->base.task,
                                  .weights = cpu->base.weights,
                                  .sources = cpu->request.sources,
                                  .counts = cpu->request.counts,
                                  .alone = cpu->base.alone,
                                  .on_host = true};
}

static const char *cpu_describe(const struct searcher *searcher)
{
    return searcher->alone            ? "one source at a time"
           : searcher->weights->equal ? bits_choose(BITS_LEAST)->name
                                      : relax_choose(searcher->task->dtype, NULL)->name;
}

static int cpu_open(struct searcher **searcher, const struct engine_task *task,
                    const struct network *network, const struct network_weights *weights,
                    struct apsp_error *error)
{
    struct cpu *cpu = calloc(1, sizeof *cpu);
    *searcher = cpu ? &cpu->base : NULL;
    if (!cpu)
        return error_set(error, APSP_MEMORY, "no memory for the rows of %zu vertices", task->n);
    cpu->base = (struct searcher){
        .ops = &searcher_cpu, .task = task, .network = network, .weights = weights};
    return APSP_OK;
}

static void free_lanes(struct cpu *cpu)
{
    for (int i = 0; i < SINK_LANES; i++) {
        struct lane *lane = &cpu->lane[i];
        waves_free(lane->waves);
        corrector_free(lane->corrector);
        single_close(lane->single);
        levels_free(&lane->levels);
        mem_free(lane->rows); /* the first of what lane_place places */
        *lane = (struct lane){0};
    }
}

static int cpu_start(struct searcher *searcher, const struct searcher_request *request,
                     struct apsp_error *error)
{
    struct cpu *cpu = (struct cpu *)searcher;
    free_lanes(cpu);
    cpu->request = *request;
    atomic_store(&cpu->next, 0);
    return error->code;
}

/* By the thread that will use it. */
static bool open_lane(struct cpu *cpu, struct lane *lane, struct apsp_error *error)
{
    const struct searcher_case its = case_of(cpu);
    const struct network *network = cpu->base.network;
    const struct waves_plan plan = shape_plan(&its, cpu->base.group);
    const size_t columns = its.counts ? 0 : cpu->request.columns;
    if (lane->source)
        return true;
    void *memory = mem_alloc(lane_place(lane, &its, cpu->base.group, columns, NULL));
    lane_place(lane, &its, cpu->base.group, columns, memory);
    if (!memory) {
        *lane = (struct lane){0};
        error_set(error, APSP_MEMORY, "no memory for rows on host %s", its.task->comm->host);
    } else if (its.alone) {
        const struct single_request request = single_request_of(
            its.task, cpu->request.vertex, cpu->request.columns, cpu->request.near);
        single_open(&lane->single, network, its.task->dtype, its.weights->unit, &request, error);
    } else if (is_equal(&its)) {
        const struct waves_arcs arcs = shape_arcs(network);
        waves_open(&lane->waves, &arcs, &plan, error);
    } else {
        corrector_open(&lane->corrector, network, its.task->dtype, cpu_width(&its), error);
    }
    lane->counted.columns.vertex = network->vertex;
    return !error->code;
}

/* Where pairs of equal weights go. */
struct pairs {
    const struct count_target *target;
    int lane;
    int64_t unit;
    struct apsp_error *error;
};

static bool add_pairs(void *self, size_t level, size_t count)
{
    const struct pairs *pairs = self;
    const struct count_target *target = pairs->target;
    uint32_t *bins = count_more(target, pairs->lane, count, pairs->error);
    if (bins)
        bins[((int64_t)level * pairs->unit) >> target->bins.shift] += (uint32_t)count;
    return bins != NULL;
}

static bool run_waves(struct cpu *cpu, int number, const uint32_t *source, struct apsp_error *error)
{
    struct lane *lane = &cpu->lane[number];
    const struct searcher_request *request = &cpu->request;
    const int64_t unit = cpu->base.weights->unit.whole;
    struct pairs pairs = {&request->histogram, number, unit, error};
    const struct waves_listener listener = {&pairs, add_pairs};
    const struct levels_type type = {cpu->base.task->dtype, cpu->base.task->output,
                                     cpu->base.weights->unit};
    const struct waves_batch batch = {.source = source,
                                      .count = lane->count,
                                      .targets = request->vertex ? request->column : NULL,
                                      .target_count = request->vertex ? request->columns : 0,
                                      .listener = request->counts & APSP_STATS_HISTOGRAM ? &listener
                                                                                         : NULL};
    if (waves_run(lane->waves, &batch, error))
        return false;
    if (request->counts == 0)
        return !levels_fill(&lane->levels, lane->waves->planes, lane->waves->levels, &type,
                            error) &&
               !levels_open(&lane->levels, lane->waves->planes, request->columns, lane->count,
                            error);
    waves_scale(lane->waves, lane->count, unit);
    return true;
}

/* The next batch of this rank; false: there is none, or an error. */
static bool next_batch(struct cpu *cpu, int number, struct apsp_error *error)
{
    struct lane *lane = &cpu->lane[number];
    const struct searcher_request *request = &cpu->request;
    const size_t turn = atomic_fetch_add(&cpu->next, 1);
    lane->count =
        groups_at(cpu->base.task->comm, request->sources, cpu->base.group, turn, &lane->first);
    lane->at = 0;
    if (lane->count == 0 || !open_lane(cpu, lane, error))
        return false;
    const uint32_t *source = request->source + lane->first;
    for (size_t i = 0; i < lane->count; i++)
        lane->source[i] = cpu->base.network->vertex[source[i]];
    if (lane->waves)
        return run_waves(cpu, number, source, error);
    if (lane->corrector)
        return corrector_run(lane->corrector, source, lane->count, NULL);
    return single_from(lane->single, source[0], error) == APSP_OK;
}

static const void *give_levels(struct cpu *cpu, struct lane *lane, struct block *block)
{
    const struct levels_rows want = {.first = lane->at,
                                     .count = block->count,
                                     .column = cpu->request.column,
                                     .columns = cpu->request.columns,
                                     .rows = lane->rows,
                                     .stride = stride_of(cpu->request.columns)};
    levels_rows(&lane->levels, lane->waves, cpu->base.task->output, &want);
    return lane->rows;
}

/* Rows as they are given out, from those that are computed. */
static const void *convert_rows(struct cpu *cpu, struct lane *lane, const struct block *block,
                                const char *rows)
{
    const struct searcher_case its = case_of(cpu);
    const struct engine_task *task = its.task;
    const size_t from = dtype_info[task->dtype].bytes, to = dtype_info[task->output].bytes;
    const struct conversion conversion = {task->dtype, task->output, block->n,
                                          task->shifted ? task->potential->h : NULL, block->column};
    if (!converts(&its))
        return rows;
    for (size_t r = 0; r < block->count; r++)
        convert_row(&conversion, block->source[r], rows + r * block->stride * from,
                    lane->given + r * block->stride * to);
    return lane->given;
}

/* The columns that are wanted, or that are near, of the row that a search has made. */
static const void *give_search(struct cpu *cpu, struct lane *lane, struct block *block)
{
    const struct single *single = lane->single;
    const size_t bytes = dtype_info[cpu->base.task->dtype].bytes;
    const char *row = single->row;
    if (single->request.near.asked) {
        block->part = true;
        block->column = single->found;
        block->n = single->found_count;
    }
    for (size_t k = 0; block->column && k < block->n; k++)
        memcpy(lane->picked + k * bytes, row + block->column[k] * bytes, bytes);
    return convert_rows(cpu, lane, block, block->column ? lane->picked : row);
}

static const void *give_labels(struct cpu *cpu, struct lane *lane, struct block *block)
{
    const struct searcher_request *request = &cpu->request;
    const struct relax_kernels *kernels = lane->corrector->kernels;
    const size_t stride = stride_of(request->columns),
                 bytes = dtype_info[cpu->base.task->dtype].bytes;
    for (size_t c = 0, columns; c < request->columns; c += columns) {
        columns = request->columns - c < SQUARE ? request->columns - c : SQUARE;
        corrector_gather(lane->corrector, lane->at / kernels->nr, request->column + c, columns,
                         lane->square);
        kernels->rows_turn(lane->rows + c * bytes, stride, lane->square, columns, block->count);
    }
    return convert_rows(cpu, lane, block, lane->rows);
}

static bool count_labels(struct cpu *cpu, int number, struct block *block, struct apsp_error *error)
{
    struct lane *lane = &cpu->lane[number];
    const struct relax_kernels *kernels = lane->corrector->kernels;
    const size_t n = cpu->base.network->n;
    if (counted_start(&lane->counted, &cpu->request.histogram, number, block->count, error))
        return false;
    for (size_t v = 0, rows; v < n; v += rows) {
        rows = n - v < SQUARE ? n - v : SQUARE;
        corrector_copy(lane->corrector, lane->at / kernels->nr, v, rows, lane->square);
        relax_accumulator_rows(&lane->counted.accumulator, kernels, lane->square, rows, v);
    }
    relax_accumulator_end(&lane->counted.accumulator, kernels);
    counted_end(&lane->counted, block->count, block);
    return true;
}

/* Rows that the next block of the batch has. */
static size_t next_count(const struct cpu *cpu, const struct lane *lane)
{
    const struct searcher_case its = case_of(cpu);
    size_t left = lane->count - lane->at, most = block_rows(&its, cpu->request.columns);
    if (lane->waves && cpu->request.counts)
        return left;
    return left < most ? left : most;
}

static bool cpu_next(struct searcher *searcher, int number, struct block *block,
                     struct apsp_error *error)
{
    struct cpu *cpu = (struct cpu *)searcher;
    struct lane *lane = &cpu->lane[number];
    const struct searcher_request *request = &cpu->request;
    if (lane->at == lane->count && !next_batch(cpu, number, error))
        return false;
    *block = (struct block){.n = request->counts ? searcher->task->n : request->columns,
                            .column = request->counts ? NULL : request->vertex,
                            .count = next_count(cpu, lane),
                            .source = lane->source + lane->at,
                            .dtype = searcher->task->output,
                            .stride = stride_of(request->columns)};
    if (!request->counts) {
        block->values = (lane->waves       ? give_levels
                         : lane->corrector ? give_labels
                                           : give_search)(cpu, lane, block);
    } else if (lane->waves) {
        block->counts = lane->waves->counts + lane->at;
        block->columns = request->counts & APSP_STATS_IN ? &lane->waves->columns : NULL;
    } else if (!count_labels(cpu, number, block, error)) {
        return false;
    }
    lane->at += block->count;
    return true;
}

static void cpu_free(struct searcher *searcher)
{
    if (!searcher)
        return;
    free_lanes((struct cpu *)searcher);
    free(searcher);
}

const struct searcher_ops searcher_cpu = {
    .device = &device_cpu,
    .counts = cpu_counts,
    .parallel = cpu_parallel,
    .lanes = cpu_lanes,
    .width = cpu_width,
    .rate = cpu_rate,
    .need = cpu_need,
    .describe = cpu_describe,
    .open = cpu_open,
    .start = cpu_start,
    .next = cpu_next,
    .free = cpu_free,
};
