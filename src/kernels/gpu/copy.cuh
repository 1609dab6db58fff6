/* Arrays that go to a device, and sums (base/fixed.h) that come from there, without a stream. They
 * return the runtime's error. */
#ifndef KERNELS_GPU_COPY_CUH
#define KERNELS_GPU_COPY_CUH

#include "kernels/gpu/gpu.h"

extern "C" {
#include "base/error.h"
#include "base/fixed.h"
}

#include <vector>

template <class T> gpuError_t gpu_upload(const T *to, const void *from, size_t count)
{
    return count == 0 ? gpuSuccess
                      : gpuMemcpy((void *)to, from, count * sizeof *to, gpuMemcpyHostToDevice);
}

/* Adds sum k of a device to that with the number place(k); it is zero then. After an error, which
 * stays, nothing is added. */
template <class Place>
void gpu_move_sums(struct fixed_sum *to, struct fixed_sum *sum, size_t count, const Place &place,
                   gpuError_t *status)
{
    std::vector<struct fixed_sum> own(count);
    if (count > 0 && *status == gpuSuccess)
        *status = gpuMemcpy(own.data(), sum, count * sizeof *sum, gpuMemcpyDeviceToHost);
    if (count > 0 && *status == gpuSuccess)
        *status = gpuMemset(sum, 0, count * sizeof *sum);
    for (size_t k = 0; k < count && *status == gpuSuccess; k++) {
        to[place(k)].coarse += own[k].coarse;
        to[place(k)].fine += own[k].fine;
    }
}

/* The end of such copies, for which streams of workers do not wait: APSP_DEVICE. */
static inline int gpu_settle(int number, gpuError_t status, struct apsp_error *error)
{
    if (status == gpuSuccess)
        status = gpuStreamSynchronize(NULL);
    if (status == gpuSuccess)
        return APSP_OK;
    (void)gpuGetLastError();
    return error_set(error, APSP_DEVICE, "GPU %d cannot be used: %s", number,
                     gpuGetErrorString(status));
}

#endif
