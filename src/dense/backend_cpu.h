/* The state of the CPU backend, for its two halves: what it holds (backend_cpu_memory.c) and the
 * rounds (backend_cpu.c). */
#ifndef BACKEND_CPU_H
#define BACKEND_CPU_H

#include "base/mem.h"
#include "dense/backend.h"
#include "kernels/cpu/relax.h"

struct cpu {
    struct backend base;
    const struct relax_kernels *kernels;
    size_t bytes;                 /* of an element */
    size_t ld;                    /* elements from row to row of the strip */
    struct range pivot;           /* of the closed panels */
    const void *potentials;       /* to take off; NULL: none */
    void *d, *raw, *row, *col;    /* strip, where the one allocation starts; pivot rows as received;
                                     pivot rows    and columns closed and packed */
    void *tile, *tile_a, *tile_b; /* the closed pivot tile: row-major, packed as A, packed as B */
    struct sums *sums;            /* of every round and one more; NULL: none */
    size_t closed;                /* rounds whose panels have been closed */
    char text[160];
};

/* backend_cpu_memory.c */
size_t cpu_tile(size_t n, int ranks, enum dtype dtype);
struct backend_need cpu_need(const struct backend_plan *plan);
const char *cpu_describe(const struct backend *backend);
int cpu_open(struct backend **backend, const struct backend_plan *plan, struct apsp_error *error);
void cpu_free(struct backend *backend);
void cpu_build(struct backend *backend, const struct edge *edges, size_t count, size_t *parallel);
void cpu_build_done(struct backend *backend, size_t *parallel);
void cpu_potentials(struct backend *backend, const void *h);
bool cpu_fetch_copies(const struct backend_plan *plan);
void cpu_fetch(struct backend *backend, int lane, struct range rows, void *buffer,
               struct block *block);
size_t cpu_fetch_rows(const struct backend_plan *plan);

/* backend_cpu_sums.c; but for the first two only where there are sums. */
struct backend_area cpu_area(struct backend *backend, enum sum_area which, int slot,
                             struct range pivot);
const struct sums *cpu_sums(struct backend *backend);
void cpu_sums_begin(struct cpu *cpu, size_t rounds);
void cpu_sums_end(struct cpu *cpu);
void cpu_sums_pick(struct cpu *cpu, struct range pivot); /* the owner has filled the raw panel */
void cpu_sums_arrive(struct cpu *cpu);                   /* the raw panel has arrived */
/* A block of pivot rows has been closed, from the raw panel to `packed` and back to D. */
void cpu_sums_row(struct cpu *cpu, struct range cols, const void *packed, bool write_back);
/* The pivot columns of these rows of D are to be closed; they have been, to `packed`. */
void cpu_sums_read(struct cpu *cpu, const struct ranges *rows);
void cpu_sums_wrote(struct cpu *cpu, const struct ranges *rows, const void *packed);
/* The kernels' product on D. */
void cpu_sums_product(struct cpu *cpu, const struct relax_product *product, struct range rows,
                      struct range cols);
void cpu_sums_panels(struct cpu *cpu); /* the panels of the round are needed no more */

static inline size_t cpu_round_up(size_t value, size_t unit)
{
    size_t sum;
    mem_add(&sum, value, unit - 1);
    return sum / unit * unit;
}

static inline void *cpu_at(const struct cpu *cpu, void *base, size_t element)
{
    return (char *)base + element * cpu->bytes;
}

/* The same in a panel of the operand A. */
static inline void *cpu_at_a(const struct cpu *cpu, void *base, size_t element)
{
    return (char *)base + element * cpu->kernels->a_bytes;
}

/* Address of D[row][col], in the numbers of the whole matrix. */
static inline void *cpu_entry(const struct cpu *cpu, size_t row, size_t col)
{
    return cpu_at(cpu, cpu->d, (row - cpu->base.plan.rows.lo) * cpu->ld + col);
}

#endif
