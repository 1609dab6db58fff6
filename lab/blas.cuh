/* cuBLAS or hipBLAS, which have the same calls; matrices lie column by column there. */
#ifndef LAB_BLAS_CUH
#define LAB_BLAS_CUH

#include "gpu.cuh"

#ifdef LAB_GPU_BLAS
#ifdef __HIP__
#include <hipblas/hipblas.h>
#define BLAS(name)       hipblas##name
#define BLAS_VALUE(name) HIPBLAS_##name
#else
#include <cublas_v2.h>
#define BLAS(name)       cublas##name
#define BLAS_VALUE(name) CUBLAS_##name
#endif

/* Arguments of library calls, and a stop at a failure. */
struct device_blas {
    BLAS(Handle_t) handle;
    device_blas()
    {
        check(BLAS(Create)(&handle));
    }
    ~device_blas()
    {
        (void)BLAS(Destroy)(handle);
    }
    static void check(BLAS(Status_t) status)
    {
        if (status != BLAS_VALUE(STATUS_SUCCESS))
            lab_stop("the GPU's BLAS failed");
    }
};
#endif
#endif
