#include "cli/against.h"

#include "base/hash.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT_MAX = 16 << 20 };

#define differ(error, ...) error_set(error, (enum apsp_status)AGAINST_DIFFERS, __VA_ARGS__)

/* Of an object; "" if it has no such text. */
static const char *text_of(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

/* The caller deletes it; NULL with an error. */
static cJSON *read_report(const char *path, struct apsp_error *error)
{
    struct file file;
    char *text = NULL;
    cJSON *report = NULL;
    if (file_open(&file, path, "the report", error) == APSP_OK && file.bytes > REPORT_MAX)
        error_set(error, APSP_INPUT, "%s: is no report: it has %zu bytes", path, file.bytes);
    if (!error->code && !(text = malloc(file.bytes + 1)))
        error_set(error, APSP_MEMORY, "%s: no memory to read it", path);
    if (!error->code && file_read(&file, 0, text, file.bytes, error) == APSP_OK)
        report = cJSON_ParseWithLength(text, file.bytes);
    if (!error->code && (!report || !*text_of(report, "status")))
        error_set(error, APSP_INPUT, "%s: is no report that apsp --json has written", path);
    free(text);
    file_close(&file);
    return report;
}

static int hash_path(struct hash *hash, const char *path, const char *what, int threads,
                     struct apsp_error *error)
{
    struct file file;
    if (file_open(&file, path, what, error) == APSP_OK)
        hash_file(hash, &file, threads, error);
    file_close(&file);
    return error->code;
}

static int check_graph(const cJSON *report, const struct against *against, struct apsp_error *error)
{
    struct hash hash;
    char text[HASH_TEXT];
    const char *there = text_of(cJSON_GetObjectItemCaseSensitive(report, "graph"), "hash");
    if (hash_path(&hash, against->graph, "the graph", against->threads, error) ||
        strcmp(there, hash_text(&hash, text)) == 0)
        return error->code;
    return differ(error, "%s: is not the graph of %s: its hash is %s, and that of the report %.40s",
                  against->graph, against->report, text, *there ? there : "is missing");
}

static int check_distances(const cJSON *report, const struct against *against, struct apsp_error *error)
{
    struct hash hash;
    char text[HASH_TEXT];
    const cJSON *file;
    if (hash_path(&hash, against->distances, "the distances", against->threads, error))
        return error->code;
    hash_text(&hash, text);
    cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(report, "files"))
    {
        if (strcmp(text_of(file, "hash"), text) == 0)
            return APSP_OK;
    }
    return differ(error, "%s: is none of the files of %s: its hash is %s", against->distances,
                  against->report, text);
}

int against_check(const struct against *against, struct apsp_error *error)
{
    cJSON *report = read_report(against->report, error);
    if (!error->code && strcmp(text_of(report, "status"), "done") != 0)
        differ(error, "%s: tells of a run that failed: %s", against->report, text_of(report, "error"));
    if (!error->code && check_graph(report, against, error) == APSP_OK)
        check_distances(report, against, error);
    cJSON_Delete(report);
    return error->code;
}
