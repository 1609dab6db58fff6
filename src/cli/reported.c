#include "cli/reported.h"

#include "base/file.h"
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

enum { REPORT_MAX = 16 << 20 };

const char *reported_text(const cJSON *object, const char *name)
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

cJSON *reported_read(const char *path, struct apsp_error *error)
{
    struct file file;
    char *text = NULL;
    cJSON *report = NULL;
    if (file_open(&file, path, "the report", error) == APSP_OK && file.bytes > REPORT_MAX)
        error_set(error, APSP_INPUT, "%s: is not a report: it has %zu bytes", path, file.bytes);
    if (!error->code && !(text = malloc(file.bytes + 1)))
        error_set(error, APSP_MEMORY, "%s: no memory to read it", path);
    if (!error->code && file_read(&file, 0, text, file.bytes, error) == APSP_OK)
        report = parse(text, file.bytes);
    if (!error->code && (!report || !*reported_text(report, "status"))) {
        cJSON_Delete(report);
        report = NULL;
        error_set(error, APSP_INPUT, "%s: is not a report of apsp --json", path);
    }
    free(text);
    file_close(&file);
    return report;
}

/* The options of a report's command line, which point into the report. */
static int read_command(struct run_options *run, const cJSON *report, const char *path,
                        struct apsp_error *error)
{
    const cJSON *words = cJSON_GetObjectItemCaseSensitive(report, "command"), *word;
    char **argv = calloc((size_t)cJSON_GetArraySize(words) + 1, sizeof *argv);
    int argc = 0;
    if (!argv)
        return error_set(error, APSP_MEMORY, "%s: no memory to read it", path);
    cJSON_ArrayForEach(word, words)
    {
        if (cJSON_IsString(word))
            argv[argc++] = word->valuestring;
    }
    if (argc == 0 || options_parse_past(run, argc, argv, error) != APSP_OK || run->stop) {
        const struct apsp_error why = *error;
        *error = (struct apsp_error){0};
        error_set(error, APSP_INPUT, "%s: its command is not understood%s%s", path,
                  why.code ? ": " : "", why.text);
    }
    free(argv);
    return error->code;
}

static void fill_option(const char **option, const char *other)
{
    if (!*option)
        *option = other;
}

static void fill_all(struct subject_options *options, const struct run_options *run)
{
    struct graph_options *own = &options->graph;
    const struct graph_options *other = &run->input;
    fill_option(&options->paths, run->request.paths);
    fill_option(&own->format, other->format);
    fill_option(&own->columns, other->columns);
    fill_option(&own->oneway, other->oneway);
    fill_option(&own->no_edge, other->no_edge);
    fill_option(&own->weight_key, other->weight_key);
    fill_option(&own->label_key, other->label_key);
    fill_option(&own->parallel, other->parallel);
    own->sorted |= other->sorted;
    own->directed |= other->directed && !own->undirected;
    own->undirected |= other->undirected && !own->directed;
    own->reverse |= other->reverse;
    own->unweighted |= other->unweighted;
    own->largest |= other->largest;
    fill_option(&options->distances.sources, run->sources);
    fill_option(&options->distances.targets, run->targets);
}

int reported_options(struct subject_options *options, const char *path, cJSON **report,
                     struct apsp_error *error)
{
    struct run_options run;
    *report = reported_read(path, error);
    if (error->code || read_command(&run, *report, path, error) != APSP_OK)
        return error->code;
    fill_all(options, &run);
    options->reported = true;
    if (sources_are_random(options->distances.sources))
        return error_set(error, APSP_USAGE,
                         "%s: the rows are those of a random sample: --sources has to list them",
                         path);
    return APSP_OK;
}
