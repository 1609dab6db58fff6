/*
 * The language of kernels and the GPU's runtime, on the processor: as much of them as src/ and its
 * tests use, so that the GPU's code is run where there is no GPU. The compiler beside this file
 * turns launches into calls; NAME(x) is cudax or hipx (include/). docs/internals/testing.md says
 * what emulation shows and what it cannot show.
 *
 * Rare behaviour of a GPU happens here all the time. Threads of a block run in a random order
 * between their meetings, and so do blocks. Streams run as far behind the host as they can be, and
 * in any order that events allow. Memory has random contents when it is given out. Speed means
 * nothing.
 *
 * Among the waves of a block memory may have a weak order (weak.h).
 *
 * EMULATED_GPUS (2) says how many there are, EMULATED_MEMORY how many bytes each has, EMULATED_SEED
 * which orders, IMITATE which habits of ROCm they have (tests/hip/imitate.h, where a GPU of
 * NVIDIA's has them). With EMULATED_LEAKS=1 a process that ends with memory of a GPU is aborted.
 */
#ifndef EMULATED_H
#define EMULATED_H

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
/* Both builds take AMD's words for lanes that run together: CUDA's have assembly in them. */
#define __HIP_PLATFORM_AMD__         1
#define __AMDGCN_WAVEFRONT_SIZE      EMULATED_LANES
#define __HIP_MEMORY_SCOPE_WORKGROUP 0
#define __HIP_MEMORY_SCOPE_AGENT     0

struct uint2 {
    unsigned x, y;
};
struct uint3 {
    unsigned x, y, z;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z)
    {
    }
};

extern "C" {

enum NAME(Error_t) {
    NAME(Success) = 0,
    NAME(ErrorInvalidValue) = 1,
    NAME(ErrorMemoryAllocation) = 2,
    NAME(ErrorInvalidDevice) = 101,
    NAME(ErrorNotReady) = 600,
    NAME(ErrorPeerAccessAlreadyEnabled) = 704,
};
enum NAME(MemcpyKind) {
    NAME(MemcpyHostToDevice) = 1,
    NAME(MemcpyDeviceToHost) = 2,
    NAME(MemcpyDeviceToDevice) = 3,
    NAME(MemcpyDefault) = 4,
};
enum NAME(FuncAttribute) { NAME(FuncAttributeMaxDynamicSharedMemorySize) = 8 };
enum emulated_attribute { NAME_PROCESSORS, NAME_CLOCK, NAME_SHARED };
enum {
    NAME(StreamNonBlocking) = 1,
    NAME(EventDisableTiming) = 2,
    NAME(EventInterprocess) = 4,
    NAME(HostRegisterDefault) = 0,
    NAME_HOST_PORTABLE = 1,
    NAME(IpcMemLazyEnablePeerAccess) = 1,
};

typedef struct emulated_stream *NAME(Stream_t);
typedef struct emulated_event *NAME(Event_t);
typedef struct {
    int process, file;
    size_t bytes;
} NAME(IpcMemHandle_t), NAME(IpcEventHandle_t);
struct NAME_PROPERTIES {
    char name[256];
    size_t totalGlobalMem;
    int multiProcessorCount;
};
struct NAME_ATTRIBUTES {
    int device;
};

typedef enum NAME(Error_t) emulated_error;
const char *NAME(GetErrorString)(emulated_error error);
emulated_error NAME(GetLastError)(void);
emulated_error NAME(GetDeviceCount)(int *count);
emulated_error NAME(SetDevice)(int device);
emulated_error NAME(GetDevice)(int *device);
emulated_error NAME(DeviceGetAttribute)(int *value, enum emulated_attribute attribute, int device);
emulated_error NAME(GetDeviceProperties)(struct NAME_PROPERTIES *properties, int device);
emulated_error NAME(DeviceCanAccessPeer)(int *can, int device, int peer);
emulated_error NAME(DeviceEnablePeerAccess)(int peer, unsigned flags);
emulated_error NAME(DeviceGetPCIBusId)(char *text, int size, int device);
emulated_error NAME(DeviceGetByPCIBusId)(int *device, const char *text);
emulated_error NAME(DeviceGetStreamPriorityRange)(int *lowest, int *highest);
emulated_error NAME(MemGetInfo)(size_t *available, size_t *all);
emulated_error NAME(PointerGetAttributes)(struct NAME_ATTRIBUTES *attributes, const void *memory);
emulated_error NAME(Malloc)(void **memory, size_t bytes);
emulated_error NAME(Free)(void *memory);
emulated_error NAME_HOST_ALLOC(void **memory, size_t bytes, unsigned flags);
emulated_error NAME_HOST_FREE(void *memory);
emulated_error NAME(HostRegister)(void *memory, size_t bytes, unsigned flags);
emulated_error NAME(HostUnregister)(void *memory);
emulated_error NAME(Memset)(void *to, int value, size_t bytes);
emulated_error NAME(MemsetAsync)(void *to, int value, size_t bytes, NAME(Stream_t) stream);
emulated_error NAME(Memcpy)(void *to, const void *from, size_t bytes, enum NAME(MemcpyKind) kind);
emulated_error NAME(MemcpyAsync)(void *to, const void *from, size_t bytes,
                                 enum NAME(MemcpyKind) kind, NAME(Stream_t) stream);
emulated_error NAME(Memcpy2DAsync)(void *to, size_t to_pitch, const void *from, size_t pitch,
                                   size_t width, size_t rows, enum NAME(MemcpyKind) kind,
                                   NAME(Stream_t) stream);
emulated_error NAME(StreamCreateWithPriority)(NAME(Stream_t) * stream, unsigned flags,
                                              int priority);
emulated_error NAME(StreamDestroy)(NAME(Stream_t) stream);
emulated_error NAME(StreamSynchronize)(NAME(Stream_t) stream);
emulated_error NAME(StreamWaitEvent)(NAME(Stream_t) stream, NAME(Event_t) event, unsigned flags);
emulated_error NAME(EventCreate)(NAME(Event_t) * event);
emulated_error NAME(EventCreateWithFlags)(NAME(Event_t) * event, unsigned flags);
emulated_error NAME(EventDestroy)(NAME(Event_t) event);
emulated_error NAME(EventRecord)(NAME(Event_t) event, NAME(Stream_t) stream);
emulated_error NAME(EventQuery)(NAME(Event_t) event);
emulated_error NAME(EventSynchronize)(NAME(Event_t) event);
emulated_error NAME(EventElapsedTime)(float *milliseconds, NAME(Event_t) from, NAME(Event_t) to);
emulated_error NAME(FuncSetAttribute)(const void *kernel, enum NAME(FuncAttribute) attribute,
                                      int value);
emulated_error NAME(IpcGetMemHandle)(NAME(IpcMemHandle_t) * handle, void *memory);
emulated_error NAME(IpcOpenMemHandle)(void **memory, NAME(IpcMemHandle_t) handle, unsigned flags);
emulated_error NAME(IpcCloseMemHandle)(void *memory);
emulated_error NAME(IpcGetEventHandle)(NAME(IpcEventHandle_t) * handle, NAME(Event_t) event);
emulated_error NAME(IpcOpenEventHandle)(NAME(Event_t) * event, NAME(IpcEventHandle_t) handle);
}

namespace emulated
{

/* The thread that runs. */
struct lane {
    uint3 thread, block;
    dim3 threads, blocks;
};
extern struct lane here;

void *shared();             /* of the block, as large as its launch has asked for */
void barrier();             /* of the block */
void meet();                /* of the lanes that run together */
void fence(int order);      /* of all memory, for this wave: an order of __atomic_* */
void touch(const void *at); /* before the bytes there are read or written at once */
/* Meets; what the lane gave that is so many away by xor, or that has this number. */
int64_t of_other(int64_t own, unsigned away);
int64_t of_lane(int64_t own, unsigned lane);

void launch(const void *kernel, dim3 blocks, dim3 threads, size_t shared, NAME(Stream_t) stream,
            std::function<void()> block);

/* The compiler's translation of a launch: launcher(kernel, blocks, threads, shared,
 * stream)(arguments). */
template <class... P>
auto launcher(void (*kernel)(P...), dim3 blocks, dim3 threads, size_t shared, NAME(Stream_t) stream)
{
    return [=](P... work) {
        launch((const void *)kernel, blocks, threads, shared, stream, [=] { kernel(work...); });
    };
}

} // namespace emulated

#define threadIdx emulated::here.thread
#define blockIdx  emulated::here.block
#define blockDim  emulated::here.threads
#define gridDim   emulated::here.blocks

#define __syncthreads()                 emulated::barrier()
#define __builtin_amdgcn_wave_barrier() emulated::meet()
#define __builtin_amdgcn_fence(order, scope)                                                       \
    (scope[0] == 'w' && scope[1] == 'a' ? (void)0 : emulated::fence(order)) /* not of a wavefront  \
                                                                             */
#define __builtin_amdgcn_readfirstlane(value)       emulated::of_lane((value), 0)
#define __shfl(v, lane)                             ((int)emulated::of_lane((v), (unsigned)(lane)))
#define __shfl_xor(value, away)                     ((int)emulated::of_other((value), (away)))
#define __hip_atomic_load(at, order, scope)         emulated::load((at), (order))
#define __hip_atomic_store(at, value, order, scope) emulated::store((at), (value), (order))

/* One thread runs at a time, so they need not be atomic; they are no stores for weak.h. */
#define EMULATED_ATOMIC __attribute__((no_sanitize("thread"), noinline))
namespace emulated
{
template <class T> EMULATED_ATOMIC T load(const T *at, int order)
{
    touch(at);
    const T value = *at;
    fence(order == __ATOMIC_ACQUIRE ? order : __ATOMIC_RELAXED);
    return value;
}
template <class T> EMULATED_ATOMIC void store(T *at, T value, int order)
{
    fence(order == __ATOMIC_RELEASE ? order : __ATOMIC_RELAXED);
    touch(at);
    *at = value;
}
} // namespace emulated

inline bool __all(bool condition)
{
    int64_t all = condition;
    for (unsigned away = 1; away < EMULATED_LANES; away *= 2)
        all &= emulated::of_other(all, away);
    return all;
}

inline uint64_t __ballot(bool condition)
{
    uint64_t all = (uint64_t)condition << threadIdx.x % EMULATED_LANES;
    for (unsigned away = 1; away < EMULATED_LANES; away *= 2)
        all |= (uint64_t)emulated::of_other((int64_t)all, away);
    return all;
}
inline void __threadfence()
{
    emulated::fence(__ATOMIC_ACQ_REL);
}

inline int __popc(unsigned bits)
{
    return std::popcount(bits);
}
inline int __popcll(unsigned long long bits)
{
    return std::popcount(bits);
}
inline int __ffs(int bits)
{
    return __builtin_ffs(bits);
}
inline int __ffsll(long long bits)
{
    return __builtin_ffsll(bits);
}

inline int min(int a, int b)
{
    return a < b ? a : b;
}
inline unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}
inline int max(int a, int b)
{
    return a > b ? a : b;
}

inline int __float_as_int(float value)
{
    return std::bit_cast<int>(value);
}
inline unsigned __float_as_uint(float value)
{
    return std::bit_cast<unsigned>(value);
}
inline float __int_as_float(int bits)
{
    return std::bit_cast<float>(bits);
}
inline long long __double_as_longlong(double value)
{
    return std::bit_cast<long long>(value);
}
inline double __longlong_as_double(long long bits)
{
    return std::bit_cast<double>(bits);
}
inline int __double2loint(double value)
{
    return (int)__double_as_longlong(value);
}
inline int __double2hiint(double value)
{
    return (int)(__double_as_longlong(value) >> 32);
}
inline unsigned __vmaxu2(unsigned a, unsigned b)
{
    unsigned low = (a & 0xffff) > (b & 0xffff) ? a & 0xffff : b & 0xffff;
    return low | ((a >> 16) > (b >> 16) ? a >> 16 : b >> 16) << 16;
}

template <class T> EMULATED_ATOMIC T atomicAdd(T *at, T value)
{
    emulated::touch(at);
    T old = *at;
    *at = old + value;
    return old;
}
inline unsigned atomicAdd(unsigned *at, int value)
{
    return atomicAdd(at, (unsigned)value);
}
template <class T> EMULATED_ATOMIC T atomicMin(T *at, T value)
{
    emulated::touch(at);
    T old = *at;
    *at = old < value ? old : value;
    return old;
}
template <class T> EMULATED_ATOMIC T atomicMax(T *at, T value)
{
    emulated::touch(at);
    T old = *at;
    *at = old > value ? old : value;
    return old;
}
template <class T> EMULATED_ATOMIC T atomicOr(T *at, T value)
{
    emulated::touch(at);
    T old = *at;
    *at = old | value;
    return old;
}
template <class T> EMULATED_ATOMIC T atomicAnd(T *at, T value)
{
    emulated::touch(at);
    T old = *at;
    *at = old & value;
    return old;
}
EMULATED_ATOMIC inline unsigned atomicCAS(unsigned *at, unsigned expected, unsigned value)
{
    emulated::touch(at);
    unsigned old = *at;
    *at = old == expected ? value : old;
    return old;
}

#endif
