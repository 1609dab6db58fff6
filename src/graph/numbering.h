/*
 * Vertex numbering: which number each vertex of a file gets. Vertices are numbers as they stand in
 * the file if these use at least half of those up to the largest; otherwise they have names and are
 * numbered as these appear, or in their order. Lists, GML and GraphML use it.
 */
#ifndef NUMBERING_H
#define NUMBERING_H

#include "graph/fields.h"

/* Vertices that are numbers, as long as nothing but small ones is seen. */
struct numbering {
    uint64_t *bit; /* of NAMES_MAX */
    size_t count;  /* different numbers */
    int64_t least, most;
    bool fail; /* something else has been seen */
};

/* A zeroed bit for each number. False without memory. */
bool numbering_open(struct numbering *numbering);
void numbering_close(struct numbering *numbering); /* the bits alone go */
/* A number is a name that is printed as it stands in the file. */
void numbering_see(struct numbering *numbering, const struct field *field);
/* Vertices become numbers up to `last`; a note tells how many have no edge. */
void numbering_take(const struct numbering *numbering, struct graph *graph, size_t last);
/* Whether the numbers that were seen are dense enough, and become the vertices'. */
bool numbering_use(const struct numbering *numbering, struct graph *graph);

/* After the last name of graph->names, NULL for none: the number of vertices, and what they are
 * called. `number` gets that of each in the order of names, for mem_free, or NULL if it is the one
 * it had. APSP_MEMORY. */
int numbering_settle(struct graph *graph, uint32_t **number, struct apsp_error *error);
/* Names that are numbers one after the other from 0 or 1, in this order, go. */
void numbering_drop(struct graph *graph);

/* The vertex of a field; false: it is none. */
bool numbering_find(const struct graph *graph, const struct field *field, uint32_t *vertex);

#endif
