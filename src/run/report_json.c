/* The report as JSON. */
#include "run/report.h"

#include "rows/sums.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* Adds members to an object; remembers that one could not be added. */
struct writer {
    cJSON *object;
    bool failed;
};

static void add_number(struct writer *writer, const char *name, double value)
{
    writer->failed |= !cJSON_AddNumberToObject(writer->object, name, value);
}

/* As its own digits: cJSON prints numbers with 15. */
static void add_count(struct writer *writer, const char *name, size_t value)
{
    char text[TEXT_NUMBER];
    snprintf(text, sizeof text, "%zu", value);
    writer->failed |= !cJSON_AddRawToObject(writer->object, name, text);
}

static void add_text(struct writer *writer, const char *name, const char *text)
{
    writer->failed |= !cJSON_AddStringToObject(writer->object, name, text);
}

/* What comes from outside, and may be no UTF-8. */
static void add_foreign(struct writer *writer, const char *name, const char *text)
{
    char *valid = text_make_valid(text);
    if (valid)
        add_text(writer, name, valid);
    writer->failed |= !valid;
    free(valid);
}

static struct writer add_object(struct writer *writer, const char *name)
{
    struct writer inner = {cJSON_AddObjectToObject(writer->object, name), false};
    writer->failed |= !inner.object;
    return inner;
}

static struct writer add_array(struct writer *writer, const char *name)
{
    struct writer inner = {cJSON_AddArrayToObject(writer->object, name), false};
    writer->failed |= !inner.object;
    return inner;
}

/* What comes from outside, as the next of an array. */
static void add_item(struct writer *array, const char *text)
{
    char *valid = text_make_valid(text);
    cJSON *item = valid ? cJSON_CreateString(valid) : NULL;
    if (!item || !cJSON_AddItemToArray(array->object, item)) {
        cJSON_Delete(item);
        array->failed = true;
    }
    free(valid);
}

/* null: the file could not be read, or was no longer the same. */
static void add_hash(struct writer *writer, const struct trace_file *file)
{
    char text[HASH_TEXT];
    if (file->hashed)
        add_text(writer, "hash", hash_text(&file->hash, text));
    else
        writer->failed |= !cJSON_AddNullToObject(writer->object, "hash");
}

static void add_files(struct writer *whole, const struct trace *trace)
{
    struct writer array = add_array(whole, "files");
    for (int i = 0; i < trace->files; i++) {
        struct writer file = {cJSON_CreateObject(), false};
        if (!file.object || !cJSON_AddItemToArray(array.object, file.object)) {
            cJSON_Delete(file.object);
            array.failed = true;
            break;
        }
        add_text(&file, "what", trace->made[i].what);
        add_foreign(&file, "path", trace->made[i].path);
        add_count(&file, "bytes", trace->made[i].bytes);
        add_hash(&file, &trace->made[i]);
        array.failed |= file.failed;
    }
    whole->failed |= array.failed;
}

static void add_command(struct writer *whole, const struct trace *trace)
{
    struct writer array = add_array(whole, "command");
    for (size_t at = 0; trace->command && at < trace->command_bytes;
         at += strlen(trace->command + at) + 1)
        add_item(&array, trace->command + at);
    whole->failed |= array.failed;
}

static void add_time(struct writer *writer, const char *name, time_t time)
{
    char text[sizeof "2000-01-01T00:00:00Z"] = "";
    struct tm parts;
    if (gmtime_r(&time, &parts))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    add_text(writer, name, text);
}

static void add_versions(struct writer *whole, const struct trace *trace)
{
    struct writer versions = add_object(whole, "versions");
    struct utsname system;
    char text[TEXT_LINE];
    if (uname(&system) == 0) {
        snprintf(text, sizeof text, "%.60s %.120s", system.sysname, system.release);
        add_foreign(&versions, "system", text);
    }
    add_text(&versions, "compiler", __VERSION__);
    if (*trace->library)
        add_foreign(&versions, "mpi", trace->library);
    add_text(&versions, "cjson", cJSON_Version());
    add_text(&versions, "xxhash", hash_version());
    whole->failed |= versions.failed;
}

/* What is known of any run. */
static void add_trace(struct writer *whole, const struct trace *trace)
{
    char *line;
    add_text(whole, "status",
             trace->status == 0              ? "done"
             : trace->status == APSP_STOPPED ? "stopped"
                                             : "failed");
    add_count(whole, "exit", (size_t)trace->status);
    if (trace->status != 0) {
        line = asprintf(&line, "%s%s", trace->error, trace->detail) < 0 ? NULL : line;
        add_foreign(whole, "error", line ? line : trace->error);
        free(line);
    }
    add_time(whole, "begun", trace->begun);
    add_time(whole, "ended", time(NULL));
    add_foreign(whole, "host", trace->host);
    add_command(whole, trace);
    add_versions(whole, trace);
}

static void add_lines(struct writer *whole, const char *name, const char *lines)
{
    struct writer array = add_array(whole, name);
    char line[REPORT_LINE];
    while (text_take_line(&lines, line, sizeof line))
        add_item(&array, line);
    whole->failed |= array.failed;
}

static void add_graph(struct writer *whole, const struct report *report)
{
    struct writer graph = add_object(whole, "graph");
    add_foreign(&graph, "path", report->graph);
    add_hash(&graph, &report->trace.graph);
    if (report->about)
        add_foreign(&graph, "read_as", report->about);
    if (report->notes && *report->notes)
        add_lines(&graph, "notes", report->notes);
    if (report->trace.status == 0) {
        add_count(&graph, "vertices", report->vertices);
        add_count(&graph, "edges", report->edges);
        add_count(&graph, "parallel", report->parallel);
        add_count(&graph, "loops", report->loops);
    }
    whole->failed |= graph.failed;
}

static void add_phase(struct writer *writer, const struct report_phase *phase)
{
    add_number(writer, phase->name, phase->seconds);
}

static void add_seconds(struct writer *whole, const struct report *report)
{
    const struct engine_report *engine = &report->engine;
    struct writer object = add_object(whole, "seconds");
    double inside = 0;
    add_phase(&object, &report->read);
    add_phase(&object, &report->build);
    add_phase(&object, &report->solve);
    if (report->rows.name)
        add_phase(&object, &report->rows);
    if (report->summed)
        add_phase(&object, &report->sums);
    for (int i = 0; i < report->sinks; i++)
        add_phase(&object, &report->sink[i]);
    add_number(&object, "communication_exposed", engine->exposed);
    add_number(&object, "total", report->total);
    for (int i = 0; i < engine->phases; i++)
        inside += engine->phase[i].seconds;
    for (int i = 0; i < engine->phases && inside > 0; i++)
        add_number(&object, engine->phase[i].name, engine->phase[i].seconds);
    whole->failed |= object.failed;
}

static void add_checkpoint(struct writer *whole, const struct checkpoint_figures *figures)
{
    struct writer object = figures->folder ? add_object(whole, "checkpoint") : (struct writer){0};
    if (!figures->folder)
        return;
    add_foreign(&object, "folder", figures->folder);
    add_count(&object, "resumed", figures->resumed);
    add_count(&object, "taken", figures->taken);
    add_count(&object, "bytes", (size_t)figures->bytes);
    add_number(&object, "seconds", figures->seconds);
    whole->failed |= object.failed;
}

static void add_facts(struct writer *whole, const struct engine_report *engine)
{
    for (int i = 0; i < engine->facts; i++) {
        if (engine->fact[i].text)
            add_text(whole, engine->fact[i].name, engine->fact[i].text);
        else
            add_count(whole, engine->fact[i].name, engine->fact[i].number);
    }
}

static void add_verify(struct writer *whole, const struct report *report)
{
    struct writer verify = add_object(whole, "verify");
    add_count(&verify, "rows", report->verified);
    add_text(&verify, "status", report->verified == 0 ? "not run" : "passed");
    if (report->verified > 0) {
        add_text(&verify, "of", report->read_back ? "file" : "rows");
        add_count(&verify, "seed", report->seed);
    }
    whole->failed |= verify.failed;
}

/* What a run knows when it is over. */
static void add_result(struct writer *whole, const struct report *report)
{
    static const char *const form[] = {
        [BLOCK_NONE] = "none", [BLOCK_HALVES] = "halves", [BLOCK_COUNTS] = "counts",
        [BLOCK_NEAR] = "near", [BLOCK_BESIDE] = "beside", [BLOCK_WHOLE] = "whole"};
    const struct report_phase *solve = &report->solve;
    char rate[TEXT_SHORT];
    add_text(whole, "dtype", dtype_info[report->dtype].name);
    if (!report_is_bounded(report))
        whole->failed |= !cJSON_AddNullToObject(whole->object, "bound");
    else
        report->real ? add_number(whole, "bound", report->bound.real)
                     : add_count(whole, "bound", (size_t)report->bound.whole);
    if (report->scaled)
        add_number(whole, "scale", scale_factor(report->scale));
    add_text(whole, "paths", algebra_name(report->algebra));
    add_text(whole, "sums", sums_name(report->exact, report->summed));
    add_text(whole, "method", report->method);
    add_facts(whole, &report->engine);
    add_text(whole, "rows", form[report->form]);
    add_count(whole, "ranks", (size_t)report->ranks);
    add_count(whole, "nodes", (size_t)report->nodes);
    add_count(whole, "threads", (size_t)report->threads);
    add_lines(whole, "places", report->places);
    add_text(whole, "device", report->device);
    add_foreign(whole, "processor", report->engine.device);
    add_seconds(whole, report);
    snprintf(rate, sizeof rate, "%.*s_per_second", (int)strcspn(solve->unit, "/"), solve->unit);
    add_number(whole, rate, solve->seconds > 0 ? solve->amount / solve->seconds : 0);
    add_verify(whole, report);
}

char *report_json(const struct report *report)
{
    struct writer whole = {cJSON_CreateObject(), false};
    add_count(&whole, "schema", REPORT_SCHEMA);
    add_text(&whole, "version", APSP_VERSION);
    add_trace(&whole, &report->trace);
    add_graph(&whole, report);
    add_files(&whole, &report->trace);
    add_checkpoint(&whole, &report->checkpoint);
    if (report->trace.status == 0)
        add_result(&whole, report);
    char *bare = whole.failed ? NULL : cJSON_Print(whole.object), *text = NULL;
    if (bare && asprintf(&text, "%s\n", bare) < 0)
        text = NULL;
    cJSON_free(bare);
    cJSON_Delete(whole.object);
    return text;
}
