/* Matrices as tables of text: their shape, and how they are known; for table*.c alone. */
#ifndef TABLE_H
#define TABLE_H

#include "graph/absent.h"
#include "graph/source_file.h"
#include "graph/text_lines.h"

#define TABLE_COMMENTS "#"

/* The size of a matrix, and the names beside its entries. */
struct table_shape {
    int separator;
    size_t n;
    bool header; /* the first line names the columns */
    bool corner; /* the first field of that line names no column */
    bool named;  /* the first field of a line names the row */
};

/* The fields of the first line, which may be names. */
struct table_first {
    size_t count;        /* fields */
    bool empty;          /* the first field is empty */
    bool words, numbers; /* other fields have words, have numbers */
    bool integers;       /* all numbers are integers */
};

/* Adds the next field of a first line, to what is {.integers = true} before. */
void table_see(struct table_first *first, const struct field *field);

/* The shape of a table of so many lines, of which the second one has `second` fields (the first
 * one's count if there is none); false: it is none of a square matrix. */
bool table_settle(struct table_shape *shape, const struct table_first *first, size_t second,
                  size_t lines);

/* Whether an entry is that of a vertex to itself in most matrices: 0, empty, infinite or NaN. */
bool table_is_diagonal(const struct field *field);

enum graph_guess table_guess(const struct graph_look *look);

#endif
