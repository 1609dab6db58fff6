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

#include <string.h>

enum { SMALL = 64 }; /* Vertices of a component. */

struct skim {
    size_t n, count, source, depth, pending;
    bool searched; /* The row has had its search. */
    enum dtype dtype;
    int64_t unreachable;
    const void *row;
    int64_t *sum, *trial; /* Sums of a vertex lie side by side. */
    /* The mark of a vertex whose sums are known is `known`. One that is in hand has its number,
     * from 1 on, above that. Lower marks are those of earlier rows: the vertex is new. */
    uint32_t known, *mark;
    struct frame {  /* A vertex in hand. */
        size_t arc; /* The next one to it. */
        int64_t distance;
        uint32_t vertex, low; /* The least number that it leads to. */
    } * frame;
    uint32_t *heap, *place; /* Of a search: vertices, and where they are. And vertices in place[]
                               are those of open components. */
};

size_t skim_arcs_need(size_t n, size_t m, size_t count)
{
    size_t all;
    mem_add(&all, mem_bytes(n + 1, sizeof(size_t) + 2 * sizeof(uint32_t)),
            mem_bytes(m, sizeof(struct skim_arc)));
    mem_add(&all, all, mem_bytes(mem_bytes(m, count), sizeof(int64_t)));
    return all;
}

void skim_arcs_free(struct skim_arcs *arcs)
{
    mem_free(arcs->number);
    mem_free(arcs->vertex);
    mem_free(arcs->start);
    mem_free(arcs->arc);
    mem_free(arcs->value);
    *arcs = (struct skim_arcs){0};
}

static bool has_same_edges(const struct csr *a, const struct csr *b)
{
    return a->n == b->n && a->m == b->m &&
           memcmp(a->start, b->start, (a->n + 1) * sizeof *a->start) == 0 &&
           memcmp(a->to, b->to, a->m * sizeof *a->to) == 0;
}

/* Those of an edge. */
static void take_attributes(const struct skims *skims, size_t edge, int64_t *value)
{
    for (size_t k = 0; k < skims->count; k++)
        value[k] = skims->csr[k].n > 0 ? skims->csr[k].weight[edge].whole : 1;
}

/* The order of a depth-first search. Numbers are 1 more until its end, and 0 of new vertices.
 * vertex[] has those with numbers from the left, and the stack from the right. */
static void number_vertices(struct skim_arcs *arcs)
{
    const struct csr *edges = arcs->edges;
    uint32_t count = 0;
    for (uint32_t root = 0; root < edges->n; root++) {
        size_t top = edges->n;
        if (arcs->number[root] == 0)
            arcs->vertex[--top] = root;
        while (top < edges->n) {
            const uint32_t u = arcs->vertex[top++];
            arcs->vertex[count] = u;
            arcs->number[u] = ++count;
            for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++)
                if (arcs->number[edges->to[e]] == 0) {
                    arcs->number[edges->to[e]] = UINT32_MAX;
                    arcs->vertex[--top] = edges->to[e];
                }
        }
    }
    for (size_t v = 0; v < edges->n; v++)
        arcs->number[v]--;
}

int skim_arcs_make(struct skim_arcs *arcs, const struct csr *edges, const struct skims *skims,
                   struct apsp_error *error)
{
    *arcs = (struct skim_arcs){.edges = edges, .skims = skims};
    for (size_t k = 0; k < skims->count; k++)
        if (skims->csr[k].n > 0 && !has_same_edges(edges, &skims->csr[k]))
            return error_set(error, APSP_INPUT, "--skim %s: its edges are not those of GRAPH",
                             skims->name[k]);
    arcs->start = mem_alloc(mem_bytes(edges->n + 2, sizeof *arcs->start));
    arcs->arc = mem_alloc(mem_bytes(edges->m + 1, sizeof *arcs->arc));
    arcs->value = mem_alloc(mem_bytes(mem_bytes(edges->m + 1, skims->count), sizeof *arcs->value));
    arcs->number = mem_alloc(mem_bytes(edges->n, sizeof *arcs->number));
    arcs->vertex = mem_alloc(mem_bytes(edges->n, sizeof *arcs->vertex));
    if (!arcs->number || !arcs->vertex || !arcs->start || !arcs->arc || !arcs->value)
        return error_set(error, APSP_MEMORY, "no memory for the skims of %zu edges", edges->m);
    number_vertices(arcs);
    for (size_t e = 0; e < edges->m; e++)
        arcs->start[arcs->number[edges->to[e]] + 2]++;
    for (size_t v = 0; v < edges->n; v++)
        arcs->start[v + 2] += arcs->start[v + 1];
    for (uint32_t u = 0; u < edges->n; u++)
        for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++) {
            const size_t at = arcs->start[arcs->number[edges->to[e]] + 1]++;
            arcs->arc[at] = (struct skim_arc){edges->weight[e].whole, arcs->number[u], u};
            take_attributes(skims, e, arcs->value + at * skims->count);
        }
    return APSP_OK;
}

static size_t skim_layout(struct skim *skim, void *base)
{
    struct mem_layout layout = {.base = base};
    const size_t n = skim->n;
    mem_place(&layout, 1, sizeof *skim);
    skim->mark = mem_place(&layout, n, sizeof *skim->mark);
    skim->frame = mem_place(&layout, n, sizeof *skim->frame);
    skim->sum = mem_place(&layout, mem_bytes(n, skim->count), sizeof *skim->sum);
    skim->trial = mem_place(&layout, skim->count, sizeof *skim->trial);
    skim->heap = mem_place(&layout, n, sizeof *skim->heap);
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

/* All vertices are new. */
static void renew(struct skim *skim)
{
    const uint32_t numbers = (uint32_t)skim->n + 1;
    if (skim->known > UINT32_MAX - 2 * numbers) {
        memset(skim->mark, 0, skim->n * sizeof *skim->mark);
        skim->known = 0;
    }
    skim->known += numbers;
    skim->mark[skim->source] = skim->known;
}

void skim_row(struct skim *skim, const struct skim_arcs *arcs, size_t source, enum dtype dtype,
              const void *row)
{
    skim->source = arcs->number[source];
    skim->searched = false;
    skim->dtype = dtype;
    skim->unreachable = dtype_info[dtype].unreachable;
    skim->row = row;
    memset(skim->sum + skim->source * skim->count, 0, skim->count * sizeof *skim->sum);
    renew(skim);
}

/* Of a vertex of the graph. */
static int64_t distance_to(const struct skim *skim, uint32_t vertex)
{
    return skim->dtype == DTYPE_U16   ? ((const uint16_t *)skim->row)[vertex]
           : skim->dtype == DTYPE_I32 ? ((const int32_t *)skim->row)[vertex]
                                      : ((const int64_t *)skim->row)[vertex];
}

/* Whether a path to `vertex` of the graph goes on by an edge to a vertex at that distance. */
static bool is_tight(const struct skim *skim, uint32_t vertex, int64_t weight, int64_t distance)
{
    const int64_t here = distance_to(skim, vertex);
    return here != skim->unreachable && here + weight == distance;
}

/* The sums of a path that ends with an edge of these attributes become the trial; whether they are
 * less than those of the vertex. */
static bool is_less(struct skim *skim, const int64_t *value, uint32_t from, uint32_t to)
{
    const int64_t *before = skim->sum + from * skim->count, *now = skim->sum + to * skim->count;
    int order = 0;
    for (size_t k = 0; k < skim->count; k++) {
        skim->trial[k] = before[k] + value[k];
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
    const int64_t distance = distance_to(skim, arcs->vertex[v]);
    bool changed = false;
    for (size_t a = arcs->start[v]; a < arcs->start[v + 1]; a++) {
        const uint32_t u = arcs->arc[a].from;
        if (is_tight(skim, arcs->arc[a].vertex, arcs->arc[a].weight, distance) &&
            skim->sum[u * skim->count] != INT64_MAX &&
            is_less(skim, arcs->value + a * skim->count, u, v)) {
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
        skim->mark[vertex[i]] = skim->known;
    return true;
}

static void meet(struct skim *skim, const struct skim_arcs *arcs, uint32_t v, uint32_t number)
{
    skim->mark[v] = skim->known + number;
    skim->frame[skim->depth++] =
        (struct frame){arcs->start[v], distance_to(skim, arcs->vertex[v]), v, number};
    skim->place[skim->pending++] = v;
}

/* The next vertex before the one of the frame that is new; UINT32_MAX: there is none. */
static uint32_t step_back(struct skim *skim, const struct skim_arcs *arcs, struct frame *frame)
{
    const size_t end = arcs->start[frame->vertex + 1];
    for (size_t a = frame->arc; a < end; a++) {
        const struct skim_arc *arc = &arcs->arc[a];
        const uint32_t u = arc->from, mark = skim->mark[u];
        if (mark == skim->known || !is_tight(skim, arc->vertex, arc->weight, frame->distance))
            continue;
        if (mark < skim->known) {
            frame->arc = a + 1;
            return u;
        }
        if (mark - skim->known < frame->low)
            frame->low = mark - skim->known;
    }
    return UINT32_MAX;
}

/* The frame on top leads nowhere else: its component ends, or is that of the one below, too. */
static bool leave(struct skim *skim, const struct skim_arcs *arcs)
{
    const struct frame *frame = &skim->frame[--skim->depth];
    if (frame->low < skim->mark[frame->vertex] - skim->known) {
        struct frame *below = &skim->frame[skim->depth - 1];
        if (frame->low < below->low)
            below->low = frame->low;
        return true;
    }
    const size_t end = skim->pending;
    while (skim->place[--skim->pending] != frame->vertex)
        ;
    return settle(skim, arcs, skim->place + skim->pending, end - skim->pending);
}

/* False: there is a component that is too large. */
static bool follow_back(struct skim *skim, const struct skim_arcs *arcs, uint32_t vertex)
{
    uint32_t visits = 0;
    bool small = true;
    skim->depth = skim->pending = 0;
    if (skim->mark[vertex] < skim->known)
        meet(skim, arcs, vertex, ++visits);
    while (skim->depth > 0 && small) {
        const uint32_t next = step_back(skim, arcs, &skim->frame[skim->depth - 1]);
        if (next != UINT32_MAX)
            meet(skim, arcs, next, ++visits);
        else
            small = leave(skim, arcs);
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
    skim->heap[i] = v;
    skim->place[v] = (uint32_t)i;
}

static void heap_rise(struct skim *skim, size_t i, uint32_t v)
{
    for (size_t up; i > 0 && is_before(skim, v, skim->heap[up = (i - 1) / 2]); i = up)
        heap_put(skim, i, skim->heap[up]);
    heap_put(skim, i, v);
}

static uint32_t heap_take_first(struct skim *skim)
{
    const uint32_t first = skim->heap[0], v = skim->heap[--skim->depth];
    size_t i = 0;
    for (size_t down; (down = 2 * i + 1) < skim->depth; i = down) {
        down += down + 1 < skim->depth && is_before(skim, skim->heap[down + 1], skim->heap[down]);
        if (!is_before(skim, skim->heap[down], v))
            break;
        heap_put(skim, i, skim->heap[down]);
    }
    if (skim->depth > 0)
        heap_put(skim, i, v);
    return first;
}

/* Takes the tight edges out of a vertex whose sums are known. */
static void spread(struct skim *skim, const struct skim_arcs *arcs, uint32_t u)
{
    const struct csr *edges = arcs->edges;
    const uint32_t from = arcs->vertex[u];
    int64_t value[SKIMS_MAX];
    for (size_t e = edges->start[from]; e < edges->start[from + 1]; e++) {
        const uint32_t to = edges->to[e], v = arcs->number[to];
        const bool is_new = skim->mark[v] < skim->known;
        if (skim->mark[v] == skim->known ||
            !is_tight(skim, from, edges->weight[e].whole, distance_to(skim, to)))
            continue;
        if (is_new)
            forget_sums(skim, v);
        take_attributes(arcs->skims, e, value);
        if (!is_less(skim, value, u, v))
            continue;
        keep_trial(skim, v);
        heap_rise(skim, is_new ? skim->depth++ : skim->place[v], v);
        skim->mark[v] = skim->known + 1;
    }
}

static void search(struct skim *skim, const struct skim_arcs *arcs)
{
    renew(skim);
    skim->searched = true;
    skim->depth = 0;
    for (uint32_t u = (uint32_t)skim->source;; u = heap_take_first(skim)) {
        skim->mark[u] = skim->known;
        spread(skim, arcs, u);
        if (skim->depth == 0)
            break;
    }
}

const int64_t *skim_to(struct skim *skim, const struct skim_arcs *arcs, uint32_t vertex)
{
    const uint32_t v = arcs->number[vertex];
    if (!skim->searched && !follow_back(skim, arcs, v))
        search(skim, arcs);
    const int64_t *sum = skim->sum + v * skim->count;
    return skim->mark[v] == skim->known && sum[0] != INT64_MAX ? sum : NULL;
}
