/*
 * Lists of edges as networkx writes them by default: lines `FROM TO {'KEY': VALUE, ...}`, where
 * what is in braces is a dict of Python. The weight is the value of the weight key. Vertices are
 * words; comments begin with #.
 */
#include "graph/network_lines.h"

#include "base/text.h"
#include "graph/returns.h"

#include <string.h>

/* The end of a text of Python in quotes that begins at `at`; its line feed, if it does not end. */
static const unsigned char *skip_text(const unsigned char *at)
{
    const unsigned char quote = *at++;
    while (!line_is_end(at) && *at != quote)
        at += 1 + (*at == '\\' && !line_is_end(at + 1));
    return at + (*at == quote);
}

/* The end of the value at `at`: a comma or a brace that belongs to nothing within it. */
static const unsigned char *skip_value(const unsigned char *at)
{
    int depth = 0;
    while (!line_is_end(at) && (depth > 0 || !strchr(",}", *at))) {
        if (*at == '\'' || *at == '"') {
            at = skip_text(at);
            continue;
        }
        depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
        at++;
    }
    return at;
}

static int refuse(const struct graph *graph, const struct line *line, struct apsp_error *error)
{
    return line_refuse_at(graph, line->offset,
                          "expected a dict of Python behind the ends of the edge, such as "
                          "{'weight': 3}",
                          error);
}

/* The value of a key: the weight, or another attribute. */
static void take_value(struct graph *graph, struct network_text *key, struct network_text *value,
                       struct network_item *item)
{
    struct network *network = graph->own;
    if (network_text_is(key, network_weight_key(graph)))
        item->weight = *value;
    else if (attributes_want(&network->attributes, key->bytes, key->length))
        attributes_add(&network->attributes, key->bytes, key->length, network_trimmed(value));
}

static int read_dict(struct graph *graph, const struct line *line, const unsigned char *at,
                     struct network_item *item, struct apsp_error *error)
{
    struct network_text key, value;
    item->weight.there = false;
    at = line_skip_blanks(at);
    if (*at++ != '{')
        return refuse(graph, line, error);
    for (at = line_skip_blanks(at); *at != '}'; at = line_skip_blanks(at)) {
        const unsigned char *from = at, *end;
        if (*at != '\'' && *at != '"')
            return refuse(graph, line, error);
        end = skip_text(at);
        network_text_start(&key);
        network_text_add(&key, (const char *)from + 1, (size_t)(end - from) - 1);
        key.length -= key.length > 0;
        at = line_skip_blanks(end);
        if (*at++ != ':')
            return refuse(graph, line, error);
        end = skip_value(from = line_skip_blanks(at));
        network_text_start(&value);
        network_text_add(&value, (const char *)from, (size_t)(end - from));
        take_value(graph, &key, &value, item);
        at = end + (*end == ',');
    }
    return line_is_end(line_skip_blanks(at + 1)) ? APSP_OK : refuse(graph, line, error);
}

static int read_line(void *self, struct graph *graph, const struct line *line,
                     struct network_item *item, struct apsp_error *error)
{
    const unsigned char *at = line->text;
    item->undirected = false;
    if (!network_take_word(&at, &item->from) || !network_take_word(&at, &item->to))
        return line_refuse_at(graph, line->offset, "expected FROM TO {...}", error);
    if (read_dict(graph, line, at, item, error) != APSP_OK)
        return error->code;
    returns_add(self, (struct field[]){{item->from.bytes, item->from.length},
                                       {item->to.bytes, item->to.length}});
    return network_edge(graph, item, error);
}

static int read_all(struct graph *graph, struct apsp_error *error)
{
    struct network *network = graph->own;
    struct returns returns = {0};
    network->implied = true;
    if (network_read_lines(graph, "#", &returns, read_line, error) == APSP_OK)
        returns_note(&returns, graph);
    return error->code;
}

static int dicts_open(struct graph *graph, struct apsp_error *error)
{
    return network_open(graph, read_all, error);
}

/* The first line has two words and braces. */
static enum graph_guess dicts_guess(const struct graph_look *look)
{
    const unsigned char *line = graph_look_line(look, "#"), *end = look->text + look->have;
    int words = 0;
    if (memchr(look->text, '\0', look->have))
        return GUESS_NO;
    for (const unsigned char *at = line; at && at < end && *at != '\n';) {
        if (words == 2 && *at == '{') {
            const unsigned char *feed = memchr(at, '\n', (size_t)(end - at));
            const unsigned char *last = feed ? feed : end;
            while (last > at && text_is_space(last[-1]))
                last--;
            return last[-1] == '}' && strchr("}'\"", at[1]) ? GUESS_SURE : GUESS_NO;
        }
        while (at < end && !text_is_space(*at))
            at++;
        words++;
        while (at < end && *at != '\n' && text_is_space(*at))
            at++;
    }
    return GUESS_NO;
}

const struct graph_source graph_dicts = {
    .name = "dicts",
    .about = "text, as networkx writes it by default: FROM TO {'weight': 3, ...}",
    .guess = dicts_guess,
    .options = GRAPH_WEIGHT_KEY,
    .open = dicts_open,
    .close = network_close,
    .next = network_next};
