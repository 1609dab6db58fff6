/*
 * The text format of the 9th DIMACS Implementation Challenge: comments `c ...`, one problem line `p
 * sp N M`, then M lines `a U V W`, vertices from 1.
 */
#include "graph/lines.h"

#include <string.h>

#define ARC_MAX INT32_MAX

static int parse_problem(struct graph *graph, const struct line *line, struct apsp_error *error)
{
    static const struct line_field fields[] = {{"number of vertices", 1, INT32_MAX, false},
                                               {"number of arcs", 0, INT64_MAX / 16, false}};
    const unsigned char *at = line_skip_blanks(line->text + 1), *numbers = at + 2;
    int64_t n, m;
    if (at == line->text + 1 || at[0] != 's' || at[1] != 'p' ||
        !(line_is_blank(at[2]) || line_is_end(at + 2)))
        return line_refuse(graph, line, "the problem line must be 'p sp N M', not", error);
    at = line_scan_whole(numbers, fields[0].low, fields[0].high, &n);
    if (at)
        at = line_scan_whole(at, fields[1].low, fields[1].high, &m);
    if (!at || !line_is_end(line_skip_blanks(at)))
        return line_refuse_fields(graph, line, numbers, fields, 2, error);
    graph->n = (size_t)n;
    graph->m = graph->records = (size_t)m;
    return APSP_OK;
}

/* Finds the problem line, and leaves the offset after it as that of the edges. */
static int find_problem(struct file_part *part, struct graph *graph, struct apsp_error *error)
{
    struct line line;
    if (line_next(part, "c", &line, error) != APSP_OK)
        return error->code;
    if (!line.text)
        return line_refuse_at(graph, graph->bytes,
                              "the file ends without a problem line 'p sp N M'", error);
    if (*line.text != 'p')
        return line_refuse(graph, &line, "the problem line 'p sp N M' must come before", error);
    if (parse_problem(graph, &line, error) != APSP_OK)
        return error->code;
    return line_body(part, graph, &line, error);
}

static int gr_open(struct graph *graph, struct apsp_error *error)
{
    return line_open(graph, sizeof(struct graph_file), find_problem, error);
}

static int refuse_arc(const struct graph *graph, const struct line *line, struct apsp_error *error)
{
    const struct line_field fields[] = {{"source vertex", 1, (int64_t)graph->n, false},
                                        {"target vertex", 1, (int64_t)graph->n, false},
                                        {"weight", -ARC_MAX, ARC_MAX, false}};
    if (*line->text == 'p')
        return line_refuse(graph, line, "a second problem line", error);
    if (*line->text != 'a' || !(line_is_blank(line->text[1]) || line_is_end(line->text + 1)))
        return line_refuse(graph, line, "neither an arc 'a U V W' nor a comment 'c ...':", error);
    return line_refuse_fields(graph, line, line->text + 1, fields, 3, error);
}

static int parse_arc(const struct graph *graph, const struct line *line, struct edge *edge,
                     struct apsp_error *error)
{
    int64_t n = (int64_t)graph->n, from, to, weight;
    const unsigned char *at = line->text;
    if (*at != 'a' || !line_is_blank(at[1]) || !(at = line_scan_whole(at + 1, 1, n, &from)) ||
        !(at = line_scan_whole(at, 1, n, &to)) ||
        !(at = line_scan_whole(at, -ARC_MAX, ARC_MAX, &weight)) ||
        !line_is_end(line_skip_blanks(at)))
        return refuse_arc(graph, line, error);
    *edge = (struct edge){(uint32_t)(from - 1), (uint32_t)(to - 1), {weight}};
    return APSP_OK;
}

static int gr_next(struct graph_part *head, struct edge *edges, size_t room, size_t *count,
                   struct apsp_error *error)
{
    struct file_part *part = (struct file_part *)head;
    struct line line;
    if (line_begin(part, error) != APSP_OK)
        return error->code;
    while (*count < room) {
        if (line_next(part, "c", &line, error) != APSP_OK)
            return error->code;
        if (!line.text)
            return APSP_OK;
        if (parse_arc(part->graph, &line, &edges[*count], error) != APSP_OK)
            return error->code;
        ++*count;
        head->records++;
    }
    return APSP_OK;
}

static enum graph_guess gr_guess(const struct graph_look *look)
{
    static const char start[] = "p sp ";
    const unsigned char *line = graph_look_line(look, "c");
    size_t rest = line ? look->have - (size_t)(line - look->text) : 0;
    return rest > strlen(start) && memcmp(line, start, strlen(start)) == 0 ? GUESS_SURE : GUESS_NO;
}

const struct graph_source graph_gr = {
    .name = "gr",
    .about = "DIMACS text: p sp N M, then M lines a U V W; vertices from 1",
    .suffix = ".gr",
    .guess = gr_guess,
    .reader = sizeof(struct file_part),
    .open = gr_open,
    .close = file_source_close,
    .begin = file_source_begin,
    .next = gr_next};
