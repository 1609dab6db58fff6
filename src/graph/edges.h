/*
 * The edges of a rank's part of a graph: made by edge_scan_take, kept in memory where there is room
 * for them, else read from the source again. They come in the order of the source, whatever the
 * number of ranks and threads.
 */
#ifndef EDGES_H
#define EDGES_H

#include "base/size.h"
#include "comm/comm.h"
#include "graph/graph.h"

enum {
    EDGES_BATCH = SIZE_OF(4095, 15)
}; /* edges at a time; with a pointer and a count they fill 64 KiB */

struct edges_batch {
    struct edges_batch *next;
    size_t count;
    struct edge edge[EDGES_BATCH];
};

struct edges {
    struct graph *graph;
    struct comm *comm;
    int threads;  /* of this rank, for the edge scan */
    bool loops;   /* csr_load is to keep all of them */
    bool summed;  /* the edge scan is to have their checksum, even where they are kept */
    size_t room;  /* bytes that this rank can spare to keep its edges in; the least of all ranks
                     decides */
    bool kept;    /* they are in memory, on all ranks */
    size_t count; /* of this rank's part */
    size_t
        stored; /* edges of all ranks that csr_load keeps: without loops, but for negative ones */
    size_t parsed; /* edges that this rank has read from the source, in all passes */

    /* The rest is edges.c's and edge_scan.c's. */
    int pieces; /* of this rank's part, each read by one thread */
    struct edges_piece {
        struct edges_batch *first;     /* of those kept */
        size_t count, records, stored; /* edges, what the source counts, and of `stored` above */
        uint64_t sum; /* of the edges, to which each later pass is held (graph_part_sum) */
        bool rough;   /* as graph->rough */
    } * piece;
    size_t *degree; /* edges out of each vertex that csr_load keeps; NULL when edges are kept */

    /* A pass: */
    int at;                    /* piece in hand, or the next */
    struct edges_batch *batch; /* the next one, or where they are not kept the only one */
    struct graph_part *part;   /* being read again */
    size_t passed;             /* edges handed out */
};

/* Whether csr_load keeps the edge: a loop only when it is negative in the algebra of sums, and so a
 * cycle, unless all are wanted. */
static inline bool edges_stores(const struct edges *edges, const struct edge *edge)
{
    const struct graph *graph = edges->graph;
    return edge->from != edge->to || edges->loops ||
           (graph->algebra.kind == ALGEBRA_SHORTEST &&
            (graph->real ? edge->weight.real < 0 : edge->weight.whole < 0));
}

/*
 * Hands out this rank's edges: edges_begin, then edges_next until *count is 0. *list is valid until
 * the next call. APSP_IO, also when the edges are not those of the edge scan, which the end of each
 * piece tells; APSP_MEMORY. Not collective; the pass may be left at any point.
 */
void edges_begin(struct edges *edges);
int edges_next(struct edges *edges, const struct edge **list, size_t *count,
               struct apsp_error *error);

/* Where edges are kept: how many batches there are, and, with `list`, all of them in order. */
size_t edges_batches(const struct edges *edges, const struct edges_batch **list);

/* After the edge scan: from now on graph->scaled, and the weights are whole by that scale, wherever
 * they come from; or no more, and they are what they were. */
void edges_scale(struct edges *edges, const struct scale *scale);
void edges_unscale(struct edges *edges);
/* After these: from now on the weights are the keys of graph->algebra, whose map is set. */
void edges_key(struct edges *edges);

void edges_free(struct edges *edges);          /* zeroed ones are allowed */
size_t edges_bytes(const struct edges *edges); /* of memory that they hold, after the edge scan */

/*
 * For edge_scan_take alone. edges_start decides whether edges are kept, and makes the pieces;
 * collective, without agreement. edges_read_piece reads one, and shows `see` the edges as they
 * come; threads may do so at once.
 */
typedef void (*edges_see)(void *self, const struct edge *list, size_t count);
int edges_start(struct edges *edges, struct apsp_error *error);
/* For csr_rows_take in place of both: the source, which is memory, has so many edges. */
int edges_are_known(struct edges *edges, size_t count, struct apsp_error *error);
int edges_read_piece(struct edges *edges, int piece, edges_see see, void *self,
                     struct apsp_error *error);

#endif
