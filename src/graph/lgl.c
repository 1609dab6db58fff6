/*
 * LGL, the format of Large Graph Layout, as igraph writes it. A line `# VERTEX` comes first, then a
 * line `VERTEX` or `VERTEX WEIGHT` for each of its edges. Edges lead both ways, and each is there
 * once.
 *
 * A. Adai, S. Date, S. Wieland, E. Marcotte, "LGL: Creating a Map of Protein Function with an
 * Algorithm for Visualizing Very Large Biological Networks", J. of Molecular Biology 340, 2004.
 */
#include "graph/network_lines.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static int read_line(void *self, struct graph *graph, const struct line *line,
                     struct network_item *item, struct apsp_error *error)
{
    const unsigned char *at = line->text + (*line->text == '#');
    (void)self;
    item->undirected = true;
    if (*line->text == '#') {
        network_take_word(&at, &item->id);
        item->from = item->id;
    } else {
        network_take_word(&at, &item->to);
        network_take_word(&at, &item->weight);
    }
    if (!line_is_end(line_skip_blanks(at)))
        return line_refuse_at(graph, line->offset,
                              *line->text == '#' ? "a vertex is one word, and more follows '#'"
                                                 : "an edge is a vertex and perhaps a weight",
                              error);
    if (!item->from.there)
        return line_refuse_at(graph, line->offset, "an edge, before a line '# VERTEX'", error);
    return *line->text == '#' ? network_vertex(graph, item, error)
                              : network_edge(graph, item, error);
}

static int read_all(struct graph *graph, struct apsp_error *error)
{
    struct network *network = graph->own;
    network->undirected = network->implied = true;
    return network_read_lines(graph, "", NULL, read_line, error);
}

static int lgl_open(struct graph *graph, struct apsp_error *error)
{
    return network_open(graph, read_all, error);
}

/* The next word of a line in the look: its bytes, or 0. What parts the columns of lists is none. */
static size_t word_at(const unsigned char **at, const unsigned char *end)
{
    while (*at < end && line_is_blank(**at))
        ++*at;
    const unsigned char *word = *at;
    while (word < end && !text_is_space(*word) && !strchr(",;|", *word))
        word++;
    return (size_t)(word - *at);
}

/* Vertices behind '#', and lines of one word between them, which a list of edges has not. */
static enum graph_guess lgl_guess(const struct graph_look *look)
{
    const unsigned char *at = graph_look_line(look, ""), *end = look->text + look->have;
    bool single = false;
    if (!at || *at != '#' || memchr(look->text, '\0', look->have))
        return GUESS_NO;
    for (const unsigned char *next; at < end; at = next) {
        const unsigned char *feed = memchr(at, '\n', (size_t)(end - at));
        next = feed ? feed + 1 : end;
        if (!feed && look->have < look->bytes)
            break; /* the rest of the line is beyond the look */
        int words = 0;
        bool vertex = word_at(&at, next) > 0 && *at == '#';
        at += vertex;
        for (size_t length; (length = word_at(&at, next)) > 0; words++)
            at += length;
        while (at < next && text_is_space(*at))
            at++;
        if (at < next || words > 2 - vertex || (vertex && words == 0))
            return GUESS_NO;
        single |= !vertex && words == 1;
    }
    return single ? GUESS_SURE : GUESS_NO;
}

const struct graph_source graph_lgl = {
    .name = "lgl",
    .about = "LGL, as of igraph: a line a vertex, then one for each of its neighbours",
    .suffix = ".lgl",
    .guess = lgl_guess,
    .open = lgl_open,
    .close = network_close,
    .next = network_next};
