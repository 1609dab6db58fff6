/*
 * One instance of the search of single.c, for a type. The including file defines SINGLE(name), T,
 * T_INF, T_UNIT (the member of a value) and T_KEY(d), the key of a distance.
 */
static inline __attribute__((always_inline)) void
SINGLE(search)(struct single *single, size_t source, size_t targets, T *row, enum combine combine)
{
    const struct network *network = single->network;
    const T *weight = network->weight, unit = (T)single->unit.T_UNIT;
    struct radix *heap = &single->heap;
    struct radix_entry entry;
    for (size_t v = 0; v < network->n; v++)
        row[v] = T_INF;
    row[source] = 0;
    radix_push(heap, 0, (uint32_t)source);
    while (radix_pop(heap, &entry)) {
        const uint32_t u = entry.vertex;
        const T d = row[u];
        if (entry.key != T_KEY(d))
            continue;
        if (single->is_target[u]) {
            single->is_target[u] = 0;
            if (--targets == 0)
                break;
        }
        for (size_t e = network->start[u]; e < network->start[u + 1]; e++) {
            const uint32_t v = network->from[e];
            const T step = weight ? weight[e] : unit;
            const T through = combine == COMBINE_SUM ? (T)(d + step) : d > step ? d : step;
            if (through < row[v]) {
                row[v] = through;
                radix_push(heap, T_KEY(through), v);
            }
        }
    }
}

static void SINGLE(run)(struct single *single, size_t source, size_t targets, T *row)
{
    if (single->network->combine == COMBINE_MAX)
        SINGLE(search)(single, source, targets, row, COMBINE_MAX);
    else
        SINGLE(search)(single, source, targets, row, COMBINE_SUM);
}

#undef SINGLE
#undef T
#undef T_INF
#undef T_UNIT
#undef T_KEY
