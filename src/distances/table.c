/*
 * Tables of text: a line for each row, as numpy.savetxt, pandas.DataFrame.to_csv and R's write.csv
 * make them. Where there is one line more, the first one names the columns, and where there is one
 * field more, the first one names the row. Names that are those of vertices say whose rows and
 * columns these are; numbers from 0 or 1, in order, count them. Where each line begins is found
 * once, and a line is read when its row is wanted.
 */
#include "distances/text.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char comments[] = "#%";

struct table { /* distances->own */
    size_t lines, longest;
    size_t *start;                /* of each line */
    uint32_t *line_of, *place_of; /* of each row its line, of each field of a line its column */
    int separator;
    bool header, named;
};

static size_t longest_line(const struct distances *distances)
{
    size_t bytes = mem_bytes(distances->columns, TEXT_CELL);
    mem_add(&bytes, bytes, 2 * (size_t)TEXT_NAME);
    return bytes;
}

static size_t table_need(const struct distances *distances)
{
    return text_need(longest_line(distances));
}

static int find_lines(struct distances *distances, struct apsp_error *error)
{
    struct table *table = distances->own;
    struct text text;
    struct text_line line;
    text_open(&text, &distances->file, (struct range){0, distances->file.bytes}, table->longest,
              comments);
    while (text_next(&text, &line, error) == APSP_OK && line.text) {
        if (table->lines <= distances->rows)
            table->start[table->lines] = line.offset;
        table->lines++;
    }
    text_close(&text);
    if (error->code)
        return error->code;
    table->header = table->lines == distances->rows + 1;
    if (table->lines != distances->rows && !table->header)
        return error_set(
            error, APSP_INPUT,
            "%s: %zu lines of a table, where %zu are needed, or one more with the names",
            distances->file.path, table->lines, distances->rows);
    return APSP_OK;
}

/* What is wrong with the fields of a line. */
static int refuse_fields(const struct distances *distances, size_t offset, size_t count,
                         struct apsp_error *error)
{
    return error_set(error, APSP_INPUT,
                     "%s: byte %zu: a line of %zu fields, where %zu numbers are needed%s",
                     distances->file.path, offset, count, distances->columns,
                     ((const struct table *)distances->own)->named ? " after a name" : "");
}

static struct text_walk walk_line(const struct table *table, const struct text_line *line)
{
    return (struct text_walk){.separator = table->separator, .at = line->text};
}

/* Line number `index` of those that count. */
static int read_line(const struct distances *distances, struct text *text, size_t index,
                     struct text_line *line, struct apsp_error *error)
{
    const struct table *table = distances->own;
    size_t end = index + 1 < table->lines ? table->start[index + 1] : distances->file.bytes;
    text_open(text, &distances->file, (struct range){table->start[index], end}, table->longest,
              comments);
    if (text_next(text, line, error) == APSP_OK && !line->text)
        text_refuse(&distances->file, table->start[index], "the file has changed while it was read",
                    error);
    return error->code;
}

/* Names of the rows, or of the columns, in the order of the file, and what they may be. */
struct names_seen {
    const struct distances *distances;
    size_t (*place)(const struct distances *distances, size_t vertex);
    const char *what;
    size_t count, known;
    uint32_t *place_of; /* of each name, UINT32_MAX to begin with */
    bool counts[2];     /* the names are numbers from 0, from 1 */
    size_t offset;      /* of the first one that is no vertex, */
    char stranger[48];
};

static void see_name(struct names_seen *seen, const char *name, size_t offset)
{
    const struct graph *graph = seen->distances->graph;
    char number[32];
    size_t vertex, place = SIZE_MAX;
    for (size_t first = 0; first < 2; first++) {
        snprintf(number, sizeof number, "%zu", seen->count + first);
        seen->counts[first] &= strcmp(number, name) == 0;
    }
    if (label_find(graph_labels(graph), graph->n, name, &vertex))
        place = seen->place(seen->distances, vertex);
    if (place != SIZE_MAX) {
        seen->place_of[seen->count] = (uint32_t)place;
        seen->known++;
    } else if (seen->known == seen->count) {
        snprintf(seen->stranger, sizeof seen->stranger, "%s", name);
        seen->offset = offset;
    }
    seen->count++;
}

static int settle_names(struct names_seen *seen, struct apsp_error *error)
{
    const struct file *file = &seen->distances->file;
    if (seen->known < seen->count && !seen->counts[0] && !seen->counts[1])
        return error_set(
            error, APSP_INPUT, "%s: byte %zu: '%s', the name of a %s, is not a vertex of %s%s",
            file->path, seen->offset, seen->stranger, seen->what, seen->distances->graph->path,
            seen->distances->options.sources || seen->distances->options.targets
                ? " whose distances are there"
                : "");
    for (size_t i = 0; seen->known < seen->count && i < seen->count; i++)
        seen->place_of[i] = (uint32_t)i;
    return APSP_OK;
}

/* Each place is to be there once. */
static int invert_order(const struct names_seen *seen, uint32_t *inverse, struct apsp_error *error)
{
    memset(inverse, 0xff, seen->count * sizeof *inverse);
    for (size_t i = 0; i < seen->count; i++) {
        if (inverse[seen->place_of[i]] != UINT32_MAX)
            return error_set(
                error, APSP_INPUT, "%s: number %zu and number %u of the %ss have the same name",
                seen->distances->file.path, i + 1, inverse[seen->place_of[i]] + 1, seen->what);
        inverse[seen->place_of[i]] = (uint32_t)i;
    }
    return APSP_OK;
}

/* Of a line with `corner` fields before the names. */
static int see_header(struct names_seen *seen, size_t corner, struct apsp_error *error)
{
    const struct distances *distances = seen->distances;
    struct text text;
    struct text_line line;
    struct field field;
    if (read_line(distances, &text, 0, &line, error) == APSP_OK) {
        struct text_walk walk = walk_line(distances->own, &line);
        for (size_t i = 0; text_walk(&walk, &field); i++)
            if (i >= corner)
                see_name(seen, text_name(&field), line.offset);
    }
    text_close(&text);
    return error->code;
}

static int take_header(struct distances *distances, uint32_t *inverse, struct apsp_error *error)
{
    struct table *table = distances->own;
    struct names_seen seen = {.distances = distances,
                              .place = distances_column,
                              .what = "column",
                              .place_of = table->place_of,
                              .counts = {true, true}};
    struct text text;
    struct text_line line;
    size_t count = 0;
    if (read_line(distances, &text, 0, &line, error) == APSP_OK)
        count = text_count_fields(table->separator, &line);
    text_close(&text);
    if (error->code)
        return error->code;
    if (count != distances->columns && count != distances->columns + 1)
        return refuse_fields(distances, line.offset, count, error);
    if (see_header(&seen, count - distances->columns, error) != APSP_OK ||
        settle_names(&seen, error) != APSP_OK)
        return error->code;
    return invert_order(&seen, inverse, error);
}

static int take_names(struct distances *distances, uint32_t *place_of, struct apsp_error *error)
{
    struct table *table = distances->own;
    struct names_seen seen = {.distances = distances,
                              .place = distances_row,
                              .what = "row",
                              .place_of = place_of,
                              .counts = {true, true}};
    for (size_t i = 0; i < distances->rows && !error->code; i++) {
        struct text text;
        struct text_line line;
        struct field field;
        if (read_line(distances, &text, i + table->header, &line, error) == APSP_OK) {
            struct text_walk walk = walk_line(table, &line);
            if (text_walk(&walk, &field))
                see_name(&seen, text_name(&field), line.offset);
            else
                refuse_fields(distances, line.offset, 0, error);
        }
        text_close(&text);
    }
    if (error->code || settle_names(&seen, error) != APSP_OK)
        return error->code;
    return invert_order(&seen, table->line_of, error);
}

static int settle(struct distances *distances, struct apsp_error *error)
{
    struct table *table = distances->own;
    struct text text;
    struct text_line line;
    if (read_line(distances, &text, table->header, &line, error) == APSP_OK) {
        table->separator = fields_separator(line.text);
        size_t count = text_count_fields(table->separator, &line);
        table->named = count == distances->columns + 1;
        if (count != distances->columns && !table->named)
            refuse_fields(distances, line.offset, count, error);
    }
    text_close(&text);
    return error->code;
}

static int take_all_names(struct distances *distances, struct apsp_error *error)
{
    struct table *table = distances->own;
    size_t most = distances->rows > distances->columns ? distances->rows : distances->columns;
    uint32_t *other = malloc(mem_bytes(most, sizeof *other));
    if (!other)
        return error_set(error, APSP_MEMORY, "%s: no memory for %zu names", distances->file.path,
                         most);
    if (table->header)
        take_header(distances, other, error);
    if (table->named && !error->code)
        take_names(distances, other, error);
    free(other);
    return error->code;
}

static int table_open(struct distances *distances, struct apsp_error *error)
{
    struct table *table = distances->own = calloc(1, sizeof *table);
    if (table) {
        table->longest = longest_line(distances);
        table->start = malloc(mem_bytes(distances->rows + 1, sizeof *table->start));
        table->line_of = malloc(mem_bytes(distances->rows, sizeof *table->line_of));
        table->place_of = malloc(mem_bytes(distances->columns, sizeof *table->place_of));
    }
    if (!table || !table->start || !table->line_of || !table->place_of)
        return error_set(error, APSP_MEMORY, "%s: no memory for a table of %zu lines",
                         distances->file.path, distances->rows);
    for (size_t i = 0; i < distances->rows; i++)
        table->line_of[i] = (uint32_t)i;
    for (size_t i = 0; i < distances->columns; i++)
        table->place_of[i] = (uint32_t)i;
    if (find_lines(distances, error) != APSP_OK || settle(distances, error) != APSP_OK ||
        take_all_names(distances, error) != APSP_OK)
        return error->code;
    return text_settle(distances, error);
}

static void table_close(struct distances *distances)
{
    struct table *table = distances->own;
    if (table) {
        free(table->start);
        free(table->line_of);
        free(table->place_of);
    }
    free(table);
    distances->own = NULL;
}

static int read_row(const struct distances *distances, size_t row, struct range columns,
                    union value *values, struct apsp_error *error)
{
    const struct table *table = distances->own;
    struct text text;
    struct text_line line;
    struct field field;
    size_t count = 0;
    if (read_line(distances, &text, table->line_of[row] + table->header, &line, error) == APSP_OK) {
        struct text_walk walk = walk_line(table, &line);
        for (size_t i = table->named ? SIZE_MAX : 0; !error->code && text_walk(&walk, &field);
             i++, count++) {
            size_t column = i < distances->columns ? table->place_of[i] : SIZE_MAX;
            if (column >= columns.lo && column < columns.hi)
                text_take(&(struct text_place){distances, line.offset, row, column}, &field,
                          &values[column - columns.lo], error);
        }
        if (!error->code && (!walk.at || count != distances->columns + table->named))
            refuse_fields(distances, line.offset, count, error);
    }
    text_close(&text);
    return error->code;
}

static int table_read(const struct distances *distances, struct range rows, struct range columns,
                      union value *values, struct apsp_error *error)
{
    for (size_t i = rows.lo; i < rows.hi; i++, values += range_length(columns))
        if (read_row(distances, i, columns, values, error) != APSP_OK)
            return error->code;
    return APSP_OK;
}

/* Text of any kind. */
static enum graph_guess table_guess(const struct graph_look *look)
{
    for (size_t i = 0; i < look->have; i++)
        if (look->text[i] < ' ' && !memchr("\t\r\n", look->text[i], 3))
            return GUESS_NO;
    return look->have > 0 ? GUESS_POSSIBLE : GUESS_NO;
}

const struct distances_format distances_table = {
    .name = "table",
    .about = "text: a line a row, with the names of rows and columns or without",
    .suffix = ".csv .tsv .txt .dat",
    .guess = table_guess,
    .open = table_open,
    .close = table_close,
    .read = table_read,
    .need = table_need};
