/* The edge scan: the first pass over all edges, before anything is built from them. */
#ifndef EDGE_SCAN_H
#define EDGE_SCAN_H

#include "graph/edges.h"

struct edge_scan {           /* over all ranks */
    size_t edges, loops;     /* loops are edges too */
    bool real;               /* the weights are */
    union value least, most; /* of the weights, and 0; loops count when they are negative */
    bool keyed;              /* loops do not count, and the next two are known */
    bool improbable;         /* some weight is not above 0 and at most 1 */
    double finest;           /* the least size of real weights other than 0, or infinity */
    bool scales;             /* floating-point weights become integers by a scale */
    struct scale scale;      /* the smallest such scale */
    uint64_t sum; /* of the edges as the source has them, whatever their order; where edges->summed
                     says so */
};

/* The weights become whole by that scale, here and in the edges; or again what they were. */
void edge_scan_scale(struct edge_scan *scan, struct edges *edges);
void edge_scan_unscale(struct edge_scan *scan, struct edges *edges);

/* After edge_scan_scale: the weights become keys of the graph's algebra, here and in the edges.
 * Local, with the same result on all ranks. APSP_INPUT: they have none. */
int edge_scan_key(struct edge_scan *scan, struct edges *edges, struct apsp_error *error);
/* Whether weights may become whole by their scale before they become keys. */
bool edge_scan_may_scale(const struct edge_scan *scan, const struct algebra *algebra);

/*
 * Collective over edges->comm: every rank reads its part of the graph once, with its threads, and
 * counts. It retains the edges if there is room (edges.h). Makes graph->m exact, and compares with
 * the header. The caller sets graph, comm, threads and room of zeroed edges, and frees them in any
 * case. Ends in agreement: APSP_INPUT, APSP_IO (also when the file has been written to since it was
 * opened), APSP_MEMORY.
 */
int edge_scan_take(struct edge_scan *scan, struct edges *edges, struct apsp_error *error);

/* The scan of a part of the edges; for edge_scan_take and csr_rows_take. */
struct edge_scan_part {
    struct edge_scan scan;
    struct scale_finder finder;
};

static inline bool edge_scan_less(bool real, union value a, union value b)
{
    return real ? a.real < b.real : a.whole < b.whole;
}

/* Begins a part; adds an edge to it; adds another part; and ends with the scan of all ranks.
 * edge_scan_end is collective, without agreement. */
struct edge_scan_part edge_scan_begin(const struct graph *graph);
static inline void edge_scan_see(struct edge_scan_part *part, const struct edge *edge, bool real)
{
    struct edge_scan *scan = &part->scan;
    const bool loop = edge->from == edge->to;
    scan->edges++;
    scan->loops += loop;
    if (loop && scan->keyed)
        return;
    if (edge_scan_less(real, edge->weight, scan->least))
        scan->least = edge->weight;
    if (!loop && edge_scan_less(real, scan->most, edge->weight))
        scan->most = edge->weight;
    if (real)
        scale_find(&part->finder, edge->weight.real);
}
void edge_scan_add(struct edge_scan_part *part, const struct edge_scan_part *other);
void edge_scan_end(struct edge_scan *scan, struct edge_scan_part *part, struct edges *edges);

/* Whether some weight is below 0. */
static inline bool edge_scan_is_negative(const struct edge_scan *scan)
{
    return scan->real ? scan->least.real < 0 : scan->least.whole < 0;
}

#endif
