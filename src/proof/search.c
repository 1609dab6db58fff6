#include "proof/search.h"

#include "base/mem.h"
#include "base/typed.h"

#include <math.h>

#define FAR INT64_MAX

struct search {
    size_t n;
    int64_t *key; /* of each vertex its distance with potentials in it: a number, or the bits of a
                     real one */
    union value *sum; /* and that without, added up along the path: of integers exact if they
                         are real */
    double *reach;    /* the largest |h| on the way, if the last one had potentials */
    bool shifted;
    bool real;     /* it was of real edges, */
    bool below;    /* some below 0, */
    bool doubtful; /* or by more than those potentials explain */
    struct heap heap;
};

static size_t search_layout(struct search *search, void *base)
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
    return search_layout(&(struct search){.n = n}, NULL);
}

struct search *search_new(size_t n)
{
    struct search *search = mem_alloc(search_need(n));
    if (!search)
        return NULL;
    search->n = n;
    search_layout(search, search);
    return search;
}

void search_free(struct search *search)
{
    mem_free(search);
}

/* Key and sum behind an edge. Reals that are not negative are in the order of their bits. */
static inline int64_t add(enum combine combine, bool real, int64_t key, union value weight)
{
    union value at = {.whole = key};
    int64_t sum;
    if (combine == COMBINE_MAX)
        return key > weight.whole ? key : weight.whole;
    if (!real)
        return __builtin_add_overflow(key, weight.whole, &sum) ? FAR : sum;
    at.real += weight.real;
    return at.whole;
}

/* Edges out of one vertex; they are sorted where they lie, by heapsort, which takes no memory. */
struct list {
    const struct potential *potential;
    size_t from;
    uint32_t *to;
    union value *weight;
};

static double length_of(const struct list *list, size_t e)
{
    const union value weight = list->weight[e];
    return list->potential->h
               ? potential_shifted(list->potential, list->from, list->to[e], weight.real)
               : weight.real;
}

static bool is_shorter(const struct list *list, size_t a, size_t b)
{
    const double x = length_of(list, a), y = length_of(list, b);
    return x < y || (x == y && list->to[a] < list->to[b]);
}

static void swap(const struct list *list, size_t a, size_t b)
{
    const uint32_t to = list->to[a];
    const union value weight = list->weight[a];
    list->to[a] = list->to[b];
    list->weight[a] = list->weight[b];
    list->to[b] = to;
    list->weight[b] = weight;
}

static void sink(const struct list *list, size_t at, size_t count)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && is_shorter(list, child, child + 1);
        if (!is_shorter(list, at, child))
            return;
        swap(list, at, child);
    }
}

static void sort(const struct list *list, size_t count)
{
    for (size_t at = count / 2; at-- > 0;)
        sink(list, at, count);
    for (size_t end = count; end-- > 1;) {
        swap(list, 0, end);
        sink(list, 0, end);
    }
}

void search_order(struct csr *edges, const struct potential *potential, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64)
    for (size_t u = 0; u < edges->n; u++) {
        const size_t start = edges->start[u];
        sort(&(struct list){potential, u, edges->to + start, edges->weight + start},
             edges->start[u + 1] - start);
    }
    edges->ordered = true;
}

/* No vertex is reached, and the heap is as it was. */
static void clear(struct search *search)
{
    while (search->heap.count > 0)
        heap_take(&search->heap);
    for (size_t v = 0; v < search->n; v++)
        search->key[v] = FAR;
}

/* One search. */
struct walk {
    struct search *search;
    const struct csr *edges;
    const struct potential *potential;
    int64_t limit;
    int32_t *tree; /* or NULL */
};

/* A shorter path, over edge e out of u, of that length with potentials in it. */
static inline void lower(const struct walk *walk, uint32_t u, size_t e, int64_t key, bool shifted,
                         enum combine combine)
{
    struct search *search = walk->search;
    const struct csr *edges = walk->edges;
    const uint32_t v = edges->to[e];
    search->key[v] = key;
    search->sum[v].whole = add(combine, edges->real, search->sum[u].whole, edges->weight[e]);
    if (shifted)
        search->reach[v] = fmax(search->reach[u], fabs(potential_at(walk->potential, v)));
    heap_lower(&search->heap, v, key);
    if (walk->tree)
        walk->tree[v] = (int32_t)u;
}

/* Puts potentials into an edge's weight. False if it is below 0 then; a real one is noted, and
 * counts as 0.
 */
static inline bool shift(const struct potential *potential, size_t u, size_t v, union value *weight,
                         double *least, bool real)
{
    if (!real) {
        weight->whole = potential_whole(potential, u, v, weight->whole);
        return weight->whole >= 0;
    }
    const double exact = potential_shifted(potential, u, v, weight->real);
    *least = exact < *least ? exact : *least;
    weight->real = exact > 0 ? exact : 0;
    return true;
}

/* One copy for each kind of edges: all of a row's pass here. */
static inline __attribute__((always_inline)) bool run(const struct walk *walk, bool real,
                                                      bool shifted, enum combine combine)
{
    struct search *search = walk->search;
    const struct csr *edges = walk->edges;
    while (search->heap.count > 0) {
        const struct heap_entry here = heap_take(&search->heap);
        const size_t end = edges->start[here.vertex + 1];
        double least = 0;
        for (size_t e = edges->start[here.vertex]; e < end; e++) {
            const uint32_t v = edges->to[e];
            union value weight = edges->weight[e];
            if (shifted ? !shift(walk->potential, here.vertex, v, &weight, &least, real)
                        : weight.whole < 0)
                return false; /* a real one, too */
            const int64_t through = add(combine, real, here.key, weight);
            if (through > walk->limit)
                break;
            if (through < search->key[v])
                lower(walk, here.vertex, e, through, shifted, combine);
        }
        search->below |= least < 0;
        search->doubtful |= shifted && least < -SEARCH_NOISE * search->reach[here.vertex];
    }
    return true;
}

bool search_run(struct search *search, const struct csr *edges, const struct potential *potential,
                size_t i, double limit, int32_t *tree)
{
    const struct walk walk = {search, edges, potential,
                              edges->ordered ? (union value){.real = limit}.whole : FAR, tree};
    bool found;
    clear(search);
    search->real = edges->real;
    search->shifted = potential->h != NULL;
    search->below = search->doubtful = false;
    search->key[i] = search->sum[i].whole = 0; /* a real 0, too */
    search->reach[i] = fabs(potential_at(potential, i));
    for (size_t v = 0; tree && v < search->n; v++)
        tree[v] = -1;
    heap_lower(&search->heap, (uint32_t)i, 0);
    if (algebra_combine(&edges->algebra) == COMBINE_MAX)
        found = run(&walk, edges->real, false, COMBINE_MAX);
    else if (search->shifted)
        found = edges->real ? run(&walk, true, true, COMBINE_SUM)
                            : run(&walk, false, true, COMBINE_SUM);
    else
        found = edges->real ? run(&walk, true, false, COMBINE_SUM)
                            : run(&walk, false, false, COMBINE_SUM);
    if (!found)
        clear(search);
    return found;
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

bool search_is_closed(const struct search *search, const struct csr *edges)
{
    for (size_t u = 0; u < edges->n; u++)
        for (size_t e = edges->start[u]; search_reached(search, u) && e < edges->start[u + 1]; e++)
            if (!search_reached(search, edges->to[e]))
                return false;
    return true;
}

bool search_is_below(const struct search *search)
{
    return search->below;
}

bool search_is_doubtful(const struct search *search)
{
    return search->doubtful;
}

/* From the largest number on, each goes over all edges onward until a larger one has been there. */
void search_pass_on(struct heap *heap, const struct csr *edges, double *reach)
{
    for (size_t v = 0; v < edges->n; v++)
        if (reach[v] > 0)
            heap_lower(heap, (uint32_t)v, -(union value){.real = reach[v]}.whole);
    while (heap->count > 0) {
        const struct heap_entry here = heap_take(heap);
        for (size_t e = edges->start[here.vertex]; e < edges->start[here.vertex + 1]; e++) {
            const uint32_t v = edges->to[e];
            if (reach[v] >= reach[here.vertex])
                continue;
            reach[v] = reach[here.vertex];
            heap_lower(heap, v, here.key);
        }
    }
}

void search_spread(struct search *search, const struct csr *edges,
                   const struct potential *potential)
{
    for (size_t v = 0; v < search->n; v++)
        search->reach[v] = search_reached(search, v) ? fabs(potential_at(potential, v)) : 0;
    search_pass_on(&search->heap, edges, search->reach);
}

double search_reach(const struct search *search, size_t v)
{
    return search->shifted ? search->reach[v] : 0;
}

void search_row(struct search *search, const struct csr *edges, const struct potential *potential,
                size_t i, enum dtype dtype, void *row)
{
    const int64_t far = dtype_info[dtype].unreachable;
    search_run(search, edges, potential, i, INFINITY, NULL);
    for (size_t v = 0; v < search->n; v++) {
        const bool reached = search_reached(search, v);
        const int64_t sum = reached ? algebra_value(&edges->algebra, search->sum[v].whole) : far;
        const int64_t whole = sum < far && sum > -far ? sum : far;
        const double length = search_length(search, v),
                     real = isinf(length) ? length : algebra_value_real(&edges->algebra, length);
        typed_put(dtype, row, v,
                  dtype_info[dtype].real ? (union value){.real = real}
                                         : (union value){.whole = whole});
    }
}
