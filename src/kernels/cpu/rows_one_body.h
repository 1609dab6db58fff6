/*
 * The part of relax_body.h, which includes it, for single rows of values, of any length.
 */
/* The lanes of v whose bit is set, bit 0 for lane 0, and zeros. A number has a bit for each lane
 * where no instructions do this. */
RELAX_TARGET static inline V RELAX(some)(uint64_t bits, V v)
{
#ifdef V_SOME
    return V_SOME(sizeof(T), bits, v);
#else
    RELAX(indices) lane = {0};
#pragma GCC unroll 32
    for (size_t i = 0; i < V_LANES; i++)
        lane[i] = (RELAX(index))1 << i;
    const RELAX(indices) set = ((RELAX(index))bits - (RELAX(indices)){0}) & lane;
    return (V)((RELAX(indices))v & (RELAX(indices))(set == lane));
#endif
}

RELAX_TARGET static void RELAX(row_digits)(void *to, const struct relax_digits *digits,
                                           size_t words)
{
    enum { WORD = 64, VECTORS = WORD / V_LANES, SOME = VECTORS < 4 ? VECTORS : 4 };
    const T *digit = digits->digit;
    T *at = to;
    for (size_t word = 0; word < words; word++)
        for (size_t first = 0; first < WORD; first += SOME * V_LANES, at += SOME * V_LANES) {
            V sum[SOME];
#pragma GCC unroll 4
            for (size_t i = 0; i < SOME; i++)
                sum[i] = V_SET1(0);
            for (size_t p = 0; p < digits->planes; p++) {
                const uint64_t bits = digits->plane[p * digits->pitch + word] >> first;
                const V each = V_SET1(digit[p]);
#pragma GCC unroll 4
                for (size_t i = 0; i < SOME; i++)
                    sum[i] = V_ADD(sum[i], RELAX(some)(bits >> i * V_LANES, each));
            }
#pragma GCC unroll 4
            for (size_t i = 0; i < SOME; i++)
                V_STORE(at + i * V_LANES, sum[i]);
        }
}

/* An integer of the width of T, and the type of sums, which may wrap if they are whole. */
typedef __typeof__(_Generic((T)0, float
                            : (int32_t)0, double
                            : (int64_t)0, default
                            : (T)0)) RELAX(one);
typedef __typeof__(_Generic((T)0, float : 0.0, double : 0.0, default : (uint64_t)0)) RELAX(total);
typedef RELAX(one) RELAX(wholes) __attribute__((vector_size(sizeof(V))));

struct RELAX(row) {
    size_t reached;
    T most;
    RELAX(total) sum;
};

/* One value after the other: rounded sums depend on the order. */
static void RELAX(count_singly)(struct RELAX(row) * counts, const T *row, size_t n, T unreachable)
{
    for (size_t j = 0; j < n; j++) {
        const bool finite = row[j] < unreachable;
        const T value = finite ? row[j] : 0;
        counts->reached = REDUCE_COUNT(counts->reached, (size_t)finite);
        counts->most = REDUCE_MOST(counts->most, value);
        counts->sum = REDUCE_SUM(counts->sum, (RELAX(total))value, 1);
    }
}

/* So few vectors that sums of halves of whole values fit their lanes. */
enum { RELAX(row_vectors) = sizeof(T) == 2 ? 256 : 4096 };

RELAX_TARGET static void RELAX(count_vectors)(struct RELAX(row) * counts, const T *row,
                                              size_t vectors, T unreachable)
{
    enum { HALF = 4 * sizeof(T) };
    const RELAX(values) far = unreachable - (RELAX(values)){0};
    const RELAX(indices) mask = (((RELAX(index))1 << HALF) - 1) - (RELAX(indices)){0};
    RELAX(indices) low = {0}, reached = {0};
    RELAX(wholes) high = {0};
    V most = V_SET1(counts->most);
    for (size_t i = 0; i < vectors; i++) {
        const V x = V_LOAD(row + i * V_LANES);
        const RELAX(indices) finite = (RELAX(indices))((RELAX(values))x < far),
                             value = (RELAX(indices))x & finite;
        most = V_MAX(most, (V)value);
        low += value & mask;
        high += (RELAX(wholes))value >> HALF;
        reached -= finite;
    }
    const RELAX(values) largest = (RELAX(values))most;
    for (size_t l = 0; l < V_LANES; l++) {
        counts->reached += reached[l];
        counts->most = REDUCE_MOST(counts->most, largest[l]);
        counts->sum += (RELAX(total))(low[l] + ((uint64_t)(int64_t)high[l] << HALF));
    }
}

RELAX_TARGET static struct relax_row RELAX(row_count)(const void *values, size_t n,
                                                      union value unreachable)
{
    const T *row = values, far = (T)unreachable.T_WEIGHT;
    struct RELAX(row) counts = {0};
    size_t at = 0, part;
    for (; (T)0.5 == 0 && n - at >= V_LANES; at += part * V_LANES) {
        part = (n - at) / V_LANES;
        part = part < RELAX(row_vectors) ? part : RELAX(row_vectors);
        RELAX(count_vectors)(&counts, row + at, part, far);
    }
    RELAX(count_singly)(&counts, row + at, n - at, far);
    return (struct relax_row){counts.reached,
                              {.T_WEIGHT = counts.most},
                              {.T_WEIGHT = (__typeof__((union value){0}.T_WEIGHT))counts.sum}};
}
