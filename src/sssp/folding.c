#include "sssp/folding.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
    NEIGHBOURS = 5,   /* of a vertex that is eliminated, at most */
    CROWDED = 12,     /* A vertex next to one of so many neighbours stays. */
    DEGREE_MOST = 64, /* arcs of a vertex of a network that is folded, in both directions */
    SOURCES = 24,     /* from which on folding pays on two threads: docs/internals/sssp.md */
    ARCS = 6          /* of a vertex on average, at most */
};

/* The graph while it is folded. Each vertex has a list of its neighbours, with room for more. */
struct fold {
    size_t n, gone, used, room, waiting;
    size_t *begin;
    uint32_t *count, *most; /* Neighbours of a vertex, and the room for them. */
    uint32_t *order;        /* Eliminated vertices. */
    uint32_t *stack;        /* Vertices that may be next. */
    unsigned char *is_gone;
    struct folding_pair *pair;
};

bool folding_serves(const struct engine_task *task, const struct network_weights *weights)
{
    const struct rows_request *rows = &task->rows_request;
    const size_t sources = task->sources ? task->sources : task->n;
    return (task->dtype == DTYPE_U16 || task->dtype == DTYPE_I32) && !weights->equal &&
           task->combine == COMBINE_SUM && sources >= SOURCES && !rows->near.asked &&
           !rows->column && weights->arcs / ARCS <= task->n;
}

static size_t fold_place(struct fold *fold, size_t n, void *base)
{
    struct mem_layout layout = {.base = base};
    fold->begin = mem_place(&layout, n, sizeof *fold->begin);
    fold->count = mem_place(&layout, n, sizeof *fold->count);
    fold->most = mem_place(&layout, n, sizeof *fold->most);
    fold->order = mem_place(&layout, n, sizeof *fold->order);
    fold->stack = mem_place(&layout, n, sizeof *fold->stack);
    fold->is_gone = mem_place(&layout, n, sizeof *fold->is_gone);
    return layout.bytes;
}

static size_t folding_place(struct folding *folding, size_t n, size_t pairs, size_t arcs,
                            void *base)
{
    struct mem_layout layout = {.base = base};
    folding->number = mem_place(&layout, n, sizeof *folding->number);
    folding->start = mem_place(&layout, n + 2, sizeof *folding->start);
    folding->first = mem_place(&layout, n + 2, sizeof *folding->first);
    folding->arc = mem_place(&layout, arcs, sizeof *folding->arc);
    folding->pair = mem_place(&layout, pairs, sizeof *folding->pair);
    return layout.bytes;
}

/* Lists grow by elimination to about twice the arcs; rough. */
size_t folding_bytes(size_t n, size_t arcs)
{
    struct fold fold;
    struct folding folding;
    size_t bytes = mem_bytes(arcs, 4 * sizeof(struct folding_pair));
    mem_add(&bytes, bytes, fold_place(&fold, n, NULL));
    mem_add(&bytes, bytes, folding_place(&folding, n, arcs, arcs, NULL));
    return bytes;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* The end of the list of u, with room for one more; NULL: no memory. */
static struct folding_pair *fold_room(struct fold *fold, uint32_t u)
{
    if (fold->count[u] == fold->most[u]) {
        const size_t most = 2 * (size_t)fold->most[u] + 2;
        if (fold->room - fold->used < most) {
            const size_t room = fold->room + fold->room / 2 + most;
            void *pair = realloc(fold->pair, mem_bytes(room, sizeof *fold->pair));
            if (!pair)
                return NULL;
            fold->pair = pair;
            fold->room = room;
        }
        memcpy(fold->pair + fold->used, fold->pair + fold->begin[u],
               fold->count[u] * sizeof *fold->pair);
        fold->begin[u] = fold->used;
        fold->most[u] = (uint32_t)most;
        fold->used += most;
    }
    return fold->pair + fold->begin[u] + fold->count[u];
}

/* Arcs of these weights from u to v and back: u's part. False: no memory. */
static bool fold_join(struct fold *fold, uint32_t u, uint32_t v, int32_t out, int32_t in)
{
    struct folding_pair *pair = fold->pair + fold->begin[u];
    for (uint32_t k = 0; k < fold->count[u]; k++)
        if (pair[k].to == v) {
            pair[k].out = least(pair[k].out, out);
            pair[k].in = least(pair[k].in, in);
            return true;
        }
    struct folding_pair *end = fold_room(fold, u);
    if (end) {
        *end = (struct folding_pair){v, out, in};
        fold->count[u]++;
    }
    return end != NULL;
}

static void fold_leave(struct fold *fold, uint32_t u, uint32_t gone)
{
    struct folding_pair *pair = fold->pair + fold->begin[u];
    uint32_t k = 0;
    while (pair[k].to != gone)
        k++;
    pair[k] = pair[--fold->count[u]];
}

static bool fold_may_go(const struct fold *fold, uint32_t x, uint32_t most)
{
    const struct folding_pair *pair = fold->pair + fold->begin[x];
    bool may = !fold->is_gone[x] && fold->count[x] <= most;
    for (uint32_t k = 0; may && k < fold->count[x]; k++)
        may = fold->count[pair[k].to] <= CROWDED;
    return may;
}

/* The list of x stays as it is. False: no memory. */
static bool fold_eliminate(struct fold *fold, uint32_t x)
{
    struct folding_pair pair[NEIGHBOURS];
    const uint32_t count = fold->count[x];
    bool done = true;
    memcpy(pair, fold->pair + fold->begin[x], count * sizeof *pair);
    for (uint32_t i = 0; i < count; i++)
        fold_leave(fold, pair[i].to, x);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const int32_t there = least(pair[i].in + pair[j].out, INF_I32),
                          back = least(pair[j].in + pair[i].out, INF_I32);
            if (there < INF_I32 || back < INF_I32)
                done = done && fold_join(fold, pair[i].to, pair[j].to, there, back) &&
                       fold_join(fold, pair[j].to, pair[i].to, back, there);
        }
    fold->is_gone[x] = 1;
    fold->order[fold->gone++] = x;
    return done;
}

/* Eliminates x, and what has few enough neighbours by that. */
static bool fold_from(struct fold *fold, uint32_t x, uint32_t most)
{
    fold->stack[fold->waiting++] = x;
    while (fold->waiting > 0) {
        const uint32_t y = fold->stack[--fold->waiting];
        if (!fold_may_go(fold, y, most))
            continue;
        if (!fold_eliminate(fold, y))
            return false;
        const struct folding_pair *pair = fold->pair + fold->begin[y];
        for (uint32_t k = 0; k < fold->count[y] && fold->waiting < fold->n; k++)
            if (fold->count[pair[k].to] < most)
                fold->stack[fold->waiting++] = pair[k].to;
    }
    return true;
}

static int32_t weight_at(const struct network *network, enum dtype dtype, size_t e)
{
    return dtype == DTYPE_U16 ? ((const uint16_t *)network->weight)[e]
                              : ((const int32_t *)network->weight)[e];
}

/* Whether each vertex has few arcs: room for them in both directions. */
static bool fold_lists(struct fold *fold, const struct network *network)
{
    for (size_t u = 0; u < fold->n; u++)
        for (size_t e = network->start[u]; e < network->start[u + 1]; e++) {
            fold->most[u]++;
            fold->most[network->from[e]]++;
        }
    for (size_t u = 0; u < fold->n; u++) {
        if (fold->most[u] > DEGREE_MOST)
            return false;
        fold->begin[u] = fold->used;
        fold->used += fold->most[u];
    }
    return true;
}

/* False: no memory. */
static bool fold_run(struct fold *fold, const struct network *network, enum dtype dtype)
{
    bool done = true;
    fold->pair = malloc(mem_bytes(fold->used + 1, sizeof *fold->pair));
    if (!fold->pair)
        return false;
    fold->room = fold->used;
    for (size_t u = 0; done && u < fold->n; u++)
        for (size_t e = network->start[u]; done && e < network->start[u + 1]; e++) {
            const uint32_t v = network->from[e];
            const int32_t weight = weight_at(network, dtype, e);
            done = fold_join(fold, (uint32_t)u, v, weight, INF_I32) &&
                   fold_join(fold, v, (uint32_t)u, INF_I32, weight);
        }
    for (uint32_t most = 1; done && most <= NEIGHBOURS; most++)
        for (size_t x = 0; done && x < fold->n; x++)
            done = fold_from(fold, (uint32_t)x, most);
    return done;
}

/* The lists of all vertices by their new numbers. */
static void folding_fill(struct folding *folding, const struct fold *fold)
{
    size_t core = 0, arcs = 0, pairs = 0;
    for (size_t v = 0; v < fold->n; v++)
        if (!fold->is_gone[v])
            folding->number[v] = (uint32_t)core++;
    for (size_t k = 0; k < fold->gone; k++)
        folding->number[fold->order[k]] = (uint32_t)(fold->n - 1 - k);
    folding->core = core;
    for (size_t v = 0; v < fold->n; v++) {
        const struct folding_pair *pair = fold->pair + fold->begin[v];
        for (uint32_t k = 0; !fold->is_gone[v] && k < fold->count[v]; k++)
            if (pair[k].out < INF_I32)
                folding->arc[arcs++] =
                    (struct folding_arc){folding->number[pair[k].to], pair[k].out};
        if (!fold->is_gone[v])
            folding->start[folding->number[v] + 1] = arcs;
    }
    for (size_t t = 0; t < fold->gone; t++) {
        const uint32_t v = fold->order[fold->gone - 1 - t];
        const struct folding_pair *pair = fold->pair + fold->begin[v];
        for (uint32_t k = 0; k < fold->count[v]; k++)
            folding->pair[pairs++] =
                (struct folding_pair){folding->number[pair[k].to], pair[k].out, pair[k].in};
        folding->first[t + 1] = pairs;
    }
}

static int folding_new(struct folding **out, const struct fold *fold, struct apsp_error *error)
{
    size_t pairs[2] = {0}; /* of the core, and of others */
    for (size_t v = 0; v < fold->n; v++)
        pairs[fold->is_gone[v]] += fold->count[v];
    struct folding *folding = *out = calloc(1, sizeof *folding);
    void *memory =
        folding ? mem_alloc(folding_place(folding, fold->n, pairs[1], pairs[0], NULL)) : NULL;
    if (!memory) {
        free(folding);
        *out = NULL;
        return error_set(error, APSP_MEMORY, "no memory for a folded network");
    }
    folding_place(folding, fold->n, pairs[1], pairs[0], memory);
    folding->n = fold->n;
    folding_fill(folding, fold);
    return APSP_OK;
}

int folding_make(struct folding **folding, const struct network *network, enum dtype dtype,
                 struct apsp_error *error)
{
    struct fold fold = {.n = network->n};
    void *memory = mem_alloc(fold_place(&fold, network->n, NULL));
    *folding = NULL;
    if (!memory)
        return error_set(error, APSP_MEMORY, "no memory to fold a network");
    fold_place(&fold, network->n, memory);
    if (fold_lists(&fold, network)) {
        if (fold_run(&fold, network, dtype))
            folding_new(folding, &fold, error);
        else
            error_set(error, APSP_MEMORY, "no memory to fold a network");
    }
    free(fold.pair);
    mem_free(memory);
    return error->code;
}

void folding_free(struct folding *folding)
{
    if (!folding)
        return;
    mem_free(folding->number); /* the first of what is placed */
    free(folding);
}

double folding_interval(const struct folding *folding)
{
    enum { SAMPLES = 4096 };
    const size_t arcs = folding->start[folding->core], step = arcs / SAMPLES + 1;
    double sum = 0, count = 0;
    for (size_t e = 0; e < arcs; e += step, count++)
        sum += folding->arc[e].weight;
    return count > 0 ? sum / count : 0;
}

#define RADIX(name)        folding_heap_##name
#define RADIX_T            int32_t
#define RADIX_KEY(heap, d) RADIX_KEY_WHOLE(heap, d)
#include "base/radix_body.h"

/* From the source to the core vertices above it, which wait in the heap. */
static void sweep_up(const struct folding *folding, struct radix *heap, size_t source, int32_t *row)
{
    const size_t core = folding->core;
    row[source] = 0;
    if (source < core)
        folding_heap_push(heap, 0, (uint32_t)source);
    for (size_t t = source + 1; t-- > core;) {
        const int32_t d = row[t];
        if (d == INF_I32)
            continue;
        for (size_t e = folding->first[t - core]; e < folding->first[t - core + 1]; e++) {
            const struct folding_pair pair = folding->pair[e];
            if (d + pair.out >= row[pair.to])
                continue;
            row[pair.to] = d + pair.out;
            if (pair.to < core)
                folding_heap_push(heap, d + pair.out, pair.to);
        }
    }
}

static void search_core(const struct folding *folding, struct radix *heap, int32_t *row)
{
    folding_heap_entry entry;
    while (folding_heap_pop(heap, UINT64_MAX, &entry)) {
        const int32_t d = row[entry.vertex];
        if (entry.d != d)
            continue;
        for (size_t e = folding->start[entry.vertex]; e < folding->start[entry.vertex + 1]; e++) {
            const struct folding_arc arc = folding->arc[e];
            if (d + arc.weight < row[arc.to]) {
                row[arc.to] = d + arc.weight;
                folding_heap_push(heap, d + arc.weight, arc.to);
            }
        }
    }
}

static void sweep_down(const struct folding *folding, int32_t *row)
{
    for (size_t t = folding->core; t < folding->n; t++) {
        const size_t k = t - folding->core;
        int32_t d = row[t];
        for (size_t e = folding->first[k]; e < folding->first[k + 1]; e++)
            d = least(d, row[folding->pair[e].to] + folding->pair[e].in);
        row[t] = d;
    }
}

void folding_search(const struct folding *folding, struct radix *heap, size_t vertex, int32_t *row)
{
    radix_clear(heap);
    for (size_t t = 0; t < folding->n; t++)
        row[t] = INF_I32;
    sweep_up(folding, heap, folding->number[vertex], row);
    search_core(folding, heap, row);
    sweep_down(folding, row);
}
