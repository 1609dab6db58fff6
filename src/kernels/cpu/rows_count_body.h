/*
 * The part of rows_body.h, which includes it, that counts: what is to be known of rows of NR values
 * side by side without keeping them.
 */
#ifdef ROWS_VECTORS
/* A number with a sign that is as long as a T. */
typedef __typeof__(_Generic((T)0, uint16_t
                            : (int16_t)0, int32_t
                            : (int32_t)0, float
                            : (int32_t)0, default
                            : (int64_t)0))
RELAX(signed);
typedef RELAX(signed) RELAX(bits) __attribute__((vector_size(sizeof(V))));
/* Sums of lower halves, which have no sign. */
typedef __typeof__(_Generic((T)0, int32_t : (uint32_t)0, default : (T)0)) RELAX(unsigned);
typedef RELAX(unsigned) RELAX(sums) __attribute__((vector_size(sizeof(V))));

#define ROWS_REAL ((T)0.5 != 0)
enum { RELAX(half) = 4 * sizeof(T) };

/*
 * The sums of the last few rows, as lower and upper halves of integers, so that neither
 * overflows, or as a real and what its rounding lost (D. Knuth, The Art of Computer Programming
 * 2, 4.2.2); then the most, then the count. Masks and the bits of values are numbers with a sign,
 * in the order of the values.
 */
struct RELAX(part) {
    RELAX(lanes) low, high;
    RELAX(bits) most, count;
};

RELAX_TARGET static inline void RELAX(add_value)(struct RELAX(part) * part, RELAX(bits) value)
{
    if (ROWS_REAL) {
        RELAX(lanes) sum = part->low + (RELAX(lanes))value, added = sum - part->low;
        part->high += (part->low - (sum - added)) + ((RELAX(lanes))value - added);
        part->low = sum;
    } else {
        RELAX(bits) low = value & (((RELAX(signed))1 << RELAX(half)) - 1);
        part->low = (RELAX(lanes))((RELAX(sums))part->low + (RELAX(sums))low);
        part->high = (RELAX(lanes))((RELAX(bits))part->high + (value >> RELAX(half)));
    }
    part->most = (RELAX(bits))V_MAX((V)part->most, (V)value);
}

RELAX_TARGET static inline struct RELAX(part)
    RELAX(part_of)(const struct relax_counts *counts, size_t side)
{
    const T *at = (const T *)counts->lanes + side * V_LANES;
    return (struct RELAX(part)){(RELAX(lanes))V_LOAD(at), (RELAX(lanes))V_LOAD(at + NR),
                                (RELAX(bits))V_LOAD(at + 2 * NR), (RELAX(bits))V_LOAD(at + 3 * NR)};
}

RELAX_TARGET static inline void RELAX(part_keep)(struct relax_counts *counts, size_t side,
                                                 const struct RELAX(part) * part)
{
    T *at = (T *)counts->lanes + side * V_LANES;
    V_STORE(at, (V)part->low);
    V_STORE(at + NR, (V)part->high);
    V_STORE(at + 2 * NR, (V)part->most);
    V_STORE(at + 3 * NR, (V)part->count);
}

/* Loops on copies, which the compiler knows to lie apart. */
RELAX_TARGET static void RELAX(rows_fold)(struct relax_counts *counts)
{
    RELAX(unsigned) low[NR];
    RELAX(signed) count[NR];
    T high[NR], most[NR];
    const T *at = (const T *)counts->lanes;
    memcpy(low, at, sizeof low);
    memcpy(high, at + NR, sizeof high);
    memcpy(most, at + 2 * NR, sizeof most);
    memcpy(count, at + 3 * NR, sizeof count);
    for (size_t r = 0; r < NR; r++) {
        const union value seen = counts->most[r];
        counts->sum[r].T_WEIGHT += low[r] + high[r] * (ROWS_REAL ? 1 : (int64_t)1 << RELAX(half));
        counts->most[r].T_WEIGHT = seen.T_WEIGHT < most[r] ? most[r] : seen.T_WEIGHT;
        counts->count[r] += (size_t)count[r] + counts->near;
    }
    memset(counts->lanes, 0, 4 * NR * sizeof(T));
    counts->rows = counts->near = counts->whole = 0;
}

/* Rows until halves may be full. */
#define ROWS_LIMIT ((size_t)1 << (sizeof(T) == 2 ? 8 : 15))
/* With 32 bits the lower halves take integers below this, of so many rows until they are cut. With
 * 16 bits two values fit one sum, which is cut at once. */
#define ROWS_NEAR  (ROWS_REAL || sizeof(T) > 4 ? 0 : sizeof(T) == 2 ? T_INF : (T)(1 << 25))
#define ROWS_WHOLE 64

/* For one half of the lanes. */
RELAX_TARGET static inline void RELAX(add_near)(V sums[2], V *most, const T *in, size_t rows)
{
    const V mask = V_SET1(255), zero = V_SET1(0);
    if (sizeof(T) != 2) {
        for (size_t i = 0; i < rows; i++, in += NR) {
            *most = V_MAX(*most, V_LOAD(in));
            sums[0] = V_ADD(sums[0], V_LOAD(in));
        }
        return;
    }
    for (size_t i = 0; i < rows; i += 2, in += 2 * NR) {
        V x = V_LOAD(in), y = i + 1 < rows ? V_LOAD(in + NR) : zero, both = V_ADD(x, y);
        *most = V_MAX(*most, V_MAX(x, y));
        sums[0] = V_ADD(sums[0], (V)((RELAX(bits))both & (RELAX(bits))mask));
        sums[1] = V_ADD(sums[1], (V)(((RELAX(bits))both >> RELAX(half)) & (RELAX(bits))mask));
    }
}

/* Halves are such again. */
RELAX_TARGET static inline void RELAX(cut_sums)(struct relax_counts *counts)
{
    const RELAX(bits) mask = (RELAX(bits))V_SET1(((RELAX(signed))1 << RELAX(half)) - 1);
    T *at = (T *)counts->lanes;
    for (size_t side = 0; side < 2; side++, at += V_LANES) {
        RELAX(bits) sum = (RELAX(bits))V_LOAD(at);
        V_STORE(at, (V)(sum & mask));
        V_STORE(at + NR, V_ADD(V_LOAD(at + NR), (V)((sum >> RELAX(half)) & mask)));
    }
    counts->whole = 0;
}

/* Adds rows if all of their values are near. */
RELAX_TARGET static inline bool RELAX(count_near)(struct relax_counts *counts, const T *in,
                                                  size_t rows)
{
    if (ROWS_NEAR == 0)
        return false;
    if (sizeof(T) == 4 && counts->whole + rows > ROWS_WHOLE)
        RELAX(cut_sums)(counts);
    T *at = (T *)counts->lanes;
    V most[2] = {V_SET1(0), V_SET1(0)};
    V sums[2][2] = {{V_LOAD(at), V_LOAD(at + NR)},
                    {V_LOAD(at + V_LANES), V_LOAD(at + NR + V_LANES)}};
    RELAX(add_near)(sums[0], &most[0], in, rows);
    RELAX(add_near)(sums[1], &most[1], in + V_LANES, rows);
    RELAX(bits) far = (RELAX(bits))V_MAX(most[0], most[1]) >= (RELAX(bits))V_SET1(ROWS_NEAR);
    if (V_ANY(far))
        return false;
    for (size_t side = 0; side < 2; side++, at += V_LANES) {
        V_STORE(at, sums[side][0]);
        if (sizeof(T) == 2)
            V_STORE(at + NR, sums[side][1]);
        V_STORE(at + 2 * NR, V_MAX(V_LOAD(at + 2 * NR), most[side]));
    }
    counts->near += rows;
    counts->whole += rows;
    return true;
}

RELAX_TARGET static void RELAX(count_any)(struct relax_counts *counts, size_t side, const T *in,
                                          size_t rows)
{
    const RELAX(lanes) infinite = T_INF - (RELAX(lanes)){0};
    struct RELAX(part) part = RELAX(part_of)(counts, side);
    for (size_t i = 0; i < rows; i++) {
        RELAX(lanes) x = (RELAX(lanes))V_LOAD(in + i * NR);
        RELAX(bits) finite = x < infinite;
        RELAX(add_value)(&part, (RELAX(bits))x & finite);
        part.count -= finite;
    }
    RELAX(part_keep)(counts, side, &part);
}

/*
 * The largest value of each of V_LANES vectors, or the sum of its values: in lane i that of vector
 * i. They are interleaved as in turn_square, and of both halves one is made.
 */
RELAX_TARGET static inline RELAX(bits) RELAX(join)(RELAX(bits) x[V_LANES], bool sums)
{
#pragma GCC unroll 5
    for (size_t half = V_LANES / 2; half > 0; half /= 2)
#pragma GCC unroll 16
        for (size_t i = 0; i < half; i++) {
            RELAX(bits)
            low = __builtin_shufflevector(x[i], x[i + half], ROWS_MIX(ROWS_LOW_, V_LANES));
            RELAX(bits)
            high = __builtin_shufflevector(x[i], x[i + half], ROWS_MIX(ROWS_HIGH_, V_LANES));
            x[i] = sums ? low + high : (RELAX(bits))V_MAX((V)low, (V)high);
        }
    return x[0];
}

/* The number of finite values of the rows that wait: the larger values are staged already. */
RELAX_TARGET static void RELAX(span_lost)(struct relax_spans *spans)
{
    RELAX(bits) x[V_LANES];
    alignas(64) RELAX(signed) reached[V_LANES];
    for (size_t i = 0; i < V_LANES; i++)
        x[i] = (RELAX(bits))V_LOAD((const T *)spans->finite[i]);
    V_STORE((T *)reached, (V)RELAX(join)(x, true));
    for (size_t i = 0; i < spans->waiting; i++)
        if (spans->lost[i])
            spans->reached[spans->place[i]] = (uint32_t)reached[i];
    memset(spans->lost, 0, sizeof spans->lost);
    spans->any_lost = false;
}

RELAX_TARGET static void RELAX(rows_span_end)(struct relax_spans *spans)
{
    RELAX(bits) x[V_LANES];
    alignas(64) RELAX(signed) most[V_LANES];
#pragma GCC unroll 32
    for (size_t i = 0; i < V_LANES; i++)
        x[i] = (RELAX(bits))V_LOAD((const T *)spans->staged[i]);
    V_STORE((T *)most, (V)RELAX(join)(x, false));
    for (size_t i = 0; i < spans->waiting; i++)
        memcpy((T *)spans->most + spans->place[i], most + i, sizeof *most);
    if (spans->any_lost)
        RELAX(span_lost)(spans);
    spans->waiting = 0;
}

/* The larger of the two vectors of each row waits. */
RELAX_TARGET static void RELAX(span_near)(struct relax_spans *spans, size_t place, const T *in,
                                          size_t rows)
{
    for (size_t i = 0; i < rows; i++, in += NR) {
        V_STORE((T *)spans->staged[spans->waiting], V_MAX(V_LOAD(in), V_LOAD(in + V_LANES)));
        spans->place[spans->waiting++] = (uint32_t)(place + i);
        if (spans->waiting == V_LANES)
            RELAX(rows_span_end)(spans);
    }
}

/* The same where values may be infinite; and how many of each two are not. */
RELAX_TARGET static void RELAX(span_any)(struct relax_spans *spans, size_t place, const T *in,
                                         size_t rows)
{
    const RELAX(lanes) infinite = T_INF - (RELAX(lanes)){0};
    for (size_t i = 0; i < rows; i++, in += NR) {
        RELAX(lanes) low = (RELAX(lanes))V_LOAD(in), high = (RELAX(lanes))V_LOAD(in + V_LANES);
        RELAX(bits) some = low < infinite, more = high < infinite;
        V_STORE((T *)spans->staged[spans->waiting],
                V_MAX((V)((RELAX(bits))low & some), (V)((RELAX(bits))high & more)));
        V_STORE((T *)spans->finite[spans->waiting], (V)(-some - more));
        spans->lost[spans->waiting] = spans->any_lost = true;
        spans->place[spans->waiting++] = (uint32_t)(place + i);
        if (spans->waiting == V_LANES)
            RELAX(rows_span_end)(spans);
    }
}

/* The sum of a row is one number, if that fits a value, or the sums of lower and upper digits. */
enum RELAX(digits) {
    RELAX(TOGETHER),
    RELAX(APART),
    RELAX(APART_SOME), /* Some values are infinite. */
};

/* A number of each of V_LANES rows is made of its vectors. The last row is repeated. */
enum RELAX(part_of_row) { RELAX(MOST), RELAX(LOW), RELAX(HIGH), RELAX(FINITE) };
RELAX_TARGET static inline void RELAX(join_rows)(RELAX(signed) to[V_LANES], const T *in,
                                                 size_t last, enum RELAX(part_of_row) part,
                                                 enum RELAX(digits) digits)
{
    const RELAX(lanes) infinite = T_INF - (RELAX(lanes)){0};
    const RELAX(bits) mask = (RELAX(bits))V_SET1(((RELAX(signed))1 << RELAX(half)) - 1);
    RELAX(bits) x[V_LANES];
#pragma GCC unroll 32
    for (size_t i = 0; i < V_LANES; i++) {
        const T *row = in + (i < last ? i : last) * NR;
        RELAX(bits) a = (RELAX(bits))V_LOAD(row), b = (RELAX(bits))V_LOAD(row + V_LANES);
        if (digits == RELAX(APART_SOME)) {
            const RELAX(bits) some = (RELAX(lanes))a < infinite, more = (RELAX(lanes))b < infinite;
            a &= some;
            b &= more;
            if (part == RELAX(FINITE))
                x[i] = -some - more;
        }
        if (part == RELAX(MOST))
            x[i] = (RELAX(bits))V_MAX((V)a, (V)b);
        else if (part == RELAX(LOW) && digits == RELAX(TOGETHER))
            x[i] = a + b;
        else if (part == RELAX(LOW))
            x[i] = (a & mask) + (b & mask);
        else if (part == RELAX(HIGH))
            x[i] = ((a >> RELAX(half)) & mask) + ((b >> RELAX(half)) & mask);
    }
    V_STORE((T *)to, (V)RELAX(join)(x, part != RELAX(MOST)));
}

/* Adds rows to their columns. */
RELAX_TARGET static inline void RELAX(add_columns)(struct relax_spans *spans, size_t place,
                                                   const T *in, size_t rows,
                                                   enum RELAX(digits) digits)
{
    alignas(64) RELAX(signed) most[V_LANES], low[V_LANES], high[V_LANES], finite[V_LANES];
    for (size_t i = 0, count; i < rows; i += count, in += count * NR, place += count) {
        count = rows - i < V_LANES ? rows - i : V_LANES;
        T *seen = (T *)spans->most + place;
        RELAX(join_rows)(most, in, count - 1, RELAX(MOST), digits);
        RELAX(join_rows)(low, in, count - 1, RELAX(LOW), digits);
        for (size_t k = 0; k < count; k++) {
            seen[k] = REDUCE_MOST(seen[k], (T)most[k]);
            spans->sum[place + k] += (RELAX(unsigned))low[k];
        }
        if (digits == RELAX(TOGETHER))
            continue;
        RELAX(join_rows)(high, in, count - 1, RELAX(HIGH), digits);
        for (size_t k = 0; k < count; k++)
            spans->sum[place + k] += (int64_t)(RELAX(unsigned))high[k] << RELAX(half);
        if (digits == RELAX(APART))
            continue;
        RELAX(join_rows)(finite, in, count - 1, RELAX(FINITE), digits);
        for (size_t k = 0; k < count; k++)
            spans->reached[place + k] += (uint32_t)finite[k] - NR;
    }
}

RELAX_TARGET static void RELAX(rows_columns)(struct relax_spans *spans, size_t place, const T *in,
                                             size_t rows, bool near)
{
    if (!near)
        RELAX(add_columns)(spans, place, in, rows, RELAX(APART_SOME));
    else if (sizeof(T) == 2)
        RELAX(add_columns)(spans, place, in, rows, RELAX(APART));
    else
        RELAX(add_columns)(spans, place, in, rows, RELAX(TOGETHER));
}

RELAX_TARGET static void RELAX(rows_count)(struct relax_counts *counts, const void *from,
                                           size_t rows, struct relax_spans *spans, size_t place)
{
    const T *in = from;
    if (counts->rows + rows > ROWS_LIMIT)
        RELAX(rows_fold)(counts);
    counts->rows += rows;
    bool near = RELAX(count_near)(counts, in, rows);
    for (size_t side = 0; side < 2 && !near; side++)
        RELAX(count_any)(counts, side, in + side * V_LANES, rows);
    if (spans && spans->sum)
        RELAX(rows_columns)(spans, place, in, rows, near);
    else if (spans)
        (near ? RELAX(span_near) : RELAX(span_any))(spans, place, in, rows);
}

#undef ROWS_LIMIT
#undef ROWS_NEAR
#undef ROWS_WHOLE
#else
static void RELAX(rows_count)(struct relax_counts *counts, const void *from, size_t rows,
                              struct relax_spans *spans, size_t place)
{
    const T *in = from;
    for (size_t i = 0; i < rows; i++, in += NR) {
        T most = 0;
        uint32_t reached = 0;
        int64_t sum = 0;
        for (size_t r = 0; r < NR; r++) {
            if (!(in[r] < T_INF))
                continue;
            counts->sum[r].T_WEIGHT = REDUCE_SUM(counts->sum[r].T_WEIGHT, in[r], 1);
            counts->most[r].T_WEIGHT = REDUCE_MOST(counts->most[r].T_WEIGHT, in[r]);
            counts->count[r] = REDUCE_COUNT(counts->count[r], 1);
            most = REDUCE_MOST(most, in[r]);
            reached = REDUCE_COUNT(reached, 1);
            if (spans && spans->sum)
                sum = REDUCE_SUM(sum, (int64_t)in[r], 1);
        }
        if (spans && spans->sum) {
            T *seen = (T *)spans->most + place + i;
            *seen = REDUCE_MOST(*seen, most);
            spans->sum[place + i] += sum;
            spans->reached[place + i] += reached - NR;
        } else if (spans) {
            ((T *)spans->most)[place + i] = most;
            spans->reached[place + i] = reached;
        }
    }
}

static void RELAX(rows_fold)(struct relax_counts *counts)
{
    (void)counts;
}

static void RELAX(rows_span_end)(struct relax_spans *spans)
{
    (void)spans;
}
#endif
