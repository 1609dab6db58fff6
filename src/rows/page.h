/*
 * A page of statistics for people: one file of HTML, with its data, drawings and script in it. It
 * has the histogram of distances, the distribution of each centrality, closeness against
 * betweenness, and the first vertices by each centrality. Its size does not grow with the graph.
 */
#ifndef PAGE_H
#define PAGE_H

#include "rows/stats.h"

struct page {
    const struct apsp_stats *stats; /* With a histogram. */
    struct labels labels;
    const char *graph;         /* Its path. */
    const double *betweenness; /* The value of each vertex of the graph; NULL: there is none. */
    const char *without;       /* The reason why there is no betweenness. */
};

/* Bytes that the making of a page takes. */
size_t page_need(size_t rows);

/* Writes it into the staged file. APSP_IO, APSP_MEMORY. */
int page_write(struct staged *staged, const struct page *page, struct apsp_error *error);

/* The lines of the page before its data and behind them, up to NULL. */
extern const char *const page_head[], *const page_tail[];

#endif
