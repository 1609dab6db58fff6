/*
 * Text formats of challenges: comments `c ...`, one problem line `p KIND N M`, then M lines of an
 * edge each, vertices from 1.
 *
 * - The 9th DIMACS Implementation Challenge: `p sp`, lines `a U V W`.
 * - The first one, as igraph writes it: `p max`, arcs with capacities; or `p min`, arcs `a U V LOW
 *   CAPACITY COST`, whose cost is the weight. Lines `n ...` are about vertices.
 * - The second one: `p edge` or `p col`, lines `e U V`.
 * - PACE: any other word, lines `U V`.
 *
 * Edges of the last two lead both ways and have the weight 1.
 */
#include "base/setting.h"
#include "base/text.h"
#include "graph/lines.h"

#include <string.h>

#define ARC_MAX INT32_MAX

struct kind;

struct gr { /* graph->own */
    struct graph_file file;
    const struct kind *kind;
};

/* How the kinds of problems have their edges; the last one is all others. */
static const struct kind {
    const char *name;
    char mark;            /* begins the line of an edge; 0: nothing does */
    const char *comments; /* begin lines that are none, those about vertices too */
    int passed;           /* numbers between the ends of an arc and its weight */
    enum { LENGTHS, CAPACITIES, COSTS } weights;
} kinds[] = {{"sp", 'a', "c", 0, LENGTHS},   {"max", 'a', "cn", 0, CAPACITIES},
             {"min", 'a', "cn", 2, COSTS},   {"edge", 'e', "cn", 0, LENGTHS},
             {"col", 'e', "cn", 0, LENGTHS}, {"", 0, "c", 0, LENGTHS}};

static const struct kind *find_kind(const unsigned char *at)
{
    const struct kind *kind = kinds;
    while (*kind->name && (strncmp((const char *)at, kind->name, strlen(kind->name)) != 0 ||
                           !line_is_blank(at[strlen(kind->name)])))
        kind++;
    return kind;
}

static int parse_problem(struct graph *graph, const struct line *line, struct apsp_error *error)
{
    static const struct line_field fields[] = {{"number of vertices", 1, INT32_MAX, false},
                                               {"number of arcs", 0, INT64_MAX / 16, false}};
    const unsigned char *at = line_skip_blanks(line->text + 1), *numbers = line_token_end(at);
    struct gr *gr = graph->own;
    int64_t n, m;
    if (at == line->text + 1 || !text_is_letter(*at))
        return line_refuse(graph, line, "the problem line must be 'p sp N M', not", error);
    gr->kind = find_kind(at);
    graph->undirected = gr->file.unweighted = gr->kind->mark != 'a';
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
    if (line_open(graph, sizeof(struct gr), find_problem, error) != APSP_OK)
        return error->code;
    const struct kind *kind = ((const struct gr *)graph->own)->kind;
    if (kind->weights == CAPACITIES && !graph->options.unweighted)
        graph_warn(graph, "weights are capacities, and are taken as lengths: %s counts edges",
                   SETTING(UNWEIGHTED));
    else if (kind->weights == COSTS && !graph->options.unweighted)
        graph_warn(graph, "weights are the costs of arcs; bounds of flows are not used");
    return APSP_OK;
}

/* Where the fields of an edge begin; NULL: something else begins the line. */
static const unsigned char *find_fields(const struct graph *graph, const struct line *line)
{
    const char mark = ((const struct gr *)graph->own)->kind->mark;
    if (mark == 0)
        return line->text;
    return *line->text == mark && line_is_blank(line->text[1]) ? line->text + 1 : NULL;
}

static int refuse_arc(const struct graph *graph, const struct line *line, struct apsp_error *error)
{
    const struct gr *gr = graph->own;
    struct line_field fields[] = {{"source vertex", 1, (int64_t)graph->n, false},
                                  {"target vertex", 1, (int64_t)graph->n, false},
                                  {"lower bound", INT64_MIN, INT64_MAX, false},
                                  {"capacity", INT64_MIN, INT64_MAX, false},
                                  {"weight", -ARC_MAX, ARC_MAX, false}};
    if (gr->kind->passed == 0)
        fields[2] = fields[4];
    const unsigned char *at = find_fields(graph, line);
    if (*line->text == 'p')
        return line_refuse(graph, line, "a second problem line", error);
    if (!at && gr->kind->mark == 'a' && !(*line->text == 'a' && line_is_end(line->text + 1)))
        return line_refuse(graph, line, "neither an arc 'a U V W' nor a comment 'c ...':", error);
    if (!at && gr->kind->mark == 'e')
        return line_refuse(graph, line, "neither an edge 'e U V' nor a comment 'c ...':", error);
    return line_refuse_fields(graph, line, at ? at : line->text + 1, fields,
                              gr->file.unweighted ? 2 : 3 + gr->kind->passed, error);
}

static int parse_arc(const struct graph *graph, const struct line *line, struct edge *edge,
                     struct apsp_error *error)
{
    const struct gr *gr = graph->own;
    const bool weighted = !gr->file.unweighted;
    int64_t n = (int64_t)graph->n, from, to, weight = 1, passed;
    const unsigned char *at = find_fields(graph, line);
    if (at && (at = line_scan_whole(at, 1, n, &from)))
        at = line_scan_whole(at, 1, n, &to);
    for (int i = 0; at && i < gr->kind->passed; i++)
        at = line_scan_whole(at, INT64_MIN, INT64_MAX, &passed);
    if (!at || (weighted && !(at = line_scan_whole(at, -ARC_MAX, ARC_MAX, &weight))) ||
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
        if (line_next(part, ((const struct gr *)part->graph->own)->kind->comments, &line, error) !=
            APSP_OK)
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

/* A problem line, of which the kind is one of those here or of PACE. */
static enum graph_guess gr_guess(const struct graph_look *look)
{
    const unsigned char *line = graph_look_line(look, "c"), *end = look->text + look->have;
    unsigned char first[LINE_LONGEST + 1];
    struct line_field count = {"", 0, INT64_MAX, false};
    int64_t number;
    const unsigned char *feed = line ? memchr(line, '\n', (size_t)(end - line)) : NULL;
    if (line && end - line > 4 && memcmp(line, "p sp ", 5) == 0)
        return GUESS_SURE; /* whatever its numbers are */
    if (!feed || feed - line >= LINE_LONGEST || line[0] != 'p' || line[1] != ' ')
        return GUESS_NO;
    memcpy(first, line, (size_t)(feed - line) + 1);
    const unsigned char *at = line_skip_blanks(first + 1);
    if (!text_is_letter(*at))
        return GUESS_NO;
    at = line_scan_whole(line_token_end(at), count.low, count.high, &number);
    return at && line_scan_whole(at, count.low, count.high, &number) ? GUESS_SURE : GUESS_NO;
}

const struct graph_source graph_gr = {
    .name = "gr",
    .about = "DIMACS and PACE text: p sp N M, then M lines a U V W; vertices from 1",
    .suffix = ".gr .dimacs",
    .guess = gr_guess,
    .reader = sizeof(struct file_part),
    .open = gr_open,
    .close = graph_free_own,
    .begin = file_source_begin,
    .next = gr_next,
    .line = line_last};
