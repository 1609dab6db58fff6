#include "cli/series.h"

#include "files/staged.h"

#include <stdlib.h>
#include <string.h>

/* The results that each run has for itself. */
static void list_paths(struct run_options *options, const char **path[SERIES_FILES])
{
    struct results *results = &options->results;
    const char **const all[SERIES_FILES] = {
        &results->distances,   &results->closure,     &results->predecessors,
        &results->path_counts, &results->stats,       &results->betweenness,
        &results->diameter,    &results->access.path, &results->isochrones.path,
        &results->plot,        &options->json,        NULL};
    memcpy(path, all, sizeof all);
}

/* The path with the key before its suffix; NULL without memory. */
static char *name_for(const char *path, const char *key)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    const size_t before = dot ? (size_t)(dot - path) : strlen(path);
    char *name = malloc(strlen(path) + strlen(key) + sizeof ".");
    if (name)
        stpcpy(stpcpy(stpcpy(mempcpy(name, path, before), "."), key), path + before);
    return name;
}

static int check_key(const struct series *series, int k, struct apsp_error *error)
{
    const char *key = series->key[k];
    if (!*key || strchr(key, '/'))
        return error_set(error, APSP_USAGE,
                         "--weight-key: expected names of columns without '/', since files are "
                         "named by them, found '%s'",
                         key);
    for (int i = 0; i < k; i++)
        if (strcmp(series->key[i], key) == 0)
            return error_set(error, APSP_USAGE, "--weight-key: '%s' is there twice", key);
    return APSP_OK;
}

/* The options of run k. Names and the order are the same for all, so the first run writes them. */
static int make_run(struct series *series, int k, const struct run_options *given,
                    struct apsp_error *error)
{
    struct run_options *options = &series->options[k];
    const char **path[SERIES_FILES];
    *options = *given;
    options->input.weight_key = series->key[k];
    if (k > 0)
        options->names = options->save_order = NULL;
    list_paths(options, path);
    for (int f = 0; path[f] && !error->code; f++) {
        if (!*path[f])
            continue;
        if (staged_is_stdout(*path[f]))
            return error_set(error, APSP_USAGE,
                             "--weight-key has several columns, whose results need files, found "
                             "'%s'",
                             *path[f]);
        series->path[k][f] = name_for(*path[f], series->key[k]);
        if (!series->path[k][f])
            return error_set(error, APSP_MEMORY, "no memory for the names of results");
        *path[f] = series->path[k][f];
        staged_check(*path[f], options_inputs(options).path, options->results.force, error);
    }
    return error->code;
}

/* Names are parted by commas. */
static int take_keys(struct series *series, const char *keys, struct apsp_error *error)
{
    for (series->count = 0; keys; series->count++) {
        const char *comma = strchr(keys, ',');
        const int k = series->count;
        if (k == SERIES_MAX)
            return error_set(error, APSP_USAGE, "--weight-key: expected up to %d columns",
                             SERIES_MAX);
        series->key[k] = comma ? strndup(keys, (size_t)(comma - keys)) : strdup(keys);
        if (!series->key[k])
            return error_set(error, APSP_MEMORY, "no memory for the names of columns");
        if (check_key(series, k, error))
            return error->code;
        keys = comma ? comma + 1 : NULL;
    }
    return APSP_OK;
}

int series_make(struct series *series, const struct run_options *options, struct apsp_error *error)
{
    const char *keys = options->input.weight_key;
    series->count = 1;
    series->options[0] = *options;
    if (error->code || !keys || !strchr(keys, ','))
        return error->code;
    if (options->checkpoint.folder)
        return error_set(error, APSP_USAGE,
                         "--checkpoint and --resume require one column in --weight-key, found "
                         "'%s'",
                         keys);
    take_keys(series, keys, error);
    for (int k = 0; k < series->count && !error->code; k++) {
        make_run(series, k, options, error);
        series->options[k].request.order_again = true;
    }
    return error->code;
}

void series_free(struct series *series)
{
    for (int k = 0; k < SERIES_MAX; k++) {
        free(series->key[k]);
        for (int f = 0; f < SERIES_FILES; f++)
            free(series->path[k][f]);
    }
}
