/* The plain course program on the CPU: the blocked algorithm in tiles of 64 (step 4 of the ladder),
 * timed by phases. */
#include "input.h"
#include "phases.h"
#include "tiles.h"

#include <stdlib.h>
#include <string.h>

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    int *d = lab_alloc(problem->n * problem->n, sizeof *d);
    double start = lab_now();
    run->column[PHASES_READ] = input_by_edges(problem, d);
    double read = lab_now();
    tiles_solve(d, problem->n, run->column + PHASES_1);
    run->seconds = lab_now() - read;
    run->column[PHASES_WRITE] = phases_write(problem, d);
    run->whole = lab_now() - start;
    memcpy(problem->out, d, problem->bytes);
    free(d);
    return LAB_DONE;
}

struct lab_step phases_course = {"course program, CPU", NULL, false, run};
