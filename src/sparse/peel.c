/*
 * Eliminating a vertex with two neighbours joins them by an edge, which takes the places of the
 * vertex's own two edges in their lists; one with a single neighbour leaves a hole. A vertex that
 * carries more than CAP eliminated ones stays: a path would become a tree as deep as it is long.
 */
#include "sparse/peel.h"

#include "base/mem.h"

#include <string.h>

enum {
    CAP = 64,
    SHORT = 64
}; /* SHORT: lists that are searched for an edge that is there already */
#define NO_VERTEX PEEL_NONE

struct work {
    const struct pattern *pattern;
    uint32_t *to; /* of each edge; NO_VERTEX: it is gone */
    size_t *twin; /* of each edge, the one that leads back */
    size_t *next; /* of each vertex: scratch */
    uint32_t *degree, *weight;
    uint32_t *queue[2]; /* stacks of vertices that may go, of degree up to 1 and of degree 2 */
    size_t queued[2];
    uint32_t *number;    /* in what is left; NO_VERTEX: peeled */
    uint32_t (*gone)[2]; /* The neighbours of each peeled one when it went. */
};

static size_t peel_layout(struct work *work, const struct pattern *pattern, void *base)
{
    struct mem_layout layout = {.base = base};
    size_t n = pattern->n, m = pattern->start[n];
    work->pattern = pattern;
    work->twin = mem_place(&layout, m, sizeof *work->twin);
    work->to = mem_place(&layout, m, sizeof *work->to);
    work->next = mem_place(&layout, n, sizeof *work->next);
    work->degree = mem_place(&layout, n, sizeof *work->degree);
    work->weight = mem_place(&layout, n, sizeof *work->weight);
    work->queue[0] =
        mem_place(&layout, 3 * n,
                  sizeof *work->queue[0]); /* each vertex once, and two more for each that goes */
    work->queue[1] = mem_place(&layout, 3 * n, sizeof *work->queue[1]);
    work->number = mem_place(&layout, n, sizeof *work->number);
    work->gone = mem_place(&layout, n, sizeof *work->gone);
    return layout.bytes;
}

static void enqueue(struct work *work, uint32_t v)
{
    int which = work->degree[v] == 2;
    if (work->degree[v] <= 2)
        work->queue[which][work->queued[which]++] = v;
}

/* Lists are sorted, so edges into a vertex come in the order of its list. */
static void start_work(struct work *work)
{
    const struct pattern *pattern = work->pattern;
    for (size_t v = 0; v < pattern->n; v++)
        work->next[v] = pattern->start[v];
    for (uint32_t v = 0; v < pattern->n; v++) {
        for (size_t e = pattern->start[v]; e < pattern->start[v + 1]; e++) {
            work->to[e] = pattern->to[e];
            work->twin[e] = work->next[pattern->to[e]]++;
        }
        work->degree[v] = (uint32_t)(pattern->start[v + 1] - pattern->start[v]);
        work->weight[v] = 1;
        enqueue(work, v);
    }
}

static void drop(struct work *work, uint32_t owner, size_t edge)
{
    work->to[edge] = NO_VERTEX;
    work->degree[owner]--;
}

/* Is there an edge from a to b besides `but`? Long lists are not searched: a second edge costs
 * little. */
static bool is_joined(const struct work *work, uint32_t a, uint32_t b, size_t but)
{
    const size_t *start = work->pattern->start;
    if (start[a + 1] - start[a] > SHORT)
        return false;
    for (size_t e = start[a]; e < start[a + 1]; e++)
        if (work->to[e] == b && e != but)
            return true;
    return false;
}

/* v goes, by its edges e and f; one neighbour twice is one. */
static void join(struct work *work, size_t e, size_t f)
{
    uint32_t a = work->to[e], b = work->to[f];
    size_t at_a = work->twin[e], at_b = work->twin[f];
    if (a != b) {
        work->to[at_a] = b;
        work->to[at_b] = a;
        work->twin[at_a] = at_b;
        work->twin[at_b] = at_a;
    }
    if (a == b || is_joined(work, a, b, at_a) || is_joined(work, b, a, at_b)) {
        drop(work, a, at_a);
        drop(work, b, at_b);
    }
}

static void eliminate(struct work *work, uint32_t v, uint32_t next[2])
{
    const size_t *start = work->pattern->start;
    size_t edge[2] = {0, 0}, count = 0;
    for (size_t e = start[v]; e < start[v + 1]; e++)
        if (work->to[e] != NO_VERTEX)
            edge[count++] = e;
    for (size_t k = 0; k < 2; k++)
        next[k] = k < count ? work->to[edge[k]] : NO_VERTEX;
    if (count == 1)
        drop(work, work->to[edge[0]], work->twin[edge[0]]);
    if (count == 2)
        join(work, edge[0], edge[1]);
    for (size_t k = 0; k < count; k++) {
        uint32_t u = work->to[edge[k]];
        work->weight[u] += work->weight[v];
        work->to[edge[k]] = NO_VERTEX;
        enqueue(work, u);
    }
}

static size_t peel_all(struct work *work, uint32_t *vertex)
{
    size_t count = 0;
    while (work->queued[0] + work->queued[1] > 0) {
        int which = work->queued[0] == 0;
        uint32_t v = work->queue[which][--work->queued[which]];
        if (work->number[v] == NO_VERTEX || work->weight[v] > CAP)
            continue;
        work->number[v] = NO_VERTEX;
        vertex[count] = v;
        eliminate(work, v, work->gone[count++]);
    }
    return count;
}

/* The edges between vertices that are left, each once. */
static void fill_rest(struct peel *peel, struct work *work)
{
    const size_t *start = work->pattern->start;
    size_t *mark = work->next, edges = 0; /* of each vertex: the last to list it, plus one */
    for (size_t v = 0; v < work->pattern->n; v++)
        mark[v] = 0;
    for (size_t i = 0; i < peel->rest.n; i++) {
        uint32_t v = peel->name[i];
        for (size_t e = start[v]; e < start[v + 1]; e++) {
            uint32_t u = work->to[e];
            if (u == NO_VERTEX || mark[u] == i + 1)
                continue;
            mark[u] = i + 1;
            peel->rest.to[edges++] = work->number[u];
        }
        peel->rest.start[i + 1] = edges;
    }
}

static int make_rest(struct peel *peel, struct work *work, struct apsp_error *error)
{
    size_t n = work->pattern->n, left = 0, edges = 0;
    peel->rest.n = n - peel->count;
    peel->name = mem_alloc(mem_bytes(peel->rest.n, sizeof *peel->name));
    peel->next = mem_alloc(mem_bytes(peel->count, sizeof *peel->next));
    peel->rest.start = mem_alloc(mem_bytes(peel->rest.n + 1, sizeof *peel->rest.start));
    if (!peel->name || !peel->next || !peel->rest.start)
        return error_set(error, APSP_MEMORY, "no memory to order %zu vertices", n);
    for (uint32_t v = 0; v < n; v++) {
        if (work->number[v] == NO_VERTEX)
            continue;
        work->number[v] = (uint32_t)left;
        peel->name[left++] = v;
        edges += work->degree[v];
    }
    peel->rest.to = mem_alloc(mem_bytes(edges, sizeof *peel->rest.to));
    if (!peel->rest.to)
        return error_set(error, APSP_MEMORY, "no memory to order %zu vertices", n);
    fill_rest(peel, work);
    if (peel->count > 0)
        memcpy(peel->next, work->gone, peel->count * sizeof *peel->next);
    return APSP_OK;
}

int peel_make(struct peel *peel, uint32_t *vertex, const struct pattern *pattern,
              struct apsp_error *error)
{
    struct work work = {0};
    *peel = (struct peel){0};
    void *memory = mem_alloc(peel_layout(&work, pattern, NULL));
    if (!memory)
        return error_set(error, APSP_MEMORY, "no memory to order %zu vertices", pattern->n);
    peel_layout(&work, pattern, memory);
    start_work(&work);
    peel->count = peel_all(&work, vertex);
    make_rest(peel, &work, error);
    mem_free(memory);
    return error->code;
}

void peel_free(struct peel *peel)
{
    pattern_free(&peel->rest);
    mem_free(peel->name);
    mem_free(peel->next);
    *peel = (struct peel){0};
}
