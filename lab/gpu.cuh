/* The common part of the GPU steps: memory of the device, its clock, and the occupancy of a kernel.
 */
#ifndef LAB_GPU_CUH
#define LAB_GPU_CUH

#include "lab.h"

#include "kernels/gpu/gpu.h"

/* Memory of the device, freed at the end of the scope. */
template <class T> struct device_array {
    T *at;
    explicit device_array(size_t count)
    {
        GPU_CHECK(gpuMalloc((void **)&at, count * sizeof(T)));
    }
    ~device_array()
    {
        (void)gpuFree(at);
    }
    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;
};

/* Rows of `width` values, to a pitch of their own. */
template <class T>
void copy_rows(T *to, size_t to_ld, const T *from, size_t from_ld, size_t width, size_t rows)
{
    GPU_CHECK(gpuMemcpy2DAsync(to, to_ld * sizeof(T), from, from_ld * sizeof(T), width * sizeof(T),
                               rows, gpuMemcpyDefault, 0));
    GPU_CHECK(gpuStreamSynchronize(0));
}

/* The device's clock: seconds between start() and stop(). */
struct device_clock {
    gpuEvent_t from, to;
    device_clock()
    {
        GPU_CHECK(gpuEventCreate(&from));
        GPU_CHECK(gpuEventCreate(&to));
    }
    ~device_clock()
    {
        (void)gpuEventDestroy(from);
        (void)gpuEventDestroy(to);
    }
    void start()
    {
        GPU_CHECK(gpuEventRecord(from, 0));
    }
    double stop()
    {
        float ms;
        GPU_CHECK(gpuGetLastError());
        GPU_CHECK(gpuEventRecord(to, 0));
        GPU_CHECK(gpuEventSynchronize(to));
        GPU_CHECK(gpuEventElapsedTime(&ms, from, to));
        return 1e-3 * ms;
    }
};

/* launch(c, a, b), of the problem's inputs of so many values each, with copies before and after. */
template <class T, class Launch>
void on_device(struct lab_problem *problem, struct lab_run *run, size_t values, Launch launch)
{
    device_array<T> a(values), b(values), c(problem->bytes / sizeof(T));
    device_clock clock;
    const double start = lab_now();
    GPU_CHECK(gpuMemcpy(a.at, problem->in[0], values * sizeof(T), gpuMemcpyHostToDevice));
    GPU_CHECK(gpuMemcpy(b.at, problem->in[1], values * sizeof(T), gpuMemcpyHostToDevice));
    clock.start();
    launch(c.at, a.at, b.at);
    run->seconds = clock.stop();
    GPU_CHECK(gpuMemcpy(problem->out, c.at, problem->bytes, gpuMemcpyDeviceToHost));
    run->whole = lab_now() - start;
}

/* Share of a multiprocessor's threads that can be there at once, by the runtime's calculator. */
template <class K> double occupancy(K *kernel, int threads, size_t shared)
{
    int blocks = 0, most = 0, device = 0;
    GPU_CHECK(gpuGetDevice(&device));
    GPU_CHECK(gpuOccupancy(&blocks, kernel, threads, shared));
    GPU_CHECK(gpuDeviceGetAttribute(&most, gpuAttributeThreads, device));
    return most ? (double)blocks * threads / most : 0;
}

/* The most shared memory that a block may have. */
static inline size_t shared_most()
{
    int bytes = 0, device = 0;
    GPU_CHECK(gpuGetDevice(&device));
    GPU_CHECK(gpuDeviceGetAttribute(&bytes, gpuAttributeShared, device));
    return (size_t)bytes;
}

#endif
