/* The plain course program on the GPU: factor 64, 32 x 8 threads (step 14 of the ladder), timed by
 * phases. */
#include "../course.cuh"
#include "input.h"
#include "phases.h"

#include <cstdlib>

static enum lab_outcome run(struct lab_problem *problem, struct lab_run *run)
{
    struct blocked_parts parts = {};
    struct lab_run inner = {};
    int *d = (int *)lab_alloc(problem->n * problem->n, sizeof *d);
    double start = lab_now();
    run->column[PHASES_READ] = input_by_edges(problem, d);
    struct lab_problem read = *problem;
    read.in[0] = d;
    blocked_run<course<64, 32, 8>>(&read, &inner, &parts);
    for (int p = 0; p < 3; p++)
        run->column[PHASES_1 + p] = parts.phase[p];
    run->seconds = inner.seconds;
    run->column[PHASES_TO_DEVICE] = parts.to_device;
    run->column[PHASES_FROM_DEVICE] = parts.from_device;
    run->column[PHASES_WRITE] = phases_write(problem, (const int *)problem->out);
    run->whole = lab_now() - start;
    free(d);
    return LAB_DONE;
}

struct lab_step phases_course_gpu = {"course program, GPU", NULL, true, run};
