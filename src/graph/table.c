/*
 * Matrices as tables of text: a line for each row, as numpy.savetxt, pandas.DataFrame.to_csv and
 * R's write.table make them. Entry (I, J) is the edge I -> J, unless no_edge has it. The first
 * line may name the columns, and the first field of a line its row; without names vertices count
 * from 0. Lines have any length. The file is read twice when it is opened: for its shape, and for
 * names, kind of weights and number of edges.
 */
#include "graph/table.h"

#include "base/mem.h"
#include "base/setting.h"
#include "base/text.h"
#include "graph/numbering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_FIELDS = 3 }; /* of a line of a list of edges, at most */

struct table { /* graph->own */
    struct graph_file file;
    struct absent absent;
    struct weight_kind kind;
    struct table_shape shape;
    size_t longest;         /* bytes of a line, at most */
    uint32_t *row, *column; /* the vertex of each */
};

struct reader {
    struct graph_part head;
    struct text text;
    struct text_line line;
    struct text_walk walk;
    size_t row, column; /* of the next entry; `walk` is within the row unless the column is 0 */
};

static void start(const struct graph *graph, struct text *text, size_t from)
{
    const struct table *table = graph->own;
    text_open(text, &graph->file, (struct range){from, graph->bytes}, table->longest,
              TABLE_COMMENTS);
}

/* A row of k entries has 2 k bytes at least, and there are k rows. */
static size_t longest_line(size_t bytes)
{
    enum { ENTRY = 256 };
    return ENTRY * ((size_t)sqrt((double)bytes / 2) + 2) + (size_t)2 * LINE_LONGEST;
}

static int refuse_shape(const struct graph *graph, size_t lines, size_t fields,
                        struct apsp_error *error)
{
    return error_set(error, APSP_INPUT,
                     "%s: %zu lines of %zu fields are not a square matrix, with names or without; "
                     "%s list reads a list of edges",
                     graph->path, lines, fields, SETTING(FORMAT));
}

/* Counts lines, and the fields of the first two. */
static int find_shape(struct graph *graph, struct apsp_error *error)
{
    struct table *table = graph->own;
    struct table_first first = {.integers = true};
    struct text text;
    struct text_line line;
    struct field field;
    size_t lines = 0, second = 0;
    start(graph, &text, 0);
    for (; text_next(&text, &line, error) == APSP_OK && line.text; lines++) {
        if (lines == 0)
            table->shape.separator = fields_separator(line.text);
        struct text_walk walk = {.separator = table->shape.separator, .at = line.text};
        while (lines == 0 && text_walk(&walk, &field))
            table_see(&first, &field);
        if (lines == 1)
            second = text_count_fields(table->shape.separator, &line);
        if (lines < 2)
            table->file.body = line.offset;
        if (!walk.at || (lines == 1 && second == 0))
            line_refuse_at(graph, line.offset, "a quote does not end with its field", error);
        if (error->code)
            break;
    }
    text_close(&text);
    if (error->code)
        return error->code;
    second = lines > 1 ? second : first.count;
    if (!table_settle(&table->shape, &first, second, lines) || table->shape.n > INT32_MAX)
        return refuse_shape(graph, lines, second, error);
    table->file.body = table->shape.header ? table->file.body : 0;
    return APSP_OK;
}

/* The name that follows in the order of the columns. */
static int take_name(const struct place *place, struct names *names, const struct field *field,
                     struct apsp_error *error)
{
    const size_t known = names->count;
    uint32_t vertex;
    if (fields_take_name(place, names, field, &vertex, error) == APSP_OK && names->count == known)
        fields_refuse(place, "the name", field, "is that of two columns or rows", error);
    return error->code;
}

static int take_header(struct graph *graph, const struct text_line *line, struct apsp_error *error)
{
    const struct table *table = graph->own;
    const struct place place = {graph, line->offset};
    struct text_walk walk = {.separator = table->shape.separator, .at = line->text};
    struct field field;
    if (table->shape.corner)
        text_walk(&walk, &field);
    while (text_walk(&walk, &field) && take_name(&place, graph->names, &field, error) == APSP_OK)
        continue;
    return error->code;
}

/* The name of a row: below a header that of any column. */
static int take_row(struct graph *graph, const struct place *place, size_t row,
                    const struct field *field, struct apsp_error *error)
{
    const struct table *table = graph->own;
    if (!table->shape.header)
        return take_name(place, graph->names, field, error);
    if (!names_find(graph->names, (const char *)field->text, field->length, &table->row[row]))
        return fields_refuse(place, "the name of the row", field, "is that of no column", error);
    if (table->column[table->row[row]] != UINT32_MAX)
        return fields_refuse(place, "the name", field, "is that of two rows", error);
    table->column[table->row[row]] = (uint32_t)row; /* until all have been seen */
    return APSP_OK;
}

struct entry {
    union value weight; /* Of the kind that all entries have. */
    bool taken;         /* It is an edge. */
};

static int take_entry(const struct place *place, const struct field *field, size_t column,
                      struct weight_kind *kind, struct entry *entry, struct apsp_error *error)
{
    const struct table *table = place->graph->own;
    union value *weight = &entry->weight;
    char what[TEXT_SHORT], instead[TEXT_LINE];
    bool rough = false;
    const enum field_number number = fields_scan_entry(field, INT64_MAX, weight, &rough);
    snprintf(what, sizeof what, "the entry of column %zu,", column + 1);
    if (number == FIELD_WORD) {
        snprintf(instead, sizeof instead, "is not a number%s", fields_hint(field));
        return fields_refuse(place, what, field, instead, error);
    }
    entry->taken = !absent_has(&table->absent, number != FIELD_WHOLE, *weight);
    if (!entry->taken)
        return APSP_OK;
    if (number == FIELD_LARGE || (number == FIELD_DECIMAL && !isfinite(weight->real)) ||
        (number == FIELD_WHOLE && (weight->whole > WEIGHT_MAX || weight->whole < -WEIGHT_MAX))) {
        snprintf(
            instead, sizeof instead,
            "is not a finite weight of at most 62 bits; %s names the entries that are no edges",
            SETTING(NO_EDGE));
        return fields_refuse(place, what, field, instead, error);
    }
    if (kind->real && number == FIELD_WHOLE)
        weight->real = (double)weight->whole;
    kind->real |= number == FIELD_DECIMAL;
    kind->rough |= rough;
    return APSP_OK;
}

static int survey_row(struct graph *graph, const struct text_line *line, size_t row,
                      struct apsp_error *error)
{
    struct table *table = graph->own;
    const struct table_shape *shape = &table->shape;
    const struct place place = {graph, line->offset};
    struct text_walk walk = {.separator = shape->separator, .at = line->text};
    struct field field;
    struct entry entry;
    size_t count = 0;
    char what[TEXT_LINE];
    for (; !error->code && text_walk(&walk, &field); count++) {
        entry.taken = false;
        if (count == 0 && shape->named)
            take_row(graph, &place, row, &field, error);
        else
            take_entry(&place, &field, count, &table->kind, &entry, error);
        graph->records += entry.taken;
    }
    if (error->code || (walk.at && count == shape->n + shape->named))
        return error->code;
    snprintf(what, sizeof what, "%zu fields, where %zu are needed: %zu numbers%s", count,
             shape->n + shape->named, shape->n, shape->named ? " behind a name" : "");
    return line_refuse_at(graph, line->offset, walk.at ? what : "a quote does not end", error);
}

/* Names, kind of weights and number of edges. */
static int survey(struct graph *graph, struct apsp_error *error)
{
    const struct table *table = graph->own;
    struct text text;
    struct text_line line;
    size_t row = 0;
    memset(table->column, 0xff, table->shape.n * sizeof *table->column);
    start(graph, &text, 0);
    if (table->shape.header && text_next(&text, &line, error) == APSP_OK && line.text)
        take_header(graph, &line, error);
    while (!error->code && text_next(&text, &line, error) == APSP_OK && line.text) {
        if (row == table->shape.n || (table->shape.header && graph->names->count != table->shape.n))
            graph_changed(graph, error);
        else
            survey_row(graph, &line, row++, error);
    }
    text_close(&text);
    return error->code || row == table->shape.n ? error->code : graph_changed(graph, error);
}

/* The vertices of rows and columns, in the order in which the names are numbered. */
static int settle_vertices(struct graph *graph, struct apsp_error *error)
{
    struct table *table = graph->own;
    uint32_t *number = NULL;
    const bool permuted = table->shape.header && table->shape.named;
    for (size_t i = 0; i < table->shape.n; i++) {
        table->column[i] = (uint32_t)i;
        table->row[i] = permuted ? table->row[i] : (uint32_t)i;
    }
    graph->n = table->shape.n;
    graph->numbering = "vertices by name, numbered as the columns";
    if (!graph->names)
        graph->numbering = NULL;
    else if (numbering_settle(graph, &number, error) == APSP_OK)
        numbering_drop(graph);
    for (size_t i = 0; number && i < table->shape.n; i++) {
        table->column[i] = number[table->column[i]];
        table->row[i] = number[table->row[i]];
    }
    mem_free(number);
    return error->code;
}

static int table_open(struct graph *graph, struct apsp_error *error)
{
    if (file_source_open(graph, sizeof(struct table), error) != APSP_OK)
        return error->code;
    struct table *table = graph->own;
    const struct table_shape *shape = &table->shape;
    table->longest = longest_line(graph->bytes);
    if (absent_read(&table->absent, graph->options.no_edge, ABSENT_DENSE, error) != APSP_OK ||
        find_shape(graph, error) != APSP_OK)
        return error->code;
    table->row = mem_alloc(mem_bytes(shape->n, sizeof *table->row));
    table->column = mem_alloc(mem_bytes(shape->n, sizeof *table->column));
    graph->names = shape->header || shape->named ? names_new() : NULL;
    if (!table->row || !table->column || ((shape->header || shape->named) && !graph->names))
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    if (survey(graph, error) != APSP_OK || settle_vertices(graph, error) != APSP_OK)
        return error->code;
    snprintf(graph->about, sizeof graph->about, "matrix of %zu rows%s", shape->n,
             shape->header && shape->named ? ", names of columns and rows"
             : shape->header               ? ", names of columns"
             : shape->named                ? ", names of rows"
                                           : ", no names");
    if (shape->n <= LIST_FIELDS && !shape->header && !shape->named && !graph->options.format)
        graph_warn(graph, "read as a matrix of %zu rows; %s list reads a list of edges", shape->n,
                   SETTING(FORMAT));
    graph->real = table->kind.real;
    graph->rough = table->kind.rough;
    graph->m = graph->records;
    graph->once = true;
    return APSP_OK;
}

static void table_close(struct graph *graph)
{
    struct table *table = graph->own;
    if (table) {
        mem_free(table->row);
        mem_free(table->column);
    }
    graph_free_own(graph);
}

static int table_begin(struct graph_part *head, int index, int parts, struct apsp_error *error)
{
    struct reader *reader = (struct reader *)head;
    (void)index;
    (void)parts;
    (void)error;
    start(head->graph, &reader->text, ((const struct table *)head->graph->own)->file.body);
    reader->row = reader->column = 0;
    return APSP_OK;
}

static void table_end(struct graph_part *head)
{
    text_close(&((struct reader *)head)->text);
}

/* Goes to the next line before a row, and out of it behind the last entry; false at the end. */
static bool find_entry(struct reader *reader, struct field *field, struct apsp_error *error)
{
    const struct table *table = reader->head.graph->own;
    const struct table_shape *shape = &table->shape;
    if (reader->column == 0) {
        if (text_next(&reader->text, &reader->line, error) != APSP_OK || !reader->line.text)
            return false;
        reader->walk = (struct text_walk){.separator = shape->separator, .at = reader->line.text};
        if (shape->named)
            text_walk(&reader->walk, field);
    }
    if (reader->row < shape->n && reader->walk.at && text_walk(&reader->walk, field))
        return true;
    graph_changed(reader->head.graph, error);
    return false;
}

static int table_next(struct graph_part *head, struct edge *edges, size_t room, size_t *count,
                      struct apsp_error *error)
{
    struct reader *reader = (struct reader *)head;
    const struct table *table = head->graph->own;
    struct field field;
    while (*count < room && find_entry(reader, &field, error)) {
        const struct place place = {head->graph, reader->line.offset};
        struct weight_kind kind = table->kind;
        struct edge *edge = &edges[*count];
        struct entry entry;
        if (take_entry(&place, &field, reader->column + table->shape.named, &kind, &entry, error) !=
            APSP_OK)
            return error->code;
        if (kind.real != table->kind.real)
            return graph_changed(head->graph, error);
        edge->from = table->row[reader->row];
        edge->to = table->column[reader->column];
        edge->weight = entry.weight;
        if (++reader->column == table->shape.n) {
            reader->column = 0;
            reader->row++;
        }
        head->records += entry.taken;
        *count += entry.taken;
    }
    return error->code;
}

const struct graph_source graph_table = {
    .name = "table",
    .about = "text: a square matrix, a line a row, with the names of rows and columns or without",
    .guess = table_guess,
    .options = GRAPH_NO_EDGE,
    .sequential = true,
    .reader = sizeof(struct reader),
    .open = table_open,
    .close = table_close,
    .begin = table_begin,
    .next = table_next,
    .end = table_end};
