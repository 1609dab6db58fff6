/*
 * J. Liu, The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl. 1990:
 * the tree with path compression, and the counts by walking, for each vertex, up from its earlier
 * neighbours to it, which takes as many steps as there is fill.
 *
 * A tree says for every i which vertices up to i are connected by those. A set of edges may be
 * replaced by any other that says the same. So each chunk makes a tree of the edges within it. The
 * other edges are added to the whole one by one, as if they came from the roots of these: an edge
 * merges two paths to the root.
 *
 * Then the vertices through which the subtrees of a chunk are left get the list of their later
 * neighbours, chunk after chunk. With the lists of those below it, every chunk counts by itself.
 *
 * Most edges of a poor order leave their chunk. So all lists together get room for one pair a
 * vertex. An order that needs more is made as one chunk.
 */
#include "sparse/etree.h"

#include "base/mem.h"

#include <stdlib.h>

enum {
    CHUNKS = ETREE_PARTS - 1,
    FEW = 2,   /* Chunks pay while so many vertices have less than one edge that leaves. */
    FIRST = 64 /* Pairs that a list has room for at first. */
};

/* Pairs of vertices, as numbers to be sorted by the first, then the second. */
struct pairs {
    uint64_t *at;
    size_t count, room;
};

struct making {
    struct etree *etree;
    const struct etree_order *order;
    uint32_t *ancestor;    /* A shortcut of each vertex; later, the last to walk through it. */
    uint32_t *way_out;     /* The last one above each vertex of the top in its chunk, if any. */
    struct pairs *row;     /* For each chunk: a later vertex, and one here that is next to it. */
    struct pairs *leaving; /* For each chunk: a root or way out, and a later neighbour. */
    size_t steps;
    size_t room; /* Pairs that the lists have asked for, beyond FIRST for each list. */
};

static uint64_t pair(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

static uint32_t first(uint64_t pair)
{
    return (uint32_t)(pair >> 32);
}

/* All requests fail from the first one on that exceeds the room of all lists. So the order alone
 * decides, and not the threads. */
static bool grow(struct making *making, struct pairs *pairs)
{
    const size_t room = pairs->room ? 2 * pairs->room : FIRST, more = room - pairs->room;
    size_t all;
    if (pairs->room > 0) {
#pragma omp atomic capture
        all = making->room += more;
        if (all > making->etree->n)
            return false;
    }
    uint64_t *at = realloc(pairs->at, mem_bytes(room, sizeof *at));
    if (!at)
        return false;
    pairs->at = at;
    pairs->room = room;
    return true;
}

static bool add_pair(struct making *making, struct pairs *pairs, uint32_t a, uint32_t b)
{
    if (pairs->count > 0 && pairs->at[pairs->count - 1] == pair(a, b))
        return true;
    if (pairs->count == pairs->room && !grow(making, pairs))
        return false;
    pairs->at[pairs->count++] = pair(a, b);
    return true;
}

static int order_pairs(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Without repetition. */
static void sort_pairs(struct pairs *pairs)
{
    size_t kept = 0;
    if (pairs->count > 0)
        qsort(pairs->at, pairs->count, sizeof *pairs->at, order_pairs);
    for (size_t i = 0; i < pairs->count; i++)
        if (kept == 0 || pairs->at[kept - 1] != pairs->at[i])
            pairs->at[kept++] = pairs->at[i];
    pairs->count = kept;
}

static size_t chunk_begin(const struct etree *etree, size_t chunk)
{
    return chunk < etree->chunks ? chunk * etree->chunk : etree->n;
}

static size_t chunk_of(const struct etree *etree, uint32_t i)
{
    return i / etree->chunk;
}

/* The earlier vertex j and all above it get i as an ancestor. */
static void join(struct making *making, uint32_t j, uint32_t i)
{
    while (j < i) {
        uint32_t up = making->ancestor[j];
        making->ancestor[j] = i;
        if (up == NO_PARENT)
            making->etree->parent[j] = i;
        j = up == NO_PARENT ? i : up;
    }
}

/* The way up is halved for those that come later. */
static uint32_t root_of(const struct making *making, uint32_t i)
{
    uint32_t *ancestor = making->ancestor;
    while (ancestor[i] != NO_PARENT) {
        const uint32_t up = ancestor[ancestor[i]];
        if (up != NO_PARENT)
            ancestor[i] = up;
        i = ancestor[i];
    }
    return i;
}

/* The tree of the edges within a chunk, and a list of those that leave it. */
static bool join_chunk(struct making *making, size_t k)
{
    const struct etree_order *order = making->order;
    const size_t *start = order->pattern->start;
    const uint32_t lo = (uint32_t)chunk_begin(making->etree, k);
    const size_t hi = chunk_begin(making->etree, k + 1);
    struct pairs *row = &making->row[k], *leaving = &making->leaving[k];
    bool good = true;
    for (uint32_t i = lo; good && i < hi; i++) {
        making->etree->parent[i] = making->ancestor[i] = NO_PARENT;
        for (size_t e = start[order->vertex[i]]; e < start[order->vertex[i] + 1]; e++) {
            const uint32_t j = order->rank[order->pattern->to[e]];
            if (j >= hi)
                good = good && add_pair(making, row, j, i);
            else if (j >= lo)
                join(making, j, i);
        }
    }
    for (size_t p = 0; good && p < row->count; p++)
        good = add_pair(making, leaving, root_of(making, (uint32_t)row->at[p]), first(row->at[p]));
    sort_pairs(leaving);
    return good;
}

/* Adds an edge from u to a later v. */
static void merge_paths(struct making *making, uint32_t u, uint32_t v)
{
    uint32_t *parent = making->etree->parent;
    for (uint32_t up; (up = parent[u]) != v; making->steps++) {
        if (up < v) {
            u = up;
            continue;
        }
        parent[u] = v;
        if (up == NO_PARENT)
            return;
        u = v;
        v = up;
    }
}

static bool is_long(const struct making *making)
{
    return making->steps > making->etree->n / FEW || making->room > making->etree->n;
}

/* The edges that leave chunks. A root next to several is next to the first, which is next to the
 * second, and so on. */
static void merge_chunks(struct making *making)
{
    const struct etree *etree = making->etree;
    for (size_t k = 0; k < etree->chunks; k++)
        making->steps += making->leaving[k].count;
    for (size_t k = 0; k < etree->chunks; k++) {
        const struct pairs *leaving = &making->leaving[k];
        for (size_t p = 0; p < leaving->count && !is_long(making); p++) {
            const uint64_t *at = &leaving->at[p];
            const bool more = p > 0 && first(at[-1]) == first(at[0]);
            merge_paths(making, more ? (uint32_t)at[-1] : first(at[0]), (uint32_t)at[0]);
        }
    }
}

static bool list_top(struct making *making)
{
    struct etree *etree = making->etree;
    for (size_t k = 0; k < etree->chunks; k++)
        for (size_t p = 0; p < making->leaving[k].count; p++)
            for (uint32_t v = first(making->leaving[k].at[p]); v != NO_PARENT && !etree->is_top[v];
                 v = etree->parent[v]) {
                etree->is_top[v] = true;
                etree->tops++;
            }
    etree->top = mem_alloc(mem_bytes(etree->tops, sizeof *etree->top));
    for (uint32_t v = 0, t = 0; etree->top && v < etree->n; v++)
        if (etree->is_top[v])
            etree->top[t++] = v;
    for (size_t t = etree->top ? etree->tops : 0; t-- > 0;) {
        const uint32_t v = etree->top[t], up = etree->parent[v];
        const bool stays = up != NO_PARENT && chunk_of(etree, up) == chunk_of(etree, v);
        making->way_out[v] = stays ? making->way_out[up] : up == NO_PARENT ? NO_PARENT : v;
    }
    return etree->top != NULL;
}

/* Passes the later neighbours of a way out on to its parent's chunk. */
static bool pass_on(struct making *making, uint32_t out, uint32_t later)
{
    const struct etree *etree = making->etree;
    const uint32_t up = etree->parent[out];
    const size_t k = chunk_of(etree, up);
    making->steps++;
    return (later == up || add_pair(making, &making->row[k], later, up)) &&
           (later < chunk_begin(etree, k + 1) ||
            add_pair(making, &making->leaving[k], making->way_out[up], later));
}

static bool find_ways_out(struct making *making)
{
    bool good = true;
    making->steps = 0;
    for (size_t k = 0; k < making->etree->chunks && good; k++) {
        struct pairs *leaving = &making->leaving[k];
        for (size_t p = 0; p < leaving->count; p++) {
            const uint32_t from = first(leaving->at[p]);
            leaving->at[p] = pair(making->way_out[from], (uint32_t)leaving->at[p]);
        }
        sort_pairs(leaving);
        for (size_t p = 0; p < leaving->count && good && !is_long(making); p++)
            good = pass_on(making, first(leaving->at[p]), (uint32_t)leaving->at[p]);
    }
    return good;
}

/* Counts i for j and all above it up to i or the end of the chunk. */
static void walk(struct making *making, uint32_t j, uint32_t i, size_t hi)
{
    uint32_t *seen = making->ancestor;
    for (; j < i && j < hi && seen[j] != i; j = making->etree->parent[j]) {
        seen[j] = i;
        making->etree->count[j]++;
    }
}

static void count_chunk(struct making *making, size_t k)
{
    const struct etree_order *order = making->order;
    const size_t *start = order->pattern->start;
    const uint32_t lo = (uint32_t)chunk_begin(making->etree, k);
    const size_t hi = chunk_begin(making->etree, k + 1);
    struct pairs *row = &making->row[k];
    size_t p = 0;
    sort_pairs(row);
    for (uint32_t i = lo; i < hi; i++) {
        making->ancestor[i] = i;
        making->etree->count[i] = 0;
        for (size_t e = start[order->vertex[i]]; e < start[order->vertex[i] + 1]; e++) {
            const uint32_t j = order->rank[order->pattern->to[e]];
            if (j >= lo)
                walk(making, j, i, hi);
        }
        for (; p < row->count && first(row->at[p]) == i; p++)
            walk(making, (uint32_t)row->at[p], i, hi);
    }
    for (; p < row->count; p++)
        walk(making, (uint32_t)row->at[p], first(row->at[p]), hi);
}

static void free_pairs(struct making *making)
{
    for (size_t k = 0; k < making->etree->chunks; k++) {
        free(making->row[k].at);
        free(making->leaving[k].at);
        making->row[k] = making->leaving[k] = (struct pairs){0};
    }
}

static bool join_chunks(struct making *making)
{
    struct etree *etree = making->etree;
    bool good = true;
#pragma omp parallel for num_threads(etree->threads) schedule(dynamic, 1) reduction(&& : good)
    for (size_t k = 0; k < etree->chunks; k++)
        good = join_chunk(making, k) && good;
    return good;
}

/* As one chunk. */
static bool join_all(struct making *making)
{
    struct etree *etree = making->etree;
    free_pairs(making);
    for (size_t t = 0; t < etree->tops; t++)
        etree->is_top[etree->top[t]] = false;
    mem_free(etree->top);
    etree->top = NULL;
    etree->tops = 0;
    etree->chunks = 1;
    etree->chunk = etree->n;
    return join_chunks(making);
}

static bool make_tree(struct making *making)
{
    struct etree *etree = making->etree;
    bool good = join_chunks(making);
    if (good && etree->chunks > 1) {
        merge_chunks(making);
        good = is_long(making) || (list_top(making) && find_ways_out(making));
    }
    if (is_long(making))
        good = join_all(making);
#pragma omp parallel for num_threads(etree->threads) schedule(dynamic, 1)
    for (size_t k = 0; k < (good ? etree->chunks : 0); k++)
        count_chunk(making, k);
    return good;
}

size_t etree_bytes(size_t n)
{
    return mem_bytes(n, 3 * sizeof(uint32_t) + sizeof(bool));
}

/* Every list may be copied while it grows or is sorted. */
size_t etree_pairs_need(size_t n)
{
    size_t room;
    mem_add(&room, n, (size_t)2 * CHUNKS * FIRST);
    return mem_bytes(room, 2 * sizeof(uint64_t));
}

int etree_make(struct etree *etree, const struct etree_order *order, uint32_t *scratch, int threads,
               struct apsp_error *error)
{
    const size_t n = order->pattern->n, even = (n + CHUNKS - 1) / CHUNKS;
    struct pairs pairs[2][CHUNKS] = {{{0}}};
    *etree = (struct etree){.n = n, .threads = threads};
    etree->chunk = even > order->least ? even : order->least;
    etree->chunks = (n + etree->chunk - 1) / etree->chunk;
    etree->parent = mem_alloc(mem_bytes(n, sizeof *etree->parent));
    etree->count = mem_alloc(mem_bytes(n, sizeof *etree->count));
    etree->is_top = mem_alloc(mem_bytes(n, sizeof *etree->is_top));
    struct making making = {etree, order, scratch, scratch + n, pairs[0], pairs[1], 0, 0};
    if (!etree->parent || !etree->count || !etree->is_top || !make_tree(&making))
        error_set(error, APSP_MEMORY, "no memory for the elimination tree of %zu vertices", n);
    free_pairs(&making);
    return error->code;
}

void etree_free(struct etree *etree)
{
    mem_free(etree->top);
    mem_free(etree->is_top);
    mem_free(etree->count);
    mem_free(etree->parent);
    *etree = (struct etree){0};
}

static void visit_top(const struct etree *etree, etree_visit *visit, void *self)
{
    const struct etree_part part = {etree->chunks, 0, (uint32_t)etree->tops, etree->top, NULL};
    if (etree->tops > 0)
        visit(self, &part);
}

static void visit_chunks(const struct etree *etree, etree_visit *visit, void *self)
{
#pragma omp parallel for num_threads(etree->threads) schedule(dynamic, 1) if (etree->chunks > 1)
    for (size_t k = 0; k < etree->chunks; k++) {
        const struct etree_part part = {k, (uint32_t)chunk_begin(etree, k),
                                        (uint32_t)chunk_begin(etree, k + 1), NULL, etree->is_top};
        visit(self, &part);
    }
}

void etree_up(const struct etree *etree, etree_visit *visit, void *self)
{
    visit_chunks(etree, visit, self);
    visit_top(etree, visit, self);
}

void etree_down(const struct etree *etree, etree_visit *visit, void *self)
{
    visit_top(etree, visit, self);
    visit_chunks(etree, visit, self);
}
