/*
 * The type of the distances, and the proof that it holds them, before anything of the size of the matrix is
 * taken. Whole numbers: the narrowest type that no distance, nor any that is given out, can leave; reals:
 * f64. Negative weights are first made non-negative by potentials.
 */
#ifndef PROOF_H
#define PROOF_H

#include "base/dtype.h"
#include "graph/census.h"
#include "proof/potential.h"

struct proof {
    enum dtype dtype;
    bool real;         /* the weights are */
    bool negative;     /* some weight is below 0 */
    union value bound; /* no distance is further from 0; real as the weights are; INT64_MAX: unknown */
    double reach;      /* the largest potential */
    double seconds;    /* that rank 0 took */
    struct potential potential; /* on every rank; real for a real dtype; zeroed without negative weights */
    char *cycle;                /* on rank 0, with APSP_CYCLE: the vertices, in the numbers of the file */
};

/*
 * Collective; ends in agreement. `wanted` is a type, or -1 for the narrowest. Rank 0 works with
 * its `threads`. APSP_CYCLE, with the cycle but for its vertices in the error; APSP_INPUT when the type, or
 * any, may be too narrow; APSP_MEMORY, APSP_IO. Free in any case.
 */
int proof_make(struct proof *proof, const struct graph *graph, const struct census *census, int wanted,
               struct comm *comm, int threads, struct apsp_error *error);
void proof_free(struct proof *proof);

#endif
