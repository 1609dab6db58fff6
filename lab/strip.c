/* As src/dense/dense.c, for one process and a matrix in memory. */
#include "strip.h"

#include "dense/rounds.h"
#include "paths.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64 /* given to the backend at a time */ };

static void build(struct backend *backend, const int *d, size_t n)
{
    struct edge *edges = lab_alloc(ROWS * n, sizeof *edges);
    size_t parallel = 0;
    for (size_t lo = 0; lo < n; lo += ROWS) {
        size_t count = 0;
        for (size_t i = lo; i < n && i < lo + ROWS; i++)
            for (size_t j = 0; j < n; j++)
                if (i != j && d[i * n + j] < LAB_FAR)
                    edges[count++] = (struct edge){
                        .from = (uint32_t)i, .to = (uint32_t)j, .weight = {.whole = d[i * n + j]}};
        backend->strip->build(backend, edges, count, &parallel);
    }
    backend->strip->build_done(backend, &parallel);
    free(edges);
}

static void fetch(struct backend *backend, const struct device_ops *device, int *out, size_t n)
{
    const bool copies = backend->strip->fetch_copies(&backend->plan);
    void *buffer = copies ? device->host_alloc(0, ROWS * n * sizeof *out) : NULL;
    struct block block;
    if (copies && !buffer)
        lab_stop("not enough memory");
    for (size_t lo = 0; lo < n; lo += ROWS) {
        struct range rows = {lo, lo + ROWS < n ? lo + ROWS : n};
        backend->strip->fetch(backend, 0, rows, buffer, &block);
        for (size_t i = 0; i < block.count; i++)
            memcpy(out + (lo + i) * n, block_row(&block, i), n * sizeof *out);
    }
    if (copies)
        device->host_free(buffer);
}

/* Without look-ahead. */
static void run_apart(struct backend *backend, const struct schedule *schedule,
                      struct backend_times *times)
{
    const struct round_ops *round = backend->round;
    const struct ranges all = ranges_of((struct range){0, backend->plan.n});
    round->begin(backend);
    for (size_t r = 0; r < schedule->count; r++) {
        const struct range pivot = schedule->rounds[r].pivot;
        const struct ranges rest = ranges_without(all, pivot);
        round->pick(backend, 0, pivot);
        round->close(backend, 0, pivot, &all, &all);
        round->after(backend, BACKEND_BULK, BACKEND_AHEAD);
        round->relax(backend, BACKEND_BULK, 0, &rest, &rest);
        round->after(backend, BACKEND_AHEAD, BACKEND_BULK);
    }
    round->end(backend, times);
}

enum lab_outcome lab_strip(struct lab_problem *problem, const struct lab_way *way,
                           struct lab_run *run)
{
    const size_t n = problem->n;
    const struct strip_ops *strip = way->on->strip;
    struct backend_plan plan = {.n = n,
                                .rows = {0, n},
                                .tile = strip->tile(n, 1, way->dtype),
                                .dtype = way->dtype,
                                .output = DTYPE_I32,
                                .threads = omp_get_max_threads(),
                                .lanes = 1,
                                .ranks = 1};
    struct backend *backend;
    struct apsp_error error = {0, ""};
    struct schedule schedule = {0};
    struct progress progress = {0};
    struct rounds_times times = {0};
    if (strip->open(&backend, &plan, &error))
        lab_stop(error.text);
    if (!schedule_dense(&schedule, n, 1, plan.tile))
        lab_stop("not enough memory");
    double start = lab_now();
    build(backend, problem->in[0], n);
    double built = lab_now();
    if (way->apart)
        run_apart(backend, &schedule, &times.device);
    else
        rounds_run(&schedule, backend, NULL, 0, &progress, &times);
    run->seconds = lab_now() - built;
    fetch(backend, way->on->device, problem->out, n);
    run->whole = lab_now() - start;
    schedule_free(&schedule);
    strip->free(backend);
    return LAB_DONE;
}
