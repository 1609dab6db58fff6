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

/* Whether the task's arcs have the weights of its csr. */
static inline bool network_is_plain(const struct engine_task *task)
{
    return !task->shifted && task->csr->real == dtype_info[task->dtype].real;
}

/* The least weight that is infinite in the type: f32 rounds from halfway to 2^128 on. */
static inline union value network_end(enum dtype dtype)
{
    if (!dtype_info[dtype].real)
        return (union value){.whole = dtype_info[dtype].infinity};
    return (union value){.real = dtype == DTYPE_F32 ? 0x1.ffffffp127 : (double)INFINITY};
}

static inline bool network_is_endless(bool real, union value weight, union value end)
{
    return real ? weight.real >= end.real : weight.whole >= end.whole;
}

/* No shortest path has such an edge: a loop, or one that is as long as infinity. */
static inline bool network_skips(const struct engine_task *task, size_t u, size_t e,
                                 union value weight)
{
    return task->csr->to[e] == u ||
           network_is_endless(dtype_info[task->dtype].real, weight, network_end(task->dtype));
}

/* Sets network->order. The numbers, and work->parent, are known. */
void network_order(struct network *network, const struct engine_task *task,
                   const struct network_weights *weights, const struct network_work *work);

#endif
