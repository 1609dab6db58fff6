/* All-pairs shortest paths as the course has them: a matrix of int, n x n, row by row; LAB_FAR: no edge. */
#ifndef LAB_PATHS_H
#define LAB_PATHS_H

#include "lab.h"

enum { LAB_FAR = (1 << 30) - 1 /* and twice that is an int too */ };

#ifdef __cplusplus
extern "C" {
#endif

extern const struct lab_kind lab_paths;

/* Relaxations that one device does in a second if nothing else limits it; of values of 2 or 4 bytes. */
double lab_ceiling(int bytes);

#ifdef __cplusplus
}
#endif
#endif
