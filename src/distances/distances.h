/*
 * The distances of a graph from a file of any program: a matrix with a row for each vertex and a
 * column for each, or for those of two lists. Rows and columns are numbered by their positions in
 * the file. Nothing that the file says is trusted.
 */
#ifndef DISTANCES_H
#define DISTANCES_H

#include "base/dtype.h"
#include "base/range.h"
#include "base/scale.h"
#include "base/text.h"
#include "files/staged.h"
#include "graph/absent.h"
#include "rows/sources.h"

struct distances_options {
    const char *format; /* a row of the table; NULL: by the content, else the suffix */
    const char *sources,
        *targets;      /* lists of rows and columns (rows/sources.h); NULL: all vertices */
    const char *scale; /* what integers are to be divided by; NULL: as the file says, else 1 */
    const char
        *unreachable; /* list of the values that stand for it; NULL: what the type has for that */
};

struct distances {
    const struct distances_format *format;
    const struct graph *graph;
    struct distances_options options;
    struct file file;
    char *name;         /* its path, without the suffix of a compression */
    bool multiples;     /* its values are integers, to be divided by `scale`, which is not 1 */
    struct scale scale; /* the divisor */
    struct sources sources, targets;
    bool lent; /* these are others' */
    size_t rows, columns;
    bool real;        /* the file's values are floating point */
    enum dtype dtype; /* the type that values get, with its value for unreachable (dtype.h) */
    struct absent unreachable;
    void *own; /* of the format */
};

/*
 * Opens the file, or the pipe, which may be compressed, and checks its shape. The graph must stay.
 * Whole values are distances times what the options say, PATH.scale, or the file itself, who must
 * agree; whether they are, in a graph of real weights, is for the caller to find out. APSP_USAGE,
 * APSP_INPUT, APSP_IO, APSP_MEMORY; APSP_REFUTED where all is read at once. Close in any case.
 */
int distances_open(struct distances *distances, const char *path, const struct graph *graph,
                   const struct distances_options *options, struct apsp_error *error);
void distances_close(struct distances *distances); /* a zeroed one is allowed */

/* A file that this program has just written, with distances as they are. */
struct distances_written {
    const struct staged *staged; /* it has not got its name */
    const char *format;
    enum dtype dtype;                        /* type of bare values */
    struct scale scale;                      /* divisor of integer values */
    const struct sources *sources, *targets; /* of its rows and columns; they stay */
};

/* The same for such a file. */
int distances_open_written(struct distances *distances, const struct distances_written *written,
                           const struct graph *graph, struct apsp_error *error);

/*
 * Reads some columns of some rows, row by row, as values of `dtype`; `values` has room for 8 bytes
 * each. Rows that follow each other are best read together. APSP_IO, APSP_INPUT; APSP_REFUTED: a
 * text that is no distance. Several threads at a time.
 */
int distances_read(const struct distances *distances, struct range rows, struct range columns,
                   void *values, struct apsp_error *error);
size_t distances_need(const struct distances *distances); /* bytes that it takes beside `values` */

/* The row and the column of a vertex, SIZE_MAX where it has none; and the vertices of a row and a
 * column. */
size_t distances_row(const struct distances *distances, size_t vertex);
size_t distances_column(const struct distances *distances, size_t vertex);
size_t distances_vertex(const struct distances *distances, size_t row);
size_t distances_target(const struct distances *distances, size_t column);

/* Whether a row has the distances to all vertices, in the order of their numbers. */
bool distances_are_natural(const struct distances *distances);

/* A possible reason of a wrong row, from a semicolon on, or an empty text; returns `text`. */
const char *distances_remark(const struct distances *distances, char text[TEXT_LINE]);

const char *distances_format_names(void); /* comma-separated */
void distances_format_print(void);        /* a line about each, for help */

#endif
