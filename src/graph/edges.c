#include "graph/edges.h"

#include "base/mem.h"
#include "base/size.h"
#include "base/stop.h"

#include <stdlib.h>

/* A rank's part of the source is read in pieces of about so many bytes, by its threads in turn. */
enum { PIECE = SIZE_OF(4 << 20, 512), PIECES = SIZE_OF(256, 7) };

/* Whether rank 0 has all edges. */
static bool is_alone(const struct edges *edges)
{
    return edges->graph->alone || graph_is_sequential(edges->graph);
}

/* A rank's share of the edges, when its part is as long as the others'. */
static size_t share(const struct edges *edges)
{
    if (is_alone(edges))
        return edges->comm->rank == 0 ? edges->graph->m : 0;
    return edges->graph->m / (size_t)edges->comm->ranks + 1;
}

static int short_of(const struct edges *edges, struct apsp_error *error)
{
    return error_set(error, APSP_MEMORY, "%s: no memory to read edges on %s", edges->graph->path,
                     edges->comm->host);
}

int edges_start(struct edges *edges, struct apsp_error *error)
{
    size_t readers = is_alone(edges) ? 1 : (size_t)edges->comm->ranks;
    size_t wanted = edges->graph->bytes / readers / PIECE;
    bool whole = wanted < 1 || graph_is_sequential(edges->graph);
    edges->pieces = whole ? 1 : wanted < PIECES ? (int)wanted : PIECES;
    size_t batches = share(edges) / EDGES_BATCH + (size_t)edges->pieces;
    edges->kept =
        comm_sum(edges->comm, mem_bytes(batches, sizeof(struct edges_batch)) > edges->room) == 0;
    edges->graph->summed = !edges->kept || edges->summed;
    edges->piece = calloc((size_t)edges->pieces, sizeof *edges->piece);
    if (!edges->kept)
        edges->degree = mem_alloc(mem_bytes(edges->graph->n, sizeof *edges->degree));
    return edges->piece && (edges->kept || edges->degree) ? APSP_OK : short_of(edges, error);
}

int edges_are_known(struct edges *edges, size_t count, struct apsp_error *error)
{
    edges->count = edges->parsed = count;
    edges->pieces = 1;
    edges->piece = calloc(1, sizeof *edges->piece);
    return edges->piece ? APSP_OK : short_of(edges, error);
}

static int open_piece(const struct edges *edges, int piece, struct graph_part **part,
                      struct apsp_error *error)
{
    const struct comm *comm = edges->comm;
    int readers = edges->graph->alone ? 1 : comm->ranks,
        reader = edges->graph->alone ? 0 : comm->rank;
    return graph_part_open(part, edges->graph, reader * edges->pieces + piece,
                           readers * edges->pieces, error);
}

static void count_edges(struct edges *edges, struct edges_piece *piece, const struct edge *list,
                        size_t count)
{
    piece->count += count;
    for (size_t e = 0; e < count; e++) {
        if (!edges_stores(edges, &list[e]))
            continue;
        piece->stored++;
        if (edges->degree) {
#pragma omp atomic
            edges->degree[list[e].from]++;
        }
    }
}

/* The batch that has room: the same one again, when it need not be kept. */
static struct edges_batch *batch_with_room(const struct edges *edges, struct edges_piece *piece,
                                           struct edges_batch *batch)
{
    if (batch && batch->count < EDGES_BATCH)
        return batch;
    struct edges_batch *fresh = batch && !edges->kept ? batch : malloc(sizeof *fresh);
    if (!fresh)
        return NULL;
    fresh->next = NULL;
    fresh->count = 0;
    if (!batch)
        piece->first = fresh;
    else if (fresh != batch)
        batch->next = fresh;
    return fresh;
}

static void drop_batches(struct edges_piece *piece)
{
    while (piece->first) {
        struct edges_batch *batch = piece->first;
        piece->first = batch->next;
        free(batch);
    }
}

int edges_read_piece(struct edges *edges, int number, edges_see see, void *self,
                     struct apsp_error *error)
{
    struct edges_piece *piece = &edges->piece[number];
    struct graph_part *part = NULL;
    struct edges_batch *batch = NULL;
    size_t count = 1;
    open_piece(edges, number, &part, error);
    while (stop_check(error) == APSP_OK && !error->code && count > 0) {
        batch = batch_with_room(edges, piece, batch);
        if (!batch) {
            short_of(edges, error);
            break;
        }
        struct edge *list = batch->edge + batch->count;
        graph_part_next(part, list, EDGES_BATCH - batch->count, &count, error);
        batch->count += count;
        count_edges(edges, piece, list, count);
        see(self, list, count);
    }
    if (part) {
        piece->records = graph_part_records(part);
        piece->sum = graph_part_sum(part);
        piece->rough = graph_part_rough(part);
    }
    graph_part_free(part);
    if (!edges->kept)
        drop_batches(piece);
    return error->code;
}

void edges_begin(struct edges *edges)
{
    graph_part_free(edges->part);
    edges->part = NULL;
    edges->passed = 0;
    edges->at = 0;
    if (edges->kept)
        edges->batch = NULL;
}

static void next_kept(struct edges *edges, const struct edge **list, size_t *count)
{
    while (!edges->batch && edges->at < edges->pieces)
        edges->batch = edges->piece[edges->at++].first;
    *count = edges->batch ? edges->batch->count : 0;
    *list = edges->batch ? edges->batch->edge : NULL;
    edges->batch = edges->batch ? edges->batch->next : NULL;
}

/* The next edges of the source; *count is 0 after the last piece. An edge that the edge scan
 * accepted and that is now wrong means that the file has changed. */
static int read_next(struct edges *edges, size_t *count, struct apsp_error *error)
{
    for (; edges->at < edges->pieces; edges->at++) {
        if (!edges->part && open_piece(edges, edges->at, &edges->part, error) != APSP_OK)
            return error->code;
        if (graph_part_next(edges->part, edges->batch->edge, EDGES_BATCH, count, error) != APSP_OK)
            return error->code == APSP_INPUT ? graph_changed(edges->graph, error) : error->code;
        if (*count > 0)
            return APSP_OK;
        if (graph_part_sum(edges->part) != edges->piece[edges->at].sum)
            return graph_changed(edges->graph, error);
        graph_part_free(edges->part);
        edges->part = NULL;
    }
    return APSP_OK;
}

int edges_next(struct edges *edges, const struct edge **list, size_t *count,
               struct apsp_error *error)
{
    *count = 0;
    if (stop_check(error))
        return error->code;
    if (edges->kept) {
        do
            next_kept(edges, list, count);
        while (*count == 0 && (edges->batch || edges->at < edges->pieces));
        return APSP_OK;
    }
    if (!edges->batch && !(edges->batch = malloc(sizeof *edges->batch)))
        return short_of(edges, error);
    *list = edges->batch->edge;
    if (read_next(edges, count, error) != APSP_OK)
        return error->code;
    edges->parsed += *count;
    edges->passed += *count;
    if (edges->passed > edges->count || (*count == 0 && edges->passed < edges->count))
        return graph_changed(edges->graph, error);
    return APSP_OK;
}

size_t edges_batches(const struct edges *edges, const struct edges_batch **list)
{
    size_t count = 0;
    for (int p = 0; p < edges->pieces; p++)
        for (const struct edges_batch *batch = edges->piece[p].first; batch; batch = batch->next) {
            if (list)
                list[count] = batch;
            count++;
        }
    return count;
}

typedef void edge_change(const struct graph *graph, struct edge *edge);

static void change_kept(const struct edges *edges, edge_change *change)
{
#pragma omp parallel for schedule(dynamic) num_threads(edges->threads)
    for (int p = 0; p < edges->pieces; p++)
        for (struct edges_batch *batch = edges->piece[p].first; edges->kept && batch;
             batch = batch->next)
            for (size_t e = 0; e < batch->count; e++)
                change(edges->graph, &batch->edge[e]);
}

static void scale_edge(const struct graph *graph, struct edge *edge)
{
    edge->weight.whole = scale_whole(graph->scale, edge->weight.real);
}

static void unscale_edge(const struct graph *graph, struct edge *edge)
{
    edge->weight.real = scale_value(graph->scale, edge->weight.whole);
}

void edges_scale(struct edges *edges, const struct scale *scale)
{
    edges->graph->scale = *scale;
    edges->graph->scaled = true;
    edges->graph->real = false;
    change_kept(edges, scale_edge);
}

void edges_unscale(struct edges *edges)
{
    edges->graph->scaled = false;
    edges->graph->real = true;
    change_kept(edges, unscale_edge);
}

void edges_key(struct edges *edges)
{
    if (edges->graph->algebra.map != ALGEBRA_SAME)
        change_kept(edges, graph_key);
}

size_t edges_bytes(const struct edges *edges)
{
    size_t batches = 0;
    for (int p = 0; edges->piece && p < edges->pieces; p++)
        batches += edges->piece[p].count / EDGES_BATCH + 1;
    if (edges->kept)
        return mem_bytes(batches, sizeof(struct edges_batch));
    return edges->degree ? mem_bytes(edges->graph->n, sizeof *edges->degree) : 0;
}

void edges_free(struct edges *edges)
{
    graph_part_free(edges->part);
    if (!edges->kept)
        free(edges->batch);
    for (int p = 0; edges->piece && p < edges->pieces; p++)
        drop_batches(&edges->piece[p]);
    mem_free(edges->degree);
    free(edges->piece);
    *edges = (struct edges){0};
}
