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

/* The text and nothing behind it; it has room for the 0 that ends it. */
static cJSON *parse(char *text, size_t bytes)
{
    text[bytes] = '\0';
    return strlen(text) == bytes ? cJSON_ParseWithOpts(text, NULL, true) : NULL;
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
        report = parse(text, file.bytes);
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

/* Of the report's files the one with that text; NULL if there is none. */
static const cJSON *find_file(const cJSON *report, const char *name, const char *value)
{
    const cJSON *file;
    cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(report, "files"))
    {
        if (strcmp(text_of(file, name), value) == 0)
            return file;
    }
    return NULL;
}

/* What numbers in the distances are to be divided by, where the run has written that. */
static int check_scale(const cJSON *report, const struct against *against, struct apsp_error *error)
{
    struct hash hash;
    char text[HASH_TEXT], *path = NULL;
    const cJSON *scale = find_file(report, "what", "scale");
    if (!scale)
        return APSP_OK;
    if (asprintf(&path, "%s.scale", against->distances) < 0)
        return error_set(error, APSP_MEMORY, "no memory for the name of a file");
    if (hash_path(&hash, path, "the scale", against->threads, error) == APSP_OK &&
        strcmp(text_of(scale, "hash"), hash_text(&hash, text)) != 0)
        differ(error, "%s: is not the scale of %s: its hash is %s", path, against->report, text);
    free(path);
    return error->code;
}

static int check_distances(const cJSON *report, const struct against *against,
                           struct apsp_error *error)
{
    struct hash hash;
    char text[HASH_TEXT];
    if (hash_path(&hash, against->distances, "the distances", against->threads, error))
        return error->code;
    const cJSON *right = find_file(report, "what", "distances"),
                *same = find_file(report, "hash", hash_text(&hash, text));
    if (right && strcmp(text_of(right, "hash"), text) == 0)
        return check_scale(report, against, error);
    if (same)
        return differ(error, "%s: is of the files of %s that of the %.40s, not of the distances",
                      against->distances, against->report, text_of(same, "what"));
    return differ(error, "%s: is none of the files of %s: its hash is %s", against->distances,
                  against->report, text);
}

static void print_word(FILE *out, const char *word)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./,:=+@%";
    const bool quotes = !*word || word[strspn(word, plain)];
    fputs(quotes ? "'" : "", out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, out);
    fputs(quotes ? "'" : "", out);
}

/* How the files were made, which their bytes do not tell. */
static int take_command(const cJSON *report, struct against *against, struct apsp_error *error)
{
    const cJSON *words = cJSON_GetObjectItemCaseSensitive(report, "command"), *word;
    size_t bytes;
    FILE *out = open_memstream(&against->command, &bytes);
    if (!out)
        return error_set(error, APSP_MEMORY, "no memory for a command");
    cJSON_ArrayForEach(word, words)
    {
        fputs(word == words->child ? "" : " ", out);
        print_word(out, cJSON_IsString(word) ? word->valuestring : "");
    }
    if (fclose(out) != 0)
        error_set(error, APSP_MEMORY, "no memory for a command");
    return error->code;
}

int against_check(struct against *against, struct apsp_error *error)
{
    cJSON *report = read_report(against->report, error);
    const cJSON *code = error->code ? NULL : cJSON_GetObjectItemCaseSensitive(report, "exit");
    if (!error->code && strcmp(text_of(report, "status"), "done") != 0)
        differ(error, "%s: tells of a run that failed: %s", against->report,
               text_of(report, "error"));
    else if (code && code->valuedouble != 0)
        differ(error, "%s: tells of a run that ended with exit code %g", against->report,
               code->valuedouble);
    if (!error->code && check_graph(report, against, error) == APSP_OK &&
        check_distances(report, against, error) == APSP_OK)
        take_command(report, against, error);
    cJSON_Delete(report);
    return error->code;
}
