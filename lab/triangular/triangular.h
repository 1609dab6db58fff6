/* C = A B in double, A upper triangular, n x n, row by row. Values are small integers: sums
 * are exact.
 */
#ifndef TRIANGULAR_H
#define TRIANGULAR_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

extern struct lab_step triangular_openmp, triangular_blas;
extern struct lab_step triangular_columns, triangular_row, triangular_tiles, triangular_apart,
    triangular_square, triangular_registers, triangular_gpu_blas;

#ifdef __cplusplus
}
#endif
#endif
