#include "graph/census.h"

/* A rank's part of the file is counted in pieces of about so many bytes, by its threads in turn. */
enum { BATCH = 1024, PIECE = 4 << 20, PIECES = 256 };

static bool is_less(bool real, union value a, union value b)
{
    return real ? a.real < b.real : a.whole < b.whole;
}

static void count_edge(struct census *census, const struct edge *edge)
{
    bool loop = edge->from == edge->to;
    census->loops += loop;
    if (is_less(census->real, edge->weight, census->least))
        census->least = edge->weight;
    if (!loop && is_less(census->real, census->most, edge->weight))
        census->most = edge->weight;
}

static void count_piece(struct census *census, const struct graph *graph, int index, int pieces,
                        struct apsp_error *error)
{
    struct edge batch[BATCH];
    size_t count = 0;
    struct graph_part *part = graph_part_open(graph, index, pieces);
    if (!part) {
        error_set(error, APSP_MEMORY, "no memory to read %s", graph->path);
        return;
    }
    while (graph_part_next(part, batch, BATCH, &count, error) == APSP_OK && count > 0) {
        census->edges += count;
        for (size_t e = 0; e < count; e++)
            count_edge(census, &batch[e]);
    }
    graph_part_free(part);
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
static void count_part(struct census *census, const struct graph *graph, const struct comm *comm, int threads,
                       struct apsp_error *error)
{
    size_t wanted = graph->bytes / (size_t)comm->ranks / PIECE;
    int pieces = wanted < 1 ? 1 : wanted < PIECES ? (int)wanted : PIECES, worst = pieces;
#pragma omp parallel for schedule(dynamic) num_threads(threads < pieces ? threads : pieces)
    for (int p = 0; p < pieces; p++) {
        struct census piece = {.real = graph->real};
        struct apsp_error failure = {0};
        count_piece(&piece, graph, comm->rank * pieces + p, comm->ranks * pieces, &failure);
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

int census_take(struct census *census, const struct graph *graph, struct comm *comm, int threads,
                struct apsp_error *error)
{
    *census = (struct census){.real = graph->real};
    count_part(census, graph, comm, threads, error);
    if (comm_agree(comm, error))
        return error->code;
    census->edges = comm_sum(comm, census->edges);
    census->loops = comm_sum(comm, census->loops);
    if (census->real) {
        census->most.real = comm_max(comm, census->most.real);
        census->least.real = -comm_max(comm, -census->least.real);
    } else {
        census->most.whole = (int64_t)comm_most(comm, (size_t)census->most.whole);
        census->least.whole = (int64_t)(0 - comm_most(comm, 0 - (size_t)census->least.whole));
    }
    return graph_check_total(graph, census->edges, error);
}
