/*
 * Lists of edges: a line for each, FROM TO or FROM TO WEIGHT, in the columns of fields.h; comments start with
 * # or %. Vertices have any names. A first pass finds the names, and whether weights are whole; names that
 * are whole numbers and use at least half of those up to the largest are numbers as they are.
 */
#include "graph/fields.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char comments[] = "#%";

struct list { /* graph->own */
    struct graph_file file;
    struct fields_shape shape;
    struct weight_kind kind;
};

struct reader {
    const struct graph *graph;
    const struct list *list;
    struct file_part *part;
    struct line line;
    struct field fields[FIELDS_MAX];
};

/* The fields of the next line of an edge; line.text is NULL at the end. */
static int next_fields(struct reader *reader, struct apsp_error *error)
{
    const struct fields_shape *shape = &reader->list->shape;
    char what[100];
    if (line_next(reader->part, comments, &reader->line, error) != APSP_OK || !reader->line.text)
        return error->code;
    /* The buffer is the part's own, and this line of it is done with. */
    unsigned char *text = reader->part->buffer + (reader->line.text - reader->part->buffer);
    int count = fields_cut(shape->separator, text, reader->fields);
    if (count == shape->count)
        return APSP_OK;
    if (count < 0)
        snprintf(what, sizeof what, "a quote does not end with its field");
    else
        snprintf(what, sizeof what, "%d fields, where the first line has %d", count, shape->count);
    return line_refuse_at(reader->graph, reader->line.offset, what, error);
}

static int take_weight(const struct reader *reader, struct weight_kind *kind, union value *weight,
                       struct apsp_error *error)
{
    return fields_take_weight(&(struct place){reader->graph, reader->line.offset},
                              &reader->fields[reader->list->shape.weight], kind, weight, error);
}

static int take_name(const struct reader *reader, struct names *names, const struct field *field,
                     struct apsp_error *error)
{
    uint32_t vertex;
    return fields_take_name(&(struct place){reader->graph, reader->line.offset}, names, field, &vertex,
                            error);
}

/* Numbers that are seen, as long as nothing but small ones is. */
struct numbers {
    uint64_t *bit; /* of NAMES_MAX; NULL: names are taken */
    size_t count;
    int64_t least, most;
    bool fail; /* something else has been seen */
};

/* A number is a name that is printed as it stands there. */
static void take_number(struct numbers *numbers, const struct field *field)
{
    int64_t value;
    if ((field->length > 1 && *field->text == '0') ||
        line_scan_whole(field->text, 0, NAMES_MAX - 1, &value) != field->text + field->length) {
        numbers->fail = true;
        return;
    }
    uint64_t *word = &numbers->bit[value / 64], mask = UINT64_C(1) << value % 64;
    numbers->count += !(*word & mask);
    *word |= mask;
    numbers->least = value < numbers->least ? value : numbers->least;
    numbers->most = value > numbers->most ? value : numbers->most;
}

/* The first pass, after the header: over the vertices as numbers, which ends where one is none, or as names.
 */
static int survey(struct reader *reader, struct graph *graph, struct numbers *numbers,
                  struct apsp_error *error)
{
    struct list *list = graph->own;
    union value weight;
    graph->records = 0;
    list->kind = (struct weight_kind){0};
    while (!numbers->fail && next_fields(reader, error) == APSP_OK && reader->line.text) {
        for (int end = 0; end < 2 && !error->code; end++) {
            const struct field *field = &reader->fields[end ? list->shape.to : list->shape.from];
            if (numbers->bit)
                take_number(numbers, field);
            else
                take_name(reader, graph->names, field, error);
        }
        if (error->code ||
            (list->shape.weight >= 0 && take_weight(reader, &list->kind, &weight, error) != APSP_OK))
            break;
        graph->records++;
    }
    return error->code;
}

/* Reads the file once, from its first edge on. */
static int pass(struct graph *graph, struct numbers *numbers, struct apsp_error *error)
{
    struct graph_part *part = NULL;
    struct reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    else if (graph_part_open(&part, graph, 0, 1, error) == APSP_OK) {
        *reader = (struct reader){.graph = graph, .list = graph->own, .part = (struct file_part *)part};
        survey(reader, graph, numbers, error);
    }
    graph_part_free(part);
    free(reader);
    return error->code;
}

/* Whether they stay the numbers of the vertices. */
static bool use_numbers(struct graph *graph, const struct numbers *numbers)
{
    size_t first = numbers->least > 0, n = (size_t)numbers->most + 1 - first;
    if (numbers->fail || graph->records == 0 || n > 2 * numbers->count)
        return false;
    graph->first = first;
    graph->n = n;
    return true;
}

/* Numbers first, since they take a bit each. What is wrong in a line may be wrong before its names are known.
 */
static int find_vertices(struct graph *graph, struct apsp_error *error)
{
    struct numbers numbers = {.bit = mem_alloc(NAMES_MAX / 8 + sizeof(uint64_t)), .least = INT64_MAX};
    if (!numbers.bit)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    pass(graph, &numbers, error);
    mem_free(numbers.bit);
    if (error->code || use_numbers(graph, &numbers))
        return error->code;
    graph->names = names_new();
    if (!graph->names)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    return pass(graph, &(struct numbers){0}, error);
}

static int number_vertices(struct graph *graph, struct apsp_error *error)
{
    struct names *names = graph->names;
    if (!names)
        return APSP_OK;
    graph->n = names->count;
    graph->numbering = graph->options.sorted ? "vertices by name, numbered in the order of their names"
                       : names->numbers      ? "vertices leave more than half of the numbers unused, and are "
                                               "numbered as they appear"
                                             : "vertices by name, numbered as they appear";
    return graph->options.sorted ? names_sort(names, error) : APSP_OK;
}

/* Copies the next line that holds fields; false at the end. */
static bool copy_line(struct file_part *part, unsigned char copy[LINE_LONGEST + 2], struct line *line,
                      struct apsp_error *error)
{
    if (line_next(part, comments, line, error) != APSP_OK || !line->text)
        return false;
    size_t length = 0;
    while (!line_is_end(line->text + length))
        length++;
    memcpy(copy, line->text, length);
    copy[length] = '\n';
    return true;
}

static int settle(struct file_part *part, struct graph *graph, struct apsp_error *error)
{
    unsigned char first[LINE_LONGEST + 2], second[LINE_LONGEST + 2];
    struct line line, next;
    struct list *list = graph->own;
    char what[FIELDS_WHAT];
    bool found = copy_line(part, first, &line, error);
    if (error->code)
        return error->code;
    if (!found)
        return line_refuse_at(graph, graph->bytes, "the file ends without an edge", error);
    size_t body = file_part_offset(part);
    found = copy_line(part, second, &next, error);
    if (error->code)
        return error->code;
    if (!fields_settle(&list->shape, first, found ? second : NULL, graph->options.columns, what))
        return line_refuse_at(graph, line.offset, what, error);
    list->file.body = list->shape.header ? body : line.offset;
    memcpy(graph->about, list->shape.about, sizeof graph->about);
    return APSP_OK;
}

static int list_open(struct graph *graph, struct apsp_error *error)
{
    if (line_open(graph, sizeof(struct list), settle, error) != APSP_OK ||
        find_vertices(graph, error) != APSP_OK)
        return error->code;
    if (graph->records == 0)
        return line_refuse_at(graph, graph->bytes, "the file ends without an edge", error);
    graph->real = ((struct list *)graph->own)->kind.real;
    graph->rough = ((struct list *)graph->own)->kind.rough;
    graph->m = graph->records;
    graph->once = true;
    return number_vertices(graph, error);
}

/* Of a vertex that the first pass has seen. */
static bool find_vertex(const struct graph *graph, const struct field *field, uint32_t *vertex)
{
    int64_t number;
    if (graph->names)
        return names_find(graph->names, (const char *)field->text, field->length, vertex);
    if (line_scan_whole(field->text, (int64_t)graph->first, (int64_t)(graph->first + graph->n - 1),
                        &number) != field->text + field->length)
        return false;
    *vertex = (uint32_t)((size_t)number - graph->first);
    return true;
}

static int list_next(struct graph_part *head, struct edge *edges, size_t room, size_t *count,
                     struct apsp_error *error)
{
    const struct graph *graph = head->graph;
    const struct list *list = graph->own;
    struct reader reader = {.graph = graph, .list = list, .part = (struct file_part *)head};
    if (line_begin(reader.part, error) != APSP_OK)
        return error->code;
    for (; *count < room; ++*count, head->records++) {
        struct edge *edge = &edges[*count];
        struct weight_kind kind = list->kind;
        if (next_fields(&reader, error) != APSP_OK || !reader.line.text)
            return error->code;
        edge->weight.whole = 1;
        if (list->shape.weight >= 0 && take_weight(&reader, &kind, &edge->weight, error) != APSP_OK)
            return error->code;
        if (kind.real != list->kind.real ||
            !find_vertex(graph, &reader.fields[list->shape.from], &edge->from) ||
            !find_vertex(graph, &reader.fields[list->shape.to], &edge->to))
            return error_set(error, APSP_INPUT, "%s: changed while it was read", graph->path);
    }
    return APSP_OK;
}

enum { LOOK_LINES = 3 };

/* The first lines have the same columns, and none of the characters of other languages. */
static enum graph_guess list_guess(const struct graph_look *look)
{
    unsigned char copies[LOOK_LINES][LINE_LONGEST + 2];
    struct field fields[FIELDS_MAX];
    struct fields_shape shape;
    char what[FIELDS_WHAT];
    int lines = 0;
    struct graph_look rest = *look;
    const unsigned char *line = memchr(look->text, '\0', look->have) ? NULL : graph_look_line(look, comments);
    for (; line && lines < LOOK_LINES; lines++) {
        rest.have -= (size_t)(line - rest.text);
        const unsigned char *end = memchr(line, '\n', rest.have);
        size_t length = end ? (size_t)(end - line) : rest.have;
        if (length > LINE_LONGEST || strchr("*<", *line))
            return GUESS_NO;
        memcpy(copies[lines], line, length);
        copies[lines][length] = '\n';
        if (memchr(line, '[', length) || memchr(line, '{', length))
            return GUESS_NO;
        rest.text = line + length;
        rest.have -= length;
        line = end ? graph_look_line(&rest, comments) : NULL;
    }
    if (lines == 0 || !fields_settle(&shape, copies[0], NULL, NULL, what))
        return GUESS_NO;
    for (int i = 1; i < lines; i++)
        if (fields_cut(shape.separator, copies[i], fields) != shape.count)
            return GUESS_NO;
    return GUESS_POSSIBLE;
}

const struct graph_source graph_list = {
    .name = "list",
    .about = "text: a line an edge, two vertices of any names, perhaps a weight",
    .suffix = ".csv .tsv .txt .edges .el .wel",
    .guess = list_guess,
    .options = GRAPH_COLUMNS,
    .reader = sizeof(struct file_part),
    .open = list_open,
    .close = file_source_close,
    .begin = file_source_begin,
    .next = list_next};
