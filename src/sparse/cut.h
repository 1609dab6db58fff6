/* The part of a tree that a downward sweep needs for the distances to some vertices alone: the
 * supernodes with one of them in their subtrees. */
#ifndef CUT_H
#define CUT_H

#include "sparse/tree.h"

struct cut { /* zeroed: no vertices */
    size_t count;
    uint32_t *list;     /* The vertices, in the order in which they were given. */
    uint32_t *position; /* of the vertices, ascending */
    uint32_t *place;    /* of each of these in the list */
    double work;        /* relaxations of one source, on its way down below the core */
};

/* For the vertices in list[], in any order. `node` are the tree's, or what pruning has left of
 * them. APSP_MEMORY. Free in any case. */
int cut_make(struct cut *cut, const struct tree *tree, const struct tree_node *node,
             const uint32_t *list, size_t count, struct apsp_error *error);
void cut_free(struct cut *cut); /* a zeroed one is allowed */

size_t cut_need(size_t count); /* Bytes, the list among them. */

/*
 * The walk, from the root on: the node after node `t`, or the first where t is that of
 * tree_walked(), in whose region one of the first `left` vertices is; NO_NODE after the last. The
 * vertices at later positions than the node before are done.
 */
static inline uint32_t cut_next(const struct cut *cut, const struct tree *tree, uint32_t t,
                                size_t left)
{
    while (left > 0 && t-- > 0) {
        const struct tree_node *node = &tree->node[t];
        uint32_t lowest = t + 1 - node->below;
        if (cut->position[left - 1] >= tree->node[lowest].first)
            return t;
        t = lowest;
    }
    return NO_NODE;
}

#endif
