/*
 * R. Bellman, On a routing problem, Quarterly of Applied Mathematics 16, 1958, in rounds: a round relaxes the
 * edges out of the vertices that the round before has changed, all at once and from the values before it. One
 * sweep over these edges lowers, a second one finds each vertex's parent, the tail that gave it its value.
 *
 * As long as the parents form no cycle, every value is at least the length of a simple path; a cycle among
 * them is negative (B. Cherkassky, A. Goldberg, Negative-cycle detection algorithms, Mathematical Programming
 * 85, 1999). So the parents are searched for one whenever the rounds have relaxed as many edges as that
 * costs, and when a value falls below all simple paths.
 */
#include "potential.h"

#include "mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SERIAL = 1 << 15 }; /* edges that are not worth waking the other threads */
#define NOBODY UINT32_MAX
#define RAISE  0x1p-51 /* of a real weight, before it is rounded up */

struct search {
    const struct csr *csr;
    const int64_t *weight; /* the edges', or those of real ones in units */
    int64_t *units;        /* owned; NULL for whole weights */
    int threads, exponent; /* a unit is 2^exponent */
    int64_t floor;         /* no simple path is shorter */
    int64_t *now, *next;
    uint32_t *parent, *front, *changed, *mark;
    unsigned char *queued;
    size_t count, edges,
        relaxed; /* vertices in front[], their edges; edges relaxed since the last search for a cycle */
};

static size_t bytes_of(size_t count, size_t each)
{
    size_t bytes;
    mem_mul(&bytes, count, each);
    return bytes;
}

size_t potential_need(size_t n, size_t m, bool real)
{
    size_t all;
    mem_add(&all, bytes_of(n, 3 * sizeof(int64_t) + 4 * sizeof(uint32_t) + 1),
            real ? bytes_of(m, sizeof(int64_t)) : 0);
    return all;
}

void potential_free(struct potential *potential)
{
    mem_free(potential->whole, bytes_of(potential->n, sizeof *potential->whole));
    mem_free(potential->value, bytes_of(potential->n, sizeof *potential->value));
    *potential = (struct potential){0};
}

void cycle_free(struct cycle *cycle)
{
    free(cycle->vertex);
    *cycle = (struct cycle){0};
}

/* Whole numbers of units, each more than its weight; those too large to matter are cut. */
static int count_units(struct search *search, struct apsp_error *error)
{
    const struct csr *csr = search->csr;
    const double most = 0x1p61;
    double *least = mem_alloc(bytes_of(csr->n, sizeof *least)), sum = 0;
    search->units = mem_alloc(bytes_of(csr->m, sizeof *search->units));
    if (!least || !search->units) {
        mem_free(least, bytes_of(csr->n, sizeof *least));
        return error_set(error, APSP_MEMORY, "no memory for the potentials of %zu vertices and %zu edges",
                         csr->n, csr->m);
    }
    for (size_t e = 0; e < csr->m; e++)
        if (csr->value[e] < least[csr->to[e]])
            least[csr->to[e]] = csr->value[e];
    for (size_t v = 0; v < csr->n; v++)
        sum -= least[v];
    mem_free(least, bytes_of(csr->n, sizeof *least));
    if (!isfinite(sum))
        return error_set(error, APSP_INPUT,
                         "the negative weights are too large: a path could be shorter than any number");
    search->exponent = sum > 0 ? ilogb(sum) + 1 - 60 : 0;
    for (size_t e = 0; e < csr->m; e++) {
        double raised = csr->value[e] + fabs(csr->value[e]) * RAISE;
        double units = ceil(ldexp(raised, -search->exponent));
        search->units[e] = (int64_t)(units < most ? units : most);
    }
    search->weight = search->units;
    return APSP_OK;
}

/* The sum over all vertices of the heaviest negative weight that leads to each. */
static int find_floor(struct search *search, struct apsp_error *error)
{
    const struct csr *csr = search->csr;
    int64_t *least = search->next;
    for (size_t e = 0; e < csr->m; e++)
        if (search->weight[e] < least[csr->to[e]])
            least[csr->to[e]] = search->weight[e];
    for (size_t v = 0; v < csr->n; v++) {
        if (__builtin_add_overflow(search->floor, least[v], &search->floor) ||
            search->floor < -(INT64_C(1) << 62))
            return error_set(error, APSP_INPUT,
                             "the negative weights are too large: a path could be shorter than -2^62");
        least[v] = 0;
    }
    return APSP_OK;
}

static int open_search(struct search *search, struct apsp_error *error)
{
    size_t n = search->csr->n;
    search->now = mem_alloc(bytes_of(n, sizeof *search->now));
    search->next = mem_alloc(bytes_of(n, sizeof *search->next));
    search->parent = mem_alloc(bytes_of(n, sizeof *search->parent));
    search->front = mem_alloc(bytes_of(n, sizeof *search->front));
    search->changed = mem_alloc(bytes_of(n, sizeof *search->changed));
    search->mark = mem_alloc(bytes_of(n, sizeof *search->mark));
    search->queued = mem_alloc(n);
    if (!search->now || !search->next || !search->parent || !search->front || !search->changed ||
        !search->mark || !search->queued)
        return error_set(error, APSP_MEMORY, "no memory for the potentials of %zu vertices", n);
    search->weight = search->csr->weight;
    if (search->csr->real && count_units(search, error))
        return error->code;
    for (size_t v = 0; v < n; v++) {
        search->front[v] = (uint32_t)v;
        search->parent[v] = NOBODY;
    }
    search->count = n;
    search->edges = search->csr->m;
    return find_floor(search, error);
}

static void close_search(struct search *search)
{
    size_t n = search->csr->n;
    mem_free(search->queued, n);
    mem_free(search->mark, bytes_of(n, sizeof *search->mark));
    mem_free(search->changed, bytes_of(n, sizeof *search->changed));
    mem_free(search->front, bytes_of(n, sizeof *search->front));
    mem_free(search->parent, bytes_of(n, sizeof *search->parent));
    mem_free(search->next, bytes_of(n, sizeof *search->next));
    mem_free(search->now, bytes_of(n, sizeof *search->now));
    mem_free(search->units, bytes_of(search->csr->m, sizeof *search->units));
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
        if (__atomic_compare_exchange_n(at, &seen, parent, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
}

static void relax_vertex(struct search *search, size_t u, size_t *changed)
{
    const struct csr *csr = search->csr;
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
        uint32_t v = csr->to[e];
        if (!lower(&search->next[v], search->now[u] + search->weight[e]) ||
            __atomic_exchange_n(&search->queued[v], 1, __ATOMIC_RELAXED))
            continue;
        search->changed[__atomic_fetch_add(changed, 1, __ATOMIC_RELAXED)] = v;
        search->parent[v] = NOBODY;
    }
}

/* Of several tails that give the same value, the one of the lowest number. */
static void claim_vertex(struct search *search, size_t u)
{
    const struct csr *csr = search->csr;
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
        uint32_t v = csr->to[e];
        if (search->queued[v] && search->now[u] + search->weight[e] == search->next[v])
            lower_parent(&search->parent[v], (uint32_t)u);
    }
}

/* One round; false if some value has fallen below the floor. */
static bool run_round(struct search *search)
{
    size_t changed = 0, edges = 0;
    bool sound = true;
#pragma omp parallel num_threads(search->threads) if (search->edges > SERIAL)
    {
#pragma omp for schedule(dynamic, 256)
        for (size_t i = 0; i < search->count; i++)
            relax_vertex(search, search->front[i], &changed);
#pragma omp for schedule(dynamic, 256)
        for (size_t i = 0; i < search->count; i++)
            claim_vertex(search, search->front[i]);
#pragma omp for schedule(static) reduction(+ : edges) reduction(&& : sound)
        for (size_t i = 0; i < changed; i++) {
            uint32_t v = search->changed[i];
            search->now[v] = search->next[v];
            search->queued[v] = 0;
            edges += search->csr->start[v + 1] - search->csr->start[v];
            sound = sound && search->now[v] >= search->floor;
        }
    }
    uint32_t *front = search->changed;
    search->changed = search->front;
    search->front = front;
    search->relaxed += search->edges;
    search->count = changed;
    search->edges = edges;
    return sound;
}

/* A vertex on a cycle of parents, or NOBODY. */
static uint32_t find_knot(struct search *search)
{
    size_t n = search->csr->n;
    for (size_t v = 0; v < n; v++)
        search->mark[v] = NOBODY;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t u = v;
        while (u != NOBODY && search->mark[u] == NOBODY) {
            search->mark[u] = v;
            u = search->parent[u];
        }
        if (u != NOBODY && search->mark[u] == v)
            return u;
    }
    return NOBODY;
}

/* The lightest edge from u to v. */
static size_t lightest(const struct search *search, uint32_t u, uint32_t v)
{
    const struct csr *csr = search->csr;
    size_t best = SIZE_MAX;
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
        if (csr->to[e] == v && (best == SIZE_MAX || (csr->real ? csr->value[e] < csr->value[best]
                                                               : csr->weight[e] < csr->weight[best])))
            best = e;
    return best;
}

/* The cycle of parents through `knot`, from its lowest vertex on. */
static int take_cycle(const struct search *search, uint32_t knot, struct cycle *cycle,
                      struct apsp_error *error)
{
    uint32_t first = knot, v = knot;
    size_t length = 0;
    do {
        v = search->parent[v];
        first = v < first ? v : first;
        length++;
    } while (v != knot);
    cycle->vertex = malloc(length * sizeof *cycle->vertex);
    if (!cycle->vertex)
        return error_set(error, APSP_MEMORY, "no memory for a negative cycle of %zu vertices", length);
    cycle->length = length;
    uint64_t whole = 0; /* parts of the sum may wrap, the sum does not */
    long double value = 0;
    v = first;
    for (size_t i = length; i-- > 0;) { /* parents go backwards: first's own is the last of the cycle */
        uint32_t u = search->parent[v];
        size_t e = lightest(search, u, v);
        cycle->vertex[(i + 1) % length] = v;
        if (search->csr->real)
            value += (long double)search->csr->value[e];
        else
            whole += (uint64_t)search->csr->weight[e];
        v = u;
    }
    cycle->whole = (int64_t)whole;
    cycle->value = (double)value;
    return APSP_OK;
}

static int run_search(struct search *search, struct cycle *cycle, struct apsp_error *error)
{
    while (search->count > 0) {
        bool sound = run_round(search);
        if (sound && search->relaxed < search->csr->n)
            continue;
        uint32_t knot = find_knot(search);
        if (knot != NOBODY)
            return take_cycle(search, knot, cycle, error);
        search->relaxed = 0;
    }
    return APSP_OK;
}

static int take_values(struct potential *potential, struct search *search, struct apsp_error *error)
{
    size_t n = search->csr->n;
    potential->n = n;
    if (!search->csr->real) {
        potential->whole = search->now;
        search->now = NULL;
        return APSP_OK;
    }
    potential->value = mem_alloc(bytes_of(n, sizeof *potential->value));
    if (!potential->value)
        return error_set(error, APSP_MEMORY, "no memory for the potentials of %zu vertices", n);
    for (size_t v = 0; v < n; v++)
        potential->value[v] = ldexp((double)search->now[v], search->exponent);
    return APSP_OK;
}

int potential_find(struct potential *potential, struct cycle *cycle, const struct csr *csr, int threads,
                   struct apsp_error *error)
{
    struct search search = {.csr = csr, .threads = threads};
    *potential = (struct potential){0};
    *cycle = (struct cycle){0};
    if (open_search(&search, error) == APSP_OK && run_search(&search, cycle, error) == APSP_OK &&
        cycle->length == 0)
        take_values(potential, &search, error);
    close_search(&search);
    return error->code;
}

double potential_reach(const struct potential *potential)
{
    double reach = 0;
    for (size_t v = 0; potential->value && v < potential->n; v++)
        reach = fmax(reach, -potential->value[v]);
    return potential->whole ? (double)potential_depth(potential) : reach;
}

int64_t potential_depth(const struct potential *potential)
{
    int64_t least = 0;
    for (size_t v = 0; potential->whole && v < potential->n; v++)
        least = potential->whole[v] < least ? potential->whole[v] : least;
    return -least;
}

void potential_apply(const struct potential *potential, struct csr *csr)
{
    for (size_t u = 0; u < csr->n; u++)
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
            if (potential->whole)
                csr->weight[e] = potential_whole(potential, u, csr->to[e], csr->weight[e]);
            else if (potential->value)
                csr->value[e] = potential_real(potential, u, csr->to[e], csr->value[e]);
        }
}

void potential_convert(struct potential *potential)
{
    void *memory = potential->whole;
    if (!memory)
        return;
    for (size_t v = 0; v < potential->n; v++) {
        double value = (double)potential->whole[v];
        memcpy((char *)memory + v * sizeof value, &value, sizeof value);
    }
    potential->whole = NULL;
    potential->value = memory;
}
