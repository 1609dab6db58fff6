/* HIP's runtime, emulated, with the local memory of AMD's GPUs and the wavefronts of CDNA. */
#ifndef EMULATED_HIP_RUNTIME_H
#define EMULATED_HIP_RUNTIME_H
#define NAME(name)         hip##name
#define NAME_PROPERTIES    hipDeviceProp_t
#define NAME_ATTRIBUTES    hipPointerAttribute_t
#define NAME_PROCESSORS    hipDeviceAttributeMultiprocessorCount
#define NAME_CLOCK         hipDeviceAttributeClockRate
#define NAME_SHARED        hipDeviceAttributeMaxSharedMemoryPerBlock
#define NAME_HOST_ALLOC    hipHostMalloc
#define NAME_HOST_FREE     hipHostFree
#define NAME_HOST_PORTABLE hipHostMallocPortable
#ifndef EMULATED_LANES /* RDNA has 32 */
#define EMULATED_LANES 64
#endif
#ifndef EMULATED_SHARED
#define EMULATED_SHARED (64 << 10)
#endif
#include "../../emulated.h"
#endif
