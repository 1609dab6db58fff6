/*
 * The backend on the cores of the machine. Every call finishes its work before it returns, so one raw panel,
 * one closed row panel and one closed column panel serve both slots: when the raw panel of the next round is
 * filled, this round's has been closed already.
 *
 * Phase 3 is cut into tasks whose block of the row panel stays in the second-level cache; a task is a sweep
 * of register tiles (relax_cpu.h).
 */
#include "backend.h"
#include "clock.h"
#include "convert.h"
#include "mem.h"
#include "relax_cpu.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

/* Shape of a task of phase 3: multiples of every kernel's mr and nr. */
enum { TASK_ROWS = 96, TASK_COLS = 512, LINE = 64 };

struct layout { /* bytes of each part; ld in elements */
    size_t ld, strip, raw, row, col, tile, tile_a, tile_b;
};

struct cpu {
    struct backend base;
    const struct relax_kernels *kernels;
    size_t bytes; /* of an element */
    struct layout layout;
    struct range pivot;        /* of the closed panels */
    const void *potentials;    /* to take off; NULL: none */
    void *d, *raw, *row, *col; /* strip; pivot rows as received; pivot rows and columns closed and packed */
    void *tile, *tile_a, *tile_b; /* the closed pivot tile: row-major, packed as A, packed as B */
    char text[160];
};

static size_t round_up(size_t value, size_t unit)
{
    size_t sum;
    mem_add(&sum, value, unit - 1);
    return sum / unit * unit;
}

static size_t product3(size_t a, size_t b, size_t c)
{
    size_t p;
    return mem_mul(&p, a, b) && mem_mul(&p, p, c) ? p : SIZE_MAX;
}

static struct layout cpu_layout(const struct backend_plan *plan, const struct relax_kernels *kernels)
{
    size_t bytes = dtype_info[plan->dtype].bytes, rows = range_length(plan->rows), tile = plan->tile;
    struct layout layout = {.ld = round_up(plan->n, LINE / bytes)};
    layout.strip = product3(rows, layout.ld, bytes);
    layout.raw = product3(tile, plan->n, bytes);
    layout.row = product3(tile, round_up(plan->n, kernels->nr), bytes);
    layout.col = product3(tile, round_up(rows, kernels->mr), kernels->a_bytes);
    layout.tile = layout.tile_b = product3(tile, round_up(tile, kernels->nr), bytes);
    layout.tile_a = product3(tile, round_up(tile, kernels->mr), kernels->a_bytes);
    return layout;
}

static int cpu_devices(void)
{
    return 1;
}

/*
 * Measured: a wider tile passes over D less often, but its first phase is serial, and every rank closes all
 * pivot rows, which adds (ranks - 1) * tile / n to the work. Multiples of 48 are whole numbers of register
 * tiles.
 */
static size_t cpu_tile(size_t n, int ranks, enum dtype dtype)
{
    size_t share = n / (size_t)ranks;
    return share < 700 ? 48 : share < 3000 || dtype == DTYPE_U16 ? 96 : 144;
}

/* The plan with its tile settled (not 0, and no wider than the matrix) and at least one thread. */
static struct backend_plan complete(const struct backend_plan *plan)
{
    struct backend_plan full = *plan;
    if (full.threads < 1)
        full.threads = 1;
    size_t rows = range_length(plan->rows);
    if (full.tile == 0)
        full.tile = cpu_tile(plan->n, rows ? (int)(plan->n / rows) : 1, plan->dtype);
    if (full.tile > plan->n)
        full.tile = plan->n;
    return full;
}

static struct backend_need cpu_need(const struct backend_plan *plan)
{
    struct backend_plan full = complete(plan);
    struct layout layout = cpu_layout(&full, relax_choose(plan->dtype, NULL));
    size_t parts[] = {layout.strip, layout.raw,    layout.row,   layout.col,
                      layout.tile,  layout.tile_a, layout.tile_b};
    struct backend_need need = {.host = sizeof(struct cpu)};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        mem_add(&need.host, need.host, parts[i]);
    return need;
}

static void *at(const struct cpu *cpu, void *base, size_t element)
{
    return (char *)base + element * cpu->bytes;
}

/* The same in a panel of the operand A. */
static void *at_a(const struct cpu *cpu, void *base, size_t element)
{
    return (char *)base + element * cpu->kernels->a_bytes;
}

/* Address of D[row][col], in the numbers of the whole matrix. */
static void *entry(const struct cpu *cpu, size_t row, size_t col)
{
    return at(cpu, cpu->d, (row - cpu->base.plan.rows.lo) * cpu->layout.ld + col);
}

static void cpu_free(struct backend *backend)
{
    struct cpu *cpu = (struct cpu *)backend;
    if (!cpu)
        return;
    mem_free(cpu->tile_b, cpu->layout.tile_b);
    mem_free(cpu->tile_a, cpu->layout.tile_a);
    mem_free(cpu->tile, cpu->layout.tile);
    mem_free(cpu->col, cpu->layout.col);
    mem_free(cpu->row, cpu->layout.row);
    mem_free(cpu->raw, cpu->layout.raw);
    mem_free(cpu->d, cpu->layout.strip);
    mem_free(cpu, sizeof *cpu);
}

static void fill_strip(struct cpu *cpu)
{
    struct range rows = cpu->base.plan.rows;
#pragma omp parallel for schedule(static) num_threads(cpu->base.plan.threads)
    for (size_t i = rows.lo; i < rows.hi; i++) {
        cpu->kernels->fill(entry(cpu, i, 0), cpu->layout.ld);
        memset(entry(cpu, i, i), 0, cpu->bytes);
    }
}

static int cpu_open(struct backend **backend, const struct backend_plan *plan, struct apsp_error *error)
{
    struct cpu *cpu = mem_alloc(sizeof *cpu);
    *backend = NULL;
    if (!cpu)
        return error_set(error, APSP_MEMORY, "out of memory: backend, %zu bytes", sizeof *cpu);
    const char *note;
    cpu->base.ops = &backend_cpu;
    cpu->base.plan = complete(plan);
    cpu->kernels = relax_choose(plan->dtype, &note);
    cpu->bytes = dtype_info[plan->dtype].bytes;
    cpu->layout = cpu_layout(&cpu->base.plan, cpu->kernels);
    snprintf(cpu->text, sizeof cpu->text, "%s, %zu x %zu register tile, %d thread%s%s%s", cpu->kernels->name,
             cpu->kernels->mr, cpu->kernels->nr, cpu->base.plan.threads,
             cpu->base.plan.threads == 1 ? "" : "s", *note ? "; " : "", note);
    cpu->d = mem_alloc(cpu->layout.strip);
    cpu->raw = mem_alloc(cpu->layout.raw);
    cpu->row = mem_alloc(cpu->layout.row);
    cpu->col = mem_alloc(cpu->layout.col);
    cpu->tile = mem_alloc(cpu->layout.tile);
    cpu->tile_a = mem_alloc(cpu->layout.tile_a);
    cpu->tile_b = mem_alloc(cpu->layout.tile_b);
    if (!cpu->d || !cpu->raw || !cpu->row || !cpu->col || !cpu->tile || !cpu->tile_a || !cpu->tile_b) {
        cpu_free(&cpu->base);
        return error_set(error, APSP_MEMORY, "out of memory: strip of %zu x %zu and panels, %zu bytes",
                         range_length(plan->rows), plan->n, cpu_need(plan).host);
    }
    fill_strip(cpu);
    *backend = &cpu->base;
    return APSP_OK;
}

static int cpu_build(struct backend *backend, const struct edge *edges, size_t count, size_t *parallel,
                     struct apsp_error *error)
{
    struct cpu *cpu = (struct cpu *)backend;
    (void)error;
    for (size_t i = 0; i < count; i++)
        *parallel += cpu->kernels->lower(entry(cpu, edges[i].from, edges[i].to), &edges[i].weight);
    return APSP_OK;
}

static void cpu_build_done(struct backend *backend, size_t *parallel)
{
    (void)backend;
    (void)parallel;
}

static void cpu_begin(struct backend *backend)
{
    (void)backend;
}

static void cpu_end(struct backend *backend, struct backend_times *times)
{
    (void)backend;
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
        memcpy(at(cpu, cpu->raw, (i - pivot.lo) * n), entry(cpu, i, 0), n * cpu->bytes);
}

static void *cpu_raw(struct backend *backend, int slot)
{
    (void)slot;
    return ((struct cpu *)backend)->raw;
}

static bool cpu_on_host(const struct backend *backend)
{
    (void)backend;
    return true;
}

/* Phase 1: the pivot tile, from the raw panel. */
static void close_tile(struct cpu *cpu)
{
    const struct relax_kernels *k = cpu->kernels;
    struct range pivot = cpu->pivot;
    size_t n = cpu->base.plan.n, w = range_length(pivot), ld = round_up(w, k->nr);
    for (size_t i = 0; i < w; i++) {
        k->fill(at(cpu, cpu->tile, i * ld + w), ld - w);
        memcpy(at(cpu, cpu->tile, i * ld), at(cpu, cpu->raw, i * n + pivot.lo), w * cpu->bytes);
    }
    k->close(cpu->tile, w, ld);
    for (size_t i = 0; i < w; i += k->mr)
        k->pack_a(at_a(cpu, cpu->tile_a, i * w), at(cpu, cpu->tile, i * ld), ld,
                  w - i < k->mr ? w - i : k->mr, w);
    for (size_t j = 0; j < w; j += k->nr)
        k->pack_b(at(cpu, cpu->tile_b, j * w), at(cpu, cpu->tile, j), ld, w, w - j < k->nr ? w - j : k->nr);
}

/* Phase 2 on one block of columns of the pivot rows; with write_back also into D, for `cols`. */
static void close_rows(struct cpu *cpu, size_t block, const struct ranges *cols, bool write_back)
{
    const struct relax_kernels *k = cpu->kernels;
    size_t n = cpu->base.plan.n, w = range_length(cpu->pivot), first = block * k->nr;
    struct range here = {first, first + k->nr < n ? first + k->nr : n};
    void *packed = at(cpu, cpu->row, first * cpu->base.plan.tile);
    struct ranges parts = ranges_within(*cols, here);
    if (parts.count == 0)
        return;
    k->pack_b(packed, at(cpu, cpu->raw, first), n, w, range_length(here));
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
            memcpy(entry(cpu, cpu->pivot.lo + i, part.lo), at(cpu, packed, i * k->nr + part.lo - first),
                   range_length(part) * cpu->bytes);
    }
}

/* Phase 2 on one block of the strip's rows, in the pivot columns: D, then the panel. */
static void close_cols(struct cpu *cpu, size_t block, const struct ranges *rows)
{
    const struct relax_kernels *k = cpu->kernels;
    struct range strip = cpu->base.plan.rows;
    size_t w = range_length(cpu->pivot), first = strip.lo + block * k->mr;
    struct range here = {first, first + k->mr < strip.hi ? first + k->mr : strip.hi};
    void *packed = at_a(cpu, cpu->col, block * k->mr * cpu->base.plan.tile);
    void *corner = entry(cpu, first, cpu->pivot.lo);
    struct ranges parts = ranges_within(*rows, here);
    if (parts.count == 0)
        return;
    k->pack_a(packed, corner, cpu->layout.ld, range_length(here), w);
    struct relax_product product = {.c = corner,
                                    .a = packed,
                                    .b = cpu->tile_b,
                                    .ldc = cpu->layout.ld,
                                    .a_step = 0,
                                    .b_step = k->nr * w,
                                    .depth = w};
    for (int r = 0; r < parts.count; r++)
        k->relax(&product, (struct range){parts.at[r].lo - first, parts.at[r].hi - first},
                 (struct range){0, w});
    k->pack_a(packed, corner, cpu->layout.ld, range_length(here), w);
}

static void cpu_close(struct backend *backend, int slot, struct range pivot, const struct ranges *rows,
                      const struct ranges *cols)
{
    struct cpu *cpu = (struct cpu *)backend;
    size_t col_blocks = round_up(backend->plan.n, cpu->kernels->nr) / cpu->kernels->nr;
    size_t row_blocks = round_up(range_length(backend->plan.rows), cpu->kernels->mr) / cpu->kernels->mr;
    bool owned = ranges_within(*rows, pivot).count > 0;
    (void)slot;
    if (rows->count == 0)
        return;
    cpu->pivot = pivot;
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

/* Ranges cut at the multiples of `size` counted from `origin`: how many pieces, and piece number `index`. */
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
    return (struct range){lo > whole.lo ? lo : whole.lo, hi < whole.hi ? hi : whole.hi};
}

static void cpu_relax(struct backend *backend, enum backend_queue queue, int slot, const struct ranges *rows,
                      const struct ranges *cols)
{
    struct cpu *cpu = (struct cpu *)backend;
    const struct relax_kernels *k = cpu->kernels;
    size_t origin = backend->plan.rows.lo, tile = backend->plan.tile;
    size_t down = pieces_count(rows, origin, TASK_ROWS), tasks = down * pieces_count(cols, 0, TASK_COLS);
    struct relax_product product = {.c = cpu->d,
                                    .a = cpu->col,
                                    .b = cpu->row,
                                    .ldc = cpu->layout.ld,
                                    .a_step = k->mr * tile,
                                    .b_step = k->nr * tile,
                                    .depth = range_length(cpu->pivot)};
    (void)queue;
    (void)slot;
    if (tasks == 0)
        return;
#pragma omp parallel for schedule(dynamic) num_threads(backend->plan.threads)
    for (size_t t = 0; t < tasks; t++) {
        struct range part = pieces_at(rows, origin, TASK_ROWS, t % down);
        k->relax(&product, (struct range){part.lo - origin, part.hi - origin},
                 pieces_at(cols, 0, TASK_COLS, t / down));
        if (backend->poll && omp_get_thread_num() == 0)
            backend->poll(backend->poll_arg);
    }
}

static void cpu_potentials(struct backend *backend, const void *h)
{
    ((struct cpu *)backend)->potentials = h;
}

static bool cpu_fetch_copies(const struct backend_plan *plan)
{
    return plan->shifted || dtype_info[plan->dtype].output != plan->dtype;
}

static const void *cpu_fetch(struct backend *backend, int lane, struct range rows, void *buffer,
                             size_t *stride)
{
    struct cpu *cpu = (struct cpu *)backend;
    const struct backend_plan *plan = &backend->plan;
    size_t row_bytes = plan->n * dtype_info[dtype_info[plan->dtype].output].bytes;
    (void)lane;
    *stride = cpu->layout.ld;
    if (!cpu_fetch_copies(plan))
        return entry(cpu, rows.lo, 0);
    *stride = plan->n;
    for (size_t i = rows.lo; i < rows.hi; i++)
        convert_row(plan->dtype, (char *)buffer + (i - rows.lo) * row_bytes, entry(cpu, i, 0), plan->n,
                    cpu->potentials, i);
    return buffer;
}

static const char *cpu_describe(const struct backend *backend)
{
    return ((const struct cpu *)backend)->text;
}

/* The kernel alone, for about `seconds`, on operands that stay in the second-level cache. */
static double kernel_rate(const struct relax_kernels *kernels, size_t bytes, double seconds)
{
    enum { ROWS = TASK_ROWS, COLS = TASK_COLS / 2, DEPTH = 96 };
    size_t a_size = ROWS * DEPTH * kernels->a_bytes, b_size = DEPTH * COLS * bytes,
           size = a_size + b_size + ROWS * COLS * bytes;
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
    double start = clock_seconds(), now = start, done = 0;
    for (; now - start < seconds; now = clock_seconds()) {
        kernels->relax(&product, (struct range){0, ROWS}, (struct range){0, COLS});
        done += (double)ROWS * COLS * DEPTH;
    }
    mem_free(scratch, size);
    return done / (now - start);
}

static double cpu_rate(const struct backend_plan *plan)
{
    const struct relax_kernels *kernels = relax_choose(plan->dtype, NULL);
    int threads = complete(plan).threads;
    double rate = 0;
#pragma omp parallel num_threads(threads) reduction(+ : rate)
    rate += kernel_rate(kernels, dtype_info[plan->dtype].bytes, 0.02);
    return rate > 0 ? rate : 1;
}

const struct backend_ops backend_cpu = {
    .name = "cpu",
    .devices = cpu_devices,
    .tile = cpu_tile,
    .need = cpu_need,
    .rate = cpu_rate,
    .describe = cpu_describe,
    .open = cpu_open,
    .free = cpu_free,
    .build = cpu_build,
    .build_done = cpu_build_done,
    .begin = cpu_begin,
    .end = cpu_end,
    .after = cpu_after,
    .copy = cpu_copy,
    .mark = cpu_mark,
    .reached = cpu_reached,
    .pin = cpu_pin,
    .unpin = cpu_unpin,
    .pick = cpu_pick,
    .raw = cpu_raw,
    .on_host = cpu_on_host,
    .close = cpu_close,
    .relax = cpu_relax,
    .fetch = cpu_fetch,
    .potentials = cpu_potentials,
    .fetch_copies = cpu_fetch_copies,
    .host_alloc = mem_alloc,
    .host_free = mem_free,
};
