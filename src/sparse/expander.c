#include "sparse/expander.h"

#include "base/mem.h"
#include "base/number.h"
#include "engine/groups.h"
#include "kernels/cpu/relax.h"
#include "rows/convert.h"
#include "sparse/tree.h"

#include <stdlib.h>
#include <string.h>

const struct expander_ops *const expanders[] = {
    &expander_cpu,
#ifdef APSP_GPU
    &expander_gpu,
#endif
    NULL,
};

const struct expander_ops *expander_of(const struct device_ops *device)
{
    const struct expander_ops *const *row = expanders;
    while (*row && (*row)->device != device)
        row++;
    return *row;
}

void expander_request_free(struct expander_request *request)
{
    if (!request)
        return;
    mem_free(request->source);
    cut_free(&request->cut);
    *request = (struct expander_request){0};
}

int expander_start(struct expander *expander, struct expander_request *request,
                   struct apsp_error *error)
{
    expander_request_free(&expander->request);
    expander->request = *request;
    *request = (struct expander_request){0};
    return expander->ops->start(expander, error);
}

void expander_free(struct expander *expander)
{
    if (!expander)
        return;
    expander_request_free(&expander->request);
    expander->ops->free(expander);
}

unsigned expander_counts(const struct engine_task *task, const struct rows_request *request)
{
    bool others = request->counts & ~expander_of(task->device->ops)->counts;
    bool many =
        request->counts & APSP_STATS_HISTOGRAM && task->n > UINT32_MAX / RELAX_ROW; /* for a bin */
    return others || many || task->shifted || dtype_info[task->output].real ? 0 : request->counts;
}

bool expander_sides(const struct engine_task *task, const struct rows_request *request)
{
    enum { STEP = 16 }; /* Widths are a multiple of it, for the sinks' loops. */
    return expander_of(task->device->ops)->sides && request->sides && !request->column &&
           relax_choose(task->dtype, NULL)->nr % STEP == 0 &&
           !convert_changes(task->dtype, task->output, task->shifted);
}

bool expander_halves(const struct engine_task *task, const struct rows_request *request)
{
    return request->halves && !request->list && expander_counts(task, request) == APSP_STATS_OUT;
}

bool expander_mutual(const struct engine_task *task, size_t panels, int lanes)
{
    const bool asked = task->request->rows_later || expander_halves(task, &task->rows_request);
    const size_t columns = mem_bytes((size_t)lanes, half_counts_need(task->n, task->dtype));
    const bool mutual = asked && columns / 2 <= panels && csr_is_mutual(task->csr, task->threads);
    return comm_most(task->comm, !mutual) == 0;
}

/* The group of the order of the tree that comes as number k, where both ends take turns. */
static size_t from_both_ends(size_t k, size_t groups)
{
    return k % 2 == 0 ? groups - 1 - k / 2 : k / 2;
}

int expander_sources(struct expander_request *own, const struct expander *expander,
                     const struct tree *tree, const struct rows_request *request,
                     struct apsp_error *error)
{
    const size_t count = request->list ? request->count : tree->n, group = expander->group,
                 groups = own->halves ? count / group : 0;
    uint32_t *source = own->source = mem_alloc(mem_bytes(count, sizeof *source));
    own->sources = count;
    if (!source)
        return error_set(error, APSP_MEMORY, "no memory for a list of %zu rows", count);
    if (!request->list) {
        memcpy(source, tree->vertex, count * sizeof *source);
        for (size_t k = 0; k < groups; k++)
            memcpy(source + k * group, tree->vertex + from_both_ends(k, groups) * group,
                   group * sizeof *source);
        return APSP_OK;
    }
    for (size_t k = 0; k < count; k++)
        source[k] = tree->position[request->list[k]];
    qsort(source, count, sizeof *source, number_order);
    for (size_t k = 0; k < count; k++)
        source[k] = tree->vertex[source[k]];
    return APSP_OK;
}

size_t expander_group(const struct expander *expander, size_t sources, size_t turn, size_t *first)
{
    return groups_at(expander->task->comm, sources, expander->group, turn, first);
}
