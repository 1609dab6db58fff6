#include "census.h"

enum { BATCH = 1024 };

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

static int count_part(struct census *census, const struct graph *graph, const struct comm *comm,
                      struct apsp_error *error)
{
    struct edge batch[BATCH];
    size_t count = 0;
    struct graph_part *part = graph_part_open(graph, comm->rank, comm->ranks);
    if (!part)
        return error_set(error, APSP_MEMORY, "no memory to read %s on %s", graph->path, comm->host);
    while (graph_part_next(part, batch, BATCH, &count, error) == APSP_OK && count > 0) {
        census->edges += count;
        for (size_t e = 0; e < count; e++)
            count_edge(census, &batch[e], graph->real);
    }
    graph_part_free(part);
    return error->code;
}

int census_take(struct census *census, const struct graph *graph, struct comm *comm, struct apsp_error *error)
{
    *census = (struct census){0};
    count_part(census, graph, comm, error);
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
