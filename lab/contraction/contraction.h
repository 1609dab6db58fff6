/*
 * C[k][l] = (sum over i and j of A[l][i][j] B[k][i][j] + A[k][i][j] B[l][i][j]) / 2 for k <= l, in
 * double. A and B hold n matrices of 32 x 32, one after the other. Values are small integers:
 * sums are exact.
 */
#ifndef CONTRACTION_H
#define CONTRACTION_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WIDTH = 32, DEPTH = WIDTH * WIDTH /* pairs of i and j */ };

extern struct lab_step contraction_openmp, contraction_blas;
extern struct lab_step contraction_global, contraction_tiles, contraction_two_blocks,
    contraction_padded, contraction_coalesced16, contraction_coalesced32, contraction_two_threads,
    contraction_bound, contraction_gpu_blas;

#ifdef __cplusplus
}
#endif
#endif
