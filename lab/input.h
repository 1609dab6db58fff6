/* The course's file of a graph to a matrix of distances (paths.h): two ways. Both return their
 * seconds. */
#ifndef LAB_INPUT_H
#define LAB_INPUT_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

double input_by_edges(const struct lab_problem *problem,
                      int *d); /* one read an edge, on one core */
double input_mapped(const struct lab_problem *problem,
                    int *d); /* the file in memory, on all cores */

#ifdef __cplusplus
}
#endif
#endif
