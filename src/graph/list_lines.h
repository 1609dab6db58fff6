/* Lists of edges: the lines of their edges, cut into fields; for list.c alone. */
#ifndef LIST_LINES_H
#define LIST_LINES_H

#include "graph/columns.h"
#include "graph/list_head.h"

#define LIST_COMMENTS "#%"

struct list { /* graph->own */
    struct graph_file file;
    struct columns shape;
    struct weight_kind kind;
    struct list_head head;
    struct columns rest; /* columns and offset of what follows the first line, */
    size_t second;       /* where this may be a head */
    size_t undirected;   /* edges of which the column Type says so */
};

/* A line of an edge. */
struct list_entry {
    size_t offset; /* in the file */
    int count;     /* of its fields, as fields_cut has it; of those of an edge: */
    struct field end[2], weight, type;
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
    struct apsp_error error; /* what is wrong after them */
    struct list_entry entry[AHEAD];
    unsigned char text[AHEAD_BYTES];
};

/* The next line of an edge; NULL at the end. APSP_INPUT, APSP_IO. */
int list_next_entry(struct list_reader *reader, const struct list_entry **entry,
                    struct apsp_error *error);

#endif
