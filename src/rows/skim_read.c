/* The attributes of skims are the weights of a second graph, which is the same but for the column,
 * the attribute or the file that they come from. */
#include "base/setting.h"
#include "base/text.h"
#include "graph/edge_scan.h"
#include "graph/source.h"
#include "rows/skim.h"

#include <string.h>

#define EDGES_WORD "edges"

/* Sums of so many edges stay in range. */
static int check_range(const struct skims *skims, size_t k, const struct edge_scan *scan, size_t n,
                       struct apsp_error *error)
{
    if (scan->real)
        return error_set(error, APSP_INPUT,
                         "skim %s: expected integers, or decimals of at most 15 digits",
                         skims->name[k]);
    if (scan->most.whole > INT64_MAX / 2 / (int64_t)n)
        return error_set(error, APSP_INPUT,
                         "skim %s: sums of %zu values of up to %lld are too "
                         "large for 63 bits",
                         skims->name[k], n, (long long)scan->most.whole);
    return APSP_OK;
}

static int refuse_negative(const struct skims *skims, size_t k, const struct graph *graph,
                           struct apsp_error *error)
{
    const struct csr *csr = &skims->csr[k];
    for (size_t u = 0; u < csr->n; u++)
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
            if (csr->weight[e].whole < 0)
                return error_set(
                    error, APSP_INPUT,
                    "%s: the edge from %s to %s has skim %s = %.17g; skims are at least "
                    "0",
                    graph->path, LABEL(graph_labels(graph), u),
                    LABEL(graph_labels(graph), csr->to[e]), skims->name[k],
                    scale_value(skims->scale[k], csr->weight[e].whole));
    return APSP_OK;
}

/* Collective. */
static int load(struct skims *skims, size_t k, struct graph *graph, struct comm *comm, int threads,
                struct apsp_error *error)
{
    struct edge_scan scan;
    struct edges edges = {.graph = graph, .comm = comm, .threads = threads};
    if (edge_scan_take(&scan, &edges, error) == APSP_OK) {
        if (scan.real && scan.scales) {
            skims->scale[k] = scan.scale;
            edge_scan_scale(&scan, &edges);
        }
        if (check_range(skims, k, &scan, graph->n, error) == APSP_OK &&
            csr_load(&skims->csr[k], &edges, true, error) == APSP_OK &&
            edge_scan_is_negative(&scan))
            refuse_negative(skims, k, graph, error);
    }
    edges_free(&edges);
    return error->code;
}

int skims_add(struct skims *skims, const char *name, struct graph *graph, struct comm *comm,
              int threads, struct apsp_error *error)
{
    const size_t k = skims->count++;
    snprintf(skims->name[k], SKIM_NAME, "%s", name);
    return graph ? load(skims, k, graph, comm, threads, error) : APSP_OK;
}

/* A word of the skims: NAME, or NAME=FILE. */
struct word {
    const char *name, *file;
};

/* The name is a word of the skims, and the graph knows it as its weight key. */
static void name_setting(struct apsp_error *error)
{
    const char *key = SETTING(WEIGHT_KEY);
    const struct apsp_error cause = *error;
    const char *found = strstr(cause.text, key);
    if (!error->code || !found)
        return;
    *error = (struct apsp_error){0};
    error_set(error, cause.code, "%.*s%s%s", (int)(found - cause.text), cause.text, SETTING(SKIM),
              found + strlen(key));
}

/* Opens the graph anew with the attribute as its weights. */
static int read_one(struct skims *skims, struct word word, const struct graph *graph,
                    struct comm *comm, int threads, struct apsp_error *error)
{
    const char *name = word.name, *file = word.file;
    struct graph other = {0};
    struct graph_options options = graph->options;
    options.unweighted = options.hash = false;
    if (!file)
        options.weight_key = name;
    /* Rank 0 alone knows the format. */
    if (!file && comm->rank == 0 && !(graph->source->options & GRAPH_WEIGHT_KEY))
        error_set(error, APSP_USAGE,
                  "skim %s: %s is of format %s, whose edges have a weight alone; %s=FILE takes the "
                  "weights of FILE",
                  name, graph->path, graph->source->name, name);
    if (comm_agree(comm, error) == APSP_OK)
        graph_open_together(&other, file ? file : graph->path, &options, comm, error);
    if (!file)
        name_setting(error);
    if (comm_agree(comm, error) == APSP_OK && other.n != graph->n)
        error_set(error, APSP_INPUT, "skim %s: %s has %zu vertices, and the graph %zu", name,
                  other.path, other.n, graph->n);
    if (!error->code)
        skims_add(skims, name, &other, comm, threads, error);
    graph_close(&other);
    return error->code;
}

int skims_read(struct skims *skims, const char *words, const struct graph *graph, struct comm *comm,
               int threads, struct apsp_error *error)
{
    *skims = (struct skims){0};
    while (words && *words && !error->code) {
        const size_t length = strcspn(words, ",");
        char word[TEXT_LINE];
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        char *file = strchr(word, '=');
        if (file)
            *file++ = '\0';
        words += length + (words[length] == ',');
        if (length >= sizeof word || strlen(word) >= SKIM_NAME || !*word ||
            skims->count == SKIMS_MAX)
            return error_set(error, APSP_USAGE,
                             "%s: expected up to %d names of attributes, found '%s'", SETTING(SKIM),
                             SKIMS_MAX, word);
        if (file || strcmp(word, EDGES_WORD) != 0)
            read_one(skims, (struct word){word, file}, graph, comm, threads, error);
        else
            skims_add(skims, word, NULL, comm, threads, error);
    }
    return error->code;
}

void skims_free(struct skims *skims)
{
    for (size_t k = 0; k < skims->count; k++)
        csr_free(&skims->csr[k]);
    skims->count = 0;
}
