/* Entries of the caller's arrays; for the sources that are arrays alone. */
#ifndef ARRAY_H
#define ARRAY_H

#include "base/range.h"
#include "graph/graph.h"

/* APSP_USAGE unless there are vertices or places, of `count` entries: `what` in messages. */
int array_check_whole(const struct apsp_array *array, size_t count, const char *what,
                      struct apsp_error *error);
/* The same for weights, which may be left out. */
int array_check_weight(const struct apsp_array *array, struct apsp_error *error);
bool array_is_real(const struct apsp_array *array);

/* Entry i of integers; one below 0 is very large. */
uint64_t array_whole(const struct apsp_array *array, size_t i);

/* Entry i of weights as it is, 1 where they are left out; and whether that may be one. */
union value array_value(const struct apsp_array *array, size_t i);
bool array_is_weight(const struct apsp_array *array, union value value);

/* Entry e as a vertex, and as a weight. APSP_INPUT. */
int array_vertex(const struct graph *graph, const struct apsp_array *array, size_t e,
                 uint32_t *vertex, struct apsp_error *error);
int array_weight(const struct graph *graph, const struct apsp_array *array, size_t e,
                 union value *weight, struct apsp_error *error);

/* The first entries of integers, and a range of vertices and of weights, one after the other.
 * False: some entry is none, of which array_vertex or array_weight tells. */
void array_copy_whole(const struct apsp_array *array, size_t count, size_t *out);
bool array_copy_vertices(const struct graph *graph, const struct apsp_array *array,
                         struct range range, uint32_t *out);
bool array_copy_weights(const struct apsp_array *array, struct range range, union value *out);

/* The rows of a graph that graph_csr has opened; NULL: another one. */
const struct apsp_csr *graph_rows(const struct graph *graph);

/* Lets graph_arrays, graph_csr and graph_matrix begin: names the graph and checks n. APSP_INPUT. */
int array_start(struct graph *graph, const struct graph_source *source, size_t n,
                struct apsp_error *error);

#endif
