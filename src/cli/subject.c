#include "cli/subject.h"

#include "base/mem.h"
#include "graph/census.h"
#include "proof/potential.h"

int subject_open(struct subject *subject, const char *graph, const struct graph_options *input,
                 const char *distances, struct apsp_error *error)
{
    if (comm_solo(&subject->comm, error) == APSP_OK &&
        graph_open(&subject->graph, graph, input, true, error) == APSP_OK)
        matrix_open(&subject->distances, distances, &subject->graph, error);
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
    csr_convert(&subject->edges, (struct scale){0});
    return potential_find_reach(&subject->certificate.reach, &subject->edges, threads, error);
}

void subject_free(struct subject *subject)
{
    csr_free(&subject->edges);
    matrix_close(&subject->distances);
    graph_close(&subject->graph);
    comm_free(subject->comm);
}
