/*
 * One instance of the search of single.c, for a type. The including file defines SINGLE(name), T,
 * T_WIDE, T_INF, T_VALUE (the member of a value) and T_KEY(heap, d), the key of a distance.
 */
#define RADIX(name)        SINGLE(heap_##name)
#define RADIX_T            T
#define RADIX_KEY(heap, d) T_KEY(heap, d)
#include "base/radix_body.h"

/* The key of the largest distance that is wanted. */
static uint64_t SINGLE(most)(const struct single *single)
{
    const T_WIDE most = single->request.near.most.T_VALUE;
    const T least = !single->request.near.asked || most > T_INF ? T_INF : most < 0 ? 0 : (T)most;
    return T_KEY(&single->heap, least);
}

static void SINGLE(start)(struct single *single)
{
    T *row = single->row;
    if (single->touched_count > 0)
        for (size_t k = 0; k < single->touched_count; k++)
            row[single->touched[k]] = T_INF;
    else
        for (size_t v = 0; v < single->network->n; v++)
            row[v] = T_INF;
    single->touched_count = 0;
}

/* Places become vertices, but for those that are too far. All are to be found again. */
static void SINGLE(finish)(struct single *single)
{
    const bool near = single->request.near.asked;
    const T_WIDE most = single->request.near.most.T_VALUE;
    const T *row = single->row;
    size_t kept = 0;
    if (near && !single->request.near.unordered)
        single_sort(single);
    for (size_t k = 0; k < single->found_count; k++) {
        const uint32_t place = single->found[k], v = single_vertex(single, place);
        single->place[v] = place + 1;
        if (!near || (T_WIDE)row[v] <= most)
            single->found[kept++] = v;
    }
    single->found_count = kept;
}

static inline __attribute__((always_inline)) void
SINGLE(search)(struct single *single, size_t source, enum combine combine)
{
    const struct network *network = single->network;
    const union value *wide = network->wide ? network->weight : NULL;
    const T *weight = network->weight, unit = (T)single->unit.T_VALUE;
    T *row = single->row;
    uint64_t most = SINGLE(most)(single);
    size_t left = single_wanted(single), touched = 0;
    uint32_t waste, *list = single->touched ? single->touched : &waste;
    const size_t step = single->touched ? 1 : 0;
    SINGLE(heap_entry) entry;
    SINGLE(start)(single);
    row[source] = 0;
    list[touched] = (uint32_t)source;
    touched += step;
    SINGLE(heap_push)(&single->heap, 0, (uint32_t)source);
    while (SINGLE(heap_pop)(&single->heap, most, &entry)) {
        const uint32_t u = entry.vertex;
        const T d = row[u];
        if (entry.d != d)
            continue;
        if (single_find(single, u) && left > 0 && --left == 0)
            most = single->heap.last; /* All of this interval are as near. */
        for (size_t e = network->start[u]; e < network->start[u + 1]; e++) {
            const uint32_t v = network->from[e];
            const T length = wide ? (T)wide[e].T_VALUE : weight ? weight[e] : unit;
            const T before = row[v];
            const T through = combine == COMBINE_SUM ? (T)(d + length) : d > length ? d : length;
            if (through < before) {
                list[touched] = v;
                touched += before == T_INF ? step : 0;
                row[v] = through;
                SINGLE(heap_push)(&single->heap, through, v);
            }
        }
    }
    single->touched_count = touched;
    SINGLE(finish)(single);
}

static void SINGLE(run)(struct single *single, size_t source)
{
    if (single->network->combine == COMBINE_MAX)
        SINGLE(search)(single, source, COMBINE_MAX);
    else
        SINGLE(search)(single, source, COMBINE_SUM);
}

#undef SINGLE
#undef T
#undef T_WIDE
#undef T_INF
#undef T_VALUE
#undef T_KEY
