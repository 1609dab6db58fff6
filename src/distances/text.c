#include "distances/text.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 40 };

static void show(char shown[SHOWN + 1], const struct field *field)
{
    size_t length = 0;
    for (; length < SHOWN && length < field->length; length++)
        shown[length] = field->text[length] < ' ' ? '?' : (char)field->text[length];
    shown[length] = '\0';
}

/* A floating-point value as an integer; false when it is not integral. */
static bool make_whole(const struct distances *distances, union value *value)
{
    const double real = value->real;
    bool unreachable =
        real == INFINITY || real == DBL_MAX || (isnan(real) && distances->unreachable.nan);
    if (!unreachable && !(fabs(real) < 0x1p63 && rint(real) == real))
        return false;
    value->whole = unreachable ? INF_I64 : (int64_t)real;
    return true;
}

int text_take(const struct text_place *place, const struct field *field, union value *value,
              struct apsp_error *error)
{
    const struct distances *distances = place->distances;
    char shown[SHOWN + 1];
    bool rough = false;
    enum field_number number = fields_scan_entry(field, INT64_MAX, value, &rough);
    show(shown, field);
    if (number == FIELD_WORD)
        return error_set(error, APSP_INPUT, "%s: byte %zu: expected a distance, found '%s'",
                         distances->file.path, place->offset, shown);
    if (distances->real && number == FIELD_WHOLE)
        value->real = (double)value->whole;
    if (distances->real || number == FIELD_WHOLE || make_whole(distances, value))
        return APSP_OK;
    const struct labels labels = graph_labels(distances->graph);
    return error_set(error, APSP_REFUTED,
                     "%s: byte %zu: the entry of vertices %s and %s is '%s', which is not a "
                     "distance in integer weights",
                     distances->file.path, place->offset,
                     LABEL(labels, distances_vertex(distances, place->row)),
                     LABEL(labels, distances_target(distances, place->column)), shown);
}

int text_settle(struct distances *distances, struct apsp_error *error)
{
    const bool real = distances->graph->real && !distances->multiples;
    return distances_settle(distances, real ? NUMBERS_REAL : NUMBERS_INT, 8, error);
}
