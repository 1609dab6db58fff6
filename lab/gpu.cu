/* Which GPU it is, and its limit. */
#include "gpu.cuh"

#include "ceiling_gpu.h"
#include "paths.h"

extern "C" {
#include "kernels/device.h"
}

#include <cstdio>

int lab_gpus(void)
{
    return device_gpu.count();
}

bool lab_gpu(char *name, size_t room)
{
    gpuDeviceProp is;
    if (device_gpu.count() == 0) {
        snprintf(name, room, "none");
        return false;
    }
    GPU_CHECK(gpuSetDevice(0));
    GPU_CHECK(gpuFree(NULL)); /* starts it */
    GPU_CHECK(gpuGetDeviceProperties(&is, 0));
    snprintf(name, room, "%s, %d multiprocessors", is.name, is.multiProcessorCount);
    return true;
}

double lab_ceiling_gpu(int bytes)
{
    return ceiling_gpu(bytes == 2 ? DTYPE_U16 : DTYPE_I32, COMBINE_SUM);
}
