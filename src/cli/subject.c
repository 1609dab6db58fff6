#include "cli/subject.h"

#include "base/mem.h"
#include "graph/census.h"
#include "proof/potential.h"

#include <float.h>
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

/* No weight has more than the 53 bits of a double. */
static bool fits_double(const struct csr *edges)
{
    const int64_t most = INT64_C(1) << DBL_MANT_DIG;
    bool fits = !edges->real;
    for (size_t e = 0; fits && e < edges->m; e++)
        fits = edges->weight[e].whole >= -most && edges->weight[e].whole <= most;
    return fits;
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
    subject->certificate.whole = fits_double(&subject->edges);
    csr_convert(&subject->edges, (struct scale){0});
    return potential_find_reach(&subject->certificate.reach, &subject->edges, threads, error);
}

void subject_free(struct subject *subject)
{
    csr_free(&subject->edges);
    distances_close(&subject->distances);
    graph_close(&subject->graph);
    comm_free(subject->comm);
}
