/* The triangular product of a report on a Tesla M2070. */
#include "triangular.h"

#include "blas.h"

#include <stdlib.h>
#include <string.h>

static double work(size_t n)
{
    return (double)n * (double)n * ((double)n + 1);
}

static bool make(struct lab_problem *problem)
{
    size_t n = problem->n;
    problem->bytes = n * n * sizeof(double);
    double *a = problem->in[0] = lab_alloc(n * n, sizeof *a),
           *b = problem->in[1] = lab_alloc(n * n, sizeof *b);
    double *right = problem->right = lab_alloc(n * n, sizeof *right);
    problem->out = lab_alloc(n * n, sizeof *right);
    for (size_t i = 0; i < n * n; i++) {
        a[i] = i / n <= i % n ? (double)((i * 31 + i / 97) % 8) : 0;
        b[i] = (double)((i * 37 + i / 89) % 8);
    }
    if (blas_triangular(right, a, b, n))
        return true;
    memset(right, 0, problem->bytes);
#pragma omp parallel for schedule(dynamic, 16)
    for (size_t i = 0; i < n; i++)
        for (size_t k = i; k < n; k++)
            for (size_t j = 0; j < n; j++)
                right[i * n + j] += a[i * n + k] * b[k * n + j];
    return true;
}

static size_t wrong(const struct lab_problem *problem)
{
    return lab_differ(problem, sizeof(double));
}

static const struct lab_step *const steps[] = {&triangular_openmp,
                                               &triangular_blas,
#ifdef APSP_GPU
                                               &triangular_columns,
                                               &triangular_row,
                                               &triangular_tiles,
                                               &triangular_apart,
                                               &triangular_square,
                                               &triangular_registers,
                                               &triangular_gpu_blas,
#endif
                                               0};

int main(int argc, char **argv)
{
    static const struct lab_kind kind = {make, wrong, work};
    static const struct lab_experiment triangular = {
        .name = "triangular",
        .title = "Triangular product B = A B in double",
        .unit = "GFLOP/s",
        .per_unit = 1e9,
        .kind = &kind,
        .column = {"with copies GFLOP/s"},
        .steps = steps,
        .derive = lab_rate_with_copies,
    };
    return lab_main(&triangular, argc, argv);
}
