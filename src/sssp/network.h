/*
 * The graph as searches from many sources want it: vertices have new numbers by falling degree, and
 * the arcs that lead to a vertex lie side by side, those from vertices of high degree first. So a
 * pull finds what it needs early, and vertices of high degree share the caches. If weights differ,
 * the lightest arcs come first.
 */
#ifndef NETWORK_H
#define NETWORK_H

#include "engine/engine.h"

/* The weights of a task, before there is a network. */
struct network_weights {
    size_t arcs;      /* Arcs that may be on a shortest path: no loops, and none beyond infinity. */
    bool equal;       /* Weights add up, and all of them have one weight above 0, which is */
    union value unit; /* this; real in a floating-point type. */
    bool lent; /* Searches take the arcs of the task's csr as they are. The csr is to stay. */
};

struct network {
    enum combine combine; /* The task's. */
    size_t n, arcs;       /* Vertices, and arcs without loops and parallel ones. */
    size_t *start;        /* The arcs to v have the numbers start[v] .. start[v + 1] - 1. */
    uint32_t *from;   /* Tails of the arcs, ascending for each v, or as network_near has them. */
    void *weight;     /* Weights of the arcs in the task's type; NULL if all are equal. */
    bool wide;        /* The weights are those of a csr, whose numbers are 64 bits wide. */
    int64_t *offset;  /* About how far each vertex is from that of highest degree; need not */
                      /* be right. NULL unless weights are whole, differ and add up. */
    uint32_t *number; /* New numbers of vertices. */
    uint32_t *vertex; /* Vertices of new numbers. */
    uint32_t *order;  /* All new numbers, so that near sources come one after the other. */
    size_t parallel;  /* Arcs that met one already there. */
    struct folding *folding; /* The same network, folded; NULL: it is not. */
};

/* Reads the edges and potentials of the task. */
struct network_weights network_weights(const struct engine_task *task);

/* Whether the arcs of the task's csr are those of the network, with the same weights. */
bool network_may_lend(const struct engine_task *task, const struct network_weights *weights);

/* Bytes of a network, and beyond them while network_make runs. */
size_t network_bytes(const struct engine_task *task, const struct network_weights *weights);
size_t network_making(const struct engine_task *task, const struct network_weights *weights);

/* APSP_MEMORY. Free in any case. */
int network_make(struct network *network, const struct engine_task *task,
                 const struct network_weights *weights, struct apsp_error *error);
/* The arcs from each vertex in place of those to it, with all parallel ones: vertices keep their
 * numbers. It is folded too where that can pay. APSP_MEMORY. Free in any case. */
int network_forward(struct network *network, const struct engine_task *task,
                    const struct network_weights *weights, struct apsp_error *error);
void network_free(struct network *network); /* A zeroed one is allowed. */

#endif
