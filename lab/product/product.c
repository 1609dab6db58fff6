/* The matrix product: how often a value is used once it has been read. */
#include "product.h"

#include "blas.h"

#include <stdlib.h>
#include <string.h>

double product_work(size_t n)
{
    return 2 * (double)n * (double)n * (double)n;
}

static bool make(struct lab_problem *problem)
{
    size_t n = problem->n;
    problem->bytes = n * n * sizeof(float);
    float *right = problem->right = lab_alloc(n * n, sizeof *right);
    problem->out = lab_alloc(n * n, sizeof(float));
    for (int m = 0; m < 2; m++) {
        float *to = problem->in[m] = lab_alloc(n * n, sizeof *to);
        for (size_t i = 0; i < n * n; i++)
            to[i] = (float)((i * (size_t)(31 + m) + i / 97) % 8);
    }
    const float *a = problem->in[0], *b = problem->in[1];
    if (blas_product(right, a, b, n))
        return true;
    memset(right, 0, problem->bytes);
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                right[i * n + j] += a[i * n + k] * b[k * n + j];
    return true;
}

static size_t wrong(const struct lab_problem *problem)
{
    return lab_differ(problem, sizeof(float));
}

static const struct lab_kind kind = {make, wrong, product_work};

static const struct lab_step *const steps[] = {&product_sequential,
                                               &product_openmp,
                                               &product_blas,
#ifdef APSP_GPU
                                               &product_zero_global,
                                               &product_zero_8,
                                               &product_zero_16,
                                               &product_zero_32,
                                               &product_global,
                                               &product_8,
                                               &product_16,
                                               &product_32,
                                               &product_gpu_blas,
#endif
                                               0};

int main(int argc, char **argv)
{
    static const struct lab_experiment product = {
        .name = "product",
        .title = "The matrix product in float",
        .unit = "GFLOP/s",
        .per_unit = 1e9,
        .kind = &kind,
        .column = {"flop/byte", "effective GB/s"},
        .steps = steps,
    };
    return lab_main(&product, argc, argv);
}
