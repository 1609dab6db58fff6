/* The edges and the certificate of a solution; and the rows that tables and pairs are taken from,
 * proved right as the options' verify asks for. */
#include "library/library.h"
#include "proof/search.h"
#include "solve/estimate.h"

#include <stdatomic.h>
#include <stdlib.h>

struct library_certifier {
    struct certificate certificate;
    size_t n, wanted; /* Vertices; rows to certify. */
    struct certify_space *lane[SINK_LANES];
    atomic_size_t begun, done; /* Rows that have been taken up, and those found right. */
};

struct certificate library_certificate(const struct apsp_solution *solution)
{
    struct certificate certificate = solution->solver->sink_task.certificate;
    certificate.edges = solution->edges;
    return certificate;
}

int library_edges(struct apsp_solution *solution, struct apsp_error *error)
{
    struct solver *solver = solution->solver;
    struct edge_scan scan;
    struct edges edges = {.graph = &solver->problem.graph,
                          .comm = solver->comm,
                          .threads = solver->task.threads,
                          .room = estimate_room(solver)};
    if (solution->edges)
        return APSP_OK;
    if (solver->problem.csr.start) {
        solution->edges = &solver->problem.csr;
        return APSP_OK;
    }
    if (edge_scan_take(&scan, &edges, error) == APSP_OK)
        csr_load(&solution->csr, &edges, true, error);
    edges_free(&edges);
    if (error->code) {
        csr_free(&solution->csr);
        return error->code;
    }
    if (dtype_info[solver->problem.proof.dtype].real) {
        csr_convert(&solution->csr, (struct scale){0});
        search_order(&solution->csr, &solver->problem.proof.potential, solver->task.threads);
    }
    solution->edges = &solution->csr;
    return APSP_OK;
}

/* An engine that has the matrix gives out what was certified after solving. */
static size_t wanted_rows(const struct apsp_solution *solution)
{
    const struct solver *solver = solution->solver;
    return solver->plan.row_work > 0 ? solver->sink_task.results->verify : 0;
}

int library_certifier_open(struct library_certifier **out, struct apsp_solution *solution,
                           struct apsp_error *error)
{
    const size_t wanted = wanted_rows(solution);
    struct library_certifier *certifier = wanted > 0 ? calloc(1, sizeof *certifier) : NULL;
    *out = certifier;
    if (wanted == 0)
        return APSP_OK;
    if (!certifier)
        error_set(error, APSP_MEMORY, "no memory to verify on %s", solution->solver->comm->host);
    if (comm_agree(solution->solver->comm, error) || library_edges(solution, error))
        return error->code;
    certifier->certificate = library_certificate(solution);
    certifier->n = solution->facts.vertices;
    certifier->wanted = wanted;
    return APSP_OK;
}

int library_certify(struct library_certifier *certifier, int lane, const struct block *block,
                    size_t k, struct apsp_error *error)
{
    char why[CERTIFY_WHY];
    if (!certifier || atomic_fetch_add(&certifier->begun, 1) >= certifier->wanted)
        return APSP_OK;
    struct certify_space **space = &certifier->lane[lane];
    if (!*space && !(*space = certify_space_new(certifier->n, block->dtype)))
        return error_set(error, APSP_MEMORY, "no memory to verify rows of %zu distances",
                         certifier->n);
    if (!certify_row(&certifier->certificate, *space, block_source(block, k), block_row(block, k),
                     NULL, why))
        return error_set(error, APSP_REFUTED, "verification FAILED: %s", why);
    certifier->done++;
    return APSP_OK;
}

void library_certifier_close(struct library_certifier *certifier, struct apsp_solution *solution)
{
    if (wanted_rows(solution) > 0)
        solution->facts.verified +=
            comm_sum(solution->solver->comm, certifier ? atomic_load(&certifier->done) : 0);
    for (int lane = 0; certifier && lane < SINK_LANES; lane++)
        certify_space_free(certifier->lane[lane]);
    free(certifier);
}
