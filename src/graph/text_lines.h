/* Lines of any length, of a part of a text, and the fields of a line one by one: for tables, of
 * which a line is a row of a matrix. */
#ifndef TEXT_LINES_H
#define TEXT_LINES_H

#include "base/range.h"
#include "graph/fields.h"

/* The lines of a part of the file, one after the other. */
struct text {
    const struct file *file;
    struct range left;    /* not yet read */
    size_t longest;       /* bytes of a line, at most */
    const char *comments; /* what lines begin with that are none */
    unsigned char *buffer;
    size_t used, have, room;
};

struct text_line {
    unsigned char *text;  /* ends with a line feed, and may be changed; NULL: there is none left */
    size_t offset, bytes; /* in the file */
};

/* Close in any case. */
void text_open(struct text *text, const struct file *file, struct range range, size_t longest,
               const char *comments);
void text_close(struct text *text);
size_t text_need(size_t longest); /* bytes that it takes */

/* The next line that is neither blank nor a comment, valid until the one after it. APSP_IO,
 * APSP_INPUT, APSP_MEMORY. */
int text_next(struct text *text, struct text_line *line, struct apsp_error *error);

/* Walks along the fields of a line; begin with its separator and its text. */
struct text_walk {
    int separator;
    unsigned char *at; /* NULL: a quote does not end */
    bool ends;
};

/* The next field; false after the last one, and where a quote does not end. The byte after the
 * field may be overwritten. */
bool text_walk(struct text_walk *walk, struct field *field);
/* How many fields the line has; 0 if a quote does not end. Their quotes go. */
size_t text_count_fields(int separator, const struct text_line *line);

/* APSP_INPUT: the name of the file, that offset, and what is wrong. */
int text_refuse(const struct file *file, size_t offset, const char *what, struct apsp_error *error);

#endif
