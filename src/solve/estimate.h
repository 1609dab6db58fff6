/* The memory of a run. */
#ifndef ESTIMATE_H
#define ESTIMATE_H

#include "solve/solver.h"

/* Bytes that the run will take at its peak. */
struct estimate {
    size_t rank_host, rank_device; /* Bytes of this rank. */
    size_t node_host;              /* Bytes of all ranks of this node. */
    size_t node_limit;             /* The limit for them. */
    size_t disk;
    bool disk_most; /* The bytes on disk are an upper bound. */
};

/* Workers that get blocks: those of the engine, or of the sink that makes its own. */
int estimate_lanes(const struct solver *solver);

/* Collective. */
struct estimate estimate_make(const struct solver *solver);

/* Every node has the memory, of which the fullest takes *node bytes. Collective. */
bool estimate_fits(const struct solver *solver, size_t *node);

/* APSP_MEMORY, on all ranks, if some node's memory is too small. Collective. */
int estimate_check(struct solver *solver);
/* The same for the proof of types alone. */
int estimate_check_proof(struct solver *solver);

/* Bytes that this rank can spare to keep its edges in. Collective. */
size_t estimate_room(const struct solver *solver);

/* Whether rows want all edges on every rank, after solving. */
bool rows_want_edges(const struct solver *solver);

#endif
