/*
 * The part of relax_body.h, which includes it, that corrects labels: a vertex takes what is shorter
 * from the rows of its in-neighbours. A row is some pairs of vectors, whose number is known where
 * the loops are compiled.
 */
enum {
    COMBINED(pull_block) = 8,    /* vertices whose rows are asked for together */
    COMBINED(pull_scanned) = 16, /* in-neighbours that are looked at together */
    COMBINED(pull_most) = 4      /* pairs of vectors of a row */
};

/* The in-arcs lo .. hi - 1 whose tails are active; their rows are asked for. */
RELAX_TARGET static inline size_t COMBINED(pull_gather)(const struct relax_pull *pull, size_t pairs,
                                                        size_t lo, size_t hi, uint32_t *pool)
{
    size_t count = 0;
    for (size_t e = lo; e < hi; e++) {
        uint32_t u = pull->from[e];
        pool[count] = (uint32_t)(e - lo);
        count += pull->active[u / 64] >> u % 64 & 1;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t byte = 0; byte < pairs * NR * sizeof(T); byte += 64)
            __builtin_prefetch((const char *)pull->rows +
                               pull->from[lo + pool[i]] * pairs * NR * sizeof(T) + byte);
    return count;
}

/* Vertex v, of whose in-arcs from e on those in the pool are known; `next` is the one after them.
 * Returns whether its row has changed. */
RELAX_TARGET static inline __attribute__((always_inline)) bool
COMBINED(pull_one)(const struct relax_pull *pull, size_t pairs, uint32_t v, const uint32_t *pool,
                   size_t count, size_t e)
{
    const size_t end = pull->start[v + 1];
    T *row = (T *)pull->rows + v * pairs * NR;
    const T *weight = pull->weight;
    uint32_t more[COMBINED(pull_scanned)];
    size_t next = end - e < COMBINED(pull_scanned) ? end : e + COMBINED(pull_scanned);
    V d[2 * COMBINED(pull_most)];
    if (count == 0 && next == end)
        return false;
#pragma GCC unroll 8
    for (size_t k = 0; k < 2 * pairs; k++)
        d[k] = V_LOAD(row + k * V_LANES);
    for (;;) {
        for (size_t i = 0; i < count; i++) {
            const T *from = (const T *)pull->rows + pull->from[e + pool[i]] * pairs * NR;
            const V w = V_SET1(weight[e + pool[i]]);
#pragma GCC unroll 8
            for (size_t k = 0; k < 2 * pairs; k++)
                d[k] = V_MIN(d[k], V_COMBINE(w, V_LOAD(from + k * V_LANES)));
        }
        if (next == end)
            break;
        e = next;
        next = end - e < COMBINED(pull_scanned) ? end : e + COMBINED(pull_scanned);
        count = COMBINED(pull_gather)(pull, pairs, e, next, more);
        pool = more;
    }
    RELAX(words) changed = {0};
#pragma GCC unroll 8
    for (size_t k = 0; k < 2 * pairs; k++) {
        changed |= (RELAX(words))d[k] ^ (RELAX(words))V_LOAD(row + k * V_LANES);
        V_STORE(row + k * V_LANES, d[k]);
    }
    return V_ANY(changed);
}

RELAX_TARGET static inline __attribute__((always_inline)) bool
COMBINED(pull_range)(const struct relax_pull *pull, size_t pairs, struct range range)
{
    uint32_t pool[COMBINED(pull_block) * COMBINED(pull_scanned)];
    size_t count[COMBINED(pull_block)];
    bool any = false;
    for (size_t v = range.lo, part; v < range.hi; v += part) {
        part = range.hi - v < COMBINED(pull_block) ? range.hi - v : COMBINED(pull_block);
        for (size_t i = 0; i < part; i++) {
            size_t e = pull->start[v + i], end = pull->start[v + i + 1];
            count[i] = COMBINED(pull_gather)(
                pull, pairs, e, end - e < COMBINED(pull_scanned) ? end : e + COMBINED(pull_scanned),
                pool + i * COMBINED(pull_scanned));
        }
        for (size_t i = 0; i < part; i++)
            if (COMBINED(pull_one)(pull, pairs, (uint32_t)(v + i),
                                   pool + i * COMBINED(pull_scanned), count[i],
                                   pull->start[v + i])) {
                pull->now[(v + i) / 64] |= (uint64_t)1 << (v + i) % 64;
                any = true;
            }
    }
    return any;
}

RELAX_TARGET static bool COMBINED(rows_pull)(const struct relax_pull *pull, struct range range)
{
    switch (pull->pairs) {
    case 1:
        return COMBINED(pull_range)(pull, 1, range);
    case 2:
        return COMBINED(pull_range)(pull, 2, range);
    default:
        return COMBINED(pull_range)(pull, COMBINED(pull_most), range);
    }
}
