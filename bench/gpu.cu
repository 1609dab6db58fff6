/*
 * The GPU backend beside the hardware's limit, in one run: `gpu [n ...]`. Phase 3 alone, then whole solves
 * (first to last kernel) of random graphs of degree 8; each as a share of the ceiling measured in the same
 * run.
 */
#include "ceiling_gpu.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

extern "C" {
#include "backend.h"
#include "clock.h"
#include "comm.h"
#include "solver.h"
}

enum { DEGREE = 8, REPEATS_LARGE = 3, REPEATS_SMALL = 21 };

void comm_abort(enum apsp_status code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(code);
}

void progress_step(struct progress *, size_t) /* no bar here */
{
}

static struct backend *open_random(size_t n, size_t tile)
{
    struct apsp_error error = {0, ""};
    struct backend_plan plan = {};
    struct backend *backend;
    size_t parallel = 0, count = 0;
    uint64_t z = 1;
    struct edge *edges = (struct edge *)malloc(DEGREE * n * sizeof *edges);
    plan.n = n;
    plan.rows.hi = n;
    plan.tile = tile;
    plan.dtype = DTYPE_I32;
    if (!edges || backend_gpu.open(&backend, &plan, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(APSP_MEMORY);
    }
    for (size_t e = 0; e < DEGREE * n; e++) {
        z = z * 6364136223846793005u + 1442695040888963407u;
        struct edge edge = {};
        edge.from = (uint32_t)(e / DEGREE);
        edge.to = (uint32_t)((z >> 33) % n);
        edge.weight = (int64_t)(z >> 20 & 1023) % 1000 + 1;
        if (edge.from != edge.to)
            edges[count++] = edge;
    }
    backend_gpu.build(backend, edges, count, &parallel, &error);
    backend_gpu.build_done(backend, &parallel);
    free(edges);
    return backend;
}

static void solve(struct backend *backend, struct backend_times *times)
{
    struct schedule schedule = {};
    struct progress progress = {};
    struct solver_times all;
    if (!schedule_dense(&schedule, backend->plan.n, 1, backend->plan.tile))
        exit(APSP_MEMORY);
    solver_run(&schedule, backend, NULL, 0, &progress, &all);
    schedule_free(&schedule);
    *times = all.device;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Phase 3 of one round over the whole matrix but the pivot, on distances that a solve has made. */
static double relax_alone(struct backend *backend)
{
    struct backend_times times;
    struct range pivot = {0, backend->plan.tile};
    struct ranges all = ranges_of({0, backend->plan.n}), rest = ranges_without(all, pivot);
    double seconds[REPEATS_SMALL], side = (double)ranges_length(&rest);
    for (int i = 0; i < REPEATS_SMALL; i++) {
        backend_gpu.begin(backend);
        backend_gpu.close(backend, 0, pivot, &all, &all);
        backend_gpu.after(backend, BACKEND_BULK, BACKEND_AHEAD);
        backend_gpu.relax(backend, BACKEND_BULK, 0, &rest, &rest);
        backend_gpu.end(backend, &times);
        seconds[i] = times.bulk;
    }
    qsort(seconds, REPEATS_SMALL, sizeof *seconds, by_value);
    return side * side * (double)range_length(pivot) / seconds[REPEATS_SMALL / 2];
}

static void line(const char *what, size_t n, size_t tile, double seconds, double rate, double ceiling)
{
    printf("%-12s %8zu %5zu %12.3f %8.2f %8.3f\n", what, n, tile, seconds * 1e3, rate / 1e12, rate / ceiling);
    fflush(stdout);
}

static void bench_solve(size_t n, size_t tile, double ceiling)
{
    int repeats = n <= 10000 ? REPEATS_SMALL : n <= 60000 ? REPEATS_LARGE : 1;
    double seconds[REPEATS_SMALL], cube = (double)n * (double)n * (double)n;
    struct backend *backend = open_random(n, tile);
    struct backend_times times = {};
    double wall = 0;
    for (int i = 0; i < repeats; i++) {
        wall = clock_seconds();
        solve(backend, &times);
        wall = clock_seconds() - wall;
        seconds[i] = times.total;
    }
    qsort(seconds, (size_t)repeats, sizeof *seconds, by_value);
    line("solve", n, backend->plan.tile, seconds[repeats / 2], cube / seconds[repeats / 2], ceiling);
    printf("# wall of the last %.3f ms; close %.3f ms, panels %.3f ms, bulk %.3f ms of %.3f ms\n", wall * 1e3,
           times.close * 1e3, times.panels * 1e3, times.bulk * 1e3, times.total * 1e3);
    if (n == 32768) {
        double rate = relax_alone(backend);
        line("relax", n, backend->plan.tile, (double)n * (double)n * 128 / rate, rate, ceiling);
    }
    backend_gpu.free(backend);
}

int main(int argc, char **argv)
{
    static const size_t usual[] = {32768, 40000, 20000, 10000, 5000, 2000, 1000};
    if (backend_gpu.devices() == 0) {
        printf("skip: no GPU\n");
        return 77;
    }
    double ceiling = ceiling_i32();
    printf("# ceiling %.2f T relaxations/s\n%-12s %8s %5s %12s %8s %8s\n", ceiling / 1e12, "#", "n", "tile",
           "ms", "T/s", "ratio");
    for (int i = 1; i < argc; i++) {
        char *rest;
        size_t n = strtoull(argv[i], &rest, 10);
        bench_solve(n, *rest == ':' ? strtoull(rest + 1, NULL, 10) : 0, ceiling);
    }
    for (size_t i = 0; argc == 1 && i < sizeof usual / sizeof *usual; i++)
        bench_solve(usual[i], 0, ceiling);
    printf("# ceiling %.2f T relaxations/s at the end\n", ceiling_i32() / 1e12);
    return 0;
}
