/* The sink of accessibility: a table of the sources, of what access.h makes of their rows. */
#include "base/digits.h"
#include "base/mem.h"
#include "base/text.h"
#include "rows/access_request.h"
#include "rows/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY = DIGITS_ROOM + 1 }; /* Characters at most, with a comma. */

struct text {
    const struct sink_task *task;
    const double *value;
    size_t width;
};

static const char *path(const struct results *results)
{
    return results->access.path;
}

static const struct access_plan *plan_of(const struct sink_task *task)
{
    return &task->results->access.request->plan;
}

static struct sink_need need(const struct sink_task *task, int lanes)
{
    return access_need(plan_of(task), task, lanes);
}

static bool on_device(const struct sink_task *task)
{
    return access_on_device(plan_of(task));
}

static bool sides(const struct sink_task *task)
{
    return access_is_beside(plan_of(task), task);
}

static struct rows_near near(const struct sink_task *task)
{
    return access_near(plan_of(task), task);
}

static struct beside_target beside(const struct sink *sink)
{
    return access_beside(sink->state);
}

static int open_access(struct sink *sink, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    struct access *access;
    access_new(&access, plan_of(task), task, error);
    sink->state = access;
    return error->code;
}

static int take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    return access_take(sink->state, lane, block, error);
}

/* A row is of one rank, so a sum with zeros is its own. */
static int save(struct sink *sink, struct sink_part part[SINK_PARTS], struct apsp_error *error)
{
    (void)error;
    part[0] = (struct sink_part){.most = false};
    part[0].word = access_words(sink->state, &part[0].words);
    return 1;
}

/* The column of kind c and measure k, in quotes where a comma or a quote is in it. */
static char *put_name(char *out, const struct access_request *request, size_t c, size_t k)
{
    const char *name = request->name[c], *measure = request->measure[k];
    char *both = malloc(strlen(name) + strlen(measure) + sizeof "_");
    if (!both)
        return NULL;
    stpcpy(stpcpy(stpcpy(both, name), "_"), measure);
    out = text_put_csv(out, both);
    free(both);
    return out;
}

/* To free(); NULL without memory. */
static char *make_head(const struct access_request *request)
{
    const struct access_plan *plan = &request->plan;
    const size_t each = plan->decays + plan->shares;
    size_t room = sizeof "vertex\n";
    for (size_t c = 0; c < plan->columns; c++)
        for (size_t k = 0; k < each; k++)
            room += 2 * (strlen(request->name[c]) + strlen(request->measure[k]) + 4);
    char *head = malloc(room), *end = head ? stpcpy(head, "vertex") : NULL;
    for (size_t i = 0; end && i < plan->columns * each; i++)
        end = put_name(stpcpy(end, ","), request, i / each, i % each);
    if (end)
        stpcpy(end, "\n");
    return head;
}

/* What is not there is an empty field. */
static char *put_line(char *out, const void *self, size_t place)
{
    const struct text *text = self;
    const struct sources *sources = text->task->sources;
    out = label_put_csv(out, text->task->certificate.labels,
                        sources ? sources->vertex[place] : place);
    for (size_t k = 0; k < text->width; k++) {
        const double value = text->value[place * text->width + k];
        *out++ = ',';
        if (isfinite(value))
            out = digits_shortest(out, value);
    }
    *out++ = '\n';
    return out;
}

static int merge(struct sink *sink, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    const struct access_request *request = task->results->access.request;
    const struct text text = {task, access_merge(sink->state), access_width(&request->plan)};
    sink->rows = sink_rows(task);
    sink->amount = (double)sink->rows * (double)sink_columns(task);
    sink->unit = "distances/s";
    if (task->comm->rank > 0)
        return APSP_OK;
    char *head = make_head(request);
    const struct output_lines lines = {.head = head,
                                       .count = sink->rows,
                                       .most = label_csv_most(task->certificate.labels) +
                                               text.width * ENTRY + 1,
                                       .put = put_line,
                                       .self = &text,
                                       .threads = task->threads};
    if (!head)
        return error_set(error, APSP_MEMORY, "%s: no memory for its text", sink->staged->path);
    output_lines(sink->staged, &lines, error);
    free(head);
    return error->code;
}

static void close_access(struct sink *sink)
{
    access_free(sink->state);
}

const struct sink_ops sink_access = {
    .name = "access",
    .works = true,
    .targets = true,
    .path = path,
    .setting = SETTING_ACCESS,
    .suffixes = ".csv",
    .stages = true,
    .on_device = on_device,
    .sides = sides,
    .beside = beside,
    .near = near,
    .need = need,
    .open = open_access,
    .take = take,
    .save = save,
    .merge = merge,
    .close = close_access,
};
