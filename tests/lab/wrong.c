/* An experiment of which one step is wrong in one value, for tests/lab/lab.sh. */
#include "paths.h"
#include "tiles.h"

#include <string.h>

static enum lab_outcome run_right(struct lab_problem *problem, struct lab_run *run)
{
    double seconds[3];
    memcpy(problem->out, problem->in[0], problem->bytes);
    tiles_solve(problem->out, problem->n, seconds);
    run->seconds = seconds[0] + seconds[1] + seconds[2];
    return LAB_DONE;
}

static enum lab_outcome run_wrong(struct lab_problem *problem, struct lab_run *run)
{
    run_right(problem, run);
    ((int *)problem->out)[problem->n * problem->n - 2]++;
    return LAB_DONE;
}

static enum lab_outcome run_absent(struct lab_problem *problem, struct lab_run *run)
{
    (void)problem, (void)run;
    return LAB_ABSENT;
}

int main(int argc, char **argv)
{
    static const struct lab_step right = {"right", NULL, false, run_right},
                                 wrong = {"wrong in one value", NULL, false, run_wrong},
                                 absent = {"absent", NULL, false, run_absent};
    static const struct lab_step *const steps[] = {&right, &wrong, &absent, NULL};
    static const struct lab_experiment experiment = {
        .name = "wrong",
        .title = "A wrong step",
        .unit = "T relaxations/s",
        .per_unit = 1e12,
        .kind = &lab_paths,
        .steps = steps,
    };
    return lab_main(&experiment, argc, argv);
}
