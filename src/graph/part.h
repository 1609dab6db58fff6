/* What the readers of the formats share; for graph*.c and generate_file.c alone. */
#ifndef GRAPH_PART_H
#define GRAPH_PART_H

#include "graph/graph.h"

/*
 * A part of a graph's edges: the edges (records, lines) whose first byte lies at offset lo <= b < hi of the
 * file. The last one may reach beyond hi; one that began before lo is not of this part.
 */
struct graph_part {
    const struct graph *graph;
    size_t lo, hi;
    size_t at;         /* offset in the file of buffer[0]; lo before the first fill */
    size_t used, have; /* bytes of the buffer: done with, read; have < GRAPH_BUFFER */
    size_t delivered;  /* edges */
    bool has_twin;     /* of a symmetric file: this other half of the last edge is to come next */
    struct edge twin;
    unsigned char buffer[GRAPH_BUFFER];
};

extern const struct graph_format graph_course, graph_gr, graph_mtx;

/* The format of that name, or if name is NULL that of the path's suffix; NULL when there is none of the name.
 */
const struct graph_format *graph_format_find(const char *name, const char *path);

/* Moves the unused bytes to the front of the buffer and reads on until it is full or the file ends. APSP_IO.
 */
int graph_part_fill(struct graph_part *part, struct apsp_error *error);

/* Offset in the file of the next unused byte, and whether all the file has been read into the buffer. */
static inline size_t graph_part_offset(const struct graph_part *part)
{
    return part->at + part->used;
}

static inline bool graph_part_ends(const struct graph_part *part)
{
    return part->at + part->have == part->graph->bytes;
}

/* Reads exactly `bytes` bytes at `offset`. APSP_IO, also when the file has become shorter. */
int graph_read(const struct graph *graph, size_t offset, void *data, size_t bytes, struct apsp_error *error);

#endif
