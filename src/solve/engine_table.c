#include "solve/engines.h"

#include <math.h>
#include <string.h>

enum { NAMES = 200 };

const char *engine_names(void)
{
    static _Thread_local char names[NAMES];
    names[0] = '\0';
    for (int i = 0; engines[i]; i++)
        snprintf(names + strlen(names), NAMES - strlen(names), "%s%s", i > 0 ? ", " : "",
                 engines[i]->name);
    return names;
}

const struct engine_ops *engine_for_matrix(void)
{
    int i = 0;
    while (engines[i] && !engines[i]->takes_matrix)
        i++;
    return engines[i];
}

double engine_seconds(const struct engine_plan *plan, const struct engine_task *task)
{
    double slowest = comm_min(task->comm, plan->rate);
    double slowest_rows = comm_min(task->comm, plan->row_rate > 0 ? plan->row_rate : plan->rate);
    double rows = (double)(task->sources ? task->sources : task->n);
    double looking =
        comm_max(task->comm, plan->near ? 0 : engine_row_looking(task) / task->threads);
    return slowest > 0 ? plan->look + (plan->work / slowest + plan->row_work * rows / slowest_rows +
                                       rows * looking) /
                                          task->comm->ranks
                       : INFINITY;
}

double engine_relaxations(const struct engine_ops *ops, const struct engine_plan *plan, double rows)
{
    return (plan->work + plan->row_work * rows) * ops->relaxations;
}
