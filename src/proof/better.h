/*
 * Whether to look for a better bound than (n - 1) times the heaviest weight, and how. One rank
 * reads all edges for it. For at most BETTER_FEW_EDGES edges it is always done. More edges must
 * save more seconds of the solve than they take, unless the user names a type. Where only i64 is
 * proved, a sweep may take a tenth of the solve, since i32 needs half the memory. The search takes
 * at most an eighth of the node's memory.
 */
#ifndef BETTER_H
#define BETTER_H

#include "base/size.h"
#include "proof/proof.h"

enum { BETTER_FEW_EDGES = SIZE_OF(1 << 18, 20), BETTER_MANY_EDGES = SIZE_OF(1 << 21, 20) };
enum better_effort { BETTER_NONE, BETTER_SWEEP, BETTER_LANDMARKS };

struct better_gain {
    double saves, of; /* seconds, of so many */
};

/* So few rows are wanted that they cost less than a better bound, and no type is asked for. */
bool better_is_idle(const struct proof_task *task);
enum better_effort better_effort(const struct proof_task *task, struct better_gain gain);
/* The effort before BETTER_LANDMARKS. More than BETTER_MANY_EDGES are swept first. */
enum better_effort better_first(const struct proof_task *task);
/* The bytes that better_find takes beside the graph. */
size_t better_need(const struct proof_task *task);
/* Finds the bound from the edges, which the potentials make non-negative. APSP_MEMORY. */
int better_find(int64_t *bound, const struct proof_task *task, const struct potential *potential,
                int64_t enough, enum better_effort effort, struct apsp_error *error);

#endif
