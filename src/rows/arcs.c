#include "rows/arcs.h"

#include "base/mem.h"
#include "base/scale.h"

#include <stdlib.h>
#include <string.h>

static size_t arcs_layout(struct arcs *arcs, enum dtype type, void *base)
{
    struct mem_layout layout = {.base = base};
    arcs->start = mem_place(&layout, arcs->n + 1, sizeof *arcs->start);
    arcs->to = mem_place(&layout, arcs->m, sizeof *arcs->to);
    arcs->length = mem_place(&layout, arcs->m, sizeof(union value));
    if (type == DTYPE_F64)
        arcs->scaled = mem_place(&layout, arcs->m, sizeof *arcs->scaled);
    return layout.bytes;
}

size_t arcs_need(size_t n, size_t m, enum dtype type)
{
    return arcs_layout(&(struct arcs){.n = n, .m = m}, type, NULL);
}

/* An edge out of a vertex in hand. The order of positive reals is that of their bits. */
struct arc {
    int64_t key;
    uint32_t to;
};

/* The reversed edges, and a position for every vertex; after them the list of one vertex. */
size_t arcs_making(size_t n, size_t m)
{
    size_t bytes;
    mem_add(&bytes, csr_need(n, m), mem_bytes(n, sizeof(size_t) + sizeof(struct arc)));
    return bytes;
}

void arcs_free(struct arcs *arcs)
{
    mem_free(arcs->start);
    *arcs = (struct arcs){0};
}

/* While arcs are made: lengths as they came, and the order of positive reals is that of their bits.
 */
static union value *values_of(const struct arcs *arcs)
{
    return arcs->length;
}

/*
 * Taken by their heads, in ascending order, edges come to each tail's list in that order, and
 * parallel ones one after the other. end[u]: of the list of u, which begins at start[u].
 */
static void append_all(struct arcs *arcs, const struct csr *transposed, int64_t longest,
                       size_t *end)
{
    union value *value = values_of(arcs);
    for (uint32_t v = 0; v < transposed->n; v++)
        for (size_t e = transposed->start[v]; e < transposed->start[v + 1]; e++) {
            size_t u = transposed->to[e], at = end[u];
            if (transposed->weight[e].whole > longest)
                continue;
            if (at > arcs->start[u] && arcs->to[at - 1] == v) {
                if (transposed->weight[e].whole < value[at - 1].whole)
                    value[at - 1] = transposed->weight[e];
                continue;
            }
            arcs->to[at] = v;
            value[at] = transposed->weight[e];
            end[u]++;
        }
}

/* Where parallel edges were there are gaps. */
static void close_gaps(struct arcs *arcs, const size_t *end)
{
    union value *value = values_of(arcs);
    size_t at = 0;
    for (size_t u = 0; u < arcs->n; u++) {
        size_t from = arcs->start[u], count = end[u] - from;
        memmove(arcs->to + at, arcs->to + from, count * sizeof *arcs->to);
        memmove(value + at, value + from, count * sizeof *value);
        arcs->start[u] = at;
        at += count;
    }
    arcs->start[arcs->n] = arcs->m = at;
}

static int compare(const void *a, const void *b)
{
    const struct arc *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->to > y->to) - (x->to < y->to);
}

/* The list of one vertex; `list` has room for it. */
static void sort_list(struct arcs *arcs, size_t u, struct arc *list)
{
    union value *value = values_of(arcs) + arcs->start[u];
    uint32_t *to = arcs->to + arcs->start[u];
    size_t count = arcs->start[u + 1] - arcs->start[u], sorted = 1;
    while (sorted < count && value[sorted - 1].whole <= value[sorted].whole)
        sorted++;
    if (sorted >= count)
        return;
    for (size_t k = 0; k < count; k++)
        list[k] = (struct arc){value[k].whole, to[k]};
    qsort(list, count, sizeof *list, compare);
    for (size_t k = 0; k < count; k++) {
        value[k].whole = list[k].key;
        to[k] = list[k].to;
    }
}

static int make_lists(struct arcs *arcs, const struct csr *edges, enum dtype type,
                      struct apsp_error *error)
{
    struct csr transposed = {0};
    size_t *end = malloc(arcs->n * sizeof *end);
    struct arc *list = malloc(arcs->n * sizeof *list);
    if (!end || !list)
        error_set(error, APSP_MEMORY, "no memory to sort the edges of %zu vertices", arcs->n);
    else if (csr_transpose(&transposed, edges, error) == APSP_OK) {
        memcpy(arcs->start, edges->start, (arcs->n + 1) * sizeof *arcs->start);
        memcpy(end, edges->start, arcs->n * sizeof *end);
        append_all(arcs, &transposed, type == DTYPE_I32 ? INF_I32 - 1 : INT64_MAX, end);
        close_gaps(arcs, end);
        const struct csr lists = {
            .n = arcs->n, .start = arcs->start, .to = arcs->to, .weight = values_of(arcs)};
        arcs->directed = !csr_leads_back(&lists, end);
        for (size_t u = 0; u < arcs->n; u++)
            sort_list(arcs, u, list);
    }
    csr_free(&transposed);
    free(list);
    free(end);
    return error->code;
}

/* The least scale that makes all lengths whole, and every sum of them on a path one that a double
 * holds; 1 if there is none. A length is that decimal whose nearest double it is. */
static struct scale find_scale(const struct arcs *arcs)
{
    struct scale_finder finder = {.text = true};
    struct scale scale;
    const double *length = arcs->length;
    for (size_t e = 0; e < arcs->m; e++)
        scale_find(&finder, length[e]);
    bool fits = scale_found(&finder, &scale) &&
                finder.most * scale_factor(scale) <= 0x1p53 / (double)arcs->n;
    return fits ? scale : (struct scale){0};
}

/* From values, which they overwrite. */
static void finish_lengths(struct arcs *arcs, enum dtype type, bool real)
{
    const union value *value = values_of(arcs);
    int32_t *i32 = arcs->length;
    int64_t *i64 = arcs->length;
    double *f64 = arcs->length;
    for (size_t e = 0; e < arcs->m; e++)
        if (type == DTYPE_I32)
            i32[e] = (int32_t)value[e].whole;
        else if (type == DTYPE_I64)
            i64[e] = value[e].whole;
        else
            f64[e] = real ? value[e].real : (double)value[e].whole;
    if (type != DTYPE_F64)
        return;
    const struct scale scale = find_scale(arcs);
    for (size_t e = 0; e < arcs->m; e++)
        arcs->scaled[e] = scale_factor(scale) == 1 ? f64[e] : (double)scale_whole(scale, f64[e]);
}

int arcs_make(struct arcs *arcs, const struct csr *edges, enum dtype type, struct apsp_error *error)
{
    *arcs = (struct arcs){.n = edges->n, .m = edges->m};
    void *memory = mem_alloc(arcs_layout(arcs, type, NULL));
    if (!memory)
        return error_set(error, APSP_MEMORY, "no memory for the lengths of %zu edges", edges->m);
    arcs_layout(arcs, type, memory);
    if (make_lists(arcs, edges, type, error) == APSP_OK)
        finish_lengths(arcs, type, edges->real);
    return error->code;
}

union value arcs_length(const struct arcs *arcs, enum dtype type, size_t arc)
{
    switch (type) {
    case DTYPE_I32:
        return (union value){.whole = ((const int32_t *)arcs->length)[arc]};
    case DTYPE_I64:
        return (union value){.whole = ((const int64_t *)arcs->length)[arc]};
    default:
        return (union value){.real = ((const double *)arcs->length)[arc]};
    }
}

static int compare_heads(const void *a, const void *b)
{
    const struct apsp_edge_value *x = a, *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

/* All arcs, by tails and heads. Where all lengths are equal, the lists are in this order. */
static void list_all(const struct arcs *arcs, const double *value, struct apsp_edge_value *edge)
{
#pragma omp parallel for schedule(dynamic, 64)
    for (size_t u = 0; u < arcs->n; u++) {
        const size_t first = arcs->start[u], count = arcs->start[u + 1] - first;
        bool ascending = true;
        for (size_t e = first; e < first + count; e++) {
            ascending = ascending && (e == first || arcs->to[e - 1] < arcs->to[e]);
            edge[e] = (struct apsp_edge_value){(uint32_t)u, arcs->to[e], value[e]};
        }
        if (!ascending)
            qsort(edge + first, count, sizeof *edge, compare_heads);
    }
}

/* Both arcs of a pair become one edge, at the lower vertex. As tails ascend, those that lead to a
 * vertex are the ways back of its first arcs, one after the other. Returns the number of edges. */
static size_t join_pairs(const struct arcs *arcs, struct apsp_edge_value *edge, size_t *next)
{
    size_t count = 0;
    memcpy(next, arcs->start, arcs->n * sizeof *next);
    for (size_t e = 0; e < arcs->m; e++) {
        struct apsp_edge_value both = edge[e];
        if (both.to < both.from)
            continue;
        both.value += edge[next[both.to]++].value;
        edge[count++] = both;
    }
    return count;
}

struct apsp_edge_value *arcs_list(const struct arcs *arcs, const double *value, size_t *count,
                                  struct apsp_error *error)
{
    struct apsp_edge_value *edge = malloc(mem_bytes(arcs->m + 1, sizeof *edge));
    size_t *next = malloc(mem_bytes(arcs->n + 1, sizeof *next));
    if (edge && next) {
        list_all(arcs, value, edge);
        *count = arcs->directed ? arcs->m : join_pairs(arcs, edge, next);
    } else {
        error_set(error, APSP_MEMORY, "no memory for a list of %zu edges", arcs->m);
        free(edge);
        edge = NULL;
    }
    free(next);
    return edge;
}
