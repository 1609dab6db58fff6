#include "sparse/rough.h"

#include "base/mem.h"
#include "sparse/ordering.h"

/* Seconds of ordering for each vertex and edge. They are rough: from half of that on roads to seven
 * times as much on random graphs (bench/sparse). */
#define ORDER_SECONDS 0.5e-6

/* Where separators are small: seconds of ordering and of elimination, and what is then known of the
 * order. On New York, Luxembourg and grids of 10^5 and 10^6 they take 0.3 to 0.66 and 0.12 to 0.2
 * microseconds of processor time (2 cores, 2026-11-25). Two threads share most of that. */
#define NARROW_LOOK    0.3e-6
#define NARROW_SECONDS 0.1e-6
#define NARROW_RISK    1.5
#define NARROW_ODDS    0.9

/* Without edges there are only bounds: no tree has less work. */
void rough_plan(struct engine_plan *plan, const struct engine_task *task)
{
    const struct tree none = {.n = task->n};
    double n = (double)task->n, m = (double)task->m;
    plan->bound = true;
    plan->look = ORDER_SECONDS * (n + m);
    plan->risk = ENGINE_RISK;
    plan->odds = ENGINE_ODDS;
    plan->row_work = m / 2 > n ? m / 2 : n;
    plan->loading = ordering_need(task, mem_bytes(task->m, 2), &none);
}

void rough_glance(struct engine_plan *plan, const struct engine_task *task)
{
    if (!task->narrow)
        return;
    const double size = (double)(task->n + task->m);
    plan->look = NARROW_LOOK * size;
    plan->risk = NARROW_RISK;
    plan->odds = NARROW_ODDS;
    plan->work = NARROW_SECONDS * size * plan->rate * task->comm->ranks;
}
