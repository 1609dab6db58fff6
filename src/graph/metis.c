/*
 * The graph files of METIS and Chaco: a line `N M [FMT [NCON]]`, then a line for each vertex, from
 * 1, with its neighbours.
 *
 * - FMT has three digits, 0 or 1; zeros on the left may be missing.
 * - The first digit: each line begins with a number, the size of the vertex or its own number.
 * - The second digit: NCON weights of the vertex follow; 1 without NCON.
 * - The third digit: the weight of the edge follows each neighbour. Otherwise all weights are 1.
 *
 * Sizes and weights of vertices are passed over. Comments start with %. An empty line is a vertex
 * without neighbours. M counts undirected edges. Each is listed from both ends, so an entry is a
 * directed edge. Lines have any length, and the vertex of a line shows when all lines before it are
 * read.
 *
 * G. Karypis, "METIS: a software package ... Version 5.1.0", manual, section 4.1.1. B. Hendrickson,
 * R. Leland, "The Chaco User's Guide, Version 2.0", SAND95-2344.
 */
#include "graph/lines.h"

#include <string.h>

enum { TOKEN_LONGEST = 32, CONSTRAINTS_MAX = 1000, FORMAT_MAX = 111 };

struct metis { /* graph->own */
    struct graph_file file;
    int passed; /* numbers at the beginning of a line that are about the vertex */
};

struct reader {
    struct file_part part;
    size_t vertex;    /* whose line it is; n after the last one */
    int numbers;      /* of those that are passed over, found in this line */
    bool begun;       /* something has been read of this line */
    uint64_t balance; /* 0 when each edge has been seen in both directions */
};

/* Whether weights are decimals, as NetworKit writes them: a point stands behind the header. */
static int find_reals(struct graph *graph, struct apsp_error *error)
{
    struct metis *metis = graph->own;
    unsigned char block[1 << 15];
    for (size_t at = metis->file.body; at < graph->bytes && !metis->file.real;) {
        const size_t left = graph->bytes - at, bytes = left < sizeof block ? left : sizeof block;
        if (file_read(&graph->file, at, block, bytes, error) != APSP_OK)
            return error->code;
        metis->file.real = memchr(block, '.', bytes) != NULL;
        at += bytes;
    }
    graph->real = metis->file.real;
    return APSP_OK;
}

/* "1 of 0 and 1" for each digit. */
static bool is_format(int64_t format)
{
    return format / 100 <= 1 && format / 10 % 10 <= 1 && format % 10 <= 1;
}

static int refuse_room(struct graph *graph, const struct line *line, size_t rest,
                       struct apsp_error *error)
{
    char what[200];
    snprintf(what, sizeof what,
             "the header promises %zu vertices and %zu edges, for which the %zu bytes after it are "
             "too few",
             graph->n, graph->records / 2, rest);
    return line_refuse_at(graph, line->offset, what, error);
}

static int parse_header(const struct file_part *part, struct graph *graph, const struct line *line,
                        struct apsp_error *error)
{
    static const struct line_field fields[] = {
        {"number of vertices", 1, INT32_MAX, false},
        {"number of edges", 0, INT64_MAX / 64, false},
        {"format", 0, FORMAT_MAX, false},
        {"number of weights of a vertex", 0, CONSTRAINTS_MAX, false}};
    struct metis *metis = graph->own;
    int64_t header[4] = {0, 0, 0, 1};
    const unsigned char *at = line->text;
    int count = 0;
    for (; at && count < 4 && (count < 2 || !line_is_end(line_skip_blanks(at))); count++)
        at = line_scan_whole(at, fields[count].low, fields[count].high, &header[count]);
    if (!at || !line_is_end(line_skip_blanks(at)))
        return line_refuse_fields(graph, line, line->text, fields, count, error);
    if (!is_format(header[2]))
        return line_refuse_at(graph, line->offset, "the digits of the format must be 0 or 1",
                              error);
    graph->n = (size_t)header[0];
    graph->m = graph->records = 2 * (size_t)header[1];
    graph->two_way = true;
    metis->passed = (int)(header[2] / 100 + header[2] / 10 % 10 * header[3]);
    metis->file.unweighted = header[2] % 10 == 0;
    metis->file.body = file_part_offset(part);
    size_t rest = graph->bytes -
                  metis->file.body; /* a line has a byte, an entry a digit and a byte after it */
    return graph->n > rest || graph->records > (rest + 1) / 2
               ? refuse_room(graph, line, rest, error)
               : APSP_OK;
}

static int find_header(struct file_part *part, struct graph *graph, struct apsp_error *error)
{
    struct line line;
    if (line_next(part, "%", &line, error) != APSP_OK)
        return error->code;
    if (!line.text)
        return line_refuse_at(graph, graph->bytes, "the file ends without a line 'VERTICES EDGES'",
                              error);
    return parse_header(part, graph, &line, error);
}

static int metis_open(struct graph *graph, struct apsp_error *error)
{
    if (line_open(graph, sizeof(struct metis), find_header, error) != APSP_OK)
        return error->code;
    return ((const struct metis *)graph->own)->file.unweighted ? APSP_OK : find_reals(graph, error);
}

static int metis_begin(struct graph_part *head, int index, int parts, struct apsp_error *error)
{
    struct reader *reader = (struct reader *)head;
    (void)index;
    (void)parts;
    reader->vertex = 0;
    reader->numbers = 0;
    reader->begun = false;
    reader->balance = 0;
    return file_source_begin(head, 0, 1, error);
}

/* Passes over blanks, and makes the buffer hold what follows: all of a token, or more than one may
 * have. A line feed ends it. */
static int look(struct file_part *part, struct apsp_error *error)
{
    const unsigned char *at;
    do {
        if (part->have - part->used < TOKEN_LONGEST && !file_part_ends(part) &&
            file_part_fill(part, error) != APSP_OK)
            return error->code;
        part->buffer[part->have] = '\n';
        at = line_skip_blanks(part->buffer + part->used);
        part->used = (size_t)(at - part->buffer);
    } while (part->have - part->used < TOKEN_LONGEST && !file_part_ends(part));
    return APSP_OK;
}

/* The number that comes next, which must be there. */
static int take(struct reader *reader, const struct line_field *field, int64_t *number,
                struct apsp_error *error)
{
    struct file_part *part = &reader->part;
    if (look(part, error) != APSP_OK)
        return error->code;
    const unsigned char *at = part->buffer + part->used,
                        *end = line_scan_whole(at, field->low, field->high, number);
    struct line line = {at, file_part_offset(part)};
    if (!end)
        return line_refuse_fields(part->graph, &line, at, field, 1, error);
    if (end - at >= TOKEN_LONGEST)
        return line_refuse(part->graph, &line, "too many digits:", error);
    part->used = (size_t)(end - part->buffer);
    reader->begun = true;
    return APSP_OK;
}

static uint64_t mix(uint64_t from, uint64_t to, uint64_t weight)
{
    uint64_t x = (from << 32 | to) * UINT64_C(0x9e3779b97f4a7c15) + weight;
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

/* A decimal weight. */
static int take_real(struct reader *reader, double *weight, struct apsp_error *error)
{
    static const struct line_field field = {"weight of an edge", 0, 0, true};
    struct file_part *part = &reader->part;
    if (look(part, error) != APSP_OK)
        return error->code;
    const unsigned char *at = part->buffer + part->used,
                        *end = line_scan_real(at, weight, &part->head.rough);
    struct line line = {at, file_part_offset(part)};
    if (!end)
        return line_refuse_fields(part->graph, &line, at, &field, 1, error);
    if (end - at >= TOKEN_LONGEST)
        return line_refuse(part->graph, &line, "too many digits:", error);
    if (*weight < 0)
        return line_refuse(part->graph, &line, "weight of an edge below 0:", error);
    part->used = (size_t)(end - part->buffer);
    reader->begun = true;
    return APSP_OK;
}

static int take_edge(struct reader *reader, struct edge *edge, struct apsp_error *error)
{
    const struct graph *graph = reader->part.graph;
    const struct line_field neighbour = {"neighbour", 1, (int64_t)graph->n, false},
                            weight = {"weight of an edge", 0, WEIGHT_MAX, false};
    int64_t to;
    const struct graph_file *file = reader->part.file;
    edge->weight.whole = 1;
    if (take(reader, &neighbour, &to, error) != APSP_OK)
        return error->code;
    if (!file->unweighted && (file->real ? take_real(reader, &edge->weight.real, error)
                                         : take(reader, &weight, &edge->weight.whole, error)))
        return error->code;
    edge->from = (uint32_t)reader->vertex;
    edge->to = (uint32_t)(to - 1);
    reader->balance += mix(edge->from, edge->to, (uint64_t)edge->weight.whole);
    reader->balance -= mix(edge->to, edge->from, (uint64_t)edge->weight.whole);
    return APSP_OK;
}

/* What stands before the neighbours, as far as it has not been passed over. */
static int pass_numbers(struct reader *reader, struct apsp_error *error)
{
    static const struct line_field field = {"size or weight of a vertex", 0, INT64_MAX, false};
    const struct metis *metis = reader->part.graph->own;
    int64_t number;
    for (; reader->numbers < metis->passed; reader->numbers++)
        if (take(reader, &field, &number, error) != APSP_OK)
            return error->code;
    return APSP_OK;
}

static int end_line(struct reader *reader, struct apsp_error *error)
{
    struct file_part *part = &reader->part;
    if (reader->vertex < part->graph->n) {
        if (pass_numbers(reader, error) != APSP_OK)
            return error->code;
        reader->vertex++;
    }
    part->used += part->used < part->have && part->buffer[part->used] == '\r';
    part->used += part->used < part->have;
    reader->begun = false;
    reader->numbers = 0;
    return APSP_OK;
}

static int end_file(struct reader *reader, struct apsp_error *error)
{
    const struct graph *graph = reader->part.graph;
    char what[100];
    if (reader->begun && end_line(reader, error) != APSP_OK)
        return error->code;
    snprintf(what, sizeof what, "the file ends after %zu of %zu vertices", reader->vertex,
             graph->n);
    if (reader->vertex < graph->n)
        return line_refuse_at(graph, graph->bytes, what, error);
    if (reader->balance != 0)
        return error_set(
            error, APSP_INPUT,
            "%s: the graph is undirected, but not every edge is listed from both ends with the "
            "same weight",
            graph->path);
    return APSP_OK;
}

/* What comes next: an edge, which *taken tells, or something that is passed over. */
static int step(struct reader *reader, struct edge *edge, bool *taken, struct apsp_error *error)
{
    struct file_part *part = &reader->part;
    const unsigned char *at = part->buffer + part->used;
    if (*at == '%' && !reader->begun)
        return line_skip(part, error);
    if (line_is_end(at))
        return end_line(reader, error);
    if (reader->vertex == part->graph->n)
        return line_refuse(part->graph, &(struct line){at, file_part_offset(part)},
                           "after the lines of all vertices comes", error);
    if (reader->numbers < ((const struct metis *)part->graph->own)->passed)
        return pass_numbers(reader, error);
    *taken = true;
    return take_edge(reader, edge, error);
}

static int metis_next(struct graph_part *head, struct edge *edges, size_t room, size_t *count,
                      struct apsp_error *error)
{
    struct reader *reader = (struct reader *)head;
    struct file_part *part = &reader->part;
    while (*count < room) {
        bool taken = false;
        if (look(part, error) != APSP_OK)
            return error->code;
        if (part->used == part->have)
            return end_file(reader, error);
        if (step(reader, &edges[*count], &taken, error) != APSP_OK)
            return error->code;
        *count += taken;
        head->records += taken;
    }
    return APSP_OK;
}

const struct graph_source graph_metis = {
    .name = "metis",
    .about = "text of METIS and Chaco: N M FORMAT, then the neighbours of each vertex",
    .alias = "chaco",
    .suffix = ".graph .metis .mgraph",
    .sequential = true,
    .reader = sizeof(struct reader),
    .open = metis_open,
    .close = graph_free_own,
    .begin = metis_begin,
    .next = metis_next};
