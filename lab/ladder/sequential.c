/*
 * Step 1: Floyd and Warshall's three loops, one core. After round k, d[i][j] is the length of the
 * shortest path from i to j through the vertices 0 .. k alone (R. W. Floyd, 1962).
 */
#include "ladder.h"

#include <string.h>

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    size_t n = problem->n;
    int *d = problem->out;
    memcpy(d, problem->in[0], problem->bytes);
    double start = lab_now();
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                if (d[i * n + k] + d[k * n + j] < d[i * n + j])
                    d[i * n + j] = d[i * n + k] + d[k * n + j];
    run->seconds = lab_now() - start;
    return LAB_DONE;
}

struct lab_step ladder_sequential = {"sequential", NULL, false, run};
