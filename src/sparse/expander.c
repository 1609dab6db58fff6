#include "sparse/expander.h"

#include "base/mem.h"
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
    const struct comm *comm = expander->task->comm;
    *first = (turn * (size_t)comm->ranks + (size_t)comm->rank) * expander->group;
    size_t left = *first < sources ? sources - *first : 0;
    return left < expander->group ? left : expander->group;
}

size_t expander_groups(const struct comm *comm, size_t sources, size_t group)
{
    size_t groups = (sources + group - 1) / group, rank = (size_t)comm->rank;
    return groups > rank ? (groups - rank - 1) / (size_t)comm->ranks + 1 : 0;
}

size_t expander_share(const struct comm *comm, size_t sources, size_t group)
{
    size_t groups = (sources + group - 1) / group;
    bool last = groups > 0 &&
                (groups - 1) % (size_t)comm->ranks == (size_t)comm->rank; /* which may be short */
    return expander_groups(comm, sources, group) * group - (last ? groups * group - sources : 0);
}
