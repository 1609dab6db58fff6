/* Accessibility for the caller: a sink that is in no table. */
#include "library/library.h"
#include "rows/access_request.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int access_take_block(struct sink *sink, int lane, const struct block *block,
                             struct apsp_error *error)
{
    return access_take(sink->state, lane, block, error);
}

static bool always(const struct sink_task *task)
{
    (void)task;
    return true;
}

static struct beside_target beside(const struct sink *sink)
{
    return access_beside(sink->state);
}

static struct rows_near near(const struct sink_task *task)
{
    return access_near(&task->results->access.request->plan, task);
}

static int check_amounts(const struct apsp_access *access, size_t n, struct apsp_error *error)
{
    for (size_t c = 0; c < access->columns; c++)
        for (size_t v = 0; v < n; v++) {
            const double amount = access->amount[c * n + v];
            if (!(amount >= 0) || !isfinite(amount))
                return error_set(error, APSP_USAGE,
                                 "amount[%zu]: expected a number from 0 on, found %g", c * n + v,
                                 amount);
        }
    return APSP_OK;
}

static int check(const struct apsp_solution *solution, const struct apsp_access *access,
                 const double *values, struct apsp_error *error)
{
    char name[TEXT_SHORT];
    const bool missing = access && ((access->columns > 0 && !access->amount) ||
                                    (access->decays > 0 && !access->decay) ||
                                    (access->shares > 0 && !access->share));
    if (!access || missing || (!values && library_is_alone(solution)))
        return error_set(error, APSP_USAGE,
                         "NULL: the request, its arrays and the room for values must not be NULL");
    if (solution->solver->sink_task.algebra.down)
        return error_set(error, APSP_USAGE, "the solution is of %s paths, which have no access",
                         algebra_name(solution->solver->sink_task.algebra.kind));
    for (size_t k = 0; k < access->decays && !error->code; k++) {
        snprintf(name, sizeof name, "decay[%zu]", k);
        access_check_decay(&access->decay[k], name, error);
    }
    for (size_t k = 0; k < access->shares && !error->code; k++) {
        snprintf(name, sizeof name, "share[%zu]", k);
        access_check_share(access->share[k], name, error);
    }
    return error->code ? error->code : check_amounts(access, solution->facts.vertices, error);
}

/* Of a task with its sources. */
static int weigh(struct apsp_solution *solution, const struct access_plan *plan,
                 const struct sink_task *task, double *values, struct apsp_error *error)
{
    const struct sink_ops ops = {.name = "access",
                                 .works = true,
                                 .targets = true,
                                 .on_device = access_on_device(plan) ? always : NULL,
                                 .sides = access_is_beside(plan, task) ? always : NULL,
                                 .beside = beside,
                                 .near = near,
                                 .take = access_take_block};
    struct access *access;
    access_new(&access, plan, task, error);
    struct sink sink = {.ops = &ops, .opened = true, .task = task, .state = access};
    if (comm_agree(task->comm, error) == APSP_OK &&
        library_pass(solution, &sink, solution->solver->task.threads, error) == APSP_OK) {
        const double *made = access_merge(access);
        if (values)
            memcpy(values, made, sink_rows(task) * access_width(plan) * sizeof *values);
    }
    access_free(access);
    return error->code;
}

struct access_question {
    const struct apsp_access *request;
    double *values;
};

static int access_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    const struct access_question *question = opaque;
    const struct apsp_access *request = question->request;
    struct sink_task task = solution->solver->sink_task;
    struct sources from = {0};
    if (check(solution, request, question->values, error) == APSP_OK)
        sources_take(&from, request->from.vertex, request->from.count, task.n, "from", error);
    const bool none = !error->code && request->from.vertex && request->from.count == 0;
    if (comm_agree(task.comm, error) == APSP_OK && !none) {
        const struct access_plan plan = {request->columns, request->amount, request->decays,
                                         request->decay,   request->shares, request->share};
        const struct access_request read = {.plan = plan};
        struct results results = *task.results;
        results.access.request = &read;
        task.results = &results;
        task.sources = from.count ? &from : NULL;
        task.targets = NULL;
        weigh(solution, &plan, &task, solution->aside ? NULL : question->values, error);
    }
    sources_free(&from);
    return error->code;
}

int apsp_find_access(struct apsp_solution *solution, const struct apsp_access *request,
                     double *values, struct apsp_error *error)
{
    struct access_question question = {request, values};
    return library_ask(solution, access_rank, &question, error);
}
