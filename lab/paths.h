/* All-pairs shortest paths as the course has them: a matrix of int, n x n, row by row; LAB_FAR: no
 * edge. */
#ifndef LAB_PATHS_H
#define LAB_PATHS_H

#include "apsp.h"
#include "lab.h"

enum { LAB_FAR = (1 << 30) - 1 /* and twice that is an int too */ };

#ifdef __cplusplus
extern "C" {
#endif

extern const struct lab_kind lab_paths;

/* The problem's distances, of 4 bytes, by the product as its users have it, apsp.h, and the seconds
 * of the solve; false: it cannot. */
bool paths_solve(const struct lab_problem *problem, const struct apsp_options *options,
                 int *distances, double *seconds);

/* Relaxations a second of all cores, or of the GPU, if nothing else limits them, of values of 2 or
 * 4 bytes; 0: not known. */
double lab_ceiling(bool gpu, int bytes);
double lab_ceiling_gpu(int bytes); /* measures it */

#ifdef __cplusplus
}
#endif
#endif
