/* BLAS on the CPU and the GPU, where this build has it: the lines that say what is possible. */
#ifndef LAB_BLAS_H
#define LAB_BLAS_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Matrices lie row by row, n x n unless it says otherwise. The result's room need not be set.
 * False: there is no BLAS in this build, and nothing happened. */
bool blas_product(float *c, const float *a, const float *b, size_t n);       /* C = A B */
bool blas_triangular(double *c, const double *a, const double *b, size_t n); /* C = A B, A upper */
bool blas_contraction(double *c, const double *a, const double *b, size_t n,
                      size_t k); /* C = (A B' + B A') /
          2, its upper triangle; A and B: n x k */

#ifdef __cplusplus
}
#endif
#endif
