#include "base/error.h"
#include "library/batch.h"

#include <math.h>

static double weight_at(enum apsp_type type, const void *weight, size_t k)
{
    switch (type) {
    case APSP_I32:
        return ((const int32_t *)weight)[k];
    case APSP_I64:
        return (double)((const int64_t *)weight)[k];
    case APSP_F32:
        return ((const float *)weight)[k];
    default:
        return ((const double *)weight)[k];
    }
}

static int load_edges(const struct apsp_batch_task *batch, const struct apsp_small *graph,
                      double *length, struct apsp_error *error)
{
    const size_t n = graph->vertices;
    for (size_t k = 0; k < n * n; k++)
        length[k] = INFINITY;
    for (size_t k = 0; k < graph->edges; k++) {
        const int32_t u = graph->from[k], v = graph->to[k];
        if (u < 0 || v < 0 || (size_t)u >= n || (size_t)v >= n)
            return error_set(error, APSP_INPUT, "edge %zu: vertex %d is not in 0 .. %zu", k,
                             u < 0 || (size_t)u >= n ? u : v, n - 1);
        const double w = graph->weight ? weight_at(batch->weight, graph->weight, k) : 1;
        if (isnan(w))
            return error_set(error, APSP_INPUT, "edge %zu: the weight is NaN", k);
        double *entry = length + (size_t)u * n + (size_t)v;
        *entry = w < *entry ? w : *entry;
    }
    return APSP_OK;
}

static void lead_back(double *length, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double *there = length + i * n + j, *back = length + j * n + i;
            *there = *back = *there < *back ? *there : *back;
        }
}

int batch_load(const struct apsp_batch_task *batch, const struct apsp_small *graph,
               const struct batch_scratch *scratch, struct apsp_error *error)
{
    const size_t n = graph->vertices;
    double *length = scratch->length;
    if (!graph->from)
        scratch->small->load[batch->weight](length, graph->weight, n, graph->stride);
    else if (load_edges(batch, graph, length, error))
        return error->code;
    for (size_t k = 0; batch->unweighted && k < n * n; k++)
        length[k] = length[k] < INFINITY ? 1 : INFINITY;
    if (batch->undirected)
        lead_back(length, n);
    for (size_t i = 0; i < n; i++) {
        if (length[i * n + i] < 0)
            return error_set(error, APSP_CYCLE, "the loop at vertex %zu is negative", i);
        length[i * n + i] = 0;
    }
    return APSP_OK;
}

int batch_scan(const struct batch_scratch *scratch, size_t n, struct batch_scan *scan,
               struct apsp_error *error)
{
    const struct small_facts facts = scratch->small->scan(scratch->length, n * n);
    *scan = (struct batch_scan){facts.least, facts.most,
                                facts.off == 0 && facts.most < 0x1p51 && facts.least > -0x1p51};
    return isinf(facts.least) ? error_set(error, APSP_INPUT, "a weight is -inf") : APSP_OK;
}

void batch_narrow(const struct batch_task *task, enum dtype type)
{
    const struct batch_scratch *scratch = task->scratch;
    scratch->small->narrow[type](scratch->tile, scratch->length, task->n, task->pitch);
    if (task->graph->before)
        scratch->small->begin[type](scratch->before, scratch->length, task->n, task->pitch);
}

bool batch_has_cycle(const struct batch_task *task)
{
    const double *tile = task->scratch->tile;
    for (size_t i = 0; i < task->n; i++)
        if (!(tile[i * task->pitch + i] >= 0))
            return true;
    return false;
}

/* What is beyond the vertices: of rows the rest, and the rows that are not there. */
#define PAD(to, room, n, value)                                                                    \
    for (size_t i = 0; i < (room); i++)                                                            \
        for (size_t j = i < (n) ? (n) : 0; j < (room); j++)                                        \
    (to)[i * (room) + j] = (value)

static void batch_pad(const struct batch_task *task, size_t room)
{
    const size_t n = task->n;
    if (task->batch->output == APSP_I32)
        PAD((int32_t *)task->graph->distances, room, n, APSP_UNREACHABLE_I32);
    else if (task->batch->output == APSP_F32)
        PAD((float *)task->graph->distances, room, n, INFINITY);
    else
        PAD((double *)task->graph->distances, room, n, INFINITY);
    if (task->graph->before)
        PAD(task->graph->before, room, n, task->batch->none);
}

void batch_store(const struct batch_task *task, enum dtype type)
{
    const size_t n = task->n, room = task->batch->room ? task->batch->room : n;
    const struct batch_scratch *scratch = task->scratch;
    const struct small_kernels *small = scratch->small;
    small->store[type][task->batch->output](task->graph->distances, scratch->tile, n, room,
                                            task->pitch);
    if (task->graph->before)
        small->trees[type](task->graph->before, scratch->before, n, room, task->pitch,
                           task->batch->none);
    if (room > n)
        batch_pad(task, room);
}
