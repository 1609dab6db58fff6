#include "proof/search.h"

#include "base/mem.h"
#include "proof/heap.h"

#include <math.h>

#define FAR INT64_MAX

struct search {
    size_t n;
    int64_t *key; /* of each vertex its distance with potentials in it: a number, or the bits of a real one */
    union value *sum; /* and that without, added up along the path: of whole numbers exact if they are real */
    struct heap heap;
};

static size_t place(struct search *search, void *base)
{
    struct mem_layout layout = {.base = base};
    mem_place(&layout, 1, sizeof *search);
    search->key = mem_place(&layout, search->n, sizeof *search->key);
    search->sum = mem_place(&layout, search->n, sizeof *search->sum);
    heap_place(&search->heap, &layout, search->n);
    return layout.bytes;
}

size_t search_need(size_t n)
{
    return place(&(struct search){.n = n}, NULL);
}

struct search *search_new(size_t n)
{
    struct search *search = mem_alloc(search_need(n));
    if (!search)
        return NULL;
    search->n = n;
    place(search, search);
    return search;
}

void search_free(struct search *search)
{
    mem_free(search);
}

/* Key and sum behind an edge. Reals that are not negative are in the order of their bits. */
static int64_t add(bool real, int64_t key, union value weight)
{
    union value at = {.whole = key};
    int64_t sum;
    if (!real)
        return __builtin_add_overflow(key, weight.whole, &sum) ? FAR : sum;
    at.real += weight.real;
    return at.whole;
}

static void run(struct search *search, const struct csr *edges, const struct potential *potential, size_t i)
{
    for (size_t v = 0; v < search->n; v++)
        search->key[v] = FAR;
    search->key[i] = search->sum[i].whole = 0; /* a real 0, too */
    heap_lower(&search->heap, (uint32_t)i, 0);
    while (search->heap.count > 0) {
        struct heap_entry here = heap_take(&search->heap);
        for (size_t e = edges->start[here.vertex]; e < edges->start[here.vertex + 1]; e++) {
            uint32_t v = edges->to[e];
            int64_t through =
                add(edges->real, here.key, potential_value(potential, here.vertex, v, edges->weight[e]));
            if (through >= search->key[v])
                continue;
            search->key[v] = through;
            search->sum[v].whole = add(edges->real, search->sum[here.vertex].whole, edges->weight[e]);
            heap_lower(&search->heap, v, through);
        }
    }
}

void search_row(struct search *search, const struct csr *edges, const struct potential *potential, size_t i,
                enum dtype dtype, void *row)
{
    const int64_t far = dtype_info[dtype].unreachable;
    run(search, edges, potential, i);
    for (size_t v = 0; v < search->n; v++) {
        const bool reached = search->key[v] != FAR;
        const union value value = search->sum[v];
        const double real = reached ? value.real : INFINITY;
        const int64_t whole = reached && value.whole < far && value.whole > -far ? value.whole : far;
        if (dtype == DTYPE_U16)
            ((uint16_t *)row)[v] = (uint16_t)whole;
        else if (dtype == DTYPE_I32)
            ((int32_t *)row)[v] = (int32_t)whole;
        else if (dtype == DTYPE_I64)
            ((int64_t *)row)[v] = whole;
        else if (dtype == DTYPE_F32)
            ((float *)row)[v] = (float)real;
        else
            ((double *)row)[v] = real;
    }
}
