/*
 * Vertices within a few steps of the border are a network in which each may be passed once, from
 * the furthest ones on the left to the furthest on the right. Its smallest cut is found by E.
 * Dinic's algorithm (Soviet Math. Doklady 11, 1970). The next band is that around the cut.
 */
#ifdef APSP_METIS
#include "sparse/band.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
    STEPS = 6,  /* from the border to the ends of a band */
    ROUNDS = 3, /* bands, one after the other */
    WIDE = 16   /* A band has at most this part of all vertices. */
};

/* Vertex i of the band has an entry, node 2 i, and an exit. Arcs come in pairs, there and back. */
struct network {
    size_t n, edges;
    const idx_t *start, *to;
    idx_t *side;
    idx_t *depth;     /* of a vertex, in steps from the border; -1: beyond */
    uint32_t *member; /* The band. */
    size_t count;     /* of its vertices */
    int64_t balance;  /* vertices on the left, less those on the right, of the whole graph */
    uint32_t nodes, source, sink;
    idx_t *first, *next, *at; /* Arcs of a node; of an arc; of a node, while paths are found. */
    uint32_t *head;           /* where an arc leads */
    idx_t *room;
    size_t arcs;
    idx_t *level;
    uint32_t *queue;
    idx_t *path;
};

static bool is_border(const struct network *net, size_t v)
{
    bool border = net->side[v] == BAND_SEPARATOR;
    for (idx_t e = net->start[v]; e < net->start[v + 1]; e++)
        border = border || net->side[net->to[e]] != net->side[v];
    return border;
}

/* The border of the whole graph, or that within the last band. */
static void find_border(struct network *net, bool whole)
{
    const size_t among = whole ? net->n : net->count;
    size_t count = 0;
    for (size_t i = 0; i < among; i++)
        net->depth[whole ? i : net->member[i]] = -1;
    for (size_t i = 0; i < among; i++) {
        const size_t v = whole ? i : net->member[i];
        if (whole)
            net->balance += (net->side[v] == BAND_LEFT) - (net->side[v] == BAND_RIGHT);
        if (!is_border(net, v))
            continue;
        net->depth[v] = 0;
        net->member[count++] = (uint32_t)v;
    }
    net->count = count;
}

/* Vertices of a separator are its middle, and others lie up to STEPS from it. */
static bool find_band(struct network *net, bool whole)
{
    find_border(net, whole);
    net->edges = 0;
    for (size_t i = 0; i < net->count; i++) {
        const uint32_t v = net->member[i];
        net->edges += (size_t)(net->start[v + 1] - net->start[v]);
        if (net->depth[v] == STEPS)
            continue;
        for (idx_t e = net->start[v]; e < net->start[v + 1]; e++) {
            const idx_t u = net->to[e];
            if (net->depth[u] >= 0)
                continue;
            net->depth[u] = net->depth[v] + 1;
            net->member[net->count++] = (uint32_t)u;
        }
    }
    return net->count <= net->n / WIDE;
}

static bool open_arcs(struct network *net)
{
    const size_t arcs = 2 * (net->edges + 2 * net->count);
    if (arcs >= INT32_MAX)
        return false;
    net->nodes = (uint32_t)(2 * net->count + 2);
    net->source = net->nodes - 2;
    net->sink = net->nodes - 1;
    net->arcs = 0;
    net->first = mem_alloc(mem_bytes(net->nodes, 3 * sizeof *net->first));
    net->queue = mem_alloc(mem_bytes(net->nodes, 2 * sizeof *net->queue));
    net->next = mem_alloc(mem_bytes(arcs, 3 * sizeof *net->next));
    net->at = net->first + net->nodes;
    net->level = net->at + net->nodes;
    net->path = (idx_t *)net->queue + net->nodes;
    net->head = (uint32_t *)net->next + arcs;
    net->room = net->next + 2 * arcs;
    return net->first && net->queue && net->next;
}

static void free_arcs(struct network *net)
{
    mem_free(net->next);
    mem_free(net->queue);
    mem_free(net->first);
}

static void add_arc(struct network *net, uint32_t from, uint32_t to, idx_t room)
{
    for (int back = 0; back < 2; back++) {
        const size_t a = net->arcs++;
        net->head[a] = back ? from : to;
        net->room[a] = back ? 0 : room;
        net->next[a] = net->first[back ? to : from];
        net->first[back ? to : from] = (idx_t)a;
    }
}

/* False: there is no end on one of the sides. Depths become numbers in the band. */
static bool fill_arcs(struct network *net)
{
    size_t ends[2] = {0, 0};
    memset(net->first, 0xff, net->nodes * sizeof *net->first);
    for (uint32_t i = 0; i < net->count; i++) {
        const uint32_t v = net->member[i];
        add_arc(net, 2 * i, 2 * i + 1, 1);
        if (net->depth[v] == STEPS && net->side[v] == BAND_LEFT)
            add_arc(net, net->source, 2 * i, INT32_MAX / 2);
        else if (net->depth[v] == STEPS)
            add_arc(net, 2 * i + 1, net->sink, INT32_MAX / 2);
        if (net->depth[v] == STEPS)
            ends[net->side[v]]++;
    }
    for (uint32_t i = 0; i < net->count; i++)
        net->depth[net->member[i]] = (idx_t)i;
    for (uint32_t i = 0; i < net->count; i++) {
        const uint32_t v = net->member[i];
        for (idx_t e = net->start[v]; e < net->start[v + 1]; e++)
            if (net->depth[net->to[e]] >= 0)
                add_arc(net, 2 * i + 1, 2 * (uint32_t)net->depth[net->to[e]], INT32_MAX / 2);
    }
    return ends[BAND_LEFT] > 0 && ends[BAND_RIGHT] > 0;
}

/* The steps from a node to each, by arcs with room; or back, against them. */
static void find_levels(struct network *net, uint32_t from, bool back)
{
    size_t count = 1;
    memset(net->level, 0xff, net->nodes * sizeof *net->level);
    net->queue[0] = from;
    net->level[from] = 0;
    for (size_t i = 0; i < count; i++)
        for (idx_t a = net->first[net->queue[i]]; a >= 0; a = net->next[a]) {
            const uint32_t other = net->head[a];
            if (net->level[other] >= 0 || net->room[back ? a ^ 1 : a] == 0)
                continue;
            net->level[other] = net->level[net->queue[i]] + 1;
            net->queue[count++] = other;
        }
}

/* One path to the sink, of one unit, by the levels. */
static bool find_path(struct network *net)
{
    uint32_t node = net->source;
    size_t length = 0;
    while (node != net->sink) {
        idx_t a = net->at[node];
        while (a >= 0 && (net->room[a] == 0 || net->level[net->head[a]] != net->level[node] + 1))
            a = net->next[a];
        net->at[node] = a;
        if (a >= 0) {
            net->path[length++] = a;
            node = net->head[a];
            continue;
        }
        if (node == net->source)
            return false;
        net->level[node] = -1;
        node = net->head[net->path[--length] ^ 1];
    }
    for (size_t i = 0; i < length; i++) {
        net->room[net->path[i]]--;
        net->room[net->path[i] ^ 1]++;
    }
    return true;
}

static void find_flow(struct network *net)
{
    for (find_levels(net, net->source, false); net->level[net->sink] >= 0;
         find_levels(net, net->source, false)) {
        memcpy(net->at, net->first, net->nodes * sizeof *net->at);
        while (find_path(net))
            continue;
    }
}

/* Vertices on the left, less those on the right, of the band. */
static int64_t balance_of_band(const struct network *net)
{
    int64_t balance = 0;
    for (size_t i = 0; i < net->count; i++) {
        const idx_t side = net->side[net->member[i]];
        balance += (side == BAND_LEFT) - (side == BAND_RIGHT);
    }
    return balance;
}

/* The band, by the levels: what has one, then the cut, then what has none. */
static void mark_band(struct network *net, int near, int far)
{
    for (uint32_t i = 0; i < net->count; i++) {
        const idx_t *level = &net->level[2 * (size_t)i];
        const bool in = level[0] >= 0, out = level[1] >= 0;
        net->side[net->member[i]] = in && out ? near : in || out ? BAND_SEPARATOR : far;
    }
}

/* Compares two smallest cuts, the one nearest to the left and the one nearest to the right. Takes
 * the better balanced one. */
static void take_cut(struct network *net)
{
    const int64_t rest = net->balance - balance_of_band(net);
    find_levels(net, net->source, false);
    mark_band(net, BAND_LEFT, BAND_RIGHT);
    const int64_t first = rest + balance_of_band(net);
    find_levels(net, net->sink, true);
    mark_band(net, BAND_RIGHT, BAND_LEFT);
    net->balance = rest + balance_of_band(net);
    if (llabs(first) > llabs(net->balance))
        return;
    find_levels(net, net->source, false);
    mark_band(net, BAND_LEFT, BAND_RIGHT);
    net->balance = first;
}

bool band_cut(idx_t *side, size_t n, const idx_t *start, const idx_t *to)
{
    struct network net = {.n = n, .start = start, .to = to, .side = side};
    net.depth = mem_alloc(mem_bytes(n, sizeof *net.depth));
    net.member = mem_alloc(mem_bytes(n, sizeof *net.member));
    bool good = net.depth && net.member, cut = false;
    for (int round = 0; round < ROUNDS && good; round++) {
        good = find_band(&net, round == 0) && open_arcs(&net) && fill_arcs(&net);
        if (good) {
            find_flow(&net);
            take_cut(&net);
            cut = true;
        }
        free_arcs(&net);
        net.first = net.next = NULL;
        net.queue = NULL;
    }
    mem_free(net.member);
    mem_free(net.depth);
    return cut;
}
#else
typedef int band_without_metis; /* a file is not empty */
#endif
