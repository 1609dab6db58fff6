/*
 * The GPU backend beside the hardware's limit, in one run: `gpu [TYPE | sums | plain |
 * shortest | bottleneck | N[:TILE] ...]`. Whole solves (first to last kernel) of random graphs of
 * degree 8, of the type and the paths named last, i32 and shortest at first; for n = 32768 phase 3
 * alone too. Each as a share of the type's ceiling, measured right afterwards, when the clock is
 * what the work has made of it. After `sums` words are added up (kernels/sums.h) and compared.
 */
#include "ceiling_gpu.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
#include "base/clock.h"
#include "dense/backend.h"
#include "dense/check.h"
#include "dense/rounds.h"
}

enum { DEGREE = 8, REPEATS_LARGE = 3, REPEATS_SMALL = 21 };

static bool sums;
static enum combine combine;

static struct backend *open_random(enum dtype dtype, size_t n, size_t tile)
{
    struct apsp_error error = {0, ""};
    struct backend_plan plan = {};
    struct backend *backend;
    size_t parallel = 0, count = 0;
    uint64_t z = 1;
    struct edge *edges = (struct edge *)malloc(DEGREE * n * sizeof *edges);
    plan.n = n;
    plan.rows.hi = n;
    plan.tile = tile ? tile : backend_gpu.strip->tile(n, 1, dtype);
    plan.dtype = dtype;
    plan.combine = combine;
    plan.ranks = 1;
    plan.sums = sums;
    plan.output = dtype_info[dtype].output;
    if (!edges || backend_gpu.strip->open(&backend, &plan, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(APSP_MEMORY);
    }
    for (size_t e = 0; e < DEGREE * n; e++) {
        z = z * 6364136223846793005u + 1442695040888963407u;
        struct edge edge = {};
        edge.from = (uint32_t)(e / DEGREE);
        edge.to = (uint32_t)((z >> 33) % n);
        int64_t weight = (int64_t)(z >> 20 & 1023) % 1000 + 1;
        if (dtype_info[dtype].real)
            edge.weight.real = (double)weight * 0.7;
        else
            edge.weight.whole = weight;
        if (edge.from != edge.to)
            edges[count++] = edge;
    }
    backend_gpu.strip->build(backend, edges, count, &parallel);
    backend_gpu.strip->build_done(backend, &parallel);
    free(edges);
    return backend;
}

static void solve(struct backend *backend, struct backend_times *times)
{
    struct schedule schedule = {};
    struct progress progress = {};
    struct rounds_times all;
    if (!schedule_dense(&schedule, backend->plan.n, 1, backend->plan.tile))
        exit(APSP_MEMORY);
    rounds_run(&schedule, backend, NULL, 0, &progress, &all);
    struct comm alone = {};
    struct apsp_error error = {0, ""};
    if (sums && check_sums(backend, &schedule, &alone, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(error.code);
    }
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
        backend_gpu.round->begin(backend);
        backend_gpu.round->close(backend, 0, pivot, &all, &all);
        backend_gpu.round->after(backend, BACKEND_BULK, BACKEND_AHEAD);
        backend_gpu.round->relax(backend, BACKEND_BULK, 0, &rest, &rest);
        backend_gpu.round->end(backend, &times);
        seconds[i] = times.bulk;
    }
    qsort(seconds, REPEATS_SMALL, sizeof *seconds, by_value);
    return side * side * (double)range_length(pivot) / seconds[REPEATS_SMALL / 2];
}

static void line(const char *what, const struct backend_plan *plan, double seconds, double rate)
{
    double ceiling = ceiling_gpu(plan->dtype, plan->combine);
    printf("%-6s %-4s %8zu %5zu %12.3f %8.2f %8.2f %8.3f\n", what, dtype_info[plan->dtype].name,
           plan->n, plan->tile, seconds * 1e3, rate / 1e12, ceiling / 1e12, rate / ceiling);
    fflush(stdout);
}

static void bench_solve(enum dtype dtype, size_t n, size_t tile)
{
    int repeats = n <= 10000 ? REPEATS_SMALL : n <= 60000 ? REPEATS_LARGE : 1;
    double seconds[REPEATS_SMALL], cube = (double)n * (double)n * (double)n;
    struct backend *backend = open_random(dtype, n, tile);
    struct backend_times times = {};
    double wall = 0;
    for (int i = 0; i < repeats; i++) {
        wall = clock_seconds();
        solve(backend, &times);
        wall = clock_seconds() - wall;
        seconds[i] = times.total;
    }
    qsort(seconds, (size_t)repeats, sizeof *seconds, by_value);
    line(sums                     ? "sums"
         : combine == COMBINE_MAX ? "maxima"
                                  : "solve",
         &backend->plan, seconds[repeats / 2], cube / seconds[repeats / 2]);
    printf("# wall of the last %.3f ms; close %.3f ms, panels %.3f ms, bulk %.3f ms of %.3f ms\n",
           wall * 1e3, times.close * 1e3, times.panels * 1e3, times.bulk * 1e3, times.total * 1e3);
    if (n == 32768) {
        double rate = relax_alone(backend);
        line("relax", &backend->plan, (double)n * (double)n * 128 / rate, rate);
    }
    backend_gpu.strip->free(backend);
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"i32",   "32768", "40000", "20000", "10000", "5000",
                                        "2000",  "1000",  "u16",   "32768", "40000", "20000",
                                        "10000", "5000",  "f32",   "32768", "20000", "i64",
                                        "20000", "f64",   "20000"};
    if (device_gpu.count() == 0) {
        printf("skip: no GPU\n");
        return 77;
    }
    const char *const *words = argc > 1 ? argv + 1 : usual;
    size_t count = argc > 1 ? (size_t)argc - 1 : sizeof usual / sizeof *usual;
    int dtype = DTYPE_I32;
    printf("%-6s %-4s %8s %5s %12s %8s %8s %8s\n", "#", "type", "n", "tile", "ms", "T/s", "ceiling",
           "ratio");
    for (size_t i = 0; i < count; i++) {
        char *rest;
        size_t n = strtoull(words[i], &rest, 10);
        if (n > 0)
            bench_solve((enum dtype)dtype, n, *rest == ':' ? strtoull(rest + 1, NULL, 10) : 0);
        else if (strcmp(words[i], "sums") == 0 || strcmp(words[i], "plain") == 0)
            sums = *words[i] == 's';
        else if (strcmp(words[i], "shortest") == 0 || strcmp(words[i], "bottleneck") == 0)
            combine = *words[i] == 's' ? COMBINE_SUM : COMBINE_MAX;
        else if ((dtype = dtype_find(words[i])) < 0) {
            fprintf(stderr, "%s: neither a type nor a number of vertices\n", words[i]);
            return 2;
        }
    }
    return 0;
}
