/*
 * R. Bellman, On a routing problem, Quarterly of Applied Mathematics 16, 1958, in rounds: a round
 * relaxes the edges out of the vertices that the round before has changed, all at once and from the
 * values before it. One sweep over these edges lowers, a second one finds each vertex's parent, the
 * tail that gave it its value.
 *
 * As long as the parents form no cycle, every value is at least the length of a simple path; a
 * cycle among them is negative (B. Cherkassky, A. Goldberg, Negative-cycle detection algorithms,
 * Mathematical Programming 85, 1999). So the parents are searched for one whenever the rounds have
 * relaxed as many edges as that costs, and when a value falls below all simple paths.
 */
#include "proof/bellman.h"

#include "base/mem.h"
#include "base/size.h"
#include "base/stop.h"

enum { SERIAL = SIZE_OF(1 << 15, 10) }; /* edges that are not worth waking the other threads */
#define NO_VERTEX BELLMAN_NO_VERTEX

static size_t bellman_layout(struct bellman *bellman, size_t n, void *base)
{
    struct mem_layout layout = {.base = base};
    bellman->now = mem_place(&layout, n, sizeof *bellman->now);
    bellman->next = mem_place(&layout, n, sizeof *bellman->next);
    bellman->parent = mem_place(&layout, n, sizeof *bellman->parent);
    bellman->front = mem_place(&layout, n, sizeof *bellman->front);
    bellman->changed = mem_place(&layout, n, sizeof *bellman->changed);
    bellman->mark = mem_place(&layout, n, sizeof *bellman->mark);
    bellman->queued = mem_place(&layout, n, sizeof *bellman->queued);
    return layout.bytes;
}

size_t bellman_need(size_t n)
{
    return bellman_layout(&(struct bellman){0}, n, NULL);
}

int bellman_open(struct bellman *bellman, struct apsp_error *error)
{
    size_t n = bellman->csr->n;
    void *memory = mem_alloc(bellman_layout(bellman, n, NULL));
    if (!memory)
        return error_set(error, APSP_MEMORY, "no memory for the potentials of %zu vertices", n);
    bellman_layout(bellman, n, memory);
    return APSP_OK;
}

void bellman_free(struct bellman *bellman)
{
    mem_free(bellman->now);
    *bellman = (struct bellman){0};
}

/* Lowers *at to `value`. Threads may do so at once. */
static bool lower(int64_t *at, int64_t value)
{
    int64_t seen = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (value < seen)
        if (__atomic_compare_exchange_n(at, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return true;
    return false;
}

static void lower_parent(uint32_t *at, uint32_t parent)
{
    uint32_t seen = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (parent < seen)
        if (__atomic_compare_exchange_n(at, &seen, parent, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return;
}

static void relax_vertex(struct bellman *bellman, size_t u, size_t *changed)
{
    const struct csr *csr = bellman->csr;
    const uint32_t *component = bellman->components->of;
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
        uint32_t v = csr->to[e];
        if (component[v] != component[u] ||
            !lower(&bellman->next[v], bellman->now[u] + bellman->weight[e].whole) ||
            __atomic_exchange_n(&bellman->queued[v], 1, __ATOMIC_RELAXED))
            continue;
        bellman->changed[__atomic_fetch_add(changed, 1, __ATOMIC_RELAXED)] = v;
        bellman->parent[v] = NO_VERTEX;
    }
}

/* Of several tails that give the same value, the one of the lowest number. */
static void claim_vertex(struct bellman *bellman, size_t u)
{
    const struct csr *csr = bellman->csr;
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
        uint32_t v = csr->to[e];
        if (bellman->queued[v] && bellman->now[u] + bellman->weight[e].whole == bellman->next[v])
            lower_parent(&bellman->parent[v], (uint32_t)u);
    }
}

/* One round; false if some value has fallen below the floor. */
static bool run_round(struct bellman *bellman, int64_t floor)
{
    const size_t *start = bellman->csr->start;
    size_t changed = 0, edges = 0;
    bool sound = true;
#pragma omp parallel num_threads(bellman->threads) if (bellman->edges > SERIAL)
    {
#pragma omp for schedule(dynamic, 256)
        for (size_t i = 0; i < bellman->count; i++)
            relax_vertex(bellman, bellman->front[i], &changed);
#pragma omp for schedule(dynamic, 256)
        for (size_t i = 0; i < bellman->count; i++)
            claim_vertex(bellman, bellman->front[i]);
#pragma omp for schedule(static) reduction(+ : edges) reduction(&& : sound)
        for (size_t i = 0; i < changed; i++) {
            uint32_t v = bellman->changed[i];
            bellman->now[v] = bellman->next[v];
            bellman->queued[v] = 0;
            edges += start[v + 1] - start[v];
            sound = sound && bellman->now[v] >= floor;
        }
    }
    uint32_t *front = bellman->changed;
    bellman->changed = bellman->front;
    bellman->front = front;
    bellman->count = changed;
    bellman->edges = edges;
    return sound;
}

/* A vertex on a cycle of parents, or NO_VERTEX. */
static uint32_t find_on_cycle(struct bellman *bellman, const uint32_t *member, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bellman->mark[member[i]] = NO_VERTEX;
    for (size_t i = 0; i < size; i++) {
        uint32_t u = member[i];
        while (u != NO_VERTEX && bellman->mark[u] == NO_VERTEX) {
            bellman->mark[u] = member[i];
            u = bellman->parent[u];
        }
        if (u != NO_VERTEX && bellman->mark[u] == member[i])
            return u;
    }
    return NO_VERTEX;
}

uint32_t bellman_run(struct bellman *bellman, size_t c, int64_t floor)
{
    const uint32_t *member = bellman->components->member + bellman->components->first[c];
    const size_t *start = bellman->csr->start,
                 size = bellman->components->first[c + 1] - bellman->components->first[c];
    size_t relaxed = 0; /* edges, since the last search for a cycle */
    bellman->count = size;
    bellman->edges = 0;
    for (size_t i = 0; i < size; i++) {
        uint32_t v = member[i];
        bellman->front[i] = v;
        bellman->next[v] = bellman->now[v];
        bellman->parent[v] = NO_VERTEX;
        bellman->edges += start[v + 1] - start[v];
    }
    while (bellman->count > 0 && !stop_wanted()) {
        relaxed += bellman->edges;
        bool sound = run_round(bellman, floor);
        if (sound && relaxed < size)
            continue;
        uint32_t on_cycle = find_on_cycle(bellman, member, size);
        if (on_cycle != NO_VERTEX)
            return on_cycle;
        relaxed = 0;
    }
    return NO_VERTEX;
}
