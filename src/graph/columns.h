/* The columns of a list of edges: which fields of its lines are those of an edge. */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "graph/fields.h"

enum { COLUMNS_WHAT = 500 };

struct columns {
    int separator;        /* 0: blanks */
    int count;            /* of a line */
    int from, to, weight; /* places among them; weight -1: all weights are 1 */
    int direction;        /* the column of directions, or Type of a header, as Gephi has it; -1 */
    bool oneway;          /* the options name it */
    bool header;          /* the first line names the columns */
    char about[GRAPH_ABOUT]; /* all of this in words */
    char note[GRAPH_ABOUT];  /* which column was not taken, in words; or "" */
    bool doubtful;           /* that column may be the weight */
};

/*
 * Settles the columns by the first two lines that hold fields, copies of which are cut here; the
 * second may be NULL. `options` NULL: none. The first line is a header if it
 * has the usual words for columns, or a word above a number; what is neither that nor an edge is
 * refused. Without options->columns a column that has a name is the weight only if
 * columns_weigh says so, and a first one without a name, which counts the lines, is none of an
 * edge's. On failure what[] says why, and the return value is false.
 */
bool columns_settle(struct columns *columns, unsigned char *first, unsigned char *second,
                    const struct graph_options *options, char what[COLUMNS_WHAT]);

/* Whether columns or attributes of that name are weights. */
bool columns_weigh(const struct field *name);

#endif
