/* Lists of edges: the lines of their edges, cut into fields; for list*.c alone. */
#ifndef LIST_LINES_H
#define LIST_LINES_H

#include "graph/absent.h"
#include "graph/columns.h"
#include "graph/list_head.h"
#include "graph/returns.h"

#define LIST_COMMENTS "#%"

struct list { /* graph->own */
    struct graph_file file;
    struct columns shape;
    struct weight_kind kind;
    bool gaps; /* lines with these weights are no edges: */
    struct absent absent;
    struct list_head head;
    struct columns rest;     /* columns and offset of the text after the first line */
    size_t second;           /* offset of the text after a first line that may be a head */
    int64_t least;           /* weight, where all are integers; INT64_MAX without weights */
    size_t square;           /* first lines, as many as columns at most, that a matrix might have */
    size_t both, back;       /* lines of which the column of the direction says so */
    struct returns *returns; /* while it is opened */
    bool mixed;              /* lines lead their own ways: those that lead both are two edges */
};

/* A line of an edge. */
struct list_entry {
    size_t offset; /* in the file */
    int count;     /* of its fields, as fields_cut has it; of those of an edge: */
    struct field end[2], weight, direction;
    uint32_t hash[2];
};

/*
 * A part of the file, and copies of some lines of it. Names lie anywhere in memory, and a big
 * list's time is that of waiting for them: those of all these lines, two of each, are asked for
 * before the first one is looked at. A core can wait for about so many at a time.
 */
enum { AHEAD = 8, AHEAD_BYTES = AHEAD * 256 + LINE_LONGEST + 2 };
struct list_reader {
    struct file_part part;
    size_t at, have;
    bool has_twin; /* of a mixed list: the other direction of the last edge comes next */
    struct edge twin;
    struct apsp_error error; /* what is wrong after them */
    struct list_entry entry[AHEAD];
    unsigned char text[AHEAD_BYTES];
};

/* The next line of an edge; NULL at the end. APSP_INPUT, APSP_IO. */
int list_next_entry(struct list_reader *reader, const struct list_entry **entry,
                    struct apsp_error *error);

/* Counts the direction that the column of directions has for a line. APSP_INPUT: it is no word for
 * one. */
int list_count_direction(struct graph *graph, const struct list_entry *entry,
                         struct apsp_error *error);
/* After all lines: what their directions, or a comment, make of the graph, unless the options say
 * it; with a note of it, or of edges that all lead one way. */
void list_settle_direction(struct graph *graph);
/* For a mixed list: gives the edge of that line its own direction, and delays the reverse edge. */
int list_direct_edge(struct list_reader *reader, const struct list_entry *entry, struct edge *edge,
                     struct apsp_error *error);

#endif
