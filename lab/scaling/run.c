/*
 * Speed-up S: how often the work of one rank's second is done in a second of two, and efficiency S
 * / 2. The model is that of docs/scaling.md for P = 2 and pivots of w, without what is exposed:
 * every rank closes all pivot rows, so that the efficiency is 1 / (1 + (P - 1) w / n).
 */
#include "command.h"
#include "scaling.h"

#include <stdlib.h>
#include <string.h>

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    return item ? cJSON_GetNumberValue(item) : 0;
}

/* Solves it so; false: that cannot be done here. */
static bool solve(struct lab_problem *problem, const char *options, struct lab_run *run,
                  double *tile)
{
    cJSON *report = lab_command(problem, options);
    const cJSON *seconds = cJSON_GetObjectItem(report, "seconds");
    if (!seconds)
        return false;
    run->seconds = number(seconds, "solve");
    run->whole = number(seconds, "total");
    run->column[SCALING_EXPOSED] = number(seconds, "communication_exposed");
    *tile = number(report, "tile");
    cJSON_Delete(report);
    lab_result(problem);
    return true;
}

static void compare(const struct lab_run *alone, size_t alone_n, double tile, struct lab_run *run)
{
    const double more = lab_paths.work(run->n) / lab_paths.work(alone_n);
    run->column[SCALING_ONE] = alone->seconds;
    run->column[SCALING_SPEEDUP] = more * alone->seconds / run->seconds;
    run->column[SCALING_EFFICIENCY] = run->column[SCALING_SPEEDUP] / 2;
    run->column[SCALING_MODEL] = 1 / (1 + tile / (double)run->n);
}

/* By two ranks n x 1.26 vertices, whose distances are checked here: the problem's own are those of
 * n. */
static bool solve_larger(struct lab_problem *problem, const char *options, struct lab_run *run,
                         double *tile)
{
    struct lab_problem larger = {.n = run->n = (size_t)(1.26 * (double)problem->n)};
    if (!lab_paths.make(&larger))
        lab_stop("not enough memory");
    bool good = solve(&larger, options, run, tile);
    if (good && lab_paths.wrong(&larger) > 0)
        memset(problem->out, 0xff, problem->bytes); /* which is refused */
    free(larger.in[0]);
    free(larger.out);
    free(larger.right);
    return good;
}

enum lab_outcome scaling_run(const struct scaling_way *way, struct lab_problem *problem,
                             struct lab_run *run)
{
    struct lab_run alone = {0};
    double tile;
    if (!solve(problem, way->one, &alone, &tile))
        return LAB_ABSENT;
    if (way->weak ? !solve_larger(problem, way->two, run, &tile)
                  : !solve(problem, way->two, run, &tile))
        return LAB_ABSENT;
    compare(&alone, problem->n, tile, run);
    return LAB_DONE;
}
