#include "proof/search.h"

#include "base/mem.h"
#include "proof/heap.h"

#include <math.h>

#define FAR INT64_MAX

struct search {
    size_t n;
    int64_t *key; /* of each vertex its distance with potentials in it: a number, or the bits of a real one */
    union value *sum; /* and that without, added up along the path: of whole numbers exact if they are real */
    double *reach;    /* what search_spread has found */
    bool real;        /* the last one was of real edges */
    struct heap heap;
};

static size_t place(struct search *search, void *base)
{
    struct mem_layout layout = {.base = base};
    mem_place(&layout, 1, sizeof *search);
    search->key = mem_place(&layout, search->n, sizeof *search->key);
    search->sum = mem_place(&layout, search->n, sizeof *search->sum);
    search->reach = mem_place(&layout, search->n, sizeof *search->reach);
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

/* Nobody is reached, and the heap is as it was. */
static void clear(struct search *search)
{
    while (search->heap.count > 0)
        heap_take(&search->heap);
    for (size_t v = 0; v < search->n; v++)
        search->key[v] = FAR;
}

bool search_run(struct search *search, const struct csr *edges, const struct potential *potential, size_t i,
                int32_t *tree)
{
    clear(search);
    search->real = edges->real;
    search->key[i] = search->sum[i].whole = 0; /* a real 0, too */
    for (size_t v = 0; tree && v < search->n; v++)
        tree[v] = -1;
    heap_lower(&search->heap, (uint32_t)i, 0);
    while (search->heap.count > 0) {
        struct heap_entry here = heap_take(&search->heap);
        for (size_t e = edges->start[here.vertex]; e < edges->start[here.vertex + 1]; e++) {
            uint32_t v = edges->to[e];
            const union value weight = potential_value(potential, here.vertex, v, edges->weight[e]);
            if (weight.whole < 0) { /* a real one, too */
                clear(search);
                return false;
            }
            int64_t through = add(edges->real, here.key, weight);
            if (through >= search->key[v])
                continue;
            search->key[v] = through;
            search->sum[v].whole = add(edges->real, search->sum[here.vertex].whole, edges->weight[e]);
            if (tree)
                tree[v] = (int32_t)here.vertex;
            heap_lower(&search->heap, v, through);
        }
    }
    return true;
}

bool search_reached(const struct search *search, size_t v)
{
    return search->key[v] != FAR;
}

static double real_of(const struct search *search, size_t v, union value value)
{
    if (!search_reached(search, v))
        return INFINITY;
    return search->real ? value.real : (double)value.whole;
}

double search_length(const struct search *search, size_t v)
{
    return real_of(search, v, search->sum[v]);
}

double search_size(const struct search *search, size_t v)
{
    return real_of(search, v, (union value){.whole = search->key[v]});
}

/* From the largest potential on, each goes over all edges onward until a larger one has been there. */
void search_spread(struct search *search, const struct csr *edges, const struct potential *potential)
{
    double *reach = search->reach;
    for (size_t v = 0; v < search->n; v++) {
        reach[v] = search_reached(search, v) ? fabs(potential_at(potential, v)) : 0;
        if (reach[v] > 0)
            heap_lower(&search->heap, (uint32_t)v, -(union value){.real = reach[v]}.whole);
    }
    while (search->heap.count > 0) {
        const struct heap_entry here = heap_take(&search->heap);
        for (size_t e = edges->start[here.vertex]; e < edges->start[here.vertex + 1]; e++) {
            const uint32_t v = edges->to[e];
            if (reach[v] >= reach[here.vertex])
                continue;
            reach[v] = reach[here.vertex];
            heap_lower(&search->heap, v, here.key);
        }
    }
}

double search_reach(const struct search *search, size_t v)
{
    return search->reach[v];
}

void search_row(struct search *search, const struct csr *edges, const struct potential *potential, size_t i,
                enum dtype dtype, void *row)
{
    const int64_t far = dtype_info[dtype].unreachable;
    search_run(search, edges, potential, i, NULL);
    for (size_t v = 0; v < search->n; v++) {
        const int64_t sum = search->sum[v].whole;
        const int64_t whole = search_reached(search, v) && sum < far && sum > -far ? sum : far;
        if (dtype == DTYPE_U16)
            ((uint16_t *)row)[v] = (uint16_t)whole;
        else if (dtype == DTYPE_I32)
            ((int32_t *)row)[v] = (int32_t)whole;
        else if (dtype == DTYPE_I64)
            ((int64_t *)row)[v] = whole;
        else if (dtype == DTYPE_F32)
            ((float *)row)[v] = (float)search_length(search, v);
        else
            ((double *)row)[v] = search_length(search, v);
    }
}
