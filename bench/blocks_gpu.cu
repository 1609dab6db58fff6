/*
 * blocks_gpu [-r REPEATS] [-w] GRAPH: rows of all vertices of an undirected graph, unweighted or
 * with -w weighted, in the memory of the GPU: apsp_blocks with APSP_ON_DEVICE, in the narrowest
 * type, by the sssp engine. Seconds, the least of the repetitions; beside them those of statistics,
 * which make no rows, and of filling as many bytes.
 */
#include "kernels/gpu/gpu.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

extern "C" {
#include "base/clock.h"
}

#include <apsp.h>

/* The bytes of all blocks, and of the largest. */
struct given {
    size_t bytes, most, blocks;
    int type;
};

static int add_block(void *user, const struct apsp_block *block)
{
    struct given *given = (struct given *)user;
    const size_t each = block->type == APSP_U16   ? 2
                        : block->type == APSP_I32 ? 4
                                                  : 8,
                 bytes = block->count * block->columns * each;
    given->bytes += bytes;
    given->most = bytes > given->most ? bytes : given->most;
    given->blocks++;
    given->type = block->type;
    return block->device < 0;
}

/* Seconds of filling `bytes`, in pieces of `piece`. */
static double fill(size_t bytes, size_t piece)
{
    void *memory;
    if (gpuMalloc(&memory, piece) != gpuSuccess)
        return NAN;
    GPU_CHECK(gpuMemset(memory, 0, piece));
    GPU_CHECK(gpuStreamSynchronize(0));
    const double begun = clock_seconds();
    for (size_t done = 0; done < bytes; done += piece)
        GPU_CHECK(gpuMemsetAsync(memory, 1, bytes - done < piece ? bytes - done : piece, 0));
    GPU_CHECK(gpuStreamSynchronize(0));
    const double seconds = clock_seconds() - begun;
    GPU_CHECK(gpuFree(memory));
    return seconds;
}

static void measure(struct apsp_solution *solution, int repeats, struct apsp_error *error)
{
    double rows = INFINITY, stats = INFINITY, filled = INFINITY;
    struct given given = {};
    for (int i = 0; i < repeats && !error->code; i++) {
        struct apsp_stats found;
        given = {};
        double begun = clock_seconds();
        if (apsp_blocks(solution, add_block, &given, APSP_PARALLEL | APSP_ON_DEVICE, error))
            return;
        rows = fmin(rows, clock_seconds() - begun);
        begun = clock_seconds();
        if (apsp_find_stats(solution, APSP_STATS_OUT, &found, error))
            return;
        stats = fmin(stats, clock_seconds() - begun);
        apsp_stats_free(&found);
        filled = fmin(filled, fill(given.bytes, given.most));
    }
    printf("rows %.4f s (%.1f GB in %zu blocks, type %d), statistics %.4f s, fill %.4f s (%.2f "
           "TB/s); rows beyond statistics %.2f TB/s\n",
           rows, (double)given.bytes * 1e-9, given.blocks, given.type, stats, filled,
           (double)given.bytes / filled * 1e-12, (double)given.bytes / (rows - stats) * 1e-12);
}

int main(int argc, char **argv)
{
    struct apsp_reading reading;
    struct apsp_options options;
    struct apsp_graph *graph = NULL;
    struct apsp_solution *solution = NULL;
    struct apsp_error error = {0, ""};
    int option, repeats = 5;
    apsp_reading_init(&reading);
    reading.undirected = reading.unweighted = 1;
    while ((option = getopt(argc, argv, "r:w")) != -1)
        if (option == 'r')
            repeats = atoi(optarg);
        else
            reading.unweighted = 0;
    apsp_options_init(&options);
    options.device = APSP_DEVICE_GPU;
    options.method = "sssp";
    options.output = APSP_NARROW;
    if (apsp_graph_read(&graph, argv[optind], &reading, &error) == APSP_OK &&
        apsp_solve(graph, &options, &solution, &error) == APSP_OK)
        measure(solution, repeats, &error);
    if (error.code)
        fprintf(stderr, "%s\n", error.text);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
    return error.code;
}
