/*
 * Graph files. A format is one row of the table in graph.c: a name, a suffix, and two functions. The header
 * gives the size of the graph; the edges are then read in as many parts as there are ranks, each part
 * independently of the others.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include "base/error.h"
#include "base/value.h"

struct edge { /* vertices from 0 */
    uint32_t from, to;
    union value weight;
};

struct graph {
    const struct graph_format *format;
    const char *path; /* not owned */
    int fd;
    size_t bytes;    /* of the file */
    size_t n;        /* vertices, 1 .. 2^31 - 1 */
    size_t m;        /* edges that the header promises; a line that is two edges counts as two */
    size_t first;    /* number of the first vertex in the file: 0 or 1 */
    size_t body;     /* offset of the edges in the file */
    bool real;       /* weights are real numbers */
    bool unweighted; /* the file has no weights: all are 1 */
    bool symmetric;  /* a line is two edges, there and back, unless it is a loop */
};

/* Reads one part of the edges, in file order. */
struct graph_part;

struct graph_format {
    const char *name, *suffix; /* suffix "" is the default format */
    int (*header)(struct graph *graph, struct apsp_error *error);
    /*
     * Fills edges[0..room) with the next edges of the part; *count = 0 at its end. Weights are as in the
     * file, loops are passed on, vertices are checked. The part has room for a buffer of its own.
     */
    int (*next)(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                struct apsp_error *error);
};

/*
 * Opens the file, checks that it is a regular file, and reads its header. format NULL goes by the suffix.
 * Every rank may open the same file. Errors: APSP_USAGE (unknown format), APSP_IO, APSP_INPUT. graph_close
 * closes in any case.
 */
int graph_open(struct graph *graph, const char *path, const char *format, struct apsp_error *error);
void graph_close(struct graph *graph);

/*
 * Starts reading part `index` of `parts`; every byte of the body belongs to exactly one part. The caller
 * frees the part. NULL when memory is short. A part holds a buffer of GRAPH_BUFFER bytes and no more.
 */
enum { GRAPH_BUFFER = 1 << 20 };
struct graph_part *graph_part_open(const struct graph *graph, int index, int parts);
int graph_part_next(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                    struct apsp_error *error);
void graph_part_free(struct graph_part *part);

/* After all parts: did they hold `total` = m edges? (Text formats find out only now.) */
int graph_check_total(const struct graph *graph, size_t total, struct apsp_error *error);

/* The names of all formats, comma-separated, for messages and --help. */
const char *graph_format_names(void);

#endif
