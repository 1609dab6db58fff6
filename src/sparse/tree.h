/*
 * The effect of eliminating the vertices in an order, before anything is computed: the elimination
 * tree, cut into supernodes.
 *
 * A supernode t has vertices S_t, at most NODE_MAX of them. Its subtree R_t is S_t and the vertices
 * of all supernodes below it. Its boundary B_t are the vertices outside of R_t that elimination
 * makes neighbours of R_t. Every path that leaves R_t goes through B_t, and B_t lies on the path
 * from t to the root.
 *
 * Vertices get new numbers, their positions. The positions of a supernode are contiguous, and so
 * are those of a subtree and the numbers of its supernodes. Vertices that are eliminated first
 * come first: the number of a supernode is below its parent's. If there is a core (core.h), it is
 * the last supernode, of any size.
 */
#ifndef TREE_H
#define TREE_H

#include "sparse/core.h"
#include "sparse/pattern.h"

#define NO_NODE UINT32_MAX
enum { NODE_MAX = 64 }; /* vertices of a supernode but the core, at most */

struct tree_node {
    uint32_t first, size; /* S_t: positions first .. first + size - 1 */
    uint32_t parent;      /* NO_NODE for a root */
    uint32_t below;       /* supernodes of the subtree, of which this one is the last */
    uint32_t count;       /* |B_t| */
    size_t boundary;      /* B_t, ascending positions: those at tree.boundary[boundary] */
    size_t down, up; /* entries of S x B, and of S x (S + B), of supernodes before, but the core */
};

struct tree {
    size_t n, nodes;
    struct tree_node *node; /* nodes + 1: the last holds the sums over all */
    uint32_t *boundary;
    uint32_t *vertex, *position; /* of the graph at a position, and back */
    uint32_t *node_of;           /* of a position */
    struct core core;

    /* The remaining work outside of the core, in relaxations (one add and one min). */
    double eliminate;
    double expand; /* of one source to all vertices; without its label */
    double label;  /* of one source, on average, alone */
    size_t path;   /* vertices of the core, and on the longest path to it or to another root */
    size_t depth;  /* nodes on the longest path */
};

/* For a pattern, to be eliminated in the order of vertex[]. APSP_MEMORY. Free in any case. */
int tree_make(struct tree *tree, const struct pattern *pattern, const uint32_t *vertex,
              const struct core_request *request, int threads, struct apsp_error *error);
void tree_free(struct tree *tree); /* a zeroed one is allowed */

/* Bytes of a tree, and while it is made, at most. Before it is made, n is set and the rest is 0:
 * both are lower bounds then. */
size_t tree_bytes(const struct tree *tree);
size_t tree_need(const struct tree *tree, int threads);

static inline const uint32_t *tree_boundary(const struct tree *tree, size_t t)
{
    return tree->boundary + tree->node[t].boundary;
}

/* Where the node after this one, which is `walked` unless it is the core, has its vertices,
 * boundary and panels. */
void tree_follow(struct tree_node *node, bool walked);

/* Nodes but the core. */
static inline size_t tree_walked(const struct tree *tree)
{
    return tree->nodes - (tree->core.size > 0);
}

/* Rows of the labels of so many sources, at most: no more than on the paths from all, nor than
 * there are. */
static inline size_t tree_upward_rows(const struct tree *tree, size_t sources)
{
    size_t beside = tree->path - tree->core.size;
    size_t rows = beside > tree->n / sources ? tree->n : tree->core.size + beside * sources;
    return rows < tree->n ? rows : tree->n;
}

/* Nodes on the paths from so many sources, at most. */
static inline size_t tree_upward_nodes(const struct tree *tree, size_t sources)
{
    return tree->depth > tree->nodes / sources ? tree->nodes : tree->depth * sources;
}

#endif
