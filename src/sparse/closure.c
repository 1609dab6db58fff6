#include "sparse/closure.h"

#include "base/mem.h"
#include "graph/census.h"
#include "graph/source.h"
#include "rows/convert.h"

#include <math.h>
#include <string.h>

int closure_plan(struct closure *closure, const struct engine_task *task, size_t size,
                 struct apsp_error *error)
{
    closure->ops = task->dense;
    closure->task = (struct engine_task){.options = task->options,
                                         .comm = task->comm,
                                         .device = task->device,
                                         .threads = task->threads,
                                         .n = size,
                                         .m = mem_bytes(size, size),
                                         .dtype = task->dtype,
                                         .output = task->dtype,
                                         .wish = {.any = true}};
    return closure->ops->plan(&closure->engine, &closure->task, &closure->plan, error);
}

size_t closure_need(const struct closure *closure)
{
    const struct engine_plan *plan = &closure->plan;
    size_t bytes;
    mem_add(&bytes, plan->host, plan->loading > plan->making ? plan->loading : plan->making);
    return bytes;
}

/* What is finite between two vertices of the core is an edge: a source of such, in no table. */
struct core_part {
    struct graph_part head;
    struct range rows; /* to come, with the one in hand */
    size_t column;     /* of that */
    union value *row;  /* it */
};

static void widen(struct core_part *part)
{
    const struct panels *panels = part->head.graph->own;
    const struct conversion conversion = {panels->dtype, part->head.graph->real ? DTYPE_F64 : DTYPE_I64,
                                          part->head.graph->n, NULL};
    if (range_length(part->rows) > 0)
        convert_row(&conversion, 0, panels_core(panels, part->rows.lo), part->row);
    part->column = 0;
}

static int begin_edges(struct graph_part *head, int index, int parts, struct apsp_error *error)
{
    struct core_part *part = (struct core_part *)head;
    size_t n = head->graph->n;
    part->rows = range_part((struct range){0, n}, (size_t)index, (size_t)parts);
    part->row = mem_alloc(mem_bytes(n, sizeof *part->row));
    if (!part->row)
        return error_set(error, APSP_MEMORY, "no memory for a row of %zu vertices", n);
    widen(part);
    return APSP_OK;
}

static int next_edges(struct graph_part *head, struct edge *edges, size_t room, size_t *count,
                      struct apsp_error *error)
{
    struct core_part *part = (struct core_part *)head;
    (void)error;
    while (*count < room && range_length(part->rows) > 0) {
        union value value = part->row[part->column];
        size_t u = part->rows.lo, v = part->column++;
        head->records++; /* entries, finite or not */
        if (u != v && (head->graph->real ? value.real < (double)INFINITY : value.whole < INF_I64))
            edges[(*count)++] = (struct edge){(uint32_t)u, (uint32_t)v, value};
        if (part->column == head->graph->n) {
            part->rows.lo++;
            widen(part);
        }
    }
    return APSP_OK;
}

static void end_edges(struct graph_part *head)
{
    mem_free(((struct core_part *)head)->row);
}

static const struct graph_source source = {.name = "core",
                                           .reader = sizeof(struct core_part),
                                           .begin = begin_edges,
                                           .next = next_edges,
                                           .end = end_edges};

/* This rank's rows take the place of those before; mine[] gets their numbers. */
static size_t take_rows(struct rows_maker *maker, const struct panels *panels, uint32_t *mine,
                        const uint32_t *all, struct apsp_error *error)
{
    const struct relax_kernels *kernels = panels->kernels;
    size_t n = panels->tree->core.size, count = 0;
    struct block block;
    while (maker->next(maker->self, 0, &block, error))
        for (size_t k = 0; k < block.count; k++) {
            mine[count] = (uint32_t)block_source(&block, k);
            void *row = panels_core(panels, mine[count++]);
            kernels->fill(row, n); /* what is unreachable in a block is infinite here */
            kernels->merge(row, block_row(&block, k), all, n);
        }
    return count;
}

/* Everyone's rows to all, as they follow each other; theirs[] is work space. */
static void share_rows(struct comm *comm, const struct panels *panels, const uint32_t *mine, size_t count,
                       uint32_t *theirs)
{
    for (int rank = 0; rank < comm->ranks; rank++) {
        size_t rows = count;
        comm_broadcast(comm, &rows, sizeof rows, rank);
        if (rank == comm->rank)
            memcpy(theirs, mine, rows * sizeof *theirs);
        comm_broadcast(comm, theirs, rows * sizeof *theirs, rank);
        for (size_t lo = 0, hi; lo < rows; lo = hi) {
            for (hi = lo + 1; hi < rows && theirs[hi] == theirs[hi - 1] + 1;)
                hi++;
            comm_broadcast(comm, panels_core(panels, theirs[lo]),
                           (hi - lo) * panels->core.ld * dtype_info[panels->dtype].bytes, rank);
        }
    }
}

static int solve(struct closure *closure, struct panels *panels, struct progress *progress,
                 struct apsp_error *error)
{
    size_t n = closure->task.n;
    struct graph graph = {.source = &source,
                          .path = "core",
                          .n = n,
                          .m = n * n,
                          .real = dtype_info[panels->dtype].real,
                          .records = n * n,
                          .bytes = n * n * dtype_info[panels->dtype].bytes,
                          .own = panels};
    struct edges edges = {.graph = &graph, .comm = closure->task.comm, .threads = closure->task.threads};
    struct census census;
    if (census_take(&census, &edges, error) == APSP_OK &&
        closure->ops->load(closure->engine, &edges, error) == APSP_OK && closure->ops->solve)
        closure->ops->solve(closure->engine, progress, error);
    edges_free(&edges);
    return comm_agree(closure->task.comm, error);
}

int closure_make(struct closure *closure, struct panels *panels, struct progress *progress,
                 struct apsp_error *error)
{
    struct comm *comm = closure->task.comm;
    size_t n = closure->task.n, count = 0;
    const struct rows_wish wish = {.any = true};
    struct rows_maker maker;
    uint32_t *all = mem_alloc(mem_bytes(n, 3 * sizeof *all)), *mine = all + n, *theirs = mine + n;
    if (!all)
        error_set(error, APSP_MEMORY, "no memory for a core of %zu vertices", n);
    if (comm_agree(comm, error) == APSP_OK && solve(closure, panels, progress, error) == APSP_OK &&
        closure->ops->rows(closure->engine, &wish, &maker, error) == APSP_OK) {
        for (size_t v = 0; v < n; v++)
            all[v] = (uint32_t)v;
        count = take_rows(&maker, panels, mine, all, error);
    }
    if (comm_agree(comm, error) == APSP_OK)
        share_rows(comm, panels, mine, count, theirs);
    mem_free(all);
    return error->code;
}

double closure_exposed(const struct closure *closure)
{
    struct engine_report report = {0};
    closure->ops->report(closure->engine, &report);
    return report.exposed;
}

void closure_free(struct closure *closure)
{
    if (closure->ops)
        closure->ops->free(closure->engine);
    *closure = (struct closure){0};
}
