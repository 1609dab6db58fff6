#include "graph/collect.h"

#include "base/mem.h"
#include "base/range.h"
#include "base/setting.h"
#include "base/text.h"
#include "base/threads.h"
#include "graph/component.h"
#include "graph/csr.h"
#include "graph/edge_scan.h"
#include "graph/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct collected_part {
    struct graph_part head;
    uint32_t from; /* the tail of the next edge, or one before it */
};

static void collected_close(struct graph *graph)
{
    if (graph->own)
        csr_free(graph->own);
    free(graph->own);
    graph->own = NULL;
}

static int collected_begin(struct graph_part *head, int index, int parts, struct apsp_error *error)
{
    struct collected_part *part = (struct collected_part *)head;
    (void)index;
    (void)parts;
    (void)error;
    part->from = 0;
    return APSP_OK;
}

static int collected_next(struct graph_part *head, struct edge *edges, size_t room, size_t *count,
                          struct apsp_error *error)
{
    struct collected_part *part = (struct collected_part *)head;
    const struct csr *csr = head->graph->own;
    (void)error;
    for (; *count < room && range_length(head->left) > 0; ++*count, head->records++) {
        size_t e = head->left.lo++;
        while (csr->start[part->from + 1] <= e)
            part->from++;
        edges[*count] = (struct edge){part->from, csr->to[e], csr->weight[e]};
    }
    return APSP_OK;
}

/* In no table: it is not opened by a path. */
static const struct graph_source collected = {.name = "collected",
                                              .reader = sizeof(struct collected_part),
                                              .close = collected_close,
                                              .begin = collected_begin,
                                              .next = collected_next};

static bool is_asked(const struct graph_options *options, const char *parallel)
{
    return options->parallel && strcmp(options->parallel, parallel) == 0;
}

bool graph_collects(const struct graph_options *options)
{
    return options->largest || is_asked(options, "sum") || is_asked(options, "error");
}

const char *graph_parallel_names(void)
{
    return "min, sum, error";
}

/* Bytes, with the more of what merging and the components take. */
static size_t collect_need(const struct graph *graph)
{
    size_t all, work = graph->options.largest ? components_need(graph->n)
                                              : mem_bytes(graph->n, sizeof(size_t));
    mem_add(&all, csr_need(graph->n, graph->m), work);
    return all;
}

static int load(struct csr *csr, struct graph *graph, struct edge_scan *scan,
                struct apsp_error *error)
{
    struct comm *comm;
    size_t need = collect_need(graph), limit = mem_node_limit();
    if (need > limit) {
        char needed[TEXT_NUMBER], available[TEXT_NUMBER];
        return error_set(error, APSP_MEMORY,
                         "%s: %zu vertices and %zu edges need %s of memory, and %s are available",
                         graph->path, graph->n, graph->m, text_bytes(needed, need),
                         text_bytes(available, limit));
    }
    if (comm_solo(&comm, error) != APSP_OK)
        return error->code;
    struct edges edges = {.graph = graph,
                          .comm = comm,
                          .threads = threads_default(),
                          .loops = true,
                          .room = limit - need};
    if (edge_scan_take(scan, &edges, error) == APSP_OK)
        csr_load(csr, &edges, true, error);
    for (int p = 0; !error->code && p < edges.pieces; p++)
        graph->rough |= edges.piece[p].rough;
    edges_free(&edges);
    comm_free(comm);
    return error->code;
}

static bool add(const struct csr *csr, union value *sum, union value weight)
{
    if (csr->real)
        sum->real += weight.real;
    else if (__builtin_add_overflow(sum->whole, weight.whole, &sum->whole) ||
             sum->whole > WEIGHT_MAX || sum->whole < -WEIGHT_MAX)
        return false;
    return !csr->real || sum->real - sum->real == 0; /* finite */
}

/* The first two edges from u to v, as places of the source: lines, or numbers of edges from 1. */
static int find_two(const struct graph *graph, struct edge wanted, size_t at[2],
                    struct apsp_error *error)
{
    struct graph_part *part = NULL;
    struct edge edge;
    size_t count = 1, found = 0;
    if (graph_part_open(&part, graph, 0, 1, error) == APSP_OK)
        while (found < 2 && graph_part_next(part, &edge, 1, &count, error) == APSP_OK && count > 0)
            if (edge.from == wanted.from && edge.to == wanted.to)
                at[found++] = graph->source->line ? graph->source->line(part) : part->records;
    graph_part_free(part);
    return error->code || found == 2 ? error->code : graph_changed(graph, error);
}

static int refuse_parallel(const struct graph *graph, struct edge edge, struct apsp_error *error)
{
    static const char remedy[] = "min takes the lightest, sum adds them up";
    const char *parallel = SETTING(PARALLEL);
    const struct labels labels = graph_labels(graph);
    size_t at[2];
    if (find_two(graph, edge, at, error) != APSP_OK)
        return error->code;
    if (graph->source->line)
        return error_set(error, APSP_INPUT,
                         "%s:%zu and %s:%zu: there are parallel edges from %s to %s; %s %s",
                         graph->path, at[1], graph->path, at[0], LABEL(labels, edge.from),
                         LABEL(labels, edge.to), parallel, remedy);
    return error_set(error, APSP_INPUT,
                     "%s: edges %zu and %zu are parallel edges from %s to %s; %s %s", graph->path,
                     at[0], at[1], LABEL(labels, edge.from), LABEL(labels, edge.to), parallel,
                     remedy);
}

/* Parallel edges become their sum, in place. */
static int merge_parallel(struct csr *csr, const struct graph *graph, size_t *place,
                          struct apsp_error *error)
{
    const struct labels labels = graph_labels(graph);
    size_t kept = 0;
    for (size_t u = 0, e = 0; u < csr->n; u++) {
        size_t first = kept, end = csr->start[u + 1];
        for (; e < end; e++) {
            uint32_t v = csr->to[e];
            size_t at = place[v];
            bool known = at >= first && at < kept && csr->to[at] == v;
            if (known && is_asked(&graph->options, "error"))
                return refuse_parallel(graph, (struct edge){(uint32_t)u, v, {0}}, error);
            if (known && !add(csr, &csr->weight[at], csr->weight[e]))
                return error_set(error, APSP_INPUT,
                                 "%s: the sum of parallel edges from %s to %s is too large",
                                 graph->path, LABEL(labels, u), LABEL(labels, v));
            if (known)
                continue;
            place[v] = kept;
            csr->to[kept] = v;
            csr->weight[kept++] = csr->weight[e];
        }
        csr->start[u + 1] = kept;
    }
    csr->m = kept;
    return APSP_OK;
}

/* Whether sums of weights from one vertex are integers of 62 bits, by that scale. */
static bool sums_fit(const struct csr *csr, struct scale scale)
{
    double most = 0;
    for (size_t u = 0; u < csr->n; u++) {
        double sum = 0;
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
            sum += fabs(csr->weight[e].real);
        most = fmax(most, sum);
    }
    return most * scale_factor(scale) < 0x1p61;
}

/* The nearest doubles; returns whether they tell all weights from others. */
static bool make_real(struct csr *csr, struct scale scale)
{
    bool told = true;
    for (size_t e = 0; e < csr->m; e++) {
        int64_t whole = csr->weight[e].whole;
        told &= llabs(whole) <= scale_limit(scale);
        csr->weight[e].real = scale_share(scale, whole, 1);
    }
    csr->real = true;
    return told;
}

/* Floating-point weights with a scale are added as integers. Other sums are rounded, and stand for
 * no decimals. */
static int merge(struct csr *csr, struct graph *graph, const struct edge_scan *scan,
                 struct apsp_error *error)
{
    size_t *place = mem_alloc(mem_bytes(csr->n, sizeof *place)), all = csr->m;
    if (!place)
        return error_set(error, APSP_MEMORY, "%s: no memory for %zu vertices", graph->path, csr->n);
    bool scaled = scan->scales && sums_fit(csr, scan->scale);
    if (scaled)
        csr_scale(csr, scan->scale);
    merge_parallel(csr, graph, place, error);
    bool told = scaled ? make_real(csr, scan->scale) : csr->m == all;
    graph->rough |= graph->real && !told;
    mem_free(place);
    return error->code;
}

/* The largest; of several the one whose first vertex comes first. */
static uint32_t largest_of(const struct components *found)
{
    uint32_t best = found->of[0];
    for (size_t v = 0; v < found->n; v++) {
        uint32_t c = found->of[v];
        if (found->first[c + 1] - found->first[c] > found->first[best + 1] - found->first[best])
            best = c;
    }
    return best;
}

/* Those of the vertices that stay, by the numbers that they had before. */
static int take_labels(struct graph *graph, const uint32_t *number, struct apsp_error *error)
{
    struct names *names = names_new();
    char text[LABEL_SHOWN];
    uint32_t vertex;
    if (!names)
        error_set(error, APSP_MEMORY, "%s: no memory for names", graph->path);
    for (size_t v = 0; names && v < graph->n && !error->code; v++) {
        const char *name = label_text(graph_labels(graph), v, text);
        if (number[v] != NONE)
            names_take(names, name, strlen(name), &vertex, error);
    }
    names_free(graph->names);
    graph->names = names;
    return error->code;
}

/* Vertices get new numbers, NONE without: their edges go, in place. */
static void keep_vertices(struct csr *csr, const uint32_t *number)
{
    size_t kept = 0, vertices = 0;
    for (size_t u = 0, e = 0; u < csr->n; u++) {
        size_t end = csr->start[u + 1];
        for (; e < end; e++) {
            if (number[u] == NONE || number[csr->to[e]] == NONE)
                continue;
            csr->to[kept] = number[csr->to[e]];
            csr->weight[kept++] = csr->weight[e];
        }
        if (number[u] != NONE)
            csr->start[++vertices] = kept;
    }
    csr->n = vertices;
    csr->m = kept;
}

static int keep_largest(struct csr *csr, struct graph *graph, struct apsp_error *error)
{
    struct components found;
    if (components_find(&found, csr, error) == APSP_OK && found.count > 1) {
        uint32_t *number = found.of, next = 0, best = largest_of(&found);
        for (size_t v = 0; v < csr->n; v++)
            number[v] = found.of[v] == best ? next++ : NONE;
        if (take_labels(graph, number, error) == APSP_OK)
            keep_vertices(csr, number);
        graph->numbering =
            "the largest strongly connected component alone, its vertices numbered anew";
    }
    components_free(&found);
    return error->code;
}

int graph_collect(struct graph *graph, struct apsp_error *error)
{
    const struct graph_options *options = &graph->options;
    struct edge_scan scan;
    struct csr *csr = calloc(1, sizeof *csr);
    if (!csr)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    if (load(csr, graph, &scan, error) ||
        ((is_asked(options, "sum") || is_asked(options, "error")) &&
         merge(csr, graph, &scan, error)) ||
        (options->largest && keep_largest(csr, graph, error))) {
        csr_free(csr);
        free(csr);
        return error->code;
    }
    graph->source->close(graph);
    file_close(&graph->file);
    graph->source = &collected;
    graph->own = csr;
    graph->n = csr->n;
    graph->m = graph->records = csr->m;
    graph->bytes = mem_bytes(csr->m, sizeof(struct edge));
    graph->undirected = graph->reversed = graph->unweighted = false;
    graph->once = true;
    return APSP_OK;
}
