/*
 * R. Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1, 1972,
 * with a stack of its own in place of recursion. Components are complete in the order of their
 * numbers here.
 */
#include "graph/component.h"

#include "base/mem.h"

#define UNSEEN UINT32_MAX

struct visit { /* a vertex whose edges are being walked */
    uint32_t vertex;
    size_t edge;
};

struct walk {
    const struct csr *csr;
    struct components *found;
    uint32_t *order; /* in which a vertex was first seen, or UNSEEN */
    uint32_t *low;   /* the first seen vertex of its component known to reach it */
    struct visit *path;
    uint32_t *open; /* vertices seen whose component is not complete */
    size_t seen, depth, opened, placed;
};

static size_t components_layout(struct components *found, void *base)
{
    struct mem_layout layout = {.base = base};
    found->of = mem_place(&layout, found->n, sizeof *found->of);
    found->member = mem_place(&layout, found->n, sizeof *found->member);
    found->first = mem_place(&layout, found->n + 1, sizeof *found->first);
    return layout.bytes;
}

static size_t place_walk(struct walk *walk, size_t n, void *base)
{
    struct mem_layout layout = {.base = base};
    walk->order = mem_place(&layout, n, sizeof *walk->order);
    walk->low = mem_place(&layout, n, sizeof *walk->low);
    walk->path = mem_place(&layout, n, sizeof *walk->path);
    walk->open = mem_place(&layout, n, sizeof *walk->open);
    return layout.bytes;
}

size_t components_need(size_t n)
{
    struct components found = {.n = n};
    struct walk walk;
    size_t all;
    mem_add(&all, components_layout(&found, NULL), place_walk(&walk, n, NULL));
    return all;
}

void components_free(struct components *components)
{
    mem_free(components->of);
    *components = (struct components){0};
}

static void enter(struct walk *walk, uint32_t v)
{
    walk->order[v] = walk->low[v] = (uint32_t)walk->seen++;
    walk->open[walk->opened++] = v;
    walk->path[walk->depth++] = (struct visit){v, walk->csr->start[v]};
}

/* v is the first seen of its component: what was opened since then is the rest of it. */
static void complete(struct walk *walk, uint32_t v)
{
    struct components *found = walk->found;
    uint32_t u;
    do {
        u = walk->open[--walk->opened];
        found->of[u] = (uint32_t)found->count;
        found->member[walk->placed++] = u;
    } while (u != v);
    found->first[++found->count] = (uint32_t)walk->placed;
}

static void walk_from(struct walk *walk, uint32_t root)
{
    enter(walk, root);
    while (walk->depth > 0) {
        struct visit *here = &walk->path[walk->depth - 1];
        uint32_t v = here->vertex;
        if (here->edge < walk->csr->start[v + 1]) {
            uint32_t to = walk->csr->to[here->edge++];
            if (walk->order[to] == UNSEEN)
                enter(walk, to);
            else if (walk->found->of[to] == UNSEEN && walk->order[to] < walk->low[v])
                walk->low[v] = walk->order[to];
            continue;
        }
        if (walk->low[v] == walk->order[v])
            complete(walk, v);
        if (--walk->depth > 0) {
            uint32_t up = walk->path[walk->depth - 1].vertex;
            walk->low[up] = walk->low[v] < walk->low[up] ? walk->low[v] : walk->low[up];
        }
    }
}

int components_find(struct components *found, const struct csr *csr, struct apsp_error *error)
{
    size_t n = csr->n;
    struct walk walk = {.csr = csr, .found = found};
    *found = (struct components){.n = n};
    void *memory = mem_alloc(components_layout(found, NULL)),
         *work = mem_alloc(place_walk(&walk, n, NULL));
    if (memory && work) {
        components_layout(found, memory);
        place_walk(&walk, n, work);
        for (size_t v = 0; v < n; v++)
            walk.order[v] = found->of[v] = UNSEEN;
        for (uint32_t v = 0; v < n; v++)
            if (walk.order[v] == UNSEEN)
                walk_from(&walk, v);
    } else {
        mem_free(memory);
        error_set(error, APSP_MEMORY, "no memory for the components of %zu vertices", n);
    }
    mem_free(work);
    return error->code;
}
