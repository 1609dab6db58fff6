/*
 * The word sums of the CPU backend. A panel is added up as it is made, while it is in the cache,
 * and again when all of its round have read it; the strip inside the product.
 */
#include "dense/backend_cpu.h"

#include <string.h>

struct backend_area cpu_area(struct backend *backend, enum sum_area which, int slot,
                             struct range pivot)
{
    struct cpu *cpu = (struct cpu *)backend;
    const struct relax_kernels *k = cpu->kernels;
    const struct backend_plan *plan = &backend->plan;
    size_t rows = range_length(plan->rows), w = range_length(pivot), width = plan->n * cpu->bytes;
    (void)slot;
    if (rows == 0)
        return (struct backend_area){0};
    switch (which) {
    case SUM_STRIP:
        return (struct backend_area){cpu->d, rows, width, cpu->ld * cpu->bytes};
    case SUM_RAW:
        return (struct backend_area){cpu->raw, w, width, width};
    case SUM_ROW:
        return (struct backend_area){cpu->row, cpu_round_up(plan->n, k->nr) / k->nr,
                                     w * k->nr * cpu->bytes, plan->tile * k->nr * cpu->bytes};
    default:
        return (struct backend_area){cpu->col, cpu_round_up(rows, k->mr) / k->mr,
                                     w * k->mr * k->a_bytes, plan->tile * k->mr * k->a_bytes};
    }
}

static uint32_t sum_of(const struct cpu *cpu, struct backend_area area)
{
    uint32_t sum = 0;
#pragma omp parallel for schedule(static) num_threads(cpu->base.plan.threads) reduction(+ : sum)
    for (size_t i = 0; i < area.rows; i++)
        sum += cpu->kernels->sum(area.at + i * area.pitch, 1, area.width, 0);
    return sum;
}

static void sum_add(uint32_t *to, uint32_t sum)
{
#pragma omp atomic
    *to += sum;
}

static uint32_t sum_strip(struct cpu *cpu)
{
    return sum_of(cpu, cpu_area(&cpu->base, SUM_STRIP, 0, cpu->pivot));
}

void cpu_sums_begin(struct cpu *cpu, size_t rounds)
{
    memset(cpu->sums, 0, (rounds + 1) * sizeof *cpu->sums);
    cpu->sums[0].of[SUM_STRIP].wrote = sum_strip(cpu);
}

void cpu_sums_end(struct cpu *cpu)
{
    cpu->sums[cpu->closed].of[SUM_STRIP].read = sum_strip(cpu);
}

static uint32_t *sent_sum(struct cpu *cpu, struct range pivot)
{
    return (void *)((char *)cpu->raw + backend_raw_bytes(&cpu->base.plan, range_length(pivot)) -
                    sizeof(uint32_t));
}

void cpu_sums_pick(struct cpu *cpu, struct range pivot)
{
    uint32_t sum = sum_of(cpu, cpu_area(&cpu->base, SUM_RAW, 0, pivot));
    *sent_sum(cpu, pivot) = sum;
    cpu->sums[cpu->closed].of[SUM_STRIP].read += sum;
}

void cpu_sums_arrive(struct cpu *cpu)
{
    cpu->sums[cpu->closed - 1].of[SUM_RAW].wrote = *sent_sum(cpu, cpu->pivot);
}

void cpu_sums_row(struct cpu *cpu, struct range cols, const void *packed, bool write_back)
{
    const struct relax_kernels *k = cpu->kernels;
    struct sums *now = cpu->sums + cpu->closed - 1;
    size_t w = range_length(cpu->pivot), width = range_length(cols) * cpu->bytes;
    sum_add(&now->of[SUM_RAW].read,
            k->sum(cpu_at(cpu, cpu->raw, cols.lo), w, width, cpu->base.plan.n * cpu->bytes));
    uint32_t wrote = k->sum(packed, 1, w * k->nr * cpu->bytes, 0);
    sum_add(&now->of[SUM_ROW].wrote, wrote);
    if (write_back && range_length(cols) < k->nr) /* a block is filled up */
        wrote = k->sum(packed, w, width, k->nr * cpu->bytes);
    if (write_back)
        sum_add(&now[1].of[SUM_STRIP].wrote, wrote);
}

/* Of the pivot columns: the first may be the second half of a word. */
static uint32_t sum_cols(const struct cpu *cpu, const struct ranges *rows)
{
    size_t width = range_length(cpu->pivot) * cpu->bytes, pitch = cpu->ld * cpu->bytes;
    size_t odd = cpu->pivot.lo * cpu->bytes % sizeof(uint32_t);
    uint32_t sum = 0;
    for (int r = 0; r < rows->count; r++) {
        const char *at = cpu_entry(cpu, rows->at[r].lo, cpu->pivot.lo);
        size_t count = range_length(rows->at[r]);
        sum += cpu->kernels->sum(at + odd, count, width - odd, pitch);
        if (odd > 0)
            sum += cpu->kernels->sum(at, count, odd, pitch) << 16;
    }
    return sum;
}

/* What close_rows has written where the pivot's rows and columns meet is not the last that the
 * round leaves there: where sums are rounded the columns may come out lower. */
void cpu_sums_read(struct cpu *cpu, const struct ranges *rows)
{
    const struct ranges own = ranges_within(*rows, cpu->pivot),
                        other = ranges_without(*rows, cpu->pivot);
    sum_add(&cpu->sums[cpu->closed].of[SUM_STRIP].wrote, 0 - sum_cols(cpu, &own));
    sum_add(&cpu->sums[cpu->closed - 1].of[SUM_STRIP].read, sum_cols(cpu, &other));
}

void cpu_sums_wrote(struct cpu *cpu, const struct ranges *rows, const void *packed)
{
    const struct relax_kernels *k = cpu->kernels;
    sum_add(&cpu->sums[cpu->closed].of[SUM_STRIP].wrote, sum_cols(cpu, rows));
    sum_add(&cpu->sums[cpu->closed - 1].of[SUM_COL].wrote,
            k->sum(packed, 1, range_length(cpu->pivot) * k->mr * k->a_bytes, 0));
}

void cpu_sums_product(struct cpu *cpu, const struct relax_product *product, struct range rows,
                      struct range cols)
{
    struct relax_sums lanes = {0};
    uint32_t read = 0, wrote = 0;
    cpu->kernels->relax_summed(product, rows, cols, &lanes);
    for (int l = 0; l < RELAX_SUMS; l++) {
        read += lanes.read[l];
        wrote += lanes.wrote[l];
    }
    sum_add(&cpu->sums[cpu->closed - 1].of[SUM_STRIP].read, read);
    sum_add(&cpu->sums[cpu->closed].of[SUM_STRIP].wrote, wrote);
}

void cpu_sums_panels(struct cpu *cpu)
{
    struct sums *now = cpu->sums + cpu->closed - 1;
    now->of[SUM_ROW].read = sum_of(cpu, cpu_area(&cpu->base, SUM_ROW, 0, cpu->pivot));
    now->of[SUM_COL].read = sum_of(cpu, cpu_area(&cpu->base, SUM_COL, 0, cpu->pivot));
}

const struct sums *cpu_sums(struct backend *backend)
{
    return ((const struct cpu *)backend)->sums;
}
