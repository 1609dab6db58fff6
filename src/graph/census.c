#include "graph/census.h"

static bool is_less(bool real, union value a, union value b)
{
    return real ? a.real < b.real : a.whole < b.whole;
}

/* The edges of a piece as they come. */
static void see(void *self, const struct edge *list, size_t count)
{
    struct census *census = self;
    census->edges += count;
    for (size_t e = 0; e < count; e++) {
        bool loop = list[e].from == list[e].to;
        census->loops += loop;
        if (is_less(census->real, list[e].weight, census->least))
            census->least = list[e].weight;
        if (!loop && is_less(census->real, census->most, list[e].weight))
            census->most = list[e].weight;
    }
}

static void add(struct census *census, const struct census *piece)
{
    census->edges += piece->edges;
    census->loops += piece->loops;
    if (is_less(census->real, piece->least, census->least))
        census->least = piece->least;
    if (is_less(census->real, census->most, piece->most))
        census->most = piece->most;
}

/* Of several pieces that are wrong, the first tells. */
static void count_part(struct census *census, struct edges *edges, struct apsp_error *error)
{
    int pieces = edges->pieces, worst = pieces, threads = edges->threads < pieces ? edges->threads : pieces;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int p = 0; p < pieces; p++) {
        struct census piece = {.real = census->real};
        struct apsp_error failure = {0};
        edges_read_piece(edges, p, see, &piece, &failure);
#pragma omp critical
        {
            add(census, &piece);
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
    if (census->real) {
        census->most.real = comm_max(comm, census->most.real);
        census->least.real = -comm_max(comm, -census->least.real);
    } else {
        census->most.whole = (int64_t)comm_most(comm, (size_t)census->most.whole);
        census->least.whole = (int64_t)(0 - comm_most(comm, 0 - (size_t)census->least.whole));
    }
}

int census_take(struct census *census, struct edges *edges, struct apsp_error *error)
{
    struct comm *comm = edges->comm;
    size_t records = 0, stored = 0;
    *census = (struct census){.real = edges->graph->real};
    if (edges_start(edges, error) == APSP_OK)
        count_part(census, edges, error);
    if (comm_agree(comm, error))
        return error->code;
    edges->count = edges->parsed = census->edges;
    for (int p = 0; p < edges->pieces; p++) {
        records += edges->piece[p].records;
        stored += edges->piece[p].stored;
    }
    edges->stored = comm_sum(comm, stored);
    sum_up(census, comm);
    edges->graph->m = census->edges;
    return graph_check_records(edges->graph, comm_sum(comm, records), error);
}
