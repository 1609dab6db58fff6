/*
 * One source i: up the path from its node to the root the distances from i by paths that stay inside each
 * region; then down through all nodes, D[i][S_t] = min over k in B_t of D[i][k] + U_t[k][.], where i is
 * outside of R_t, and the least of that and what came up where it is inside. For roads these are the two
 * phases of a query in a contraction hierarchy (D. Delling et al., PHAST, IPDPS 2011; J. Dibbelt et al.,
 * Customizable contraction hierarchies, SEA 2014).
 *
 * nr sources share every panel's load. Their values at a position are one row of `values`. A walk goes down
 * depth-first, so that the rows on the path to the root, all that it reads, stay in the nearest caches.
 */
#include "sparse/expand.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct expand {
    const struct panels *panels;
    char *values;      /* a row of nr for each position */
    char *own;         /* rows of one node */
    uint32_t *path;    /* nodes above some source, ascending */
    size_t length;     /* of the path */
    bool *above;       /* of each node: is it in the path? */
    uint32_t *counted; /* 0 .. NODE_MAX - 1 */
};

static size_t row_bytes(const struct panels *panels)
{
    return panels->kernels->nr * dtype_info[panels->dtype].bytes;
}

static size_t place(struct expand *expand, const struct panels *panels, void *base)
{
    struct mem_layout layout = {.base = base};
    expand->values = mem_place(&layout, panels->tree->n, row_bytes(panels));
    expand->own = mem_place(&layout, NODE_MAX, row_bytes(panels));
    expand->path = mem_place(&layout, panels->tree->nodes, sizeof *expand->path);
    expand->above = mem_place(&layout, panels->tree->nodes, sizeof *expand->above);
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
    for (uint32_t i = 0; i < NODE_MAX; i++)
        (*expand)->counted[i] = i;
    return APSP_OK;
}

void expand_free(struct expand *expand)
{
    if (!expand)
        return;
    mem_free(expand->values);
    free(expand);
}

static char *row_of(const struct expand *expand, size_t position)
{
    return expand->values + position * row_bytes(expand->panels);
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
    size_t bytes = dtype_info[panels->dtype].bytes;
    expand->length = 0;
    for (size_t r = 0; r < count; r++)
        for (uint32_t t = tree->node_of[tree->position[source[r]]]; t != NO_NODE && !expand->above[t];
             t = tree->node[t].parent) {
            expand->above[t] = true;
            expand->path[expand->length++] = t;
            panels->kernels->fill(row_of(expand, tree->node[t].first),
                                  tree->node[t].size * panels->kernels->nr);
        }
    qsort(expand->path, expand->length, sizeof *expand->path, by_number);
    for (size_t r = 0; r < count; r++) /* zero bits are the zero of all types */
        memset(row_of(expand, tree->position[source[r]]) + r * bytes, 0, bytes);
}

/* Distances by paths inside the node's region: to its vertices, then to its boundary. */
static void climb(struct expand *expand, size_t t)
{
    const struct panels *panels = expand->panels;
    const struct tree_node *node = &panels->tree->node[t];
    size_t size = node->size;
    char *rows = row_of(expand, node->first);
    struct relax_rows inside = {.c = rows,
                                .a = panels_up(panels, t),
                                .b = expand->own,
                                .c_row = expand->counted,
                                .b_row = expand->counted,
                                .rows = size,
                                .depth = size,
                                .fresh = true};
    struct relax_rows beyond = {.c = expand->values,
                                .a = (const char *)inside.a + size * size * panels->kernels->a_bytes,
                                .b = rows,
                                .c_row = tree_boundary(panels->tree, t),
                                .b_row = expand->counted,
                                .rows = node->count,
                                .depth = size};
    memcpy(expand->own, rows, size * row_bytes(panels));
    panels->kernels->rows_relax(&inside);
    panels->kernels->rows_relax(&beyond);
}

static void descend(struct expand *expand, size_t t)
{
    const struct panels *panels = expand->panels;
    const struct tree_node *node = &panels->tree->node[t];
    struct relax_rows product = {.c = row_of(expand, node->first),
                                 .a = panels_down(panels, t),
                                 .b = expand->values,
                                 .c_row = expand->counted,
                                 .b_row = tree_boundary(panels->tree, t),
                                 .rows = node->size,
                                 .depth = node->count,
                                 .fresh = !expand->above[t]};
    panels->kernels->rows_relax(&product);
}

void expand_rows(struct expand *expand, const uint32_t *source, size_t count, void *rows, size_t stride)
{
    const struct panels *panels = expand->panels;
    const struct tree *tree = panels->tree;
    start_path(expand, source, count);
    for (size_t i = 0; i < expand->length; i++)
        climb(expand, expand->path[i]);
    for (size_t t = tree->nodes; t-- > 0;)
        descend(expand, t);
    for (size_t i = 0; i < expand->length; i++)
        expand->above[expand->path[i]] = false;
    panels->kernels->rows_turn(rows, stride, expand->values, tree->position, tree->n, count);
}
