/*
 * Lists of edges: a line for each, FROM TO or FROM TO WEIGHT, in the columns of columns.h; comments
 * start with # or %. Vertices have any names. A first pass finds the names, and whether weights are
 * whole; names that are integers and use at least half of those up to the largest are numbers
 * as they are.
 */
#include "base/setting.h"
#include "graph/list_lines.h"
#include "graph/numbering.h"
#include "graph/table.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Whether the weight of a line is that of no edge. */
static bool is_absent(const struct list *list, const struct list_entry *entry)
{
    union value value;
    bool rough = false;
    if (!list->gaps || list->shape.weight < 0)
        return false;
    const enum field_number number = fields_scan_entry(&entry->weight, INT64_MAX, &value, &rough);
    return number != FIELD_WORD && absent_has(&list->absent, number != FIELD_WHOLE, value);
}

static int take_weight(const struct graph *graph, const struct list_entry *entry,
                       struct weight_kind *kind, union value *weight, struct apsp_error *error)
{
    return fields_take_weight(&(struct place){graph, entry->offset}, &entry->weight, kind, weight,
                              error);
}

/* Whether the field of a line of FROM TO [WEIGHT] is one that a matrix has on its diagonal there.
 */
static bool is_diagonal(const struct list *list, const struct list_entry *entry)
{
    const struct field *fields[] = {&entry->end[0], &entry->end[1], &entry->weight};
    const struct columns *shape = &list->shape;
    return !shape->header && shape->from == 0 && shape->to == 1 &&
           shape->count > (int)list->square && (shape->count == 2 || shape->weight == 2) &&
           table_is_diagonal(fields[list->square]);
}

/* The first pass, after the header: over the vertices as numbers, which ends where one is none, or
 * as names.
 */
static int survey(struct list_reader *reader, struct graph *graph, struct numbering *numbers,
                  size_t limit, struct apsp_error *error)
{
    struct list *list = graph->own;
    const struct list_entry *entry;
    union value weight;
    uint32_t vertex;
    graph->records = list->both = list->back = list->square = 0;
    list->least = INT64_MAX;
    memset(list->returns, 0, sizeof *list->returns);
    list->kind = (struct weight_kind){0};
    while (!numbers->fail && graph->records <= limit &&
           list_next_entry(reader, &entry, error) == APSP_OK && entry) {
        for (int end = 0; end < 2 && !error->code; end++)
            if (numbers->bit)
                numbering_see(numbers, &entry->end[end]);
            else
                fields_take_name(&(struct place){graph, entry->offset}, graph->names,
                                 &entry->end[end], &vertex, error);
        if (!error->code && is_absent(list, entry))
            continue;
        if (error->code || (list->shape.weight >= 0 &&
                            take_weight(graph, entry, &list->kind, &weight, error) != APSP_OK))
            break;
        if (list->shape.direction >= 0 && list_count_direction(graph, entry, error) != APSP_OK)
            break;
        if (list->shape.weight >= 0 && !list->kind.real && weight.whole < list->least)
            list->least = weight.whole;
        list->square += graph->records == list->square && is_diagonal(list, entry);
        returns_add(list->returns, entry->end);
        graph->records++;
    }
    return error->code;
}

/* Reads the file once, from its first edge on. Of more edges than the limit it is enough to know
 * that there are more. */
static int pass(struct graph *graph, struct numbering *numbers, size_t limit,
                struct apsp_error *error)
{
    struct graph_part *part = NULL;
    if (graph_part_open(&part, graph, 0, 1, error) == APSP_OK)
        survey((struct list_reader *)part, graph, numbers, limit, error);
    graph_part_free(part);
    return error->code;
}

/* Numbers take a bit each. */
static int pass_numbers(struct graph *graph, size_t limit, struct numbering *numbers,
                        struct apsp_error *error)
{
    if (!numbering_open(numbers))
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    pass(graph, numbers, limit, error);
    numbering_close(numbers);
    return error->code;
}

static void note_counts(struct graph *graph, bool as_edge)
{
    const struct list_head *head = &((const struct list *)graph->own)->head;
    char vertices[TEXT_NUMBER], edges[TEXT_NUMBER];
    (as_edge ? graph_warn : graph_note)(
        graph, "the first line counts %s vertices and %s edges%s%s%s",
        text_count(vertices, (size_t)head->vertices), text_count(edges, (size_t)head->edges),
        as_edge ? "; " : "", as_edge ? SETTING(COLUMNS) : "",
        as_edge ? " 1,2 takes it for an edge" : "");
}

/*
 * A first line of two numbers counts the vertices and edges if what follows it has so many: numbers
 * up to the first one, or that many different ones. 2 1, 1 2 is a pair of edges. Otherwise the list
 * is as it was. *left: names are to be found yet.
 */
static int take_counts(struct graph *graph, bool *taken, bool *left, struct apsp_error *error)
{
    struct list *list = graph->own;
    const struct columns shape = list->shape;
    const size_t body = list->file.body, n = (size_t)list->head.vertices;
    struct numbering numbers;
    list->shape = list->rest;
    list->file.body = list->second;
    pass_numbers(graph, (size_t)list->head.edges, &numbers, error);
    const bool may_be_edge = shape.count == list->rest.count;
    bool fits = !error->code && !numbers.fail && graph->records == (size_t)list->head.edges &&
                graph->records > may_be_edge;
    *left = fits && n == numbers.count && (size_t)numbers.most / 2 > n;
    *taken = *left || (fits && n >= (size_t)numbers.most + (numbers.least == 0));
    if (*taken)
        note_counts(graph, may_be_edge);
    if (*taken && !*left)
        numbering_take(&numbers, graph, n - (numbers.least == 0));
    if (*taken || (error->code && error->code != APSP_INPUT))
        return error->code;
    *error = (struct apsp_error){0};
    list->shape = shape;
    list->file.body = body;
    return APSP_OK;
}

/* Numbers first. What is wrong in a line may be wrong before its names are known. */
static int find_vertices(struct graph *graph, struct apsp_error *error)
{
    struct numbering numbers;
    bool counted = false, left = true;
    if (((const struct list *)graph->own)->head.counted &&
        take_counts(graph, &counted, &left, error) != APSP_OK)
        return error->code;
    if (counted && !left)
        return APSP_OK;
    if (!counted && (pass_numbers(graph, SIZE_MAX - 1, &numbers, error) != APSP_OK ||
                     numbering_use(&numbers, graph)))
        return error->code;
    graph->names = names_new();
    if (!graph->names)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    return pass(graph, &(struct numbering){0}, SIZE_MAX - 1, error);
}

/* Copies the next line that holds fields; false at the end. */
static bool copy_line(struct file_part *part, unsigned char copy[LINE_LONGEST + 2],
                      struct line *line, struct apsp_error *error)
{
    if (line_next(part, LIST_COMMENTS, line, error) != APSP_OK || !line->text)
        return false;
    size_t length = 0;
    while (!line_is_end(line->text + length))
        length++;
    memcpy(copy, line->text, length);
    copy[length] = '\n';
    return true;
}

/* The columns below a first line that may be a head. */
static int settle_rest(struct file_part *part, struct list *list, const unsigned char *second,
                       struct apsp_error *error)
{
    unsigned char one[LINE_LONGEST + 2], two[LINE_LONGEST + 2];
    struct line line;
    char what[COLUMNS_WHAT];
    memcpy(one, second, sizeof one);
    bool found = copy_line(part, two, &line, error);
    list->head.counted =
        columns_settle(&list->rest, one, found ? two : NULL, NULL, what) && !list->rest.header;
    return error->code;
}

static int settle(struct file_part *part, struct graph *graph, struct apsp_error *error)
{
    unsigned char first[LINE_LONGEST + 2], second[LINE_LONGEST + 2] = "";
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
    if (error->code || list_head_read(&list->head, graph, line.offset, first, error) != APSP_OK)
        return error->code;
    list->head.counted &= found;
    if (list->head.counted && settle_rest(part, list, second, error) != APSP_OK)
        return error->code;
    if (!columns_settle(&list->shape, first, found ? second : NULL, &graph->options, what))
        return line_refuse_at(graph, line.offset, what, error);
    list->file.body = list->shape.header ? body : line.offset;
    list->second = found ? next.offset : body;
    return APSP_OK;
}

/* A list of k lines of k numbers, whose diagonal is 0, may be a matrix. */
static void note_square(struct graph *graph)
{
    const struct list *list = graph->own;
    if (list->square == (size_t)list->shape.count && graph->records == list->square &&
        !graph->options.format)
        graph_warn(graph, "%zu lines of %zu numbers are read as edges; %s table reads a matrix",
                   list->square, list->square, SETTING(FORMAT));
}

/* Weights that are all seconds since 1970, or milliseconds, of the years 1996 to 2043. */
static void note_times(struct graph *graph)
{
    static const int64_t first = 820000000, last = 2330000000, parts[] = {1, 1000};
    const struct list *list = graph->own;
    const bool asked = graph->options.columns || graph->options.weight_key;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!asked && !list->kind.real && !graph->options.unweighted &&
            list->least >= first * parts[i] && list->least < last * parts[i])
            graph_warn(graph,
                       "column %d, the weights, looks like points in time; %s leaves them out",
                       list->shape.weight + 1, SETTING(UNWEIGHTED));
}

static int list_open(struct graph *graph, struct apsp_error *error)
{
    struct returns returns;
    if (line_open(graph, sizeof(struct list), settle, error) != APSP_OK)
        return error->code;
    struct list *list = graph->own;
    list->returns = &returns;
    list->gaps = graph->options.no_edge != NULL;
    if (absent_read(&list->absent, graph->options.no_edge, ABSENT_SPARSE, error) != APSP_OK)
        return error->code;
    if (find_vertices(graph, error) != APSP_OK)
        return error->code;
    if (graph->records == 0)
        return line_refuse_at(graph, graph->bytes, "the file ends without an edge", error);
    memcpy(graph->about, list->shape.about, sizeof graph->about);
    if (*list->shape.note)
        (list->shape.doubtful ? graph_warn : graph_note)(graph, "%s", list->shape.note);
    note_square(graph);
    note_times(graph);
    graph->real = list->kind.real;
    graph->rough = list->kind.rough;
    graph->m = graph->records;
    graph->once = true;
    list_settle_direction(graph);
    return numbering_settle(graph, NULL, error);
}

static int list_begin(struct graph_part *head, int index, int parts, struct apsp_error *error)
{
    struct list_reader *reader = (struct list_reader *)head;
    reader->at = reader->have = 0;
    reader->has_twin = false;
    reader->error = (struct apsp_error){0};
    return file_source_begin(head, index, parts, error);
}

/* The edge of a line. */
static int make_edge(const struct graph *graph, const struct list_entry *entry, struct edge *edge,
                     struct apsp_error *error)
{
    const struct list *list = graph->own;
    struct weight_kind kind = list->kind;
    edge->weight.whole = 1;
    if (list->shape.weight >= 0 &&
        take_weight(graph, entry, &kind, &edge->weight, error) != APSP_OK)
        return error->code;
    if (kind.real != list->kind.real || !numbering_find(graph, &entry->end[0], &edge->from) ||
        !numbering_find(graph, &entry->end[1], &edge->to))
        return graph_changed(graph, error);
    return APSP_OK;
}

static int list_next(struct graph_part *head, struct edge *edges, size_t room, size_t *count,
                     struct apsp_error *error)
{
    struct list_reader *reader = (struct list_reader *)head;
    const struct graph *graph = head->graph;
    const struct list *list = graph->own;
    const struct list_entry *entry;
    if (line_begin(&reader->part, error) != APSP_OK)
        return error->code;
    for (; *count < room; ++*count) {
        struct edge *edge = &edges[*count];
        if (reader->has_twin) {
            *edge = reader->twin;
            reader->has_twin = false;
            continue;
        }
        do
            list_next_entry(reader, &entry, error);
        while (!error->code && entry && is_absent(list, entry));
        if (error->code || !entry || make_edge(graph, entry, edge, error) != APSP_OK ||
            (list->mixed && list_direct_edge(reader, entry, edge, error) != APSP_OK))
            return error->code;
        head->records++;
    }
    return APSP_OK;
}

static size_t list_line(const struct graph_part *part)
{
    const struct list_reader *reader = (const struct list_reader *)part;
    return line_number(part->graph, reader->entry[reader->at - 1].offset);
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
        memchr(look->text, '\0', look->have) ? NULL : graph_look_line(look, LIST_COMMENTS);
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
        line = end ? graph_look_line(&rest, LIST_COMMENTS) : NULL;
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
    .options = GRAPH_COLUMNS | GRAPH_NO_EDGE | GRAPH_WEIGHT_KEY,
    .reader = sizeof(struct list_reader),
    .open = list_open,
    .close = graph_free_own,
    .begin = list_begin,
    .next = list_next,
    .line = list_line};
