/* A row is weighed: what its blocks are within steps, and what smooth decays make of them. */
#include "rows/access_row.h"

#include "base/minmax.h"

#include <math.h>
#include <string.h>

/* Bytes of a line of the cache, so that a block has one for each byte of a value. */
enum { LINE = DECAY_BLOCK };

/* What all blocks that are left out come to, of a sum: less than its rounding. */
#define NEGLIGIBLE 0x1p-60

double access_reach(const struct apsp_decay *decay)
{
    const size_t last = decay->points - 1;
    switch (decay->kind) {
    case APSP_DECAY_STEP:
        return decay->at;
    case APSP_DECAY_LINEAR:
        return decay->at * (1 + 0x1p-40);
    case APSP_DECAY_POINTS:
        return decay->weight[last] > 0 ? (double)INFINITY : decay->distance[last] * (1 + 0x1p-40);
    default:
        return (double)INFINITY;
    }
}

double access_far(const struct access *access, const struct apsp_decay *decay, double share)
{
    const double steps = share > 0 ? -log(NEGLIGIBLE * share) : (double)INFINITY;
    switch (decay->kind) {
    case APSP_DECAY_EXPONENTIAL:
        return access->factor * (decay->at * steps);
    case APSP_DECAY_LOGISTIC:
        return access->factor * (decay->at + decay->spread * steps);
    default:
        return access->factor * access_reach(decay);
    }
}

/* The parts of the sum of a kind, by decay k in the order of all. */
static double *parts_of(const struct access *access, struct access_row *row, size_t k, size_t c)
{
    return row->sum + (k * access->plan.columns + c) * DECAY_LANES;
}

/* Linear between the points; the first and the last weight beyond them. No term is below 0, so none
 * cancels another. */
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
    const double before = distance - decay->distance[low],
                 behind = decay->distance[high] - distance;
    return (decay->weight[low] * behind + decay->weight[high] * before) / (before + behind);
}

void access_weigh_distances(const struct access *access, const struct apsp_decay *decay,
                            const double *distance, size_t count, double *weight)
{
    switch (decay->kind) {
    case APSP_DECAY_EXPONENTIAL:
        access->kernels->exponential(weight, distance, count, 1 / decay->at);
        break;
    case APSP_DECAY_LOGISTIC:
        access->kernels->logistic(weight, distance, count, decay->at, 1 / decay->spread);
        break;
    case APSP_DECAY_POINTS:
        for (size_t j = 0; j < count; j++)
            weight[j] = distance[j] < (double)INFINITY ? weight_between(decay, distance[j]) : 0;
        break;
    default:
        for (size_t j = 0; j < count; j++)
            weight[j] = fmin(fmax((decay->at - distance[j]) / decay->at, 0), 1);
    }
}

/* The least share that a sum of smooth decay k has of its total. */
static double share_of(const struct access *access, struct access_row *row, size_t k)
{
    double least = 1;
    for (size_t c = 0; c < access->plan.columns; c++)
        if (access->total[c] > 0)
            least = fmin(least, decay_fold(parts_of(access, row, k, c)) / access->total[c]);
    return least;
}

static void set_far(const struct access *access, struct access_row *row)
{
    for (size_t k = access->steps; k < access->plan.decays; k++)
        row->far[k] =
            access_far(access, &access->plan.decay[access->order[k]], share_of(access, row, k));
}

size_t access_step(const struct access *access, double distance, size_t guess)
{
    while (guess > 0 && access->limit[guess - 1] >= distance)
        guess--;
    while (guess < access->steps && access->limit[guess] < distance)
        guess++;
    return guess;
}

/* A target counts for the first step that it is within; later steps have the sums of the earlier
 * ones. */
static void add_steps(const struct access *access, struct access_lane *lane, struct access_row *row,
                      struct part *part)
{
    const size_t kinds = access->plan.columns, first = access_step(access, part->low, row->step),
                 last = access_step(access, part->high, first);
    row->step = first;
    if (first == last) {
        for (size_t c = 0; c < kinds && first < access->steps; c++)
            row->all[first * kinds + c] += part->all[c];
        return;
    }
    access_widen(access, lane, part);
    for (size_t k = first; k <= last && k < access->steps; k++) {
        access->kernels->between(lane->weight, lane->raw, DECAY_BLOCK,
                                 k > first ? access->limit[k - 1] : (double)-INFINITY,
                                 access->limit[k]);
        access->kernels->weigh(lane->weight, part->amount, kinds, parts_of(access, row, k, 0));
    }
}

static void add_smooth(const struct access *access, struct access_lane *lane,
                       struct access_row *row, struct part *part, size_t k)
{
    if (part->low > row->far[k] || !(part->low < (double)INFINITY))
        return;
    access_widen(access, lane, part);
    access_weigh_distances(access, &access->plan.decay[access->order[k]],
                           access->factor != 1 ? lane->distance : lane->raw, DECAY_BLOCK,
                           lane->weight);
    access->kernels->weigh(lane->weight, part->amount, access->plan.columns,
                           parts_of(access, row, k, 0));
}

bool access_is_empty(const struct access *access, size_t block)
{
    for (size_t c = 0; c < access->plan.columns; c++)
        if (access->block[block * access->plan.columns + c] > 0)
            return false;
    return true;
}

static int add_part(const struct access *access, struct access_lane *lane, struct access_row *row,
                    struct part *part, struct apsp_error *error)
{
    double bounds[2];
    access->kernels->bounds(access->task->dtype, part->values, part->count, bounds);
    part->low = bounds[0];
    part->high = bounds[1];
    add_steps(access, lane, row, part);
    for (size_t k = access->steps; k < access->plan.decays; k++)
        add_smooth(access, lane, row, part, k);
    return access_add_near(access, lane, row, part, error);
}

static int add_block(const struct access *access, struct access_lane *lane, struct access_row *row,
                     size_t number, struct apsp_error *error)
{
    const size_t kinds = access->plan.columns, first = number * DECAY_BLOCK,
                 bytes = dtype_info[access->task->dtype].bytes;
    struct part part = {.values = (const char *)row->values + first * bytes,
                        .amount = access->amount + number * kinds * DECAY_BLOCK,
                        .all = access->block + number * kinds,
                        .count = size_min(access->columns - first, DECAY_BLOCK)};
    for (size_t line = 0; line < bytes; line++) /* The next block. */
        __builtin_prefetch((const char *)part.values + (bytes + line) * LINE);
    return add_part(access, lane, row, &part, error);
}

/* The block of the source is the first, since decays are large there. */
static int begin_row(const struct access *access, struct access_lane *lane, struct access_row *row,
                     struct apsp_error *error)
{
    const size_t kinds = access->plan.columns;
    row->step = 0;
    memset(row->sum, 0, access->plan.decays * kinds * DECAY_LANES * sizeof *row->sum);
    memset(row->all, 0, access->plan.decays * kinds * sizeof *row->all);
    access_begin_near(access, row);
    set_far(access, row);
    if (row->home < access->blocks && !access_is_empty(access, row->home))
        add_block(access, lane, row, row->home, error);
    set_far(access, row);
    return error->code;
}

static void end_row(const struct access *access, struct access_row *row)
{
    const size_t kinds = access->plan.columns, each = access->plan.decays + access->plan.shares;
    for (size_t c = 0; c < kinds; c++) {
        double sum = 0;
        for (size_t k = 0; k < access->plan.decays; k++) {
            const double own = decay_fold(parts_of(access, row, k, c));
            sum += k < access->steps ? own + row->all[k * kinds + c] : 0;
            row->value[c * each + access->order[k]] = k < access->steps ? sum : own;
        }
    }
    access_end_near(access, row);
}

/* All rows take a block before the next one comes. What is negligible is found anew after 1, 2, 4,
 * .. blocks. */
int access_weigh_rows(const struct access *access, struct access_lane *lane,
                      struct apsp_error *error)
{
    for (size_t r = 0; r < lane->count && !error->code; r++)
        begin_row(access, lane, &lane->row[r], error);
    for (size_t b = 0; b < access->blocks && !error->code; b++) {
        const bool empty = access_is_empty(access, b), renew = ((b + 1) & b) == 0;
        for (size_t r = 0; r < lane->count && !error->code; r++) {
            if (!empty && b != lane->row[r].home)
                add_block(access, lane, &lane->row[r], b, error);
            if (renew)
                set_far(access, &lane->row[r]);
        }
    }
    for (size_t r = 0; r < lane->count && !error->code; r++)
        end_row(access, &lane->row[r]);
    lane->count = 0;
    return error->code;
}

/* Brings the amounts of so many vertices together. Whether there are any. */
static bool gather_amounts(const struct access *access, struct access_lane *lane,
                           const uint32_t *vertex, size_t count)
{
    bool any = false;
    for (size_t c = 0; c < access->plan.columns; c++) {
        const double *from = access->plan.amount + c * access->task->n;
        double *to = lane->amount + c * DECAY_BLOCK, all = 0;
        for (size_t j = 0; j < count; j++)
            all += to[j] = from[vertex[j]];
        lane->all[c] = all;
        any |= all > 0;
    }
    return any;
}

/* A search finds vertices by about their distances, so few blocks lie across a step. */
int access_weigh_found(const struct access *access, struct access_lane *lane,
                       const struct block *block, double *value, struct apsp_error *error)
{
    struct access_row *row = &lane->row[0];
    row->home = access->blocks;
    row->value = value;
    begin_row(access, lane, row, error);
    for (size_t at = 0; at < block->n && !error->code; at += DECAY_BLOCK) {
        struct part part = {.values =
                                (const char *)block->values + at * dtype_info[block->dtype].bytes,
                            .amount = lane->amount,
                            .all = lane->all,
                            .count = size_min(block->n - at, DECAY_BLOCK)};
        if (gather_amounts(access, lane, block->column + at, part.count))
            add_part(access, lane, row, &part, error);
    }
    end_row(access, row);
    return error->code;
}
