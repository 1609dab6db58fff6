/*
 * What a whole run on a GPU is measured against (gpu_whole.sh):
 *   whole_gpu start          starts the GPU and ends: what any such program pays
 *   whole_gpu write N FILE   writes N x N distances by the sink of a run, in as many lanes, from
 * memory; prints seconds
 */
#include "base/clock.h"
#include "base/mem.h"
#include "files/staged.h"
#include "kernels/device.h"
#include "rows/rows.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 4, CHUNK = 16 << 20 };

struct making {
    size_t n, step, next;
    void *buffer[LANES];
};

static bool next_rows(void *self, int lane, struct block *block, struct apsp_error *error)
{
    struct making *making = self;
    size_t lo = __atomic_fetch_add(&making->next, making->step, __ATOMIC_RELAXED),
           left = making->n - lo;
    if (lo >= making->n)
        return false;
    if (!making->buffer[lane])
        making->buffer[lane] = mem_alloc(making->step * making->n * sizeof(int32_t));
    *block = (struct block){.n = making->n,
                            .count = left < making->step ? left : making->step,
                            .first = lo,
                            .dtype = DTYPE_I32,
                            .values = making->buffer[lane],
                            .stride = making->n};
    return making->buffer[lane] || (error_set(error, APSP_MEMORY, "no memory for rows"), false);
}

static int write_matrix(struct comm *comm, size_t n, const char *path, struct apsp_error *error)
{
    const struct results results = {.distances = path, .force = true};
    const struct sink_task task = {.results = &results, .comm = comm, .n = n, .dtype = DTYPE_I32};
    struct making making = {.n = n, .step = CHUNK / sizeof(int32_t) / n + 1};
    struct rows_maker maker = {.self = &making, .lanes = LANES, .rows = n, .next = next_rows};
    struct progress progress = {0};
    struct sinks sinks;
    double start = clock_seconds();
    sinks_choose(&sinks, &task);
    if (sinks_open(&sinks, error) == APSP_OK &&
        rows_pass(&maker, &sinks, &progress, error) == APSP_OK &&
        staged_publish(sinks_file(&sinks, 0), STAGED_TARGET, error) == APSP_OK)
        printf("%.3f\n", clock_seconds() - start);
    sinks_close(&sinks);
    return error->code;
}

static void start_device(void)
{
    if (device_gpu.count() > 0)
        device_gpu.host_free(device_gpu.host_alloc(0, 1));
}

int main(int argc, char **argv)
{
    struct apsp_error error = {0};
    struct comm *comm = NULL;
    if (comm_init(&comm, 0, &error) == APSP_OK) {
        if (argc == 4 && strcmp(argv[1], "write") == 0)
            write_matrix(comm, strtoull(argv[2], NULL, 10), argv[3], &error);
        else
            start_device();
    }
    if (error.code)
        fprintf(stderr, "%s\n", error.text);
    comm_free(comm);
    comm_finish();
    return error.code;
}
