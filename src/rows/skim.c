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
#include "base/typed.h"

#include <math.h>
#include <string.h>

enum { SMALL = 64 /* vertices of a component */, BITS = 64 };

struct skim {
    size_t n, count, source, depth, pending;
    bool searched; /* The row has had its search. */
    int64_t unreachable;
    int64_t *distance; /* To each vertex. */
    int64_t *sum;      /* Sums of a vertex lie side by side. */
    /* The mark of a vertex whose sums are known is `known`. One that is in hand has its number,
     * from 1 on, above that. Lower marks are those of earlier rows: the vertex is new. */
    uint32_t known, *mark;
    struct frame {            /* A vertex in hand. */
        uint64_t tight;       /* Bits of the 64 edges before `arc` that are still to follow. */
        size_t arc;           /* The next one to it. */
        uint32_t vertex, low; /* The least number that it leads to. */
    } * frame;
    uint32_t *heap;  /* The vertices of a search. */
    uint32_t *place; /* The positions of these in the heap; or the vertices of open components. */
};

static size_t skim_layout(struct skim *skim, void *base)
{
    struct mem_layout layout = {.base = base};
    const size_t n = skim->n;
    mem_place(&layout, 1, sizeof *skim);
    skim->mark = mem_place(&layout, n, sizeof *skim->mark);
    skim->frame = mem_place(&layout, n, sizeof *skim->frame);
    skim->distance = mem_place(&layout, n, sizeof *skim->distance);
    skim->sum = mem_place(&layout, mem_bytes(n, skim->count), sizeof *skim->sum);
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

/* Distances, in the order of the vertices' own numbers. Reals are whole. */
static void take_row(struct skim *skim, const struct skim_arcs *arcs, enum dtype dtype,
                     const void *row)
{
    const uint32_t *vertex = arcs->vertex;
    if (dtype == DTYPE_U16)
        for (size_t v = 0; v < arcs->n; v++)
            skim->distance[v] = ((const uint16_t *)row)[vertex[v]];
    else if (dtype == DTYPE_I32)
        for (size_t v = 0; v < arcs->n; v++)
            skim->distance[v] = ((const int32_t *)row)[vertex[v]];
    else if (dtype == DTYPE_I64)
        for (size_t v = 0; v < arcs->n; v++)
            skim->distance[v] = ((const int64_t *)row)[vertex[v]];
    else
        for (size_t v = 0; v < arcs->n; v++) {
            const double real = typed_get(dtype, row, vertex[v]).real;
            skim->distance[v] = isinf(real) ? skim->unreachable : (int64_t)real;
        }
}

void skim_row(struct skim *skim, const struct skim_arcs *arcs, size_t source, enum dtype dtype,
              const void *row)
{
    skim->source = arcs->number[source];
    skim->searched = false;
    skim->unreachable = dtype_info[dtype_info[dtype].real ? DTYPE_I64 : dtype].unreachable;
    take_row(skim, arcs, dtype, row);
    memset(skim->sum + skim->source * skim->count, 0, skim->count * sizeof *skim->sum);
    renew(skim);
}

/* Whether a path to that vertex goes on by an edge to one at that distance. */
static bool is_tight(const struct skim *skim, uint32_t from, int64_t weight, int64_t distance)
{
    const int64_t here = skim->distance[from];
    return (here != skim->unreachable) & (here + weight == distance);
}

/* A bit for each of up to 64 edges that is tight. */
static uint64_t find_tight(const struct skim *skim, const struct skim_arc *arc, size_t count,
                           int64_t distance)
{
    uint64_t tight = 0;
    for (size_t i = 0; i < count; i++)
        tight |= (uint64_t)is_tight(skim, arc[i].from, arc[i].weight, distance) << i;
    return tight;
}

/* Takes the sums of a path by that vertex, which ends with an edge of these attributes, if they are
 * less; whether they are. */
static bool relax(struct skim *skim, const int64_t *value, uint32_t from, uint32_t to)
{
    const int64_t *before = skim->sum + from * skim->count;
    int64_t *now = skim->sum + to * skim->count;
    size_t k = 0;
    while (k < skim->count && before[k] + value[k] == now[k])
        k++;
    if (k == skim->count || before[k] + value[k] > now[k])
        return false;
    for (; k < skim->count; k++)
        now[k] = before[k] + value[k];
    return true;
}

static void forget_sums(struct skim *skim, uint32_t v)
{
    for (size_t k = 0; k < skim->count; k++)
        skim->sum[v * skim->count + k] = INT64_MAX;
}

/* Takes what is less by a tight edge from a vertex that has sums; whether there was any. */
static bool correct(struct skim *skim, const struct skim_arcs *arcs, uint32_t v)
{
    const int64_t distance = skim->distance[v];
    bool changed = false;
    for (size_t a = arcs->start[v]; a < arcs->start[v + 1]; a++) {
        const uint32_t u = arcs->arc[a].from;
        changed |= is_tight(skim, u, arcs->arc[a].weight, distance) &&
                   skim->sum[u * skim->count] != INT64_MAX &&
                   relax(skim, arcs->value + a * skim->count, u, v);
    }
    return changed;
}

/* A component, of which all vertices before it are known; false: it is too large. Sums by these
 * vertices are there. */
static bool settle(struct skim *skim, const struct skim_arcs *arcs, const uint32_t *vertex,
                   size_t count)
{
    if (count > SMALL)
        return false;
    for (bool changed = count > 1; changed;) {
        changed = false;
        for (size_t i = 0; i < count; i++)
            changed |= correct(skim, arcs, vertex[i]);
    }
    for (size_t i = 0; i < count; i++)
        skim->mark[vertex[i]] = skim->known;
    return true;
}

static void meet(struct skim *skim, const struct skim_arcs *arcs, uint32_t v, uint32_t number)
{
    skim->mark[v] = skim->known + number;
    forget_sums(skim, v);
    skim->frame[skim->depth++] = (struct frame){0, arcs->start[v], v, number};
    skim->place[skim->pending++] = v;
}

/* The next vertex before the one of the frame that is new; UINT32_MAX: there is none. The sums of
 * those that are known are taken on the way. */
static uint32_t step_back(struct skim *skim, const struct skim_arcs *arcs, struct frame *frame)
{
    const size_t end = arcs->start[frame->vertex + 1];
    const int64_t distance = skim->distance[frame->vertex];
    for (;; frame->tight &= frame->tight - 1) {
        for (; frame->tight == 0 && frame->arc < end; frame->arc += BITS)
            frame->tight = find_tight(skim, arcs->arc + frame->arc,
                                      end - frame->arc < BITS ? end - frame->arc : BITS, distance);
        if (frame->tight == 0)
            return UINT32_MAX;
        const size_t a = frame->arc - BITS + (size_t)__builtin_ctzll(frame->tight);
        const uint32_t u = arcs->arc[a].from, mark = skim->mark[u];
        if (mark < skim->known)
            return u;
        if (mark > skim->known) {
            if (mark - skim->known < frame->low)
                frame->low = mark - skim->known;
        } else if (skim->sum[u * skim->count] != INT64_MAX) {
            relax(skim, arcs->value + a * skim->count, u, frame->vertex);
        }
    }
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
    for (size_t i = arcs->out_start[u]; i < arcs->out_start[u + 1]; i++) {
        const size_t a = arcs->out[i].arc;
        const uint32_t v = arcs->out[i].to;
        const bool is_new = skim->mark[v] < skim->known;
        if (skim->mark[v] == skim->known ||
            !is_tight(skim, u, arcs->arc[a].weight, skim->distance[v]))
            continue;
        if (is_new)
            forget_sums(skim, v);
        if (!relax(skim, arcs->value + a * skim->count, u, v))
            continue;
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

bool skim_reaches(const struct skim *skim, const struct skim_arcs *arcs, uint32_t vertex)
{
    return skim->distance[arcs->number[vertex]] != skim->unreachable;
}

const int64_t *skim_to(struct skim *skim, const struct skim_arcs *arcs, uint32_t vertex)
{
    const uint32_t v = arcs->number[vertex];
    if (!skim->searched && !follow_back(skim, arcs, v))
        search(skim, arcs);
    const int64_t *sum = skim->sum + v * skim->count;
    return skim->mark[v] == skim->known && sum[0] != INT64_MAX ? sum : NULL;
}
