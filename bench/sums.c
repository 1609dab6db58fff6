/*
 * What word sums (kernels/sums.h) cost on the cores: `sums TYPE N [RUNS]`. Solves of a random graph of degree
 * 8 with sums and without, by turns in one process and one thread; the shortest of each in processor time,
 * beside the limit.
 */
#include "base/random.h"
#include "dense/check.h"
#include "dense/rounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { DEGREE = 8, RUNS = 15 };
#define LIMIT 3.0 /* per cent */

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fill(struct backend *backend)
{
    uint64_t state = 1;
    uint32_t n = (uint32_t)backend->plan.n;
    size_t parallel = 0;
    for (uint32_t e = 0; e < DEGREE * n; e++) {
        struct edge edge = {e / DEGREE, random_below(&state, n), {.whole = 0}};
        int64_t weight = random_below(&state, 1000) + 1;
        if (dtype_info[backend->plan.dtype].real)
            edge.weight.real = (double)weight * 0.7;
        else
            edge.weight.whole = weight;
        if (edge.from != edge.to)
            backend->strip->build(backend, &edge, 1, &parallel);
    }
}

/* Processor time of a solve; ends the process when the sums do not agree. */
static double solve(enum dtype dtype, size_t n, bool sums)
{
    struct backend_plan plan = {.n = n,
                                .rows = {0, n},
                                .tile = backend_cpu.strip->tile(n, 1, dtype),
                                .dtype = dtype,
                                .output = dtype_info[dtype].output,
                                .threads = 1,
                                .ranks = 1,
                                .sums = sums};
    struct backend *backend;
    struct schedule schedule;
    struct apsp_error error = {0};
    struct progress progress = {0};
    struct rounds_times times;
    struct comm alone = {0};
    if (!schedule_dense(&schedule, n, 1, plan.tile) || backend_cpu.strip->open(&backend, &plan, &error))
        exit(APSP_MEMORY);
    fill(backend);
    double begun = cpu_seconds();
    rounds_run(&schedule, backend, NULL, 0, &progress, &times);
    double seconds = cpu_seconds() - begun;
    if (sums && check_sums(backend, &schedule, &alone, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(error.code);
    }
    backend_cpu.strip->free(backend);
    schedule_free(&schedule);
    return seconds;
}

int main(int argc, char **argv)
{
    int dtype = argc > 2 ? dtype_find(argv[1]) : -1, runs = argc > 3 ? atoi(argv[3]) : RUNS;
    size_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    double best[2] = {1e9, 1e9};
    if (dtype < 0 || n == 0) {
        fprintf(stderr, "usage: sums TYPE N [RUNS]\n");
        return 2;
    }
    for (int run = 0; run < runs; run++)
        for (int sums = 0; sums < 2; sums++) {
            double seconds = solve((enum dtype)dtype, n, sums);
            best[sums] = seconds < best[sums] ? seconds : best[sums];
        }
    printf("%-4s %8zu %10.4f %10.4f %8.2f %% %6.1f %%\n", argv[1], n, best[0], best[1],
           100 * (best[1] / best[0] - 1), LIMIT);
    return 0;
}
