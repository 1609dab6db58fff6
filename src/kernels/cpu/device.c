#include "kernels/device.h"

#include "base/mem.h"

static int cpu_count(void)
{
    return 1;
}

static bool cpu_locate(int number, char *text, size_t size)
{
    (void)number;
    if (size > 0)
        *text = '\0';
    return true;
}

static void cpu_start(int number)
{
    (void)number;
}

static void *cpu_host_alloc(int number, size_t bytes)
{
    (void)number;
    return mem_alloc(bytes);
}

const struct device_ops device_cpu = {
    .name = "cpu",
    .title = "CPU",
    .count = cpu_count,
    .locate = cpu_locate,
    .start = cpu_start,
    .host_alloc = cpu_host_alloc,
    .host_free = mem_free,
};
