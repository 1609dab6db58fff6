/*
 * From the vertex that is asked for, edges that are tight are followed back to vertices whose sums
 * are known, depth first; each vertex is visited once a row. Tight edges may close cycles of length
 * 0. The search finds these components (R. Tarjan, "Depth-first search and linear graph
 * algorithms", SIAM Journal on Computing 1, 1972). The sums of a small one are corrected until none
 * changes. A large one makes the whole row a search by Dijkstra's algorithm on the tight edges,
 * which orders paths by their sums: no attribute is below 0.
 */
#include "rows/skim.h"

#include "base/mem.h"
#include "rows/choose.h"

#include <string.h>

enum state { NEW, OPEN, KNOWN };
enum { SMALL = 64 }; /* Vertices of a component. */

struct skim {
    size_t n, count, source, depth, pending;
    uint32_t visits;
    bool searched; /* The row has had its search. */
    int64_t unreachable;
    int64_t *sum, *trial; /* Sums of a vertex lie side by side. */
    struct node {
        int64_t distance;
        size_t arc;           /* The next one of a vertex on the stack. */
        uint32_t number, low; /* When it was met, and the first one that it leads to. */
        enum state state;
    } * node;
    uint32_t *stack, *place; /* Vertices in hand, and those of open components; or of a heap, and
                                where they are in it. */
};

size_t skim_arcs_need(size_t n, size_t m)
{
    size_t all;
    mem_add(&all, mem_bytes(n + 1, sizeof(size_t)), mem_bytes(m, sizeof(uint32_t)));
    mem_add(&all, all, mem_bytes(m, sizeof(size_t) + sizeof(int64_t)));
    return all;
}

void skim_arcs_free(struct skim_arcs *arcs)
{
    mem_free(arcs->start);
    mem_free(arcs->from);
    mem_free(arcs->weight);
    mem_free(arcs->edge);
    *arcs = (struct skim_arcs){0};
}

static bool has_same_edges(const struct csr *a, const struct csr *b)
{
    return a->n == b->n && a->m == b->m &&
           memcmp(a->start, b->start, (a->n + 1) * sizeof *a->start) == 0 &&
           memcmp(a->to, b->to, a->m * sizeof *a->to) == 0;
}

int skim_arcs_make(struct skim_arcs *arcs, const struct csr *edges, const struct skims *skims,
                   struct apsp_error *error)
{
    *arcs = (struct skim_arcs){.edges = edges, .skims = skims};
    if (edges->real)
        return error_set(error, APSP_USAGE,
                         "--skim requires weights that are integers, or decimals whose sums are "
                         "exact");
    for (size_t k = 0; k < skims->count; k++)
        if (skims->csr[k].n > 0 && !has_same_edges(edges, &skims->csr[k]))
            return error_set(error, APSP_INPUT, "--skim %s: its edges are not those of GRAPH",
                             skims->name[k]);
    arcs->start = mem_alloc(mem_bytes(edges->n + 2, sizeof *arcs->start));
    arcs->from = mem_alloc(mem_bytes(edges->m + 1, sizeof *arcs->from));
    arcs->edge = mem_alloc(mem_bytes(edges->m + 1, sizeof *arcs->edge));
    arcs->weight = mem_alloc(mem_bytes(edges->m + 1, sizeof *arcs->weight));
    if (!arcs->start || !arcs->from || !arcs->weight || !arcs->edge)
        return error_set(error, APSP_MEMORY, "no memory for the skims of %zu edges", edges->m);
    for (size_t e = 0; e < edges->m; e++)
        arcs->start[edges->to[e] + 2]++;
    for (size_t v = 0; v < edges->n; v++)
        arcs->start[v + 2] += arcs->start[v + 1];
    for (uint32_t u = 0; u < edges->n; u++)
        for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++) {
            const size_t at = arcs->start[edges->to[e] + 1]++;
            arcs->from[at] = u;
            arcs->weight[at] = edges->weight[e].whole;
            arcs->edge[at] = e;
        }
    return APSP_OK;
}

static size_t skim_layout(struct skim *skim, void *base)
{
    struct mem_layout layout = {.base = base};
    const size_t n = skim->n;
    mem_place(&layout, 1, sizeof *skim);
    skim->node = mem_place(&layout, n, sizeof *skim->node);
    skim->sum = mem_place(&layout, mem_bytes(n, skim->count), sizeof *skim->sum);
    skim->trial = mem_place(&layout, skim->count, sizeof *skim->trial);
    skim->stack = mem_place(&layout, n, sizeof *skim->stack);
    skim->place = mem_place(&layout, n, sizeof *skim->place);
    return layout.bytes;
}

size_t skim_need(size_t n, size_t count)
{
    return skim_layout(&(struct skim){.n = n, .count = count}, NULL);
}

struct skim *skim_new(size_t n, size_t count)
{
    struct skim *skim = mem_alloc(skim_need(n, count));
    if (!skim)
        return NULL;
    skim->n = n;
    skim->count = count;
    skim_layout(skim, skim);
    return skim;
}

void skim_free(struct skim *skim)
{
    mem_free(skim);
}

void skim_row(struct skim *skim, size_t source, enum dtype dtype, const void *row)
{
    skim->source = source;
    skim->searched = false;
    skim->unreachable = dtype_info[dtype].unreachable;
    for (size_t v = 0; v < skim->n; v++)
        skim->node[v] = (struct node){.distance = choose_value(dtype, row, v).whole, .state = NEW};
    memset(skim->sum + source * skim->count, 0, skim->count * sizeof *skim->sum);
    skim->node[source].state = KNOWN;
}

static bool is_tight(const struct skim *skim, uint32_t from, int64_t weight, uint32_t to)
{
    const int64_t here = skim->node[from].distance;
    return here != skim->unreachable && here + weight == skim->node[to].distance;
}

/* The sums of a path that ends with the edge become the trial; whether they are less than those of
 * the vertex. */
static bool is_less(struct skim *skim, const struct skims *skims, uint32_t from, uint32_t to,
                    size_t edge)
{
    const int64_t *before = skim->sum + from * skim->count, *now = skim->sum + to * skim->count;
    int order = 0;
    for (size_t k = 0; k < skim->count; k++) {
        skim->trial[k] = before[k] + (skims->csr[k].n > 0 ? skims->csr[k].weight[edge].whole : 1);
        if (order == 0)
            order = (skim->trial[k] > now[k]) - (skim->trial[k] < now[k]);
    }
    return order < 0;
}

static void keep_trial(struct skim *skim, uint32_t to)
{
    memcpy(skim->sum + to * skim->count, skim->trial, skim->count * sizeof *skim->sum);
}

static void forget_sums(struct skim *skim, uint32_t v)
{
    for (size_t k = 0; k < skim->count; k++)
        skim->sum[v * skim->count + k] = INT64_MAX;
}

/* Takes what is less by a tight edge from a vertex that has sums; whether there was any. */
static bool correct(struct skim *skim, const struct skim_arcs *arcs, uint32_t v)
{
    bool changed = false;
    for (size_t a = arcs->start[v]; a < arcs->start[v + 1]; a++) {
        const uint32_t u = arcs->from[a];
        if (is_tight(skim, u, arcs->weight[a], v) && skim->sum[u * skim->count] != INT64_MAX &&
            is_less(skim, arcs->skims, u, v, arcs->edge[a])) {
            keep_trial(skim, v);
            changed = true;
        }
    }
    return changed;
}

/* A component, of which all vertices before it are known; false: it is too large. */
static bool settle(struct skim *skim, const struct skim_arcs *arcs, const uint32_t *vertex,
                   size_t count)
{
    if (count > SMALL)
        return false;
    for (size_t i = 0; i < count; i++)
        forget_sums(skim, vertex[i]);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < count; i++)
            changed |= correct(skim, arcs, vertex[i]);
        changed &= count > 1;
    }
    for (size_t i = 0; i < count; i++)
        skim->node[vertex[i]].state = KNOWN;
    return true;
}

static void meet(struct skim *skim, const struct skim_arcs *arcs, uint32_t v)
{
    skim->node[v].state = OPEN;
    skim->node[v].number = skim->node[v].low = ++skim->visits;
    skim->node[v].arc = arcs->start[v];
    skim->stack[skim->depth++] = v;
    skim->place[skim->pending++] = v;
}

/* Meets the next vertex before the one on top; false: there is none. */
static bool step_back(struct skim *skim, const struct skim_arcs *arcs, uint32_t v)
{
    for (size_t a = skim->node[v].arc; a < arcs->start[v + 1]; a++) {
        const uint32_t u = arcs->from[a];
        if (skim->node[u].state == KNOWN || !is_tight(skim, u, arcs->weight[a], v))
            continue;
        if (skim->node[u].state == NEW) {
            skim->node[v].arc = a + 1;
            meet(skim, arcs, u);
            return true;
        }
        if (skim->node[u].number < skim->node[v].low)
            skim->node[v].low = skim->node[u].number;
    }
    skim->node[v].arc = arcs->start[v + 1];
    return false;
}

/* The vertex on top leads nowhere else: its component ends, or is that of the one below, too. */
static bool leave(struct skim *skim, const struct skim_arcs *arcs, uint32_t v)
{
    skim->depth--;
    if (skim->node[v].low < skim->node[v].number) {
        const uint32_t below = skim->stack[skim->depth - 1];
        if (skim->node[v].low < skim->node[below].low)
            skim->node[below].low = skim->node[v].low;
        return true;
    }
    const size_t end = skim->pending;
    while (skim->place[--skim->pending] != v)
        ;
    return settle(skim, arcs, skim->place + skim->pending, end - skim->pending);
}

/* False: there is a component that is too large. */
static bool follow_back(struct skim *skim, const struct skim_arcs *arcs, uint32_t vertex)
{
    bool small = true;
    skim->depth = skim->pending = 0;
    skim->visits = 0;
    if (skim->node[vertex].state == NEW)
        meet(skim, arcs, vertex);
    while (skim->depth > 0 && small) {
        const uint32_t v = skim->stack[skim->depth - 1];
        small = step_back(skim, arcs, v) || leave(skim, arcs, v);
    }
    return small;
}

/* Whether the sums of a are before those of b. */
static bool is_before(const struct skim *skim, uint32_t a, uint32_t b)
{
    const int64_t *x = skim->sum + a * skim->count, *y = skim->sum + b * skim->count;
    for (size_t k = 0; k < skim->count; k++)
        if (x[k] != y[k])
            return x[k] < y[k];
    return false;
}

static void heap_put(struct skim *skim, size_t i, uint32_t v)
{
    skim->stack[i] = v;
    skim->place[v] = (uint32_t)i;
}

static void heap_rise(struct skim *skim, size_t i, uint32_t v)
{
    for (size_t up; i > 0 && is_before(skim, v, skim->stack[up = (i - 1) / 2]); i = up)
        heap_put(skim, i, skim->stack[up]);
    heap_put(skim, i, v);
}

static uint32_t heap_take_first(struct skim *skim)
{
    const uint32_t first = skim->stack[0], v = skim->stack[--skim->depth];
    size_t i = 0;
    for (size_t down; (down = 2 * i + 1) < skim->depth; i = down) {
        down += down + 1 < skim->depth && is_before(skim, skim->stack[down + 1], skim->stack[down]);
        if (!is_before(skim, skim->stack[down], v))
            break;
        heap_put(skim, i, skim->stack[down]);
    }
    if (skim->depth > 0)
        heap_put(skim, i, v);
    return first;
}

/* Takes the tight edges out of a vertex whose sums are known. */
static void spread(struct skim *skim, const struct skim_arcs *arcs, uint32_t u)
{
    const struct csr *edges = arcs->edges;
    for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++) {
        const uint32_t v = edges->to[e];
        if (skim->node[v].state == KNOWN || !is_tight(skim, u, edges->weight[e].whole, v))
            continue;
        if (skim->node[v].state == NEW)
            forget_sums(skim, v);
        if (!is_less(skim, arcs->skims, u, v, e))
            continue;
        keep_trial(skim, v);
        heap_rise(skim, skim->node[v].state == NEW ? skim->depth++ : skim->place[v], v);
        skim->node[v].state = OPEN;
    }
}

static void search(struct skim *skim, const struct skim_arcs *arcs)
{
    for (size_t v = 0; v < skim->n; v++)
        skim->node[v].state = NEW;
    skim->searched = true;
    skim->depth = 0;
    skim->node[skim->source].state = KNOWN;
    for (uint32_t u = (uint32_t)skim->source;; u = heap_take_first(skim)) {
        skim->node[u].state = KNOWN;
        spread(skim, arcs, u);
        if (skim->depth == 0)
            break;
    }
}

const int64_t *skim_to(struct skim *skim, const struct skim_arcs *arcs, uint32_t vertex)
{
    if (!skim->searched && !follow_back(skim, arcs, vertex))
        search(skim, arcs);
    const int64_t *sum = skim->sum + vertex * skim->count;
    return skim->node[vertex].state == KNOWN && sum[0] != INT64_MAX ? sum : NULL;
}
