/* How far rounding may take a right real distance from the sum of the weights along its path: see certify.h.
 */
#ifndef ROUNDING_H
#define ROUNDING_H

#include "base/dtype.h"

/*
 * The slack after `hops` edges: 2 * 2^-p * (hops + 64) * (size + 4 * reach) + hops * (the smallest positive
 * number of the type). size: the largest |D[i][u]| + |w| of an edge so far.
 */
double rounding_slack(enum dtype type, size_t hops, double size, double reach);

#endif
