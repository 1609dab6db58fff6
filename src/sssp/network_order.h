/* For network.c: what it works with, and the order of sources. */
#ifndef NETWORK_ORDER_H
#define NETWORK_ORDER_H

#include "sssp/network.h"

#include <math.h>

/* Work space of a network that is being made. */
struct network_work {
    size_t *degree;         /* A vertex's degree; later the arcs to a new number. */
    size_t *before;         /* Edges of the vertices whose new numbers are lower. */
    uint32_t *parent;       /* The least number of an out-neighbour, or of the vertex itself. */
    uint32_t *below;        /* Vertices below one in the order. */
    double *walks, *longer; /* Walks from each vertex, of some length and of one arc more. */
    unsigned char *class;   /* The class of each new number, by its walks. */
};

/* The weight of an edge as the engine uses it: reweighted, and floating point in a floating-point
 * type. */
static inline union value network_weight(const struct engine_task *task, size_t u, size_t e)
{
    const struct csr *csr = task->csr;
    union value weight = csr->weight[e];
    if (task->shifted)
        weight = potential_value(task->potential, u, csr->to[e], weight);
    if (dtype_info[task->dtype].real && !csr->real && !task->shifted)
        weight.real = (double)weight.whole;
    return weight;
}

/* No shortest path has such an edge: a loop, or one that is as long as infinity. */
static inline bool network_skips(const struct engine_task *task, size_t u, size_t e,
                                 union value weight)
{
    const struct dtype_info *type = &dtype_info[task->dtype];
    bool infinite = task->dtype == DTYPE_F32 ? isinf((float)weight.real)
                    : type->real             ? isinf(weight.real)
                                             : weight.whole >= type->infinity;
    return infinite || task->csr->to[e] == u;
}

/* Sets network->order. The numbers, and work->parent, are known. */
void network_order(struct network *network, const struct engine_task *task,
                   const struct network_weights *weights, const struct network_work *work);

#endif
