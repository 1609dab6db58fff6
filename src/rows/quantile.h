/*
 * Quantiles beyond the bins of a histogram: each lies in an interval of values, and one more look
 * at all of them leaves an interval 2^18 times as narrow. Values are told apart by keys, integers
 * in their order.
 */
#ifndef QUANTILE_H
#define QUANTILE_H

#include "rows/count.h"

struct quantile {
    size_t rank;       /* 1 .. of all pairs, by their values */
    int64_t low, high; /* keys: it is one of these */
};

/* The key of a value, real or whole, and the value of a key. */
int64_t quantile_key(bool real, union value value);
union value quantile_value(bool real, int64_t key);

/* The least value of bin k. */
union value quantile_least(bool real, const struct count_bins *bins, int64_t k);
/* The interval of the pair of that rank: the bin that it is in. pairs[] are the bins'. */
struct quantile quantile_start(bool real, const struct count_bins *bins, const size_t *pairs,
                               size_t rank);

enum { QUANTILE_PARTS = 1 << 18 };
/* Words that a look needs for so many quantiles, zeroed before it. */
static inline size_t quantile_words(size_t count)
{
    return count * (QUANTILE_PARTS + 1);
}
/* Counts the values of the row of vertex `source` but its own: below each interval and in its
 * parts. */
void quantile_count(const struct quantile *quantiles, size_t count, const struct block *block,
                    size_t k, size_t *words);
/* After all rows: the interval becomes the part that has the rank. */
void quantile_narrow(struct quantile *quantile, const size_t *words);

#endif
