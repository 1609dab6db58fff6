#include "graph/edge_scan.h"

#include "base/setting.h"

#include <limits.h>
#include <math.h>

static void see_key(struct edge_scan *scan, union value weight)
{
    const double value = scan->real ? weight.real : (double)weight.whole, size = fabs(value);
    scan->improbable |= !(value > 0 && value <= 1);
    scan->finest = size > 0 && size < scan->finest ? size : scan->finest;
}

/* The edges of a piece as they come. */
static void see(void *self, const struct edge *list, size_t count)
{
    struct edge_scan_part *part = self;
    struct edge_scan *scan = &part->scan;
    for (size_t e = 0; e < count; e++) {
        if (scan->keyed && list[e].from != list[e].to)
            see_key(scan, list[e].weight);
        edge_scan_see(part, &list[e], scan->real);
    }
}

struct edge_scan_part edge_scan_begin(const struct graph *graph)
{
    return (struct edge_scan_part){{.real = graph->real,
                                    .keyed = graph->algebra.kind != ALGEBRA_SHORTEST,
                                    .finest = (double)INFINITY},
                                   {.text = !graph->binary}};
}

void edge_scan_add(struct edge_scan_part *part, const struct edge_scan_part *other)
{
    struct edge_scan *scan = &part->scan;
    const struct edge_scan *piece = &other->scan;
    scale_find_too(&part->finder, &other->finder);
    scan->edges += piece->edges;
    scan->loops += piece->loops;
    scan->improbable |= piece->improbable;
    scan->finest = fmin(scan->finest, piece->finest);
    if (edge_scan_less(scan->real, piece->least, scan->least))
        scan->least = piece->least;
    if (edge_scan_less(scan->real, scan->most, piece->most))
        scan->most = piece->most;
}

/* Of several pieces that are wrong, the first tells. */
static void count_part(struct edge_scan_part *part, struct edges *edges, struct apsp_error *error)
{
    const struct edge_scan_part empty = *part;
    int pieces = edges->pieces, worst = pieces,
        threads = edges->threads < pieces ? edges->threads : pieces;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int p = 0; p < pieces; p++) {
        struct edge_scan_part piece = empty;
        struct apsp_error failure = {0};
        edges_read_piece(edges, p, see, &piece, &failure);
        piece.finder.none |= edges->piece[p].rough;
#pragma omp critical
        {
            edge_scan_add(part, &piece);
            if (failure.code && p < worst) {
                worst = p;
                *error = failure;
            }
        }
    }
}

static void sum_up(struct edge_scan *scan, struct comm *comm)
{
    scan->edges = comm_sum(comm, scan->edges);
    scan->loops = comm_sum(comm, scan->loops);
    scan->improbable = comm_sum(comm, scan->improbable) > 0;
    scan->finest = comm_min(comm, scan->finest);
    if (scan->real) {
        scan->most.real = comm_max(comm, scan->most.real);
        scan->least.real = comm_min(comm, scan->least.real);
    } else {
        scan->most.whole = (int64_t)comm_most(comm, (size_t)scan->most.whole);
        scan->least.whole = (int64_t)(0 - comm_most(comm, 0 - (size_t)scan->least.whole));
    }
}

/* Of the parts of all ranks. */
static bool find_scale(struct scale_finder *finder, struct comm *comm, struct scale *scale)
{
    finder->text = comm_sum(comm, !finder->text) == 0;
    finder->none = comm_sum(comm, finder->none) > 0;
    if (!finder->any)
        finder->lowest = INT_MAX;
    finder->lowest = -(int)comm_max(comm, -(double)finder->lowest);
    finder->any = comm_sum(comm, finder->any) > 0;
    finder->decimals = (int)comm_max(comm, (double)finder->decimals);
    finder->most = comm_max(comm, finder->most);
    return scale_found(finder, scale);
}

void edge_scan_end(struct edge_scan *scan, struct edge_scan_part *part, struct edges *edges)
{
    *scan = part->scan;
    sum_up(scan, edges->comm);
    scan->scales = scan->real && find_scale(&part->finder, edges->comm, &scan->scale);
    edges->graph->m = scan->edges;
}

void edge_scan_scale(struct edge_scan *scan, struct edges *edges)
{
    edges_scale(edges, &scan->scale);
    scan->least.whole = scale_whole(scan->scale, scan->least.real);
    scan->most.whole = scale_whole(scan->scale, scan->most.real);
    scan->real = false;
}

void edge_scan_unscale(struct edge_scan *scan, struct edges *edges)
{
    edges_unscale(edges);
    scan->least.real = scale_value(scan->scale, scan->least.whole);
    scan->most.real = scale_value(scan->scale, scan->most.whole);
    scan->real = true;
}

bool edge_scan_may_scale(const struct edge_scan *scan, const struct algebra *algebra)
{
    const double range = scan->most.real - scan->least.real;
    if (algebra->kind == ALGEBRA_SHORTEST)
        return scan->scales;
    return scan->scales && algebra_combine(algebra) == COMBINE_MAX &&
           range * scale_factor(scan->scale) < (double)scale_limit(scan->scale);
}

int edge_scan_key(struct edge_scan *scan, struct edges *edges, struct apsp_error *error)
{
    struct graph *graph = edges->graph;
    const char *name = algebra_name(graph->algebra.kind);
    const struct algebra_weights weights = {scan->real,       scan->least.whole, scan->most.whole,
                                            scan->least.real, scan->most.real,   scan->finest};
    if (graph->algebra.kind == ALGEBRA_RELIABLE && scan->improbable)
        return error_set(error, APSP_INPUT,
                         "%s: %s %s: some weight is not a probability above 0 and at most 1",
                         graph->path, SETTING(PATHS), name);
    if (!algebra_fit(&graph->algebra, &weights))
        return error_set(error, APSP_INPUT,
                         "%s: %s %s: the weights are too far apart for the widest type",
                         graph->path, SETTING(PATHS), name);
    edges_key(edges);
    if (graph->algebra.kind == ALGEBRA_RELIABLE && scan->real)
        scan->most.real = isinf(scan->finest) ? 0 : algebra_key_real(&graph->algebra, scan->finest);
    else if (graph->algebra.kind != ALGEBRA_SHORTEST && scan->real)
        scan->most.real = fmax(scan->most.real, -scan->least.real);
    else if (graph->algebra.kind == ALGEBRA_RELIABLE)
        scan->most.whole = 0;
    else if (!scan->real)
        scan->most.whole -= scan->least.whole;
    if (graph->algebra.kind != ALGEBRA_SHORTEST)
        scan->least.whole = 0; /* a real 0, too */
    return APSP_OK;
}

int edge_scan_take(struct edge_scan *scan, struct edges *edges, struct apsp_error *error)
{
    struct comm *comm = edges->comm;
    size_t records = 0, stored = 0, sum = 0;
    const struct graph *graph = edges->graph;
    struct edge_scan_part part = edge_scan_begin(graph);
    if (edges_start(edges, error) == APSP_OK)
        count_part(&part, edges, error);
    if (!file_is_same(&graph->file) && (!error->code || error->code == APSP_INPUT))
        graph_changed(graph, error);
    if (comm_agree(comm, error))
        return error->code;
    edges->count = edges->parsed = part.scan.edges;
    for (int p = 0; p < edges->pieces; p++) {
        records += edges->piece[p].records;
        stored += edges->piece[p].stored;
        sum += edges->piece[p].sum;
    }
    part.scan.sum = comm_sum(comm, sum);
    edges->stored = comm_sum(comm, stored);
    edge_scan_end(scan, &part, edges);
    return graph_check_records(edges->graph, comm_sum(comm, records), error);
}
