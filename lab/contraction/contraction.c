/* The symmetric contraction of a report on a Tesla M2070. */
#include "contraction.h"

#include "blas.h"

#include <stdlib.h>
#include <string.h>

static double work(size_t n)
{
    return 2 * (double)n * ((double)n + 1) * DEPTH;
}

static bool make(struct lab_problem *problem)
{
    size_t n = problem->n;
    problem->bytes = n * n * sizeof(double);
    double *right = problem->right = lab_alloc(n * n, sizeof *right);
    problem->out = lab_alloc(n * n, sizeof *right);
    for (int m = 0; m < 2; m++) {
        double *to = problem->in[m] = lab_alloc(n * DEPTH, sizeof *to);
        for (size_t i = 0; i < n * DEPTH; i++)
            to[i] = (double)((i * (size_t)(31 + 6 * m) + i / 97) % 8);
    }
    const double *a = problem->in[0], *b = problem->in[1];
    if (blas_contraction(right, a, b, n, DEPTH))
        return true;
#pragma omp parallel for schedule(dynamic, 4)
    for (size_t k = 0; k < n; k++)
        for (size_t l = k; l < n; l++) {
            double sum = 0;
            for (size_t e = 0; e < DEPTH; e++)
                sum += a[l * DEPTH + e] * b[k * DEPTH + e] + a[k * DEPTH + e] * b[l * DEPTH + e];
            right[k * n + l] = sum / 2;
        }
    return true;
}

static size_t wrong(const struct lab_problem *problem)
{
    const double *out = problem->out, *right = problem->right;
    size_t count = 0, n = problem->n;
    for (size_t k = 0; k < n; k++)
        for (size_t l = k; l < n; l++)
            count += !(out[k * n + l] == right[k * n + l]);
    return count;
}

static const struct lab_step *const steps[] = {&contraction_openmp,
                                               &contraction_blas,
#ifdef APSP_GPU
                                               &contraction_global,
                                               &contraction_tiles,
                                               &contraction_two_blocks,
                                               &contraction_padded,
                                               &contraction_coalesced16,
                                               &contraction_coalesced32,
                                               &contraction_two_threads,
                                               &contraction_bound,
                                               &contraction_gpu_blas,
#endif
                                               0};

int main(int argc, char **argv)
{
    static const struct lab_kind kind = {make, wrong, work};
    static const struct lab_experiment contraction = {
        .name = "contraction",
        .title = "Symmetric contraction in double",
        .unit = "GFLOP/s",
        .per_unit = 1e9,
        .kind = &kind,
        .column = {"with copies GFLOP/s"},
        .steps = steps,
        .derive = lab_rate_with_copies,
    };
    return lab_main(&contraction, argc, argv);
}
