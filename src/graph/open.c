/* A graph is opened: its file first, then the source that knows the file's format. */
#include "base/mem.h"
#include "base/setting.h"
#include "base/text.h"
#include "comm/comm.h"
#include "graph/collect.h"
#include "graph/source.h"

/* What the options make of an open graph. */
static int apply(struct graph *graph, struct apsp_error *error)
{
    const struct graph_options *options = &graph->options;
    graph->undirected |= options->undirected && !graph->two_way;
    graph->undirected &= !options->directed;
    graph->returns = graph->undirected;
    graph->reversed = options->reverse;
    graph->unweighted = options->unweighted;
    graph->real &= !options->unweighted;
    if (graph->undirected)
        mem_mul(&graph->m, graph->m, 2);
    return graph_collects(options) ? graph_collect(graph, error) : APSP_OK;
}

/* An option that the source does not take is refused, with those that do. */
static int check_option(const struct graph *graph, enum graph_option option, enum setting setting,
                        const char *value, struct apsp_error *error)
{
    char takers[100];
    size_t used = 0;
    if (!value || graph->source->options & option)
        return APSP_OK;
    for (int i = 0; graph_sources[i] && used < sizeof takers; i++)
        if (graph_sources[i]->options & option)
            used += (size_t)snprintf(takers + used, sizeof takers - used, "%s%s", used ? ", " : "",
                                     graph_sources[i]->name);
    return error_set(error, APSP_USAGE, "%s: %s is for graphs of format %s, and this one is %s",
                     graph->path, setting_name(setting), takers, graph->source->name);
}

static int check_options(const struct graph *graph, struct apsp_error *error)
{
    const struct graph_options *options = &graph->options;
    if (options->directed && options->undirected)
        return error_set(error, APSP_USAGE, "%s: %s and %s exclude each other", graph->path,
                         SETTING(DIRECTED), SETTING(UNDIRECTED));
    if (check_option(graph, GRAPH_COLUMNS, SETTING_COLUMNS, options->columns, error) ||
        check_option(graph, GRAPH_COLUMNS, SETTING_ONEWAY, options->oneway, error) ||
        check_option(graph, GRAPH_NO_EDGE, SETTING_NO_EDGE, options->no_edge, error) ||
        check_option(graph, GRAPH_LABEL_KEY, SETTING_LABEL_KEY, options->label_key, error))
        return error->code;
    return check_option(graph, GRAPH_WEIGHT_KEY, SETTING_WEIGHT_KEY, options->weight_key, error);
}

int graph_adapt(struct graph *graph, const struct graph_options *options, struct apsp_error *error)
{
    graph->options = *options;
    return check_options(graph, error) ? error->code : apply(graph, error);
}

/* Names may be any bytes, but other programs expect UTF-8. */
static void warn_of_encoding(struct graph *graph)
{
    if (graph->names && !text_is_valid(graph->names->text, graph->names->used))
        graph_warn(graph, "names are not UTF-8, and stay as they are: iconv -f LATIN1 -t UTF-8 "
                          "prints a file of Latin-1 as UTF-8");
}

static int open_source(struct graph *graph, struct apsp_error *error)
{
    if (graph_detect(graph, error) != APSP_OK || check_options(graph, error) != APSP_OK ||
        graph->source->open(graph, error) != APSP_OK || apply(graph, error) != APSP_OK) {
        if (error->code == APSP_INPUT && !file_is_same(&graph->file))
            graph_changed(graph, error);
        graph_close(graph);
    } else {
        graph->once |= graph->source->sequential;
        warn_of_encoding(graph);
    }
    return error->code;
}

static void start(struct graph *graph, const char *path, const struct graph_options *options)
{
    graph_start(graph, NULL, path);
    if (options)
        graph->options = *options;
}

int graph_open(struct graph *graph, const char *path, const struct graph_options *options,
               bool stream, struct apsp_error *error)
{
    start(graph, path, options);
    if (stream)
        file_spool(&graph->file, path, "the graph", error);
    else
        file_open(&graph->file, path, "the graph", error);
    graph->once = graph->file.unnamed;
    graph->path = graph->file.path;
    if (graph->options.hash && !error->code)
        graph->hasher = hash_start(&graph->file);
    return error->code ? error->code : open_source(graph, error);
}

int graph_open_bytes(struct graph *graph, const void *data, size_t bytes,
                     const struct graph_options *options, struct apsp_error *error)
{
    start(graph, "the graph in memory", options);
    graph->file = file_in_memory(graph->path, data, bytes);
    return open_source(graph, error);
}

static void follow_close(struct graph *graph)
{
    graph->follows = false;
}

/* Of those that follow. */
static const struct graph_source follower = {.name = "rank 0", .close = follow_close};

/* What every rank is to know of rank 0's graph. */
struct head {
    size_t n, m, first, records, bytes;
    bool real, alone;
};

static void follow(struct graph *graph, const struct head *head)
{
    graph->source = &follower;
    graph->n = head->n;
    graph->m = head->m;
    graph->first = head->first;
    graph->records = head->records;
    graph->bytes = head->bytes;
    graph->real = head->real;
    graph->alone = graph->follows = true;
}

int graph_open_together(struct graph *graph, const char *path, const struct graph_options *options,
                        struct comm *comm, struct apsp_error *error)
{
    start(graph, path, options);
    if (comm->rank == 0)
        graph_open(graph, path, options, true, error);
    if (comm_agree(comm, error))
        return error->code;
    struct head head = {graph->n,     graph->m,    graph->first, graph->records,
                        graph->bytes, graph->real, graph->once};
    comm_broadcast(comm, &head, sizeof head, 0);
    if (comm->rank != 0 && head.alone)
        follow(graph, &head);
    else if (comm->rank != 0)
        graph_open(graph, path, options, false, error);
    graph->alone = head.alone;
    if (head.alone)
        names_share(&graph->names, comm, error);
    return error->code;
}
