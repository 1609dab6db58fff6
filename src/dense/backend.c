#include "dense/backend.h"

#include "base/mem.h"

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

size_t backend_raw_bytes(const struct backend_plan *plan, size_t width)
{
    const size_t word = sizeof(uint32_t);
    size_t bytes = mem_bytes(mem_bytes(width, plan->n), dtype_info[plan->dtype].bytes);
    if (!plan->sums || !mem_add(&bytes, bytes, 2 * word - 1))
        return bytes;
    return bytes / word * word;
}
