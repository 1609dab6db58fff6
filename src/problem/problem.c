#include "problem/problem.h"

void problem_free(struct problem *problem)
{
    proof_free(&problem->proof);
    csr_free(&problem->csr);
    edges_free(&problem->edges);
}
