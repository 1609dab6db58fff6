/* Which of the engines a run takes: those that can are asked what the work would cost. */
#include "base/plain.h"
#include "base/setting.h"
#include "base/words.h"
#include "graph/narrow.h"
#include "solve/estimate.h"
#include "solve/near.h"

#include <string.h>

static void method_drop(struct methods *methods, int i)
{
    const size_t left = (size_t)(--methods->count - i);
    methods->of[i].ops->free(methods->of[i].engine);
    memmove(&methods->of[i], &methods->of[i + 1], left * sizeof *methods->of);
    memmove(&methods->choice[i], &methods->choice[i + 1], left * sizeof *methods->choice);
}

static void method_note(struct methods *methods, int i, bool least, const char *why)
{
    const struct method *method = &methods->of[i];
    struct method_note *note = &methods->note[methods->notes++];
    *note = (struct method_note){.name = method->ops->name,
                                 .seconds = methods->choice[i].seconds + method->plan.spent,
                                 .node = method->node,
                                 .fits = methods->choice[i].fits,
                                 .least = least};
    snprintf(note->why, sizeof note->why, "%.*s", (int)sizeof note->why - 1, why);
}

/* The plan of a method as the choice sees it. Collective. */
static struct choice_plan method_choice(struct solver *solver, struct method *method)
{
    solver->engine = method->engine;
    solver->plan = method->plan;
    return (struct choice_plan){.able = true,
                                .fits = estimate_fits(solver, &method->node),
                                .bound = method->plan.bound,
                                .look = method->plan.look,
                                .risk = method->plan.risk,
                                .odds = method->plan.odds,
                                .seconds = engine_seconds(&method->plan, &solver->task)};
}

/* Plans method i for the task as it is now. Drops it, with an error that says why, if it cannot. */
static bool method_plan(struct solver *solver, int i, struct apsp_error *error)
{
    struct methods *methods = &solver->methods;
    struct method *method = &methods->of[i];
    struct apsp_error why = {0};
    solver->task.timed = methods->rated;
    if (method->ops->plan(&method->engine, &solver->task, &method->plan, &why) == APSP_OK) {
        methods->choice[i] = method_choice(solver, method);
        return true;
    }
    *error = error->code ? *error : why;
    method_note(methods, i, false, why.text);
    method_drop(methods, i);
    return false;
}

/* An error is why the first of them cannot, if none can. */
static int methods_plan(struct solver *solver, bool rated)
{
    struct methods *methods = &solver->methods;
    struct apsp_error why = {0};
    methods->rated = rated;
    for (int i = 0; i < methods->count;)
        i += method_plan(solver, i, &why);
    if (methods->count == 0)
        solver->error = why;
    return solver->error.code;
}

static void method_glance(struct solver *solver, int i)
{
    struct methods *methods = &solver->methods;
    struct method *method = &methods->of[i];
    if (!method->ops->glance || !method->plan.bound)
        return;
    method->ops->glance(&method->plan, &solver->task);
    methods->choice[i] = method_choice(solver, method);
}

static void method_take_best(struct solver *solver)
{
    const struct methods *methods = &solver->methods;
    const struct method *best = &methods->of[choice_best(methods->choice, methods->count)];
    solver->engine = best->engine;
    solver->plan = best->plan;
}

static bool method_is_hopeless(const struct methods *methods, int i)
{
    return methods->choice[i].bound && !choice_is_worth(methods->choice, methods->count, i);
}

/* A bound that is not worth a look gets a glance, if more could make it so. */
static bool method_may_glance(const struct methods *methods, int i)
{
    return methods->of[i].ops->glance && choice_is_open(methods->choice, methods->count, i);
}

static void method_give_up(struct methods *methods, int i)
{
    method_note(methods, i, true, "");
    method_drop(methods, i);
}

/* The requested engine, and what rank 0 sees of the results' paths. */
struct asked {
    const char *named;        /* NULL: any engine */
    char unsaved[TEXT_SHORT]; /* what a checkpoint of rows would not hold; "": nothing */
};

static struct asked methods_asked(const struct solver *solver)
{
    const char *method = solver->request.method;
    struct asked asked = {.named = method && strcmp(method, "auto") != 0 ? method : NULL};
    const char *unsaved =
        solver->given.checkpoint && solver->comm->rank == 0 ? sinks_unsaved(&solver->sinks) : NULL;
    snprintf(asked.unsaved, sizeof asked.unsaved, "%s", unsaved ? unsaved : "");
    comm_broadcast(solver->comm, asked.unsaved, sizeof asked.unsaved, 0);
    return asked;
}

static bool method_has_algebra(const struct solver *solver, const struct engine_ops *ops)
{
    return !ops->maxima || solver->task.combine == COMBINE_MAX;
}

/* An error is why it cannot be taken, whatever the graph. */
static bool method_is_able(const struct solver *solver, const struct asked *asked,
                           const struct engine_ops *ops, struct apsp_error *error)
{
    const enum checkpoint_kind kind = checkpoint_kind(solver->checkpoint);
    if (!method_has_algebra(solver, ops))
        error_set(error, APSP_USAGE, "%s %s: is for %s bottleneck and widest", SETTING(METHOD),
                  ops->name, SETTING(PATHS));
    else if (!ops->has_order && (solver->request.order || solver->request.keep_order ||
                                 solver->request.held_bytes > 0))
        error_set(error, APSP_USAGE, "%s %s: has no order", SETTING(METHOD), ops->name);
    else if (kind != CHECKPOINT_NONE && (kind == CHECKPOINT_MATRIX) != (ops->save != NULL))
        error_set(error, APSP_USAGE, "%s %s: %s has a checkpoint of another engine",
                  SETTING(METHOD), ops->name, solver->given.checkpoint->folder);
    else if (!ops->save && *asked->unsaved)
        error_set(error, APSP_USAGE, "%s %s: its checkpoints do not hold %s", SETTING(METHOD),
                  ops->name, asked->unsaved);
    return !error->code;
}

/* The engine that the request names; without a name all that are able. An error is why the last of
 * those in question is not. */
static void methods_add(struct solver *solver, struct apsp_error *error)
{
    struct methods *methods = &solver->methods;
    const struct asked asked = methods_asked(solver);
    for (int i = 0; engines[i] && methods->count < METHODS_MAX; i++) {
        struct apsp_error own = {0};
        if (asked.named ? strcmp(asked.named, engines[i]->name) != 0
                        : !method_has_algebra(solver, engines[i]))
            continue;
        if (method_is_able(solver, &asked, engines[i], &own))
            methods->of[methods->count++] = (struct method){.ops = engines[i]};
        else
            *error = own;
    }
}

int methods_open(struct solver *solver)
{
    struct methods *methods = &solver->methods;
    struct apsp_error why = {0};
    methods_add(solver, &why);
    if (methods->count == 0 && why.code)
        return error_set(&solver->error, (enum apsp_status)why.code, "%s", why.text);
    if (methods->count == 0)
        return words_refuse(&solver->error, SETTING(METHOD), solver->request.method, "auto",
                            engine_names());
    if (methods_plan(solver, false) ||
        ((solver->given.plan_only || choice_needs_rates(methods->choice, methods->count)) &&
         methods_plan(solver, true)))
        return solver->error.code;
    for (int i = methods->count - 1; i >= 0; i--)
        if (method_is_hopeless(methods, i) && !method_may_glance(methods, i))
            method_give_up(methods, i);
    method_take_best(solver);
    return APSP_OK;
}

/* On narrow graphs whole searches skip most vertices (sssp/folding.h), so that those for this part
 * of the graph take as long; rough. */
#define FAR_PART 0.2

/* The largest distance that the sinks want, in the unit of the edges. */
static double methods_reach(struct solver *solver)
{
    const struct sink_task before = solver->sink_task;
    const struct graph *graph = &solver->problem.graph;
    solver->sink_task.dtype = solver->problem.csr.real ? DTYPE_F64 : DTYPE_I64;
    solver->sink_task.scale = graph->scaled ? graph->scale : (struct scale){0};
    const union value most = rows_request(&solver->sinks, 1).near.most;
    solver->sink_task = before;
    return solver->problem.csr.real ? most.real : (double)most.whole;
}

/* The part of the graph that is near enough. */
static void methods_see_near(struct solver *solver)
{
    const struct sources *sources = solver->sources;
    struct engine_task *task = &solver->task;
    const double part = near_part(&solver->problem.csr, sources->vertex, sources->count,
                                  methods_reach(solver), task->narrow.levels > 0);
    task->near_part = comm_min(solver->comm, part);
    solver->far = task->narrow.levels > 0 && task->near_part > FAR_PART;
}

void methods_see(struct solver *solver)
{
    struct methods *methods = &solver->methods;
    const struct csr *csr = &solver->problem.csr;
    const struct rows_near *near = &solver->task.rows_request.near;
    if (methods->seen)
        return;
    solver->task.uneven = !csr_is_equal(csr);
    if (methods->count > 1 || near->asked) {
        const struct narrow narrow = csr_narrow(csr);
        solver->task.narrow.levels = (size_t)comm_min(solver->comm, (double)narrow.levels);
        solver->task.narrow.widest = (size_t)comm_min(solver->comm, (double)narrow.widest);
        solver->task.skewed = comm_min(solver->comm, csr_is_skewed(csr)) > 0;
    }
    if (near->asked && near->nearest == 0)
        methods_see_near(solver);
    methods->seen = true;
}

/* Among several, the bound of an engine for narrow graphs says nothing of others. */
static bool method_is_likely(const struct solver *solver, const struct method *method)
{
    const bool wide = solver->methods.seen && solver->task.narrow.levels == 0;
    return solver->methods.count < 2 || !wide || !method->ops->for_narrow;
}

double methods_seconds(struct solver *solver, enum dtype dtype)
{
    const struct engine_task before = solver->task;
    struct rows_near *near = &solver->task.rows_request.near;
    struct choice_plan choice[METHODS_MAX];
    solver->task.dtype = dtype;
    solver->task.output = dtype_info[dtype].output;
    solver->task.timed = true;
    /* All of the graph may be near, until the part is known. */
    if (near->nearest == 0 && (solver->task.near_part == 0 || solver->far))
        near->asked = false;
    for (int i = 0; i < solver->methods.count; i++) {
        struct method *method = &solver->methods.of[i];
        struct engine_plan plan;
        struct apsp_error why = {0};
        choice[i] = solver->methods.choice[i];
        choice[i].able = method_is_likely(solver, method) &&
                         method->ops->plan(&method->engine, &solver->task, &plan, &why) == APSP_OK;
        choice[i].seconds = choice[i].able ? engine_seconds(&plan, &solver->task) : 0;
    }
    solver->task = before;
    return choice_seconds(choice, solver->methods.count);
}

bool edges_are_wanted(const struct solver *solver)
{
    bool wanted = rows_want_edges(solver);
    for (int i = 0; i < solver->methods.count; i++)
        wanted |= solver->methods.of[i].ops->wants_edges;
    return wanted;
}

/* For people: what each of them would take. */
static void methods_tell(struct methods *methods)
{
    size_t used = 0;
    for (int i = 0; i < methods->count && methods->count > 1 && used < sizeof methods->reasons; i++)
        used += (size_t)plain_print(methods->reasons + used, sizeof methods->reasons - used,
                                    "%s%s about %.2g s%s", i > 0 ? ", " : "",
                                    methods->of[i].ops->name, methods->choice[i].seconds,
                                    methods->choice[i].fits ? "" : " and too much memory");
}

/* Whether a GPU starts, and separators are so small that an order is likely to pay. */
static bool methods_start_aside(const struct solver *solver)
{
    const struct engine_task *task = &solver->task;
    const bool mesh = task->narrow.widest > 0 && task->uneven;
    return (task->narrow.levels > 0 || mesh) && solver->device.ops != &device_cpu;
}

/* What the first looks show may spare the others: choice_next among the methods that are still to
 * be planned for the complete task; -1: none. An engine for narrow graphs looks at one on the host,
 * while a GPU starts. */
static int method_unsettled(const struct solver *solver)
{
    const struct methods *methods = &solver->methods;
    const bool aside = methods_start_aside(solver);
    struct choice_plan open[METHODS_MAX];
    int number[METHODS_MAX], count = 0;
    for (int i = 0; i < methods->count; i++)
        if (!methods->of[i].settled) {
            number[count] = i;
            open[count] = methods->choice[i];
            open[count++].aside = aside && methods->of[i].ops->for_narrow;
        }
    return count > 0 ? number[choice_next(open, count)] : -1;
}

static int methods_look(struct solver *solver)
{
    struct methods *methods = &solver->methods;
    struct apsp_error why = {0};
    if (solver->task.csr)
        methods_see(solver);
    for (int i = 0; i < methods->count; i++)
        method_glance(solver, i);
    for (int i; (i = method_unsettled(solver)) >= 0;) {
        if (method_is_hopeless(methods, i))
            method_give_up(methods, i);
        else if (method_plan(solver, i, &why))
            methods->of[i].settled = true;
    }
    if (methods->count == 0)
        solver->error = why;
    return solver->error.code;
}

int methods_settle(struct solver *solver)
{
    struct methods *methods = &solver->methods;
    if (methods_look(solver))
        return solver->error.code;
    method_take_best(solver);
    methods_tell(methods);
    for (int i = 0; i < methods->count; i++) {
        method_note(methods, i, false, "");
        methods->note[methods->notes - 1].taken = methods->of[i].engine == solver->engine;
    }
    for (int i = methods->count - 1; i >= 0; i--)
        if (methods->of[i].engine != solver->engine)
            method_drop(methods, i);
    return APSP_OK;
}

void methods_free(struct methods *methods)
{
    while (methods->count > 0)
        method_drop(methods, methods->count - 1);
}
