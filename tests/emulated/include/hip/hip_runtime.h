/* HIP's runtime, emulated, with the wavefronts and the local memory of CDNA. */
#ifndef EMULATED_HIP_RUNTIME_H
#define EMULATED_HIP_RUNTIME_H
#define NAME(name)         hip##name
#define NAME_PROPERTIES    hipDeviceProp_t
#define NAME_PROCESSORS    hipDeviceAttributeMultiprocessorCount
#define NAME_CLOCK         hipDeviceAttributeClockRate
#define NAME_SHARED        hipDeviceAttributeMaxSharedMemoryPerBlock
#define NAME_HOST_ALLOC    hipHostMalloc
#define NAME_HOST_FREE     hipHostFree
#define NAME_HOST_PORTABLE hipHostMallocPortable
#define EMULATED_LANES     64
#define EMULATED_SHARED    (64 << 10)
#include "../../emulated.h"
#endif
