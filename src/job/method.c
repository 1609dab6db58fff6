#include "job/engines.h"

#include <math.h>
#include <string.h>

enum { NAMES = 200 };

const char *engine_names(void)
{
    static char names[NAMES];
    names[0] = '\0';
    for (int i = 0; engines[i]; i++)
        snprintf(names + strlen(names), NAMES - strlen(names), "%s%s", i > 0 ? ", " : "", engines[i]->name);
    return names;
}

static bool is_candidate(const struct engine_ops *ops, const struct job_options *options)
{
    return !options->method || strcmp(options->method, "auto") == 0 ||
           strcmp(options->method, ops->name) == 0;
}

double engine_seconds(const struct engine_plan *plan, struct comm *comm)
{
    double slowest = -comm_max(comm, -plan->rate);
    return slowest > 0 ? plan->work / slowest / comm->ranks : INFINITY;
}

int engine_choose(struct engine **engine, struct engine_task *task, struct engine_plan *plan,
                  struct apsp_error *error)
{
    double best = 0;
    int candidates = 0;
    struct apsp_error refusal = {0};
    *engine = NULL;
    for (int i = 0; engines[i]; i++)
        candidates += is_candidate(engines[i], task->options);
    task->timed |= candidates > 1;
    for (int i = 0; engines[i]; i++) {
        struct engine *own = NULL;
        struct engine_plan its = {0};
        struct apsp_error why = {0};
        if (!is_candidate(engines[i], task->options))
            continue;
        if (engines[i]->plan(&own, task, &its, &why)) {
            refusal = refusal.code ? refusal : why;
            engines[i]->free(own);
            continue;
        }
        double seconds = candidates > 1 ? engine_seconds(&its, task->comm) : 0;
        struct engine *other = *engine && seconds >= best ? own : *engine;
        if (other != own) {
            *engine = own;
            *plan = its;
            best = seconds;
        }
        if (other)
            other->ops->free(other);
    }
    if (*engine)
        return APSP_OK;
    if (candidates == 0)
        return error_set(error, APSP_USAGE, "--method %s: not one of auto, %s", task->options->method,
                         engine_names());
    *error = refusal;
    return error->code;
}
