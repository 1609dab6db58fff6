#include "solve/near.h"

#include "base/minmax.h"
#include "proof/heap.h"

#include <math.h>

/* Searches, and the vertices that all of them take together. */
enum { SEARCHES = 16, VERTICES = 1 << 15 };

struct near {
    const struct csr *csr;
    double most;
    struct heap heap;
    unsigned char *taken;
    uint32_t *list; /* The vertices that are taken. */
    size_t count;
};

static size_t near_layout(struct near *near, void *base)
{
    struct mem_layout layout = {.base = base};
    heap_place(&near->heap, &layout, near->csr->n);
    near->taken = mem_place(&layout, near->csr->n, sizeof *near->taken);
    near->list = mem_place(&layout, VERTICES, sizeof *near->list);
    return layout.bytes;
}

/* The vertices behind u, at a distance. False if a weight is below 0. */
static bool near_pass(struct near *near, uint32_t u, double distance)
{
    const struct csr *csr = near->csr;
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
        const double weight = csr_real(csr, e);
        const union value through = {.real = distance + weight};
        if (weight < 0)
            return false;
        if (through.real <= near->most && !near->taken[csr->to[e]])
            heap_lower(&near->heap, csr->to[e], through.whole);
    }
    return true;
}

/* The vertices near a source, if at most so many are taken; below 0: unknown. */
static double near_count(struct near *near, size_t source, size_t left, bool narrow)
{
    union value distance = {.real = 0};
    bool known = true;
    near->count = 0;
    heap_lower(&near->heap, (uint32_t)source, distance.whole);
    while (known && near->heap.count > 0 && near->count < left) {
        const struct heap_entry here = heap_take(&near->heap);
        distance.whole = here.key;
        near->taken[here.vertex] = 1;
        near->list[near->count++] = here.vertex;
        known = near_pass(near, here.vertex, distance.real);
    }
    const bool ended = near->heap.count == 0;
    while (near->heap.count > 0)
        heap_take(&near->heap);
    for (size_t k = 0; k < near->count; k++)
        near->taken[near->list[k]] = 0;
    const double growth = narrow ? pow(near->most / distance.real, 2) : (double)INFINITY;
    return !known ? -1 : ended ? (double)near->count : (double)near->count * growth;
}

double near_part(const struct csr *csr, const uint32_t *list, size_t count, double most,
                 bool narrow)
{
    struct near near = {.csr = csr, .most = most};
    const size_t sources = list ? count : csr->n, searches = size_min(sources, SEARCHES);
    size_t left = VERTICES;
    double sum = 0;
    size_t k = 0;
    void *memory =
        algebra_combine(&csr->algebra) == COMBINE_SUM ? mem_alloc(near_layout(&near, NULL)) : NULL;
    if (!memory)
        return 0;
    near_layout(&near, memory);
    for (; k < searches && left > 0 && sum >= 0; k++) {
        const size_t at = (2 * k + 1) * sources / (2 * searches);
        const double found = near_count(&near, list ? list[at] : at, left, narrow);
        sum = found < 0 ? -1 : sum + fmin(found, (double)csr->n);
        left -= near.count;
    }
    mem_free(memory);
    return sum > 0 ? sum / (double)k / (double)csr->n : 0;
}
