/*
 * How the lines of a table are cut into fields, and fields read. Fields are parted by tabs,
 * semicolons, commas or bars, the first of these that the first line has outside quotes, or else by
 * runs of blanks; blanks around a field do not count. "A field in quotes" may hold all of these,
 * and two quotes for one.
 */
#ifndef FIELDS_H
#define FIELDS_H

#include "graph/lines.h"

enum {
    FIELDS_MAX = 256,
    FIELD_CUT = 40,             /* bytes of a field that a message shows */
    FIELD_SHOWN = FIELD_CUT + 4 /* the same with dots */
};

struct field {
    unsigned char *text;
    size_t length;
};

/* The separator of a line, up to its line feed; 0: blanks. */
int fields_separator(const unsigned char *line);

/* The next field of a line; returns where the separator or the end of the line follows it, NULL as
 * below. The text of a quoted field replaces the field with its quotes. */
unsigned char *fields_take(int separator, unsigned char *at, struct field *field);

/*
 * Cuts a line, up to its line feed; of a quoted field the text without its quotes takes their
 * place, so that a line is cut once. Returns how many fields there are, of which the first
 * FIELDS_MAX are in fields; -1 for a quote that does not end or is followed by more. A line feed
 * follows each field.
 */
int fields_cut(int separator, unsigned char *line, struct field *fields);

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

/* The same for an entry of a matrix, which may be an infinity or NaN, too: these are decimals, and
 * an empty field is NaN, as pandas writes it. The byte after the field is overwritten. */
enum field_number fields_scan_entry(const struct field *field, int64_t limit, union value *value,
                                    bool *rough);

/* The same as a finite number, exact up to 2^53; false if it is none. */
bool fields_finite(const struct field *field, double *value);

/* For messages: printable, and cut where it is long. Returns shown. */
char *fields_show(const struct field *field, char shown[FIELD_SHOWN]);

/* Whether its text is that name, in any letter case. */
bool fields_called(const struct field *field, const char *name, size_t length);
/* Where it is so among names with blanks between them; NULL: it is none of them. */
const char *fields_among(const struct field *field, const char *names);

/* Where a field is: for messages. */
struct place {
    const struct graph *graph;
    size_t offset; /* in the file */
};

/* APSP_INPUT with file and number of the line: what the field is, its text, and what is wrong with
 * it. */
int fields_refuse(const struct place *place, const char *what, const struct field *field,
                  const char *instead, struct apsp_error *error);

/* Messages for a weight that is empty, and for NaN or an infinity, with the setting NO_EDGE. */
#define FIELDS_NO_WEIGHT                                                                           \
    "the weight of the edge is missing; %s nan leaves out the edges of a list without one"
#define FIELDS_NO_DECIMAL "is neither an integer of at most 62 bits nor a finite decimal"
#define FIELDS_NO_NUMBER  "is not a number; %s inf,nan leaves out such edges of a list"

/* Behind a message about a field that is no number: what may be meant, or "". */
const char *fields_hint(const struct field *field);

/* Nothing, NaN or an infinity, as text, in the place of a number. */
bool fields_is_gap(const struct field *field);

/* The field as a weight, an integer or a decimal, which makes the kind real; where that is,
 * *weight is. APSP_INPUT. */
int fields_take_weight(const struct place *place, const struct field *field,
                       struct weight_kind *kind, union value *weight, struct apsp_error *error);

/* The field as the name of a vertex, for names_take: not empty, and without control characters,
 * since names are printed one a line. APSP_INPUT, APSP_MEMORY. */
int fields_take_name(const struct place *place, struct names *names, const struct field *field,
                     uint32_t *vertex, struct apsp_error *error);

#endif
