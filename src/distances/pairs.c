/*
 * Pairs of vertices at a finite distance, as apsp writes them: lines FROM,TO,DISTANCE, or with
 * tabs, under the names of these columns. Vertices have their names. All pairs from one vertex
 * stand together. A pair that a row does not have is unreachable, but for the vertex itself.
 */
#include "distances/text.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4 * TEXT_NAME, FROM = 0, TO, DISTANCE, FIELDS };

struct pairs { /* distances->own */
    int separator;
    struct range *row; /* where its lines are in the file */
};

static size_t pairs_need(const struct distances *distances)
{
    (void)distances;
    return text_need(LONGEST);
}

static int cut(const struct distances *distances, struct text_line *line,
               struct field fields[FIELDS_MAX], struct apsp_error *error)
{
    int count = fields_cut(((const struct pairs *)distances->own)->separator, line->text, fields);
    return count == FIELDS
               ? APSP_OK
               : text_refuse(&distances->file, line->offset,
                             "a line of pairs has three fields: from, to, distance", error);
}

static int find_vertex(const struct distances *distances, const struct text_line *line,
                       const struct field *field, size_t *vertex, struct apsp_error *error)
{
    char where[300];
    snprintf(where, sizeof where, "%.200s: byte %zu: ", distances->file.path, line->offset);
    return graph_vertex(distances->graph, text_name(field), vertex, APSP_INPUT, where, error);
}

static int refuse_place(const struct distances *distances, const struct text_line *line,
                        size_t vertex, const char *what, const char *list, struct apsp_error *error)
{
    return error_set(error, APSP_INPUT, "%s: byte %zu: vertex %s %s%s", distances->file.path,
                     line->offset, LABEL(graph_labels(distances->graph), vertex), what, list);
}

/* Adds the line to its row. */
static int add_line(struct distances *distances, struct text_line *line, size_t *current,
                    struct apsp_error *error)
{
    struct pairs *pairs = distances->own;
    struct field fields[FIELDS_MAX];
    size_t vertex, end = line->offset + line->bytes;
    if (cut(distances, line, fields, error) != APSP_OK ||
        find_vertex(distances, line, &fields[FROM], &vertex, error) != APSP_OK)
        return error->code;
    size_t row = distances_row(distances, vertex);
    if (row == SIZE_MAX)
        return refuse_place(distances, line, vertex, "is none of ", SETTING(SOURCES), error);
    if (row != *current && range_length(pairs->row[row]) > 0)
        return refuse_place(distances, line, vertex,
                            "has pairs in two blocks: sort the lines by the first column", "",
                            error);
    if (row != *current)
        pairs->row[row].lo = line->offset;
    pairs->row[row].hi = end;
    *current = row;
    return APSP_OK;
}

static int find_rows(struct distances *distances, struct apsp_error *error)
{
    struct text text;
    struct text_line line;
    size_t current = SIZE_MAX;
    text_open(&text, &distances->file, (struct range){0, distances->file.bytes}, LONGEST, "");
    if (text_next(&text, &line, error) == APSP_OK && line.text) /* the names of the columns */
        ((struct pairs *)distances->own)->separator = fields_separator(line.text);
    while (!error->code && text_next(&text, &line, error) == APSP_OK && line.text)
        add_line(distances, &line, &current, error);
    text_close(&text);
    return error->code;
}

static int pairs_open(struct distances *distances, struct apsp_error *error)
{
    struct pairs *pairs = distances->own = calloc(1, sizeof *pairs);
    if (pairs)
        pairs->row = calloc(distances->rows, sizeof *pairs->row);
    if (!pairs || !pairs->row)
        return error_set(error, APSP_MEMORY, "%s: no memory for pairs of %zu vertices",
                         distances->file.path, distances->rows);
    return find_rows(distances, error) ? error->code : text_settle(distances, error);
}

static void pairs_close(struct distances *distances)
{
    struct pairs *pairs = distances->own;
    if (pairs)
        free(pairs->row);
    free(pairs);
    distances->own = NULL;
}

/* The columns of a row, which are unreachable before. */
struct row {
    const struct distances *distances;
    size_t row;
    struct range columns;
    union value *values, unreachable;
    bool self; /* The pair of the vertex and itself has been listed. */
};

static int take_line(struct row *row, struct text_line *line, struct apsp_error *error)
{
    struct field fields[FIELDS_MAX];
    size_t vertex;
    if (cut(row->distances, line, fields, error) != APSP_OK ||
        find_vertex(row->distances, line, &fields[TO], &vertex, error) != APSP_OK)
        return error->code;
    size_t column = distances_column(row->distances, vertex);
    if (column == SIZE_MAX)
        return refuse_place(row->distances, line, vertex, "is none of ", SETTING(TARGETS), error);
    row->self |= vertex == distances_vertex(row->distances, row->row);
    if (column < row->columns.lo || column >= row->columns.hi)
        return APSP_OK;
    union value *value = &row->values[column - row->columns.lo];
    if (value->whole != row->unreachable.whole)
        return refuse_place(row->distances, line, vertex, "is listed twice", "", error);
    return text_take(&(struct text_place){row->distances, line->offset, row->row, column},
                     &fields[DISTANCE], value, error);
}

static int read_row(struct row *row, struct apsp_error *error)
{
    const struct distances *distances = row->distances;
    struct text text;
    struct text_line line;
    row->self = false;
    for (size_t i = 0; i < range_length(row->columns); i++)
        row->values[i] = row->unreachable;
    text_open(&text, &distances->file, ((const struct pairs *)distances->own)->row[row->row],
              LONGEST, "");
    while (!error->code && text_next(&text, &line, error) == APSP_OK && line.text)
        take_line(row, &line, error);
    text_close(&text);
    size_t own = distances_column(distances, distances_vertex(distances, row->row));
    if (!row->self && own >= row->columns.lo && own < row->columns.hi)
        row->values[own - row->columns.lo].whole = 0; /* a real 0, too */
    return error->code;
}

static int pairs_read(const struct distances *distances, struct range rows, struct range columns,
                      union value *values, struct apsp_error *error)
{
    struct row row = {.distances = distances, .columns = columns};
    if (distances->real)
        row.unreachable.real = __builtin_inf();
    else
        row.unreachable.whole = INF_I64;
    for (row.row = rows.lo; row.row < rows.hi && !error->code; row.row++) {
        row.values = values + (row.row - rows.lo) * range_length(columns);
        read_row(&row, error);
    }
    return error->code;
}

static enum graph_guess pairs_guess(const struct graph_look *look)
{
    static const char *const heads[] = {"from,to,distance", "from\tto\tdistance"};
    const unsigned char *line = graph_look_line(look, "");
    const size_t length = strlen(heads[0]);
    bool found = line && line + length < look->text + look->have &&
                 (memcmp(line, heads[0], length) == 0 || memcmp(line, heads[1], length) == 0) &&
                 (line[length] == '\n' || line[length] == '\r');
    return found ? GUESS_SURE : GUESS_NO;
}

const struct distances_format distances_pairs = {
    .name = "pairs",
    .about =
        "text: from,to,distance of all pairs at a finite distance, as apsp writes .csv and .tsv",
    .listed = true,
    .guess = pairs_guess,
    .open = pairs_open,
    .close = pairs_close,
    .read = pairs_read,
    .need = pairs_need};
