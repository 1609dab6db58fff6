#include "rows/sweep.h"

#include "base/stop.h"

#define FAR INT64_MAX

/* Keys above 0, of whole distances or the bits of real ones. */
#define RADIX(name)        sweep_heap_##name
#define RADIX_T            uint64_t
#define RADIX_KEY(heap, d) (d)
#include "base/radix_body.h"

static size_t sweep_place(struct sweep *sweep, bool shifted, void *base)
{
    struct mem_layout layout = {.base = base};
    mem_place(&layout, 1, sizeof *sweep);
    sweep->distance = mem_place(&layout, sweep->n, sizeof *sweep->distance);
    sweep->reached = mem_place(&layout, sweep->n, sizeof *sweep->reached);
    sweep->key =
        shifted ? mem_place(&layout, sweep->n, sizeof *sweep->key) : (int64_t *)sweep->distance;
    return layout.bytes;
}

size_t sweep_need(size_t n, bool shifted)
{
    size_t bytes = sweep_place(&(struct sweep){.n = n}, shifted, NULL);
    mem_add(&bytes, bytes, mem_bytes(n, sizeof(sweep_heap_entry)));
    return bytes;
}

int sweep_open(struct sweep **out, size_t n, bool shifted, struct apsp_error *error)
{
    struct sweep *sweep = *out = mem_alloc(sweep_place(&(struct sweep){.n = n}, shifted, NULL));
    if (!sweep)
        return error_set(error, APSP_MEMORY, "no memory for a search of %zu vertices", n);
    sweep->n = n;
    sweep_place(sweep, shifted, sweep);
    for (size_t v = 0; v < n; v++)
        sweep->key[v] = FAR;
    return APSP_OK;
}

void sweep_free(struct sweep *sweep)
{
    if (!sweep)
        return;
    radix_free(&sweep->heap);
    mem_free(sweep);
}

bool sweep_reaches(const struct sweep *sweep, size_t v)
{
    return sweep->key[v] != FAR;
}

bool sweep_is_equal(const struct csr *edges, union value *unit)
{
    if (!csr_is_equal(edges))
        return false;
    *unit = edges->weight[0];
    return csr_real(edges, 0) > 0;
}

static inline union value add(bool real, union value a, union value b)
{
    if (real)
        a.real += b.real;
    else
        a.whole += b.whole;
    return a;
}

/* The list of those that are reached is the queue. */
static void run_levels(struct sweep *sweep, const struct sweep_graph *graph)
{
    const struct csr *edges = graph->edges;
    for (size_t at = 0; at < sweep->count; at++) {
        const uint32_t u = sweep->reached[at];
        const union value next = add(edges->real, sweep->distance[u], graph->unit);
        for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++) {
            const uint32_t v = edges->to[e];
            if (sweep->key[v] != FAR)
                continue;
            sweep->distance[v] = next;
            sweep->reached[sweep->count++] = v;
        }
    }
}

/* The key behind an edge between u, which is reached, and v; FAR: too far for any path. */
static inline int64_t key_behind(const struct sweep *sweep, const struct sweep_graph *graph,
                                 uint32_t u, size_t e, bool real, bool shifted)
{
    const uint32_t v = graph->edges->to[e];
    union value weight = graph->edges->weight[e], key = {.whole = sweep->key[u]};
    if (shifted)
        weight = graph->backward ? potential_value(graph->potential, v, u, weight)
                                 : potential_value(graph->potential, u, v, weight);
    if (real)
        key.real += weight.real;
    else if (__builtin_add_overflow(key.whole, weight.whole, &key.whole))
        return FAR;
    return key.whole;
}

static inline __attribute__((always_inline)) void
run_lengths(struct sweep *sweep, const struct sweep_graph *graph, bool real, bool shifted)
{
    const struct csr *edges = graph->edges;
    sweep_heap_entry entry;
    sweep_heap_push(&sweep->heap, 0, sweep->reached[0]);
    while (sweep_heap_pop(&sweep->heap, UINT64_MAX, &entry)) {
        const uint32_t u = entry.vertex;
        if (entry.d != (uint64_t)sweep->key[u])
            continue;
        for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++) {
            const uint32_t v = edges->to[e];
            const int64_t key = key_behind(sweep, graph, u, e, real, shifted);
            if (key >= sweep->key[v])
                continue;
            if (sweep->key[v] == FAR)
                sweep->reached[sweep->count++] = v;
            sweep->key[v] = key;
            if (shifted)
                sweep->distance[v] = add(real, sweep->distance[u], edges->weight[e]);
            sweep_heap_push(&sweep->heap, (uint64_t)key, v);
        }
    }
}

static void find_most(struct sweep *sweep, bool real)
{
    sweep->most.whole = 0; /* a real 0, too */
    sweep->farthest = sweep->reached[0];
    for (size_t k = 0; k < sweep->count; k++) {
        const union value at = sweep->distance[sweep->reached[k]];
        if (real ? at.real > sweep->most.real : at.whole > sweep->most.whole) {
            sweep->most = at;
            sweep->farthest = sweep->reached[k];
        }
    }
}

int sweep_run(struct sweep *sweep, const struct sweep_graph *graph, size_t source,
              struct apsp_error *error)
{
    const bool real = graph->edges->real, shifted = graph->potential && graph->potential->h;
    for (size_t k = 0; k < sweep->count; k++)
        sweep->key[sweep->reached[k]] = FAR;
    radix_clear(&sweep->heap);
    sweep->heap.start = graph->edges->start;
    sweep->count = 1;
    sweep->reached[0] = (uint32_t)source;
    sweep->key[source] = sweep->distance[source].whole = 0;
    if (graph->equal && !shifted)
        run_levels(sweep, graph);
    else if (shifted)
        real ? run_lengths(sweep, graph, true, true) : run_lengths(sweep, graph, false, true);
    else
        real ? run_lengths(sweep, graph, true, false) : run_lengths(sweep, graph, false, false);
    find_most(sweep, real);
    return sweep->heap.failed ? error_set(error, APSP_MEMORY, "no memory for a search")
                              : stop_check(error);
}
