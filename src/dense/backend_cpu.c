/*
 * The backend on the cores of the machine. Every call finishes its work before it returns.
 * So one raw panel, one closed row panel and one closed column panel serve both slots: when the raw
 * panel of the next round is filled, the panel of this round is closed.
 *
 * Phase 3 is cut into tasks whose block of the row panel stays in the second-level cache; a task is
 * a sweep of register tiles (relax.h).
 */
#include "dense/backend_cpu.h"

#include "base/clock.h"
#include "base/minmax.h"
#include "base/stop.h"
#include "dense/schedule.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* Shape of a task of phase 3: multiples of every kernel's mr and nr. */
enum { TASK_ROWS = 96, TASK_COLS = 512 };

static void cpu_begin(struct backend *backend)
{
    struct cpu *cpu = (struct cpu *)backend;
    const struct backend_plan *plan = &backend->plan;
    cpu->closed = 0;
    if (cpu->sums)
        cpu_sums_begin(cpu, schedule_rounds(plan->n, plan->ranks, plan->tile));
}

static void cpu_end(struct backend *backend, struct backend_times *times)
{
    struct cpu *cpu = (struct cpu *)backend;
    if (cpu->sums)
        cpu_sums_end(cpu);
    *times = (struct backend_times){0};
}

static void cpu_after(struct backend *backend, enum backend_queue later, enum backend_queue earlier)
{
    (void)backend;
    (void)later;
    (void)earlier;
}

static void cpu_copy(struct backend *backend, enum backend_queue queue, void *to, const void *from,
                     size_t bytes)
{
    (void)backend;
    (void)queue;
    memcpy(to, from, bytes);
}

static void cpu_mark(struct backend *backend, enum backend_queue queue, int number)
{
    (void)backend;
    (void)queue;
    (void)number;
}

static bool cpu_reached(struct backend *backend, int number)
{
    (void)backend;
    (void)number;
    return true;
}

static bool cpu_pin(struct backend *backend, void *memory, size_t bytes)
{
    (void)backend;
    (void)memory;
    (void)bytes;
    return true;
}

static void cpu_unpin(struct backend *backend, void *memory)
{
    (void)backend;
    (void)memory;
}

static void cpu_pick(struct backend *backend, int slot, struct range pivot)
{
    struct cpu *cpu = (struct cpu *)backend;
    size_t n = backend->plan.n;
    (void)slot;
#pragma omp parallel for schedule(static) num_threads(backend->plan.threads)
    for (size_t i = pivot.lo; i < pivot.hi; i++)
        memcpy(cpu_at(cpu, cpu->raw, (i - pivot.lo) * n), cpu_entry(cpu, i, 0), n * cpu->bytes);
    if (cpu->sums)
        cpu_sums_pick(cpu, pivot);
}

static void *cpu_raw(struct backend *backend, int slot)
{
    (void)slot;
    return ((struct cpu *)backend)->raw;
}

/* Phase 1: the pivot tile, from the raw panel. */
static void close_tile(struct cpu *cpu)
{
    const struct relax_kernels *k = cpu->kernels;
    struct range pivot = cpu->pivot;
    size_t n = cpu->base.plan.n, w = range_length(pivot), ld = cpu_round_up(w, k->nr);
    for (size_t i = 0; i < w; i++) {
        k->fill(cpu_at(cpu, cpu->tile, i * ld + w), ld - w);
        memcpy(cpu_at(cpu, cpu->tile, i * ld), cpu_at(cpu, cpu->raw, i * n + pivot.lo),
               w * cpu->bytes);
    }
    k->close(cpu->tile, w, ld);
    for (size_t i = 0; i < w; i += k->mr)
        k->pack_a(cpu_at_a(cpu, cpu->tile_a, i * w), cpu_at(cpu, cpu->tile, i * ld), ld,
                  w - i < k->mr ? w - i : k->mr, w);
    for (size_t j = 0; j < w; j += k->nr)
        k->pack_b(cpu_at(cpu, cpu->tile_b, j * w), cpu_at(cpu, cpu->tile, j), ld, w,
                  w - j < k->nr ? w - j : k->nr);
}

/* Phase 2 on one block of columns of the pivot rows; with write_back also into D, for `cols`. */
static void close_rows(struct cpu *cpu, size_t block, const struct ranges *cols, bool write_back)
{
    const struct relax_kernels *k = cpu->kernels;
    size_t n = cpu->base.plan.n, w = range_length(cpu->pivot), first = block * k->nr;
    struct range here = {first, first + k->nr < n ? first + k->nr : n};
    void *packed = cpu_at(cpu, cpu->row, first * cpu->base.plan.tile);
    struct ranges parts = ranges_within(*cols, here);
    if (parts.count == 0)
        return;
    k->pack_b(packed, cpu_at(cpu, cpu->raw, first), n, w, range_length(here));
    struct relax_product product = {.c = packed,
                                    .a = cpu->tile_a,
                                    .b = packed,
                                    .ldc = k->nr,
                                    .a_step = k->mr * w,
                                    .b_step = 0,
                                    .depth = w};
    k->relax(&product, (struct range){0, w}, (struct range){0, k->nr});
    for (int r = 0; write_back && r < parts.count; r++) {
        struct range part = parts.at[r];
        for (size_t i = 0; i < w; i++)
            memcpy(cpu_entry(cpu, cpu->pivot.lo + i, part.lo),
                   cpu_at(cpu, packed, i * k->nr + part.lo - first),
                   range_length(part) * cpu->bytes);
    }
    if (cpu->sums)
        cpu_sums_row(cpu, here, packed, write_back);
}

/* Phase 2 on one block of the strip's rows, in the pivot columns: D, then the panel. */
static void close_cols(struct cpu *cpu, size_t block, const struct ranges *rows)
{
    const struct relax_kernels *k = cpu->kernels;
    struct range strip = cpu->base.plan.rows;
    size_t w = range_length(cpu->pivot), first = strip.lo + block * k->mr;
    struct range here = {first, first + k->mr < strip.hi ? first + k->mr : strip.hi};
    void *packed = cpu_at_a(cpu, cpu->col, block * k->mr * cpu->base.plan.tile);
    void *corner = cpu_entry(cpu, first, cpu->pivot.lo);
    struct ranges parts = ranges_within(*rows, here);
    if (parts.count == 0)
        return;
    k->pack_a(packed, corner, cpu->ld, range_length(here), w);
    struct relax_product product = {.c = corner,
                                    .a = packed,
                                    .b = cpu->tile_b,
                                    .ldc = cpu->ld,
                                    .a_step = 0,
                                    .b_step = k->nr * w,
                                    .depth = w};
    if (cpu->sums)
        cpu_sums_read(cpu, &parts);
    for (int r = 0; r < parts.count; r++)
        k->relax(&product, (struct range){parts.at[r].lo - first, parts.at[r].hi - first},
                 (struct range){0, w});
    k->pack_a(packed, corner, cpu->ld, range_length(here), w);
    if (cpu->sums)
        cpu_sums_wrote(cpu, &parts, packed);
}

static void cpu_close(struct backend *backend, int slot, struct range pivot,
                      const struct ranges *rows, const struct ranges *cols)
{
    struct cpu *cpu = (struct cpu *)backend;
    size_t col_blocks = cpu_round_up(backend->plan.n, cpu->kernels->nr) / cpu->kernels->nr;
    size_t row_blocks =
        cpu_round_up(range_length(backend->plan.rows), cpu->kernels->mr) / cpu->kernels->mr;
    bool owned = ranges_within(*rows, pivot).count > 0;
    (void)slot;
    cpu->closed++;
    if (rows->count == 0)
        return;
    cpu->pivot = pivot;
    if (cpu->sums)
        cpu_sums_arrive(cpu);
    close_tile(cpu);
#pragma omp parallel num_threads(backend->plan.threads)
    {
#pragma omp for schedule(dynamic, 4)
        for (size_t b = 0; b < col_blocks; b++)
            close_rows(cpu, b, cols, owned);
#pragma omp for schedule(dynamic, 4)
        for (size_t b = 0; b < row_blocks; b++)
            close_cols(cpu, b, rows);
    }
}

/* Ranges cut at the multiples of `size` counted from `origin`: how many pieces, and piece number
 * `index`. */
static size_t pieces_of(struct range range, size_t origin, size_t size)
{
    return (range.hi - 1 - origin) / size - (range.lo - origin) / size + 1;
}

static size_t pieces_count(const struct ranges *list, size_t origin, size_t size)
{
    size_t count = 0;
    for (int r = 0; r < list->count; r++)
        count += pieces_of(list->at[r], origin, size);
    return count;
}

static struct range pieces_at(const struct ranges *list, size_t origin, size_t size, size_t index)
{
    int r = 0;
    for (; index >= pieces_of(list->at[r], origin, size); r++)
        index -= pieces_of(list->at[r], origin, size);
    struct range whole = list->at[r];
    size_t lo = origin + ((whole.lo - origin) / size + index) * size, hi = lo + size;
    return (struct range){size_max(lo, whole.lo), size_min(hi, whole.hi)};
}

static void relax_part(struct cpu *cpu, const struct relax_product *product, struct range rows,
                       struct range cols)
{
    if (cpu->sums)
        cpu_sums_product(cpu, product, rows, cols);
    else
        cpu->kernels->relax(product, rows, cols);
}

static void relax_tasks(struct cpu *cpu, const struct ranges *rows, const struct ranges *cols)
{
    const struct backend *backend = &cpu->base;
    const struct relax_kernels *k = cpu->kernels;
    size_t origin = backend->plan.rows.lo, tile = backend->plan.tile;
    size_t down = pieces_count(rows, origin, TASK_ROWS),
           tasks = down * pieces_count(cols, 0, TASK_COLS);
    struct relax_product product = {.c = cpu->d,
                                    .a = cpu->col,
                                    .b = cpu->row,
                                    .ldc = cpu->ld,
                                    .a_step = k->mr * tile,
                                    .b_step = k->nr * tile,
                                    .depth = range_length(cpu->pivot)};
    if (tasks == 0)
        return;
#pragma omp parallel for schedule(dynamic) num_threads(backend->plan.threads)
    for (size_t t = 0; t < tasks; t++) {
        struct range part = pieces_at(rows, origin, TASK_ROWS, t % down);
        if (!stop_wanted())
            relax_part(cpu, &product, (struct range){part.lo - origin, part.hi - origin},
                       pieces_at(cols, 0, TASK_COLS, t / down));
        if (backend->poll && omp_get_thread_num() == 0)
            backend->poll(backend->poll_arg);
    }
}

static void cpu_relax(struct backend *backend, enum backend_queue queue, int slot,
                      const struct ranges *rows, const struct ranges *cols)
{
    struct cpu *cpu = (struct cpu *)backend;
    (void)slot;
    relax_tasks(cpu, rows, cols);
    if (cpu->sums && queue == BACKEND_BULK)
        cpu_sums_panels(cpu);
}

/* The kernel alone, for about `seconds`, on operands that stay in the second-level cache. The best
 * part of that counts: others may have the core in between. */
static double kernel_rate(const struct relax_kernels *kernels, size_t bytes, double seconds)
{
    enum { ROWS = TASK_ROWS, COLS = TASK_COLS / 2, DEPTH = 96, PARTS = 10 };
    size_t a_size = (size_t)ROWS * DEPTH * kernels->a_bytes, b_size = (size_t)DEPTH * COLS * bytes,
           size = a_size + b_size + (size_t)ROWS * COLS * bytes;
    char *scratch = mem_alloc(size);
    if (!scratch)
        return 0;
    struct relax_product product = {.a = scratch,
                                    .b = scratch + a_size,
                                    .c = scratch + a_size + b_size,
                                    .ldc = COLS,
                                    .a_step = kernels->mr * DEPTH,
                                    .b_step = kernels->nr * DEPTH,
                                    .depth = DEPTH};
    double best = 0;
    for (int part = 0; part < PARTS; part++) {
        double start = clock_seconds(), now = start, done = 0;
        for (; now - start < seconds / PARTS; now = clock_seconds()) {
            kernels->relax(&product, (struct range){0, ROWS}, (struct range){0, COLS});
            done += (double)ROWS * COLS * DEPTH;
        }
        best = fmax(best, done / (now - start));
    }
    mem_free(scratch);
    return best;
}

/* Measured once by each rank: plans are made anew as more is known. The model's rates are those of
 * a thread of a server's core with AVX-512, about. */
static double cpu_rate(const struct backend_plan *plan, bool measured)
{
    static const double model[DTYPE_COUNT] = {25e9, 12e9, 2.5e9, 12e9, 6e9};
    static _Thread_local struct {
        int threads;
        double rate;
    } known[DTYPE_COUNT];
    const struct relax_kernels *kernels = relax_combining(plan->dtype, plan->combine, NULL);
    double rate = 0;
    if (!measured)
        return model[plan->dtype] * plan->threads;
    if (known[plan->dtype].threads == plan->threads)
        return known[plan->dtype].rate;
#pragma omp parallel num_threads(plan->threads) reduction(+ : rate)
    rate += kernel_rate(kernels, dtype_info[plan->dtype].bytes, 0.005);
    known[plan->dtype].threads = plan->threads;
    known[plan->dtype].rate = rate > 0 ? rate : 1;
    return known[plan->dtype].rate;
}

static const struct strip_ops cpu_strip = {
    .tile = cpu_tile,
    .need = cpu_need,
    .rate = cpu_rate,
    .describe = cpu_describe,
    .open = cpu_open,
    .free = cpu_free,
    .build = cpu_build,
    .build_done = cpu_build_done,
    .potentials = cpu_potentials,
    .fetch = cpu_fetch,
    .fetch_copies = cpu_fetch_copies,
    .fetch_rows = cpu_fetch_rows,
};

static const struct round_ops cpu_rounds = {
    .begin = cpu_begin,
    .end = cpu_end,
    .after = cpu_after,
    .pick = cpu_pick,
    .close = cpu_close,
    .relax = cpu_relax,
    .sums = cpu_sums,
    .area = cpu_area,
};

static const struct panel_ops cpu_panel = {
    .on_host = true,
    .raw = cpu_raw,
    .copy = cpu_copy,
    .mark = cpu_mark,
    .reached = cpu_reached,
    .pin = cpu_pin,
    .unpin = cpu_unpin,
};

const struct backend_ops backend_cpu = {
    .name = "cpu",
    .device = &device_cpu,
    .strip = &cpu_strip,
    .round = &cpu_rounds,
    .panel = &cpu_panel,
};
