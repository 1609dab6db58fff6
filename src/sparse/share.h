/* The threads that eliminate the supernodes of a tree, the positions of the fronts, and their
 * memory. */
#ifndef SHARE_H
#define SHARE_H

#include "base/dtype.h"
#include "kernels/cpu/relax.h"
#include "sparse/tree.h"

/* A subtree, by its last supernode; its work in relaxations. */
struct share {
    uint32_t node;
    double cost;
};

struct shares {
    const struct tree *tree;
    int threads;
    struct share *share; /* each for one thread, the most work first */
    size_t count;
    uint32_t *top; /* the supernodes above, ascending: each for all threads, one after the other */
    size_t tops;
};

/* The tree is to stay. APSP_MEMORY. Free in any case. */
int shares_make(struct shares *shares, const struct tree *tree, int threads,
                struct apsp_error *error);
void shares_free(struct shares *shares); /* a zeroed one is allowed */

/* Bytes of the fronts, and of the panels made so far, that there are at the same time, at most.
 * APSP_MEMORY.
 */
int shares_need(size_t *bytes, const struct shares *shares, const struct relax_kernels *kernels,
                enum dtype dtype, struct apsp_error *error);

static inline size_t share_front(const struct tree *tree, size_t t)
{
    return (size_t)tree->node[t].size + tree->node[t].count;
}

/* Does what the last child leaves become supernode t's front as it is? The core's is always its
 * own: a supernode with a boundary as large as the core would be part of it. */
static inline bool share_inherits(const struct tree *tree, size_t t)
{
    return tree->node[t].below > 1 && tree->node[t - 1].count == share_front(tree, t);
}

/* Is what supernode t leaves copied out of its front, which is much larger? */
static inline bool share_copies(const struct tree *tree, size_t t)
{
    const struct tree_node *node = &tree->node[t];
    return node->count > 0 && 2 * (size_t)node->count <= node->size &&
           !(node->parent == t + 1 && share_inherits(tree, t + 1));
}

#endif
