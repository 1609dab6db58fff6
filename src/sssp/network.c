#include "sssp/network.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

/* The weight of an edge as the engine uses it: reweighted, and floating point in a floating-point
 * type. */
static union value network_weight(const struct engine_task *task, size_t u, size_t e)
{
    const struct csr *csr = task->csr;
    union value weight = csr->weight[e];
    if (task->shifted)
        weight = potential_value(task->potential, u, csr->to[e], weight);
    if (dtype_info[task->dtype].real && !csr->real && !task->shifted)
        weight.real = (double)weight.whole;
    return weight;
}

/* No shortest path has such an edge: a loop, or one that is as long as infinity. */
static bool network_skips(const struct engine_task *task, size_t u, size_t e, union value weight)
{
    const struct dtype_info *type = &dtype_info[task->dtype];
    bool infinite = task->dtype == DTYPE_F32 ? isinf((float)weight.real)
                    : type->real             ? isinf(weight.real)
                                             : weight.whole >= type->infinity;
    return infinite || task->csr->to[e] == u;
}

struct network_weights network_weights(const struct engine_task *task)
{
    const struct csr *csr = task->csr;
    const bool real = dtype_info[task->dtype].real;
    struct network_weights weights = {.equal = task->combine == COMBINE_SUM};
    for (size_t u = 0; u < csr->n; u++)
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
            union value weight = network_weight(task, u, e);
            if (network_skips(task, u, e, weight))
                continue;
            if (weights.arcs++ == 0)
                weights.unit = weight;
            weights.equal &= real ? weight.real == weights.unit.real && weight.real > 0
                                  : weight.whole == weights.unit.whole && weight.whole > 0;
        }
    if (weights.arcs == 0) /* by which harmonic sums are divided all the same */
        weights.unit = real ? (union value){.real = 1} : (union value){.whole = 1};
    return weights;
}

static size_t weight_bytes(const struct engine_task *task, const struct network_weights *weights)
{
    return weights->equal ? 0 : dtype_info[task->dtype].bytes;
}

static size_t network_place(struct network *network, const struct engine_task *task,
                            const struct network_weights *weights, void *base)
{
    struct mem_layout layout = {.base = base};
    network->start = mem_place(&layout, task->n + 2, sizeof *network->start);
    network->from = mem_place(&layout, weights->arcs, sizeof *network->from);
    network->weight = mem_place(&layout, weights->arcs, weight_bytes(task, weights));
    network->number = mem_place(&layout, task->n, sizeof *network->number);
    network->vertex = mem_place(&layout, task->n, sizeof *network->vertex);
    network->order = mem_place(&layout, task->n, sizeof *network->order);
    if (weights->equal)
        network->weight = NULL;
    return layout.bytes;
}

/* Work space. */
struct network_work {
    size_t *degree; /* A vertex's degree; later the parallel arcs to a new number. */
    uint32_t
        *last; /* The last tail of each head, plus one; then vertices below one in the order. */
    uint32_t *parent;       /* The least number of an out-neighbour, or of the vertex itself. */
    double *walks, *longer; /* Walks from each vertex, of some length and of one arc more. */
    unsigned char *class;   /* Of each vertex, by its walks. */
};

enum { CLASSES = 256 };

static size_t work_place(struct network_work *work, size_t n, void *base)
{
    struct mem_layout layout = {.base = base};
    work->degree = mem_place(&layout, n, sizeof *work->degree);
    work->last = mem_place(&layout, n, sizeof *work->last);
    work->parent = mem_place(&layout, n, sizeof *work->parent);
    work->walks = mem_place(&layout, n, sizeof *work->walks);
    work->longer = mem_place(&layout, n, sizeof *work->longer);
    work->class = mem_place(&layout, n, sizeof *work->class);
    return layout.bytes;
}

size_t network_bytes(const struct engine_task *task, const struct network_weights *weights)
{
    struct network network;
    return network_place(&network, task, weights, NULL);
}

size_t network_making(const struct engine_task *task, const struct network_weights *weights)
{
    struct network_work work;
    (void)weights;
    return work_place(&work, task->n, NULL);
}

/* Numbers by falling degree, those of equal degree as they were: a counting sort, in which degrees
 * of 2^13 and more are one. */
static void number_vertices(struct network *network, const struct network_work *work)
{
    enum { DEGREES = 1 << 13 };
    static const size_t most = DEGREES - 1;
    size_t place[DEGREES + 1] = {0};
    for (size_t v = 0; v < network->n; v++)
        place[most - (work->degree[v] < most ? work->degree[v] : most) + 1]++;
    for (size_t d = 0; d < DEGREES; d++)
        place[d + 1] += place[d];
    for (size_t v = 0; v < network->n; v++) {
        size_t d = most - (work->degree[v] < most ? work->degree[v] : most);
        network->number[v] = (uint32_t)place[d];
        network->vertex[place[d]++] = (uint32_t)v;
    }
}

/* Where the arcs to each vertex begin, one place further on: the fill moves them there. */
static void count_arcs(struct network *network, const struct network_work *work,
                       const struct engine_task *task)
{
    const struct csr *csr = task->csr;
    for (size_t u = 0; u < csr->n; u++)
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
            if (network_skips(task, u, e, network_weight(task, u, e)))
                continue;
            work->degree[u]++;
            work->degree[csr->to[e]]++;
        }
    number_vertices(network, work);
    for (size_t u = 0; u < csr->n; u++)
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
            if (!network_skips(task, u, e, network_weight(task, u, e)))
                network->start[network->number[csr->to[e]] + 2]++;
    for (size_t v = 0; v < network->n; v++)
        network->start[v + 2] += network->start[v + 1];
}

static void keep_weight(struct network *network, enum dtype dtype, size_t at, union value weight,
                        bool parallel)
{
#define KEEP(T, member)                                                                            \
    do {                                                                                           \
        T *to = (T *)network->weight + at, new = (T)weight.member;                                 \
        *to = parallel && *to < new ? *to : new;                                                   \
    } while (0)
    switch (dtype) {
    case DTYPE_U16:
        KEEP(uint16_t, whole);
        break;
    case DTYPE_I32:
        KEEP(int32_t, whole);
        break;
    case DTYPE_F32:
        KEEP(float, real);
        break;
    case DTYPE_F64:
        KEEP(double, real);
        break;
    default:
        KEEP(int64_t, whole);
    }
#undef KEEP
}

/* In the order of the tails' new numbers: so parallel arcs follow one another. */
static void fill_arcs(struct network *network, const struct network_work *work,
                      const struct engine_task *task)
{
    const struct csr *csr = task->csr;
    size_t *next = network->start + 1;
    memset(work->degree, 0, network->n * sizeof *work->degree);
    for (size_t t = 0; t < network->n; t++) {
        size_t u = network->vertex[t];
        uint32_t parent = (uint32_t)t;
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
            union value weight = network_weight(task, u, e);
            if (network_skips(task, u, e, weight))
                continue;
            uint32_t head = network->number[csr->to[e]];
            bool parallel = work->last[head] == t + 1;
            size_t at = next[head] - parallel;
            if (network->weight)
                keep_weight(network, task->dtype, at, weight, parallel);
            network->from[at] = (uint32_t)t;
            next[head] += !parallel;
            work->degree[head] += parallel;
            work->last[head] = (uint32_t)t + 1;
            parent = head < parent ? head : parent;
        }
        work->parent[t] = parent;
    }
}

/* Closes the gaps that parallel arcs have left: list v ends at start[v + 1], and began where the
 * list and the gap before it end. */
static void close_gaps(struct network *network, const struct network_work *work, size_t bytes)
{
    size_t begin = 0, at = 0;
    char *weight = network->weight;
    for (size_t v = 0; v < network->n; v++) {
        size_t end = network->start[v + 1], count = end - begin;
        if (at < begin) {
            memmove(network->from + at, network->from + begin, count * sizeof *network->from);
            if (weight)
                memmove(weight + at * bytes, weight + begin * bytes, count * bytes);
        }
        begin = end + work->degree[v];
        network->start[v] = at;
        network->parallel += work->degree[v];
        at += count;
    }
    network->start[network->n] = network->arcs = at;
}

/*
 * A vertex comes after its parent, which has a lower number, and next to others with this parent:
 * the preorder of a forest, whose trees follow one another (after H. Liu et al., iBFS, SIGMOD
 * 2016).
 */
static void order_forest(struct network *network, const struct network_work *work)
{
    uint32_t *below = work->last, *order = network->order, next = 0;
    for (size_t v = 0; v < network->n; v++)
        below[v] = 1;
    for (size_t v = network->n; v-- > 0;)
        if (work->parent[v] != v)
            below[work->parent[v]] += below[v];
    for (size_t v = 0; v < network->n; v++) {
        uint32_t *free = work->parent[v] == v ? &next : &below[work->parent[v]], size = below[v];
        below[v] = *free + 1;
        order[*free] = (uint32_t)v;
        *free += size;
    }
}

/* class[v] gets the binary logarithm of the number of walks of five arcs that begin at v. */
static void class_vertices(const struct network *network, const struct network_work *work)
{
    enum { WALK = 5 };
    double *walks = work->walks, *longer = work->longer;
    for (size_t v = 0; v < network->n; v++)
        walks[v] = 1;
    for (int step = 0; step < WALK; step++) {
        memset(longer, 0, network->n * sizeof *longer);
        for (size_t v = 0; v < network->n; v++)
            for (size_t e = network->start[v]; e < network->start[v + 1]; e++)
                longer[network->from[e]] += walks[v];
        double *before = walks;
        walks = longer;
        longer = before;
    }
    for (size_t v = 0; v < network->n; v++) {
        int class = walks[v] > 0 ? ilogb(walks[v]) + 1 : 0;
        work->class[v] = (unsigned char)(class < CLASSES ? class : CLASSES - 1);
    }
}

/* So many sources of the order get into falling classes, each of which stays in its order. */
static void sort_sources(uint32_t *order, size_t count, const struct network_work *work)
{
    uint32_t place[CLASSES + 1] = {0}, *sorted = work->last;
    for (size_t k = 0; k < count; k++)
        place[CLASSES - work->class[order[k]]]++;
    for (size_t c = 0; c < CLASSES; c++)
        place[c + 1] += place[c];
    for (size_t k = 0; k < count; k++)
        sorted[place[CLASSES - 1 - work->class[order[k]]]++] = order[k];
    memcpy(order, sorted, count * sizeof *order);
}

/*
 * Sources with about as many walks come to all vertices at about the same distance, if they are in
 * one part of the graph: a tree of the forest. Where one tree has much of the graph, all of it is
 * one part.
 */
static void order_sources(struct network *network, const struct network_work *work)
{
    enum { SHARE = 8 };
    const size_t n = network->n;
    size_t largest = 0;
    order_forest(network, work);
    class_vertices(network, work);
    for (size_t first = 0, k = 1; k <= n; k++)
        if (k == n || work->parent[network->order[k]] == network->order[k]) {
            largest = k - first > largest ? k - first : largest;
            first = k;
        }
    if (largest >= n / SHARE) {
        sort_sources(network->order, n, work);
        return;
    }
    for (size_t first = 0, k = 1; k <= n; k++)
        if (k == n || work->parent[network->order[k]] == network->order[k]) {
            sort_sources(network->order + first, k - first, work);
            first = k;
        }
}

int network_make(struct network *network, const struct engine_task *task,
                 const struct network_weights *weights, struct apsp_error *error)
{
    struct network_work work;
    *network = (struct network){.combine = task->combine, .n = task->n};
    void *memory = mem_alloc(network_place(network, task, weights, NULL)),
         *room = mem_alloc(work_place(&work, task->n, NULL));
    network_place(network, task, weights, memory);
    work_place(&work, task->n, room);
    if (memory && room) {
        count_arcs(network, &work, task);
        fill_arcs(network, &work, task);
        close_gaps(network, &work, dtype_info[task->dtype].bytes);
        order_sources(network, &work);
    } else {
        error_set(error, APSP_MEMORY, "no memory for a network of %zu vertices and %zu arcs",
                  task->n, weights->arcs);
    }
    mem_free(room);
    if (error->code)
        network_free(network);
    return error->code;
}

int network_forward(struct network *network, const struct engine_task *task,
                    const struct network_weights *weights, struct apsp_error *error)
{
    const struct csr *csr = task->csr;
    size_t at = 0;
    *network = (struct network){.combine = task->combine, .n = task->n, .arcs = weights->arcs};
    void *memory = mem_alloc(network_place(network, task, weights, NULL));
    network_place(network, task, weights, memory);
    if (!memory) {
        *network = (struct network){0};
        return error_set(error, APSP_MEMORY, "no memory for %zu arcs", weights->arcs);
    }
    for (size_t u = 0; u < csr->n; u++) {
        network->start[u] = at;
        network->number[u] = network->vertex[u] = network->order[u] = (uint32_t)u;
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
            union value weight = network_weight(task, u, e);
            if (network_skips(task, u, e, weight))
                continue;
            if (network->weight)
                keep_weight(network, task->dtype, at, weight, false);
            network->from[at++] = csr->to[e];
        }
    }
    network->start[csr->n] = at;
    return APSP_OK;
}

void network_free(struct network *network)
{
    mem_free(network->start); /* the first of what is placed */
    *network = (struct network){0};
}
