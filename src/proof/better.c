#include "proof/better.h"

#include "base/mem.h"
#include "proof/bound.h"

#include <math.h>

enum { MEMORY_SHARE = 8 }; /* of the node's */
#define EDGES_PER_SECOND 2e7

/* Sweeps of many edges; half the memory is worth a part of the time. */
#define SWEPT_PER_SECOND 4e7
enum { TIME_SHARE = 10 };

/* A better bound costs about as much as so many rows that are searched for. */
enum { FEW_ROWS = 128 };

bool better_is_idle(const struct proof_task *task)
{
    const bool asked = task->wanted >= 0 || task->file >= 0 || task->narrow;
    return !asked && task->rows > 0 && task->rows < FEW_ROWS;
}

size_t better_need(const struct proof_task *task)
{
    size_t all, n = task->graph->n, m = task->scan->edges;
    mem_add(&all, bound_need(n, m),
            edge_scan_is_negative(task->scan) ? mem_bytes(m, sizeof(union value)) : 0);
    return all;
}

enum better_effort better_effort(const struct proof_task *task, struct better_gain gain)
{
    size_t n = task->graph->n, m = task->scan->edges, need;
    mem_add(&need, csr_need(n, m), better_need(task));
    if (need > mem_node_limit() / MEMORY_SHARE || better_is_idle(task))
        return BETTER_NONE;
    if (task->wanted >= 0 || task->file >= 0 || m <= BETTER_FEW_EDGES ||
        (double)m / EDGES_PER_SECOND <= gain.saves)
        return BETTER_LANDMARKS;
    return (double)m / SWEPT_PER_SECOND <= fmax(gain.saves, gain.of / TIME_SHARE) ? BETTER_SWEEP
                                                                                  : BETTER_NONE;
}

enum better_effort better_first(const struct proof_task *task)
{
    return task->scan->edges > BETTER_MANY_EDGES ? BETTER_SWEEP : BETTER_NONE;
}

int better_find(int64_t *bound, const struct proof_task *task, const struct potential *potential,
                int64_t enough, enum better_effort effort, struct apsp_error *error)
{
    const struct csr *csr = task->csr;
    struct csr reweighted = *csr;
    const struct bound_request request = {.enough = enough,
                                          .sweep = effort == BETTER_SWEEP,
                                          .landmarks =
                                              effort == BETTER_LANDMARKS ? BOUND_LANDMARKS : 0,
                                          .threads = task->threads};
    if (!potential->h)
        return bound_by_landmarks(bound, csr, &request, error);
    reweighted.weight = mem_alloc(mem_bytes(csr->m, sizeof *csr->weight));
    if (!reweighted.weight)
        return error_set(error, APSP_MEMORY, "no memory for the weights of %zu edges", csr->m);
    for (size_t u = 0; u < csr->n; u++)
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
            reweighted.weight[e] = potential_value(potential, u, csr->to[e], csr->weight[e]);
    bound_by_landmarks(bound, &reweighted, &request, error);
    mem_free(reweighted.weight);
    return error->code;
}
