#include "sparse/rough.h"

#include "base/mem.h"
#include "sparse/ordering.h"

#include <math.h>

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

/* Orders of R-MAT graphs, Brightkite and Slashdot take 1.2 to 1.8 times ORDER_SECONDS, those of
 * random graphs 2.4 to 6 times (2 cores, 2026-11-29). */
#define SKEWED_RISK 3

/* Relaxations in meshes of three dimensions, for n vertices and a widest level of w. A row takes
 * parts of n w, elimination and a dense core take parts of n w^2. A GPU closes the core in hardly
 * any time. Measured on cubes of 27,000 and 64,000 vertices, 2 cores, 2026-11-29. */
#define MESH_ROW         0.12 /* 0.13, 0.10 */
#define MESH_ELIMINATION 0.3  /* 0.3, 0.25 */
#define MESH_CORE        1.6  /* 1.8, 1.5 */
#define MESH_ODDS        0.8

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

/* Relaxations in terms of the widest level, which a separator is not much wider than. */
static void glance_mesh(struct engine_plan *plan, const struct engine_task *task)
{
    const double n = (double)task->n, widest = (double)task->narrow.widest;
    const bool on_cores = task->device->ops == &device_cpu;
    plan->risk = NARROW_RISK;
    plan->odds = MESH_ODDS;
    plan->work =
        (MESH_ELIMINATION * task->comm->ranks + (on_cores ? MESH_CORE : 0)) * n * widest * widest;
    if (!task->rows_request.column)
        plan->row_work = fmax(plan->row_work, MESH_ROW * n * widest);
}

void rough_glance(struct engine_plan *plan, const struct engine_task *task)
{
    const double size = (double)(task->n + task->m);
    if (task->narrow.levels > 0) {
        plan->look = NARROW_LOOK * size;
        plan->risk = NARROW_RISK;
        plan->odds = NARROW_ODDS;
        plan->work = NARROW_SECONDS * size * plan->rate * task->comm->ranks;
    } else if (task->narrow.widest > 0) {
        glance_mesh(plan, task);
    } else if (task->skewed) {
        plan->risk = SKEWED_RISK;
    }
}
