#include "cli/subject.h"

#include "base/mem.h"
#include "graph/census.h"

#include <signal.h>

int subject_open(struct subject *subject, const char *graph, const char *distances,
                 const struct subject_options *options, struct apsp_error *error)
{
    signal(SIGXFSZ, SIG_IGN); /* a copy that grows too large is an error like any other */
    if (comm_solo(&subject->comm, error) == APSP_OK &&
        graph_open(&subject->graph, graph, &options->graph, true, error) == APSP_OK)
        distances_open(&subject->distances, distances, &subject->graph, &options->distances, error);
    return error->code;
}

/* Potentials of whole weights are exact, and cannot fail where no path leaves 62 bits. */
static bool stays_whole(const struct csr *edges)
{
    const int64_t most = ((INT64_C(1) << 62) - 1) / ((int64_t)edges->n + 1);
    bool stays = !edges->real;
    for (size_t e = 0; stays && e < edges->m; e++)
        stays = edges->weight[e].whole >= -most && edges->weight[e].whole <= most;
    return stays;
}

/* None if there is a negative cycle. */
static int find_potential(struct subject *subject, int threads, struct apsp_error *error)
{
    struct cycle cycle;
    if (!stays_whole(&subject->edges))
        csr_convert(&subject->edges, (struct scale){0});
    potential_find(&subject->potential, &cycle, &subject->edges, threads, error);
    cycle_free(&cycle);
    subject->certificate.potential = &subject->potential;
    subject->certificate.reach = potential_reach(&subject->potential);
    return error->code;
}

int subject_load(struct subject *subject, size_t beside, int threads, struct apsp_error *error)
{
    size_t n = subject->graph.n, m = subject->graph.m, need, limit = mem_node_limit();
    bool real = dtype_info[subject->distances.dtype].real;
    mem_add(&need, csr_need(n, m), beside);
    if (real)
        mem_add(&need, need, potential_need(n, m, true));
    if (need > limit)
        return error_set(error, APSP_MEMORY,
                         "%s: %zu vertices and %zu edges need %zu bytes of memory, and there are %zu",
                         subject->graph.path, n, m, need, limit);
    struct census census;
    struct edges edges = {
        .graph = &subject->graph, .comm = subject->comm, .threads = threads, .room = limit - need};
    if (census_take(&census, &edges, error) == APSP_OK)
        csr_load(&subject->edges, &edges, true, error);
    edges_free(&edges);
    subject->certificate =
        (struct certificate){.edges = &subject->edges, .labels = graph_labels(&subject->graph)};
    if (error->code || !real)
        return error->code;
    return find_potential(subject, threads, error);
}

void subject_free(struct subject *subject)
{
    potential_free(&subject->potential);
    csr_free(&subject->edges);
    distances_close(&subject->distances);
    graph_close(&subject->graph);
    comm_free(subject->comm);
}
