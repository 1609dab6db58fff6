#include "sparse/tree.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "base/number.h"
#include "sparse/etree.h"

#include <string.h>

/* While the tree is made. Numbers are those of the order given, until positions are known. */
struct work {
    const struct pattern *pattern;
    const uint32_t *vertex; /* the order given */
    uint32_t *rank;         /* of each vertex in it */
    uint32_t *parent, *count, *last;
    bool *inside;      /* of the core */
    uint32_t *scratch; /* 4 n */
};

static size_t place_work(struct work *work, size_t n, void *base)
{
    struct mem_layout layout = {.base = base};
    work->rank = mem_place(&layout, n, sizeof *work->rank);
    work->parent = mem_place(&layout, n, sizeof *work->parent);
    work->count = mem_place(&layout, n, sizeof *work->count);
    work->last = mem_place(&layout, n, sizeof *work->last);
    work->inside = mem_place(&layout, n, sizeof *work->inside);
    work->scratch = mem_place(&layout, 4 * n, sizeof *work->scratch);
    return layout.bytes;
}

static size_t place_tree(struct tree *tree, void *base)
{
    struct mem_layout layout = {.base = base};
    tree->node = mem_place(&layout, tree->nodes + 1, sizeof *tree->node);
    tree->vertex = mem_place(&layout, tree->n, sizeof *tree->vertex);
    tree->position = mem_place(&layout, tree->n, sizeof *tree->position);
    tree->node_of = mem_place(&layout, tree->n, sizeof *tree->node_of);
    return layout.bytes;
}

static int no_memory(const struct tree *tree, struct apsp_error *error)
{
    return error_set(error, APSP_MEMORY, "no memory for the elimination tree of %zu vertices",
                     tree->n);
}

/* The node that v's node hangs below, by its last vertex; v is the last of its own. */
static uint32_t above(const struct work *work, size_t v)
{
    return work->parent[v] == NO_PARENT ? NO_PARENT : work->last[work->parent[v]];
}

static uint32_t last_of_core(const struct work *work, size_t n)
{
    while (n > 0 && !work->inside[n - 1])
        n--;
    return n > 0 ? (uint32_t)n - 1 : NO_PARENT;
}

/*
 * Numbers the nodes, in index[] by their last vertices, so that a node's region ends with it. Of
 * its children that with the largest boundary is the last one, whose front may become the node's as
 * it is; of the roots the core.
 */
static void number_nodes(struct work *work, size_t n, uint32_t *index)
{
    uint32_t *below = work->scratch, *heavy = below + n,
             *end = heavy + n; /* end: of the numbers left to children */
    uint32_t end_of_roots = 0, heavy_root = last_of_core(work, n);
    for (size_t v = 0; v < n; v++) {
        below[v] = 0;
        heavy[v] = NO_PARENT;
    }
    for (uint32_t v = 0; v < n; v++) {
        uint32_t p = above(work, v);
        if (work->last[v] != v)
            continue;
        below[v]++;
        *(p == NO_PARENT ? &end_of_roots : &below[p]) += below[v];
        if (p != NO_PARENT && (heavy[p] == NO_PARENT || work->count[v] > work->count[heavy[p]]))
            heavy[p] = v;
    }
    if (heavy_root != NO_PARENT) {
        index[heavy_root] = end_of_roots - 1;
        end_of_roots -= below[heavy_root];
    }
    for (size_t v = n; v-- > 0;) {
        if (work->last[v] != v)
            continue;
        uint32_t p = above(work, v), *next = p == NO_PARENT ? &end_of_roots : &end[p];
        if (v != (p == NO_PARENT ? heavy_root : heavy[p])) {
            index[v] = *next - 1;
            *next -= below[v];
        }
        end[v] = index[v];
        if (heavy[v] == NO_PARENT)
            continue;
        index[heavy[v]] = index[v] - 1;
        end[v] -= below[heavy[v]];
    }
}

void tree_follow(struct tree_node *node, bool walked)
{
    size_t size = node->size, count = node->count;
    node[1].first = node->first + node->size;
    node[1].boundary = node->boundary + count;
    node[1].down = node->down + size * count;
    node[1].up = node->up + (walked ? size * (size + count) : 0);
}

static void fill_nodes(struct tree *tree, const struct work *work, const uint32_t *index)
{
    for (size_t v = 0; v < tree->n; v++) {
        struct tree_node *node = &tree->node[index[work->last[v]]];
        node->size++;
        if (work->last[v] != v)
            continue;
        node->count = work->count[v];
        node->parent = work->parent[v] == NO_PARENT ? NO_NODE : index[work->last[work->parent[v]]];
    }
    for (size_t t = 0; t < tree->nodes; t++) {
        struct tree_node *node = &tree->node[t];
        node->below++;
        if (node->parent != NO_NODE)
            tree->node[node->parent].below += node->below;
        tree_follow(node, t < tree_walked(tree));
    }
}

static void fill_positions(struct tree *tree, const struct work *work, const uint32_t *index)
{
    uint32_t *next = work->scratch;
    for (size_t t = 0; t < tree->nodes; t++)
        next[t] = tree->node[t].first;
    for (size_t v = 0; v < tree->n; v++) {
        uint32_t t = index[work->last[v]], at = next[t]++;
        tree->vertex[at] = work->vertex[v];
        tree->position[work->vertex[v]] = at;
        tree->node_of[at] = t;
    }
}

/* Adds those from `beyond` on that are not marked with t. */
static size_t add_new(uint32_t *list, size_t count, uint32_t position, uint32_t beyond,
                      uint32_t *mark, uint32_t t)
{
    if (position < beyond || mark[position] == t)
        return count;
    mark[position] = t;
    list[count] = position;
    return count + 1;
}

/* Neighbours of the vertices and boundaries of the children, as far as they lie beyond the node.
 * Its children are found from the last one back. */
static void fill_boundary(struct tree *tree, const struct pattern *pattern, uint32_t t,
                          uint32_t *mark)
{
    const struct tree_node *node = &tree->node[t];
    uint32_t *list = tree->boundary + node->boundary, beyond = node->first + node->size;
    size_t count = 0;
    for (uint32_t p = node->first; p < beyond; p++)
        for (size_t e = pattern->start[tree->vertex[p]]; e < pattern->start[tree->vertex[p] + 1];
             e++)
            count = add_new(list, count, tree->position[pattern->to[e]], beyond, mark, t);
    for (uint32_t c = t - 1, left = node->below - 1; left > 0;
         left -= tree->node[c].below, c -= tree->node[c].below)
        for (size_t i = 0; i < tree->node[c].count; i++)
            count = add_new(list, count, tree_boundary(tree, c)[i], beyond, mark, t);
    number_sort(list, count);
}

static int fill_boundaries(struct tree *tree, struct work *work, struct apsp_error *error)
{
    uint32_t *mark = work->scratch;
    tree->boundary = mem_alloc(mem_bytes(tree->node[tree->nodes].boundary, sizeof *tree->boundary));
    if (!tree->boundary)
        return no_memory(tree, error);
    memset(mark, 0xff, tree->n * sizeof *mark);
    for (size_t t = 0; t < tree->nodes; t++)
        fill_boundary(tree, work->pattern, (uint32_t)t, mark);
    return APSP_OK;
}

static void count_work(struct tree *tree, uint32_t *scratch)
{
    uint32_t *path = scratch; /* of a node: vertices on the path to the root or core, its own too */
    uint32_t *depth = scratch + tree->nodes; /* and nodes */
    double *label = (double *)(scratch + 2 * tree->nodes);
    uint32_t longest = 0;
    tree->eliminate = tree->label = 0;
    tree->depth = 0;
    for (size_t t = tree->nodes; t-- > 0;) {
        const struct tree_node *node = &tree->node[t];
        bool walked = t < tree_walked(tree);
        double size = node->size, front = walked ? size + node->count : 0;
        path[t] = (walked ? node->size : 0) + (node->parent == NO_NODE ? 0 : path[node->parent]);
        label[t] = size * front + (node->parent == NO_NODE ? 0 : label[node->parent]);
        depth[t] = 1 + (node->parent == NO_NODE ? 0 : depth[node->parent]);
        longest = path[t] > longest ? path[t] : longest;
        tree->depth = size_max(tree->depth, depth[t]);
        tree->eliminate += size * front * front;
        tree->label += size * label[t] / (double)tree->n;
    }
    tree->path = tree->core.size + longest;
    tree->expand = (double)tree->node[tree->nodes].down;
}

static int make_nodes(struct tree *tree, struct work *work, struct apsp_error *error)
{
    uint32_t *index = mem_alloc(mem_bytes(tree->n, sizeof *index));
    for (size_t v = 0; v < tree->n; v++)
        tree->nodes += work->last[v] == v;
    size_t bytes = place_tree(tree, NULL);
    void *memory = mem_alloc(bytes);
    if (memory && index) {
        place_tree(tree, memory);
        number_nodes(work, tree->n, index);
        fill_nodes(tree, work, index);
        fill_positions(tree, work, index);
    } else {
        mem_free(memory);
        tree->node = NULL;
        no_memory(tree, error);
    }
    mem_free(index);
    return error->code;
}

int tree_make(struct tree *tree, const struct pattern *pattern, const uint32_t *vertex,
              const struct core_request *request, struct apsp_error *error)
{
    size_t n = pattern->n;
    struct work work = {.pattern = pattern, .vertex = vertex};
    *tree = (struct tree){.n = n};
    void *memory = mem_alloc(place_work(&work, n, NULL));
    if (!memory)
        return no_memory(tree, error);
    place_work(&work, n, memory);
    for (uint32_t i = 0; i < n; i++)
        work.rank[vertex[i]] = i;
    etree_make(work.parent, work.count, pattern, vertex, work.rank, work.scratch);
    tree->core =
        core_choose(work.inside, work.parent, work.count, n, request, (double *)work.scratch);
    etree_cut(work.last, work.parent, work.count, work.inside, n, work.scratch);
    if (make_nodes(tree, &work, error) == APSP_OK && fill_boundaries(tree, &work, error) == APSP_OK)
        count_work(tree, work.scratch);
    mem_free(memory);
    return error->code;
}

void tree_free(struct tree *tree)
{
    mem_free(tree->boundary);
    mem_free(tree->node);
    *tree = (struct tree){0};
}
