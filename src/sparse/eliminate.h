/* The panels of every supernode of a tree: the distances that the sweeps of expand.h need. */
#ifndef ELIMINATE_H
#define ELIMINATE_H

#include "kernels/cpu/relax.h"
#include "sparse/tree.h"

/* Panels of all supernodes but the core, and the boundaries that they are for: those of the tree,
 * or what prune.h has left of them. Only count, boundary and the position in `a` of a supernode
 * matter here. */
struct panels_way {
    void *a;
    const struct tree_node *node;
    const uint32_t *boundary;
    void *own; /* these two, where they are not the tree's */
};

/*
 * The panels of a supernode t, by paths whose inner vertices all lie in its subtree R_t: distances
 * from B_t to S_t in `down`, and from S_t to S_t and then to B_t in `up`. Each is the operand A of
 * a product of rows (relax.h) with its vertices in the order of positions. The panels of `up` lie
 * in the order of the supernodes, those of `down` in the opposite order, in which the downward
 * sweep reads them.
 */
struct panels {
    const struct tree *tree;
    enum dtype dtype;
    enum combine combine; /* that of the edges' algebra */
    const struct relax_kernels *kernels;
    struct panels_way down, up;

    /* Between the core's vertices, row by row, the distances by paths through all others: what is
     * left to close (closure.h). */
    struct core_matrix {
        void *values;
        size_t ld;
    } core;
    void *through; /* that matrix, closed, as the operand A of a product of rows from its rows on */
};

/* The edges of a graph, and their transpose. */
struct panels_edges {
    const struct csr *csr, *transposed;
};

/*
 * For the graph with these edges, none of them negative; all distances are below the type's
 * infinity. The tree is to stay. APSP_MEMORY. Free in any case.
 */
int panels_make(struct panels *panels, const struct tree *tree, const struct panels_edges *edges,
                enum dtype dtype, int threads, struct apsp_error *error);
void panels_free(struct panels *panels); /* a zeroed one is allowed */
void panels_way_free(struct panels_way *way);

/* Relaxations of one source, which are those of the tree less what pruning has saved. */
struct panels_work {
    double expand; /* to all vertices, without its label */
    double label;  /* on average; to the core, too */
};
struct panels_work panels_work(const struct panels *panels);

/* Once the core is closed: makes `through` of it, and frees it. APSP_MEMORY. */
int panels_close(struct panels *panels, int threads, struct apsp_error *error);

/* Bytes. */
struct panels_need {
    size_t ways, through; /* that are kept, without what pruning saves */
    size_t making;        /* while they are made, those of them that there are by then among them */
};
/* At most. APSP_MEMORY. */
int panels_need(struct panels_need *need, const struct tree *tree, enum dtype dtype, int threads,
                struct apsp_error *error);

static inline size_t panels_entry_down(const struct panels_way *way, size_t nodes, size_t t)
{
    return way->node[nodes].down - way->node[t + 1].down;
}

static inline const void *panels_down(const struct panels *panels, size_t t)
{
    size_t entry = panels_entry_down(&panels->down, panels->tree->nodes, t);
    return (const char *)panels->down.a + entry * panels->kernels->a_bytes;
}

static inline void *panels_core(const struct panels *panels, size_t row)
{
    return (char *)panels->core.values + row * panels->core.ld * dtype_info[panels->dtype].bytes;
}

static inline const void *panels_up(const struct panels *panels, size_t t)
{
    return (const char *)panels->up.a + panels->up.node[t].up * panels->kernels->a_bytes;
}

#endif
