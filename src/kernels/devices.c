#include "kernels/device.h"

const struct device_ops *const devices[] = {
#ifdef APSP_GPU
    &device_gpu,
#endif
    &device_cpu,
    NULL,
};
