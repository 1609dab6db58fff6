#include "sssp/network.h"

#include "base/counting.h"
#include "base/mem.h"
#include "base/typed.h"
#include "sssp/folding.h"
#include "sssp/network_near.h"
#include "sssp/network_order.h"

#include <string.h>

/* Vertices that a thread takes at a time, and arcs from which on there are threads. */
enum { CHUNK = 1024, MANY = 1 << 16 };

/* The weight of the first arc that counts; false where there is none. */
static bool first_weight(const struct engine_task *task, union value *first)
{
    const struct csr *csr = task->csr;
    for (size_t u = 0; u < csr->n; u++)
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
            *first = network_weight(task, u, e);
            if (!network_skips(task, u, e, *first))
                return true;
        }
    return false;
}

/* Adds the arcs of vertex u that count; returns how many of them have another weight than the unit.
 */
static inline __attribute__((always_inline)) size_t count_weights(const struct engine_task *task,
                                                                  size_t u, union value unit,
                                                                  bool real, bool plain,
                                                                  size_t *arcs)
{
    const struct csr *csr = task->csr;
    const union value end = network_end(task->dtype);
    size_t others = 0;
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
        const union value weight = plain ? csr->weight[e] : network_weight(task, u, e);
        const bool counts = csr->to[e] != u && !network_is_endless(real, weight, end);
        *arcs += counts;
        others += counts && (real ? weight.real != unit.real : weight.whole != unit.whole);
    }
    return others;
}

struct network_weights network_weights(const struct engine_task *task)
{
    const struct csr *csr = task->csr;
    const bool real = dtype_info[task->dtype].real, plain = network_is_plain(task);
    union value unit = real ? (union value){.real = 1} : (union value){.whole = 1};
    const bool any = first_weight(task, &unit);
    size_t arcs = 0, others = 0;
    if (!any) /* by which harmonic sums are divided all the same */
        unit = real ? (union value){.real = 1} : (union value){.whole = 1};
#pragma omp parallel for num_threads(task->threads) schedule(dynamic, CHUNK)                       \
    reduction(+ : arcs, others) if (csr->m > MANY)
    for (size_t u = 0; u < csr->n; u++)
        if (plain && real)
            others += count_weights(task, u, unit, true, true, &arcs);
        else if (plain)
            others += count_weights(task, u, unit, false, true, &arcs);
        else
            others += count_weights(task, u, unit, real, false, &arcs);
    return (struct network_weights){.arcs = arcs,
                                    .equal = task->combine == COMBINE_SUM && others == 0 &&
                                             (real ? unit.real > 0 : unit.whole > 0),
                                    .unit = unit};
}

bool network_may_lend(const struct engine_task *task, const struct network_weights *weights)
{
    return network_is_plain(task) && weights->arcs == task->csr->m;
}

static size_t weight_bytes(const struct engine_task *task, const struct network_weights *weights)
{
    return weights->equal ? 0 : dtype_info[task->dtype].bytes;
}

/* Bounds of labels leave out arcs on GPUs alone. */
static bool is_near(const struct engine_task *task, const struct network_weights *weights)
{
    return !weights->equal && task->device->ops != &device_cpu;
}

static size_t network_place(struct network *network, const struct engine_task *task,
                            const struct network_weights *weights, void *base)
{
    struct mem_layout layout = {.base = base};
    const size_t arcs = weights->lent ? 0 : weights->arcs;
    network->number = mem_place(&layout, task->n, sizeof *network->number); /* the first */
    network->start = mem_place(&layout, weights->lent ? 0 : task->n + 2, sizeof *network->start);
    network->from = mem_place(&layout, arcs, sizeof *network->from);
    network->weight = mem_place(&layout, arcs, weight_bytes(task, weights));
    network->vertex = mem_place(&layout, task->n, sizeof *network->vertex);
    network->order = mem_place(&layout, task->n, sizeof *network->order);
    const bool offsets =
        is_near(task, weights) && !dtype_info[task->dtype].real && task->combine == COMBINE_SUM;
    network->offset = mem_place(&layout, offsets ? task->n : 0, sizeof *network->offset);
    if (!offsets)
        network->offset = NULL;
    if (weights->equal)
        network->weight = NULL;
    return layout.bytes;
}

static size_t work_place(struct network_work *work, size_t n, void *base)
{
    struct mem_layout layout = {.base = base};
    work->degree = mem_place(&layout, n, sizeof *work->degree);
    work->before = mem_place(&layout, n + 1, sizeof *work->before);
    work->parent = mem_place(&layout, n, sizeof *work->parent);
    work->below = mem_place(&layout, n, sizeof *work->below);
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
    size_t bytes = counting_bytes(task->n, weights->arcs, task->threads);
    mem_add(&bytes, bytes, work_place(&work, task->n, NULL));
    return bytes;
}

/* Numbers by falling degree, those of equal degree as they were: a counting sort, in which degrees
 * of 2^13 and more are one. */
static void number_vertices(struct network *network, const size_t *degree)
{
    enum { DEGREES = 1 << 13 };
    static const size_t most = DEGREES - 1;
    size_t place[DEGREES + 1] = {0};
    for (size_t v = 0; v < network->n; v++)
        place[most - (degree[v] < most ? degree[v] : most) + 1]++;
    for (size_t d = 0; d < DEGREES; d++)
        place[d + 1] += place[d];
    for (size_t v = 0; v < network->n; v++) {
        size_t d = most - (degree[v] < most ? degree[v] : most);
        network->number[v] = (uint32_t)place[d];
        network->vertex[place[d]++] = (uint32_t)v;
    }
}

/* Adds each arc of the tail u to the counter of its head; returns how many there are. */
static size_t count_heads(const struct engine_task *task, size_t u, const uint32_t *number,
                          size_t *head)
{
    const struct csr *csr = task->csr;
    size_t arcs = 0;
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
        if (network_skips(task, u, e, network_weight(task, u, e)))
            continue;
        head[number ? number[csr->to[e]] : csr->to[e]]++;
        arcs++;
    }
    return arcs;
}

/* The first tail of a part, of the tails in some order: parts have about as many arcs. */
static size_t first_tail(const struct counting *counting, const size_t *arcs, size_t n, int part)
{
    const size_t wanted = counting_begin(counting, arcs[n], part);
    size_t lo = 0, hi = n;
    while (lo < hi) {
        const size_t middle = lo + (hi - lo) / 2;
        if (arcs[middle] < wanted)
            lo = middle + 1;
        else
            hi = middle;
    }
    return part == counting->parts ? n : lo;
}

/* Degrees of both directions, and by them the numbers. */
static void count_degrees(struct network *network, const struct counting *counting,
                          const struct engine_task *task, const struct network_work *work)
{
    const struct csr *csr = task->csr;
    size_t *degree = work->degree;
#pragma omp parallel for num_threads(counting->parts) schedule(static, 1)
    for (int p = 0; p < counting->parts; p++) {
        const size_t end = first_tail(counting, csr->start, csr->n, p + 1);
        for (size_t u = first_tail(counting, csr->start, csr->n, p); u < end; u++)
            degree[u] = count_heads(task, u, NULL, counting_part(counting, p));
    }
#pragma omp parallel for num_threads(counting->parts)
    for (size_t v = 0; v < csr->n; v++)
        for (int p = 0; p < counting->parts; p++)
            degree[v] += counting_part(counting, p)[v];
    number_vertices(network, degree);
    for (size_t t = 0; t < csr->n; t++) {
        const size_t u = network->vertex[t];
        work->before[t + 1] = work->before[t] + csr->start[u + 1] - csr->start[u];
    }
}

/* The arcs of the tail of that new number, to the places of their heads; returns the least number
 * of a head, or the tail's. */
static uint32_t place_heads(struct network *network, const struct engine_task *task, size_t tail,
                            size_t *head)
{
    const struct csr *csr = task->csr;
    const size_t u = network->vertex[tail];
    uint32_t parent = (uint32_t)tail;
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
        const union value weight = network_weight(task, u, e);
        if (network_skips(task, u, e, weight))
            continue;
        const uint32_t number = network->number[csr->to[e]];
        const size_t at = head[number]++;
        if (network->weight)
            typed_put(task->dtype, network->weight, at, weight);
        network->from[at] = (uint32_t)tail;
        parent = number < parent ? number : parent;
    }
    return parent;
}

/* In the order of the tails' new numbers: so parallel arcs follow one another. */
static void fill_arcs(struct network *network, struct counting *counting,
                      const struct engine_task *task, const struct network_work *work)
{
    const size_t *before = work->before;
    counting_clear(counting);
    for (int place = 0; place < 2; place++) {
#pragma omp parallel for num_threads(counting->parts) schedule(static, 1)
        for (int p = 0; p < counting->parts; p++) {
            size_t *head = counting_part(counting, p);
            const size_t end = first_tail(counting, before, network->n, p + 1);
            for (size_t t = first_tail(counting, before, network->n, p); t < end; t++)
                if (place)
                    work->parent[t] = place_heads(network, task, t, head);
                else
                    count_heads(task, network->vertex[t], network->number, head);
        }
        if (!place)
            counting_place(counting, network->start);
    }
}

/* To a place where one of a parallel arc may be. */
static void move_weight(struct network *network, enum dtype dtype, size_t to, size_t from,
                        bool parallel)
{
#define MOVE(name, T, FIELD, UNREACHABLE)                                                          \
    do {                                                                                           \
        T *weight = network->weight;                                                               \
        weight[to] = parallel && weight[to] < weight[from] ? weight[to] : weight[from];            \
    } while (0)
    TYPED_CASE(dtype, MOVE)
#undef MOVE
}

/* Parallel arcs to v become one, the least: degree[v] is how many arcs are left. */
static void merge_parallel(struct network *network, const struct network_work *work,
                           const struct engine_task *task)
{
#pragma omp parallel for num_threads(task->threads) schedule(dynamic, CHUNK) if (network->n > CHUNK)
    for (size_t v = 0; v < network->n; v++) {
        const size_t begin = network->start[v], end = network->start[v + 1];
        size_t kept = 0;
        for (size_t e = begin; e < end; e++) {
            const bool again = kept > 0 && network->from[begin + kept - 1] == network->from[e];
            const size_t at = begin + kept - again;
            kept += !again;
            if (at == e)
                continue;
            network->from[at] = network->from[e];
            if (network->weight)
                move_weight(network, task->dtype, at, e, again);
        }
        work->degree[v] = kept;
    }
}

/* Closes the gaps that parallel arcs have left. */
static void close_gaps(struct network *network, const struct network_work *work, size_t bytes)
{
    size_t at = 0;
    char *weight = network->weight;
    for (size_t v = 0; v < network->n; v++) {
        const size_t begin = network->start[v], count = work->degree[v];
        if (at < begin) {
            memmove(network->from + at, network->from + begin, count * sizeof *network->from);
            if (weight)
                memmove(weight + at * bytes, weight + begin * bytes, count * bytes);
        }
        network->start[v] = at;
        at += count;
    }
    network->parallel = network->start[network->n] - at;
    network->start[network->n] = network->arcs = at;
}

int network_make(struct network *network, const struct engine_task *task,
                 const struct network_weights *weights, struct apsp_error *error)
{
    struct network_work work;
    struct counting counting;
    *network = (struct network){.combine = task->combine, .n = task->n};
    void *memory = mem_alloc(network_place(network, task, weights, NULL)),
         *room = mem_alloc(work_place(&work, task->n, NULL));
    network_place(network, task, weights, memory);
    work_place(&work, task->n, room);
    if (counting_open(&counting, task->n, weights->arcs, task->threads) && memory && room) {
        count_degrees(network, &counting, task, &work);
        fill_arcs(network, &counting, task, &work);
        merge_parallel(network, &work, task);
        close_gaps(network, &work, dtype_info[task->dtype].bytes);
        network_order(network, task, weights, &work);
        if (is_near(task, weights))
            network_near(network, task, &work);
    } else {
        error_set(error, APSP_MEMORY, "no memory for a network of %zu vertices and %zu arcs",
                  task->n, weights->arcs);
    }
    counting_free(&counting);
    mem_free(room);
    if (error->code)
        network_free(network);
    return error->code;
}

/* The arcs from u: to that place of the network, or counted only (SIZE_MAX). */
static size_t forward_arcs(struct network *network, const struct engine_task *task, size_t u,
                           size_t at)
{
    const struct csr *csr = task->csr;
    size_t count = 0;
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
        const union value weight = network_weight(task, u, e);
        if (network_skips(task, u, e, weight))
            continue;
        if (at < SIZE_MAX) {
            if (network->weight)
                typed_put(task->dtype, network->weight, at + count, weight);
            network->from[at + count] = csr->to[e];
        }
        count++;
    }
    return count;
}

/* Copies the arcs from each vertex. */
static void forward_copy(struct network *network, const struct engine_task *task)
{
    const size_t n = network->n;
    const bool many = task->csr->m > MANY;
#pragma omp parallel for num_threads(task->threads) schedule(dynamic, CHUNK) if (many)
    for (size_t u = 0; u < n; u++)
        network->start[u + 1] = forward_arcs(network, task, u, SIZE_MAX);
    for (size_t u = 0; u < n; u++)
        network->start[u + 1] += network->start[u];
#pragma omp parallel for num_threads(task->threads) schedule(dynamic, CHUNK) if (many)
    for (size_t u = 0; u < n; u++)
        forward_arcs(network, task, u, network->start[u]);
}

static void forward_lend(struct network *network, const struct csr *csr, bool equal)
{
    network->start = csr->start;
    network->from = csr->to;
    network->weight = equal ? NULL : csr->weight;
    network->wide = true;
}

int network_forward(struct network *network, const struct engine_task *task,
                    const struct network_weights *weights, struct apsp_error *error)
{
    *network = (struct network){.combine = task->combine, .n = task->n, .arcs = weights->arcs};
    void *memory = mem_alloc(network_place(network, task, weights, NULL));
    network_place(network, task, weights, memory);
    if (!memory) {
        *network = (struct network){0};
        return error_set(error, APSP_MEMORY, "no memory for %zu arcs", weights->arcs);
    }
    for (size_t u = 0; u < network->n; u++)
        network->number[u] = network->vertex[u] = network->order[u] = (uint32_t)u;
    if (weights->lent)
        forward_lend(network, task->csr, weights->equal);
    else
        forward_copy(network, task);
    if (!weights->lent && folding_serves(task, weights) &&
        folding_make(&network->folding, network, task->dtype, error))
        network_free(network);
    return error->code;
}

void network_free(struct network *network)
{
    folding_free(network->folding);
    mem_free(network->number); /* the first of what is placed */
    *network = (struct network){0};
}
