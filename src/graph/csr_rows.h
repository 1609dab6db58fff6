/*
 * A graph that is rows in the caller's memory already: its arrays become the CSR in one pass, which
 * is the edge scan, too. No edge is retained beside the CSR.
 */
#ifndef CSR_ROWS_H
#define CSR_ROWS_H

#include "graph/csr.h"
#include "graph/edge_scan.h"

/* Whether csr_rows_take can make the CSR of this graph: one rank has it as rows in memory, and no
 * option or algebra changes edges, but for weights that are all 1. */
bool csr_rows_are_there(const struct graph *graph, const struct comm *comm);

/*
 * In place of edge_scan_take and csr_load. Every entry is read from the caller's arrays once, and
 * checked. The CSR takes csr_need(n, m) bytes. The edges are as edge_scan_take leaves those
 * that are not kept. APSP_INPUT, APSP_MEMORY, APSP_CANCELLED. Free the CSR in any case.
 */
int csr_rows_take(struct csr *csr, struct edge_scan *scan, struct edges *edges,
                  struct apsp_error *error);

#endif
