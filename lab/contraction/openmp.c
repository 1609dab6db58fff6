/* Step 1: the cores: pairs k <= l in tiles of 8 x 8, so that what is in the first cache is used 8
 * times. */
#include "contraction.h"

enum { TILE = 8 };

static double pair(const double *a, const double *b, size_t k, size_t l)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t e = 0; e < DEPTH; e++)
        sum += a[l * DEPTH + e] * b[k * DEPTH + e] + a[k * DEPTH + e] * b[l * DEPTH + e];
    return sum / 2;
}

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    size_t n = problem->n;
    const double *a = problem->in[0], *b = problem->in[1];
    double *c = problem->out;
    double start = lab_now();
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t k0 = 0; k0 < n; k0 += TILE)
        for (size_t l0 = k0; l0 < n; l0 += TILE)
            for (size_t k = k0; k < n && k < k0 + TILE; k++)
                for (size_t l = l0 > k ? l0 : k; l < n && l < l0 + TILE; l++)
                    c[k * n + l] = pair(a, b, k, l);
    run->seconds = lab_now() - start;
    return LAB_DONE;
}

struct lab_step contraction_openmp = {"OpenMP", NULL, false, run};
