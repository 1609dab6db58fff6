/*
 * One source i: up the path from its node to the root the distances from i by paths that stay inside each
 * region; then down through all nodes, D[i][S_t] = min over k in B_t of D[i][k] + U_t[k][.], where i is
 * outside of R_t, and the least of that and what came up where it is inside. For roads these are the two
 * phases of a query in a contraction hierarchy (D. Delling et al., PHAST, IPDPS 2011; J. Dibbelt et al.,
 * Customizable contraction hierarchies, SEA 2014).
 *
 * nr sources share every panel's load: their values for one vertex are a row. The walk down is depth-first,
 * so all that it reads is on the path to the root: these rows are a stack, near to the core. Nodes come in
 * descending positions. Their rows gather at the lower end of a window until there are enough to be turned
 * into rows of sources.
 */
#include "sparse/expand.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Rows of the window: a node's, and what may wait to be turned: less than nr, at most 64. More, to turn
 * seldom. */
enum { WINDOW = 192 };

struct expand {
    const struct panels *panels;
    char *result; /* a row for each source, by positions */
    size_t stride;
    uint32_t *slot;  /* for each entry of the boundaries: its row in the stack */
    uint32_t *depth; /* of a node: its first row in the stack */
    char *stack, *window;
    size_t turned,
        lowest;    /* positions: all from `turned` on are in the result, from `lowest` on in the window too */
    char *climbed; /* rows of the nodes above some source */
    char *own;     /* rows of one node */
    uint32_t *path;    /* the nodes above some source, ascending */
    size_t length;     /* of the path */
    uint32_t *place;   /* of a node above some source: its first row in climbed, plus one; 0: it is none */
    uint32_t *index;   /* rows of one boundary in climbed */
    uint32_t *counted; /* 0 .. NODE_MAX - 1 */
};

static size_t row_bytes(const struct panels *panels)
{
    return panels->kernels->nr * dtype_info[panels->dtype].bytes;
}

/* No more rows than on the paths from all sources, nor than there are. */
static size_t most_climbed(const struct panels *panels)
{
    size_t rows = mem_bytes(panels->tree->path, panels->kernels->nr);
    return rows < panels->tree->n ? rows : panels->tree->n;
}

static size_t place(struct expand *expand, const struct panels *panels, void *base)
{
    struct mem_layout layout = {.base = base};
    const struct tree *tree = panels->tree;
    size_t nr = panels->kernels->nr;
    expand->stride = (tree->n + nr - 1) / nr * nr;
    expand->result = mem_place(&layout, expand->stride, row_bytes(panels));
    expand->slot = mem_place(&layout, tree->node[tree->nodes].boundary, sizeof *expand->slot);
    expand->depth = mem_place(&layout, tree->nodes, sizeof *expand->depth);
    expand->stack = mem_place(&layout, tree->path, row_bytes(panels));
    expand->window = mem_place(&layout, WINDOW, row_bytes(panels));
    expand->climbed = mem_place(&layout, most_climbed(panels), row_bytes(panels));
    expand->own = mem_place(&layout, NODE_MAX, row_bytes(panels));
    expand->path = mem_place(&layout, tree->nodes, sizeof *expand->path);
    expand->place = mem_place(&layout, tree->nodes, sizeof *expand->place);
    expand->index = mem_place(&layout, tree->path, sizeof *expand->index);
    expand->counted = mem_place(&layout, NODE_MAX, sizeof *expand->counted);
    return layout.bytes;
}

size_t expand_width(const struct panels *panels)
{
    return panels->kernels->nr;
}

size_t expand_need(const struct panels *panels)
{
    struct expand expand;
    return place(&expand, panels, NULL);
}

static void fill_slots(struct expand *expand, const struct tree *tree)
{
    for (size_t t = tree->nodes; t-- > 0;) {
        uint32_t parent = tree->node[t].parent;
        expand->depth[t] = parent == NO_NODE ? 0 : expand->depth[parent] + tree->node[parent].size;
    }
    for (size_t i = 0; i < tree->node[tree->nodes].boundary; i++) {
        uint32_t position = tree->boundary[i], t = tree->node_of[position];
        expand->slot[i] = expand->depth[t] + position - tree->node[t].first;
    }
    for (uint32_t i = 0; i < NODE_MAX; i++)
        expand->counted[i] = i;
}

int expand_open(struct expand **expand, const struct panels *panels, struct apsp_error *error)
{
    void *memory = mem_alloc(expand_need(panels));
    *expand = calloc(1, sizeof **expand);
    if (!*expand || !memory) {
        mem_free(memory);
        free(*expand);
        *expand = NULL;
        return error_set(error, APSP_MEMORY, "no memory for the rows of %zu sources to %zu vertices",
                         expand_width(panels), panels->tree->n);
    }
    place(*expand, panels, memory);
    (*expand)->panels = panels;
    fill_slots(*expand, panels->tree);
    return APSP_OK;
}

void expand_free(struct expand *expand)
{
    if (!expand)
        return;
    mem_free(expand->result);
    free(expand);
}

static char *climbed_row(const struct expand *expand, size_t t)
{
    return expand->climbed + (expand->place[t] - 1) * row_bytes(expand->panels);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The nodes above the sources; their rows are infinite, but for each source's distance to itself. */
static void start_path(struct expand *expand, const uint32_t *source, size_t count)
{
    const struct panels *panels = expand->panels;
    const struct tree *tree = panels->tree;
    uint32_t rows = 0;
    expand->length = 0;
    for (size_t r = 0; r < count; r++)
        for (uint32_t t = tree->node_of[tree->position[source[r]]]; t != NO_NODE && !expand->place[t];
             t = tree->node[t].parent) {
            expand->path[expand->length++] = t;
            expand->place[t] = rows + 1;
            rows += tree->node[t].size;
        }
    qsort(expand->path, expand->length, sizeof *expand->path, by_number);
    panels->kernels->fill(expand->climbed, rows * panels->kernels->nr);
    for (size_t r = 0; r < count; r++) { /* zero bits are the zero of all types */
        size_t position = tree->position[source[r]], t = tree->node_of[position];
        char *row = climbed_row(expand, t) + (position - tree->node[t].first) * row_bytes(panels);
        memset(row + r * dtype_info[panels->dtype].bytes, 0, dtype_info[panels->dtype].bytes);
    }
}

/* Distances by paths inside the node's region: to its vertices, then to its boundary. */
static void climb(struct expand *expand, size_t t)
{
    const struct panels *panels = expand->panels;
    const struct tree *tree = panels->tree;
    const struct tree_node *node = &tree->node[t];
    size_t size = node->size;
    struct relax_rows inside = {.c = climbed_row(expand, t),
                                .a = panels_up(panels, t),
                                .b = expand->own,
                                .c_row = expand->counted,
                                .b_row = expand->counted,
                                .rows = size,
                                .depth = size,
                                .fresh = true};
    struct relax_rows beyond = {.c = expand->climbed,
                                .a = (const char *)inside.a + size * size * panels->kernels->a_bytes,
                                .b = inside.c,
                                .c_row = expand->index,
                                .b_row = expand->counted,
                                .rows = node->count,
                                .depth = size};
    for (size_t i = 0; i < node->count; i++) {
        uint32_t position = tree_boundary(tree, t)[i], above = tree->node_of[position];
        expand->index[i] = expand->place[above] - 1 + position - tree->node[above].first;
    }
    memcpy(expand->own, inside.c, size * row_bytes(panels));
    panels->kernels->rows_relax(&inside);
    panels->kernels->rows_relax(&beyond);
}

static char *window_row(const struct expand *expand, size_t position)
{
    return expand->window + (WINDOW - (expand->turned - position)) * row_bytes(expand->panels);
}

/* Turns what is whole of the window, and moves the remainder to its upper end. */
static void turn(struct expand *expand, size_t count)
{
    const struct panels *panels = expand->panels;
    size_t nr = panels->kernels->nr, bytes = row_bytes(panels), lo = (expand->lowest + nr - 1) / nr * nr;
    size_t left = lo - expand->lowest, moved = expand->turned - lo;
    panels->kernels->rows_turn(expand->result + lo * dtype_info[panels->dtype].bytes, expand->stride,
                               window_row(expand, lo), moved, count);
    if (moved > 0)
        memmove(expand->window + (WINDOW - left) * bytes, window_row(expand, expand->lowest), left * bytes);
    expand->turned = lo;
}

/* The node's rows, on the stack if others lie below it, and in the window. */
static void descend(struct expand *expand, size_t t)
{
    const struct panels *panels = expand->panels;
    const struct tree_node *node = &panels->tree->node[t];
    size_t bytes = row_bytes(panels);
    char *window = window_row(expand, node->first), *rows = window;
    if (node->below > 1)
        rows = expand->stack + expand->depth[t] * bytes;
    struct relax_rows product = {.c = rows,
                                 .a = panels_down(panels, t),
                                 .b = expand->stack,
                                 .c_row = expand->counted,
                                 .b_row = expand->slot + node->boundary,
                                 .rows = node->size,
                                 .depth = node->count,
                                 .fresh = !expand->place[t]};
    if (expand->place[t])
        memcpy(rows, climbed_row(expand, t), node->size * bytes);
    panels->kernels->rows_relax(&product);
    if (rows != window)
        memcpy(window, rows, node->size * bytes);
    expand->lowest = node->first;
}

const void *expand_positions(struct expand *expand, const uint32_t *source, size_t count, size_t *stride)
{
    const struct tree *tree = expand->panels->tree;
    start_path(expand, source, count);
    for (size_t i = 0; i < expand->length; i++)
        climb(expand, expand->path[i]);
    expand->turned = expand->stride;
    expand->lowest = tree->n;
    for (size_t t = tree->nodes; t-- > 0;) {
        if (expand->turned - tree->node[t].first > WINDOW)
            turn(expand, count);
        descend(expand, t);
    }
    turn(expand, count);
    for (size_t i = 0; i < expand->length; i++)
        expand->place[expand->path[i]] = 0;
    *stride = expand->stride;
    return expand->result;
}

void expand_rows(struct expand *expand, const uint32_t *source, size_t count, void *rows, size_t stride)
{
    const struct panels *panels = expand->panels;
    size_t from_stride, bytes = dtype_info[panels->dtype].bytes;
    const char *from = expand_positions(expand, source, count, &from_stride);
    for (size_t r = 0; r < count; r++)
        panels->kernels->permute((char *)rows + r * stride * bytes, from + r * from_stride * bytes,
                                 panels->tree->position, panels->tree->n);
}
