/*
 * The text format of the 9th DIMACS Implementation Challenge: comments `c ...`, one problem line `p sp N M`,
 * then M lines `a U V W`, vertices from 1. Fields are parted by blanks; lines end in LF or CRLF; blank lines
 * are allowed.
 *
 * A line is read where it lies in the buffer, which always ends it with a line feed: the scanner needs no
 * other bound.
 */
#include "graph_part.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINE_MAX_BYTES = 4096, /* of a line that is no comment */
    ARC_MIN_BYTES = 8,     /* "a 1 1 0\n" */
    SHOWN = 40,            /* bytes of a bad field that a message shows */
};

#define WEIGHT_MAX INT32_MAX

struct line {
    const unsigned char *text; /* first byte that is no blank; NULL: no line is left */
    size_t offset;             /* of the line in the file */
};

/* A field of a line: its name, and the numbers that it may be. */
struct field {
    const char *name;
    size_t low, high;
};

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t';
}

static const unsigned char *skip_blanks(const unsigned char *at)
{
    while (is_blank(*at))
        at++;
    return at;
}

static bool is_line_end(const unsigned char *at)
{
    return *at == '\n' || (*at == '\r' && at[1] == '\n');
}

/* The byte after the number at `at`, blanks before it skipped; NULL unless a whole number <= high stands
 * there. */
static const unsigned char *scan_number(const unsigned char *at, size_t high, size_t *value)
{
    at = skip_blanks(at);
    unsigned digit = *at - (unsigned)'0';
    size_t number = 0;
    if (digit > 9)
        return NULL;
    do {
        number = number * 10 + digit;
        if (number > high)
            return NULL;
        digit = *++at - (unsigned)'0';
    } while (digit <= 9);
    *value = number;
    return is_blank(*at) || is_line_end(at) ? at : NULL;
}

/* The number of the line, from 1, that holds this offset. Takes a pass over the file: for messages only. */
static size_t line_number(const struct graph *graph, size_t offset)
{
    unsigned char block[1 << 15];
    size_t lines = 1;
    for (size_t at = 0; at < offset;) {
        struct apsp_error ignored = {0};
        size_t bytes = offset - at < sizeof block ? offset - at : sizeof block;
        if (graph_read(graph, at, block, bytes, &ignored) != APSP_OK)
            break;
        for (size_t i = 0; i < bytes; i++)
            lines += block[i] == '\n';
        at += bytes;
    }
    return lines;
}

/* Copies the run of non-blanks at `at` for a message: printable and cut. Returns the byte after it. */
static const unsigned char *show_token(char shown[SHOWN + 4], const unsigned char *at)
{
    size_t length = 0;
    for (; !is_blank(*at) && !is_line_end(at); at++, length++)
        if (length < SHOWN)
            shown[length] = *at > ' ' && *at < 127 ? (char)*at : '?';
    strcpy(shown + (length < SHOWN ? length : SHOWN), length > SHOWN ? "..." : "");
    return at;
}

/* Says what is wrong with a line that ought to hold these fields from `at` on. */
static int refuse_fields(const struct graph *graph, size_t offset, const unsigned char *at,
                         const struct field *fields, int count, struct apsp_error *error)
{
    char shown[SHOWN + 4];
    size_t value, line = line_number(graph, offset);
    for (int i = 0; i < count; i++) {
        at = skip_blanks(at);
        if (is_line_end(at))
            return error_set(error, APSP_INPUT, "%s:%zu: the %s is missing: %d fields, where %d are needed",
                             graph->path, line, fields[i].name, i, count);
        const unsigned char *after = scan_number(at, fields[i].high, &value);
        if (!after || value < fields[i].low) {
            show_token(shown, at);
            return error_set(error, APSP_INPUT, "%s:%zu: %s '%s' is not a whole number from %zu to %zu",
                             graph->path, line, fields[i].name, shown, fields[i].low, fields[i].high);
        }
        at = after;
    }
    show_token(shown, skip_blanks(at));
    return error_set(error, APSP_INPUT, "%s:%zu: '%s' follows the last of %d fields", graph->path, line,
                     shown, count);
}

static int refuse_line(const struct graph *graph, const struct line *line, const char *what,
                       struct apsp_error *error)
{
    char shown[SHOWN + 4];
    show_token(shown, line->text);
    return error_set(error, APSP_INPUT, "%s:%zu: %s '%s'", graph->path, line_number(graph, line->offset),
                     what, shown);
}

/* Passes over the rest of a line, a comment's or one that began before this part; gives up beyond the part's
 * end. */
static int skip_line(struct graph_part *part, struct apsp_error *error)
{
    for (;;) {
        const unsigned char *text = part->buffer + part->used;
        size_t rest = part->have - part->used;
        const unsigned char *end = rest ? memchr(text, '\n', rest) : NULL;
        size_t length = end ? (size_t)(end - text) + 1 : rest;
        const unsigned char *nul = length ? memchr(text, '\0', length) : NULL;
        if (nul)
            return error_set(error, APSP_INPUT, "%s:%zu: byte %zu is 0: this is no text", part->graph->path,
                             line_number(part->graph, part->at + part->used),
                             graph_part_offset(part) + (size_t)(nul - text));
        part->used += length;
        if (end || graph_part_ends(part) || graph_part_offset(part) >= part->hi)
            return APSP_OK;
        if (graph_part_fill(part, error) != APSP_OK)
            return error->code;
    }
}

/* Makes the buffer hold the next line to its end, or at least LINE_MAX_BYTES of it; NULL *end then. */
static int buffer_line(struct graph_part *part, const unsigned char **end, struct apsp_error *error)
{
    for (;;) {
        unsigned char *text = part->buffer + part->used;
        size_t rest = part->have - part->used;
        *end = rest ? memchr(text, '\n', rest) : NULL;
        if (*end || rest > LINE_MAX_BYTES)
            return APSP_OK;
        if (rest > 0 && graph_part_ends(part)) {
            text[rest] = '\n';
            *end = text + rest;
            return APSP_OK;
        }
        if (graph_part_fill(part, error) != APSP_OK)
            return error->code;
    }
}

/* Finds the next line of the part that is neither blank nor a comment. */
static int next_line(struct graph_part *part, struct line *line, struct apsp_error *error)
{
    const unsigned char *end;
    line->text = NULL;
    while (graph_part_offset(part) < part->hi) {
        if (buffer_line(part, &end, error) != APSP_OK)
            return error->code;
        const unsigned char *start = part->buffer + part->used, *text = start;
        size_t known = end ? (size_t)(end - start) : LINE_MAX_BYTES;
        while (text < start + known && is_blank(*text))
            text++;
        if (text < start + known && *text == 'c') {
            if (skip_line(part, error) != APSP_OK)
                return error->code;
            continue;
        }
        line->offset = graph_part_offset(part);
        if (!end || known > LINE_MAX_BYTES)
            return error_set(error, APSP_INPUT, "%s:%zu: byte %zu: the line is longer than %d bytes",
                             part->graph->path, line_number(part->graph, line->offset), line->offset,
                             LINE_MAX_BYTES);
        part->used += known + (part->at + part->used + known < part->graph->bytes);
        if (!is_line_end(text)) {
            line->text = text;
            return APSP_OK;
        }
    }
    return APSP_OK;
}

static int parse_problem(struct graph *graph, const struct line *line, struct apsp_error *error)
{
    static const struct field fields[] = {{"number of vertices", 1, INT32_MAX},
                                          {"number of arcs", 0, INT64_MAX / 16}};
    const unsigned char *at = skip_blanks(line->text + 1), *numbers = at + 2;
    if (at == line->text + 1 || at[0] != 's' || at[1] != 'p' || !(is_blank(at[2]) || is_line_end(at + 2)))
        return refuse_line(graph, line, "the problem line must be 'p sp N M', not", error);
    at = scan_number(numbers, fields[0].high, &graph->n);
    if (at)
        at = scan_number(at, fields[1].high, &graph->m);
    if (!at || graph->n < 1 || !is_line_end(skip_blanks(at)))
        return refuse_fields(graph, line->offset, numbers, fields, 2, error);
    return APSP_OK;
}

/* Finds the problem line, and leaves the offset after it in graph->body. */
static int find_problem(struct graph_part *part, struct graph *graph, struct apsp_error *error)
{
    struct line line;
    if (next_line(part, &line, error) != APSP_OK)
        return error->code;
    if (!line.text)
        return error_set(error, APSP_INPUT, "%s:%zu: the file ends without a problem line 'p sp N M'",
                         graph->path, line_number(graph, graph->bytes));
    if (*line.text != 'p')
        return refuse_line(graph, &line, "the problem line 'p sp N M' must come before", error);
    if (parse_problem(graph, &line, error) != APSP_OK)
        return error->code;
    graph->body = graph_part_offset(part);
    size_t room = (graph->bytes - graph->body + 1) / ARC_MIN_BYTES;
    if (graph->m > room)
        return error_set(
            error, APSP_INPUT,
            "%s:%zu: the problem line promises %zu arcs, but the %zu bytes after it hold at most %zu",
            graph->path, line_number(graph, line.offset), graph->m, graph->bytes - graph->body, room);
    return APSP_OK;
}

static int gr_header(struct graph *graph, struct apsp_error *error)
{
    graph->first = 1;
    struct graph_part *part = graph_part_open(graph, 0, 1);
    if (!part)
        return error_set(error, APSP_MEMORY, "%s: no memory for a buffer of %d bytes", graph->path,
                         GRAPH_BUFFER);
    find_problem(part, graph, error);
    graph_part_free(part);
    return error->code;
}

static int refuse_arc(const struct graph *graph, const struct line *line, struct apsp_error *error)
{
    const struct field fields[] = {
        {"source vertex", 1, graph->n}, {"target vertex", 1, graph->n}, {"weight", 0, WEIGHT_MAX}};
    if (*line->text == 'p')
        return refuse_line(graph, line, "a second problem line", error);
    if (*line->text != 'a' || !(is_blank(line->text[1]) || is_line_end(line->text + 1)))
        return refuse_line(graph, line, "neither an arc 'a U V W' nor a comment 'c ...':", error);
    return refuse_fields(graph, line->offset, line->text + 1, fields, 3, error);
}

static int parse_arc(const struct graph *graph, const struct line *line, struct edge *edge,
                     struct apsp_error *error)
{
    size_t from, to, weight;
    const unsigned char *at = line->text;
    if (*at != 'a' || !is_blank(at[1]) || !(at = scan_number(at + 1, graph->n, &from)) ||
        !(at = scan_number(at, graph->n, &to)) || !(at = scan_number(at, WEIGHT_MAX, &weight)) || from < 1 ||
        to < 1 || !is_line_end(skip_blanks(at)))
        return refuse_arc(graph, line, error);
    *edge = (struct edge){(uint32_t)(from - 1), (uint32_t)(to - 1), {(int64_t)weight}};
    return APSP_OK;
}

static int gr_next(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                   struct apsp_error *error)
{
    struct line line;
    if (part->have == 0 && part->lo > part->graph->body) { /* the line before may reach into this part */
        part->at = part->lo - 1;
        if (skip_line(part, error) != APSP_OK)
            return error->code;
    }
    while (*count < room) {
        if (next_line(part, &line, error) != APSP_OK)
            return error->code;
        if (!line.text)
            return APSP_OK;
        if (parse_arc(part->graph, &line, &edges[*count], error) != APSP_OK)
            return error->code;
        ++*count;
    }
    return APSP_OK;
}

const struct graph_format graph_gr = {"gr", ".gr", gr_header, gr_next};
