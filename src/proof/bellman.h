/*
 * Bellman and Ford's algorithm in one strongly connected component: from values that its vertices
 * have already, to the least that its edges allow, or to a negative cycle. The same results for any
 * number of threads.
 */
#ifndef BELLMAN_H
#define BELLMAN_H

#include "graph/component.h"

#define BELLMAN_NO_VERTEX UINT32_MAX

struct bellman {
    const struct csr *csr;
    const struct components *components;
    const union value *weight; /* of the edges, whole */
    int threads;
    int64_t *now; /* the values */
    int64_t *next;
    uint32_t *parent, *front, *changed, *mark;
    unsigned char *queued;
    size_t count, edges; /* vertices in front[], and their edges */
};

/* The caller sets csr, components, weight and threads of a zeroed one. APSP_MEMORY. Free in any
 * case. */
int bellman_open(struct bellman *bellman, struct apsp_error *error);
void bellman_free(struct bellman *bellman);
size_t bellman_need(size_t n); /* bytes */

/*
 * Lowers now[] of the vertices of component c along the edges between them. No simple path there
 * has led below `floor`, and twice that much must fit. Returns BELLMAN_NO_VERTEX, or a vertex on a
 * negative cycle; the one before v on it is then parent[v].
 */
uint32_t bellman_run(struct bellman *bellman, size_t c, int64_t floor);

#endif
