#include "sparse/prune.h"

#include "base/mem.h"
#include "rows/convert.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* So many vertices of the core in one boundary are looked at; where there are more, they stay. */
enum { MOST = 1024 };

struct pruning {
    struct panels *panels;
    struct panels_way *way; /* in hand: down, or up */
    bool down;
    size_t bytes;  /* of a value */
    bool *needed;  /* of each entry of the boundaries */
    size_t widest; /* boundary */
    int threads;
    atomic_bool failed; /* memory was short */
};

/* The scratch memory of one thread. */
struct scratch {
    char *panel, *kept;   /* as rows_pack takes them */
    union value *entry;   /* the panel, in the widest type */
    union value *between; /* distances between the core's vertices of the boundary, */
    char *row;            /* and those of one of them */
    bool *gone;           /* entries of one vertex of the node, */
    uint32_t *near;       /* and those of the core in the order of their values */
};

static size_t prune_layout(struct scratch *scratch, const struct pruning *pruning, void *base)
{
    struct mem_layout layout = {.base = base};
    size_t entries = mem_bytes(pruning->widest, NODE_MAX);
    size_t core = pruning->widest < MOST ? pruning->widest : MOST;
    scratch->panel = mem_place(&layout, entries, pruning->bytes);
    scratch->kept = mem_place(&layout, entries, pruning->bytes);
    scratch->entry = mem_place(&layout, entries, sizeof *scratch->entry);
    scratch->between = mem_place(&layout, mem_bytes(core, core), sizeof *scratch->between);
    scratch->row = mem_place(&layout, core, pruning->bytes);
    scratch->gone = mem_place(&layout, pruning->widest, sizeof *scratch->gone);
    scratch->near = mem_place(&layout, core, sizeof *scratch->near);
    return layout.bytes;
}

/* Node t's panel, and in that what there is for its boundary. */
static char *panel_of(const struct pruning *pruning, const struct panels_way *way, size_t t)
{
    size_t entry =
        pruning->down ? panels_entry_down(way, pruning->panels->tree->nodes, t) : way->node[t].up;
    return (char *)way->a + entry * pruning->panels->kernels->a_bytes;
}

static size_t own_bytes(const struct pruning *pruning, size_t t)
{
    size_t size = pruning->panels->tree->node[t].size;
    return pruning->down ? 0 : size * size * pruning->panels->kernels->a_bytes;
}

/* As it was before rows_pack. An element of the operand begins with its value. */
static void unpack(const struct pruning *pruning, char *panel, size_t t)
{
    const struct relax_kernels *kernels = pruning->panels->kernels;
    size_t size = pruning->panels->tree->node[t].size, count = pruning->way->node[t].count;
    size_t rows = pruning->down ? size : count, depth = pruning->down ? count : size;
    const char *a = panel_of(pruning, pruning->way, t) + own_bytes(pruning, t);
    for (size_t row = 0, height; row < rows; row += height) {
        height = relax_rows_height(rows - row, kernels->mr);
        for (size_t k = 0; k < depth; k++)
            for (size_t i = 0; i < height; i++, a += kernels->a_bytes)
                memcpy(panel + (k * rows + row + i) * pruning->bytes, a, pruning->bytes);
    }
}

static struct conversion widening(const struct pruning *pruning, size_t n)
{
    enum dtype dtype = pruning->panels->dtype;
    return (struct conversion){dtype, dtype_info[dtype].real ? DTYPE_F64 : DTYPE_I64, n, NULL,
                               NULL};
}

static void gather(const struct pruning *pruning, struct scratch *scratch, const uint32_t *boundary,
                   size_t count)
{
    const struct tree *tree = pruning->panels->tree;
    size_t first = tree->n - tree->core.size;
    const struct conversion widen = widening(pruning, count);
    for (size_t k = 0; k < count; k++) {
        const char *row = panels_core(pruning->panels, boundary[k] - first);
        for (size_t q = 0; q < count; q++)
            memcpy(scratch->row + q * pruning->bytes, row + (boundary[q] - first) * pruning->bytes,
                   pruning->bytes);
        convert_row(&widen, 0, scratch->row, scratch->between + k * count);
    }
}

static bool is_less(bool real, union value a, union value b)
{
    return real ? a.real < b.real : a.whole < b.whole;
}

/* Whether the path from k to q, or from q to k, and then `entry` is as short as `direct`. */
static bool is_as_good(enum combine combine, bool real, union value between, union value entry,
                       union value direct)
{
    if (combine == COMBINE_MAX)
        return !is_less(real, direct, between) && !is_less(real, direct, entry);
    return real ? between.real + entry.real <= direct.real
                : between.whole + entry.whole <= direct.whole;
}

static bool is_finite(bool real, union value value)
{
    return real ? value.real < (double)INFINITY : value.whole < INF_I64;
}

/* By value, the nearest first; equal ones as they stand in the boundary. */
static void sort_near(uint32_t *near, size_t count, bool real, const union value *entry,
                      size_t step)
{
    for (size_t i = 1; i < count; i++) {
        uint32_t k = near[i];
        size_t at = i;
        for (; at > 0 && is_less(real, entry[k * step], entry[near[at - 1] * step]); at--)
            near[at] = near[at - 1];
        near[at] = k;
    }
}

/*
 * Marks the entries of one vertex of the node, which are `step` apart; those of the core begin at
 * `lo`. They are compared with nearer ones that stay, so that a way around goes over one vertex.
 */
static void mark_needless(const struct pruning *pruning, struct scratch *scratch,
                          const union value *entry, size_t step, size_t lo, size_t count)
{
    bool real = dtype_info[pruning->panels->dtype].real, *gone = scratch->gone;
    uint32_t *near = scratch->near;
    size_t core = count - lo, finite = 0, kept = 0;
    for (size_t k = 0; k < count; k++) {
        gone[k] = !is_finite(real, entry[k * step]);
        if (k >= lo && !gone[k])
            near[finite++] = (uint32_t)k;
    }
    sort_near(near, finite, real, entry, step);
    for (size_t i = 0; i < finite; i++) {
        size_t k = near[i];
        for (size_t j = 0; j < kept && !gone[k]; j++) {
            size_t q = near[j], from = (pruning->down ? k : q) - lo,
                   to = (pruning->down ? q : k) - lo;
            gone[k] = is_as_good(pruning->panels->combine, real, scratch->between[from * core + to],
                                 entry[q * step], entry[k * step]);
        }
        if (!gone[k])
            near[kept++] = (uint32_t)k;
    }
}

static void look_at(const struct pruning *pruning, struct scratch *scratch, size_t t)
{
    const struct tree *tree = pruning->panels->tree;
    const struct tree_node *node = &pruning->way->node[t];
    const uint32_t *boundary = pruning->way->boundary + node->boundary;
    size_t count = node->count, lo = count;
    while (lo > 0 && boundary[lo - 1] >= tree->n - tree->core.size)
        lo--;
    if (count - lo > MOST)
        lo = count;
    gather(pruning, scratch, boundary + lo, count - lo);
    unpack(pruning, scratch->panel, t);
    const struct conversion widen = widening(pruning, node->size * count);
    convert_row(&widen, 0, scratch->panel, scratch->entry);
    for (size_t s = 0; s < node->size; s++) {
        mark_needless(pruning, scratch, scratch->entry + s * (pruning->down ? 1 : count),
                      pruning->down ? node->size : 1, lo, count);
        for (size_t k = 0; k < count; k++)
            pruning->needed[node->boundary + k] |= !scratch->gone[k];
    }
}

static size_t place_nodes(struct panels_way *way, size_t nodes, size_t boundary, void *base)
{
    struct mem_layout layout = {.base = base};
    way->node = mem_place(&layout, nodes + 1, sizeof *way->node);
    way->boundary = mem_place(&layout, boundary, sizeof *way->boundary);
    return layout.bytes;
}

/* The nodes and boundaries with what is needed, and room for the panels. */
static bool open_kept(const struct pruning *pruning, struct panels_way *kept)
{
    const struct panels_way *way = pruning->way;
    size_t nodes = pruning->panels->tree->nodes, all = way->node[nodes].boundary, count = 0;
    for (size_t k = 0; k < all; k++)
        count += pruning->needed[k];
    kept->own = mem_alloc(place_nodes(kept, nodes, count, NULL));
    if (!kept->own)
        return false;
    place_nodes(kept, nodes, count, kept->own);
    struct tree_node *node = kept->own;
    uint32_t *boundary = (uint32_t *)kept->boundary;
    memcpy(node, way->node, (nodes + 1) * sizeof *node);
    count = 0;
    for (size_t t = 0; t < nodes; t++) {
        size_t first = count;
        for (size_t k = way->node[t].boundary; k < way->node[t + 1].boundary; k++)
            if (pruning->needed[k])
                boundary[count++] = way->boundary[k];
        node[t].count = (uint32_t)(count - first);
        tree_follow(&node[t], t < tree_walked(pruning->panels->tree));
    }
    size_t entries = pruning->down ? node[nodes].down : node[nodes].up;
    kept->a = mem_alloc(mem_bytes(entries, pruning->panels->kernels->a_bytes));
    return kept->a != NULL;
}

static void keep(const struct pruning *pruning, struct scratch *scratch,
                 const struct panels_way *kept, size_t t)
{
    const struct tree_node *node = &pruning->way->node[t];
    const struct relax_kernels *kernels = pruning->panels->kernels;
    size_t size = node->size, left = kept->node[t].count, at = 0, bytes = pruning->bytes;
    const bool *needed = pruning->needed + node->boundary;
    char *to = panel_of(pruning, kept, t);
    unpack(pruning, scratch->panel, t);
    for (size_t k = 0; k < node->count; k++) {
        if (!needed[k])
            continue;
        for (size_t s = 0; s < size; s++)
            memcpy(scratch->kept + (pruning->down ? at * size + s : s * left + at) * bytes,
                   scratch->panel + (pruning->down ? k * size + s : s * node->count + k) * bytes,
                   bytes);
        at++;
    }
    memcpy(to, panel_of(pruning, pruning->way, t), own_bytes(pruning, t));
    to += own_bytes(pruning, t);
    if (pruning->down)
        kernels->rows_pack(to, scratch->kept, size, size, left);
    else
        kernels->rows_pack(to, scratch->kept, left, left, size);
}

/* For each node: looks at it, or keeps what is needed. */
static void for_all(struct pruning *pruning, const struct panels_way *kept)
{
#pragma omp parallel num_threads(pruning->threads)
    {
        struct scratch scratch;
        void *memory = mem_alloc(prune_layout(&scratch, pruning, NULL));
        prune_layout(&scratch, pruning, memory);
        if (!memory)
            atomic_store(&pruning->failed, true);
#pragma omp for schedule(dynamic, 64)
        for (size_t t = 0; t < tree_walked(pruning->panels->tree); t++) {
            if (!memory)
                continue;
            if (kept)
                keep(pruning, &scratch, kept, t);
            else
                look_at(pruning, &scratch, t);
        }
        mem_free(memory);
    }
}

static void prune(struct pruning *pruning, struct panels_way *way, bool down)
{
    const struct tree *tree = pruning->panels->tree;
    size_t entries = tree->node[tree->nodes].boundary;
    struct panels_way kept = {0};
    pruning->way = way;
    pruning->down = down;
    pruning->needed = mem_alloc(mem_bytes(entries, sizeof *pruning->needed));
    if (pruning->needed)
        for_all(pruning, NULL);
    if (!pruning->needed || atomic_load(&pruning->failed) || !open_kept(pruning, &kept))
        atomic_store(&pruning->failed, true);
    else
        for_all(pruning, &kept);
    mem_free(pruning->needed);
    panels_way_free(atomic_load(&pruning->failed) ? &kept : way);
    if (!atomic_load(&pruning->failed))
        *way = kept;
}

static struct pruning pruning_of(const struct tree *tree, enum dtype dtype, int threads)
{
    struct pruning pruning = {.bytes = dtype_info[dtype].bytes, .threads = threads};
    for (size_t t = 0; t < tree->nodes; t++)
        pruning.widest =
            tree->node[t].count > pruning.widest ? tree->node[t].count : pruning.widest;
    return pruning;
}

int panels_prune(struct panels *panels, int threads, struct apsp_error *error)
{
    struct pruning pruning = pruning_of(panels->tree, panels->dtype, threads);
    pruning.panels = panels;
    prune(&pruning, &panels->down, true);
    if (!atomic_load(&pruning.failed))
        prune(&pruning, &panels->up, false);
    if (atomic_load(&pruning.failed))
        error_set(error, APSP_MEMORY, "no memory to prune the panels of %zu supernodes",
                  panels->tree->nodes);
    return error->code;
}

/* At most as much is made as there is. */
size_t panels_prune_need(const struct tree *tree, enum dtype dtype, int threads)
{
    const struct pruning pruning = pruning_of(tree, dtype, threads);
    const struct tree_node *all = &tree->node[tree->nodes];
    struct panels_way way;
    struct scratch scratch;
    size_t bytes = mem_bytes(prune_layout(&scratch, &pruning, NULL), (size_t)threads);
    mem_add(&bytes, bytes, all->boundary * sizeof *pruning.needed);
    mem_add(&bytes, bytes, place_nodes(&way, tree->nodes, all->boundary, NULL));
    mem_add(&bytes, bytes, mem_bytes(all->up, relax_choose(dtype, NULL)->a_bytes));
    return bytes;
}
