/*
 * The certificate of a row of distances, in O(n + m), independent of the way the row was computed:
 *   D[i][i] = 0;  D[i][v] <= D[i][u] + w for every edge (u, v, w) with D[i][u] finite;  and every finite v is
 * reached from i by a breadth-first search over tight edges, those with D[i][v] == D[i][u] + w. The first two
 * make every distance at most the shortest; the last exhibits a path of exactly that length.
 */
#ifndef CERTIFY_H
#define CERTIFY_H

#include "graph.h"

/* The edges by their tails (compressed sparse rows): those of u are at [start[u], start[u+1]). */
struct certify_graph {
    size_t n, m;
    size_t *start;
    uint32_t *to;
    int32_t *weight;
};

/* Reads the whole graph. APSP_MEMORY, APSP_IO, APSP_INPUT. Free in any case. */
int certify_load(struct certify_graph *edges, const struct graph *graph, struct apsp_error *error);
void certify_free(struct certify_graph *edges);
size_t certify_need(size_t n, size_t m,
                    int threads); /* bytes of the above and of the work space of `threads` threads */

/* Work space for one thread: n + n/8 words. */
struct certify_space;
struct certify_space *certify_space_new(size_t n);
void certify_space_free(struct certify_space *space);

/*
 * True if `row` (n distances from vertex i) is right. Otherwise fills why (size bytes) with one line: row,
 * vertices, values, in the numbering of the file (first = 0 or 1).
 */
bool certify_row(const struct certify_graph *edges, size_t i, const int32_t *row, struct certify_space *space,
                 size_t first, char *why, size_t size);

/* The rows to check: `wanted` different ones of n, ascending, spread by a fixed seed; all if wanted >= n.
 * Returns how many; rows has room for min(wanted, n). */
size_t certify_choose(size_t *rows, size_t wanted, size_t n);

#endif
