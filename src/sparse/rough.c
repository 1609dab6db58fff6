#include "sparse/rough.h"

#include "base/mem.h"
#include "sparse/ordering.h"

#include <math.h>

/* Of ordering, for each vertex and edge; rough, from half of that on roads to seven times as much
 * on random graphs (bench/sparse). */
#define ORDER_SECONDS 0.5e-6

/* Where separators are small: seconds of ordering and of elimination, and what is then known of the
 * order. On New York, Luxembourg and grids of 10^5 and 10^6 they take 0.3 to 0.66 and 0.12 to 0.2
 * microseconds of processor time (2 cores, 2026-11-25). Two threads share most of that. */
#define NARROW_LOOK    0.3e-6
#define NARROW_SECONDS 0.1e-6
#define NARROW_RISK    1.5
#define NARROW_ODDS    0.9

/* The widest level of roads has 1.4 to 3.1 times the square root of n vertices, that of social and
 * random graphs 40 times and more. */
#define WIDE 4

/* Without edges there are only bounds: no tree has less work. */
void rough_plan(struct engine_plan *plan, const struct engine_task *task)
{
    double n = (double)task->n, m = (double)task->m;
    plan->bound = true;
    plan->look = ORDER_SECONDS * (n + m);
    plan->risk = ENGINE_RISK;
    plan->odds = ENGINE_ODDS;
    plan->row_work = m / 2 > n ? m / 2 : n;
    plan->loading = ordering_need(task, mem_bytes(task->m, 2));
}

/* Appends the vertices behind list[*first .. *count - 1] that are new, and leaves that level. */
static void take_level(const struct csr *csr, uint32_t *list, unsigned char *seen, size_t *first,
                       size_t *count)
{
    for (const size_t end = *count; *first < end; ++*first) {
        const uint32_t u = list[*first];
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
            const uint32_t v = csr->to[e];
            list[*count] = v;
            *count += !seen[v];
            seen[v] = 1;
        }
    }
}

/*
 * Whether a breadth-first search reaches half of the graph in levels that are not wide, as it does
 * on roads and grids. Levels separate what is before them from what is behind, so separators are
 * small. The search ends at the first level that is wide. False where memory is short.
 */
static bool is_narrow(const struct csr *csr)
{
    const size_t n = csr->n;
    const double most = WIDE * sqrt((double)n);
    uint32_t *list = mem_alloc(mem_bytes(n + 1, sizeof *list)); /* one more is written to */
    unsigned char *seen = mem_alloc(n);
    size_t first = 0, count = 0;
    if (list && seen && n > 0) {
        list[count++] = (uint32_t)(n / 2);
        seen[n / 2] = 1;
    }
    while (first < count && (double)(count - first) <= most)
        take_level(csr, list, seen, &first, &count);
    mem_free(list);
    mem_free(seen);
    return count > 0 && first == count && count >= n / 2;
}

void rough_glance(struct engine_plan *plan, const struct engine_task *task)
{
    if (comm_min(task->comm, is_narrow(task->csr)) == 0)
        return;
    const double size = (double)(task->n + task->m);
    plan->look = NARROW_LOOK * size;
    plan->risk = NARROW_RISK;
    plan->odds = NARROW_ODDS;
    plan->work = NARROW_SECONDS * size * plan->rate * task->comm->ranks;
}
