/* Which GPU it is, and its limit. */
#include "gpu.cuh"

#include "ceiling_gpu.h"
#include "paths.h"

extern "C" {
#include "kernels/device.h"
}

#include <cstdio>

bool lab_gpu(char *name, size_t room)
{
    gpuDeviceProp is;
    if (device_gpu.count() == 0) {
        snprintf(name, room, "none");
        return false;
    }
    GPU_CHECK(gpuSetDevice(0));
    GPU_CHECK(gpuGetDeviceProperties(&is, 0));
    snprintf(name, room, "%s, %d multiprocessors", is.name, is.multiProcessorCount);
    return true;
}

double lab_ceiling(int bytes)
{
    static double known[2];
    double *ceiling = &known[bytes == 2];
    if (*ceiling == 0)
        *ceiling = ceiling_gpu(bytes == 2 ? DTYPE_U16 : DTYPE_I32);
    return *ceiling;
}
