/*
 * The GPU backend against the CPU backend: the same calls on both, on random strips, pivots and
 * ranges, and whole solves; every value of the strip must be equal afterwards, so that a write
 * outside the ranges shows too, given out in a random type, and in the device's memory as well.
 * Real weights are multiples of 1/8 and small, so that their sums are exact in any order. `kernels
 * [CASES [SEED]]`: so many of each type; needs no MPI.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
#include "base/fault.h"
#include "base/mem.h"
#include "base/random.h"
#include "dense/backend.h"
#include "dense/rounds.h"
#include "rows/accumulator.h"
}
#include "kernels/gpu/gpu.h"

enum { TILE_MAX = 128 };

static uint64_t state;

static size_t below(size_t limit)
{
    return limit ? random_next(&state) % limit : 0;
}

struct pair { /* one problem on both backends */
    struct backend *on[2];
    struct backend_plan plan;
    void *potentials;
    char text[200]; /* names the case */
};

/* Few are too large for the whole types; which, the ends of the edge tell, so that parallel ones
 * agree. */
static void give_weight(struct edge *edge, enum dtype dtype)
{
    if (dtype_info[dtype].real)
        edge->weight.real = (double)below(8000) / 8;
    else if ((edge->from * 7 + edge->to) % 61 == 0)
        edge->weight.whole = dtype_info[dtype].infinity + (int64_t)below(2) * (INT64_MAX - INF_I64);
    else
        edge->weight.whole = (int64_t)below(1000);
}

/* Potentials for the distances to come, or none. */
static void give_potentials(struct pair *pair)
{
    size_t n = pair->plan.n;
    if (!pair->plan.shifted)
        return;
    pair->potentials = malloc(n * sizeof(int64_t));
    for (size_t i = 0; i < n; i++) {
        int64_t h = -(int64_t)below(5000);
        if (dtype_info[pair->plan.dtype].real)
            ((double *)pair->potentials)[i] = (double)h / 8;
        else
            ((int64_t *)pair->potentials)[i] = h;
    }
    for (struct backend *backend : pair->on)
        backend->strip->potentials(backend, pair->potentials);
}

/* A type in which rows of this one can be given out. */
static enum dtype random_output(enum dtype dtype)
{
    return dtype_info[dtype].real ? (below(2) ? DTYPE_F32 : DTYPE_F64)
                                  : (enum dtype)below(DTYPE_COUNT);
}

static size_t random_edges(const struct backend_plan *plan, struct edge *list, size_t edges)
{
    size_t count = 0;
    for (size_t e = 0; e < edges; e++) {
        struct edge edge = {};
        edge.from = (uint32_t)(plan->rows.lo + below(range_length(plan->rows)));
        edge.to = (uint32_t)below(plan->n);
        give_weight(&edge, plan->dtype);
        if (edge.from != edge.to)
            list[count++] = edge;
    }
    return count;
}

/* n, rows, ranks, type and tile of the plan are given; with a tile of 0 each backend takes its
 * best. */
static bool pair_open(struct pair *pair, double degree)
{
    struct apsp_error error = {0, ""};
    struct backend_plan *plan = &pair->plan;
    size_t parallel[2] = {0, 0}, edges = (size_t)(degree * (double)range_length(plan->rows)),
           tile = plan->tile;
    struct edge *list = (struct edge *)malloc((edges + 1) * sizeof *list);
    size_t count = random_edges(plan, list, edges);
    plan->output = random_output(plan->dtype);
    plan->shifted = below(3) == 0;
    plan->threads = plan->lanes = 2;
    const struct backend_ops *ops[2] = {&backend_cpu, &backend_gpu};
    for (int b = 0; b < 2; b++) {
        const struct strip_ops *strip = ops[b]->strip;
        plan->tile = tile ? tile : strip->tile(plan->n, plan->ranks, plan->dtype);
        if (strip->open(&pair->on[b], plan, &error)) {
            fprintf(stderr, "%s\n", error.text);
            exit(error.code);
        }
        strip->build(pair->on[b], list, count, &parallel[b]);
        strip->build_done(pair->on[b], &parallel[b]);
    }
    free(list);
    if (parallel[0] != parallel[1])
        printf("FAIL %s: %zu parallel edges, not %zu\n", pair->text, parallel[1], parallel[0]);
    return parallel[0] == parallel[1];
}

/* Where a row differs, or n. */
static size_t first_difference(const void *a, const void *b, size_t n, size_t bytes)
{
    size_t j = 0;
    if (memcmp(a, b, n * bytes) == 0)
        return n;
    while (memcmp((const char *)a + j * bytes, (const char *)b + j * bytes, bytes) == 0)
        j++;
    return j;
}

/* The block as the device has it must be what the host has. */
static bool device_equal(const struct pair *pair, const struct block *block)
{
    size_t bytes = dtype_info[block->dtype].bytes, width = block->n * bytes, wrong = 0;
    if (!block->device)
        return block->count > pair->on[1]->strip->fetch_rows(&pair->plan);
    char *copy = (char *)malloc(block->count * width);
    GPU_CHECK(gpuMemcpy2DAsync(copy, width, block->device, block->device_stride * bytes, width,
                               block->count, gpuMemcpyDeviceToHost, 0));
    GPU_CHECK(gpuStreamSynchronize(0));
    for (size_t i = 0; i < block->count; i++)
        wrong += memcmp(copy + i * width, block_row(block, i), width) != 0;
    free(copy);
    return wrong == 0;
}

/* What the device counts of the block is what the host counts; sums of reals are rounded. */
static bool counts_equal(const struct block *block)
{
    const bool real = dtype_info[block->dtype].real;
    struct accumulator_plan plan = {block->n,
                                    block->dtype,
                                    APSP_STATS_IN | APSP_STATS_HARMONIC | APSP_STATS_HISTOGRAM,
                                    false,
                                    {real ? -3 : 2, real ? 8 : 0.25, -4096, 16384}};
    struct apsp_error error = {0, ""};
    struct accumulator_sum sum[2];
    struct row_counts *counts[2];
    struct accumulator *host = accumulator_new(&plan);
    const struct accumulator_device_ops *ops = accumulator_device();
    struct accumulator_device *device;
    for (int k = 0; k < 2; k++) {
        sum[k].most = (size_t *)mem_alloc(block->n * sizeof(size_t));
        sum[k].reached = (size_t *)mem_alloc(block->n * sizeof(size_t));
        sum[k].pairs = (size_t *)mem_alloc(plan.bins.count * sizeof(size_t));
        counts[k] = (struct row_counts *)malloc(block->count * sizeof *counts[k]);
    }
    if (ops->open(&device, &plan, &error))
        exit(error.code);
    accumulator_take(host, block, counts[0], &sum[0]);
    accumulator_end(host, &sum[0]);
    if (ops->take(device, 0, block, counts[1], &error))
        exit(error.code);
    ops->end(device, &sum[1]);
    bool same = memcmp(sum[0].most, sum[1].most, block->n * sizeof(size_t)) == 0 &&
                memcmp(sum[0].reached, sum[1].reached, block->n * sizeof(size_t)) == 0 &&
                memcmp(sum[0].pairs, sum[1].pairs, plan.bins.count * sizeof(size_t)) == 0;
    for (size_t i = 0; i < block->count; i++) {
        const struct row_counts *a = &counts[0][i], *b = &counts[1][i];
        same &= a->reached == b->reached && a->most.whole == b->most.whole;
        same &= real ? fabs(a->sum.real - b->sum.real) <= 1e-9 * fabs(a->sum.real)
                     : a->sum.whole == b->sum.whole;
        same &= fabs(a->harmonic - b->harmonic) <= 1e-9 * (fabs(a->harmonic) + 1);
    }
    for (int k = 0; k < 2; k++) {
        mem_free(sum[k].most);
        mem_free(sum[k].reached);
        mem_free(sum[k].pairs);
        free(counts[k]);
    }
    ops->free(device);
    accumulator_free(host);
    return same;
}

static bool rows_equal(struct pair *pair, struct range rows)
{
    size_t n = pair->plan.n, bytes = dtype_info[pair->plan.output].bytes, wrong = 0;
    const struct device_ops *device[2] = {&device_cpu, &device_gpu};
    struct block block[2];
    void *buffer[2];
    for (int b = 0; b < 2; b++) {
        struct backend *backend = pair->on[b];
        buffer[b] = backend->strip->fetch_copies(&pair->plan)
                        ? device[b]->host_alloc(pair->plan.device, range_length(rows) * n * bytes)
                        : NULL;
        backend->strip->fetch(backend, b, rows, buffer[b], &block[b]);
    }
    for (size_t i = 0; i < range_length(rows); i++) {
        size_t j = first_difference(block_row(&block[0], i), block_row(&block[1], i), n, bytes);
        if (j < n && wrong++ == 0)
            printf("FAIL %s: row %zu column %zu differs\n", pair->text, rows.lo + i, j);
    }
    if (block[1].device && !counts_equal(&block[1]) && wrong++ == 0)
        printf("FAIL %s: rows from %zu are counted otherwise on the device\n", pair->text, rows.lo);
    if (!device_equal(pair, &block[1]) && wrong++ == 0)
        printf("FAIL %s: rows from %zu on differ on the device\n", pair->text, rows.lo);
    for (int b = 0; b < 2; b++)
        device[b]->host_free(buffer[b]);
    return wrong == 0;
}

/* In pieces, so that not all of them start where the strip does. */
static bool pair_equal(struct pair *pair)
{
    struct range rows = pair->plan.rows;
    size_t most = backend_gpu.strip->fetch_rows(&pair->plan), step = 1 + below(range_length(rows));
    bool good = true;
    give_potentials(pair);
    step = step < most ? step : most;
    for (size_t lo = rows.lo; lo < rows.hi; lo += step)
        good = rows_equal(pair, {lo, rows.hi - lo < step ? rows.hi : lo + step}) && good;
    return good;
}

static void pair_free(struct pair *pair)
{
    backend_cpu.strip->free(pair->on[0]);
    backend_gpu.strip->free(pair->on[1]);
    free(pair->potentials);
}

/* Pivot rows as another rank might send them. */
static void *random_raw(enum dtype dtype, size_t rows, size_t n, size_t start)
{
    size_t bytes = dtype_info[dtype].bytes;
    char *raw = (char *)malloc(rows * n * bytes);
    for (size_t i = 0; i < rows * n; i++) {
        bool finite = below(3) > 0, diagonal = i % n == start + i / n;
        int64_t whole = diagonal ? 0 : finite ? (int64_t)below(5000) : dtype_info[dtype].infinity;
        double real = diagonal ? 0 : finite ? (double)below(5000) / 8 : HUGE_VAL;
        float narrow = (float)real;
        const void *value = dtype == DTYPE_F32   ? (void *)&narrow
                            : dtype == DTYPE_F64 ? (void *)&real
                                                 : &whole;
        memcpy(raw + i * bytes, value, bytes); /* little-endian, as all that has a GPU */
    }
    return raw;
}

/* Up to RANGES_MAX random ranges within `all`; one of them is `with` unless that is empty. */
static struct ranges random_ranges(struct range all, struct range with)
{
    struct ranges list = {};
    size_t at = all.lo;
    bool taken = range_length(with) == 0;
    while (at < all.hi && list.count < RANGES_MAX) {
        bool last = list.count == RANGES_MAX - 1;
        size_t lo = at + below(below(3) ? 9 : range_length(all));
        if (!taken && (last || lo >= with.lo || lo + 1 >= all.hi)) {
            list.at[list.count++] = with;
            at = with.hi + 1;
            taken = true;
            continue;
        }
        size_t end = taken ? all.hi : with.lo;
        size_t hi = lo + 1 + below(below(2) ? 40 : range_length(all));
        if (hi > end)
            hi = end;
        if (lo >= hi)
            break;
        list.at[list.count++] = {lo, hi};
        at = hi + 1;
    }
    if (!taken)
        list.at[list.count++] = with;
    return list;
}

static const char *combine_name(enum combine combine)
{
    return combine == COMBINE_MAX ? "maxima" : "sums";
}

/* One close and one relax on random ranges. */
static bool try_round(int number, enum dtype dtype)
{
    const enum combine combine = (enum combine)below(COMBINES);
    struct pair pair = {};
    size_t n = 1 + below(below(4) ? 300 : 900), lo = below(3) ? below(n) : 0,
           hi = lo + 1 + below(n - lo);
    struct range strip = {lo, below(2) ? n : hi};
    size_t tile = 1 + below(TILE_MAX), start = below(n), stop = start + 1 + below(tile);
    bool owned = below(3) > 0, single = strip.lo == 0 && strip.hi == n && below(2);
    if (tile > n)
        tile = n;
    if (owned || single) {
        start = strip.lo + below(range_length(strip));
        stop = start + 1 + below(tile);
        stop = stop > strip.hi ? strip.hi : stop;
    } else if (stop > n)
        stop = n;
    if (stop - start > tile)
        stop = start + tile;
    struct range pivot = {start, stop};
    owned = start >= strip.lo && stop <= strip.hi;
    if (!owned && start < strip.hi && stop > strip.lo) /* no pivot crosses a strip */
        return true;
    struct ranges cols = random_ranges({0, n}, pivot),
                  rows = random_ranges(strip, owned ? pivot : (struct range){0, 0});
    if (rows.count == 0)
        return true;
    snprintf(pair.text, sizeof pair.text,
             "round %d: %s %s n %zu strip %zu-%zu tile %zu pivot %zu-%zu%s, %d x %d ranges", number,
             combine_name(combine), dtype_info[dtype].name, n, strip.lo, strip.hi, tile, start,
             stop, single ? " single" : "", rows.count, cols.count);
    pair.plan.combine = combine;
    pair.plan.n = n;
    pair.plan.rows = strip;
    pair.plan.ranks = single ? 1 : 2;
    pair.plan.dtype = dtype;
    pair.plan.tile = tile;
    bool good = pair_open(&pair, below(2) ? 3 : (double)n / 2);
    int slot = (int)below(2);
    struct ranges other_rows = ranges_without(rows, pivot),
                  other_cols = ranges_without(cols, pivot);
    size_t raw_bytes = (stop - start) * n * dtype_info[dtype].bytes;
    void *raw = random_raw(dtype, stop - start, n, start);
    for (int b = 0; b < 2; b++) {
        struct backend *backend = pair.on[b];
        const struct round_ops *ops = backend->round;
        struct backend_times times;
        ops->begin(backend);
        if (owned)
            ops->pick(backend, slot, pivot);
        else if (b == 0)
            memcpy(backend->panel->raw(backend, slot), raw, raw_bytes);
        else
            GPU_CHECK(gpuMemcpyAsync(backend->panel->raw(backend, slot), raw, raw_bytes,
                                     gpuMemcpyHostToDevice, 0));
        GPU_CHECK(gpuStreamSynchronize(0));
        ops->close(backend, slot, pivot, &rows, &cols);
        ops->after(backend, BACKEND_BULK, BACKEND_AHEAD);
        ops->relax(backend, BACKEND_BULK, slot, &other_rows, &other_cols);
        ops->end(backend, &times);
    }
    free(raw);
    good = pair_equal(&pair) && good;
    pair_free(&pair);
    return good;
}

/* All rounds of a solve, by the solver. */
static bool try_solve(int number, enum dtype dtype, size_t n, size_t tile)
{
    struct pair pair = {};
    struct schedule schedule = {};
    struct progress progress = {};
    struct rounds_times times;
    pair.plan.combine = (enum combine)below(COMBINES);
    snprintf(pair.text, sizeof pair.text, "solve %d: %s %s n %zu tile %zu", number,
             combine_name(pair.plan.combine), dtype_info[dtype].name, n, tile);
    pair.plan.n = n;
    pair.plan.rows = {0, n};
    pair.plan.ranks = 1;
    pair.plan.dtype = dtype;
    pair.plan.tile = tile;
    bool good = pair_open(&pair, 1 + (double)below(8));
    for (int b = 0; b < 2; b++) {
        if (!schedule_dense(&schedule, n, 1, pair.on[b]->plan.tile))
            exit(APSP_MEMORY);
        for (int again = 0; again <= b; again++) /* what is closed stays as it is */
            rounds_run(&schedule, pair.on[b], NULL, 0, &progress, &times);
        schedule_free(&schedule);
    }
    good = pair_equal(&pair) && good;
    pair_free(&pair);
    return good;
}

/* Memory of any GPU is read after the work on that GPU's default stream; that of the host is not
 * read. The calling thread's GPU stays. */
static bool try_read(void)
{
    enum { BYTES = 1 << 16 };
    const int owner = (int)below((size_t)device_gpu.count()), own = 0;
    char *from = (char *)device_gpu.alloc(owner, BYTES), to[BYTES] = "";
    const int value = 1 + (int)below(100);
    struct apsp_error error = {};
    int after = -1;
    GPU_CHECK(gpuMemset(from, 0, BYTES));
    GPU_CHECK(gpuMemsetAsync(from, value, BYTES, 0));
    GPU_CHECK(gpuSetDevice(own));
    bool good = device_gpu.read(to, from, BYTES, NULL, &error) == APSP_OK;
    for (size_t i = 0; i < BYTES; i++)
        good = good && to[i] == value;
    GPU_CHECK(gpuGetDevice(&after));
    good = good && after == own;
    good = device_gpu.read(to, &error, sizeof error, NULL, &error) == APSP_DEVICE && good;
    device_gpu.free(owner, from);
    if (!good)
        printf("# memory of GPU %d is read wrong\n", owner);
    return good;
}

int main(int argc, char **argv)
{
    int cases = argc > 1 ? atoi(argv[1]) : 300, bad = 0, solves = cases / 4;
    static const size_t sizes[] = {1,   2,   3,   31,  32,  33,  63,  64,  65, 127,
                                   128, 129, 255, 256, 257, 383, 384, 385, 641};
    fault_command("kernels");
    fault_on_exit(false);
    if (argc > 1 && strcmp(argv[1], "count") == 0) { /* of GPUs, whoever made them */
        printf("%d\n", device_gpu.count());
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "fault") == 0)
        GPU_CHECK(gpuSetDevice(1 << 20));
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    if (device_gpu.count() == 0) {
        printf("skip kernels: no GPU\n");
        return 77;
    }
    for (int i = 0; i < 8; i++)
        bad += !try_read();
    for (int i = 0; i < cases * DTYPE_COUNT; i++)
        bad += !try_round(i, (enum dtype)(i % DTYPE_COUNT));
    for (int i = 0; i < solves * DTYPE_COUNT; i++) {
        size_t n = below(2) ? sizes[below(sizeof sizes / sizeof *sizes)] : 1 + below(1500);
        size_t tile = below(3) ? 1 + below(TILE_MAX) : 0;
        bad += !try_solve(i, (enum dtype)(i % DTYPE_COUNT), n, n < tile ? n : tile);
    }
    printf("%s kernels: %d rounds and %d solves of each type, %d wrong\n", bad ? "FAIL" : "ok",
           cases, solves, bad);
    return bad != 0;
}
