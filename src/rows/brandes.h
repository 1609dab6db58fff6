/*
 * Betweenness where all arcs have one length: PATHS_WIDTH searches side by side, which count the
 * shortest paths forward and add up dependencies backward (kernels/cpu/paths.h). No distances are
 * needed. Sums depend on no order (base/fixed.h), so they are the same on any threads and ranks.
 */
#ifndef BRANDES_H
#define BRANDES_H

#include "kernels/cpu/paths.h"
#include "rows/arcs.h"

/* The paths that count. */
struct brandes_paths {
    const unsigned char *target; /* For each vertex, whether paths may end there; NULL: all. */
    size_t levels;               /* Paths have at most so many arcs. */
    bool ends;                   /* The ends of a path count as if they were on the way. */
    bool edges;                  /* Arcs have sums, too. */
};

/* The graph as the searches want it: vertices have new numbers, and lists are ascending. Workers
 * share it. */
struct brandes_graph {
    size_t n;
    bool deep; /* One search at a time is best (deep.h): near vertices have near numbers. Else the
                * numbers are by falling degree. */
    struct paths_lists in, out;
    uint32_t *number, *vertex; /* New numbers of vertices, and back. */
    uint32_t *rank;            /* For each vertex: near sources come one after the other. */
    double *wanted;            /* As in paths_state. */
    size_t *arc;               /* Arcs by the places of out; NULL: not wanted. */
    struct brandes_paths paths;
    struct fixed fixed;
};

/* Work space of one thread; its sums are by new numbers. */
struct brandes {
    const struct brandes_graph *graph;
    const struct paths_kernels *kernels;
    struct paths_state state;
    uint64_t *near, *missing, *marked;
    uint32_t *open;
    size_t room;    /* Events that there is room for. */
    size_t *level;  /* Where the events of each level begin. */
    size_t levels;  /* Levels of the batch. */
    size_t heights; /* Levels for which `level` has room. */
};

/* Whether searches side by side are worth it: those of a batch reach a vertex in few levels, as far
 * as the surroundings of the vertex with most edges show. */
bool brandes_is_shallow(const struct csr *edges);

/* Bytes of a graph, and of one worker, at least. */
size_t brandes_graph_need(size_t n, size_t m, bool edges);
size_t brandes_need(size_t n, size_t m, bool edges);

/* APSP_MEMORY. The arcs need not stay. Free in any case. */
int brandes_graph_make(struct brandes_graph *graph, const struct arcs *arcs, bool deep,
                       const struct brandes_paths *paths, struct apsp_error *error);
void brandes_graph_free(struct brandes_graph *graph); /* a zeroed one is allowed */

/* APSP_MEMORY; *brandes is then NULL. */
int brandes_open(struct brandes **brandes, const struct brandes_graph *graph,
                 struct apsp_error *error);
void brandes_free(struct brandes *brandes); /* NULL is allowed */

/* Searches from `count` vertices, at most PATHS_WIDTH. Returns false if numbers of paths are beyond
 * the kernels: nothing is added then, and brandes_row tells distances. APSP_MEMORY. */
bool brandes_take(struct brandes *brandes, const uint32_t *source, size_t count,
                  struct apsp_error *error);
/* The number of arcs to each vertex from source number i of the batch, -1: it is not reached. */
void brandes_row(const struct brandes *brandes, size_t i, int64_t *row);

#endif
