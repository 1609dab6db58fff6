#include "graph/csr_rows.h"

#include "base/mem.h"
#include "base/stop.h"
#include "graph/array.h"

#include <stdlib.h>
#include <string.h>

/* A thread takes about so many edges at a time. */
enum { PIECE = SIZE_OF(1 << 16, 7) };

/* Whole rows. Their edges that are kept come to lie at the beginning of their place. */
struct piece {
    struct range rows, edges;
    size_t kept;
    struct edge_scan_part part;
    struct apsp_error error;
};

struct taking {
    const struct edges *edges;
    const struct apsp_csr *from;
    struct csr *csr;
    struct piece *piece;
    size_t pieces;
};

bool csr_rows_are_there(const struct graph *graph, const struct comm *comm)
{
    return comm->ranks == 1 && graph_rows(graph) && !graph->undirected && !graph->reversed &&
           graph->algebra.kind == ALGEBRA_SHORTEST;
}

/* An error of the first entry that is none. */
static void refuse(const struct taking *taking, struct piece *piece)
{
    const struct graph *graph = taking->edges->graph;
    uint32_t vertex;
    union value weight;
    for (size_t e = piece->edges.lo; e < piece->edges.hi && !piece->error.code; e++)
        if (array_vertex(graph, &taking->from->to, e, &vertex, &piece->error) == APSP_OK)
            array_weight(graph, &taking->from->weight, e, &weight, &piece->error);
    if (!piece->error.code)
        graph_changed(graph, &piece->error);
}

/* Makes what was copied the edges of the CSR: scans them, and closes the gaps of loops. Only rows
 * behind the first one can begin elsewhere. */
static inline __attribute__((always_inline)) void place_rows(const struct taking *taking,
                                                             struct piece *piece, bool real)
{
    struct csr *csr = taking->csr;
    const struct range rows = piece->rows;
    size_t at = piece->edges.lo, e = at;
    for (size_t u = rows.lo; u < rows.hi; u++) {
        const size_t end = u + 1 < rows.hi ? csr->start[u + 1] : piece->edges.hi;
        if (at != e)
            csr->start[u] = at;
        for (; e < end; e++) {
            struct edge edge = {(uint32_t)u, csr->to[e], csr->weight[e]};
            edge_scan_see(&piece->part, &edge, real);
            if (edge.from == edge.to && !edges_stores(taking->edges, &edge))
                continue;
            if (real)
                edge.weight.real += 0.0; /* makes -0.0 into 0 */
            csr->to[at] = edge.to;
            csr->weight[at++] = edge.weight;
        }
    }
    piece->kept = at - piece->edges.lo;
}

static void take_piece(const struct taking *taking, struct piece *piece)
{
    const struct graph *graph = taking->edges->graph;
    struct csr *csr = taking->csr;
    const struct range edges = piece->edges;
    if (stop_check(&piece->error))
        return;
    if (!array_copy_vertices(graph, &taking->from->to, edges, csr->to + edges.lo) ||
        !array_copy_weights(&taking->from->weight, edges, csr->weight + edges.lo)) {
        refuse(taking, piece);
        return;
    }
    for (size_t e = edges.lo; graph->unweighted && e < edges.hi; e++)
        csr->weight[e].whole = 1;
    if (csr->real)
        place_rows(taking, piece, true);
    else
        place_rows(taking, piece, false);
}

/* The first row that begins at that edge or behind it. */
static size_t row_from(const struct csr *csr, size_t edge)
{
    size_t lo = 0, hi = csr->n;
    while (lo < hi) {
        const size_t middle = lo + (hi - lo) / 2;
        if (csr->start[middle] < edge)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* Copies the beginnings of rows, once, so that nothing leads out of the CSR whatever becomes of
 * them. */
static int make_pieces(struct taking *taking, struct apsp_error *error)
{
    const struct graph *graph = taking->edges->graph;
    const struct edge_scan_part empty = edge_scan_begin(graph);
    struct csr *csr = taking->csr;
    taking->pieces = csr->m / PIECE + 1;
    taking->piece = calloc(taking->pieces, sizeof *taking->piece);
    if (!taking->piece)
        return error_set(error, APSP_MEMORY, "%s: no memory to read edges", graph->path);
    array_copy_whole(&taking->from->start, csr->n + 1, csr->start);
    for (size_t v = 0; v < csr->n; v++)
        if (csr->start[v] > csr->start[v + 1] || csr->start[v + 1] > csr->m)
            return graph_changed(graph, error);
    if (csr->start[0] != 0 || csr->start[csr->n] != csr->m)
        return graph_changed(graph, error);
    for (size_t p = 0; p < taking->pieces; p++) {
        const size_t lo =
            row_from(csr, range_part((struct range){0, csr->m}, p, taking->pieces).lo);
        taking->piece[p].part = empty;
        taking->piece[p].rows = (struct range){p > 0 ? lo : 0, csr->n};
        taking->piece[p].edges = (struct range){csr->start[p > 0 ? lo : 0], csr->m};
        if (p > 0) {
            taking->piece[p - 1].rows.hi = lo;
            taking->piece[p - 1].edges.hi = csr->start[lo];
        }
    }
    return APSP_OK;
}

/* Closes the gaps between pieces, and sums up what they have seen. Of several errors the first
 * tells. */
static void join_pieces(const struct taking *taking, struct edge_scan_part *part,
                        struct apsp_error *error)
{
    struct csr *csr = taking->csr;
    size_t at = 0;
    for (size_t p = 0; p < taking->pieces && !error->code; p++) {
        const struct piece *piece = &taking->piece[p];
        const size_t from = piece->edges.lo;
        *error = piece->error;
        edge_scan_add(part, &piece->part);
        for (size_t u = piece->rows.lo; at < from && u < piece->rows.hi; u++)
            csr->start[u] -= from - at;
        if (at < from) {
            memmove(csr->to + at, csr->to + from, piece->kept * sizeof *csr->to);
            memmove(csr->weight + at, csr->weight + from, piece->kept * sizeof *csr->weight);
        }
        at += piece->kept;
    }
    csr->start[csr->n] = csr->m = at;
}

int csr_rows_take(struct csr *csr, struct edge_scan *scan, struct edges *edges,
                  struct apsp_error *error)
{
    struct taking taking = {.edges = edges, .from = graph_rows(edges->graph), .csr = csr};
    struct edge_scan_part part = edge_scan_begin(edges->graph);
    if (csr_open(csr, edges->graph, edges->graph->m, error) == APSP_OK &&
        make_pieces(&taking, error) == APSP_OK) {
#pragma omp parallel for schedule(dynamic) num_threads(edges->threads) if (taking.pieces > 1)
        for (size_t p = 0; p < taking.pieces; p++)
            take_piece(&taking, &taking.piece[p]);
        join_pieces(&taking, &part, error);
    }
    free(taking.piece);
    if (error->code)
        return error->code;
    edges->stored = csr->m;
    edges_are_known(edges, part.scan.edges, error);
    edge_scan_end(scan, &part, edges);
    return error->code;
}
