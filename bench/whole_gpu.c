/*
 * What a whole run on a GPU is measured against (gpu_whole.sh):
 *   whole_gpu start          starts MPI and the GPU and ends: what any such program pays
 *   whole_gpu write N FILE   writes N x N distances by output.c with as many threads as a run, from memory;
 * prints seconds
 */
#include "base/clock.h"
#include "rows/output.h"

#include <stdlib.h>
#include <string.h>

static void fake_fetch(struct backend *backend, int lane, struct range rows, void *buffer,
                       struct block *block)
{
    (void)lane;
    (void)rows;
    block->stride = backend->plan.n;
    block->values = buffer;
}

static bool copies(const struct backend_plan *plan)
{
    (void)plan;
    return true;
}

static int write_matrix(struct comm *comm, size_t n, const char *path, struct apsp_error *error)
{
    const struct strip_ops strip = {.fetch = fake_fetch, .fetch_copies = copies};
    struct backend backend = {.strip = &strip,
                              .plan = {.n = n, .rows = {0, n}, .dtype = DTYPE_I32, .output = DTYPE_I32}};
    const struct output_rows rows = output_backend_rows(&backend, &device_cpu);
    struct output *output = NULL;
    double start = clock_seconds();
    if (output_open(&output, comm, path, "", n, DTYPE_I32, true, error) == APSP_OK &&
        output_write(output, &rows, error) == APSP_OK && output_commit(output, error) == APSP_OK)
        printf("%.3f\n", clock_seconds() - start);
    output_free(output);
    return error->code;
}

static void start_device(void)
{
    if (device_gpu.count() > 0)
        device_gpu.host_free(device_gpu.host_alloc(1));
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
