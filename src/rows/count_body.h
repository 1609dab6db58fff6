/*
 * The counts of rows of one type; count.c includes it for each. The loops are such as
 * compilers make vectors of. Defined by the includer:
 *
 *   T, COUNT(name)   the type of the values, and the names of its functions
 *   VALUE            its field in union value
 *   FINITE(x, inf)   whether x is a distance; inf stands for unreachable
 *   BIN(x, bins)     the number of the bin that x is in, that of 0 being 0
 */
static void COUNT(columns)(const void *values, size_t n, union value unreachable, void *to,
                           uint32_t *reached)
{
    const T *row = values, inf = (T)unreachable.VALUE;
    T *most = to;
    for (size_t j = 0; j < n; j++) {
        T value = FINITE(row[j], inf) ? row[j] : 0;
        most[j] = REDUCE_MOST(most[j], value);
        reached[j] = REDUCE_COUNT(reached[j], (uint32_t)FINITE(row[j], inf));
    }
}

static void COUNT(merge)(const void *values, size_t n, const uint32_t *more, void *to,
                         uint32_t *reached)
{
    const T *from = values;
    T *most = to;
    for (size_t j = 0; j < n; j++) {
        most[j] = REDUCE_MOST(most[j], from[j]);
        reached[j] = REDUCE_COUNT(reached[j], more[j]);
    }
}

/* Rounding may take a sum of reals beyond the bound. */
static void COUNT(histogram)(const void *values, size_t n, union value unreachable,
                             const struct count_bins *bins, uint32_t *pairs)
{
    const T *row = values, inf = (T)unreachable.VALUE;
    const int64_t last = (int64_t)bins->count - 1;
    for (size_t j = 0; j < n; j++) {
        if (!FINITE(row[j], inf))
            continue;
        int64_t k = BIN(row[j], bins) - bins->first;
        pairs[REDUCE_BIN(k, last)]++;
    }
}

static const struct counter COUNT(counter) = {COUNT(columns), COUNT(merge), COUNT(histogram)};

#undef T
#undef COUNT
