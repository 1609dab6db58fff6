/* CUDA's runtime, emulated. */
#ifndef EMULATED_CUDA_RUNTIME_H
#define EMULATED_CUDA_RUNTIME_H
#define NAME(name)         cuda##name
#define NAME_PROPERTIES    cudaDeviceProp
#define NAME_ATTRIBUTES    cudaPointerAttributes
#define NAME_PROCESSORS    cudaDevAttrMultiProcessorCount
#define NAME_CLOCK         cudaDevAttrClockRate
#define NAME_SHARED        cudaDevAttrMaxSharedMemoryPerBlockOptin
#define NAME_HOST_ALLOC    cudaHostAlloc
#define NAME_HOST_FREE     cudaFreeHost
#define NAME_HOST_PORTABLE cudaHostAllocPortable
#define EMULATED_LANES     32
#define EMULATED_SHARED    (227 << 10)
#include "../emulated.h"
#endif
