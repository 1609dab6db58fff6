/*
 * One source i: the upward sweep finds, on the path from its supernode to the root, the distances
 * from i by paths that stay inside each subtree. The downward sweep goes through all supernodes t:
 * D[i][S_t] = min over k in B_t of D[i][k] + U_t[k][.], where i is outside of R_t. Where i is
 * inside, it takes the minimum of that and the upward distances. For roads these are the two phases
 * of a query in a contraction hierarchy (D. Delling et al., PHAST, IPDPS 2011; J. Dibbelt et al.,
 * Customizable contraction hierarchies, SEA 2014).
 *
 * nr sources share every panel's load: their values for one vertex are a row. The downward sweep is
 * depth-first, so all that it reads is on the path to the root: these rows are a stack, near to the
 * processor. Finished rows are never read again before all are transposed into those of the
 * sources.
 *
 * Where there is a core, what came up to it goes once through its distances, and the downward sweep
 * begins below.
 */
#include "sparse/expand.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "base/number.h"
#include "base/size.h"
#include "sparse/halving.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)BESIDE_BORDER <= (int)NODE_MAX, "a border has room in `own`");
enum {
    CACHED = SIZE_OF(1 << 20, 1 << 12)
}; /* bytes of rows that wait in the caches to be transposed */

struct expand {
    const struct panels *panels;
    char *values;    /* a row for each column; only to make rows */
    uint32_t *slot;  /* for each entry of the boundaries: its row in the stack */
    uint32_t *depth; /* of a node: its first row in the stack */
    char *stack;
    char *upward;    /* rows of the nodes above some source */
    char *own;       /* rows of one node */
    uint32_t *path;  /* the nodes above some source, ascending */
    size_t length;   /* of the path */
    uint32_t *place; /* of a node above some source: 1 + its first row in `upward`; 0: it is none */
    uint32_t *index; /* rows of one boundary in `upward`, or of the core that anything came up to */
    uint32_t *counted; /* 0, 1, .. for as many rows as a node has, or the core */
    char *picked;      /* the columns of one block of the core's operand that are used */
};

static size_t row_bytes(const struct panels *panels)
{
    return panels->kernels->nr * dtype_info[panels->dtype].bytes;
}

static size_t most_counted(const struct tree *tree)
{
    return tree->core.size > NODE_MAX ? tree->core.size : NODE_MAX;
}

static size_t expand_layout(struct expand *expand, const struct panels *panels, size_t columns,
                            void *base)
{
    struct mem_layout layout = {.base = base};
    const struct tree *tree = panels->tree;
    expand->values = mem_place(&layout, columns, row_bytes(panels));
    expand->slot = mem_place(&layout, tree->node[tree->nodes].boundary, sizeof *expand->slot);
    expand->depth = mem_place(&layout, tree->nodes, sizeof *expand->depth);
    expand->stack = mem_place(&layout, tree->path, row_bytes(panels));
    expand->upward =
        mem_place(&layout, tree_upward_rows(tree, panels->kernels->nr), row_bytes(panels));
    expand->own = mem_place(&layout, NODE_MAX, row_bytes(panels));
    expand->path = mem_place(&layout, tree->nodes, sizeof *expand->path);
    expand->place = mem_place(&layout, tree->nodes, sizeof *expand->place);
    expand->index = mem_place(&layout, tree->path, sizeof *expand->index);
    expand->counted = mem_place(&layout, most_counted(tree), sizeof *expand->counted);
    expand->picked =
        mem_place(&layout, panels->kernels->mr * tree->core.size, panels->kernels->a_bytes);
    return layout.bytes;
}

size_t expand_width(const struct panels *panels)
{
    return panels->kernels->nr;
}

size_t expand_need(const struct panels *panels, size_t columns)
{
    struct expand expand;
    return expand_layout(&expand, panels, columns, NULL);
}

static void fill_slots(struct expand *expand, const struct panels *panels)
{
    const struct tree *tree = panels->tree;
    const struct panels_way *down = &panels->down;
    for (size_t t = tree->nodes; t-- > 0;) {
        uint32_t parent = tree->node[t].parent;
        expand->depth[t] = parent == NO_NODE ? 0 : expand->depth[parent] + tree->node[parent].size;
    }
    for (size_t i = 0; i < down->node[tree->nodes].boundary; i++) {
        uint32_t position = down->boundary[i], t = tree->node_of[position];
        expand->slot[i] = expand->depth[t] + position - tree->node[t].first;
    }
    for (uint32_t i = 0; i < most_counted(tree); i++)
        expand->counted[i] = i;
}

int expand_open(struct expand **expand, const struct panels *panels, size_t columns,
                struct apsp_error *error)
{
    void *memory = mem_alloc(expand_need(panels, columns));
    *expand = calloc(1, sizeof **expand);
    if (!*expand || !memory) {
        mem_free(memory);
        free(*expand);
        *expand = NULL;
        return error_set(error, APSP_MEMORY,
                         "no memory for the rows of %zu sources to %zu vertices",
                         expand_width(panels), panels->tree->n);
    }
    expand_layout(*expand, panels, columns, memory);
    (*expand)->panels = panels;
    fill_slots(*expand, panels);
    return APSP_OK;
}

void expand_free(struct expand *expand)
{
    if (!expand)
        return;
    mem_free(expand->values);
    free(expand);
}

static char *upward_row(const struct expand *expand, size_t t)
{
    return expand->upward + (expand->place[t] - 1) * row_bytes(expand->panels);
}

/* The nodes above the sources; their rows are infinite, but for each source's distance to itself.
 */
static void start_path(struct expand *expand, const uint32_t *source, size_t count)
{
    const struct panels *panels = expand->panels;
    const struct tree *tree = panels->tree;
    uint32_t rows = 0;
    expand->length = 0;
    for (size_t r = 0; r < count; r++)
        for (uint32_t t = tree->node_of[tree->position[source[r]]];
             t != NO_NODE && !expand->place[t]; t = tree->node[t].parent) {
            expand->path[expand->length++] = t;
            expand->place[t] = rows + 1;
            rows += tree->node[t].size;
        }
    qsort(expand->path, expand->length, sizeof *expand->path, number_order);
    panels->kernels->fill(expand->upward, rows * panels->kernels->nr);
    for (size_t r = 0; r < count; r++) { /* zero bits are the zero of all types */
        size_t position = tree->position[source[r]], t = tree->node_of[position];
        char *row = upward_row(expand, t) + (position - tree->node[t].first) * row_bytes(panels);
        memset(row + r * dtype_info[panels->dtype].bytes, 0, dtype_info[panels->dtype].bytes);
    }
}

/* Distances by paths inside the node's region: to its vertices, then to its boundary. */
static void sweep_up(struct expand *expand, size_t t)
{
    const struct panels *panels = expand->panels;
    const struct tree *tree = panels->tree;
    const struct tree_node *node = &panels->up.node[t];
    size_t size = node->size;
    struct relax_rows inside = {.c = upward_row(expand, t),
                                .a = panels_up(panels, t),
                                .b = expand->own,
                                .c_row = expand->counted,
                                .b_row = expand->counted,
                                .rows = size,
                                .depth = size,
                                .fresh = true};
    struct relax_rows beyond = {.c = expand->upward,
                                .a =
                                    (const char *)inside.a + size * size * panels->kernels->a_bytes,
                                .b = inside.c,
                                .c_row = expand->index,
                                .b_row = expand->counted,
                                .rows = node->count,
                                .depth = size};
    for (size_t i = 0; i < node->count; i++) {
        uint32_t position = panels->up.boundary[node->boundary + i],
                 above = tree->node_of[position];
        expand->index[i] = expand->place[above] - 1 + position - tree->node[above].first;
    }
    memcpy(expand->own, inside.c, size * row_bytes(panels));
    panels->kernels->rows_relax(&inside);
    panels->kernels->rows_relax(&beyond);
}

/* Rows of the core that something came up to, in index[]. */
static size_t pick_rows(struct expand *expand, const char *upward)
{
    size_t bytes = row_bytes(expand->panels), count = 0;
    expand->panels->kernels->fill(expand->own, expand->panels->kernels->nr);
    for (size_t i = 0; i < expand->panels->tree->core.size; i++)
        if (memcmp(upward + i * bytes, expand->own, bytes) != 0)
            expand->index[count++] = (uint32_t)i;
    return count;
}

static const void *pick_columns(struct expand *expand, const char *block, size_t height,
                                size_t count)
{
    size_t bytes = height * expand->panels->kernels->a_bytes;
    if (count == expand->panels->tree->core.size)
        return block;
    for (size_t k = 0; k < count; k++)
        memcpy(expand->picked + k * bytes, block + expand->index[k] * bytes, bytes);
    return expand->picked;
}

/* The core's rows, which are the first of the stack. */
static void enter_core(struct expand *expand)
{
    const struct panels *panels = expand->panels;
    const struct relax_kernels *kernels = panels->kernels;
    size_t size = panels->tree->core.size, core = tree_walked(panels->tree), count = 0, height;
    const char *block = panels->through, *upward = expand->stack;
    if (size > 0 && expand->place[core]) {
        upward = upward_row(expand, core);
        count = pick_rows(expand, upward);
    }
    for (size_t row = 0; row < size; row += height, block += height * size * kernels->a_bytes) {
        height = relax_rows_height(size - row, kernels->mr);
        struct relax_rows product = {.c = expand->stack,
                                     .a = pick_columns(expand, block, height, count),
                                     .b = upward,
                                     .c_row = expand->counted + row,
                                     .b_row = expand->index,
                                     .rows = height,
                                     .depth = count,
                                     .fresh = true};
        kernels->rows_relax(&product);
    }
}

/* Makes the node's rows, on the stack if others lie below it. Returns where they are, until the
 * next call. */
static const char *descend(struct expand *expand, size_t t)
{
    const struct panels *panels = expand->panels;
    const struct tree_node *node = &panels->down.node[t];
    size_t bytes = row_bytes(panels);
    char *rows = node->below > 1 ? expand->stack + expand->depth[t] * bytes : expand->own;
    struct relax_rows product = {.c = rows,
                                 .a = panels_down(panels, t),
                                 .b = expand->stack,
                                 .c_row = expand->counted,
                                 .b_row = expand->slot + node->boundary,
                                 .rows = node->size,
                                 .depth = node->count,
                                 .fresh = !expand->place[t]};
    if (expand->place[t])
        memcpy(rows, upward_row(expand, t), node->size * bytes);
    panels->kernels->rows_relax(&product);
    return rows;
}

static void sweep_up_all(struct expand *expand, const uint32_t *source, size_t count)
{
    start_path(expand, source, count);
    for (size_t i = 0; i < expand->length && expand->path[i] < tree_walked(expand->panels->tree);
         i++)
        sweep_up(expand, expand->path[i]);
    enter_core(expand);
}

static void forget_path(struct expand *expand)
{
    for (size_t i = 0; i < expand->length; i++)
        expand->place[expand->path[i]] = 0;
}

void expand_rows(struct expand *expand, const uint32_t *source, size_t count, void *rows,
                 size_t stride)
{
    const struct panels *panels = expand->panels;
    const struct tree *tree = panels->tree;
    bool past = tree->n * row_bytes(panels) > CACHED;
    sweep_up_all(expand, source, count);
    panels->kernels->rows_store(expand->values, tree->vertex + tree->n - tree->core.size,
                                expand->stack, tree->core.size, past);
    for (size_t t = tree_walked(tree); t-- > 0;)
        panels->kernels->rows_store(expand->values, tree->vertex + tree->node[t].first,
                                    descend(expand, t), tree->node[t].size, past);
    forget_path(expand);
    panels->kernels->rows_turn(rows, stride, expand->values, tree->n, count);
}

/* Keeps the rows of a node, those at `rows`, that are columns, and returns how many of the first
 * `left` columns come before them. */
static size_t keep_columns(struct expand *expand, const struct cut *cut, size_t left, size_t first,
                           const char *rows)
{
    const struct panels *panels = expand->panels;
    bool past = cut->count * row_bytes(panels) > CACHED;
    for (; left > 0 && cut->position[left - 1] >= first; left--)
        panels->kernels->rows_store(expand->values, &cut->place[left - 1],
                                    rows + (cut->position[left - 1] - first) * row_bytes(panels), 1,
                                    past);
    return left;
}

void expand_cut(struct expand *expand, const struct cut *cut, const uint32_t *source, size_t count,
                void *rows, size_t stride)
{
    const struct tree *tree = expand->panels->tree;
    sweep_up_all(expand, source, count);
    size_t left = keep_columns(expand, cut, cut->count, tree->n - tree->core.size, expand->stack);
    for (uint32_t t = (uint32_t)tree_walked(tree); (t = cut_next(cut, tree, t, left)) != NO_NODE;)
        left = keep_columns(expand, cut, left, tree->node[t].first, descend(expand, t));
    forget_path(expand);
    expand->panels->kernels->rows_turn(rows, stride, expand->values, cut->count, count);
}

/* The rows of a node's boundary, until the next call; NULL if a source is below. */
static const char *gather(struct expand *expand, size_t t)
{
    const struct tree_node *node = &expand->panels->down.node[t];
    const uint32_t *slot = expand->slot + node->boundary;
    const size_t bytes = row_bytes(expand->panels);
    if (expand->place[t])
        return NULL;
    for (size_t i = 0; i < node->count; i++)
        memcpy(expand->own + i * bytes, expand->stack + slot[i] * bytes, bytes);
    return expand->own;
}

void expand_walk(struct expand *expand, const uint32_t *source, size_t count,
                 const struct expand_visitor *visitor)
{
    const struct panels *panels = expand->panels;
    const struct tree *tree = panels->tree;
    const size_t regions = visitor->regions ? visitor->regions->count : 0;
    bool more = true;
    sweep_up_all(expand, source, count);
    for (size_t i = 0, left = tree->core.size, rows; more && left > 0; i += rows, left -= rows) {
        rows = left < NODE_MAX ? left : NODE_MAX;
        more = visitor->visit(visitor->self, expand->stack + i * row_bytes(panels), rows,
                              tree->n - left);
    }
    for (size_t t = tree_walked(tree), region = 0; more && t-- > 0;) {
        if (region < regions && visitor->regions->node[region] == t &&
            visitor->enter(visitor->self, gather(expand, t), region++))
            t -= tree->node[t].below - 1;
        else
            more = visitor->visit(visitor->self, descend(expand, t), tree->node[t].size,
                                  tree->node[t].first);
    }
    forget_path(expand);
}

struct counting {
    const struct relax_accumulator *accumulator;
    const struct relax_kernels *kernels;
};

static bool count_rows(void *self, const void *rows, size_t count, size_t first)
{
    const struct counting *counting = self;
    relax_accumulator_rows(counting->accumulator, counting->kernels, rows, count, first);
    return true;
}

void expand_counts(struct expand *expand, const uint32_t *source, size_t count,
                   const struct relax_accumulator *accumulator)
{
    struct counting counting = {accumulator, expand->panels->kernels};
    relax_accumulator_start(accumulator, expand->panels->tree->n, count);
    expand_walk(expand, source, count,
                &(struct expand_visitor){.self = &counting, .visit = count_rows});
    relax_accumulator_end(accumulator, expand->panels->kernels);
}

void expand_halves(struct expand *expand, const uint32_t *source, size_t count,
                   const struct relax_accumulator *accumulator)
{
    const struct panels *panels = expand->panels;
    const struct tree *tree = panels->tree;
    const size_t low = tree->position[source[0]], core = tree->n - tree->core.size;
    const struct halving halving = {
        accumulator, panels->kernels, panels->dtype, {low, low + count}};
    relax_accumulator_start(accumulator, tree->n, count);
    sweep_up_all(expand, source, count);
    for (size_t i = 0; i < tree->core.size; i += NODE_MAX)
        halving_count(&halving, expand->stack + i * row_bytes(panels),
                      size_min(NODE_MAX, tree->core.size - i), core + i);
    for (size_t t = tree_walked(tree); t-- > 0;) {
        const struct tree_node *node = &tree->node[t];
        if (node->first >= halving.sources.hi && !expand->place[t]) {
            t -= node->below - 1;
            continue;
        }
        halving_fetch(&halving, node->size, node->first);
        halving_count(&halving, descend(expand, t), node->size, node->first);
    }
    for (size_t r = 0; r < count; r++)
        accumulator->counts->count[r]++;
    forget_path(expand);
    relax_accumulator_end(accumulator, panels->kernels);
}
