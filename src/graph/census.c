#include "graph/census.h"

#include <math.h>

/* A rank's part of the file is counted in pieces of about so many bytes, by its threads in turn. */
enum { BATCH = 1024, PIECE = 4 << 20, PIECES = 256 };

static void count_edge(struct census *census, const struct edge *edge, bool real)
{
    bool loop = edge->from == edge->to;
    census->loops += loop;
    if (real) {
        if (edge->real < census->least_real)
            census->least_real = edge->real;
        if (edge->real > census->most_real && !loop)
            census->most_real = edge->real;
        return;
    }
    if (edge->weight < census->least)
        census->least = edge->weight;
    if (edge->weight > census->most && !loop)
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
            count_edge(census, &batch[e], graph->real);
    }
    graph_part_free(part);
}

static void add(struct census *census, const struct census *piece)
{
    census->edges += piece->edges;
    census->loops += piece->loops;
    census->most = piece->most > census->most ? piece->most : census->most;
    census->least = piece->least < census->least ? piece->least : census->least;
    census->most_real = fmax(census->most_real, piece->most_real);
    census->least_real = fmin(census->least_real, piece->least_real);
}

/* Of several pieces that are wrong, the first tells. */
static void count_part(struct census *census, const struct graph *graph, const struct comm *comm, int threads,
                       struct apsp_error *error)
{
    size_t wanted = graph->bytes / (size_t)comm->ranks / PIECE;
    int pieces = wanted < 1 ? 1 : wanted < PIECES ? (int)wanted : PIECES, worst = pieces;
#pragma omp parallel for schedule(dynamic) num_threads(threads < pieces ? threads : pieces)
    for (int p = 0; p < pieces; p++) {
        struct census piece = {0};
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
    *census = (struct census){0};
    count_part(census, graph, comm, threads, error);
    if (comm_agree(comm, error))
        return error->code;
    census->edges = comm_sum(comm, census->edges);
    census->loops = comm_sum(comm, census->loops);
    census->most = (int64_t)comm_most(comm, (size_t)census->most);
    census->least = (int64_t)(0 - comm_most(comm, 0 - (size_t)census->least));
    census->most_real = comm_max(comm, census->most_real);
    census->least_real = -comm_max(comm, -census->least_real);
    return graph_check_total(graph, census->edges, error);
}
