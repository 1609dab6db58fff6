/*
 * The type of the distances, and the proof that it holds them, before anything of the size of the
 * matrix is taken. Integers: the narrowest type that no distance, nor any that is given out,
 * can leave; reals: f64. Negative weights are first made non-negative by potentials.
 */
#ifndef PROOF_H
#define PROOF_H

#include "base/dtype.h"
#include "graph/csr.h"
#include "graph/edge_scan.h"
#include "proof/potential.h"

struct proof {
    enum dtype dtype;
    bool real, scaled; /* the weights are; or were, and are whole by a scale */
    bool unfit; /* no integer type, or no double, holds the distances of scaled weights: the rest is
                   not filled in, and they are to be what they were */
    bool negative; /* some weight is below 0 */
    bool exact; /* no sum is rounded: all numbers are multiples of one, few enough for the type */
    union value
        bound;      /* no distance is further from 0; real as the weights are; INT64_MAX: unknown */
    double reach;   /* the largest potential */
    double seconds; /* that rank 0 took */
    struct potential
        potential; /* on every rank; real for a real dtype; zeroed without negative weights */
    char
        *cycle; /* on rank 0, with APSP_CYCLE: the vertices of the cycle by their labels, as text */
    struct cycle ring; /* the same as numbers */
};

struct proof_task { /* the same on all ranks, but for csr and threads */
    const struct graph *graph;
    const struct edge_scan *scan;
    const struct csr
        *csr;      /* on rank 0, where proof_wants_edges says so; else of no use. Left as it is */
    int wanted;    /* a type, or -1 for the narrowest */
    int file;      /* the type that files are to have, if it is one of the narrow ones, DTYPE_U8 and
                      DTYPE_U16, for which a better bound is worth more work; or -1 */
    bool narrow;   /* files are to have the narrowest */
    size_t rows;   /* Rows that are wanted; 0: all. For a few no better bound is sought. */
    int64_t known; /* The bound of a run that this one goes on from, which is proved anew and then
                      stays, so that all that depends on it is the same; 0: there is none. */
    double
        seconds[DTYPE_COUNT]; /* of solving in each integer type, if proof_wants_seconds; else 0 */
    struct comm *comm;
    int threads; /* that rank 0 works with */
};

/* Whether proof_make uses task.seconds to decide what a better bound may cost. The same on all
 * ranks. */
bool proof_wants_seconds(const struct proof_task *task);

/*
 * Whether proof_make will use the edges: for potentials, or a better bound than that of the
 * heaviest weight. Collective, and the same on all ranks. And the bytes that it then takes on rank
 * 0, beside the edges.
 */
bool proof_wants_edges(const struct proof_task *task);
size_t proof_need(const struct proof_task *task);

/*
 * Collective; ends in agreement. APSP_CYCLE, with the cycle but for its vertices in the error;
 * APSP_INPUT when the type, or any, may be too narrow; APSP_MEMORY. Free in any case.
 */
int proof_make(struct proof *proof, const struct proof_task *task, struct apsp_error *error);
void proof_free(struct proof *proof);

/*
 * Whether rows of that type hold every distance exactly, as numbers that are not what stands for
 * unreachable. For floating-point weights every floating-point type is allowed, and rounds.
 */
bool proof_holds_output(const struct proof *proof, enum dtype output);

#endif
