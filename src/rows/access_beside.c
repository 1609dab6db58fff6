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

/* The weights of the targets of a block. */
static struct decay_weights weights_of(const struct access_beside *beside)
{
    return (struct decay_weights){beside->weight, beside->width, DECAY_SIDE};
}

double *access_sums_of(const struct access *access, struct access_beside *beside, size_t k)
{
    return beside->sum + k * access->plan.columns * beside->width;
}

void access_order(struct access *access, const uint32_t *vertex, size_t count, size_t place)
{
    const size_t kinds = access->plan.columns;
    if (place == 0) /* The engine starts anew. */
        access->regions = 0;
    for (size_t i = 0; i < count; i++, place++) {
        double *amount = access->amount + place * kinds,
               *block = access->block + place / DECAY_SIDE * kinds;
        for (size_t c = 0; c < kinds; c++) {
            amount[c] = access->plan.amount[c * access->task->n + vertex[i]];
            block[c] = (place % DECAY_SIDE > 0 ? block[c] : 0) + amount[c];
        }
    }
    access->places = size_max(access->places, place);
    for (; place % DECAY_SIDE > 0; place++) /* Until others have these places, none has. */
        memset(access->amount + place * kinds, 0, kinds * sizeof *access->amount);
}

/* Where decay k is negligible beside the least of the sums of all rows. */
static double far_beside(const struct access *access, struct access_beside *beside, size_t k)
{
    const double *sum = access_sums_of(access, beside, k);
    double least = 1;
    for (size_t c = 0; c < access->plan.columns; c++)
        for (size_t r = 0; access->total[c] > 0 && r < beside->sources; r++)
            least = fmin(least, sum[c * beside->width + r] / access->total[c]);
    return access_far(access, &access->plan.decay[access->order[k]], least);
}

void access_begin_block(struct access_beside *beside)
{
    beside->targets = 0;
    beside->degree = 0;
    beside->expanded = false;
}

static void begin_rows(const struct access *access, struct access_beside *beside,
                       const struct beside_rows *rows)
{
    const size_t sums = access->plan.decays * access->plan.columns;
    beside->width = rows->width;
    beside->sources = rows->sources;
    beside->step = 0;
    beside->region = 0;
    memset(beside->sum, 0, sums * beside->width * sizeof *beside->sum);
    memset(beside->all, 0, sums * sizeof *beside->all);
    for (size_t k = access->steps; k < access->plan.decays; k++)
        beside->far[k] = (double)INFINITY;
    access_begin_block(beside);
}

/* The distances of the targets at hand, at which the rows differ alike. */
static void expand(const struct access *access, struct access_beside *beside)
{
    if (beside->alike && !beside->expanded)
        access->kernels->side_expand(beside->distance, beside->width, beside->targets, beside->base,
                                     beside->offset);
    beside->expanded = true;
}

static struct access_span span_alike(const struct access_beside *beside)
{
    double low = beside->base[0], high = low;
    for (size_t v = 1; v < beside->targets; v++) {
        low = beside->base[v] < low ? beside->base[v] : low;
        high = beside->base[v] > high ? beside->base[v] : high;
    }
    return (struct access_span){.low = low + beside->extremes[0],
                                .high = high + beside->extremes[1],
                                .half = (high - low) / 2,
                                .middle = (low + high) / 2};
}

struct access_span access_span_of(const struct access_beside *beside)
{
    struct access_span span = {.low = (double)INFINITY};
    if (beside->alike)
        return span_alike(beside);
    for (size_t r = 0; r < beside->sources; r++) {
        const double half = (beside->high[r] - beside->low[r]) / 2;
        span.low = beside->low[r] < span.low ? beside->low[r] : span.low;
        span.high = beside->high[r] > span.high ? beside->high[r] : span.high;
        span.half = half > span.half ? half : span.half;
    }
    return span;
}

void access_add_steps(const struct access *access, struct access_beside *beside, size_t first,
                      size_t last)
{
    const size_t kinds = access->plan.columns;
    const struct decay_weights weights = weights_of(beside);
    if (first < last)
        expand(access, beside);
    for (size_t k = first; k < last; k++) {
        access->kernels->between(beside->weight, beside->distance, DECAY_SIDE * beside->width,
                                 (double)-INFINITY, access->limit[k]);
        access->kernels->side_weigh(&weights, beside->width,
                                    access->amount + beside->block * DECAY_SIDE * kinds, kinds,
                                    access_sums_of(access, beside, k));
    }
}

/* A step has the sums of all blocks within it and earlier steps, which no row has in part, and of
 * its part of those that lie across it. */
static void add_to_steps(const struct access *access, struct access_beside *beside,
                         const struct access_span *span)
{
    const size_t kinds = access->plan.columns, first = access_step(access, span->low, beside->step),
                 last = access_step(access, span->high, first);
    beside->step = first;
    access_add_steps(access, beside, first, last);
    for (size_t c = 0; c < kinds && last < access->steps; c++)
        beside->all[last * kinds + c] += access->block[beside->block * kinds + c];
}

/* By how much a series multiplies the distance from its middle; 0: it cannot give the decay. */
static double factor_of(const struct access *access, const struct apsp_decay *decay)
{
    if (decay->kind != APSP_DECAY_EXPONENTIAL && decay->kind != APSP_DECAY_LOGISTIC)
        return 0;
    return 1 /
           ((decay->kind == APSP_DECAY_EXPONENTIAL ? decay->at : decay->spread) * access->factor);
}

/* The degree of a series of a block, of which no row spans more than twice `reach`; beyond
 * DECAY_DEGREE: there is none. */
static size_t degree_of(const struct access *access, const struct apsp_decay *decay, double reach)
{
    const double *most = decay->kind == APSP_DECAY_EXPONENTIAL ? exponential_reach : logistic_reach,
                 factor = factor_of(access, decay);
    size_t degree = factor > 0 ? LEAST_DEGREE : DECAY_DEGREE + 1;
    while (degree <= DECAY_DEGREE && reach * factor > most[degree - LEAST_DEGREE])
        degree++;
    return degree;
}

/* Whether a series gives the weights of the block: its terms. */
static bool make_series(const struct access *access, const struct apsp_decay *decay,
                        struct access_beside *beside, const struct access_span *span)
{
    struct decay_series *series = &beside->series;
    series->factor = factor_of(access, decay);
    series->degree = degree_of(access, decay, span->half);
    if (series->degree > DECAY_DEGREE)
        return false;
    series->scale = beside->alike && span->half > 0 ? 1 / span->half : series->factor;
    if (beside->alike)
        access->kernels->side_expand(series->middle, beside->width, 1, &span->middle,
                                     beside->offset);
    else
        for (size_t r = 0; r < beside->width; r++)
            series->middle[r] = (beside->low[r] + beside->high[r]) / 2;
    if (decay->kind == APSP_DECAY_EXPONENTIAL)
        access->kernels->series_exponential(series, beside->width);
    else
        access->kernels->series_logistic(series, beside->width, decay->at * access->factor);
    return true;
}

size_t access_most_degree(const struct access *access, double half)
{
    size_t most = 0;
    for (size_t k = access->steps; k < access->plan.decays; k++) {
        const size_t degree = degree_of(access, &access->plan.decay[access->order[k]], half);
        if (degree <= DECAY_DEGREE)
            most = size_max(most, degree);
    }
    return most;
}

void access_find_moments(const struct access *access, struct access_beside *beside, size_t degree,
                         const double *distance, const struct access_span *span,
                         const double *amount)
{
    const double scale = span->half > 0 ? 1 / span->half : 0;
    double x[DECAY_SIDE];
    for (size_t v = 0; v < DECAY_SIDE; v++)
        x[v] = (distance[v] - span->middle) * scale;
    access->kernels->side_moments(beside->moment, degree, x, amount, access->plan.columns);
}

/* Where rows differ alike, a row has the sum of its terms by the moments, so that the targets are
 * gone through once for all rows. */
bool access_add_series(const struct access *access, struct access_beside *beside, size_t k,
                       const struct access_span *span, const double *moments)
{
    const struct decay_series *series = &beside->series;
    if (!make_series(access, &access->plan.decay[access->order[k]], beside, span))
        return false;
    access->kernels->side_weigh(
        &(struct decay_weights){series->term[0], DECAY_WIDTH, series->degree + 1}, beside->width,
        moments, access->plan.columns, access_sums_of(access, beside, k));
    return true;
}

/* All decays take the same moments of a block. */
static bool add_alike(const struct access *access, struct access_beside *beside,
                      const double *amount, size_t k, const struct access_span *span)
{
    if (beside->degree == 0) {
        beside->degree = access_most_degree(access, span->half);
        if (beside->degree > 0)
            access_find_moments(access, beside, beside->degree, beside->base, span, amount);
    }
    return access_add_series(access, beside, k, span, beside->moment);
}

static void add_smooth(const struct access *access, struct access_beside *beside, size_t k,
                       const struct access_span *span)
{
    const struct apsp_decay *decay = &access->plan.decay[access->order[k]];
    const size_t kinds = access->plan.columns, count = DECAY_SIDE * beside->width;
    const double *amount = access->amount + beside->block * DECAY_SIDE * kinds;
    const struct decay_weights weights = weights_of(beside);
    if (beside->alike && add_alike(access, beside, amount, k, span))
        return;
    if (!beside->alike && span->high < (double)INFINITY &&
        make_series(access, decay, beside, span)) {
        access->kernels->side_series(beside->weight, beside->distance, beside->width,
                                     &beside->series);
    } else {
        expand(access, beside);
        for (size_t i = 0; i < count; i++)
            beside->scaled[i] = beside->distance[i] / access->factor;
        access_weigh_distances(access, decay, beside->scaled, count, beside->weight);
    }
    access->kernels->side_weigh(&weights, beside->width, amount, kinds,
                                access_sums_of(access, beside, k));
}

/* Fills the block up with targets without amounts. */
static void fill_block(struct access_beside *beside)
{
    for (; beside->targets < DECAY_SIDE; beside->targets++) {
        beside->base[beside->targets] = beside->base[0];
        memcpy(beside->distance + beside->targets * beside->width, beside->distance,
               beside->width * sizeof *beside->distance);
    }
}

void access_renew_far(const struct access *access, struct access_beside *beside, size_t first,
                      size_t last)
{
    size_t power = last + 1;
    while ((power & (power - 1)) != 0)
        power &= power - 1;
    for (size_t k = access->steps; k < access->plan.decays && power > first; k++)
        beside->far[k] = far_beside(access, beside, k);
}

void access_add_decays(const struct access *access, struct access_beside *beside,
                       const struct access_span *span, double reach)
{
    for (size_t k = access->steps; k < access->plan.decays; k++)
        if (!(span->low > beside->far[k]) &&
            degree_of(access, &access->plan.decay[access->order[k]], reach) > DECAY_DEGREE)
            add_smooth(access, beside, k, span);
}

void access_end_block(const struct access *access, struct access_beside *beside)
{
    if (beside->targets == 0)
        return;
    const struct access_span span = access_span_of(beside);
    fill_block(beside);
    if (span.low < (double)INFINITY) {
        add_to_steps(access, beside, &span);
        access_add_decays(access, beside, &span, (double)INFINITY);
    }
    access_renew_far(access, beside, beside->block, beside->block);
    access_begin_block(beside);
}

void access_end_alike(const struct access *access, struct access_beside *beside)
{
    const double *row = beside->distance;
    expand(access, beside);
    beside->alike = false;
    for (size_t r = 0; r < beside->width; r++) {
        beside->low[r] = (double)INFINITY;
        beside->high[r] = (double)-INFINITY;
    }
    for (size_t v = 0; v < beside->targets; v++, row += beside->width)
        for (size_t r = 0; r < beside->width; r++) {
            beside->low[r] = row[r] < beside->low[r] ? row[r] : beside->low[r];
            beside->high[r] = row[r] > beside->high[r] ? row[r] : beside->high[r];
        }
}

/* So many more targets of the block. */
static void take_targets(const struct access *access, struct access_beside *beside,
                         const struct beside_rows *rows, const void *values, size_t count)
{
    if (beside->targets == 0) {
        beside->alike = access->kernels->side_offset(
            rows->dtype, values, rows->width, rows->sources, beside->offset, beside->extremes);
        memcpy(beside->first, values, rows->width * dtype_info[rows->dtype].bytes);
        if (!beside->alike)
            access_end_alike(access, beside);
    }
    if (beside->alike &&
        !access->kernels->side_alike(rows->dtype, values, rows->width, count, rows->sources,
                                     beside->first, beside->base + beside->targets))
        access_end_alike(access, beside);
    if (!beside->alike)
        access->kernels->side_widen(rows->dtype, values, rows->width, count,
                                    beside->distance + beside->targets * rows->width, beside->low,
                                    beside->high);
    beside->targets += count;
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
        if (block != beside->block)
            access_end_block(access, beside);
        if (access_is_empty(access, block))
            continue;
        beside->block = block;
        take_targets(access, beside, rows, (const char *)rows->values + done * bytes, part);
        if ((at + part) % DECAY_SIDE == 0 || at + part == access->places)
            access_end_block(access, beside);
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
            const double own = access_sums_of(access, beside, k)[c * beside->width + r];
            all += k < access->steps ? beside->all[k * kinds + c] : 0;
            value[c * access->plan.decays + access->order[k]] = k < access->steps ? all + own : own;
        }
    }
}
