/* Many small graphs: each on one core, in the narrowest type that holds its distances. */
#include "library/batch.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/threads.h"
#include "kernels/cpu/relax.h"
#include "library/library.h"
#include "library/options.h"

#include <math.h>
#include <omp.h>
#include <string.h>

void apsp_batch_task_reset(struct apsp_batch_task *batch, size_t size)
{
    memset(batch, 0, size);
    batch->size = size;
}

static bool is_weight(enum apsp_type type)
{
    return type == APSP_I32 || type == APSP_I64 || type == APSP_F32 || type == APSP_F64;
}

static int batch_check(const struct apsp_batch_task *batch, struct apsp_error *error)
{
    if (batch->count > 0 && !batch->graph)
        error_set(error, APSP_USAGE, "NULL: expected %zu graphs", batch->count);
    else if (!is_weight(batch->weight))
        error_set(error, APSP_USAGE, "batch: type %d is not a type of weights", (int)batch->weight);
    else if (!is_weight(batch->output) || batch->output == APSP_I64)
        error_set(error, APSP_USAGE, "batch: type %d is not a type of distances",
                  (int)batch->output);
    else if (batch->threads < 0)
        error_set(error, APSP_USAGE, "batch: %d threads", batch->threads);
    return error->code;
}

static int graph_check(const struct apsp_batch_task *batch, const struct apsp_small *graph,
                       struct apsp_error *error)
{
    const size_t n = graph->vertices;
    if (n < 1 || n > APSP_BATCH_VERTICES)
        error_set(error, APSP_INPUT, "%zu vertices, and there may be 1 to %d", n,
                  APSP_BATCH_VERTICES);
    else if (!graph->distances || (graph->from && !graph->to && graph->edges > 0) ||
             (!graph->from && !graph->weight))
        error_set(error, APSP_USAGE, "NULL: edges or distances are missing");
    else if (!graph->from && graph->stride < n)
        error_set(error, APSP_USAGE, "stride %zu is less than the %zu entries of a row",
                  graph->stride, n);
    else if (batch->room && batch->room < n)
        error_set(error, APSP_USAGE, "room for %zu vertices, and there are %zu", batch->room, n);
    return error->code;
}

/* An integer type is exact below its infinity, and doubles are below 2^53. */
static enum dtype batch_type(const struct batch_scan *scan, size_t n)
{
    const double bound = (double)(n - 1) * scan->most;
    if (!scan->whole || scan->least < 0)
        return DTYPE_F64;
    return bound < INF_U16 ? DTYPE_U16 : bound < INF_I32 ? DTYPE_I32 : DTYPE_F64;
}

/* The output must hold all distances; weights of an integer type are never rounded. */
static int batch_check_output(const struct apsp_batch_task *batch, const struct batch_scan *scan,
                              size_t n, struct apsp_error *error)
{
    static const double limit[] = {[APSP_I32] = INF_I32, [APSP_F32] = 1 << 24};
    const double bound = (double)(n - 1) * fmax(scan->most, -scan->least);
    const bool whole = batch->weight == APSP_I32 || batch->weight == APSP_I64;
    if (batch->output == APSP_I32 && !scan->whole)
        error_set(error, APSP_INPUT,
                  "the output is i32, but not all weights are integers below 2^51");
    else if (batch->output != APSP_F64 && scan->whole && bound >= limit[batch->output])
        error_set(error, APSP_INPUT, "distances may reach %g, and %s is exact below %g", bound,
                  batch->output == APSP_I32 ? "i32" : "f32", limit[batch->output]);
    else if (whole && bound >= 0x1p53)
        error_set(error, APSP_INPUT, "distances may reach %g, and are exact below 2^53", bound);
    return error->code;
}

static int batch_solve(const struct apsp_batch_task *batch, size_t k,
                       const struct batch_scratch *scratch, struct apsp_error *error)
{
    const struct apsp_small *graph = batch->graph + k;
    const size_t n = graph->vertices;
    struct batch_scan scan;
    if (graph_check(batch, graph, error) || batch_load(batch, graph, scratch, error) ||
        batch_scan(scratch, n, &scan, error) || batch_check_output(batch, &scan, n, error))
        return error->code;
    const enum dtype type = batch_type(&scan, n);
    const struct relax_kernels *kernels = scratch->kernels[type];
    const struct batch_task task = {batch, graph, scratch, n, batch_pitch(n, type)};
    batch_narrow(&task, type);
    if (graph->before || scan.least < 0)
        kernels->through_trees(scratch->tile, scratch->before, n, task.pitch);
    else
        kernels->through(scratch->tile, n, n, task.pitch);
    if (scan.least < 0 && batch_has_cycle(&task))
        return error_set(error, APSP_CYCLE, "there is a negative cycle");
    batch_store(&task, type);
    return APSP_OK;
}

/* The first graph that fails. */
struct failure {
    size_t graph; /* SIZE_MAX: none */
    struct apsp_error error;
};

static void fail(struct failure *failure, size_t k, const struct apsp_error *error)
{
#pragma omp critical(batch_fail)
    if (k < failure->graph) {
        failure->error = *error;
#pragma omp atomic write
        failure->graph = k;
    }
}

static bool is_before_failure(struct failure *failure, size_t k)
{
    size_t first;
#pragma omp atomic read
    first = failure->graph;
    return k < first && !stop_wanted();
}

static void batch_part(const struct apsp_batch_task *batch, struct batch_scratch *scratch,
                       struct failure *failure)
{
    scratch->small = small_choose();
    for (int type = 0; type < DTYPE_COUNT; type++)
        scratch->kernels[type] = relax_choose((enum dtype)type, NULL);
#pragma omp for schedule(guided, 16)
    for (size_t k = 0; k < batch->count; k++) {
        struct apsp_error own = {0};
        if (is_before_failure(failure, k) && batch_solve(batch, k, scratch, &own))
            fail(failure, k, &own);
    }
}

/* The largest graph, of those that may be. */
static size_t batch_most(const struct apsp_batch_task *batch)
{
    size_t most = 1;
    for (size_t k = 0; k < batch->count; k++)
        if (batch->graph[k].vertices > most && batch->graph[k].vertices <= APSP_BATCH_VERTICES)
            most = batch->graph[k].vertices;
    return most;
}

static int batch_threads(const struct apsp_batch_task *batch, size_t most)
{
    enum { SMALL = 1 << 20 }; /* steps that take less time than threads to start */
    const int machine = threads_machine();
    if (batch->threads > 0)
        return int_min(batch->threads, machine);
    return (double)batch->count * (double)(most * most * most) < SMALL ? 1 : threads_default();
}

static void *scratch_place(struct mem_layout *layout, struct batch_scratch *scratch, size_t most)
{
    const size_t pitch = batch_pitch(most, DTYPE_F64);
    scratch->length = mem_place(layout, mem_bytes(most, most), sizeof *scratch->length);
    scratch->tile = mem_place(layout, mem_bytes(most, pitch), sizeof(double));
    scratch->before = mem_place(layout, mem_bytes(most, pitch), sizeof(uint64_t));
    return scratch->length;
}

int apsp_batch(const struct apsp_batch_task *given, struct apsp_error *error)
{
    LIBRARY_CALL;
    struct apsp_batch_task batch;
    struct failure failure = {.graph = SIZE_MAX};
    if (!given)
        return error_set(error, APSP_USAGE, "NULL: expected a batch");
    if (options_take(&batch, sizeof batch, given, "batch_task", error) ||
        batch_check(&batch, error))
        return error->code;
    const size_t most = batch_most(&batch);
#pragma omp parallel num_threads(batch_threads(&batch, most))
    {
        struct batch_scratch scratch;
        struct mem_layout layout = {0};
        scratch_place(&layout, &scratch, most);
        void *memory = layout.base = mem_alloc(layout.bytes);
        layout.bytes = 0;
        if (memory) {
            scratch_place(&layout, &scratch, most);
        } else {
            const struct apsp_error none = {APSP_MEMORY, "no memory for the graphs of a batch"};
            fail(&failure, 0, &none);
        }
        batch_part(&batch, &scratch, &failure);
        mem_free(memory);
    }
    if (stop_check(error))
        return error->code;
    if (failure.graph < SIZE_MAX)
        error_set(error, (enum apsp_status)failure.error.code, "graph %zu: %.900s", failure.graph,
                  failure.error.text);
    return error->code;
}
