#include "sparse/closure.h"

#include "base/mem.h"
#include "base/range.h"
#include "base/setting.h"
#include "base/size.h"
#include "base/stop.h"
#include "rows/convert.h"

#include <string.h>

int closure_plan(struct closure *closure, const struct engine_task *task, size_t size,
                 struct apsp_error *error)
{
    if (!task->closer)
        return error_set(error, APSP_USAGE, "%s sparse: no engine closes its dense core",
                         SETTING(METHOD));
    closure->ops = task->closer;
    closure->task = (struct engine_task){.request = task->request,
                                         .comm = task->comm,
                                         .device = task->device,
                                         .threads = task->threads,
                                         .n = size,
                                         .m = mem_bytes(size, size),
                                         .dtype = task->dtype,
                                         .combine = task->combine,
                                         .output = task->dtype,
                                         .rows_request = {.any = true},
                                         .timed = task->timed};
    return closure->ops->plan(&closure->engine, &closure->task, &closure->plan, error);
}

size_t closure_need(const struct closure *closure)
{
    const struct engine_plan *plan = &closure->plan;
    size_t bytes;
    mem_add(&bytes, plan->host, plan->loading > plan->making ? plan->loading : plan->making);
    mem_add(&bytes, bytes, mem_bytes(closure->task.n, 3 * sizeof(uint32_t) + sizeof(union value)));
    return bytes;
}

/* What is finite between two vertices of the core is an edge. */
static void widen(const void *self, size_t u, union value *weights)
{
    const struct panels *panels = self;
    const struct conversion conversion = {panels->dtype,
                                          dtype_info[panels->dtype].real ? DTYPE_F64 : DTYPE_I64,
                                          panels->tree->core.size, NULL, NULL};
    convert_row(&conversion, u, panels_core(panels, u), weights);
}

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

/* Everyone's rows to all, those at a time that lie side by side on all ranks; theirs[] is work
 * space. */
static void share_rows(struct comm *comm, const struct panels *panels, const uint32_t *mine,
                       size_t count, uint32_t *theirs)
{
    size_t ld = panels->core.ld;
    bool alike = comm_sum(comm, ld != comm_most(comm, ld)) == 0;
    for (int rank = 0; rank < comm->ranks; rank++) {
        size_t rows = count;
        comm_broadcast(comm, &rows, sizeof rows, rank);
        if (rank == comm->rank)
            memcpy(theirs, mine, rows * sizeof *theirs);
        comm_broadcast(comm, theirs, rows * sizeof *theirs, rank);
        for (size_t lo = 0, hi; lo < rows; lo = hi) {
            for (hi = lo + 1; alike && hi < rows && theirs[hi] == theirs[hi - 1] + 1;)
                hi++;
            size_t values = alike ? (hi - lo) * panels->core.ld : panels->tree->core.size;
            comm_broadcast(comm, panels_core(panels, theirs[lo]),
                           values * dtype_info[panels->dtype].bytes, rank);
        }
    }
}

static int solve(struct closure *closure, const struct panels *panels, struct progress *progress,
                 struct apsp_error *error)
{
    const struct engine_matrix matrix = {panels, widen};
    closure->task.matrix = &matrix;
    if (closure->ops->load(closure->engine, NULL, error) == APSP_OK && closure->ops->solve)
        closure->ops->solve(closure->engine, progress, error);
    closure->task.matrix = NULL;
    if (progress->stopped)
        stop_now(error);
    return comm_agree(closure->task.comm, error);
}

int closure_make(struct closure *closure, struct panels *panels, struct progress *progress,
                 struct apsp_error *error)
{
    struct comm *comm = closure->task.comm;
    size_t n = closure->task.n, count = 0;
    const struct rows_request request = {.any = true, .on_host = true};
    struct rows_maker maker;
    uint32_t *all = mem_alloc(mem_bytes(n, 3 * sizeof *all)), *mine = all + n, *theirs = mine + n;
    if (!all)
        error_set(error, APSP_MEMORY, "no memory for a dense core of %zu vertices", n);
    if (comm_agree(comm, error) == APSP_OK && solve(closure, panels, progress, error) == APSP_OK &&
        closure->ops->rows(closure->engine, &request, &maker, error) == APSP_OK) {
        for (size_t v = 0; v < n; v++)
            all[v] = (uint32_t)v;
        count = take_rows(&maker, panels, mine, all, error);
    }
    if (comm_agree(comm, error) == APSP_OK)
        share_rows(comm, panels, mine, count, theirs);
    mem_free(all);
    return error->code;
}

static struct checkpoint_core core_of(const struct tree *tree)
{
    const size_t size = tree->core.size;
    return (struct checkpoint_core){
        size, tree->core.kappa,
        checkpoint_mix(0, tree->vertex + tree->n - size, size * sizeof *tree->vertex)};
}

static size_t row_bytes(const struct panels *panels)
{
    return panels->tree->core.size * dtype_info[panels->dtype].bytes;
}

/* Rows that are found right take the place of what elimination has left; distances, they do no harm
 * if others are not. */
static void put_rows(void *self, struct range rows, char *buffer, bool back)
{
    const struct panels *panels = self;
    const size_t bytes = row_bytes(panels);
    (void)back;
    for (size_t i = rows.lo; i < rows.hi; i++)
        memcpy(panels_core(panels, i), buffer + (i - rows.lo) * bytes, bytes);
}

/* Bytes of rows that are read at a time, about. */
enum { BUFFER = SIZE_OF(8 << 20, 1 << 9) };

bool closure_load(const struct closure *closure, struct panels *panels,
                  struct checkpoint *checkpoint, struct apsp_error *error)
{
    const struct checkpoint_core core = core_of(panels->tree);
    struct checkpoint_strip strip = {.rows = {0, core.n},
                                     .width = row_bytes(panels),
                                     .room = BUFFER / row_bytes(panels) + 1,
                                     .copy = put_rows,
                                     .self = panels,
                                     .threads = closure->task.threads};
    bool loaded = false;
    if (checkpoint_core_kappa(checkpoint) == SIZE_MAX)
        return false;
    strip.buffer = mem_alloc(mem_bytes(strip.room, strip.width));
    if (!strip.buffer)
        error_set(error, APSP_MEMORY, "no memory to read a dense core of %zu vertices", core.n);
    if (comm_agree(closure->task.comm, error) == APSP_OK)
        loaded = checkpoint_core_load(checkpoint, &core, &strip);
    mem_free(strip.buffer);
    return loaded;
}

/* A slow disk writes and reads so many bytes a second. */
#define DISK_RATE 1e8

void closure_save(const struct closure *closure, const struct panels *panels,
                  struct checkpoint *checkpoint, double seconds)
{
    const struct comm *comm = closure->task.comm;
    const struct checkpoint_core core = core_of(panels->tree);
    const struct range rows =
        range_part((struct range){0, core.n}, (size_t)comm->rank, (size_t)comm->ranks);
    const struct checkpoint_strip strip = {.rows = rows,
                                           .width = row_bytes(panels),
                                           .at = panels_core(panels, rows.lo),
                                           .pitch =
                                               panels->core.ld * dtype_info[panels->dtype].bytes,
                                           .threads = closure->task.threads};
    if (checkpoint &&
        comm_max(closure->task.comm, seconds) > (double)(core.n * strip.width) / DISK_RATE)
        checkpoint_core_save(checkpoint, &core, &strip);
}

double closure_exposed(const struct closure *closure)
{
    struct engine_report report = {0};
    if (closure->ops->report)
        closure->ops->report(closure->engine, &report);
    return report.exposed;
}

void closure_free(struct closure *closure)
{
    if (closure->ops)
        closure->ops->free(closure->engine);
    *closure = (struct closure){0};
}
