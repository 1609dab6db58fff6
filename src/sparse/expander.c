#include "sparse/expander.h"

#include "base/mem.h"
#include "engine/groups.h"
#include "kernels/cpu/relax.h"
#include "rows/convert.h"

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

size_t expander_group(const struct expander *expander, size_t sources, size_t turn, size_t *first)
{
    return groups_at(expander->task->comm, sources, expander->group, turn, first);
}
