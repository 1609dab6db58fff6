/* Which of the engines a run takes: those that can are asked what the work would cost. */
#include "base/words.h"
#include "job/job.h"

#include <math.h>
#include <string.h>

/* Another engine is looked at closely when that takes no more than this part of what one certainly
 * takes, or these seconds. */
#define LOOK_PART    0.05
#define LOOK_SECONDS 0.05

enum { NAMES = 200 };

const char *engine_names(void)
{
    static char names[NAMES];
    names[0] = '\0';
    for (int i = 0; engines[i]; i++)
        snprintf(names + strlen(names), NAMES - strlen(names), "%s%s", i > 0 ? ", " : "",
                 engines[i]->name);
    return names;
}

const struct engine_ops *engine_without_edges(void)
{
    int i = 0;
    while (engines[i] && engines[i]->wants_edges)
        i++;
    return engines[i];
}

double engine_seconds(const struct engine_plan *plan, const struct engine_task *task)
{
    double slowest = -comm_max(task->comm, -plan->rate);
    double slowest_rows =
        -comm_max(task->comm, -(plan->row_rate > 0 ? plan->row_rate : plan->rate));
    double rows = (double)(task->sources ? task->sources : task->n);
    return slowest > 0
               ? plan->setup + (plan->work / slowest + plan->row_work * rows / slowest_rows) /
                                   task->comm->ranks
               : INFINITY;
}

static void drop(struct methods *methods, int i)
{
    methods->of[i].ops->free(methods->of[i].engine);
    methods->count--;
    memmove(&methods->of[i], &methods->of[i + 1],
            (size_t)(methods->count - i) * sizeof *methods->of);
}

static void note(struct methods *methods, const struct method *method, bool least, const char *why)
{
    struct method_note *note = &methods->note[methods->notes++];
    *note = (struct method_note){.name = method->ops->name,
                                 .seconds = method->seconds + method->plan.spent,
                                 .node = method->node,
                                 .fits = method->fits,
                                 .least = least};
    snprintf(note->why, sizeof note->why, "%.*s", (int)sizeof note->why - 1, why);
}

/* Plans what is there for the task as it is now, and drops those that cannot. An error is why the
 * first of them cannot, if none can. */
static int plan_all(struct job *job, bool timed)
{
    struct methods *methods = &job->methods;
    struct apsp_error refusal = {0};
    job->task.timed = timed;
    for (int i = 0; i < methods->count;) {
        struct method *method = &methods->of[i];
        struct apsp_error why = {0};
        if (method->ops->plan(&method->engine, &job->task, &method->plan, &why) == APSP_OK) {
            i++;
            continue;
        }
        refusal = refusal.code ? refusal : why;
        note(methods, method, false, why.text);
        drop(methods, i);
    }
    if (methods->count == 0)
        job->error = refusal;
    return job->error.code;
}

/* Makes the best of them the job's: one that fits, and of these the one that is done first. */
static void take_best(struct job *job)
{
    struct methods *methods = &job->methods;
    struct method *best = NULL;
    for (int i = 0; i < methods->count; i++) {
        struct method *method = &methods->of[i];
        job->engine = method->engine;
        job->plan = method->plan;
        method->fits = estimate_fits(job, &method->node);
        method->seconds = job->task.timed ? engine_seconds(&method->plan, &job->task) : 0;
        if (!best || (method->fits && !best->fits) ||
            (method->fits == best->fits && method->seconds < best->seconds))
            best = method;
    }
    job->engine = best->engine;
    job->plan = best->plan;
}

/*
 * Before there are edges the plan of an engine that wants them is a lower bound. It is not worth
 * them where another certainly takes less, or where looking closely costs too much.
 */
static bool is_worth(const struct method *method, const struct method *certain)
{
    double look =
        LOOK_PART * certain->seconds > LOOK_SECONDS ? LOOK_PART * certain->seconds : LOOK_SECONDS;
    return !certain->fits || (method->seconds < certain->seconds && method->plan.setup <= look);
}

static void drop_hopeless(struct job *job)
{
    struct methods *methods = &job->methods;
    const struct method *certain = NULL;
    for (int i = 0; i < methods->count; i++)
        if (!methods->of[i].ops->wants_edges)
            certain = &methods->of[i];
    for (int i = methods->count - 1; i >= 0 && certain; i--) {
        const struct method *method = &methods->of[i];
        if (method->ops->wants_edges && !is_worth(method, certain)) {
            note(methods, method, true, "");
            drop(methods, i);
        }
    }
}

/* What the options ask for, and rank 0 sees of their paths. */
struct asked {
    const char *named;        /* NULL: any engine */
    char unsaved[TEXT_SHORT]; /* what a checkpoint of rows would not hold; "": nothing */
};

static struct asked find_asked(const struct job *job)
{
    const char *method = job->options.method;
    struct asked asked = {.named = method && strcmp(method, "auto") != 0 ? method : NULL};
    const char *unsaved =
        job->options.checkpoint && job->comm->rank == 0 ? sinks_unsaved(&job->sinks) : NULL;
    snprintf(asked.unsaved, sizeof asked.unsaved, "%s", unsaved ? unsaved : "");
    comm_broadcast(job->comm, asked.unsaved, sizeof asked.unsaved, 0);
    return asked;
}

/* An error is why it cannot be taken, whatever the graph. */
static bool is_able(const struct job *job, const struct asked *asked, const struct engine_ops *ops,
                    struct apsp_error *error)
{
    const enum checkpoint_kind kind = checkpoint_kind(job->checkpoint);
    if (!ops->has_order && (job->options.order || job->options.save_order))
        error_set(error, APSP_USAGE, "--method %s: has no order", ops->name);
    else if (kind != CHECKPOINT_NONE && (kind == CHECKPOINT_MATRIX) != (ops->save != NULL))
        error_set(error, APSP_USAGE, "--method %s: %s has a checkpoint of another engine",
                  ops->name, job->options.checkpoint);
    else if (!ops->save && *asked->unsaved)
        error_set(error, APSP_USAGE, "--method %s: its checkpoints do not hold %s", ops->name,
                  asked->unsaved);
    return !error->code;
}

/* The engine that the options name; without a name all that are able, but a small graph is solved
 * before anything has been looked at. An error is why the last of those in question is not. */
static void add_candidates(struct job *job, struct apsp_error *error)
{
    enum { SMALL = 1500 };
    struct methods *methods = &job->methods;
    const struct asked asked = find_asked(job);
    for (int i = 0; engines[i] && methods->count < METHODS_MAX; i++) {
        bool hasty = methods->count > 0 && engines[i]->wants_edges && job->task.n <= SMALL;
        struct apsp_error own = {0};
        if (hasty || (asked.named && strcmp(asked.named, engines[i]->name) != 0))
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
        return words_refuse(&job->error, "--method", job->options.method, "auto", engine_names());
    if (plan_all(job, job->options.estimate) || (methods->count > 1 && plan_all(job, true)))
        return job->error.code;
    take_best(job);
    drop_hopeless(job);
    take_best(job);
    return APSP_OK;
}

double methods_seconds(struct job *job, enum dtype dtype)
{
    const struct engine_task before = job->task;
    double most = 0;
    job->task.dtype = dtype;
    job->task.output = dtype_info[dtype].output;
    job->task.timed = true;
    for (int i = 0; i < job->methods.count; i++) {
        struct method *method = &job->methods.of[i];
        struct engine_plan plan;
        struct apsp_error why = {0};
        if (method->ops->plan(&method->engine, &job->task, &plan, &why) == APSP_OK)
            most = fmax(most, engine_seconds(&plan, &job->task));
    }
    job->task = before;
    return most;
}

bool rows_want_edges(const struct job *job)
{
    return job->summed || job->options.read_back || sinks_want_edges(&job->sinks);
}

bool edges_are_wanted(const struct job *job)
{
    bool wanted = rows_want_edges(job);
    for (int i = 0; i < job->methods.count; i++)
        wanted |= job->methods.of[i].ops->wants_edges;
    return wanted;
}

/* For people: what each of them would take. */
static void tell_reasons(struct job *job)
{
    struct methods *methods = &job->methods;
    size_t used = 0;
    for (int i = 0; i < methods->count && methods->count > 1 && used < sizeof methods->reasons;
         i++) {
        const struct method *method = &methods->of[i];
        used += (size_t)snprintf(methods->reasons + used, sizeof methods->reasons - used,
                                 "%s%s about %.2g s%s", i > 0 ? ", " : "", method->ops->name,
                                 method->seconds, method->fits ? "" : " and too much memory");
    }
}

int methods_settle(struct job *job)
{
    struct methods *methods = &job->methods;
    if (plan_all(job, job->options.estimate || methods->count > 1))
        return job->error.code;
    take_best(job);
    tell_reasons(job);
    for (int i = 0; i < methods->count; i++) {
        note(methods, &methods->of[i], false, "");
        methods->note[methods->notes - 1].taken = methods->of[i].engine == job->engine;
    }
    for (int i = methods->count - 1; i >= 0; i--)
        if (methods->of[i].engine != job->engine)
            drop(methods, i);
    return APSP_OK;
}

void methods_free(struct methods *methods)
{
    while (methods->count > 0)
        drop(methods, methods->count - 1);
}
