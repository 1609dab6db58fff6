/* GraphML: what its readers share, and the places of its vertices. */
#ifndef GRAPHML_H
#define GRAPHML_H

#include "graph/graph.h"

/* Names of coordinates, in any letter case; an earlier one has precedence. */
#define PLACES_X "x lon lng long longitude"
#define PLACES_Y "y lat latitude"

/* The local name of an element of GraphML, whatever its version, or of no namespace; else "". */
const char *graphml_name(const char *name);

/*
 * Sets x[v] and y[v], which are NAN before, for each vertex v of `graph` to which the GraphML file
 * gives both: in attributes of its vertices that are called so. They are found by their ids, or by
 * the attribute that the graph's label_key names, where they have it. Vertices that the graph has
 * not are skipped. `about` gets the attributes, in words. APSP_INPUT: the file is wrong, has no
 * such attributes, or a value that is no finite number; APSP_IO without expat; APSP_MEMORY.
 */
int graphml_places(const struct file *file, const struct graph *graph, double *x, double *y,
                   char about[GRAPH_ABOUT], struct apsp_error *error);

#endif
