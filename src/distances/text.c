#include "distances/text.h"

#include "base/size.h"
#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = SIZE_OF(1 << 16, 64), SHOWN = 40 };

void text_open(struct text *text, const struct file *file, struct range range, size_t longest,
               const char *comments)
{
    *text = (struct text){.file = file, .left = range, .longest = longest, .comments = comments};
}

void text_close(struct text *text)
{
    free(text->buffer);
    text->buffer = NULL;
}

size_t text_need(size_t longest)
{
    return longest < ROOM ? ROOM : 2 * longest; /* it doubles */
}

int text_refuse(const struct file *file, size_t offset, const char *what, struct apsp_error *error)
{
    return error_set(error, APSP_INPUT, "%s: byte %zu: %s", file->path, offset, what);
}

/* Moves what is unused to the front, and reads on; one byte stays free for a line feed. */
static int fill(struct text *text, struct apsp_error *error)
{
    size_t unused = text->have - text->used, left = range_length(text->left);
    if (unused + 1 >= text->room) {
        size_t room = text->room ? 2 * text->room : ROOM;
        unsigned char *more = realloc(text->buffer, room);
        if (!more)
            return error_set(error, APSP_MEMORY, "%s: no memory for a line of %zu bytes",
                             text->file->path, room);
        text->buffer = more;
        text->room = room;
    }
    memmove(text->buffer, text->buffer + text->used, unused);
    size_t bytes = text->room - 1 - unused < left ? text->room - 1 - unused : left;
    text->used = 0;
    text->have = unused + bytes;
    text->left.lo += bytes;
    return file_read(text->file, text->left.lo - bytes, text->buffer + unused, bytes, error);
}

/* Whatever is in it; a line feed is put after the last one. */
static int next_line(struct text *text, struct text_line *line, struct apsp_error *error)
{
    size_t searched = 0;
    for (;;) {
        unsigned char *start = text->buffer ? text->buffer + text->used : NULL;
        size_t have = text->have - text->used;
        unsigned char *end =
            have > searched ? memchr(start + searched, '\n', have - searched) : NULL;
        if (!end && have > 0 && range_length(text->left) == 0) {
            end = start + have;
            *end = '\n';
        }
        line->offset = text->left.lo - have;
        line->text = end ? start : NULL;
        if (have > text->longest && (!end || (size_t)(end - start) > text->longest))
            return error_set(error, APSP_INPUT, "%s: byte %zu: the line is longer than %zu bytes",
                             text->file->path, line->offset, text->longest);
        if (end) {
            line->bytes = (size_t)(end - start);
            text->used += line->bytes < have ? line->bytes + 1 : have;
            return APSP_OK;
        }
        searched = have;
        if (range_length(text->left) == 0)
            return APSP_OK;
        if (fill(text, error) != APSP_OK)
            return error->code;
    }
}

int text_next(struct text *text, struct text_line *line, struct apsp_error *error)
{
    for (;;) {
        if (next_line(text, line, error) != APSP_OK || !line->text)
            return error->code;
        if (memchr(line->text, '\0', line->bytes))
            return text_refuse(text->file, line->offset,
                               "the line holds a zero byte: this is no text", error);
        if (line->offset == 0)
            line->text += text_mark(line->text, line->bytes);
        const unsigned char *at = line_skip_blanks(line->text);
        if (!line_is_end(at) && !strchr(text->comments, *at))
            return APSP_OK;
    }
}

static bool is_word(const struct field *field, const char *words)
{
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        if (field->length == length && text_alike((const char *)field->text, words, length))
            return true;
    }
    return false;
}

/* With what else may stand for distances; an empty field is what some write for NaN. */
static enum field_number scan(const struct field *field, union value *value)
{
    bool rough = false;
    field->text[field->length] = '\n';
    enum field_number number = fields_scan(field, INT64_MAX, value, &rough);
    if (number != FIELD_WORD)
        return number;
    if (is_word(field, "inf +inf infinity"))
        value->real = INFINITY;
    else if (is_word(field, "-inf -infinity"))
        value->real = -INFINITY;
    else if (field->length == 0 || is_word(field, "nan na n/a"))
        value->real = NAN;
    else
        return FIELD_WORD;
    return FIELD_DECIMAL;
}

static void show(char shown[SHOWN + 1], const struct field *field)
{
    size_t length = 0;
    for (; length < SHOWN && length < field->length; length++)
        shown[length] = field->text[length] < ' ' ? '?' : (char)field->text[length];
    shown[length] = '\0';
}

/* A real as a whole number; false when it is none. */
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
    enum field_number number = scan(field, value);
    show(shown, field);
    if (number == FIELD_WORD)
        return error_set(error, APSP_INPUT,
                         "%s: byte %zu: '%s', where a distance should be, is no number",
                         distances->file.path, place->offset, shown);
    if (distances->real && number == FIELD_WHOLE)
        value->real = (double)value->whole;
    if (distances->real || number == FIELD_WHOLE || make_whole(distances, value))
        return APSP_OK;
    const struct labels labels = graph_labels(distances->graph);
    return error_set(
        error, APSP_REFUTED,
        "%s: byte %zu: the entry of vertices %s and %s is '%s', which is no distance in whole "
        "weights",
        distances->file.path, place->offset, LABEL(labels, distances_vertex(distances, place->row)),
        LABEL(labels, distances_target(distances, place->column)), shown);
}

int text_settle(struct distances *distances, struct apsp_error *error)
{
    const bool real = distances->graph->real && !distances->multiples;
    return distances_settle(distances, real ? NUMBERS_REAL : NUMBERS_INT, 8, error);
}
