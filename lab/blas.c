/* By the C interface of BLAS. */
#include "blas.h"

#ifdef LAB_BLAS
#include <cblas.h>
#include <string.h>

bool blas_product(float *c, const float *a, const float *b, size_t n)
{
    const int m = (int)n;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, m, m, 1, a, m, b, m, 0, c, m);
    return true;
}

bool blas_triangular(double *c, const double *a, const double *b, size_t n)
{
    const int m = (int)n;
    memcpy(c, b, n * n * sizeof *c);
    cblas_dtrmm(CblasRowMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, m, m, 1, a, m, c,
                m);
    return true;
}

bool blas_contraction(double *c, const double *a, const double *b, size_t n, size_t k)
{
    const int m = (int)n, depth = (int)k;
    cblas_dsyr2k(CblasRowMajor, CblasUpper, CblasNoTrans, m, depth, 0.5, a, depth, b, depth, 0, c,
                 m);
    return true;
}
#else
bool blas_product(float *c, const float *a, const float *b, size_t n)
{
    (void)c, (void)a, (void)b, (void)n;
    return false;
}

bool blas_triangular(double *c, const double *a, const double *b, size_t n)
{
    (void)c, (void)a, (void)b, (void)n;
    return false;
}

bool blas_contraction(double *c, const double *a, const double *b, size_t n, size_t k)
{
    (void)c, (void)a, (void)b, (void)n, (void)k;
    return false;
}
#endif
