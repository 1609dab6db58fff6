/*
 * What is counted of rows of one type; count.c includes it for each. The loops are such as
 * compilers make vectors of. Defined by the includer:
 *
 *   T, COUNT(name)   the type of the values, and the names of its functions
 *   SUM, VALUE       the type of a sum, which may wrap, and its field in union value
 *   FINITE(x, inf)   whether x is a distance; inf stands for unreachable
 *   BIN(x, bins)     the number of the bin that x is in, that of 0 being 0
 */
static struct row_counts COUNT(row)(const void *values, size_t n, union value unreachable)
{
    const T *row = values, inf = (T)unreachable.VALUE;
    SUM sum = 0;
    T most = 0;
    size_t reached = 0;
    for (size_t j = 0; j < n; j++) {
        T value = FINITE(row[j], inf) ? row[j] : 0;
        reached += FINITE(row[j], inf);
        most = value > most ? value : most;
        sum += (SUM)value;
    }
    return (struct row_counts){
        reached, {.VALUE = most}, {.VALUE = (__typeof__((union value){0}.VALUE))sum}, 0, 0};
}

static double COUNT(harmonic)(const void *values, size_t n, union value unreachable)
{
    const T *row = values, inf = (T)unreachable.VALUE;
    double sum[COUNT_SUMS] = {0}, all = 0;
    size_t whole = n / COUNT_SUMS * COUNT_SUMS;
    for (size_t j = 0; j < whole; j += COUNT_SUMS)
        for (size_t k = 0; k < COUNT_SUMS; k++) {
            bool counts = FINITE(row[j + k], inf) && row[j + k] != 0;
            sum[k] += (counts ? 1.0 : 0.0) / (counts ? (double)row[j + k] : 1.0);
        }
    for (size_t j = whole; j < n; j++)
        if (FINITE(row[j], inf) && row[j] != 0)
            sum[j % COUNT_SUMS] += 1 / (double)row[j];
    for (size_t k = 0; k < COUNT_SUMS; k++)
        all += sum[k];
    return all;
}

static void COUNT(columns)(const void *values, size_t n, union value unreachable, void *to,
                           uint32_t *reached)
{
    const T *row = values, inf = (T)unreachable.VALUE;
    T *most = to;
    for (size_t j = 0; j < n; j++) {
        T value = FINITE(row[j], inf) ? row[j] : 0;
        most[j] = value > most[j] ? value : most[j];
        reached[j] += FINITE(row[j], inf);
    }
}

static void COUNT(merge)(const void *values, size_t n, const uint32_t *more, void *to,
                         uint32_t *reached)
{
    const T *from = values;
    T *most = to;
    for (size_t j = 0; j < n; j++) {
        most[j] = from[j] > most[j] ? from[j] : most[j];
        reached[j] += more[j];
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
        pairs[k < 0 ? 0 : k < last ? k : last]++;
    }
}

static const struct counter COUNT(counter) = {COUNT(row), COUNT(harmonic), COUNT(columns),
                                              COUNT(merge), COUNT(histogram)};

#undef T
#undef COUNT
