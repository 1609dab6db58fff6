/*
 * The network in which rows are followed back. Paths are wanted between some vertices alone. Any
 * other one that has few neighbours is eliminated: each path of two edges through it becomes an
 * edge. Of parallel edges the first of their order counts, so the rest go.
 */
#include "base/mem.h"
#include "rows/skim.h"

#include <string.h>

enum side { OUT, IN, SIDES };
enum { NEIGHBOURS = 3, LONG = 32 /* edges of a neighbour on a side, at most */ };
#define NONE UINT32_MAX
#define LAST SIZE_MAX

/* An edge is in a list of the vertex that it leads out of and in one of that which it leads into.
 * One that is gone ends at NONE, and leaves the lists when these are passed. */
struct net {
    size_t n, count; /* Vertices and skims. */
    uint32_t *end[SIDES];
    size_t *next[SIDES], *first[SIDES];
    int64_t *weight, *value;
    unsigned char *kept, *queued, *gone; /* Marks of each vertex. */
    uint32_t *queue;
};

static size_t net_layout(struct net *net, size_t m, void *base)
{
    struct mem_layout layout = {.base = base};
    const size_t n = net->n;
    for (int side = 0; side < SIDES; side++) {
        net->end[side] = mem_place(&layout, m + 1, sizeof **net->end);
        net->next[side] = mem_place(&layout, m + 1, sizeof **net->next);
        net->first[side] = mem_place(&layout, n, sizeof **net->first);
    }
    net->weight = mem_place(&layout, m + 1, sizeof *net->weight);
    net->value = mem_place(&layout, mem_bytes(m + 1, net->count), sizeof *net->value);
    net->kept = mem_place(&layout, n, 1);
    net->queued = mem_place(&layout, n, 1);
    net->gone = mem_place(&layout, n, 1);
    net->queue = mem_place(&layout, n, sizeof *net->queue);
    return layout.bytes;
}

static size_t arcs_layout(struct skim_arcs *arcs, size_t n, size_t m, size_t count, void *base)
{
    struct mem_layout layout = {.base = base};
    arcs->start = mem_place(&layout, n + 2, sizeof *arcs->start);
    arcs->arc = mem_place(&layout, m + 1, sizeof *arcs->arc);
    arcs->value = mem_place(&layout, mem_bytes(m + 1, count), sizeof *arcs->value);
    arcs->out_start = mem_place(&layout, n + 2, sizeof *arcs->out_start);
    arcs->out = mem_place(&layout, m + 1, sizeof *arcs->out);
    return layout.bytes;
}

static size_t numbers_need(size_t n)
{
    return mem_bytes(n + 1, 2 * sizeof(uint32_t));
}

size_t skim_arcs_need(size_t n, size_t m, size_t count)
{
    size_t all;
    mem_add(&all, net_layout(&(struct net){.n = n, .count = count}, m, NULL),
            arcs_layout(&(struct skim_arcs){0}, n, m, count, NULL));
    mem_add(&all, all, numbers_need(n));
    return all;
}

void skim_arcs_free(struct skim_arcs *arcs)
{
    mem_free(arcs->number);
    mem_free(arcs->start);
    *arcs = (struct skim_arcs){0};
}

static bool has_same_edges(const struct csr *a, const struct csr *b)
{
    return a->n == b->n && a->m == b->m &&
           memcmp(a->start, b->start, (a->n + 1) * sizeof *a->start) == 0 &&
           memcmp(a->to, b->to, a->m * sizeof *a->to) == 0;
}

/* The next edge of a list, from that link on; LAST: none. */
static size_t net_step(struct net *net, enum side side, size_t *link)
{
    while (*link != LAST && net->end[OUT][*link] == NONE)
        *link = net->next[side][*link];
    return *link;
}

/* Puts the weight and the values to the edge, if it is there, where they are less. */
static void net_lower(struct net *net, size_t edge, int64_t weight, const int64_t *value)
{
    int64_t *now = net->value + edge * net->count;
    int order = (weight > net->weight[edge]) - (weight < net->weight[edge]);
    for (size_t k = 0; order == 0 && k < net->count; k++)
        order = (value[k] > now[k]) - (value[k] < now[k]);
    if (order >= 0)
        return;
    net->weight[edge] = weight;
    memcpy(now, value, net->count * sizeof *now);
}

static void net_put(struct net *net, size_t edge, const uint32_t end[SIDES], int64_t weight,
                    const int64_t *value)
{
    for (int side = 0; side < SIDES; side++) {
        net->end[side][edge] = end[side];
        net->next[side][edge] = net->first[side][end[side]];
        net->first[side][end[side]] = edge;
    }
    net->weight[edge] = weight;
    memcpy(net->value + edge * net->count, value, net->count * sizeof *value);
}

/* The values of an edge. */
static void take_attributes(const struct skims *skims, size_t edge, int64_t *value)
{
    for (size_t k = 0; k < skims->count; k++)
        value[k] = skims->csr[k].n > 0 ? skims->csr[k].weight[edge].whole : 1;
}

/* All edges but loops and parallel ones. The queue has the vertices met last. */
static void net_load(struct net *net, const struct csr *edges, const struct skims *skims)
{
    int64_t value[SKIMS_MAX];
    size_t count = 0;
    for (int side = 0; side < SIDES; side++)
        memset(net->first[side], 0xff, net->n * sizeof **net->first);
    for (uint32_t u = 0; u < edges->n; u++)
        for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++) {
            const uint32_t v = edges->to[e];
            const size_t last = net->first[IN][v];
            take_attributes(skims, e, value);
            if (last != LAST && net->end[OUT][last] == u)
                net_lower(net, last, edges->weight[e].whole, value);
            else if (u != v)
                net_put(net, count++, (const uint32_t[]){u, v}, edges->weight[e].whole, value);
        }
}

/* A vertex that is looked at: its edges by side, and its neighbours. */
struct star {
    int edges[SIDES], neighbours;
    size_t edge[SIDES][NEIGHBOURS];
    uint32_t neighbour[NEIGHBOURS];
};

/* False: it has more than so many. */
static bool star_take(struct star *star, struct net *net, uint32_t x, int most)
{
    *star = (struct star){0};
    for (int side = 0; side < SIDES; side++)
        for (size_t *link = &net->first[side][x], edge; (edge = net_step(net, side, link)) != LAST;
             link = &net->next[side][edge]) {
            const uint32_t other = net->end[!side][edge];
            int i = 0;
            while (i < star->neighbours && star->neighbour[i] != other)
                i++;
            if (i == most)
                return false;
            star->neighbour[i] = other;
            star->neighbours += i == star->neighbours;
            star->edge[side][star->edges[side]++] = edge;
        }
    return true;
}

static bool is_short(struct net *net, enum side side, uint32_t vertex)
{
    int count = 0;
    for (size_t *link = &net->first[side][vertex], edge;
         (edge = net_step(net, side, link)) != LAST && count <= LONG; link = &net->next[side][edge])
        count++;
    return count <= LONG;
}

static void net_unlink(struct net *net, size_t edge)
{
    for (int side = 0; side < SIDES; side++) {
        size_t *link = &net->first[side][net->end[side][edge]];
        while (*link != edge)
            link = &net->next[side][*link];
        *link = net->next[side][edge];
    }
}

/* The edge between these vertices; LAST: there is none. */
static size_t net_find(struct net *net, uint32_t u, uint32_t v)
{
    size_t edge;
    for (size_t *link = &net->first[OUT][u]; (edge = net_step(net, OUT, link)) != LAST;
         link = &net->next[OUT][edge])
        if (net->end[IN][edge] == v)
            break;
    return edge;
}

/* Paths of two edges through the vertex become edges, which take the place of those of the star:
 * there are no more. */
static void star_join(struct net *net, const struct star *star)
{
    struct half {
        uint32_t end;
        int64_t weight, value[SKIMS_MAX];
    } half[SIDES][NEIGHBOURS];
    size_t free[SIDES * NEIGHBOURS], frees = 0;
    for (int side = 0; side < SIDES; side++)
        for (int i = 0; i < star->edges[side]; i++) {
            const size_t edge = free[frees++] = star->edge[side][i];
            half[side][i] =
                (struct half){.end = net->end[!side][edge], .weight = net->weight[edge]};
            memcpy(half[side][i].value, net->value + edge * net->count,
                   net->count * sizeof *net->value);
            net_unlink(net, edge);
            net->end[OUT][edge] = NONE;
        }
    for (int i = 0; i < star->edges[IN]; i++)
        for (int j = 0; j < star->edges[OUT]; j++) {
            const struct half *in = &half[IN][i], *out = &half[OUT][j];
            int64_t weight, value[SKIMS_MAX] = {0};
            if (in->end == out->end ||
                __builtin_add_overflow(in->weight, out->weight, &weight)) /* on no shortest path */
                continue;
            for (size_t k = 0; k < net->count; k++)
                value[k] = in->value[k] + out->value[k];
            const size_t edge = net_find(net, in->end, out->end);
            if (edge != LAST)
                net_lower(net, edge, weight, value);
            else
                net_put(net, free[--frees], (const uint32_t[]){in->end, out->end}, weight, value);
        }
}

/* Whether the vertex is gone. */
static bool net_eliminate(struct net *net, struct star *star, uint32_t x, int most)
{
    if (!star_take(star, net, x, most))
        return false;
    for (int i = 0; star->neighbours > 1 && i < star->neighbours; i++)
        if (!is_short(net, OUT, star->neighbour[i]) || !is_short(net, IN, star->neighbour[i]))
            return false;
    if (star->neighbours > 1)
        star_join(net, star);
    for (int side = 0; star->neighbours == 1 && side < SIDES; side++)
        for (int i = 0; i < star->edges[side]; i++)
            net->end[OUT][star->edge[side][i]] = NONE;
    net->gone[x] = true;
    return true;
}

/* Vertices with the fewest neighbours go first. */
static void net_shrink(struct net *net)
{
    struct star star;
    for (int most = 1; most <= NEIGHBOURS; most++) {
        size_t first = 0, count = 0;
        for (uint32_t v = 0; v < net->n; v++)
            if ((net->queued[v] = !net->kept[v] && !net->gone[v]))
                net->queue[count++] = v;
        while (count > 0) {
            const uint32_t x = net->queue[first];
            first = first + 1 < net->n ? first + 1 : 0;
            count--;
            net->queued[x] = false;
            if (!net_eliminate(net, &star, x, most))
                continue;
            for (int i = 0; i < star.neighbours; i++) {
                const uint32_t v = star.neighbour[i];
                if (net->kept[v] || net->queued[v])
                    continue;
                net->queued[v] = true;
                net->queue[first + count < net->n ? first + count : first + count - net->n] = v;
                count++;
            }
        }
    }
}

/* The new vertices that edges of u lead to go onto the stack; its new top. */
static size_t push_ends(struct skim_arcs *arcs, struct net *net, uint32_t u, size_t top)
{
    for (size_t *link = &net->first[OUT][u], edge; (edge = net_step(net, OUT, link)) != LAST;
         link = &net->next[OUT][edge]) {
        const uint32_t v = net->end[IN][edge];
        if (arcs->number[v] == 0) {
            arcs->number[v] = NONE;
            arcs->vertex[--top] = v;
        }
    }
    return top;
}

/* The order of a depth-first search. Numbers are 1 more until its end, and 0 of new vertices.
 * vertex[] has those with numbers from the left, and the stack from the right. */
static void number_vertices(struct skim_arcs *arcs, struct net *net)
{
    uint32_t count = 0;
    for (uint32_t root = 0; root < net->n; root++) {
        size_t top = net->n;
        if (arcs->number[root] == 0 && !net->gone[root])
            arcs->vertex[--top] = root;
        while (top < net->n) {
            const uint32_t u = arcs->vertex[top++];
            arcs->vertex[count] = u;
            arcs->number[u] = ++count;
            top = push_ends(arcs, net, u, top);
        }
    }
    arcs->n = count;
    for (size_t v = 0; v < net->n; v++)
        arcs->number[v]--;
}

/* Edges by the vertex that they lead to, and by the one that they come from. */
static void place_arcs(struct skim_arcs *arcs, struct net *net)
{
    size_t at = 0;
    for (uint32_t v = 0; v < arcs->n; v++) {
        for (size_t *link = &net->first[IN][arcs->vertex[v]], edge;
             (edge = net_step(net, IN, link)) != LAST; link = &net->next[IN][edge], at++) {
            const uint32_t u = arcs->number[net->end[OUT][edge]];
            arcs->arc[at] = (struct skim_arc){net->weight[edge], u};
            memcpy(arcs->value + at * net->count, net->value + edge * net->count,
                   net->count * sizeof *net->value);
            arcs->out_start[u + 2]++;
        }
        arcs->start[v + 1] = at;
    }
    for (size_t v = 0; v < arcs->n; v++)
        arcs->out_start[v + 2] += arcs->out_start[v + 1];
    for (uint32_t v = 0; v < arcs->n; v++)
        for (size_t a = arcs->start[v]; a < arcs->start[v + 1]; a++)
            arcs->out[arcs->out_start[arcs->arc[a].from + 1]++] = (struct skim_out){a, v};
}

static void keep(struct net *net, const struct sources *some)
{
    if (!some || some->count == 0)
        memset(net->kept, true, net->n);
    else
        for (size_t i = 0; i < some->count; i++)
            net->kept[some->vertex[i]] = true;
}

int skim_arcs_make(struct skim_arcs *arcs, const struct csr *edges, const struct skims *skims,
                   const struct sources *from, const struct sources *to, struct apsp_error *error)
{
    *arcs = (struct skim_arcs){0};
    struct net net = {.n = edges->n, .count = skims->count};
    if (edges->real)
        return error_set(error, APSP_USAGE,
                         "skims require weights that are integers, or decimals whose sums are "
                         "exact");
    for (size_t k = 0; k < skims->count; k++)
        if (skims->csr[k].n > 0 && !has_same_edges(edges, &skims->csr[k]))
            return error_set(error, APSP_INPUT, "skim %s: its edges are not those of the graph",
                             skims->name[k]);
    void *memory = mem_alloc(net_layout(&net, edges->m, NULL));
    arcs->number = mem_alloc(numbers_need(net.n));
    arcs->start = mem_alloc(arcs_layout(arcs, net.n, edges->m, net.count, NULL));
    if (memory && arcs->number && arcs->start) {
        net_layout(&net, edges->m, memory);
        arcs->vertex = arcs->number + net.n;
        arcs_layout(arcs, net.n, edges->m, net.count, arcs->start);
        net_load(&net, edges, skims);
        keep(&net, from);
        keep(&net, to);
        net_shrink(&net);
        number_vertices(arcs, &net);
        place_arcs(arcs, &net);
    } else {
        error_set(error, APSP_MEMORY, "no memory for the skims of %zu edges", edges->m);
    }
    mem_free(memory);
    return error->code;
}
