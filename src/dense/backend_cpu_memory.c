/*
 * What the CPU backend holds: the strip and the panels in host memory; how the matrix gets in and
 * the distances out.
 */
#include "dense/backend_cpu.h"

#include "base/stop.h"
#include "base/text.h"
#include "dense/schedule.h"
#include "rows/convert.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 64, PAGE = 4096 };

static struct cpu plan_cpu(const struct backend_plan *plan, const char **note)
{
    const struct relax_kernels *kernels = relax_combining(plan->dtype, plan->combine, note);
    size_t bytes = dtype_info[plan->dtype].bytes;
    return (struct cpu){.base = backend_start(&backend_cpu, plan),
                        .kernels = kernels,
                        .bytes = bytes,
                        .ld = cpu_round_up(plan->n, LINE / bytes)};
}

/* Finds every part; the strip comes first, so that it has the huge pages' boundary. */
static void place_parts(struct cpu *cpu, struct mem_layout *layout)
{
    const struct relax_kernels *k = cpu->kernels;
    size_t n = cpu->base.plan.n, rows = range_length(cpu->base.plan.rows),
           tile = cpu->base.plan.tile;
    cpu->d = mem_place(layout, mem_bytes(rows, cpu->ld), cpu->bytes);
    cpu->raw = mem_place(layout, 1, backend_raw_bytes(&cpu->base.plan, tile));
    cpu->row = mem_place(layout, mem_bytes(tile, cpu_round_up(n, k->nr)), cpu->bytes);
    cpu->col = mem_place(layout, mem_bytes(tile, cpu_round_up(rows, k->mr)), k->a_bytes);
    cpu->tile = mem_place(layout, mem_bytes(tile, cpu_round_up(tile, k->nr)), cpu->bytes);
    cpu->tile_a = mem_place(layout, mem_bytes(tile, cpu_round_up(tile, k->mr)), k->a_bytes);
    cpu->tile_b = mem_place(layout, mem_bytes(tile, cpu_round_up(tile, k->nr)), cpu->bytes);
    if (cpu->base.plan.sums)
        cpu->sums = mem_place(layout, schedule_rounds(n, cpu->base.plan.ranks, tile) + 1,
                              sizeof *cpu->sums);
}

/*
 * Measured: a wider tile passes over D less often, but its first phase is serial, and every rank
 * closes all pivot rows, which adds (ranks - 1) * tile / n to the work. Multiples of 48 consist of
 * full register tiles.
 */
size_t cpu_tile(size_t n, int ranks, enum dtype dtype)
{
    size_t share = n / (size_t)ranks;
    return share < 700 ? 48 : share < 3000 || dtype == DTYPE_U16 ? 96 : 144;
}

struct backend_need cpu_need(const struct backend_plan *plan)
{
    struct cpu cpu = plan_cpu(plan, NULL);
    struct mem_layout layout = {0};
    struct backend_need need = {0};
    place_parts(&cpu, &layout);
    mem_add(&need.host, layout.bytes, sizeof cpu);
    return need;
}

void cpu_free(struct backend *backend)
{
    struct cpu *cpu = (struct cpu *)backend;
    if (cpu)
        mem_free(cpu->d);
    mem_free(cpu);
}

static void fill_strip(struct cpu *cpu)
{
    struct range rows = cpu->base.plan.rows;
#pragma omp parallel for schedule(static) num_threads(cpu->base.plan.threads)
    for (size_t i = rows.lo; i < rows.hi; i++) {
        if (stop_wanted())
            continue;
        cpu->kernels->fill(cpu_entry(cpu, i, 0), cpu->ld);
        memset(cpu_entry(cpu, i, i), 0, cpu->bytes);
    }
}

/* The panels' pages are made now, not in the rounds; they are zero either way. */
static void touch_panels(struct cpu *cpu, const char *end)
{
    char *panels = cpu->raw;
    const size_t bytes = (size_t)(end - panels);
#pragma omp parallel for schedule(static) num_threads(cpu->base.plan.threads)
    for (size_t at = 0; at < bytes; at += PAGE)
        if (!mem_is_guard(panels + at))
            panels[at] = 0;
}

int cpu_open(struct backend **backend, const struct backend_plan *plan, struct apsp_error *error)
{
    size_t bytes = cpu_need(plan).host - sizeof(struct cpu);
    struct mem_layout layout = {.base = mem_alloc(bytes)};
    struct cpu *cpu = mem_alloc(sizeof *cpu);
    const char *note;
    *backend = NULL;
    if (!cpu || !layout.base) {
        char needed[TEXT_NUMBER];
        mem_free(layout.base);
        mem_free(cpu);
        return error_set(error, APSP_MEMORY, "out of memory: strip of %zu x %zu and panels, %s",
                         range_length(plan->rows), plan->n, text_bytes(needed, bytes));
    }
    *cpu = plan_cpu(plan, &note);
    place_parts(cpu, &layout);
    snprintf(cpu->text, sizeof cpu->text, "%s, %zu x %zu register tile, %d thread%s%s%s",
             cpu->kernels->name, cpu->kernels->mr, cpu->kernels->nr, plan->threads,
             plan->threads == 1 ? "" : "s", *note ? "; " : "", note);
    fill_strip(cpu);
    touch_panels(cpu, layout.base + layout.bytes);
    *backend = &cpu->base;
    return APSP_OK;
}

void cpu_build(struct backend *backend, const struct edge *edges, size_t count, size_t *parallel)
{
    struct cpu *cpu = (struct cpu *)backend;
    for (size_t i = 0; i < count; i++)
        *parallel +=
            cpu->kernels->lower(cpu_entry(cpu, edges[i].from, edges[i].to), edges[i].weight);
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
    return convert_changes(plan->dtype, plan->output, plan->shifted);
}

size_t cpu_fetch_rows(const struct backend_plan *plan)
{
    (void)plan;
    return SIZE_MAX;
}

void cpu_fetch(struct backend *backend, int lane, struct range rows, void *buffer,
               struct block *block)
{
    struct cpu *cpu = (struct cpu *)backend;
    const struct backend_plan *plan = &backend->plan;
    size_t row_bytes = plan->n * dtype_info[plan->output].bytes;
    const struct conversion conversion = {plan->dtype, plan->output, plan->n, cpu->potentials,
                                          NULL};
    bool copies = cpu_fetch_copies(plan);
    (void)lane;
    for (size_t i = rows.lo; copies && i < rows.hi; i++)
        convert_row(&conversion, i, cpu_entry(cpu, i, 0),
                    (char *)buffer + (i - rows.lo) * row_bytes);
    *block = (struct block){.n = plan->n,
                            .count = range_length(rows),
                            .first = rows.lo,
                            .dtype = plan->output,
                            .values = copies ? buffer : cpu_entry(cpu, rows.lo, 0),
                            .stride = copies ? plan->n : cpu->ld};
}

const char *cpu_describe(const struct backend *backend)
{
    return ((const struct cpu *)backend)->text;
}
