#include "sparse/expander.h"

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

bool expander_counts(const struct engine_task *task, const struct rows_wish *wish)
{
    return wish->counts && !task->shifted && !dtype_info[task->output].real;
}

size_t expander_group(const struct expander *expander, size_t sources, size_t turn, size_t *first)
{
    const struct comm *comm = expander->task->comm;
    size_t width = expander->ops->width(expander->task->dtype);
    *first = (turn * (size_t)comm->ranks + (size_t)comm->rank) * width;
    size_t left = *first < sources ? sources - *first : 0;
    return left < width ? left : width;
}

size_t expander_share(const struct expander_ops *ops, const struct engine_task *task, size_t sources)
{
    size_t width = ops->width(task->dtype), groups = (sources + width - 1) / width;
    size_t rank = (size_t)task->comm->rank, ranks = (size_t)task->comm->ranks;
    size_t own = groups > rank ? (groups - rank - 1) / ranks + 1 : 0;
    bool last = groups > 0 && (groups - 1) % ranks == rank; /* which may be short */
    return own * width - (last ? groups * width - sources : 0);
}
