/*
 * What it costs to be sure of a graph: its edges parsed, the same with their checksum, the same
 * with the hash of the file beside, and the hash alone, beside the ceiling of that, the bytes read
 * and left. In turn, RUNS times: build/bench/trace GRAPH [THREADS [RUNS]]
 */
#include "base/clock.h"
#include "graph/edges.h"

#include <omp.h>
#include <stdlib.h>

enum { PARSE, SUMS, HASHED, HASH, BYTES, KINDS, RUNS_MAX = 1000, PORTION = 1 << 18 };

static const char *const names[KINDS] = {"parse", "parse, checksum", "parse, hash beside",
                                         "hash alone", "bytes alone (ceiling of hash)"};

static void parse(struct graph *graph, bool summed, int threads, struct apsp_error *error)
{
    const int parts = 8 * threads;
    graph->summed = summed;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int p = 0; p < parts; p++) {
        static _Thread_local struct edge batch[EDGES_BATCH];
        struct graph_part *part;
        struct apsp_error own = {0};
        size_t count = 1;
        graph_part_open(&part, graph, p, parts, &own);
        while (!own.code && count > 0)
            graph_part_next(part, batch, EDGES_BATCH, &count, &own);
        graph_part_free(part);
#pragma omp critical
        if (own.code)
            *error = own;
    }
}

static void read_bytes(const struct file *file, int threads, struct apsp_error *error)
{
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t block = 0; block < hash_blocks(file->bytes); block++) {
        static _Thread_local char portion[PORTION];
        struct apsp_error own = {0};
        size_t end =
            (block + 1) * HASH_BLOCK < file->bytes ? (block + 1) * HASH_BLOCK : file->bytes;
        for (size_t at = block * HASH_BLOCK, length; at < end && !own.code; at += length) {
            length = end - at < PORTION ? end - at : PORTION;
            file_read(file, at, portion, length, &own);
        }
#pragma omp critical
        if (own.code)
            *error = own;
    }
}

static double run(struct graph *graph, int kind, int threads, struct apsp_error *error)
{
    struct hash hash;
    double begun = clock_seconds();
    struct hasher *hasher = kind == HASHED ? hash_start(&graph->file) : NULL;
    if (kind == HASH)
        hash_file(&hash, &graph->file, threads, error);
    else if (kind == BYTES)
        read_bytes(&graph->file, threads, error);
    else
        parse(graph, kind == SUMS, threads, error);
    hash_end(hasher, &hash);
    return clock_seconds() - begun;
}

static int ascending(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

int main(int argc, char **argv)
{
    static double seconds[KINDS][RUNS_MAX], ratio[KINDS][RUNS_MAX];
    struct apsp_error error = {0};
    struct graph graph;
    const int threads = argc > 2 ? atoi(argv[2]) : omp_get_max_threads(),
              asked = argc > 3 ? atoi(argv[3]) : 21,
              runs = asked < 1          ? 1
                     : asked < RUNS_MAX ? asked
                                        : RUNS_MAX;
    if (argc < 2)
        return fprintf(stderr, "trace GRAPH [THREADS [RUNS]]\n"), 2;
    graph_open(&graph, argv[1], NULL, false, &error);
    for (int r = 0; r < runs && !error.code; r++)
        for (int kind = 0; kind < KINDS; kind++) {
            seconds[kind][r] = run(&graph, kind, threads, &error);
            ratio[kind][r] = seconds[kind][r] / seconds[PARSE][r];
        }
    if (!error.code)
        printf("# %zu bytes, %d threads, median of %d runs in turn\n# %-30s %8s %8s %8s %14s\n",
               graph.file.bytes, threads, runs, "what", "seconds", "best", "GB/s",
               "ratio to parse");
    for (int kind = 0; kind < KINDS && !error.code; kind++) {
        double middle = median(seconds[kind], runs);
        printf("%-32s %8.4f %8.4f %8.2f %14.3f\n", names[kind], middle, seconds[kind][0],
               (double)graph.file.bytes / 1e9 / middle, median(ratio[kind], runs));
    }
    graph_close(&graph);
    if (error.code)
        fprintf(stderr, "%s\n", error.text);
    return error.code;
}
