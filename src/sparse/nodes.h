/* An elimination tree is cut into supernodes, and these get their numbers. */
#ifndef NODES_H
#define NODES_H

#include "sparse/etree.h"

/* By vertices of the tree. The group of a vertex are those below it of the same supernode, and
 * itself, which is the last one. */
struct nodes {
    const struct etree *etree;
    const bool *inside;        /* of the core, whose vertices are one supernode */
    size_t count;              /* supernodes */
    uint32_t core;             /* the last vertex of the core; NO_PARENT: there is none */
    uint32_t *last;            /* of its supernode, which may be itself */
    uint32_t *size;            /* of its group; not for the core */
    uint32_t *before;          /* Vertices of the parent's group that come before its own. */
    uint32_t *child, *sibling; /* lists of children, the largest counts first */
    uint32_t *below;           /* Supernodes of its subtree. */
    uint32_t *heavy;           /* The heaviest child of its supernode that hangs on its group. */
    uint32_t *number, heavy_of_core;
};

/* The tree, `inside` and the arrays are given, each of these for n. */
void nodes_cut(struct nodes *nodes);

/*
 * The numbers of a subtree are contiguous, and a node's is the last of its own. The last of its
 * children is that with the largest boundary, whose front may become the node's as it is. The core
 * is the last root.
 */
void nodes_number(struct nodes *nodes);

/* The number of a vertex's supernode. */
static inline uint32_t nodes_index(const struct nodes *nodes, uint32_t v)
{
    return (nodes->inside[v] ? (uint32_t)nodes->count : nodes->number[nodes->last[v]]) - 1;
}

#endif
