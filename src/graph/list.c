/*
 * Lists of edges: a line for each, FROM TO or FROM TO WEIGHT, in the columns of columns.h; comments
 * start with # or %. Vertices have any names. A first pass finds the names, and whether weights are
 * whole; names that are whole numbers and use at least half of those up to the largest are numbers
 * as they are.
 */
#include "graph/columns.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char comments[] = "#%";

struct list { /* graph->own */
    struct graph_file file;
    struct columns shape;
    struct weight_kind kind;
};

/* A line of an edge. */
struct entry {
    size_t offset; /* in the file */
    int count;     /* of its fields, as fields_cut has it; of those of an edge: */
    struct field end[2], weight;
    uint32_t hash[2];
};

/*
 * A part of the file, and copies of some lines of it. Names lie anywhere in memory, and a big
 * list's time is that of waiting for them: those of all these lines, two of each, are asked for
 * before the first one is looked at. A core can wait for about so many at a time.
 */
enum { AHEAD = 8, AHEAD_BYTES = AHEAD * 256 + LINE_LONGEST + 2 };
struct reader {
    struct file_part part;
    size_t at, have;
    struct apsp_error error; /* what is wrong after them */
    struct entry entry[AHEAD];
    unsigned char text[AHEAD_BYTES];
};

/* The line, which ends with a line feed or is the last one, to `copy`; returns its bytes there. */
static size_t copy_text(const struct file_part *part, const struct line *line, unsigned char *copy)
{
    size_t length = (size_t)(part->buffer + part->used - line->text);
    memcpy(copy, line->text, length);
    copy[length] = '\n';
    return length + 1;
}

static void cut_entry(const struct columns *shape, struct entry *entry, unsigned char *text)
{
    struct field fields[FIELDS_MAX];
    entry->count = fields_cut(shape->separator, text, fields);
    if (entry->count != shape->count)
        return;
    entry->end[0] = fields[shape->from];
    entry->end[1] = fields[shape->to];
    if (shape->weight >= 0)
        entry->weight = fields[shape->weight];
}

static void ask_for_names(struct reader *reader, const struct names *names)
{
    const int count = ((const struct list *)reader->part.graph->own)->shape.count;
    for (size_t i = 0; i < 2 * reader->have; i++) {
        struct entry *entry = &reader->entry[i / 2];
        const struct field *field = &entry->end[i % 2];
        if (entry->count == count)
            entry->hash[i % 2] = names_ask(names, (const char *)field->text, field->length);
    }
    for (size_t i = 0; i < 2 * reader->have; i++)
        if (reader->entry[i / 2].count == count)
            names_ask_text(names, reader->entry[i / 2].hash[i % 2]);
}

static void read_ahead(struct reader *reader)
{
    const struct graph *graph = reader->part.graph;
    const struct list *list = graph->own;
    struct line line;
    size_t used = 0;
    reader->at = reader->have = 0;
    while (reader->have < AHEAD && AHEAD_BYTES - used >= LINE_LONGEST + 2 &&
           line_next(&reader->part, comments, &line, &reader->error) == APSP_OK && line.text) {
        struct entry *entry = &reader->entry[reader->have++];
        unsigned char *text = reader->text + used;
        entry->offset = line.offset;
        used += copy_text(&reader->part, &line, text);
        cut_entry(&list->shape, entry, text);
    }
    if (graph->names)
        ask_for_names(reader, graph->names);
}

/* The next line of an edge; NULL at the end. */
static int next_entry(struct reader *reader, const struct entry **entry, struct apsp_error *error)
{
    const struct graph *graph = reader->part.graph;
    const int wanted = ((const struct list *)graph->own)->shape.count;
    char what[100];
    *entry = NULL;
    if (reader->at == reader->have && !reader->error.code)
        read_ahead(reader);
    if (reader->at == reader->have)
        return reader->error.code ? error_set(error, reader->error.code, "%s", reader->error.text)
                                  : APSP_OK;
    *entry = &reader->entry[reader->at++];
    if ((*entry)->count == wanted)
        return APSP_OK;
    if ((*entry)->count < 0)
        snprintf(what, sizeof what, "a quote does not end with its field");
    else
        snprintf(what, sizeof what, "%d fields, where the first line has %d", (*entry)->count,
                 wanted);
    return line_refuse_at(graph, (*entry)->offset, what, error);
}

static int take_weight(const struct graph *graph, const struct entry *entry,
                       struct weight_kind *kind, union value *weight, struct apsp_error *error)
{
    return fields_take_weight(&(struct place){graph, entry->offset}, &entry->weight, kind, weight,
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

/* The first pass, after the header: over the vertices as numbers, which ends where one is none, or
 * as names.
 */
static int survey(struct reader *reader, struct graph *graph, struct numbers *numbers,
                  struct apsp_error *error)
{
    struct list *list = graph->own;
    const struct entry *entry;
    union value weight;
    uint32_t vertex;
    graph->records = 0;
    list->kind = (struct weight_kind){0};
    while (!numbers->fail && next_entry(reader, &entry, error) == APSP_OK && entry) {
        for (int end = 0; end < 2 && !error->code; end++)
            if (numbers->bit)
                take_number(numbers, &entry->end[end]);
            else
                fields_take_name(&(struct place){graph, entry->offset}, graph->names,
                                 &entry->end[end], &vertex, error);
        if (error->code || (list->shape.weight >= 0 &&
                            take_weight(graph, entry, &list->kind, &weight, error) != APSP_OK))
            break;
        graph->records++;
    }
    return error->code;
}

/* Reads the file once, from its first edge on. */
static int pass(struct graph *graph, struct numbers *numbers, struct apsp_error *error)
{
    struct graph_part *part = NULL;
    if (graph_part_open(&part, graph, 0, 1, error) == APSP_OK)
        survey((struct reader *)part, graph, numbers, error);
    graph_part_free(part);
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

/* Numbers first, since they take a bit each. What is wrong in a line may be wrong before its names
 * are known.
 */
static int find_vertices(struct graph *graph, struct apsp_error *error)
{
    struct numbers numbers = {.bit = mem_alloc(NAMES_MAX / 8 + sizeof(uint64_t)),
                              .least = INT64_MAX};
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
    graph->numbering =
        graph->options.sorted ? "vertices by name, numbered in the order of their names"
        : names->numbers      ? "vertices leave more than half of the numbers unused, and are "
                                "numbered as they appear"
                              : "vertices by name, numbered as they appear";
    return graph->options.sorted ? names_sort(names, error) : APSP_OK;
}

/* Copies the next line that holds fields; false at the end. */
static bool copy_line(struct file_part *part, unsigned char copy[LINE_LONGEST + 2],
                      struct line *line, struct apsp_error *error)
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
    char what[COLUMNS_WHAT];
    bool found = copy_line(part, first, &line, error);
    if (error->code)
        return error->code;
    if (!found)
        return line_refuse_at(graph, graph->bytes, "the file ends without an edge", error);
    size_t body = file_part_offset(part);
    found = copy_line(part, second, &next, error);
    if (error->code)
        return error->code;
    if (!columns_settle(&list->shape, first, found ? second : NULL, graph->options.columns, what))
        return line_refuse_at(graph, line.offset, what, error);
    list->file.body = list->shape.header ? body : line.offset;
    memcpy(graph->about, list->shape.about, sizeof graph->about);
    if (*list->shape.note)
        graph_note(graph, "%s", list->shape.note);
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

static int list_begin(struct graph_part *head, int index, int parts, struct apsp_error *error)
{
    struct reader *reader = (struct reader *)head;
    reader->at = reader->have = 0;
    reader->error = (struct apsp_error){0};
    return file_source_begin(head, index, parts, error);
}

static int list_next(struct graph_part *head, struct edge *edges, size_t room, size_t *count,
                     struct apsp_error *error)
{
    struct reader *reader = (struct reader *)head;
    const struct graph *graph = head->graph;
    const struct list *list = graph->own;
    const struct entry *entry;
    if (line_begin(&reader->part, error) != APSP_OK)
        return error->code;
    for (; *count < room; ++*count, head->records++) {
        struct edge *edge = &edges[*count];
        struct weight_kind kind = list->kind;
        if (next_entry(reader, &entry, error) != APSP_OK || !entry)
            return error->code;
        edge->weight.whole = 1;
        if (list->shape.weight >= 0 &&
            take_weight(graph, entry, &kind, &edge->weight, error) != APSP_OK)
            return error->code;
        if (kind.real != list->kind.real || !find_vertex(graph, &entry->end[0], &edge->from) ||
            !find_vertex(graph, &entry->end[1], &edge->to))
            return graph_changed(graph, error);
    }
    return APSP_OK;
}

enum { LOOK_LINES = 3 };

/* The first lines have the same columns, and none of the characters of other languages. */
static enum graph_guess list_guess(const struct graph_look *look)
{
    unsigned char copies[LOOK_LINES][LINE_LONGEST + 2];
    struct field fields[FIELDS_MAX];
    struct columns shape;
    char what[COLUMNS_WHAT];
    int lines = 0;
    struct graph_look rest = *look;
    const unsigned char *line =
        memchr(look->text, '\0', look->have) ? NULL : graph_look_line(look, comments);
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
    if (lines == 0 || !columns_settle(&shape, copies[0], NULL, NULL, what))
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
    .reader = sizeof(struct reader),
    .open = list_open,
    .close = file_source_close,
    .begin = list_begin,
    .next = list_next};
