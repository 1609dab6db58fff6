/*
 * What word sums (kernels/sums.h) cost on the cores: `sums TYPE N [RUNS]`. Solves of a random graph
 * of degree 8 in one thread: in each run one without sums, one with them and one without, a line
 * each with the milliseconds of processor time. bench/paranoid.sh says what they add up to.
 */
#include "base/random.h"
#include "dense/check.h"
#include "dense/rounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { DEGREE = 8, RUNS = 15 };

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
    if (!schedule_dense(&schedule, n, 1, plan.tile) ||
        backend_cpu.strip->open(&backend, &plan, &error))
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
    if (dtype < 0 || n == 0) {
        fprintf(stderr, "usage: sums TYPE N [RUNS]\n");
        return 2;
    }
    for (int run = 0; run < 3 * runs; run++) {
        const bool sums = run % 3 == 1;
        printf("%-6s %-4s %8zu %5zu %12.3f\n", sums ? "sums" : "solve", argv[1], n,
               backend_cpu.strip->tile(n, 1, (enum dtype)dtype),
               1e3 * solve((enum dtype)dtype, n, sums));
    }
    return 0;
}
