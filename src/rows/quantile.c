#include "rows/quantile.h"

#include "base/typed.h"

#include <math.h>

/* The bits of a negative real fall as it rises. */
int64_t quantile_key(bool real, union value value)
{
    if (!real || value.whole >= 0)
        return value.whole;
    return INT64_MIN - value.whole;
}

union value quantile_value(bool real, int64_t key)
{
    union value value = {.whole = key};
    if (real && key < 0)
        value.whole = INT64_MIN - key;
    return value;
}

union value quantile_least(bool real, const struct count_bins *bins, int64_t k)
{
    union value value;
    if (real)
        value.real = ldexp((double)(bins->first + k), bins->shift);
    else
        value.whole = (bins->first + k) * ((int64_t)1 << bins->shift);
    return value;
}

struct quantile quantile_start(bool real, const struct count_bins *bins, const size_t *pairs,
                               size_t rank)
{
    int64_t k = 0, last = (int64_t)bins->count - 1;
    for (size_t below = 0; k < last && below + pairs[k] < rank; k++)
        below += pairs[k];
    struct quantile quantile = {rank, quantile_key(real, quantile_least(real, bins, k)),
                                quantile_key(real, quantile_least(real, bins, k + 1)) - 1};
    const int64_t infinite = quantile_key(true, (union value){.real = INFINITY});
    if (real &&
        k == last) /* rounding takes reals beyond the bound, and they are in the last bins */
        quantile.high = infinite - 1;
    if (real && k == 0 && bins->first < 0)
        quantile.low = 1 - infinite;
    return quantile;
}

static int shift_of(const struct quantile *quantile)
{
    int shift = 0;
    while (((uint64_t)quantile->high - (uint64_t)quantile->low) >> shift >= QUANTILE_PARTS)
        shift++;
    return shift;
}

static void count_key(const struct quantile *quantiles, const int *shifts, size_t count,
                      int64_t key, size_t *words)
{
    for (size_t q = 0; q < count; q++, words += QUANTILE_PARTS + 1)
        if (key < quantiles[q].low)
            words[QUANTILE_PARTS]++;
        else if (key <= quantiles[q].high)
            words[((uint64_t)key - (uint64_t)quantiles[q].low) >> shifts[q]]++;
}

/* Value j of a row; false: there is no path. */
static bool value_at(enum dtype dtype, const void *row, size_t j, union value *value)
{
    *value = typed_get(dtype, row, j);
    return dtype_info[dtype].real ? value->real < INFINITY
                                  : value->whole != dtype_info[dtype].unreachable;
}

void quantile_count(const struct quantile *quantiles, size_t count, const struct block *block,
                    size_t k, size_t *words)
{
    enum { MOST = 16 };
    int shifts[MOST];
    const void *row = block_row(block, k);
    const bool real = dtype_info[block->dtype].real;
    const size_t own = block_source(block, k);
    union value value;
    for (size_t q = 0; q < count; q++)
        shifts[q] = shift_of(&quantiles[q]);
    for (size_t j = 0; j < block->n; j++)
        if (j != own && value_at(block->dtype, row, j, &value))
            count_key(quantiles, shifts, count, quantile_key(real, value), words);
}

void quantile_narrow(struct quantile *quantile, const size_t *words)
{
    const int shift = shift_of(quantile);
    size_t below = words[QUANTILE_PARTS], part = 0;
    while (below + words[part] < quantile->rank && part + 1 < QUANTILE_PARTS)
        below += words[part++];
    uint64_t low = (uint64_t)quantile->low + ((uint64_t)part << shift),
             width = (uint64_t)1 << shift;
    quantile->low = (int64_t)low;
    if ((uint64_t)quantile->high - low >= width)
        quantile->high = (int64_t)(low + width - 1);
}
