/*
 * A graph is a source of edges: a file in one of several formats, a stream of bytes, or arrays in
 * memory. Its head tells the size; the edges are then read in as many parts as there are readers,
 * independently of one another, and again as often as need be. Read all edges through edges.h.
 *
 * If only one process can read a source, such as a pipe, the others follow: they know the header,
 * and have no edges.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include "base/algebra.h"
#include "base/hash.h"
#include "base/scale.h"
#include "base/value.h"
#include "graph/names.h"
#include "graph/options.h"

struct edge { /* vertices from 0 */
    uint32_t from, to;
    union value weight;
};

enum { GRAPH_ABOUT = 250, GRAPH_NOTES = 4 * GRAPH_ABOUT };

struct graph {
    const struct graph_source *source;
    const char *path;    /* its name in messages; not owned */
    size_t n;            /* vertices, 1 .. 2^31 - 1 */
    size_t m;            /* edges; no fewer than there are until edge_scan_take has counted them */
    size_t first;        /* number of the first vertex in the source: 0 or 1 */
    struct names *names; /* what the vertices are called, if they are not numbers from there on; the
                            graph's */
    const char
        *numbering; /* how those who are called otherwise got their numbers, in words; or NULL */
    char about[GRAPH_ABOUT]; /* what was found of how the file is to be read, in words; "": it says
                                all */
    char notes[GRAPH_NOTES]; /* what its reader should know besides, a line each */
    unsigned warnings;       /* a bit for each line of notes that tells of a likely misreading */
    bool real;               /* weights are floating point */
    bool binary;             /* floating-point weights are the doubles themselves, no decimals */
    bool rough;              /* some weight is a decimal of more than 15 digits */
    bool scaled;             /* floating-point weights of the source become integers by `scale` */
    struct scale scale;      /* the scale; `real` is then false */
    size_t records;          /* that the head promises: edges, or lines of which some are two */
    size_t bytes;            /* to read, about: the size of the file */
    struct algebra algebra;  /* weights are its keys, after the edge scan */
    bool once;    /* to open it again is impossible, or as much work: one of several ranks does */
    bool alone;   /* rank 0 alone has the edges */
    bool follows; /* this is another rank than 0: all parts are empty */
    bool undirected; /* a record is two edges, there and back, unless it is a loop */
    bool two_way;    /* the source itself has every edge in both directions */
    bool returns;    /* the options make every edge lead back, with its weight */
    bool summed;     /* parts have a checksum of their edges, since these are to be read again */
    bool reversed, unweighted; /* edges are reversed; all weights become 1 */
    struct graph_options options;
    struct file file;      /* of a source that reads one */
    struct hasher *hasher; /* of the file as it was found, compressed or not; NULL: there is none */
    void *own;             /* of the source */
};

/*
 * Opens the graph at `path`; options NULL: none. The format is the one that they name, the one of
 * which the content has the marks, or that of the suffix. `stream`: a pipe is copied to a file
 * first, in $TMPDIR or /tmp, that has no name, and the graph is opened `once`. Errors: APSP_USAGE
 * (unknown format), APSP_IO, APSP_INPUT, APSP_MEMORY. graph_close closes in any case.
 */
int graph_open(struct graph *graph, const char *path, const struct graph_options *options,
               bool stream, struct apsp_error *error);

/* Opens it on all ranks, or on rank 0, which the others follow. Collective; ends without agreement.
 */
struct comm;
int graph_open_together(struct graph *graph, const char *path, const struct graph_options *options,
                        struct comm *comm, struct apsp_error *error);

/* As graph_open, for what a file holds, which must stay until the graph is closed. */
int graph_open_bytes(struct graph *graph, const void *data, size_t bytes,
                     const struct graph_options *options, struct apsp_error *error);

/* Edges, compressed sparse rows, and a matrix, in memory: they stay as they are until the graph is
 * closed. As in apsp.h; entries are checked when they are read. */
int graph_arrays(struct graph *graph, const struct apsp_edges *arrays, struct apsp_error *error);
int graph_csr(struct graph *graph, const struct apsp_csr *csr, struct apsp_error *error);
int graph_matrix(struct graph *graph, const struct apsp_matrix *matrix, struct apsp_error *error);
/* Applies the options to an open graph, once. APSP_USAGE, APSP_INPUT, APSP_MEMORY. */
int graph_adapt(struct graph *graph, const struct graph_options *options, struct apsp_error *error);

void graph_close(struct graph *graph); /* a zeroed one is allowed */

/*
 * Starts to read part `index` of `parts`: every edge is in exactly one, in the order of the source.
 * Fails with APSP_MEMORY, APSP_IO; graph_part_free in any case.
 */
struct graph_part;
int graph_part_open(struct graph_part **part, const struct graph *graph, int index, int parts,
                    struct apsp_error *error);
/* Fills edges[0..room) with the next ones, as the options have them; *count = 0 at the end of the
 * part. APSP_INPUT, APSP_IO. */
int graph_part_next(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                    struct apsp_error *error);
size_t graph_part_records(const struct graph_part *part); /* read so far */
bool graph_part_rough(const struct graph_part *part); /* as graph->rough, of what was read so far */
/* For a graph that is `summed`: a checksum of the edges read so far as the source has them, in any
 * order. */
uint64_t graph_part_sum(const struct graph_part *part);
void graph_part_free(struct graph_part *part); /* NULL is allowed */

/* Makes the weight of an edge that of the algebra: its key. Loops are on no path. */
static inline void graph_key(const struct graph *graph, struct edge *edge)
{
    if (edge->from == edge->to)
        edge->weight.whole = 0; /* a real 0, too */
    else if (graph->real)
        edge->weight.real = algebra_key_real(&graph->algebra, edge->weight.real);
    else
        edge->weight.whole = algebra_key(&graph->algebra, edge->weight.whole);
}

/* The labels of its vertices: valid until the graph is closed. */
static inline struct labels graph_labels(const struct graph *graph)
{
    return (struct labels){graph->first, graph->names};
}

/* The vertex that is called so. An error of that code, which begins with `where`, if there is none.
 */
int graph_vertex(const struct graph *graph, const char *text, size_t *vertex, enum apsp_status code,
                 const char *where, struct apsp_error *error);

/* A line more in graph->notes, and one that a quiet run shows, too: what is read may not be what is
 * meant. */
void graph_note(struct graph *graph, const char *format, ...) __attribute__((format(printf, 2, 3)));
void graph_warn(struct graph *graph, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether only part 0 has edges. */
bool graph_is_sequential(const struct graph *graph);

/* After all parts: did they hold the records that the head promised? Text formats find out only
 * now. */
int graph_check_records(const struct graph *graph, size_t records, struct apsp_error *error);

/* APSP_IO, in place of what the error says: the graph is no longer what it was. */
int graph_changed(const struct graph *graph, struct apsp_error *error);

/* The values of the option `parallel`, comma-separated. */
const char *graph_parallel_names(void);

/* The names of all formats, comma-separated, for messages and help. */
const char *graph_source_names(void);
/* A line about each, for help. */
void graph_source_print(void);

#endif
