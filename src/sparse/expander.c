#include "sparse/expander.h"

#include "base/mem.h"
#include "engine/groups.h"
#include "kernels/cpu/relax.h"

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

void expander_wish_free(struct expander_wish *wish)
{
    if (!wish)
        return;
    mem_free(wish->source);
    cut_free(&wish->cut);
    *wish = (struct expander_wish){0};
}

int expander_start(struct expander *expander, struct expander_wish *wish, struct apsp_error *error)
{
    expander_wish_free(&expander->wish);
    expander->wish = *wish;
    *wish = (struct expander_wish){0};
    return expander->ops->start(expander, error);
}

void expander_free(struct expander *expander)
{
    if (!expander)
        return;
    expander_wish_free(&expander->wish);
    expander->ops->free(expander);
}

unsigned expander_counts(const struct engine_task *task, const struct rows_wish *wish)
{
    bool others = wish->counts & ~expander_of(task->device->ops)->counts;
    bool many =
        wish->counts & APSP_STATS_HISTOGRAM && task->n > UINT32_MAX / RELAX_ROW; /* for a bin */
    return others || many || task->shifted || dtype_info[task->output].real ? 0 : wish->counts;
}

size_t expander_group(const struct expander *expander, size_t sources, size_t turn, size_t *first)
{
    return groups_at(expander->task->comm, sources, expander->group, turn, first);
}
