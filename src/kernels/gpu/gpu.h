/*
 * One neutral name per call of the GPU runtime, mapped to CUDA or HIP. A call that has no line here
 * does not compile, so that neither side is forgotten.
 */
#ifndef GPU_H
#define GPU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __HIP__
#include <hip/hip_runtime.h>
#define GPU_NAME(name) hip##name
#else
#include <cuda_runtime.h>
#define GPU_NAME(name) cuda##name
#endif

typedef GPU_NAME(Error_t) gpuError_t;
typedef GPU_NAME(Stream_t) gpuStream_t;
typedef GPU_NAME(Event_t) gpuEvent_t;
typedef GPU_NAME(IpcMemHandle_t) gpuIpcMemHandle_t;
typedef GPU_NAME(IpcEventHandle_t) gpuIpcEventHandle_t;

#define gpuSuccess                      GPU_NAME(Success)
#define gpuErrorMemoryAllocation        GPU_NAME(ErrorMemoryAllocation)
#define gpuGetErrorString               GPU_NAME(GetErrorString)
#define gpuGetLastError                 GPU_NAME(GetLastError)
#define gpuGetDeviceCount               GPU_NAME(GetDeviceCount)
#define gpuSetDevice                    GPU_NAME(SetDevice)
#define gpuGetDevice                    GPU_NAME(GetDevice)
#define gpuDeviceGetAttribute           GPU_NAME(DeviceGetAttribute)
#define gpuMemGetInfo                   GPU_NAME(MemGetInfo)
#define gpuPointerGetAttributes         GPU_NAME(PointerGetAttributes)
#define gpuErrorInvalidValue            GPU_NAME(ErrorInvalidValue)
#define gpuMalloc                       GPU_NAME(Malloc)
#define gpuFree                         GPU_NAME(Free)
#define gpuMemcpyAsync                  GPU_NAME(MemcpyAsync)
#define gpuMemcpy2DAsync                GPU_NAME(Memcpy2DAsync)
#define gpuMemcpyHostToDevice           GPU_NAME(MemcpyHostToDevice)
#define gpuMemcpyDeviceToHost           GPU_NAME(MemcpyDeviceToHost)
#define gpuMemcpyDeviceToDevice         GPU_NAME(MemcpyDeviceToDevice)
#define gpuMemset                       GPU_NAME(Memset)
#define gpuMemcpy                       GPU_NAME(Memcpy)
#define gpuMemsetAsync                  GPU_NAME(MemsetAsync)
#define gpuStreamNonBlocking            GPU_NAME(StreamNonBlocking)
#define gpuStreamCreateWithPriority     GPU_NAME(StreamCreateWithPriority)
#define gpuDeviceGetStreamPriorityRange GPU_NAME(DeviceGetStreamPriorityRange)
#define gpuStreamSynchronize            GPU_NAME(StreamSynchronize)
#define gpuStreamWaitEvent              GPU_NAME(StreamWaitEvent)
#define gpuStreamDestroy                GPU_NAME(StreamDestroy)
#define gpuEventCreate                  GPU_NAME(EventCreate)
#define gpuEventInterprocess            GPU_NAME(EventInterprocess)
#define gpuEventQuery                   GPU_NAME(EventQuery)
#define gpuErrorNotReady                GPU_NAME(ErrorNotReady)
#define gpuMemcpyDefault                GPU_NAME(MemcpyDefault)
#define gpuHostRegister                 GPU_NAME(HostRegister)
#define gpuHostRegisterDefault          GPU_NAME(HostRegisterDefault)
#define gpuHostUnregister               GPU_NAME(HostUnregister)
#define gpuDeviceCanAccessPeer          GPU_NAME(DeviceCanAccessPeer)
#define gpuDeviceEnablePeerAccess       GPU_NAME(DeviceEnablePeerAccess)
#define gpuErrorPeerAccessAlready       GPU_NAME(ErrorPeerAccessAlreadyEnabled)
#define gpuDeviceGetPCIBusId            GPU_NAME(DeviceGetPCIBusId)
#define gpuDeviceGetByPCIBusId          GPU_NAME(DeviceGetByPCIBusId)
#define gpuIpcGetMemHandle              GPU_NAME(IpcGetMemHandle)
#define gpuIpcOpenMemHandle             GPU_NAME(IpcOpenMemHandle)
#define gpuIpcCloseMemHandle            GPU_NAME(IpcCloseMemHandle)
#define gpuIpcMemLazyEnablePeerAccess   GPU_NAME(IpcMemLazyEnablePeerAccess)
#define gpuIpcGetEventHandle            GPU_NAME(IpcGetEventHandle)
#define gpuIpcOpenEventHandle           GPU_NAME(IpcOpenEventHandle)
#define gpuEventCreateWithFlags         GPU_NAME(EventCreateWithFlags)
#define gpuEventDisableTiming           GPU_NAME(EventDisableTiming)
#define gpuEventRecord                  GPU_NAME(EventRecord)
#define gpuEventSynchronize             GPU_NAME(EventSynchronize)
#define gpuEventElapsedTime             GPU_NAME(EventElapsedTime)
#define gpuEventDestroy                 GPU_NAME(EventDestroy)
#define gpuFuncSetAttribute             GPU_NAME(FuncSetAttribute)
#define gpuFuncMaxSharedMemory          GPU_NAME(FuncAttributeMaxDynamicSharedMemorySize)

/* The two runtimes name these differently. GPU_BOUNDS: so many threads a block, so many blocks on a
 * multiprocessor. */
#ifdef __HIP__
#if defined(__HIP_PLATFORM_NVIDIA__) /* tests/hip */
#define GPU_BOUNDS(threads, blocks) __launch_bounds__((threads), (blocks))
#elif defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__) /* waves of 32 lanes */
#define GPU_BOUNDS(threads, blocks) __launch_bounds__((threads), (blocks) * (threads) / 128)
#else
#define GPU_BOUNDS(threads, blocks)                                                                \
    __launch_bounds__((threads), (blocks) * (threads) / 256) /* waves on each of 4 units */
#endif
#define gpuDeviceProp             hipDeviceProp_t
#define gpuPointerAttributes      hipPointerAttribute_t
#define gpuGetDeviceProperties    hipGetDeviceProperties
#define gpuHostAlloc(where, size) hipHostMalloc((where), (size), hipHostMallocPortable)
#define gpuHostFree               hipHostFree
#define gpuAttributeProcessors    hipDeviceAttributeMultiprocessorCount
#define gpuAttributeClock         hipDeviceAttributeClockRate
#define gpuAttributeShared        hipDeviceAttributeMaxSharedMemoryPerBlock
#define gpuAttributeThreads       hipDeviceAttributeMaxThreadsPerMultiProcessor
#define gpuOccupancy              hipOccupancyMaxActiveBlocksPerMultiprocessor
#else
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800 /* shared memory has room for one block only */
#define GPU_BOUNDS(threads, blocks) __launch_bounds__((threads))
#else
#define GPU_BOUNDS(threads, blocks) __launch_bounds__((threads), (blocks))
#endif
#define gpuDeviceProp             cudaDeviceProp
#define gpuPointerAttributes      cudaPointerAttributes
#define gpuGetDeviceProperties    cudaGetDeviceProperties
#define gpuHostAlloc(where, size) cudaHostAlloc((where), (size), cudaHostAllocPortable)
#define gpuHostFree               cudaFreeHost
#define gpuAttributeProcessors    cudaDevAttrMultiProcessorCount
#define gpuAttributeClock         cudaDevAttrClockRate
#define gpuAttributeShared        cudaDevAttrMaxSharedMemoryPerBlockOptin
#define gpuAttributeThreads       cudaDevAttrMaxThreadsPerMultiProcessor
#define gpuOccupancy              cudaOccupancyMaxActiveBlocksPerMultiprocessor
#endif

/* Makes this GPU that of the calling thread, once its start in the background is over. */
gpuError_t gpu_use(int number);
/* Clocks a second of all its multiprocessors, at full speed; a guess where it does not say. Asked
 * once: an answer takes a driver up to 1 ms. */
double gpu_cycles(int number);

/* The error of a GPU that cannot be had. APSP_MEMORY: what `needs` stands for wants so many bytes;
 * APSP_DEVICE. */
struct apsp_error;
int gpu_refuse(int number, gpuError_t status, const char *needs, size_t bytes,
               struct apsp_error *error);

/* Ends the job with the device's exit code, naming rank, host, call, file and line. */
[[noreturn]] void gpu_fault(gpuError_t status, const char *call, const char *file, int line);

#define GPU_CHECK(call)                                                                            \
    do {                                                                                           \
        gpuError_t status_ = (call);                                                               \
        if (status_ != gpuSuccess)                                                                 \
            gpu_fault(status_, #call, __FILE__, __LINE__);                                         \
    } while (0)

/* For calls that release resources: results are complete by then, or a failure is reported, and a
 * failure here changes neither. It is not left for the check of the next launch. */
#define GPU_RELEASE(call)                                                                          \
    do {                                                                                           \
        if ((call) != gpuSuccess)                                                                  \
            (void)gpuGetLastError();                                                               \
    } while (0)

#endif
