/* C = A B in float, n x n, row by row. Values are small integers, so that every order of
 * adding is exact. */
#ifndef PRODUCT_H
#define PRODUCT_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PRODUCT_CGMA, PRODUCT_BANDWIDTH }; /* columns */

double product_work(size_t n);

extern struct lab_step product_sequential, product_openmp, product_blas;
extern struct lab_step product_zero_global, product_zero_8, product_zero_16, product_zero_32;
extern struct lab_step product_global, product_8, product_16, product_32, product_gpu_blas;

#ifdef __cplusplus
}
#endif
#endif
