/*
 * The upward sweep through the tree (J. Liu, The multifrontal method for sparse matrix solution,
 * SIAM Review 1992), with (min, +) for (+, *). The front of a supernode takes the edges between its
 * own vertices and later ones, and the update matrices of its children. Its own vertices are
 * eliminated, and its panels are retained. The update matrix between the vertices of its boundary
 * is for the parent. Where that is just the parent's front, it stays where it is.
 *
 * Subtrees of little work are handed out to the threads; the nodes above them have all threads, one
 * after the other.
 */
#include "sparse/eliminate.h"

#include "base/mem.h"
#include "base/stop.h"
#include "sparse/front.h"
#include "sparse/share.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What a node leaves to its parent: values at rows and columns of its boundary, within a block of
 * memory. */
struct rest {
    void *memory, *values;
    size_t ld;
};

struct work {
    const struct tree *tree;
    const struct panels_edges *edges;
    struct panels *panels;
    struct rest *rest; /* of each node */
    struct shares shares;
    uint32_t **place;   /* of each thread: of boundary vertices of a child in the front */
    atomic_bool failed; /* memory was short */
};

static size_t value_bytes(const struct work *work)
{
    return dtype_info[work->panels->dtype].bytes;
}

static bool open_rest(const struct work *work, struct rest *rest, size_t size)
{
    rest->ld = front_ld(size, work->panels->kernels);
    rest->memory = rest->values =
        mem_alloc(front_bytes(size, work->panels->kernels, work->panels->dtype));
    return rest->memory != NULL;
}

static void free_rest(struct rest *rest)
{
    mem_free(rest->memory);
    *rest = (struct rest){0};
}

static void *rest_entry(const struct work *work, const struct rest *front, size_t row,
                        size_t column)
{
    return (char *)front->values + (row * front->ld + column) * value_bytes(work);
}

/* Where a position is in the front of node t, which it belongs to. */
static size_t place_of(const struct tree *tree, size_t t, uint32_t position)
{
    const struct tree_node *node = &tree->node[t];
    const uint32_t *boundary = tree_boundary(tree, t);
    if (position < node->first + node->size)
        return position - node->first;
    size_t lo = 0, hi = node->count;
    while (hi - lo > 1) {
        size_t middle = (lo + hi) / 2;
        *(boundary[middle] <= position ? &lo : &hi) = middle;
    }
    return node->size + lo;
}

static void lower(const struct work *work, void *value, const struct csr *csr, size_t e)
{
    union value weight = csr->weight[e];
    if (dtype_info[work->panels->dtype].real)
        weight.real = csr_real(csr, e);
    work->panels->kernels->lower(value, weight);
}

/* The edges of the node's vertices to themselves and to later ones, and from these. */
static void add_edges(const struct work *work, size_t t, const struct rest *front)
{
    const struct tree *tree = work->tree;
    const struct csr *csr = work->edges->csr, *transposed = work->edges->transposed;
    uint32_t first = tree->node[t].first;
    for (size_t i = 0; i < tree->node[t].size; i++) {
        uint32_t v = tree->vertex[first + i];
        for (size_t e = csr->start[v]; e < csr->start[v + 1]; e++) {
            uint32_t position = tree->position[csr->to[e]];
            if (position >= first)
                lower(work, rest_entry(work, front, i, place_of(tree, t, position)), csr, e);
        }
        for (size_t e = transposed->start[v]; e < transposed->start[v + 1]; e++) {
            uint32_t position = tree->position[transposed->to[e]];
            if (position >= first)
                lower(work, rest_entry(work, front, place_of(tree, t, position), i), transposed, e);
        }
    }
}

/* Only large fronts are worth all threads. */
static bool is_large(size_t size)
{
    return size > 1024;
}

static void add_child(const struct work *work, size_t t, const struct rest *front, size_t child,
                      uint32_t *place, int threads)
{
    const struct tree *tree = work->tree;
    const struct tree_node *node = &tree->node[t];
    const struct rest *rest = &work->rest[child];
    const uint32_t *own = tree_boundary(tree, t), *boundary = tree_boundary(tree, child);
    size_t count = tree->node[child].count, at = 0;
    for (size_t i = 0; i < count; i++) {
        if (boundary[i] < node->first + node->size) {
            place[i] = boundary[i] - node->first;
            continue;
        }
        while (own[at] < boundary[i])
            at++;
        place[i] = node->size + (uint32_t)at;
    }
#pragma omp parallel for num_threads(threads) if (threads > 1 && is_large(count))
    for (size_t i = 0; i < count; i++)
        work->panels->kernels->merge(rest_entry(work, front, place[i], 0),
                                     rest_entry(work, rest, i, 0), place, count);
}

static void fill(const struct work *work, const struct rest *front, size_t size, int threads)
{
#pragma omp parallel for num_threads(threads) if (threads > 1 && is_large(size))
    for (size_t i = 0; i < size; i++) {
        work->panels->kernels->fill(rest_entry(work, front, i, 0), front->ld);
        memset(rest_entry(work, front, i, i), 0, value_bytes(work)); /* the zero of all types */
    }
}

static bool make_front(const struct work *work, size_t t, struct rest *front, uint32_t *place,
                       int threads)
{
    const struct tree *tree = work->tree;
    size_t size = share_front(tree, t), last = t; /* the child in hand is before `last` */
    if (share_inherits(tree, t)) {
        *front = work->rest[t - 1];
        work->rest[t - 1] = (struct rest){0};
        last -= tree->node[t - 1].below;
    } else {
        if (!open_rest(work, front, size))
            return false;
        fill(work, front, size, threads);
    }
    add_edges(work, t, front);
    for (; last > t + 1 - tree->node[t].below; last -= tree->node[last - 1].below) {
        add_child(work, t, front, last - 1, place, threads);
        free_rest(&work->rest[last - 1]);
    }
    return true;
}

static void keep_panels(const struct work *work, size_t t, const struct rest *front)
{
    const struct tree_node *node = &work->tree->node[t];
    const struct relax_kernels *kernels = work->panels->kernels;
    size_t size = node->size, count = node->count;
    char *down = (char *)panels_down(work->panels, t);
    char *up = (char *)panels_up(work->panels, t);
    kernels->rows_pack(down, rest_entry(work, front, size, 0), front->ld, size, count);
    kernels->rows_pack(up, front->values, front->ld, size, size);
    kernels->rows_pack(up + size * size * kernels->a_bytes, rest_entry(work, front, 0, size),
                       front->ld, count, size);
}

/* The boundary's part of the front: as it is for a parent that inherits it, or where the rest is
 * small; else a copy. */
static bool keep_rest(const struct work *work, size_t t, struct rest *front)
{
    const struct tree_node *node = &work->tree->node[t];
    size_t size = node->size, count = node->count;
    struct rest *rest = &work->rest[t];
    if (count == 0) {
        free_rest(front);
        return true;
    }
    *rest = *front;
    rest->values = rest_entry(work, front, size, size);
    if (!share_copies(work->tree, t))
        return true;
    if (!open_rest(work, rest, count)) {
        free_rest(front);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        memcpy(rest_entry(work, rest, i, 0), rest_entry(work, front, size + i, size),
               count * value_bytes(work));
    free_rest(front);
    return true;
}

static void eliminate_node(struct work *work, size_t t, uint32_t *place, int threads)
{
    struct rest front = {0};
    if (atomic_load(&work->failed) || stop_wanted())
        return;
    bool good = make_front(work, t, &front, place, threads);
    if (good && t >= tree_walked(work->tree)) {
        work->panels->core = (struct core_matrix){front.values, front.ld};
        return;
    }
    if (good) {
        struct front matrix = {front.values, front.ld, work->tree->node[t].size,
                               share_front(work->tree, t)};
        good = front_eliminate(&matrix, work->panels->kernels, work->panels->dtype, threads);
    }
    if (good) {
        keep_panels(work, t, &front);
        good = keep_rest(work, t, &front);
    } else {
        free_rest(&front);
    }
    if (!good)
        atomic_store(&work->failed, true);
}

static void eliminate_all(struct work *work)
{
#pragma omp parallel num_threads(work->shares.threads)
    {
        uint32_t *place = work->place[omp_get_thread_num()]; /* of this region, not of a caller's */
#pragma omp for schedule(dynamic, 1) nowait
        for (size_t k = 0; k < work->shares.count; k++) {
            size_t end = work->shares.share[k].node;
            for (size_t t = end + 1 - work->tree->node[end].below; t <= end; t++)
                eliminate_node(work, t, place, 1);
        }
    }
    for (size_t k = 0, largest = 0; k < work->shares.tops; k++) {
        size_t size = share_front(work->tree, work->shares.top[k]);
        if (is_large(size) && size > largest) {
            mem_trim(); /* what smaller fronts have left free */
            largest = size;
        }
        eliminate_node(work, work->shares.top[k], work->place[0], work->shares.threads);
    }
    for (size_t t = 0; t < work->tree->nodes; t++)
        free_rest(&work->rest[t]); /* there are some only after a failure */
}

static size_t eliminate_layout(struct work *work, void *base)
{
    struct mem_layout layout = {.base = base};
    size_t nodes = work->tree->nodes, largest = 0;
    for (size_t t = 0; t < nodes; t++)
        if (share_front(work->tree, t) > largest)
            largest = share_front(work->tree, t);
    work->rest = mem_place(&layout, nodes, sizeof *work->rest);
    work->place = mem_place(&layout, (size_t)work->shares.threads, sizeof *work->place);
    for (int k = 0; k < work->shares.threads; k++) {
        uint32_t *list = mem_place(&layout, largest, sizeof *list);
        if (base)
            work->place[k] = list;
    }
    return layout.bytes;
}

int panels_need(struct panels_need *need, const struct tree *tree, enum dtype dtype, int threads,
                struct apsp_error *error)
{
    const struct relax_kernels *kernels = relax_choose(dtype, NULL);
    struct work work = {.tree = tree};
    *need = (struct panels_need){
        .through = mem_bytes(mem_bytes(tree->core.size, tree->core.size), kernels->a_bytes)};
    mem_add(&need->ways, mem_bytes(tree->node[tree->nodes].down, kernels->a_bytes),
            mem_bytes(tree->node[tree->nodes].up, kernels->a_bytes));
    if (shares_make(&work.shares, tree, threads, error) == APSP_OK)
        shares_need(&need->making, &work.shares, kernels, dtype, error);
    mem_add(&need->making, need->making, eliminate_layout(&work, NULL));
    shares_free(&work.shares);
    return error->code;
}

static struct panels_way open_way(const struct tree *tree, size_t bytes)
{
    return (struct panels_way){mem_alloc(bytes), tree->node, tree->boundary, NULL};
}

void panels_way_free(struct panels_way *way)
{
    mem_free(way->own);
    mem_free(way->a);
    *way = (struct panels_way){0};
}

int panels_make(struct panels *panels, const struct tree *tree, const struct panels_edges *edges,
                enum dtype dtype, int threads, struct apsp_error *error)
{
    const enum combine combine = algebra_combine(&edges->csr->algebra);
    const struct relax_kernels *kernels = relax_combining(dtype, combine, NULL);
    *panels = (struct panels){.tree = tree, .dtype = dtype, .combine = combine, .kernels = kernels};
    struct work work = {.tree = tree, .edges = edges, .panels = panels};
    bool shared = shares_make(&work.shares, tree, threads, error) == APSP_OK;
    panels->down = open_way(tree, mem_bytes(tree->node[tree->nodes].down, kernels->a_bytes));
    panels->up = open_way(tree, mem_bytes(tree->node[tree->nodes].up, kernels->a_bytes));
    void *memory = mem_alloc(eliminate_layout(&work, NULL));
    if (panels->down.a && panels->up.a && memory && shared) {
        eliminate_layout(&work, memory);
        eliminate_all(&work);
        stop_check(error);
    }
    if (!panels->down.a || !panels->up.a || !memory || atomic_load(&work.failed))
        error_set(error, APSP_MEMORY, "no memory to eliminate %zu vertices", tree->n);
    shares_free(&work.shares);
    mem_free(memory);
    mem_trim(); /* fronts that were small */
    return error->code;
}

struct panels_work panels_work(const struct panels *panels)
{
    const struct tree *tree = panels->tree;
    double up = (double)panels->up.node[tree->nodes].up, all = (double)tree->node[tree->nodes].up;
    double outside = all > 0 ? (tree->label + tree->core.enter) * up / all : 0;
    return (struct panels_work){(double)panels->down.node[tree->nodes].down,
                                outside + tree->core.own};
}

int panels_close(struct panels *panels, int threads, struct apsp_error *error)
{
    const struct relax_kernels *kernels = panels->kernels;
    size_t n = panels->tree->core.size;
    panels->through = mem_alloc(mem_bytes(mem_bytes(n, n), kernels->a_bytes));
    if (!panels->through)
        return error_set(error, APSP_MEMORY, "no memory for a dense core of %zu vertices", n);
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (size_t row = 0, height; row < n; row += height) {
        height = relax_rows_height(n - row, kernels->mr);
#pragma omp task firstprivate(row, height)
        kernels->rows_pack((char *)panels->through + row * n * kernels->a_bytes,
                           (char *)panels->core.values + row * dtype_info[panels->dtype].bytes,
                           panels->core.ld, height, n);
    }
    mem_free(panels->core.values);
    panels->core = (struct core_matrix){0};
    return APSP_OK;
}

void panels_free(struct panels *panels)
{
    mem_free(panels->through);
    mem_free(panels->core.values);
    panels_way_free(&panels->up);
    panels_way_free(&panels->down);
    *panels = (struct panels){0};
}
