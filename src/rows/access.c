#include "rows/access.h"

#include "base/mem.h"
#include "kernels/cpu/decay.h"
#include "rows/choose.h"
#include "rows/pile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What all blocks that are left out come to, of a sum: less than its rounding. */
#define NEGLIGIBLE 0x1p-60

struct lane {
    void *row; /* The columns of the targets. */
    double raw[DECAY_BLOCK], distance[DECAY_BLOCK], weight[DECAY_BLOCK];
    double *far; /* For each decay: blocks beyond it are negligible. */
    struct pile *pile;
};

struct access {
    struct access_plan plan;
    const struct sink_task *task;
    const struct decay_kernels *kernels;
    size_t columns, blocks; /* Of a row. */
    double factor;          /* Values of rows are distances times this. */
    double most;            /* The largest share. */
    double *amount;         /* For each block and kind, DECAY_BLOCK entries. */
    double *sum;            /* For each block and kind. */
    double *total;          /* For each kind. */
    double *limit;          /* For each decay that is a step, in the unit of rows. */
    double *value;
    struct lane *lane[SINK_LANES];
};

static size_t blocks_of(const struct sink_task *task)
{
    return (sink_columns(task) + DECAY_BLOCK - 1) / DECAY_BLOCK;
}

/* Places what all lanes share. */
static size_t access_layout(struct access *access, const struct access_plan *plan,
                            const struct sink_task *task, void *base)
{
    struct mem_layout layout = {.base = base};
    const size_t sums = mem_bytes(blocks_of(task), plan->columns);
    access->amount = mem_place(&layout, mem_bytes(sums, DECAY_BLOCK), sizeof(double));
    access->sum = mem_place(&layout, sums, sizeof(double));
    access->total = mem_place(&layout, plan->columns, sizeof(double));
    access->limit = mem_place(&layout, plan->decays, sizeof(double));
    access->value =
        mem_place(&layout, mem_bytes(sink_rows(task), access_width(plan)), sizeof(double));
    return layout.bytes;
}

static size_t place_lane(struct lane *lane, const struct access_plan *plan,
                         const struct sink_task *task, void *base)
{
    struct mem_layout layout = {.base = base};
    struct lane *self = mem_place(&layout, 1, sizeof *self);
    struct lane parts = {0};
    parts.far = mem_place(&layout, plan->decays, sizeof *parts.far);
    parts.pile = mem_place(&layout, plan->shares > 0 ? plan->columns : 0, sizeof *parts.pile);
    parts.row =
        mem_place(&layout, task->targets ? sink_columns(task) : 0, dtype_info[task->dtype].bytes);
    if (lane)
        *lane = parts;
    return layout.bytes;
}

size_t access_need(const struct access_plan *plan, const struct sink_task *task, int lanes)
{
    struct access access;
    size_t all;
    mem_mul(&all, place_lane(NULL, plan, task, NULL), (size_t)lanes);
    mem_add(&all, all, access_layout(&access, plan, task, NULL));
    return all;
}

static void fill(struct access *access)
{
    const struct access_plan *plan = &access->plan;
    const uint32_t *target = access->task->targets ? access->task->targets->vertex : NULL;
    for (size_t j = 0; j < access->columns; j++)
        for (size_t c = 0; c < plan->columns; c++) {
            const size_t at = j / DECAY_BLOCK * plan->columns + c;
            const double amount = plan->amount[c * access->task->n + (target ? target[j] : j)];
            access->amount[at * DECAY_BLOCK + j % DECAY_BLOCK] = amount;
            access->sum[at] += amount;
            access->total[c] += amount;
        }
    for (size_t k = 0; k < plan->decays; k++)
        if (plan->decay[k].kind == APSP_DECAY_STEP) {
            const union value most =
                choose_most(access->task->dtype, access->task->scale, plan->decay[k].at);
            access->limit[k] =
                dtype_info[access->task->dtype].real ? most.real : (double)most.whole;
        }
    for (size_t k = 0; k < plan->shares; k++)
        access->most = fmax(access->most, plan->share[k]);
}

int access_new(struct access **out, const struct access_plan *plan, const struct sink_task *task,
               struct apsp_error *error)
{
    struct access *access = *out = calloc(1, sizeof *access);
    void *memory = access ? mem_alloc(access_layout(access, plan, task, NULL) + 1) : NULL;
    if (!memory) {
        free(access);
        *out = NULL;
        return error_set(error, APSP_MEMORY, "no memory for accessibility on %s", task->comm->host);
    }
    access_layout(access, plan, task, memory);
    access->plan = *plan;
    access->task = task;
    access->kernels = decay_choose();
    access->columns = sink_columns(task);
    access->blocks = blocks_of(task);
    access->factor = dtype_info[task->dtype].real ? 1 : scale_factor(task->scale);
    fill(access);
    return APSP_OK;
}

void access_free(struct access *access)
{
    if (!access)
        return;
    for (int i = 0; i < SINK_LANES; i++) {
        struct lane *lane = access->lane[i];
        for (size_t c = 0; lane && access->plan.shares > 0 && c < access->plan.columns; c++)
            free(lane->pile[c].heap);
        mem_free(lane);
    }
    mem_free(access->amount);
    free(access);
}

static int no_memory(const struct access *access, struct apsp_error *error)
{
    return error_set(error, APSP_MEMORY, "no memory for accessibility on %s",
                     access->task->comm->host);
}

/* Where a decay has become negligible beside a sum that has this share of all amounts, in the unit
 * of rows. */
static double far_of(const struct access *access, const struct apsp_decay *decay, double share)
{
    const double steps = share > 0 ? -log(NEGLIGIBLE * share) : (double)INFINITY;
    switch (decay->kind) {
    case APSP_DECAY_EXPONENTIAL:
        return access->factor * (decay->at * steps);
    case APSP_DECAY_LOGISTIC:
        return access->factor * (decay->at + decay->spread * steps);
    case APSP_DECAY_POINTS:
        return decay->weight[decay->points - 1] > 0
                   ? (double)INFINITY
                   : access->factor * decay->distance[decay->points - 1] * (1 + 0x1p-40);
    default:
        return access->factor * decay->at * (1 + 0x1p-40);
    }
}

/* The least share that a sum of this decay has of its total. */
static double share_of(const struct access *access, const double *value, size_t k)
{
    const size_t each = access->plan.decays + access->plan.shares;
    double least = 1;
    for (size_t c = 0; c < access->plan.columns; c++)
        if (access->total[c] > 0)
            least = fmin(least, value[c * each + k] / access->total[c]);
    return least;
}

static void set_far(const struct access *access, struct lane *lane, const double *value)
{
    for (size_t k = 0; k < access->plan.decays; k++)
        lane->far[k] = far_of(access, &access->plan.decay[k], share_of(access, value, k));
}

/* Linear between the points; the first and the last weight beyond them. */
static double weight_between(const struct apsp_decay *decay, double distance)
{
    size_t low = 0, high = decay->points;
    if (!(distance > decay->distance[0]))
        return decay->weight[0];
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(distance < decay->distance[middle] ? &high : &low) = middle;
    }
    if (high == decay->points)
        return decay->weight[low];
    const double part =
        (distance - decay->distance[low]) / (decay->distance[high] - decay->distance[low]);
    return decay->weight[low] + part * (decay->weight[high] - decay->weight[low]);
}

static void weigh_distances(const struct access *access, const struct apsp_decay *decay,
                            struct lane *lane)
{
    double *weight = lane->weight;
    const double *distance = access->factor != 1 ? lane->distance : lane->raw;
    switch (decay->kind) {
    case APSP_DECAY_EXPONENTIAL:
        access->kernels->exponential(weight, distance, 1 / decay->at);
        break;
    case APSP_DECAY_LOGISTIC:
        access->kernels->logistic(weight, distance, decay->at, 1 / decay->spread);
        break;
    case APSP_DECAY_POINTS:
        for (size_t j = 0; j < DECAY_BLOCK; j++)
            weight[j] = distance[j] < (double)INFINITY ? weight_between(decay, distance[j]) : 0;
        break;
    default:
        for (size_t j = 0; j < DECAY_BLOCK; j++)
            weight[j] = fmin(fmax(1 - distance[j] / decay->at, 0), 1);
    }
}

/* A block of a row, whose distances are in the lane once they are needed. */
struct part {
    const void *values;
    size_t count, number;
    double low, high;
    bool widened;
};

static void widen(const struct access *access, struct lane *lane, struct part *part)
{
    if (part->widened)
        return;
    access->kernels->widen(access->task->dtype, part->values, part->count, lane->raw);
    for (size_t j = 0; access->factor != 1 && j < DECAY_BLOCK; j++)
        lane->distance[j] = lane->raw[j] / access->factor;
    part->widened = true;
}

static void add_step(const struct access *access, struct lane *lane, struct part *part, size_t k,
                     double *value)
{
    const size_t kinds = access->plan.columns, each = access->plan.decays + access->plan.shares;
    const double limit = access->limit[k];
    if (part->low > limit)
        return;
    const bool whole = part->high <= limit;
    if (!whole)
        widen(access, lane, part);
    for (size_t c = 0; c < kinds; c++) {
        const size_t at = part->number * kinds + c;
        value[c * each + k] +=
            whole ? access->sum[at]
                  : access->kernels->within(lane->raw, limit, access->amount + at * DECAY_BLOCK);
    }
}

static void add_decay(const struct access *access, struct lane *lane, struct part *part, size_t k,
                      double *value)
{
    const size_t kinds = access->plan.columns, each = access->plan.decays + access->plan.shares;
    if (part->low > lane->far[k] || !(part->low < (double)INFINITY))
        return;
    widen(access, lane, part);
    weigh_distances(access, &access->plan.decay[k], lane);
    for (size_t c = 0; c < kinds; c++) {
        const size_t at = part->number * kinds + c;
        value[c * each + k] +=
            access->kernels->weigh(lane->weight, access->amount + at * DECAY_BLOCK);
    }
}

static int add_near(const struct access *access, struct lane *lane, struct part *part,
                    struct apsp_error *error)
{
    const size_t kinds = access->plan.columns;
    for (size_t c = 0; access->plan.shares > 0 && c < kinds; c++) {
        const size_t at = part->number * kinds + c;
        const double *amount = access->amount + at * DECAY_BLOCK;
        struct pile *pile = &lane->pile[c];
        if (!(part->low < pile->limit) || access->sum[at] == 0)
            continue;
        widen(access, lane, part);
        for (size_t j = 0; j < part->count; j++)
            if (amount[j] > 0 && lane->raw[j] < pile->limit &&
                !pile_add(pile, (struct near){lane->raw[j], amount[j]}, access->most))
                return no_memory(access, error);
    }
    return APSP_OK;
}

/* The distances within which the shares are. */
static void end_near(const struct access *access, struct lane *lane, double *value)
{
    const struct access_plan *plan = &access->plan;
    const size_t each = plan->decays + plan->shares;
    for (size_t c = 0; plan->shares > 0 && c < plan->columns; c++) {
        pile_sort(&lane->pile[c]);
        for (size_t k = 0; k < plan->shares; k++)
            value[c * each + plan->decays + k] =
                pile_within(&lane->pile[c], plan->share[k]) / access->factor;
    }
}

static bool is_empty(const struct access *access, size_t block)
{
    for (size_t c = 0; c < access->plan.columns; c++)
        if (access->sum[block * access->plan.columns + c] > 0)
            return false;
    return true;
}

static int add_block(const struct access *access, struct lane *lane, const void *row, size_t number,
                     double *value, struct apsp_error *error)
{
    const enum dtype dtype = access->task->dtype;
    const size_t first = number * DECAY_BLOCK, left = access->columns - first;
    struct part part = {.values = (const char *)row + first * dtype_info[dtype].bytes,
                        .count = left < DECAY_BLOCK ? left : DECAY_BLOCK,
                        .number = number};
    double bounds[2];
    if (is_empty(access, number))
        return APSP_OK;
    access->kernels->bounds(dtype, part.values, part.count, bounds);
    part.low = bounds[0];
    part.high = bounds[1];
    for (size_t k = 0; k < access->plan.decays; k++)
        (access->plan.decay[k].kind == APSP_DECAY_STEP ? add_step : add_decay)(access, lane, &part,
                                                                               k, value);
    return add_near(access, lane, &part, error);
}

/* The block of the source is the first, since decays are large there. What is negligible is found
 * anew after 1, 2, 4, .. blocks. */
static int take_row(const struct access *access, struct lane *lane, const void *row, size_t source,
                    double *value, struct apsp_error *error)
{
    const size_t begin = access->task->targets ? 0 : source / DECAY_BLOCK;
    for (size_t c = 0; access->plan.shares > 0 && c < access->plan.columns; c++) {
        pile_empty(&lane->pile[c]);
    }
    set_far(access, lane, value);
    for (size_t i = 0; i < access->blocks && !error->code; i++) {
        add_block(access, lane, row, (begin + i) % access->blocks, value, error);
        if (((i + 1) & i) == 0)
            set_far(access, lane, value);
    }
    end_near(access, lane, value);
    return error->code;
}

int access_take(struct access *access, int number, const struct block *block,
                struct apsp_error *error)
{
    struct lane *lane = access->lane[number];
    const size_t width = access_width(&access->plan);
    if (!lane) {
        lane = access->lane[number] =
            mem_alloc(place_lane(NULL, &access->plan, access->task, NULL));
        if (!lane)
            return no_memory(access, error);
        struct lane parts;
        place_lane(&parts, &access->plan, access->task, lane);
        *lane = parts;
    }
    for (size_t k = 0; k < block->count && !error->code; k++) {
        const size_t source = block_source(block, k), at = sink_place(access->task, source);
        if (at < sink_rows(access->task))
            take_row(access, lane, sink_row(access->task, block, k, lane->row), source,
                     access->value + at * width, error);
    }
    return error->code;
}

size_t *access_words(struct access *access, size_t *count)
{
    *count = sink_rows(access->task) * access_width(&access->plan);
    return (size_t *)access->value;
}

const double *access_merge(struct access *access)
{
    size_t count, *words = access_words(access, &count);
    comm_sum_all(access->task->comm, words, count);
    return access->value;
}
