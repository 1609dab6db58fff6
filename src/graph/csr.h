/*
 * A whole graph in the memory of one rank, its edges sorted by their tails (compressed sparse
 * rows). The edges of vertex u are at [start[u], start[u + 1]), in the order of the source, or
 * ordered (proof/search.h); parallel edges are all there.
 */
#ifndef CSR_H
#define CSR_H

#include "base/algebra.h"
#include "graph/edges.h"

struct csr {
    size_t n, m; /* vertices, edges kept */
    bool real, ordered;
    bool returns;           /* as that of the graph */
    struct algebra algebra; /* whose keys the weights are */
    size_t *start;          /* n + 1 */
    uint32_t *to;
    union value *weight; /* never -0.0 */
};

/* The weight of edge e as a real number. */
static inline double csr_real(const struct csr *csr, size_t e)
{
    return csr->real ? csr->weight[e].real : (double)csr->weight[e].whole;
}

/*
 * All edges of the graph, after its edge scan: each rank passes its own to the others. Loops are
 * left out, but for negative ones: each of those is a cycle of one vertex; or all are there
 * (edges->loops). Collective over edges->comm; a rank that has no use for the graph (wanted is
 * false) helps, for which it takes csr_need(n, 0) bytes, and gets an empty one. Ends in agreement:
 * APSP_MEMORY, and what edges_next returns. Free in any case.
 */
int csr_load(struct csr *csr, struct edges *edges, bool wanted, struct apsp_error *error);

/* Whether there are edges, and all have one weight. */
bool csr_is_equal(const struct csr *csr);

/* Whether the least weight from u to v is that from v to u, for all of them. Each edge takes a look
 * through two lists, so a graph with a vertex of more edges than MUTUAL_MOST is never said to be
 * so. Nor is one of real weights. All ranks that have the graph say the same. */
enum { MUTUAL_MOST = 32 };
bool csr_is_mutual(const struct csr *csr, int threads);

/*
 * The same where lists ascend, of any degrees and weights, by one thread. Tails come in their
 * order, so in the list of each head the next one that has not been met is the tail. `next` has
 * room for n numbers.
 */
bool csr_leads_back(const struct csr *csr, size_t *next);

/* Every edge reversed: those at v are the ones that lead to v. APSP_MEMORY. Free in any case.
 */
int csr_transpose(struct csr *transposed, const struct csr *csr, struct apsp_error *error);

/* For csr_load and csr_rows_take: room for m edges of the graph. APSP_MEMORY. */
int csr_open(struct csr *csr, const struct graph *graph, size_t m, struct apsp_error *error);

/* Makes real weights whole by that scale, in place. */
void csr_scale(struct csr *csr, struct scale scale);

/* Makes whole weights real, in place: what they are, or were before that scale. */
void csr_convert(struct csr *csr, struct scale scale);

void csr_free(struct csr *csr); /* a zeroed one is allowed */

/* Bytes of one graph of n vertices and m edges; SIZE_MAX when they do not fit a size_t. */
size_t csr_need(size_t n, size_t m);

/* Bytes beyond the graph that csr_load takes where edges are kept on one rank. */
size_t csr_loading(const struct edges *edges);

#endif
