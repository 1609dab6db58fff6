/*
 * Pajek (V. Batagelj, A. Mrvar, "Pajek: Program for Large Network Analysis", Connections 21, 1998).
 * First comes `*Vertices N`, then lines `NUMBER "LABEL" ...` of any vertices. Then come sections:
 * `*Arcs` and `*Edges` of lines `FROM TO WEIGHT`, `*Arcslist` and `*Edgeslist` of lines `FROM TO TO
 * ...`, and `*Matrix` of N lines of N weights. A 0 of the matrix is no edge. Edges lead both ways,
 * arcs one. Comments begin with %.
 */
#include "graph/network_lines.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum section { NOTHING, VERTICES, ARCS, EDGES, ARCS_LIST, EDGES_LIST, MATRIX };

/* "*Edgeslist" is before "*Edges", which begins it. */
static const struct {
    const char *name;
    enum section is;
} sections[] = {{"*network", NOTHING},      {"*vertices", VERTICES}, {"*arcslist", ARCS_LIST},
                {"*edgeslist", EDGES_LIST}, {"*arcs", ARCS},         {"*edges", EDGES},
                {"*matrix", MATRIX}};

struct reader {
    enum section section;
    int64_t n;  /* vertices; 0: they have not been counted yet */
    size_t row; /* of the matrix */
};

/* The vertices have numbers from 1. Those of which no line tells are there too. */
static int add_vertices(struct reader *reader, struct graph *graph, const struct line *line,
                        struct network_item *item, struct apsp_error *error)
{
    enum { ALWAYS = 1 << 20 };
    const struct line_field field = {"number of vertices", 1, INT32_MAX, false};
    const unsigned char *at = line_token_end(line->text);
    char number[TEXT_NUMBER];
    if (reader->n > 0)
        return line_refuse_at(graph, line->offset, "a second network, where a file holds one",
                              error);
    if (!line_scan_whole(at, field.low, field.high, &reader->n))
        return line_refuse_fields(graph, line, at, &field, 1, error);
    if (reader->n > ALWAYS && (size_t)reader->n > graph->file.bytes)
        return line_refuse_at(graph, line->offset, "more vertices than the file has bytes", error);
    item->label.there = false;
    for (int64_t v = 1; v <= reader->n && !error->code; v++) {
        network_text_start(&item->id);
        network_text_add(&item->id, number,
                         (size_t)snprintf(number, sizeof number, "%lld", (long long)v));
        network_vertex(graph, item, error);
    }
    return error->code;
}

static int start_section(struct reader *reader, struct graph *graph, const struct line *line,
                         struct network_item *item, struct apsp_error *error)
{
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const size_t length = strlen(sections[i].name);
        if (!text_alike((const char *)line->text, sections[i].name, length))
            continue;
        reader->section = sections[i].is;
        if (reader->section == VERTICES)
            return add_vertices(reader, graph, line, item, error);
        if (reader->section != NOTHING && reader->n == 0)
            return line_refuse(graph, line, "'*Vertices N' must come before", error);
        return APSP_OK;
    }
    return line_refuse(graph, line, "unknown section of Pajek:", error);
}

/* The number of a vertex, as the network calls it. */
static int take_number(const struct reader *reader, struct graph *graph, const struct line *line,
                       const unsigned char **at, struct network_text *id, struct apsp_error *error)
{
    const struct line_field field = {"vertex", 1, reader->n, false};
    char number[TEXT_NUMBER];
    int64_t vertex;
    const unsigned char *end = line_scan_whole(*at, field.low, field.high, &vertex);
    if (!end)
        return line_refuse_fields(graph, line, *at, &field, 1, error);
    network_text_start(id);
    network_text_add(id, number,
                     (size_t)snprintf(number, sizeof number, "%lld", (long long)vertex));
    *at = end;
    return APSP_OK;
}

static int read_pair(const struct reader *reader, struct graph *graph, const struct line *line,
                     struct network_item *item, struct apsp_error *error)
{
    const unsigned char *at = line->text;
    if (take_number(reader, graph, line, &at, &item->from, error) != APSP_OK ||
        take_number(reader, graph, line, &at, &item->to, error) != APSP_OK)
        return error->code;
    network_take_word(&at, &item->weight);
    return network_edge(graph, item, error);
}

static int read_star(const struct reader *reader, struct graph *graph, const struct line *line,
                     struct network_item *item, struct apsp_error *error)
{
    const unsigned char *at = line->text;
    item->weight.there = false;
    if (take_number(reader, graph, line, &at, &item->from, error) != APSP_OK)
        return error->code;
    while (!line_is_end(line_skip_blanks(at)))
        if (take_number(reader, graph, line, &at, &item->to, error) != APSP_OK ||
            network_edge(graph, item, error) != APSP_OK)
            break;
    return error->code;
}

static bool is_zero(struct network_text *weight)
{
    double value = 1;
    bool rough = false;
    weight->bytes[weight->length] = '\n';
    return line_scan_real(weight->bytes, &value, &rough) && value == 0;
}

static int read_row(struct reader *reader, struct graph *graph, const struct line *line,
                    struct network_item *item, struct apsp_error *error)
{
    const unsigned char *at = line->text;
    char number[TEXT_NUMBER];
    if (reader->row == (size_t)reader->n)
        return line_refuse(graph, line, "after the last row of the matrix comes", error);
    snprintf(number, sizeof number, "%zu", ++reader->row);
    network_text_start(&item->from);
    network_text_add(&item->from, number, strlen(number));
    for (int64_t v = 1; v <= reader->n && !error->code; v++) {
        if (!network_take_word(&at, &item->weight))
            return line_refuse_at(graph, line->offset, "a row of the matrix ends too early", error);
        network_text_start(&item->to);
        network_text_add(&item->to, number,
                         (size_t)snprintf(number, sizeof number, "%lld", (long long)v));
        if (!is_zero(&item->weight))
            network_edge(graph, item, error);
    }
    return error->code;
}

static int read_line(void *self, struct graph *graph, const struct line *line,
                     struct network_item *item, struct apsp_error *error)
{
    struct reader *reader = self;
    const unsigned char *at = line->text;
    item->undirected = reader->section == EDGES || reader->section == EDGES_LIST;
    if (*line->text == '*')
        return start_section(reader, graph, line, item, error);
    switch (reader->section) {
    case VERTICES:
        if (take_number(reader, graph, line, &at, &item->id, error) != APSP_OK)
            return error->code;
        network_take_quoted(&at, &item->label);
        return network_vertex(graph, item, error);
    case ARCS:
    case EDGES:
        return read_pair(reader, graph, line, item, error);
    case ARCS_LIST:
    case EDGES_LIST:
        return read_star(reader, graph, line, item, error);
    case MATRIX:
        return read_row(reader, graph, line, item, error);
    case NOTHING:
        break;
    }
    return line_refuse(graph, line, "'*Vertices N' must come before", error);
}

static int read_all(struct graph *graph, struct apsp_error *error)
{
    struct reader reader = {NOTHING, 0, 0};
    struct network *network = graph->own;
    network->labels = network->implied = true;
    return network_read_lines(graph, "%", &reader, read_line, error);
}

static int pajek_open(struct graph *graph, struct apsp_error *error)
{
    return network_open(graph, read_all, error);
}

static enum graph_guess pajek_guess(const struct graph_look *look)
{
    const unsigned char *line = graph_look_line(look, "%");
    const size_t rest = line ? look->have - (size_t)(line - look->text) : 0;
    for (size_t i = 0; i < 2; i++)
        if (rest > strlen(sections[i].name) &&
            text_alike((const char *)line, sections[i].name, strlen(sections[i].name)))
            return GUESS_SURE;
    return GUESS_NO;
}

const struct graph_source graph_pajek = {
    .name = "pajek",
    .about = "Pajek: vertices by label or number, arcs, edges, lists of them or a matrix",
    .suffix = ".net .paj",
    .guess = pajek_guess,
    .open = pajek_open,
    .close = network_close,
    .next = network_next};
