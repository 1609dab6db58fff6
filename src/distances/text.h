/* The distances in lines of text; for the formats that are text. */
#ifndef DISTANCES_TEXT_H
#define DISTANCES_TEXT_H

#include "distances/format.h"
#include "graph/text_lines.h"

/* Bytes of a number in a text, with what stands round it, and of a name, at most. */
enum { TEXT_CELL = 64, TEXT_NAME = LINE_LONGEST };

/* Ends the field with a zero, for those who take names. The byte after it must be done with. */
static inline const char *text_name(const struct field *field)
{
    field->text[field->length] = '\0';
    return (const char *)field->text;
}

/* The place of a number in the file. */
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

/* For the `open` of a format: the values are those of text_take. */
int text_settle(struct distances *distances, struct apsp_error *error);

#endif
