/* Where the rows of a plan may be. */
#include "rows/betweenness.h"
#include "rows/tight_rows.h"

/* Its parts that need no edges. */
static struct tight_task task_of(const struct betweenness_plan *plan)
{
    return (struct tight_task){.dtype = plan->dtype,
                               .measure = tight_measure(plan->dtype),
                               .edges = plan->edges,
                               .load = plan->load,
                               .path = plan->stress ? 1 : 0};
}

bool betweenness_on_device(const struct betweenness_plan *plan)
{
    const struct tight_task task = task_of(plan);
    return plan->gpu > 0 && tight_rows_on_device(&task);
}

size_t betweenness_device_need(size_t n, size_t m, const struct betweenness_plan *plan, size_t rows)
{
    const struct tight_task task = task_of(plan);
    return betweenness_on_device(plan) ? tight_device()->need(n, m, &task, rows, plan->lanes) : 0;
}
