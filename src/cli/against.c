#include "cli/against.h"

#include "base/hash.h"
#include "cli/reported.h"

#include <stdlib.h>
#include <string.h>

#define differ(error, ...) error_set(error, (enum apsp_status)AGAINST_DIFFERS, __VA_ARGS__)

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
    const char *there = reported_text(cJSON_GetObjectItemCaseSensitive(report, "graph"), "hash");
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
        if (strcmp(reported_text(file, name), value) == 0)
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
        strcmp(reported_text(scale, "hash"), hash_text(&hash, text)) != 0)
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
    if (right && strcmp(reported_text(right, "hash"), text) == 0)
        return check_scale(report, against, error);
    if (same)
        return differ(error, "%s: is listed by %s as %.40s, not as distances", against->distances,
                      against->report, reported_text(same, "what"));
    return differ(error, "%s: is not a file of %s: its hash is %s", against->distances,
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
    cJSON *report = reported_read(against->report, error);
    const cJSON *code = error->code ? NULL : cJSON_GetObjectItemCaseSensitive(report, "exit");
    if (!error->code && strcmp(reported_text(report, "status"), "done") != 0)
        differ(error, "%s: reports a run that failed: %s", against->report,
               reported_text(report, "error"));
    else if (code && code->valuedouble != 0)
        differ(error, "%s: reports a run that ended with exit code %g", against->report,
               code->valuedouble);
    if (!error->code && check_graph(report, against, error) == APSP_OK &&
        check_distances(report, against, error) == APSP_OK)
        take_command(report, against, error);
    cJSON_Delete(report);
    return error->code;
}
