#include "graph/census.h"

#include <limits.h>
#include <math.h>

static bool is_less(bool real, union value a, union value b)
{
    return real ? a.real < b.real : a.whole < b.whole;
}

/* What is known of a piece, or of a rank's part. */
struct part {
    struct census census;
    struct scale_finder finder;
};

static void see_key(struct census *census, union value weight)
{
    const double value = census->real ? weight.real : (double)weight.whole, size = fabs(value);
    census->improbable |= !(value > 0 && value <= 1);
    census->finest = size > 0 && size < census->finest ? size : census->finest;
}

/* The edges of a piece as they come. */
static void see(void *self, const struct edge *list, size_t count)
{
    struct part *part = self;
    struct census *census = &part->census;
    census->edges += count;
    for (size_t e = 0; e < count; e++) {
        bool loop = list[e].from == list[e].to;
        census->loops += loop;
        if (census->keyed) {
            if (loop)
                continue;
            see_key(census, list[e].weight);
        }
        if (is_less(census->real, list[e].weight, census->least))
            census->least = list[e].weight;
        if (!loop && is_less(census->real, census->most, list[e].weight))
            census->most = list[e].weight;
        if (census->real)
            scale_find(&part->finder, list[e].weight.real);
    }
}

static void add(struct part *part, const struct part *other)
{
    struct census *census = &part->census;
    const struct census *piece = &other->census;
    scale_find_too(&part->finder, &other->finder);
    census->edges += piece->edges;
    census->loops += piece->loops;
    census->improbable |= piece->improbable;
    census->finest = fmin(census->finest, piece->finest);
    if (is_less(census->real, piece->least, census->least))
        census->least = piece->least;
    if (is_less(census->real, census->most, piece->most))
        census->most = piece->most;
}

/* Of several pieces that are wrong, the first tells. */
static void count_part(struct part *part, struct edges *edges, struct apsp_error *error)
{
    const struct part empty = *part;
    int pieces = edges->pieces, worst = pieces,
        threads = edges->threads < pieces ? edges->threads : pieces;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int p = 0; p < pieces; p++) {
        struct part piece = empty;
        struct apsp_error failure = {0};
        edges_read_piece(edges, p, see, &piece, &failure);
        piece.finder.none |= edges->piece[p].rough;
#pragma omp critical
        {
            add(part, &piece);
            if (failure.code && p < worst) {
                worst = p;
                *error = failure;
            }
        }
    }
}

static void sum_up(struct census *census, struct comm *comm)
{
    census->edges = comm_sum(comm, census->edges);
    census->loops = comm_sum(comm, census->loops);
    census->improbable = comm_sum(comm, census->improbable) > 0;
    census->finest = comm_min(comm, census->finest);
    if (census->real) {
        census->most.real = comm_max(comm, census->most.real);
        census->least.real = comm_min(comm, census->least.real);
    } else {
        census->most.whole = (int64_t)comm_most(comm, (size_t)census->most.whole);
        census->least.whole = (int64_t)(0 - comm_most(comm, 0 - (size_t)census->least.whole));
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

void census_scale(struct census *census, struct edges *edges)
{
    edges_scale(edges, &census->scale);
    census->least.whole = scale_whole(census->scale, census->least.real);
    census->most.whole = scale_whole(census->scale, census->most.real);
    census->real = false;
}

void census_unscale(struct census *census, struct edges *edges)
{
    edges_unscale(edges);
    census->least.real = scale_value(census->scale, census->least.whole);
    census->most.real = scale_value(census->scale, census->most.whole);
    census->real = true;
}

bool census_may_scale(const struct census *census, const struct algebra *algebra)
{
    const double range = census->most.real - census->least.real;
    if (algebra->kind == ALGEBRA_SHORTEST)
        return census->scales;
    return census->scales && algebra_combine(algebra) == COMBINE_MAX &&
           range * scale_factor(census->scale) < (double)scale_limit(census->scale);
}

int census_key(struct census *census, struct edges *edges, struct apsp_error *error)
{
    struct graph *graph = edges->graph;
    const char *name = algebra_name(graph->algebra.kind);
    const struct algebra_weights weights = {census->real,       census->least.whole,
                                            census->most.whole, census->least.real,
                                            census->most.real,  census->finest};
    if (graph->algebra.kind == ALGEBRA_RELIABLE && census->improbable)
        return error_set(error, APSP_INPUT,
                         "%s: --paths %s: some weight is not a probability above 0 and at most 1",
                         graph->path, name);
    if (!algebra_fit(&graph->algebra, &weights))
        return error_set(error, APSP_INPUT,
                         "%s: --paths %s: the weights are too far apart for the widest type",
                         graph->path, name);
    edges_key(edges);
    if (graph->algebra.kind == ALGEBRA_RELIABLE && census->real)
        census->most.real =
            isinf(census->finest) ? 0 : algebra_key_real(&graph->algebra, census->finest);
    else if (graph->algebra.kind != ALGEBRA_SHORTEST && census->real)
        census->most.real = fmax(census->most.real, -census->least.real);
    else if (graph->algebra.kind == ALGEBRA_RELIABLE)
        census->most.whole = 0;
    else
        census->most.whole -= census->least.whole;
    if (graph->algebra.kind != ALGEBRA_SHORTEST)
        census->least.whole = 0; /* a real 0, too */
    return APSP_OK;
}

int census_take(struct census *census, struct edges *edges, struct apsp_error *error)
{
    struct comm *comm = edges->comm;
    size_t records = 0, stored = 0, sum = 0;
    const struct graph *graph = edges->graph;
    struct part part = {{.real = graph->real,
                         .keyed = graph->algebra.kind != ALGEBRA_SHORTEST,
                         .finest = (double)INFINITY},
                        {.text = !graph->binary}};
    if (edges_start(edges, error) == APSP_OK)
        count_part(&part, edges, error);
    *census = part.census;
    if (!file_is_same(&graph->file) && (!error->code || error->code == APSP_INPUT))
        graph_changed(graph, error);
    if (comm_agree(comm, error))
        return error->code;
    edges->count = edges->parsed = census->edges;
    for (int p = 0; p < edges->pieces; p++) {
        records += edges->piece[p].records;
        stored += edges->piece[p].stored;
        sum += edges->piece[p].sum;
    }
    census->sum = comm_sum(comm, sum);
    edges->stored = comm_sum(comm, stored);
    sum_up(census, comm);
    census->scales = census->real && find_scale(&part.finder, comm, &census->scale);
    edges->graph->m = census->edges;
    return graph_check_records(edges->graph, comm_sum(comm, records), error);
}
