/* The output of --estimate: what a run would take and whether it fits, as text and as JSON. */
#include "base/mem.h"
#include "base/standard.h"
#include "rows/output.h"
#include "run/files.h"
#include "solve/estimate.h"

#include <cjson/cJSON.h>
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Files that go to one file system. */
struct disk {
    char folder[TEXT_LINE];
    dev_t device;
    size_t bytes, certain; /* so many at most, and at least */
    size_t left;           /* SIZE_MAX: unknown */
};

struct forecast {
    struct estimate estimate; /* the most of any rank and node, and the least limit */
    struct disk disk[SINKS_MAX + 1];
    int disks;
    double seconds, rate; /* of solving; units a second of the slowest rank */
    size_t rows;          /* that engines make, of all ranks */
    bool memory, space;   /* there is enough of it */
    bool unsure;          /* files may need more than there is */
};

/* The folder that holds the bytes of an output until they are complete; as staged.h has it. */
static void find_folder(const char *path, char folder[TEXT_LINE])
{
    struct apsp_error ignored = {0};
    enum target_kind kind;
    const char *other = getenv("TMPDIR");
    if (target_find(&kind, path, &ignored) == APSP_OK && kind != TARGET_FILE) {
        snprintf(folder, TEXT_LINE, "%s", other && *other ? other : "/tmp");
        return;
    }
    char *file = target_follow(path);
    snprintf(folder, TEXT_LINE, "%s", file ? dirname(file) : ".");
    free(file);
}

static void add_file(struct forecast *forecast, const char *path, const struct sink_need *need)
{
    struct disk own = {.bytes = need->disk,
                       .certain = need->disk_most ? 0 : need->disk,
                       .left = SIZE_MAX},
                *disk = forecast->disk;
    struct stat status;
    struct statvfs system;
    find_folder(path, own.folder);
    if (stat(own.folder, &status) == 0 && statvfs(own.folder, &system) == 0) {
        own.device = status.st_dev;
        own.left = mem_bytes(system.f_bavail, system.f_frsize);
    }
    while (disk < forecast->disk + forecast->disks && disk->device != own.device)
        disk++;
    if (disk == forecast->disk + forecast->disks) {
        *disk = own;
        forecast->disks++;
    } else {
        mem_add(&disk->bytes, disk->bytes, own.bytes);
        mem_add(&disk->certain, disk->certain, own.certain);
    }
}

/* The two files of the dense engine's checkpoints, in a folder that may not be there yet. */
static void add_checkpoints(const struct run *run, struct forecast *forecast)
{
    const char *folder = run->options.checkpoint.folder;
    const struct sink_need need = {.disk = run_checkpoint_bytes(run)};
    char *inside = NULL;
    if (need.disk == 0)
        return;
    if (access(folder, F_OK) == 0 && asprintf(&inside, "%s/checkpoint.1", folder) < 0)
        inside = NULL;
    add_file(forecast, inside ? inside : folder, &need);
    free(inside);
}

/* On rank 0, which makes the files. What takes so much at most may fit. */
static void look_at_disks(const struct run *run, struct forecast *forecast)
{
    forecast->space = true;
    for (int i = 0; i < run->solver->sinks.count && run->solver->comm->rank == 0; i++) {
        const struct sink *sink = &run->solver->sinks.at[i];
        const char *path = sink->ops->path ? sink->ops->path(&run->options.results) : NULL;
        const struct sink_need need = sink->ops->need
                                          ? sink->ops->need(sink->task, estimate_lanes(run->solver))
                                          : (struct sink_need){0};
        if (path && need.disk > 0)
            add_file(forecast, path, &need);
    }
    if (run->solver->comm->rank == 0)
        add_checkpoints(run, forecast);
    for (int i = 0; i < forecast->disks; i++) {
        forecast->space &= forecast->disk[i].certain <= forecast->disk[i].left;
        forecast->unsure |= forecast->disk[i].bytes > forecast->disk[i].left;
    }
}

static void make_forecast(struct run *run, struct forecast *forecast)
{
    struct estimate *e = &forecast->estimate;
    *e = estimate_make(run->solver);
    forecast->memory = comm_sum(run->solver->comm, e->node_host > e->node_limit) == 0;
    e->rank_host = comm_most(run->solver->comm, e->rank_host);
    e->rank_device = comm_most(run->solver->comm, e->rank_device);
    e->node_host = comm_most(run->solver->comm, e->node_host);
    e->node_limit =
        SIZE_MAX - comm_most(run->solver->comm, SIZE_MAX - e->node_limit); /* the least */
    const struct engine_plan *plan = &run->solver->plan;
    forecast->rows = run->solver->task.no_rows ? 0 : comm_sum(run->solver->comm, plan->rows);
    forecast->rate = comm_min(run->solver->comm, plan->work > 0 ? plan->rate : plan->row_rate);
    forecast->seconds =
        engine_seconds(&run->solver->plan, &run->solver->task) + run->solver->plan.spent;
    look_at_disks(run, forecast);
}

static void print_head(const struct run *run, FILE *out)
{
    const struct comm *comm = run->solver->comm;
    char vertices[TEXT_NUMBER], edges[TEXT_NUMBER];
    fprintf(
        out,
        "# apsp %s estimate: %s vertices, %s edges, %d %s rank%s on %d node%s, %s, %s, type %s\n",
        APSP_VERSION, text_count(vertices, run->solver->problem.graph.n),
        text_count(edges, run->solver->problem.graph.m), comm->ranks, run->solver->device.ops->name,
        comm->ranks == 1 ? "" : "s", comm->nodes, comm->nodes == 1 ? "" : "s",
        run->solver->engine->ops->name, run->solver->plan.text,
        dtype_info[run->solver->task.dtype].name);
}

static void print_memory(const struct estimate *e, FILE *out)
{
    char bytes[TEXT_NUMBER], limit[TEXT_NUMBER];
    fprintf(out, "%-28s %12s\n", "memory of a rank, at most", text_bytes(bytes, e->rank_host));
    fprintf(out, "%-28s %12s of %s\n", "memory of a node, at most", text_bytes(bytes, e->node_host),
            text_bytes(limit, e->node_limit));
    if (e->rank_device > 0)
        fprintf(out, "%-28s %12s\n", "memory of a GPU, at most", text_bytes(bytes, e->rank_device));
}

static void print_disks(const struct forecast *forecast, FILE *out)
{
    char bytes[TEXT_NUMBER], left[TEXT_NUMBER];
    for (int i = 0; i < forecast->disks; i++) {
        const struct disk *disk = &forecast->disk[i];
        fprintf(out, "%-28s %12s",
                disk->certain < disk->bytes ? "output files, at most" : "output files",
                text_bytes(bytes, disk->bytes));
        if (disk->left < SIZE_MAX)
            fprintf(out, " of %s free", text_bytes(left, disk->left));
        fputs(" in ", out);
        text_print_clean(out, disk->folder);
        fputc('\n', out);
    }
}

static void print_methods(const struct methods *methods, FILE *out)
{
    char name[TEXT_SHORT], seconds[TEXT_NUMBER], bytes[TEXT_NUMBER];
    for (int i = 0; i < methods->notes; i++) {
        const struct method_note *note = &methods->note[i];
        snprintf(name, sizeof name, "method %s%s", note->name,
                 *note->why    ? ""
                 : note->least ? ", at least"
                               : ", about");
        if (*note->why)
            fprintf(out, "%-28s %12s %s\n", name, "cannot:", note->why);
        else
            fprintf(out, "%-28s %12s, %s a node%s%s\n", name, text_seconds(seconds, note->seconds),
                    text_bytes(bytes, note->node), note->fits ? "" : ", too much",
                    note->taken ? ", taken" : "");
    }
}

static void print_visits(const struct run *run, FILE *out)
{
    char name[TEXT_SHORT];
    for (int i = 0; i < run->solver->sinks.count; i++) {
        const struct sink *sink = &run->solver->sinks.at[i];
        double visits = sink->ops->need
                            ? sink->ops->need(sink->task, estimate_lanes(run->solver)).visits /
                                  run->solver->comm->ranks
                            : 0;
        snprintf(name, sizeof name, "%s, about", sink->ops->name);
        if (visits > 0)
            fprintf(
                out,
                "%-28s %12.3g visits of vertices and edges by a rank, in %d threads on the CPU\n",
                name, visits, estimate_lanes(run->solver));
    }
}

static void print_forecast(const struct run *run, const struct forecast *forecast, FILE *out)
{
    char seconds[TEXT_NUMBER], rate[TEXT_SHORT], bytes[TEXT_NUMBER];
    print_head(run, out);
    print_memory(&forecast->estimate, out);
    print_disks(forecast, out);
    if (run_checkpoint_bytes(run) > 0)
        fprintf(out, "%-28s %12s in two files, among the files above\n", "checkpoints",
                text_bytes(bytes, run_checkpoint_bytes(run)));
    fprintf(out, "%-28s %12s at %s a rank, without communication\n", "solve, about",
            text_seconds(seconds, forecast->seconds),
            text_amount(rate, forecast->rate, run->solver->engine->ops->unit));
    if (run->solver->task.no_rows)
        fprintf(out, "%-28s %12s\n", "rows", "none");
    print_methods(&run->solver->methods, out);
    print_visits(run, out);
    fprintf(out, "%-28s %12s\n", "verdict",
            !forecast->memory || !forecast->space ? "does not fit"
            : forecast->unsure                    ? "fits, unless the files grow too large"
                                                  : "fits");
}

/* Infinity is no number of JSON. */
static bool add_seconds(cJSON *object, double seconds)
{
    return isfinite(seconds) ? cJSON_AddNumberToObject(object, "seconds", seconds) != NULL
                             : cJSON_AddNullToObject(object, "seconds") != NULL;
}

static bool add_text(cJSON *object, const char *name, const char *text)
{
    char *valid = text_make_valid(text);
    bool added = valid && cJSON_AddStringToObject(object, name, valid);
    free(valid);
    return added;
}

/* The next object of an array; NULL without memory. */
static cJSON *add_item(cJSON *array)
{
    cJSON *item = cJSON_CreateObject();
    if (item && !cJSON_AddItemToArray(array, item)) {
        cJSON_Delete(item);
        item = NULL;
    }
    return item;
}

static bool add_disks(cJSON *whole, const struct forecast *forecast)
{
    cJSON *array = cJSON_AddArrayToObject(whole, "files");
    bool added = array != NULL;
    for (int i = 0; i < forecast->disks && added; i++) {
        const struct disk *disk = &forecast->disk[i];
        cJSON *item = add_item(array);
        added = item && add_text(item, "folder", disk->folder) &&
                cJSON_AddNumberToObject(item, "bytes", (double)disk->bytes) &&
                cJSON_AddBoolToObject(item, "at_most", disk->certain < disk->bytes) &&
                (disk->left < SIZE_MAX ? cJSON_AddNumberToObject(item, "free", (double)disk->left)
                                       : cJSON_AddNullToObject(item, "free"));
    }
    return added;
}

static bool add_methods(cJSON *whole, const struct methods *methods)
{
    cJSON *array = cJSON_AddArrayToObject(whole, "methods");
    bool added = array != NULL;
    for (int i = 0; i < methods->notes && added; i++) {
        const struct method_note *note = &methods->note[i];
        cJSON *item = add_item(array);
        added = item && add_text(item, "name", note->name) &&
                cJSON_AddBoolToObject(item, "taken", note->taken);
        if (*note->why)
            added = added && add_text(item, "error", note->why);
        else
            added = added && add_seconds(item, note->seconds) &&
                    cJSON_AddBoolToObject(item, "at_least", note->least) &&
                    cJSON_AddNumberToObject(item, "node", (double)note->node) &&
                    cJSON_AddBoolToObject(item, "fits", note->fits);
    }
    return added;
}

static bool add_memory(cJSON *whole, const struct estimate *e)
{
    cJSON *memory = cJSON_AddObjectToObject(whole, "memory");
    return memory && cJSON_AddNumberToObject(memory, "rank", (double)e->rank_host) &&
           cJSON_AddNumberToObject(memory, "node", (double)e->node_host) &&
           cJSON_AddNumberToObject(memory, "node_limit", (double)e->node_limit) &&
           cJSON_AddNumberToObject(memory, "gpu", (double)e->rank_device);
}

/* The text; cJSON_free() it. NULL without memory. */
static char *json_of(const struct run *run, const struct forecast *forecast)
{
    cJSON *whole = cJSON_CreateObject();
    bool made = whole && cJSON_AddNumberToObject(whole, "schema", REPORT_SCHEMA) &&
                add_text(whole, "version", APSP_VERSION) && add_text(whole, "status", "estimate") &&
                add_text(whole, "graph", run->solver->problem.graph.path) &&
                cJSON_AddNumberToObject(whole, "vertices", (double)run->solver->problem.graph.n) &&
                cJSON_AddNumberToObject(whole, "edges", (double)run->solver->problem.graph.m) &&
                cJSON_AddNumberToObject(whole, "ranks", run->solver->comm->ranks) &&
                add_text(whole, "device", run->solver->device.ops->name) &&
                add_text(whole, "dtype", dtype_info[run->solver->task.dtype].name) &&
                add_text(whole, "method", run->solver->engine->ops->name) &&
                add_memory(whole, &forecast->estimate) && add_disks(whole, forecast) &&
                add_seconds(whole, forecast->seconds) &&
                cJSON_AddNumberToObject(whole, "rows", (double)forecast->rows) &&
                add_methods(whole, &run->solver->methods) &&
                cJSON_AddBoolToObject(whole, "fits", forecast->memory && forecast->space);
    char *text = made ? cJSON_Print(whole) : NULL;
    cJSON_Delete(whole);
    return text;
}

static void print_json(FILE *out, const void *text)
{
    fprintf(out, "%s\n", (const char *)text);
}

static int write_json(struct run *run, const struct forecast *forecast)
{
    struct staged *staged = &run->file[RUN_REPORT];
    char *text = json_of(run, forecast);
    if (!text)
        error_set(&run->solver->error, APSP_MEMORY, "no memory for the estimate as JSON");
    else if (staged_create(staged, run_path(run, RUN_REPORT), run->options.results.force,
                           &run->solver->error) == APSP_OK)
        output_text(staged, print_json, text, &run->solver->error);
    cJSON_free(text);
    if (run->solver->error.code)
        return run->solver->error.code;
    staged_complete(staged);
    return staged_publish(staged, STAGED_TARGET, &run->solver->error);
}

/* On rank 0: the first of what is too small. */
static int refuse(struct run *run, const struct forecast *forecast)
{
    char bytes[TEXT_NUMBER], limit[TEXT_NUMBER];
    const struct disk *disk = forecast->disk;
    if (!forecast->memory)
        return error_set(&run->solver->error, APSP_MEMORY,
                         "%s: does not fit: %s of memory on a node, which may use %s",
                         run->solver->problem.graph.path,
                         text_bytes(bytes, forecast->estimate.node_host),
                         text_bytes(limit, forecast->estimate.node_limit));
    while (disk->certain <= disk->left)
        disk++;
    return error_set(&run->solver->error, APSP_MEMORY,
                     "%s: does not fit: %s of files, and %s are free in %s",
                     run->solver->problem.graph.path, text_bytes(bytes, disk->certain),
                     text_bytes(limit, disk->left), disk->folder);
}

int run_estimate(struct run *run)
{
    struct forecast forecast = {.disks = 0};
    const char *json = run_path(run, RUN_REPORT);
    make_forecast(run, &forecast);
    if (run->solver->comm->rank == 0) {
        print_forecast(run, &forecast, json && staged_is_stdout(json) ? stderr : stdout);
        standard_flush(&run->solver->error);
        if (json && !run->solver->error.code)
            write_json(run, &forecast);
        if (!run->solver->error.code && !(forecast.memory && forecast.space))
            refuse(run, &forecast);
    }
    return comm_agree(run->solver->comm, &run->solver->error);
}
