/* Which of the engines a run takes: those that can are asked what the work would cost. */
#include "base/plain.h"
#include "base/words.h"
#include "job/job.h"

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
static struct choice_plan method_choice(struct job *job, struct method *method)
{
    job->engine = method->engine;
    job->plan = method->plan;
    return (struct choice_plan){.able = true,
                                .fits = estimate_fits(job, &method->node),
                                .bound = method->plan.bound,
                                .look = method->plan.look,
                                .seconds = engine_seconds(&method->plan, &job->task)};
}

/* Plans method i for the task as it is now. Drops it, with an error that says why, if it cannot. */
static bool method_plan(struct job *job, int i, struct apsp_error *error)
{
    struct methods *methods = &job->methods;
    struct method *method = &methods->of[i];
    struct apsp_error why = {0};
    job->task.timed = methods->rated;
    if (method->ops->plan(&method->engine, &job->task, &method->plan, &why) == APSP_OK) {
        methods->choice[i] = method_choice(job, method);
        return true;
    }
    *error = error->code ? *error : why;
    method_note(methods, i, false, why.text);
    method_drop(methods, i);
    return false;
}

/* An error is why the first of them cannot, if none can. */
static int methods_plan(struct job *job, bool rated)
{
    struct methods *methods = &job->methods;
    struct apsp_error why = {0};
    methods->rated = rated;
    for (int i = 0; i < methods->count;)
        i += method_plan(job, i, &why);
    if (methods->count == 0)
        job->error = why;
    return job->error.code;
}

static void method_take_best(struct job *job)
{
    const struct methods *methods = &job->methods;
    const struct method *best = &methods->of[choice_best(methods->choice, methods->count)];
    job->engine = best->engine;
    job->plan = best->plan;
}

static bool method_is_hopeless(const struct methods *methods, int i)
{
    return methods->choice[i].bound && !choice_is_worth(methods->choice, methods->count, i);
}

static void method_give_up(struct methods *methods, int i)
{
    method_note(methods, i, true, "");
    method_drop(methods, i);
}

/* What the options ask for, and rank 0 sees of their paths. */
struct asked {
    const char *named;        /* NULL: any engine */
    char unsaved[TEXT_SHORT]; /* what a checkpoint of rows would not hold; "": nothing */
};

static struct asked find_asked(const struct job *job)
{
    const char *method = job->options.request.method;
    struct asked asked = {.named = method && strcmp(method, "auto") != 0 ? method : NULL};
    const char *unsaved =
        job->options.checkpoint.folder && job->comm->rank == 0 ? sinks_unsaved(&job->sinks) : NULL;
    snprintf(asked.unsaved, sizeof asked.unsaved, "%s", unsaved ? unsaved : "");
    comm_broadcast(job->comm, asked.unsaved, sizeof asked.unsaved, 0);
    return asked;
}

/* An error is why it cannot be taken, whatever the graph. */
static bool is_able(const struct job *job, const struct asked *asked, const struct engine_ops *ops,
                    struct apsp_error *error)
{
    const enum checkpoint_kind kind = checkpoint_kind(job->checkpoint);
    if (!ops->has_order && (job->options.request.order || job->options.request.keep_order))
        error_set(error, APSP_USAGE, "--method %s: has no order", ops->name);
    else if (kind != CHECKPOINT_NONE && (kind == CHECKPOINT_MATRIX) != (ops->save != NULL))
        error_set(error, APSP_USAGE, "--method %s: %s has a checkpoint of another engine",
                  ops->name, job->options.checkpoint.folder);
    else if (!ops->save && *asked->unsaved)
        error_set(error, APSP_USAGE, "--method %s: its checkpoints do not hold %s", ops->name,
                  asked->unsaved);
    return !error->code;
}

/* The engine that the options name; without a name all that are able. An error is why the last of
 * those in question is not. */
static void add_candidates(struct job *job, struct apsp_error *error)
{
    struct methods *methods = &job->methods;
    const struct asked asked = find_asked(job);
    for (int i = 0; engines[i] && methods->count < METHODS_MAX; i++) {
        struct apsp_error own = {0};
        if (asked.named ? strcmp(asked.named, engines[i]->name) != 0 : engines[i]->named)
            continue;
        if (is_able(job, &asked, engines[i], &own))
            methods->of[methods->count++] = (struct method){.ops = engines[i]};
        else
            *error = own;
    }
}

int methods_open(struct job *job)
{
    struct methods *methods = &job->methods;
    struct apsp_error why = {0};
    add_candidates(job, &why);
    if (methods->count == 0 && why.code)
        return error_set(&job->error, (enum apsp_status)why.code, "%s", why.text);
    if (methods->count == 0)
        return words_refuse(&job->error, "--method", job->options.request.method, "auto",
                            engine_names());
    if (methods_plan(job, false) ||
        ((job->options.estimate || choice_needs_rates(methods->choice, methods->count)) &&
         methods_plan(job, true)))
        return job->error.code;
    for (int i = methods->count - 1; i >= 0; i--)
        if (method_is_hopeless(methods, i))
            method_give_up(methods, i);
    method_take_best(job);
    return APSP_OK;
}

double methods_seconds(struct job *job, enum dtype dtype)
{
    const struct engine_task before = job->task;
    struct choice_plan choice[METHODS_MAX];
    job->task.dtype = dtype;
    job->task.output = dtype_info[dtype].output;
    job->task.timed = true;
    for (int i = 0; i < job->methods.count; i++) {
        struct method *method = &job->methods.of[i];
        struct engine_plan plan;
        struct apsp_error why = {0};
        choice[i] = job->methods.choice[i];
        choice[i].able = method->ops->plan(&method->engine, &job->task, &plan, &why) == APSP_OK;
        choice[i].seconds = choice[i].able ? engine_seconds(&plan, &job->task) : 0;
    }
    job->task = before;
    return choice_seconds(choice, job->methods.count);
}

bool rows_want_edges(const struct job *job)
{
    return job->summed || job->options.results.read_back || sinks_want_edges(&job->sinks);
}

bool edges_are_wanted(const struct job *job)
{
    bool wanted = rows_want_edges(job);
    for (int i = 0; i < job->methods.count; i++)
        wanted |= job->methods.of[i].ops->wants_edges;
    return wanted;
}

/* For people: what each of them would take. */
static void tell_reasons(struct methods *methods)
{
    size_t used = 0;
    for (int i = 0; i < methods->count && methods->count > 1 && used < sizeof methods->reasons; i++)
        used += (size_t)plain_print(methods->reasons + used, sizeof methods->reasons - used,
                                    "%s%s about %.2g s%s", i > 0 ? ", " : "",
                                    methods->of[i].ops->name, methods->choice[i].seconds,
                                    methods->choice[i].fits ? "" : " and too much memory");
}

/* The method that is still to be planned for the complete task and takes least to look at; -1:
 * none. */
static int method_unsettled(const struct methods *methods)
{
    int next = -1;
    for (int i = 0; i < methods->count; i++)
        if (!methods->of[i].settled &&
            (next < 0 || methods->choice[i].look < methods->choice[next].look))
            next = i;
    return next;
}

/* The cheapest looks come first: what they show may spare the others. */
static int methods_look(struct job *job)
{
    struct methods *methods = &job->methods;
    struct apsp_error why = {0};
    for (int i; (i = method_unsettled(methods)) >= 0;) {
        if (method_is_hopeless(methods, i))
            method_give_up(methods, i);
        else if (method_plan(job, i, &why))
            methods->of[i].settled = true;
    }
    if (methods->count == 0)
        job->error = why;
    return job->error.code;
}

int methods_settle(struct job *job)
{
    struct methods *methods = &job->methods;
    if (methods_look(job))
        return job->error.code;
    method_take_best(job);
    tell_reasons(methods);
    for (int i = 0; i < methods->count; i++) {
        method_note(methods, i, false, "");
        methods->note[methods->notes - 1].taken = methods->of[i].engine == job->engine;
    }
    for (int i = methods->count - 1; i >= 0; i--)
        if (methods->of[i].engine != job->engine)
            method_drop(methods, i);
    return APSP_OK;
}

void methods_free(struct methods *methods)
{
    while (methods->count > 0)
        method_drop(methods, methods->count - 1);
}
