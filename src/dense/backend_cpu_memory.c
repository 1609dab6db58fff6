/*
 * What the CPU backend holds: the strip and the panels in host memory; how the matrix gets in and the
 * distances out.
 */
#include "dense/backend_cpu.h"

#include "rows/convert.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 64 };

static size_t product3(size_t a, size_t b, size_t c)
{
    size_t p;
    return mem_mul(&p, a, b) && mem_mul(&p, p, c) ? p : SIZE_MAX;
}

static struct cpu_layout layout_of(const struct backend_plan *plan, const struct relax_kernels *kernels)
{
    size_t bytes = dtype_info[plan->dtype].bytes, rows = range_length(plan->rows), tile = plan->tile;
    struct cpu_layout layout = {.ld = cpu_round_up(plan->n, LINE / bytes)};
    layout.strip = product3(rows, layout.ld, bytes);
    layout.raw = product3(tile, plan->n, bytes);
    layout.row = product3(tile, cpu_round_up(plan->n, kernels->nr), bytes);
    layout.col = product3(tile, cpu_round_up(rows, kernels->mr), kernels->a_bytes);
    layout.tile = layout.tile_b = product3(tile, cpu_round_up(tile, kernels->nr), bytes);
    layout.tile_a = product3(tile, cpu_round_up(tile, kernels->mr), kernels->a_bytes);
    return layout;
}

/*
 * Measured: a wider tile passes over D less often, but its first phase is serial, and every rank closes all
 * pivot rows, which adds (ranks - 1) * tile / n to the work. Multiples of 48 are whole numbers of register
 * tiles.
 */
size_t cpu_tile(size_t n, int ranks, enum dtype dtype)
{
    size_t share = n / (size_t)ranks;
    return share < 700 ? 48 : share < 3000 || dtype == DTYPE_U16 ? 96 : 144;
}

struct backend_need cpu_need(const struct backend_plan *plan)
{
    struct cpu_layout layout = layout_of(plan, relax_choose(plan->dtype, NULL));
    size_t parts[] = {layout.strip, layout.raw,    layout.row,   layout.col,
                      layout.tile,  layout.tile_a, layout.tile_b};
    struct backend_need need = {.host = sizeof(struct cpu)};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        mem_add(&need.host, need.host, parts[i]);
    return need;
}

void cpu_free(struct backend *backend)
{
    struct cpu *cpu = (struct cpu *)backend;
    if (!cpu)
        return;
    mem_free(cpu->tile_b);
    mem_free(cpu->tile_a);
    mem_free(cpu->tile);
    mem_free(cpu->col);
    mem_free(cpu->row);
    mem_free(cpu->raw);
    mem_free(cpu->d);
    mem_free(cpu);
}

static void fill_strip(struct cpu *cpu)
{
    struct range rows = cpu->base.plan.rows;
#pragma omp parallel for schedule(static) num_threads(cpu->base.plan.threads)
    for (size_t i = rows.lo; i < rows.hi; i++) {
        cpu->kernels->fill(cpu_entry(cpu, i, 0), cpu->layout.ld);
        memset(cpu_entry(cpu, i, i), 0, cpu->bytes);
    }
}

int cpu_open(struct backend **backend, const struct backend_plan *plan, struct apsp_error *error)
{
    struct cpu *cpu = mem_alloc(sizeof *cpu);
    *backend = NULL;
    if (!cpu)
        return error_set(error, APSP_MEMORY, "out of memory: backend, %zu bytes", sizeof *cpu);
    const char *note;
    cpu->base.ops = &backend_cpu;
    cpu->base.plan = *plan;
    cpu->kernels = relax_choose(plan->dtype, &note);
    cpu->bytes = dtype_info[plan->dtype].bytes;
    cpu->layout = layout_of(plan, cpu->kernels);
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

void cpu_build(struct backend *backend, const struct edge *edges, size_t count, size_t *parallel)
{
    struct cpu *cpu = (struct cpu *)backend;
    for (size_t i = 0; i < count; i++)
        *parallel += cpu->kernels->lower(cpu_entry(cpu, edges[i].from, edges[i].to), &edges[i].weight);
}

void cpu_build_done(struct backend *backend, size_t *parallel)
{
    (void)backend;
    (void)parallel;
}

void cpu_potentials(struct backend *backend, const void *h)
{
    ((struct cpu *)backend)->potentials = h;
}

bool cpu_fetch_copies(const struct backend_plan *plan)
{
    return plan->shifted || dtype_info[plan->dtype].output != plan->dtype;
}

const void *cpu_fetch(struct backend *backend, int lane, struct range rows, void *buffer, size_t *stride)
{
    struct cpu *cpu = (struct cpu *)backend;
    const struct backend_plan *plan = &backend->plan;
    size_t row_bytes = plan->n * dtype_info[dtype_info[plan->dtype].output].bytes;
    (void)lane;
    *stride = cpu->layout.ld;
    if (!cpu_fetch_copies(plan))
        return cpu_entry(cpu, rows.lo, 0);
    *stride = plan->n;
    for (size_t i = rows.lo; i < rows.hi; i++)
        convert_row(plan->dtype, (char *)buffer + (i - rows.lo) * row_bytes, cpu_entry(cpu, i, 0), plan->n,
                    cpu->potentials, i);
    return buffer;
}

const char *cpu_describe(const struct backend *backend)
{
    return ((const struct cpu *)backend)->text;
}
