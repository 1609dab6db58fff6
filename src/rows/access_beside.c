/*
 * Rows are weighed side by side, as the engine makes them (beside.h), in blocks of DECAY_SIDE
 * targets. These are near each other, so that few blocks lie across a step, and a short series
 * gives a decay within a block.
 */
#include "rows/access_row.h"

#include "base/minmax.h"

#include <math.h>
#include <string.h>

/* From this degree on, how far from the middle the relative error of a series is below 1e-13: in
 * units of 1 / factor, and rounded down. The sum of all further terms, in absolute value, is
 * compared with the least value that the decay has there. */
enum { LEAST_DEGREE = 3 };
static const double exponential_reach[] = {0.0012, 0.0065, 0.0203, 0.0466, 0.0881, 0.1464,
                                           0.2215, 0.3131, 0.4203, 0.5419, 0.6767, 0.8236,
                                           0.9812, 1.1487, 1.3249, 1.5091},
                    logistic_reach[] = {0.0012, 0.0065, 0.0196, 0.0406, 0.0702, 0.1068,
                                        0.1492, 0.1974, 0.2478, 0.2993, 0.3533, 0.4084,
                                        0.4602, 0.5146, 0.5660, 0.6179};

static double *sums_of(const struct access *access, struct access_beside *beside, size_t k)
{
    return beside->sum + k * access->plan.columns * beside->width;
}

void access_order(struct access *access, const uint32_t *vertex, size_t count, size_t place)
{
    const size_t kinds = access->plan.columns;
    for (size_t i = 0; i < count; i++, place++) {
        double *amount = access->amount + place * kinds,
               *block = access->block + place / DECAY_SIDE * kinds;
        for (size_t c = 0; c < kinds; c++) {
            amount[c] = access->plan.amount[c * access->task->n + vertex[i]];
            block[c] = (place % DECAY_SIDE > 0 ? block[c] : 0) + amount[c];
        }
    }
    for (; place >= access->columns && place % DECAY_SIDE > 0; place++) /* The last block. */
        memset(access->amount + place * kinds, 0, kinds * sizeof *access->amount);
}

/* Where decay k is negligible beside the least of the sums of all rows. */
static double far_beside(const struct access *access, struct access_beside *beside, size_t k)
{
    const double *sum = sums_of(access, beside, k);
    double least = 1;
    for (size_t c = 0; c < access->plan.columns; c++)
        for (size_t r = 0; access->total[c] > 0 && r < beside->sources; r++)
            least = fmin(least, sum[c * beside->width + r] / access->total[c]);
    return access_far(access, &access->plan.decay[access->order[k]], least);
}

static void begin_block(struct access_beside *beside)
{
    beside->targets = 0;
    for (size_t r = 0; r < beside->width; r++) {
        beside->low[r] = (double)INFINITY;
        beside->high[r] = (double)-INFINITY;
    }
}

static void begin_rows(const struct access *access, struct access_beside *beside,
                       const struct beside_rows *rows)
{
    const size_t sums = access->plan.decays * access->plan.columns;
    beside->width = rows->width;
    beside->sources = rows->sources;
    beside->step = 0;
    memset(beside->sum, 0, sums * beside->width * sizeof *beside->sum);
    memset(beside->all, 0, sums * sizeof *beside->all);
    for (size_t k = access->steps; k < access->plan.decays; k++)
        beside->far[k] = (double)INFINITY;
    begin_block(beside);
}

/* A step has the sums of all blocks within it and earlier steps, which no row has in part, and of
 * its part of those that lie across it. */
static void add_steps(const struct access *access, struct access_beside *beside, size_t block,
                      double low, double high)
{
    const size_t kinds = access->plan.columns, first = access_step(access, low, beside->step),
                 last = access_step(access, high, first);
    beside->step = first;
    for (size_t k = first; k < last; k++) {
        access->kernels->between(beside->weight, beside->distance, DECAY_SIDE * beside->width,
                                 (double)-INFINITY, access->limit[k]);
        access->kernels->side_weigh(beside->weight, beside->width,
                                    access->amount + block * DECAY_SIDE * kinds, kinds,
                                    sums_of(access, beside, k));
    }
    for (size_t c = 0; c < kinds && last < access->steps; c++)
        beside->all[last * kinds + c] += access->block[block * kinds + c];
}

/* Whether a series gives the weights of the block, of which no row spans more than twice that. */
static bool use_series(const struct access *access, const struct apsp_decay *decay,
                       struct access_beside *beside, double reach)
{
    struct decay_series *series = &beside->series;
    const bool exponential = decay->kind == APSP_DECAY_EXPONENTIAL;
    const double *most = exponential ? exponential_reach : logistic_reach;
    if (!exponential && decay->kind != APSP_DECAY_LOGISTIC)
        return false;
    series->factor = 1 / ((exponential ? decay->at : decay->spread) * access->factor);
    series->degree = LEAST_DEGREE;
    while (series->degree <= DECAY_DEGREE &&
           reach * series->factor > most[series->degree - LEAST_DEGREE])
        series->degree++;
    if (series->degree > DECAY_DEGREE)
        return false;
    for (size_t r = 0; r < beside->width; r++)
        series->middle[r] = (beside->low[r] + beside->high[r]) / 2;
    if (exponential)
        access->kernels->series_exponential(series, beside->width);
    else
        access->kernels->series_logistic(series, beside->width, decay->at * access->factor);
    access->kernels->side_series(beside->weight, beside->distance, beside->width, series);
    return true;
}

static void add_smooth(const struct access *access, struct access_beside *beside, size_t block,
                       size_t k, double reach)
{
    const struct apsp_decay *decay = &access->plan.decay[access->order[k]];
    const size_t kinds = access->plan.columns, count = DECAY_SIDE * beside->width;
    if (!use_series(access, decay, beside, reach)) {
        for (size_t i = 0; i < count; i++)
            beside->scaled[i] = beside->distance[i] / access->factor;
        access_weigh_distances(access, decay, beside->scaled, count, beside->weight);
    }
    access->kernels->side_weigh(beside->weight, beside->width,
                                access->amount + block * DECAY_SIDE * kinds, kinds,
                                sums_of(access, beside, k));
}

static void end_block(const struct access *access, struct access_beside *beside, size_t block)
{
    double low = (double)INFINITY, high = 0, reach = 0;
    for (size_t r = 0; r < beside->sources; r++) {
        const double half = (beside->high[r] - beside->low[r]) / 2;
        low = beside->low[r] < low ? beside->low[r] : low;
        high = beside->high[r] > high ? beside->high[r] : high;
        reach = half > reach ? half : reach;
    }
    for (; beside->targets < DECAY_SIDE; beside->targets++) /* Without amounts. */
        memcpy(beside->distance + beside->targets * beside->width, beside->distance,
               beside->width * sizeof *beside->distance);
    if (!(low < (double)INFINITY))
        return;
    add_steps(access, beside, block, low, high);
    for (size_t k = access->steps; k < access->plan.decays; k++) {
        if (!(low > beside->far[k]))
            add_smooth(access, beside, block, k, high < (double)INFINITY ? reach : high);
        if (((block + 1) & block) == 0)
            beside->far[k] = far_beside(access, beside, k);
    }
}

void access_take_beside(const struct access *access, struct access_lane *lane,
                        const struct beside_rows *rows)
{
    struct access_beside *beside = &lane->beside;
    const size_t bytes = rows->width * dtype_info[rows->dtype].bytes;
    if (rows->place == 0)
        begin_rows(access, beside, rows);
    for (size_t done = 0, part; done < rows->count; done += part) {
        const size_t at = rows->place + done, block = at / DECAY_SIDE;
        part = size_min(DECAY_SIDE - at % DECAY_SIDE, rows->count - done);
        if (access_is_empty(access, block))
            continue;
        access->kernels->side_widen(
            rows->dtype, (const char *)rows->values + done * bytes, rows->width, part,
            beside->distance + beside->targets * rows->width, beside->low, beside->high);
        beside->targets += part;
        if ((at + part) % DECAY_SIDE == 0 || at + part == access->columns) {
            end_block(access, beside, block);
            begin_block(beside);
        }
    }
}

void access_end_beside(const struct access *access, struct access_lane *lane, size_t r,
                       double *value)
{
    struct access_beside *beside = &lane->beside;
    const size_t kinds = access->plan.columns;
    for (size_t c = 0; c < kinds; c++) {
        double all = 0;
        for (size_t k = 0; k < access->plan.decays; k++) {
            const double own = sums_of(access, beside, k)[c * beside->width + r];
            all += k < access->steps ? beside->all[k * kinds + c] : 0;
            value[c * access->plan.decays + access->order[k]] = k < access->steps ? all + own : own;
        }
    }
}
