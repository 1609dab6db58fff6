/*
 * The strongly connected components of a graph, numbered so that every edge leads from a component
 * to one of the same or a lower number. The vertices of component c are member[first[c] .. first[c
 * + 1]).
 */
#ifndef COMPONENT_H
#define COMPONENT_H

#include "graph/csr.h"

struct components {
    size_t n, count;
    uint32_t *of;     /* of each vertex */
    uint32_t *member; /* n */
    uint32_t *first;  /* n + 1, of which count + 1 are used */
};

/* APSP_MEMORY. Free in any case. */
int components_find(struct components *components, const struct csr *csr, struct apsp_error *error);
void components_free(struct components *components);
size_t components_need(size_t n); /* bytes, with the work space */

#endif
