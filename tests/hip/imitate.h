/*
 * Two habits of ROCm's runtime that CUDA's lacks, for the HIP build on an NVIDIA GPU; IMITATE names
 * them when it runs.
 *
 *   last    before ROCm 7 hipGetLastError() gives the result of the thread's last call, an event
 * that is not ready included, where CUDA gives the last error. events  up to ROCm 6 a wait for
 * another process's event returns at once (ROCm/hip issue 3778).
 *
 * Linked with -Wl,--wrap=__cudaPushCallConfiguration and imitate.cu: a launch is a call too.
 */
#ifndef IMITATE_H
#define IMITATE_H

#include <hip/hip_runtime.h>

#include <cstdlib>
#include <cstring>

namespace imitate
{

inline thread_local hipError_t last = hipSuccess;
inline thread_local hipEvent_t foreign[64];
inline thread_local int foreigners;

inline bool wanted(const char *habit)
{
    const char *habits = getenv("IMITATE");
    return habits && strstr(habits, habit);
}

inline hipError_t called(hipError_t status)
{
    return last = status;
}

inline hipError_t last_result()
{
    hipError_t error = hipGetLastError(), result = last;
    last = hipSuccess;
    return error == hipSuccess && wanted("last") ? result : error;
}

inline hipError_t open_event(hipEvent_t *event, hipIpcEventHandle_t handle)
{
    hipError_t status = hipIpcOpenEventHandle(event, handle);
    if (status == hipSuccess && foreigners < 64)
        foreign[foreigners++] = *event;
    return called(status);
}

inline hipError_t wait(hipStream_t stream, hipEvent_t event, unsigned flags)
{
    for (int i = 0; i < foreigners && wanted("events"); i++)
        if (foreign[i] == event)
            return called(hipSuccess);
    return called(hipStreamWaitEvent(stream, event, flags));
}

} // namespace imitate

#define hipGetLastError()            imitate::last_result()
#define hipIpcOpenEventHandle(...)   imitate::open_event(__VA_ARGS__)
#define hipStreamWaitEvent(...)      imitate::wait(__VA_ARGS__)
#define hipEventQuery(...)           imitate::called(hipEventQuery(__VA_ARGS__))
#define hipEventRecord(...)          imitate::called(hipEventRecord(__VA_ARGS__))
#define hipEventSynchronize(...)     imitate::called(hipEventSynchronize(__VA_ARGS__))
#define hipEventElapsedTime(...)     imitate::called(hipEventElapsedTime(__VA_ARGS__))
#define hipMemcpyAsync(...)          imitate::called(hipMemcpyAsync(__VA_ARGS__))
#define hipMemcpy2DAsync(...)        imitate::called(hipMemcpy2DAsync(__VA_ARGS__))
#define hipMemsetAsync(...)          imitate::called(hipMemsetAsync(__VA_ARGS__))
#define hipStreamSynchronize(...)    imitate::called(hipStreamSynchronize(__VA_ARGS__))
#define hipSetDevice(...)            imitate::called(hipSetDevice(__VA_ARGS__))
#define hipPointerGetAttributes(...) imitate::called(hipPointerGetAttributes(__VA_ARGS__))

#endif
