/* The GPU as a device: how many there are, where, starting it, pinned memory; and how a fault of it
 * ends the job. */
#include "kernels/gpu/gpu.h"

extern "C" {
#include "base/error.h"
#include "base/fault.h"
#include "base/text.h"
#include "kernels/device.h"
}

#include <atomic>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <pthread.h>

[[noreturn]] void gpu_fault(gpuError_t status, const char *call, const char *file, int line)
{
    const char *slash = strrchr(file, '/');
    fault(APSP_DEVICE, "GPU fault: %s in %s, %s:%d", gpuGetErrorString(status), call,
          slash ? slash + 1 : file, line);
}

int gpu_refuse(int number, gpuError_t status, const char *needs, size_t bytes,
               struct apsp_error *error)
{
    char needed[TEXT_NUMBER], rest[TEXT_NUMBER];
    size_t available = 0, all = 0;
    (void)gpuGetLastError();
    if (status != gpuErrorMemoryAllocation)
        return error_set(error, APSP_DEVICE, "GPU %d cannot be used: %s", number,
                         gpuGetErrorString(status));
    (void)gpuMemGetInfo(&available, &all);
    return error_set(error, APSP_MEMORY, "GPU %d: %s %s, and %s are free", number, needs,
                     text_bytes(needed, bytes), text_bytes(rest, available));
}

static bool locate_gpu(int number, char *text, size_t size)
{
    bool found = gpuDeviceGetPCIBusId(text, (int)size, number) == gpuSuccess;
    for (char *c = text; found && *c; c++) /* as the system writes it */
        *c = (char)tolower((unsigned char)*c);
    if (!found)
        (void)gpuGetLastError();
    return found;
}

/* The first call that looks for devices, and the first that needs one, take a tenth of a second
 * each and more: threads make them while the host does other things. Ranks that are threads start a
 * device each. */
enum { DEVICES = 64 };
static struct starter {
    pthread_t thread;
    bool there;
} looking, starting[DEVICES];
static pthread_mutex_t finishing =
    PTHREAD_MUTEX_INITIALIZER; /* several threads may come to need it */

static void finish_start(struct starter *starter)
{
    pthread_mutex_lock(&finishing);
    if (starter->there)
        pthread_join(starter->thread, NULL);
    starter->there = false;
    pthread_mutex_unlock(&finishing);
}

static void finish_all(void)
{
    for (struct starter &starter : starting)
        finish_start(&starter);
}

static void begin_start(struct starter *starter, void *(*start)(void *), void *self)
{
    static bool registered;
    pthread_mutex_lock(&finishing);
    if (!registered)
        registered = atexit(finish_all) == 0;
    if (!starter->there)
        starter->there = pthread_create(&starter->thread, NULL, start, self) == 0;
    pthread_mutex_unlock(&finishing);
}

static int count_now()
{
    int count = 0;
    if (gpuGetDeviceCount(&count) != gpuSuccess) {
        (void)gpuGetLastError();
        return 0;
    }
    return count;
}

static void *look(void *)
{
    (void)count_now();
    return NULL;
}

static void look_for_gpus(void)
{
    begin_start(&looking, look, NULL);
}

static int count_gpus()
{
    finish_start(&looking);
    return count_now();
}

static void *start_device(void *number)
{
    if (gpuSetDevice((int)(intptr_t)number) != gpuSuccess || gpuFree(NULL) != gpuSuccess)
        (void)gpuGetLastError(); /* gpu_use() will meet it again */
    return NULL;
}

static void start_gpu(int number)
{
    if (number < DEVICES)
        begin_start(&starting[number], start_device, (void *)(intptr_t)number);
}

gpuError_t gpu_use(int number)
{
    if (number < DEVICES)
        finish_start(&starting[number]);
    return gpuSetDevice(number);
}

double gpu_cycles(int number)
{
    static std::atomic<double> known[DEVICES];
    const double guess = 2e11;
    int processors = 0, kilohertz = 0;
    if (number < DEVICES && known[number] > 0)
        return known[number];
    if (gpuDeviceGetAttribute(&processors, gpuAttributeProcessors, number) != gpuSuccess ||
        gpuDeviceGetAttribute(&kilohertz, gpuAttributeClock, number) != gpuSuccess) {
        (void)gpuGetLastError();
        return guess;
    }
    const double cycles = 1e3 * processors * kilohertz;
    if (number < DEVICES)
        known[number] = cycles;
    return cycles;
}

static void *alloc_pinned(int number, size_t bytes)
{
    void *memory = NULL;
    GPU_CHECK(gpuSetDevice(number));
    if (gpuHostAlloc(&memory, bytes) == gpuSuccess)
        return memory;
    (void)gpuGetLastError();
    return NULL;
}

static void free_pinned(void *memory)
{
    if (memory)
        GPU_RELEASE(gpuHostFree(memory));
}

static void *alloc_device(int number, size_t bytes)
{
    void *memory = NULL;
    GPU_CHECK(gpu_use(number));
    if (gpuMalloc(&memory, bytes) == gpuSuccess)
        return memory;
    (void)gpuGetLastError();
    return NULL;
}

static void free_device(int number, void *memory)
{
    GPU_RELEASE(gpuSetDevice(number));
    GPU_RELEASE(gpuFree(memory));
}

static void write_device(int number, void *to, const void *from, size_t bytes)
{
    GPU_CHECK(gpuSetDevice(number));
    GPU_CHECK(gpuMemcpy(to, from, bytes, gpuMemcpyHostToDevice));
}

/* Makes the GPU that has this memory the calling thread's: a default stream is that GPU's. */
static gpuError_t use_owner(const void *memory, int *number)
{
    gpuPointerAttributes of = {};
    const gpuError_t status = gpuPointerGetAttributes(&of, memory);
    *number = of.device;
    if (status != gpuSuccess)
        return status;
    return of.device < 0 ? gpuErrorInvalidValue : gpuSetDevice(of.device);
}

static gpuError_t wait_for(const void *memory, void *stream, int *number)
{
    int before = 0;
    gpuError_t status = gpuGetDevice(&before);
    if (status == gpuSuccess)
        status = use_owner(memory, number);
    if (status == gpuSuccess)
        status = gpuStreamSynchronize((gpuStream_t)stream);
    (void)gpuSetDevice(before);
    return status;
}

static int wait_device(int *number, const void *memory, void *stream, struct apsp_error *error)
{
    const gpuError_t status = wait_for(memory, stream, number);
    if (status == gpuSuccess)
        return APSP_OK;
    (void)gpuGetLastError();
    return error_set(error, APSP_DEVICE, "the memory is not that of a GPU that can be used: %s",
                     gpuGetErrorString(status));
}

static int read_device(void *to, const void *from, size_t bytes, void *stream,
                       struct apsp_error *error)
{
    int number;
    if (bytes == 0)
        return APSP_OK;
    gpuError_t status = wait_for(from, stream, &number);
    if (status == gpuSuccess)
        status = gpuMemcpy(to, from, bytes, gpuMemcpyDeviceToHost);
    if (status == gpuSuccess)
        return APSP_OK;
    (void)gpuGetLastError();
    return error_set(error, APSP_DEVICE, "%zu bytes cannot be read from the GPU: %s", bytes,
                     gpuGetErrorString(status));
}

static bool reaches_device(int number, int other)
{
    int reachable = number == other;
    if (reachable)
        return true;
    GPU_CHECK(gpuSetDevice(number));
    GPU_CHECK(gpuDeviceCanAccessPeer(&reachable, number, other));
    const gpuError_t status = reachable ? gpuDeviceEnablePeerAccess(other, 0) : gpuSuccess;
    if (status == gpuErrorPeerAccessAlready)
        (void)gpuGetLastError();
    else
        GPU_CHECK(status);
    return reachable;
}

extern "C" const struct device_ops device_gpu = {
    .name = "gpu",
    .title = "GPU",
    .look = look_for_gpus,
    .count = count_gpus,
    .locate = locate_gpu,
    .start = start_gpu,
    .host_alloc = alloc_pinned,
    .host_free = free_pinned,
    .alloc = alloc_device,
    .free = free_device,
    .write = write_device,
    .wait = wait_device,
    .read = read_device,
    .reaches = reaches_device,
};
