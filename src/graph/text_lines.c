#include "graph/text_lines.h"

#include "base/size.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = SIZE_OF(1 << 16, 64) };

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
                               "the line holds a zero byte: this is not text", error);
        if (line->offset == 0)
            line->text += text_mark(line->text, line->bytes);
        const unsigned char *at = line_skip_blanks(line->text);
        if (!line_is_end(at) && !strchr(text->comments, *at))
            return APSP_OK;
    }
}

bool text_walk(struct text_walk *walk, struct field *field)
{
    if (walk->ends || (!walk->separator && line_is_end(line_skip_blanks(walk->at))))
        return false;
    walk->at = fields_take(walk->separator, walk->at, field);
    if (!walk->at)
        return false;
    walk->ends = line_is_end(walk->at);
    walk->at += walk->separator && !walk->ends;
    return true;
}

size_t text_count_fields(int separator, const struct text_line *line)
{
    struct text_walk walk = {.separator = separator, .at = line->text};
    struct field field;
    size_t count = 0;
    while (text_walk(&walk, &field))
        count++;
    return walk.at ? count : 0;
}
