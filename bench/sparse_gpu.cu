/*
 * sparse_gpu [-t THREADS] [-d TYPE] [-n REPEATS] [-r] GRAPH: the GPU's part of the sparse engine.
 * Seconds of the way up the tree (the labels) and down it (expansion), by the device's clock, the
 * medians of some runs with statistics alone; and the relaxations a second of expansion beside the
 * device's ceiling. With -r all rows are made instead, and kept in the device's memory, in the
 * order of the vertices: seconds from the end of the labels.
 */
#include "ceiling_gpu.h"

extern "C" {
#include "sparse_steps.h"
}

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

extern "C" {
#include "base/clock.h"
#include "base/minmax.h"
#include "sparse/expander.h"
}

#include "rows/gpu/turn.h"
#include "sparse/gpu/expander.h"

enum { REPEATS_MOST = 99 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* On all rows, or counts of them alone. */
static int start_all(struct expander *expander, const struct steps *run, unsigned counts,
                     struct apsp_error *error)
{
    const size_t bytes = mem_bytes(run->tree.n, sizeof *run->tree.vertex);
    struct expander_request request = {};
    request.source = (uint32_t *)mem_alloc(bytes);
    if (!request.source)
        return error_set(error, APSP_MEMORY, "no memory for a list of %zu rows", run->tree.n);
    memcpy(request.source, run->tree.vertex, bytes);
    request.sources = run->tree.n;
    request.counts = counts;
    request.on_host = true;
    request.lanes = 1;
    return expander_start(expander, &request, error);
}

/* Statistics of all rows, once. */
static void count_all(struct expander *expander, const struct steps *run,
                      struct expander_times *times, double *sum)
{
    struct apsp_error error = {0, ""};
    struct block block;
    if (start_all(expander, run, APSP_STATS_OUT, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(error.code);
    }
    *sum = 0;
    while (expander_gpu.next(expander, 0, &block, &error))
        for (size_t r = 0; r < block.count; r++)
            *sum += (double)block.counts[r].sum.whole;
    expander_gpu.times(expander, times);
}

static void measure(struct expander *expander, const struct steps *run, int repeats)
{
    double up[REPEATS_MOST], down[REPEATS_MOST], sum = 0, n = (double)run->tree.n;
    for (int i = 0; i <= repeats; i++) { /* the first one warms up */
        struct expander_times times;
        count_all(expander, run, &times, &sum);
        up[i > 0 ? i - 1 : 0] = times.up;
        down[i > 0 ? i - 1 : 0] = times.down;
    }
    qsort(up, (size_t)repeats, sizeof *up, by_value);
    qsort(down, (size_t)repeats, sizeof *down, by_value);
    double seconds = down[repeats / 2], rate = run->tree.expand * n / seconds,
           ceiling = ceiling_gpu(run->dtype, COMBINE_SUM);
    printf(
        "%-4s n %zu, K %.2f: up %.3f ms, down %.3f ms (%.3f to %.3f): %.1f G distances/s, %.2f T "
        "relaxations/s "
        "of %.2f T: %.3f; sum %.15g\n",
        dtype_info[run->dtype].name, run->tree.n, run->tree.expand / n, up[repeats / 2] * 1e3,
        seconds * 1e3, down[0] * 1e3, down[repeats - 1] * 1e3, n * n / seconds * 1e-9, rate * 1e-12,
        ceiling * 1e-12, rate / ceiling, sum);
}

/* Rows of one group to the places of their vertices. */
static void turn_group(struct gpu_expander *gpu, const struct gpu_batch *batch, struct range rows,
                       const uint32_t *vertex, struct gpu_turned turned)
{
    struct convert_places places = {};
    const struct gpu_turn turn = {batch->rows, gpu->base.task->n, turned.dtype, gpu->held.position,
                                  rows,        gpu->stream};
    places.count = range_length(rows);
    for (size_t k = 0; k < places.count; k++) {
        places.row[k] = (uint32_t)k;
        places.place[k] = vertex[k];
    }
    turned.places = &places;
    gpu_turn(&turn, &turned);
}

/* All rows in the device's memory: batches, each transposed when it is there. */
static double keep_all(struct gpu_expander *gpu, const struct steps *run, void *rows)
{
    struct apsp_error error = {0, ""};
    const size_t n = run->tree.n, ld = (n + 63) / 64 * 64,
                 width = GPU_TURN_ROW / dtype_info[run->dtype].bytes;
    double seconds = 0;
    if (start_all(&gpu->base, run, 0, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(error.code);
    }
    gpuEvent_t transposed;
    GPU_CHECK(gpuEventCreate(&transposed));
    struct gpu_batch *batch = &gpu->batch[0];
    for (size_t first = 0; gpu_expander_launch(gpu, batch); first += batch->sources) {
        float all;
        for (size_t lo = 0; lo < batch->sources; lo += width)
            turn_group(gpu, batch, {lo, size_min(lo + width, batch->sources)},
                       run->tree.vertex + first + lo,
                       {run->dtype, false, 1, NULL, n, rows, ld, NULL});
        GPU_CHECK(gpuEventRecord(transposed, gpu->stream));
        GPU_CHECK(gpuEventSynchronize(transposed));
        GPU_CHECK(gpuEventElapsedTime(&all, batch->swept, transposed));
        seconds += 1e-3 * (double)all;
    }
    GPU_CHECK(gpuEventDestroy(transposed));
    return seconds;
}

static void measure_rows(struct expander *expander, const struct steps *run, int repeats)
{
    struct gpu_expander *gpu = (struct gpu_expander *)expander;
    const size_t n = run->tree.n, bytes = n * ((n + 63) / 64 * 64) * dtype_info[run->dtype].bytes;
    double seconds[REPEATS_MOST];
    void *rows = NULL;
    GPU_CHECK(gpuMalloc(&rows, bytes));
    for (int i = 0; i <= repeats; i++)
        seconds[i > 0 ? i - 1 : 0] = keep_all(gpu, run, rows);
    qsort(seconds, (size_t)repeats, sizeof *seconds, by_value);
    printf("%-4s n %zu: rows of %.1f GB kept in %.3f ms (%.3f to %.3f): %.1f G distances/s, %.2f T "
           "relaxations/s\n",
           dtype_info[run->dtype].name, n, (double)bytes * 1e-9, seconds[repeats / 2] * 1e3,
           seconds[0] * 1e3, seconds[repeats - 1] * 1e3,
           (double)n * (double)n / seconds[repeats / 2] * 1e-9,
           run->tree.expand * (double)n / seconds[repeats / 2] * 1e-12);
    GPU_CHECK(gpuFree(rows));
}

static int expand(struct steps *run, int repeats, bool rows, struct apsp_error *error)
{
    struct device device = {&device_gpu, 0, ""};
    struct engine_task task = {};
    const struct expander_shape shape = {1, false};
    struct expander *expander = NULL;
    struct comm *comm;
    if (comm_solo(&comm, error))
        return error->code;
    task.comm = comm;
    task.device = &device;
    task.threads = run->threads;
    task.n = run->tree.n;
    task.dtype = run->dtype;
    task.output = run->dtype;
    double begun = clock_seconds();
    if (expander_gpu.open(&expander, &task, &run->tree, &shape, error) == APSP_OK) {
        double opened = clock_seconds();
        expander->group = expander_gpu.width(run->dtype);
        expander_gpu.fill(expander, &run->panels, error);
        printf("open         %9.3f s\nfill         %9.3f s\n", opened - begun,
               clock_seconds() - opened);
    }
    if (error->code == APSP_OK)
        (rows ? measure_rows : measure)(expander, run, repeats);
    expander_free(expander);
    comm_free(comm);
    return error->code;
}

int main(int argc, char **argv)
{
    struct steps run = {};
    struct apsp_error error = {0, ""};
    int repeats = 3;
    bool rows = false;
    run.threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    run.dtype = DTYPE_I32;
    run.kappa = SIZE_MAX - 1; /* no core */
    for (int c; (c = getopt(argc, argv, "t:d:n:r")) != -1;)
        if (c == 't')
            run.threads = atoi(optarg);
        else if (c == 'n' && atoi(optarg) > 0 && atoi(optarg) < REPEATS_MOST)
            repeats = atoi(optarg);
        else if (c == 'd' && dtype_find(optarg) >= 0)
            run.dtype = (enum dtype)dtype_find(optarg);
        else if (c == 'r')
            rows = true;
        else
            return 2;
    if (optind + 1 != argc)
        return 2;
    if (device_gpu.count() == 0) {
        printf("skip: no GPU\n");
        return 77;
    }
    if (steps_make(&run, argv[optind], &error) || expand(&run, repeats, rows, &error))
        fprintf(stderr, "%s\n", error.text);
    steps_free(&run);
    return error.code;
}
