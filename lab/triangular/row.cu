/* Step 4: the row of A in shared memory, in pieces, once for the 64 columns of a block. */
#include "triangular.cuh"

enum { WIDE = 64, PIECE = 512 };

static __global__ void kernel(double *c, const double *a, const double *b, size_t n)
{
    __shared__ double row[PIECE];
    const size_t j = blockIdx.x * WIDE + threadIdx.x;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t lo = i; lo < n; lo += PIECE) {
            const int length = n - lo < PIECE ? (int)(n - lo) : PIECE;
            __syncthreads();
            for (int k = threadIdx.x; k < length; k += WIDE)
                row[k] = a[i * n + lo + k];
            __syncthreads();
            for (int k = 0; j < n && k < length; k++)
                sum += row[k] * b[(lo + k) * n + j];
        }
        if (j < n)
            c[i * n + j] = sum;
    }
}

static void launch(double *c, const double *a, const double *b, size_t n)
{
    kernel<<<parts(n, WIDE), WIDE>>>(c, a, b, n);
}

struct lab_step triangular_row = {"a row of A shared", "11.3 GFLOP/s (M2070)", true,
                                  triangular_run<launch>};
