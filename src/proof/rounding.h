/* How far rounding may take a right real distance from the sum of the weights along its path: see certify.h.
 */
#ifndef ROUNDING_H
#define ROUNDING_H

#include "base/dtype.h"
#include "graph/csr.h"

/*
 * The slack after `hops` edges: 2 * 2^-p * (hops + 64) * (size + 4 * reach) + hops * (the smallest positive
 * number of the type). size: the largest |D[i][u]| + |w| of an edge so far.
 */
double rounding_slack(enum dtype type, size_t hops, double size, double reach);

/*
 * Makes the weights real, and finds the largest of their potentials: 0 without negative weights, or if the
 * graph has a negative cycle. Takes potential_need bytes. APSP_MEMORY, APSP_INPUT.
 */
int rounding_reach(double *reach, struct csr *edges, int threads, struct apsp_error *error);

#endif
