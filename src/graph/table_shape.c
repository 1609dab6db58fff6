/* The shape of tables, by which they are known among lists of edges. */
#include "graph/columns.h"
#include "graph/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum field_number scan(const struct field *field, union value *value)
{
    bool rough = false;
    return fields_scan_entry(field, WEIGHT_MAX, value, &rough);
}

bool table_is_diagonal(const struct field *field)
{
    union value value;
    const enum field_number number = scan(field, &value);
    return number == FIELD_WHOLE     ? value.whole == 0
           : number == FIELD_DECIMAL ? value.real == 0 || !isfinite(value.real)
                                     : false;
}

void table_see(struct table_first *first, const struct field *field)
{
    union value value;
    if (first->count++ == 0) {
        first->empty = field->length == 0;
        return;
    }
    const enum field_number number = scan(field, &value);
    first->words |= number == FIELD_WORD;
    first->numbers |= number != FIELD_WORD;
    first->integers &= number == FIELD_WHOLE;
}

bool table_settle(struct table_shape *shape, const struct table_first *first, size_t second,
                  size_t lines)
{
    const size_t count = first->count;
    shape->corner = lines == count && (first->empty ? first->words || first->integers
                                                    : first->words && !first->numbers);
    shape->named = second == count + 1 || shape->corner || lines + 1 == count;
    shape->header = second == count + 1 || shape->corner || lines == count + 1;
    shape->n = lines - shape->header;
    return count > 0 && second <= count + 1 && second >= count && shape->n > 0 &&
           second == shape->n + shape->named;
}

/* Lines of the look that are neither blank nor comments. */
struct scene {
    struct field *field;
    size_t *start; /* of each line its first field, up to that behind the last line */
    size_t lines;
    size_t all; /* lines of the file, about */
};

/* Cuts a line; false: a quote does not end. */
static bool cut_line(struct scene *scene, int separator, unsigned char *text)
{
    struct text_walk walk = {.separator = separator, .at = text};
    size_t at = scene->start[scene->lines];
    while (text_walk(&walk, &scene->field[at]))
        at++;
    for (size_t i = scene->start[scene->lines]; i < at; i++)
        scene->field[i].text[scene->field[i].length] = '\n';
    scene->start[++scene->lines] = at;
    return walk.at;
}

/* The text, behind which is room for two bytes. A line that the look ends in does not count. */
static bool cut(struct scene *scene, const struct graph_look *look, unsigned char *text,
                size_t bytes)
{
    const bool whole = look->have == look->bytes;
    const int separator = fields_separator(text);
    size_t used = 0;
    for (unsigned char *at = text, *end; at < text + bytes; at = end + 1) {
        end = memchr(at, '\n', (size_t)(text + bytes - at));
        if (!end && !whole)
            break;
        end = end ? end : text + bytes;
        const unsigned char *start = line_skip_blanks(at);
        if (line_is_end(start) || strchr(TABLE_COMMENTS, *start))
            continue;
        used += (size_t)(end + 1 - at);
        if (!cut_line(scene, separator, at))
            return false;
    }
    scene->all = whole || used == 0 ? scene->lines : look->bytes / (used / scene->lines);
    return true;
}

static const struct field *line_of(const struct scene *scene, size_t line, size_t *count)
{
    *count = scene->start[line + 1] - scene->start[line];
    return scene->field + scene->start[line];
}

/* A line of the matrix: all entries are numbers. *diagonal stays if the one of the vertex to itself
 * is as usual. */
static bool fits_row(const struct scene *scene, const struct table_shape *shape, size_t row,
                     bool *diagonal)
{
    size_t count;
    const struct field *field = line_of(scene, row + shape->header, &count);
    union value value;
    for (size_t i = shape->named; i < count; i++)
        if (scan(&field[i], &value) >= FIELD_LARGE)
            return false;
    if (count == shape->n + shape->named)
        *diagonal &= table_is_diagonal(&field[row + shape->named]);
    return count == shape->n + shape->named;
}

/* Whether the first field of that row is the name of a column. */
static bool has_label(const struct scene *scene, const struct table_shape *shape, size_t row)
{
    size_t count, others;
    const struct field *head = line_of(scene, 0, &count), *label = line_of(scene, row + 1, &others);
    for (size_t i = shape->corner; i < count && label->length > 0; i++)
        if (head[i].length == label->length &&
            memcmp(head[i].text, label->text, label->length) == 0)
            return true;
    return false;
}

/* Whether a name of a column is that of a weight. */
static bool has_weight(const struct scene *scene)
{
    size_t count;
    const struct field *head = line_of(scene, 0, &count);
    for (size_t i = 0; i < count; i++)
        if (columns_weigh(&head[i]))
            return true;
    return false;
}

/* What may be a list of edges has to have more than the shape of a matrix. */
static bool is_matrix(const struct scene *scene, const struct table_shape *shape,
                      const struct table_first *first)
{
    enum { PLAIN = 4 };
    bool diagonal = true;
    const bool labels = shape->header && shape->named;
    if (labels && first->numbers && !first->empty && shape->corner)
        return false;
    for (size_t row = 0; row < shape->n && row + shape->header < scene->lines; row++)
        if (!fits_row(scene, shape, row, &diagonal) || (labels && !has_label(scene, shape, row)))
            return false;
    if (labels)
        return true;
    if (shape->header)
        return diagonal && shape->n > 2 && !has_weight(scene);
    if (shape->named)
        return diagonal && shape->n > 2;
    return diagonal && (shape->n >= PLAIN || (shape->n > 1 && !first->integers));
}

static bool fits(const struct scene *scene, struct table_shape *shape,
                 const struct table_first *first, size_t second, size_t lines)
{
    return table_settle(shape, first, second, lines) && is_matrix(scene, shape, first);
}

static bool is_table(struct scene *scene, const struct graph_look *look, unsigned char *text,
                     size_t bytes)
{
    struct table_shape shape = {0};
    struct table_first first = {.integers = true};
    size_t count, second;
    if (!cut(scene, look, text, bytes) || scene->lines < 2)
        return false;
    const struct field *field = line_of(scene, 0, &count);
    for (size_t i = 0; i < count; i++)
        table_see(&first, &field[i]);
    line_of(scene, 1, &second);
    if (scene->all == scene->lines)
        return fits(scene, &shape, &first, second, scene->all);
    bool found = false; /* with one of the numbers of lines that it may have */
    for (size_t all = second - 1; !found && all <= second + 1; all++)
        found = scene->all > second / 2 && scene->all < 2 * second &&
                fits(scene, &shape, &first, second, all);
    return found;
}

/* A first line that is longer than the look: of more fields than a list has. */
static bool is_wide(struct scene *scene, unsigned char *text, size_t bytes)
{
    struct table_first first = {.integers = true};
    size_t count;
    const int separator = fields_separator(text);
    while (bytes > 0 && text[bytes - 1] != (separator ? separator : ' '))
        bytes--;
    text[bytes] = '\n';
    cut_line(scene, separator, text);
    const struct field *field = line_of(scene, 0, &count);
    for (size_t i = 0; i + 1 < count; i++)
        table_see(&first, &field[i]);
    return first.count > FIELDS_MAX && (!first.words || first.empty);
}

enum graph_guess table_guess(const struct graph_look *look)
{
    const unsigned char *start =
        memchr(look->text, '\0', look->have) ? NULL : graph_look_line(look, TABLE_COMMENTS);
    if (!start || strchr("%<{[*", *start))
        return GUESS_NO;
    while (start > look->text && line_is_blank(start[-1])) /* which separate an empty field */
        start--;
    const size_t bytes = look->have - (size_t)(start - look->text);
    unsigned char *text = malloc(bytes + 2);
    struct scene scene = {.field = malloc((bytes + 2) * sizeof *scene.field),
                          .start = calloc(bytes + 2, sizeof *scene.start)};
    bool found = false;
    if (text && scene.field && scene.start) {
        memcpy(text, start, bytes);
        text[bytes] = text[bytes + 1] = '\n';
        found = look->have < look->bytes && !memchr(text, '\n', bytes)
                    ? is_wide(&scene, text, bytes)
                    : is_table(&scene, look, text, bytes);
    }
    free(scene.start);
    free(scene.field);
    free(text);
    return found ? GUESS_SURE : GUESS_NO;
}
