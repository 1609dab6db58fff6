/*
 * The columns of a table of edges: how its lines are cut into fields, and which of them are an
 * edge's. Fields are parted by tabs, semicolons, commas or bars, the first of these that the first
 * line has outside quotes, or else by runs of blanks; blanks around a field do not count. "A field
 * in quotes" may hold all of these, and two quotes for one.
 */
#ifndef FIELDS_H
#define FIELDS_H

#include "graph/lines.h"

enum { FIELDS_MAX = 256, FIELDS_WHAT = 300 };

struct field {
    unsigned char *text;
    size_t length;
};

struct fields_shape {
    int separator;           /* 0: blanks */
    int count;               /* of a line */
    int from, to, weight;    /* places among them; weight -1: all weights are 1 */
    bool header;             /* the first line names the columns */
    char about[GRAPH_ABOUT]; /* all of this in words */
};

/* The separator of a line, up to its line feed; 0: blanks. */
int fields_separator(const unsigned char *line);

/* The next field of a line; returns where the separator or the end of the line follows it, NULL as
 * below. Of a quoted field the text without its quotes takes their place. */
unsigned char *fields_take(int separator, unsigned char *at, struct field *field);

/*
 * Cuts a line, up to its line feed; of a quoted field the text without its quotes takes their
 * place, so that a line is cut once. Returns how many fields there are, of which the first
 * FIELDS_MAX are in fields; -1 for a quote that does not end or is followed by more. A line feed
 * follows each field.
 */
int fields_cut(int separator, unsigned char *line, struct field *fields);

/*
 * Settles the shape by the first two lines that hold fields, copies of which are cut here; the
 * second may be NULL. `columns`: as --columns has them, or NULL. The first line is a header if it
 * has the usual words for columns, or a word above a number; what is neither that nor an edge is
 * refused. On failure what[] says why, and the return value is false.
 */
bool fields_settle(struct fields_shape *shape, unsigned char *first, unsigned char *second,
                   const char *columns, char what[FIELDS_WHAT]);

/* A field as a number; all of it is one. */
enum field_number {
    FIELD_WHOLE,   /* a whole one of -limit .. limit */
    FIELD_DECIMAL, /* a finite one, with a point or an exponent */
    FIELD_LARGE,   /* a whole one beyond the limit, as a real one */
    FIELD_WORD,    /* none */
};
/* A line feed follows it. *rough as line_scan_real has it. */
enum field_number fields_scan(const struct field *field, int64_t limit, union value *value,
                              bool *rough);

/* Where a field is: for messages. */
struct place {
    const struct graph *graph;
    size_t offset; /* in the file */
};

/* APSP_INPUT with file and number of the line: what the field is, its text, and what is wrong with
 * it. */
int fields_refuse(const struct place *place, const char *what, const struct field *field,
                  const char *instead, struct apsp_error *error);

/* The field as a weight, a whole number or a decimal, which makes the kind real; where that is,
 * *weight is. APSP_INPUT. */
int fields_take_weight(const struct place *place, const struct field *field,
                       struct weight_kind *kind, union value *weight, struct apsp_error *error);

/* The field as the name of a vertex, for names_take: not empty, and without control characters,
 * since names are printed one a line. APSP_INPUT, APSP_MEMORY. */
int fields_take_name(const struct place *place, struct names *names, const struct field *field,
                     uint32_t *vertex, struct apsp_error *error);

#endif
