#include "dense/backend.h"

const struct backend_ops *const backends[] = {
    &backend_cpu,
#ifdef APSP_GPU
    &backend_gpu,
#endif
    NULL,
};

const struct backend_ops *backend_of(const struct device_ops *device)
{
    const struct backend_ops *const *row = backends;
    while (*row && (*row)->device != device)
        row++;
    return *row;
}
