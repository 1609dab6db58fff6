#include "cli/subject.h"

#include "base/mem.h"
#include "base/text.h"
#include "graph/edge_scan.h"
#include "proof/search.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

/* What one process copies the others would not see. */
static int check_path(const struct comm *comm, const char *path, struct apsp_error *error)
{
    struct stat status;
    bool stream = strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
    if (comm->ranks == 1 || !stream)
        return APSP_OK;
    return error_set(error, APSP_USAGE,
                     "%s: several ranks read DISTANCES from a file, not from a pipe", path);
}

int subject_open(struct subject *subject, const char *graph, const char *distances,
                 const struct subject_options *options, struct apsp_error *error)
{
    struct comm *comm = subject->comm;
    subject->reported = options->reported;
    subject->algebra = algebra_find(options->paths);
    signal(SIGXFSZ, SIG_IGN); /* a copy that grows too large is an error like any other */
    if (graph_open_together(&subject->graph, graph, &options->graph, comm, error) == APSP_OK &&
        (comm->rank == 0 || !subject->graph.names ||
         names_index(subject->graph.names, error) == APSP_OK) &&
        check_path(comm, distances, error) == APSP_OK)
        distances_open(&subject->distances, distances, &subject->graph, &options->distances, error);
    if (error->code == APSP_INPUT && subject->distances.graph &&
        text_has_suffix(graph, ".npy .npz")) {
        const struct apsp_error cause = *error;
        *error = (struct apsp_error){0};
        error_set(error, cause.code, "%s; GRAPH comes before DISTANCES", cause.text);
    }
    return comm_agree(comm, error);
}

/* Whether a search finds rows, or the part that the file does not have. */
static bool needs_search(const struct subject *subject)
{
    const struct distances *distances = &subject->distances;
    return !distances_are_natural(distances) || (distances->real && exact_searches(distances));
}

/* *room: what is left for edges. */
static int check_memory(const struct subject *subject, size_t beside, size_t *room,
                        struct apsp_error *error)
{
    const size_t n = subject->graph.n, m = subject->graph.m,
                 limit = mem_node_limit() / (size_t)subject->comm->machine_ranks;
    char needed[TEXT_NUMBER], available[TEXT_NUMBER];
    size_t need;
    mem_add(&need, csr_need(n, m), beside);
    if (subject->distances.real)
        mem_add(&need, need, mem_bytes(m, sizeof(union value)));
    if (subject->distances.real || needs_search(subject))
        mem_add(&need, need, mem_bytes(2, potential_need(n, m, true)));
    *room = need < limit ? limit - need : 0;
    if (need > limit)
        error_set(error, APSP_MEMORY,
                  "%s: %zu vertices and %zu edges need %s of memory, and %s are available",
                  subject->graph.path, n, m, text_bytes(needed, need),
                  text_bytes(available, limit));
    return comm_agree(subject->comm, error);
}

/* Whole distances have the file's scale, and so must weights; for real ones the least will do. */
static int choose_scale(const struct subject *subject, struct edge_scan *scan, struct edges *edges,
                        struct apsp_error *error)
{
    const struct distances *distances = &subject->distances;
    const struct scale scale = distances->scale;
    const double most = fmax(scan->most.real, -scan->least.real);
    char what[SCALE_TEXT + 20] = "integers";
    bool fits = !distances->multiples;
    if (scan->real && !distances->real)
        fits = scan->scales && scale_refines(scale, scan->scale) &&
               most * scale_factor(scale) <= (double)scale_limit(scale);
    if (distances->multiples)
        snprintf(what, sizeof what, "multiples of 1/%s", scale_print(scale, (char[SCALE_TEXT]){0}));
    if (!fits && !distances->multiples)
        return error_set(error, APSP_INPUT,
                         "%s: holds %s, which the weights of %s are not; give the divisor in "
                         "%s.scale or by --scale",
                         distances->file.path, what, subject->graph.path, distances->file.path);
    if (!fits)
        return error_set(error, APSP_INPUT, "%s: holds %s, which the weights of %s are not",
                         distances->file.path, what, subject->graph.path);
    if (scan->real && !distances->real)
        scan->scale = scale;
    if (scan->real &&
        (distances->real ? edge_scan_may_scale(scan, &subject->graph.algebra) : scan->scales))
        edge_scan_scale(scan, edges);
    return APSP_OK;
}

/* None if there is a negative cycle: the certificate takes no row that it concerns, but a search
 * has no end.
 */
static int find_potential(const struct subject *subject, const struct csr *edges,
                          struct potential *potential, int threads, struct apsp_error *error)
{
    struct cycle cycle;
    potential_find(potential, &cycle, edges, threads, error);
    if (cycle.length > 0 && needs_search(subject))
        error_set(error, APSP_CYCLE, "%s: has a negative cycle of %zu vertices, and no distances",
                  subject->graph.path, cycle.length);
    cycle_free(&cycle);
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

/* Real distances: the weights become real, and whole ones are beside them, unless they can serve as
 * both. */
static int split_edges(struct subject *subject, struct scale scale, int threads,
                       struct apsp_error *error)
{
    struct csr *edges = &subject->edges, *whole = &subject->whole;
    if (!edges->real) {
        *whole = *edges;
        if (scale_factor(scale) != 1 || !stays_whole(edges)) {
            subject->weights = mem_alloc(mem_bytes(edges->m, sizeof *edges->weight));
            if (!subject->weights)
                return error_set(error, APSP_MEMORY, "no memory to hold a graph of %zu edges",
                                 edges->m);
            whole->weight =
                memcpy(subject->weights, edges->weight, edges->m * sizeof *edges->weight);
            csr_convert(edges, scale);
        }
        subject->exact.certificate = (struct certificate){
            .edges = whole, .labels = graph_labels(&subject->graph), .scale = scale};
        if (exact_searches(&subject->distances) &&
            find_potential(subject, whole, &subject->exact.potential, threads, error))
            return error->code;
    }
    return APSP_OK;
}

/* What rows are held against. */
static int make_certificate(struct subject *subject, struct scale scale, int threads,
                            struct apsp_error *error)
{
    subject->certificate = (struct certificate){.edges = &subject->edges,
                                                .labels = graph_labels(&subject->graph),
                                                .scale = subject->distances.scale};
    if (subject->distances.real && split_edges(subject, scale, threads, error))
        return error->code;
    subject->certificate.potential = &subject->potential;
    if ((subject->distances.real || needs_search(subject)) &&
        find_potential(subject, &subject->edges, &subject->potential, threads, error))
        return error->code;
    if (potential_reach(&subject->potential) == 0)
        potential_free(&subject->potential);
    if (subject->edges.real && !subject->whole.start) /* which would share the order */
        search_order(&subject->edges, &subject->potential, threads);
    return APSP_OK;
}

int subject_load(struct subject *subject, size_t beside, int threads, struct apsp_error *error)
{
    struct comm *comm = subject->comm;
    struct edge_scan scan;
    subject->graph.algebra = (struct algebra){.kind = subject->algebra};
    struct edges edges = {.graph = &subject->graph, .comm = comm, .threads = threads};
    if (check_memory(subject, beside, &edges.room, error))
        return error->code;
    if (edge_scan_take(&scan, &edges, error) == APSP_OK &&
        choose_scale(subject, &scan, &edges, error) == APSP_OK &&
        edge_scan_key(&scan, &edges, error) == APSP_OK)
        csr_load(&subject->edges, &edges, true, error);
    edges_free(&edges);
    if (error->code)
        return error->code;
    make_certificate(subject, subject->graph.scaled ? scan.scale : (struct scale){0}, threads,
                     error);
    return comm_agree(comm, error);
}

const char *subject_hint(const struct subject *subject)
{
    const struct graph_options *options = &subject->graph.options;
    const bool changed = options->undirected || options->directed || options->reverse ||
                         options->unweighted || options->largest || options->parallel ||
                         options->columns || options->weight_key || options->sorted ||
                         options->no_edge || options->oneway || options->label_key ||
                         options->format;
    return changed || subject->reported
               ? ""
               : "; give the options with which apsp read GRAPH here too, such as --undirected, or "
                 "its report with --report";
}

void subject_free(struct subject *subject)
{
    potential_free(&subject->potential);
    potential_free(&subject->exact.potential);
    mem_free(subject->weights);
    csr_free(&subject->edges);
    distances_close(&subject->distances);
    graph_close(&subject->graph);
    comm_free(subject->comm);
}
