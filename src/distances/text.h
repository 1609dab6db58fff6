/* Lines of text and the distances in them; for the formats that are text. */
#ifndef DISTANCES_TEXT_H
#define DISTANCES_TEXT_H

#include "distances/format.h"
#include "graph/fields.h"

/* Bytes of a number in a text, with what stands round it, and of a name, at most. */
enum { TEXT_CELL = 64, TEXT_NAME = LINE_LONGEST };

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

/* Ends the field with a zero, for those who take names. The byte after it must be done with. */
static inline const char *text_name(const struct field *field)
{
    field->text[field->length] = '\0';
    return (const char *)field->text;
}

/* Where a number stands. */
struct text_place {
    const struct distances *distances;
    size_t offset, row, column; /* of the line; of the matrix */
};

/*
 * The field as a distance: of a graph with whole weights an integer, in whatever way it is
 * written, and INF_I64 for an infinity; else a real one. The byte after the field is overwritten.
 * APSP_INPUT when it is no number, APSP_REFUTED when it is no distance.
 */
int text_take(const struct text_place *place, const struct field *field, union value *value,
              struct apsp_error *error);

/* APSP_INPUT: the name of the file, that offset, and what is wrong. */
int text_refuse(const struct file *file, size_t offset, const char *what, struct apsp_error *error);

/* For the `open` of a format: the values are those of text_take. */
int text_settle(struct distances *distances, struct apsp_error *error);

#endif
