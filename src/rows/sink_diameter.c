/* The sink that writes diameter, radius, centre and periphery, or the eccentricity of each vertex.
 * It makes searches of its own. */
#include "rows/sink_diameter.h"

#include "base/digits.h"
#include "base/mem.h"
#include "base/text.h"
#include "rows/extent.h"
#include "rows/output.h"

#include <stdlib.h>

static const char *path(const struct results *results)
{
    return results->diameter;
}

/* A table has the eccentricity of each vertex. */
static bool is_table(const struct results *results)
{
    return path(results) && !text_has_suffix(path(results), ".json") &&
           text_has_suffix(path(results), ".csv .txt");
}

/* No row of an engine is used. Beside other sinks one is the least number that says so. */
static struct sink_need need(const struct sink_task *task, int lanes)
{
    return (struct sink_need){.host = extent_need(task->n, task->m, task->certificate.edges, lanes),
                              .rows = 1,
                              .no_rows = true};
}

static unsigned counts(const struct sink_task *task)
{
    (void)task;
    return APSP_STATS_OUT;
}

static int open_extent(struct sink *sink, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    const struct extent_plan plan = {.certificate = task->certificate,
                                     .each = task->results->each || is_table(task->results),
                                     .alone = task->results->alone};
    struct extent *extent = NULL;
    if (task->sources)
        return error_set(error, APSP_USAGE, "%s is of all vertices: without %s", SETTING(DIAMETER),
                         SETTING(SOURCES));
    if (task->results->alone && is_table(task->results))
        return error_set(error, APSP_USAGE, "%s: %s has all eccentricities; use a file .json",
                         SETTING(DIAMETER_ALONE), path(task->results));
    extent_new(&extent, &plan, error);
    sink->state = extent;
    return error->code;
}

static const size_t *wants(const struct sink *sink, size_t *count)
{
    return extent_wants(sink->state, count);
}

static int maker(struct sink *sink, const size_t *list, size_t count, struct rows_maker *maker,
                 struct apsp_error *error)
{
    (void)list;
    (void)count;
    extent_maker(sink->state, sink->task->comm, maker);
    return error->code;
}

static int take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    return extent_take(sink->state, lane, block, error);
}

/* Whether that is its eccentricity. */
static bool has(const struct extent *extent, size_t v, union value extreme)
{
    union value value;
    return extent_is_known(extent, v, &value) && value.whole == extreme.whole;
}

static void print_those(FILE *out, const struct sink *sink, const char *name, union value extreme)
{
    const struct extent *extent = sink->state;
    const char *between = "";
    fprintf(out, ",\n\t\"%s\":\t[", name);
    for (size_t v = 0; v < sink->task->n; v++) {
        if (!has(extent, v, extreme))
            continue;
        fputs(between, out);
        label_print_json(out, sink->task->certificate.labels, v);
        between = ", ";
    }
    fputc(']', out);
}

static bool is_real(const struct sink_task *task)
{
    return task->certificate.edges->real || scale_factor(task->scale) != 1;
}

/* In the unit of the weights. */
static struct apsp_value value_of(const struct sink_task *task, union value value)
{
    if (task->certificate.edges->real)
        return (struct apsp_value){0, value.real};
    return (struct apsp_value){is_real(task) ? 0 : value.whole,
                               scale_value(task->scale, value.whole)};
}

static void print_value(FILE *out, const struct sink *sink, const char *name, union value value)
{
    const struct apsp_value own = value_of(sink->task, value);
    fprintf(out, ",\n\t\"%s\":\t", name);
    if (is_real(sink->task))
        fprintf(out, "%.17g", own.real);
    else
        fprintf(out, "%lld", (long long)own.whole);
}

static void print_json(FILE *out, const void *self)
{
    const struct sink *sink = self;
    const struct extent *extent = sink->state;
    fprintf(out, "{\n\t\"vertices\":\t%zu,\n\t\"connected\":\t%s,\n\t\"searches\":\t%zu",
            sink->task->n, extent_is_connected(extent) ? "true" : "false", extent_searches(extent));
    print_value(out, sink, "diameter", extent_diameter(extent));
    if (!sink->task->results->alone) {
        print_value(out, sink, "radius", extent_radius(extent));
        print_those(out, sink, "centre", extent_radius(extent));
        print_those(out, sink, "periphery", extent_diameter(extent));
    }
    fputs("\n}\n", out);
}

static char *put_line(char *out, const void *self, size_t v)
{
    const struct sink *sink = self;
    union value value;
    extent_is_known(sink->state, v, &value);
    const struct apsp_value own = value_of(sink->task, value);
    out = label_put_csv(out, sink->task->certificate.labels, v);
    *out++ = ',';
    out = is_real(sink->task) ? digits_shortest(out, own.real) : digits_whole(out, own.whole);
    *out++ = '\n';
    return out;
}

static int write_file(const struct sink *sink, struct apsp_error *error)
{
    const struct output_lines lines = {.head = "vertex,eccentricity\n",
                                       .count = sink->task->n,
                                       .most = label_csv_most(sink->task->certificate.labels) +
                                               DIGITS_ROOM + 2,
                                       .put = put_line,
                                       .self = sink,
                                       .threads = sink->task->threads};
    return is_table(sink->task->results) ? output_lines(sink->staged, &lines, error)
                                         : output_text(sink->staged, print_json, sink, error);
}

static int merge(struct sink *sink, struct apsp_error *error)
{
    struct extent *extent = sink->state;
    extent_merge(extent, sink->task->comm);
    sink->rows = extent_searches(extent);
    sink->amount = (double)sink->rows;
    sink->unit = "searches/s";
    return !extent_again(extent) && sink->task->comm->rank == 0 && path(sink->task->results)
               ? write_file(sink, error)
               : error->code;
}

static bool again(const struct sink *sink)
{
    return extent_again(sink->state);
}

/* The vertices whose eccentricity that is; NULL without memory. */
static uint32_t *list_those(const struct extent *extent, size_t n, union value extreme,
                            size_t *count)
{
    *count = 0;
    for (size_t v = 0; v < n; v++)
        *count += has(extent, v, extreme);
    uint32_t *list = malloc(mem_bytes(*count + 1, sizeof *list));
    for (size_t v = 0, k = 0; list && v < n; v++)
        if (has(extent, v, extreme))
            list[k++] = (uint32_t)v;
    return list;
}

int sink_diameter_result(const struct sink *sink, struct apsp_extent *told,
                         struct apsp_error *error)
{
    const struct extent *extent = sink->state;
    const struct sink_task *task = sink->task;
    const union value diameter = extent_diameter(extent), radius = extent_radius(extent);
    *told = (struct apsp_extent){.vertices = task->n,
                                 .searches = extent_searches(extent),
                                 .real = is_real(task),
                                 .connected = extent_is_connected(extent),
                                 .diameter = value_of(task, diameter),
                                 .radius = value_of(task, radius)};
    told->central = list_those(extent, task->n, radius, &told->centrals);
    told->peripheral = list_those(extent, task->n, diameter, &told->peripherals);
    if (!told->central || !told->peripheral)
        return error_set(error, APSP_MEMORY, "no memory for the centre on %s", task->comm->host);
    return APSP_OK;
}

void sink_diameter_each(const struct sink *sink, bool real, void *values)
{
    const struct extent *extent = sink->state;
    for (size_t v = 0; v < sink->task->n; v++) {
        union value value;
        extent_is_known(extent, v, &value);
        const struct apsp_value own = value_of(sink->task, value);
        if (real)
            ((double *)values)[v] = own.real;
        else
            ((int64_t *)values)[v] = own.whole;
    }
}

static void close_extent(struct sink *sink)
{
    extent_free(sink->state);
}

const struct sink_ops sink_diameter = {
    .name = "diameter",
    .wants_edges = true,
    .works = true,
    .path = path,
    .setting = SETTING_DIAMETER,
    .suffixes = ".json .csv .txt",
    .stages = true,
    .counts = counts,
    .need = need,
    .open = open_extent,
    .wants = wants,
    .maker = maker,
    .take = take,
    .merge = merge,
    .again = again,
    .close = close_extent,
};
