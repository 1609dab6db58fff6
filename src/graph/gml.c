/*
 * GML: lists of a key and a value each, where a value is a number, a text in quotes, or another
 * list in brackets. Vertices are called by their labels where each has one of its own, else by
 * their ids.
 */
#include "graph/network.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum token { WORD, TEXT, OPEN, CLOSE, END };

struct reader {
    struct graph *graph;
    size_t at, used, have; /* offset of the buffer in the file; bytes of it: done with, read */
    size_t offset;         /* of the token */
    struct network_text token;
    struct network_item item;
    bool seen, directed; /* the graph */
    unsigned char buffer[NETWORK_READ];
};

static int gml_refuse(const struct reader *reader, const char *what, struct apsp_error *error)
{
    return line_refuse_at(reader->graph, reader->offset, what, error);
}

/* The next byte, which stays; -1 at the end of the file. */
static int peek(struct reader *reader, int *byte, struct apsp_error *error)
{
    *byte = -1;
    if (reader->used == reader->have) {
        const struct file *file = &reader->graph->file;
        reader->at += reader->have;
        size_t left = file->bytes - reader->at;
        reader->used = 0;
        reader->have = left < NETWORK_READ ? left : NETWORK_READ;
        if (file_read(file, reader->at, reader->buffer, reader->have, error) != APSP_OK)
            return error->code;
    }
    if (reader->used < reader->have)
        *byte = reader->buffer[reader->used];
    return APSP_OK;
}

static bool is_word(int byte)
{
    return byte >= 0 && (text_is_alnum(byte) || (byte && strchr("_+-.", byte)));
}

/* Up to the first byte that is not of a word, or is too much of one, or the quote, which is done
 * with. */
static int take(struct reader *reader, bool quoted, struct apsp_error *error)
{
    int byte;
    network_text_start(&reader->token);
    while (peek(reader, &byte, error) == APSP_OK &&
           (quoted ? byte != '"' : is_word(byte) && !reader->token.cut)) {
        if (byte <= 0)
            return gml_refuse(reader, byte < 0 ? "a quote does not end" : "a text holds a byte 0",
                              error);
        char one = (char)byte;
        network_text_add(&reader->token, &one, 1);
        reader->used++;
    }
    reader->used += quoted && !error->code;
    return error->code;
}

static int skip_blanks(struct reader *reader, int *byte, struct apsp_error *error)
{
    bool comment = false;
    while (peek(reader, byte, error) == APSP_OK && *byte >= 0 &&
           (comment || text_is_space(*byte) || *byte == '#')) {
        comment = *byte == '#' || (comment && *byte != '\n');
        reader->used++;
    }
    return error->code;
}

static int next(struct reader *reader, enum token *token, struct apsp_error *error)
{
    int byte;
    if (skip_blanks(reader, &byte, error) != APSP_OK)
        return error->code;
    reader->offset = reader->at + reader->used;
    *token = byte < 0 ? END : byte == '"' ? TEXT : byte == '[' ? OPEN : byte == ']' ? CLOSE : WORD;
    if (*token == WORD && !is_word(byte))
        return gml_refuse(reader, "a character is neither of a key, a number, a text nor a bracket",
                          error);
    reader->used += *token != END && *token != WORD;
    if (*token != WORD && *token != TEXT)
        return APSP_OK;
    if (take(reader, *token == TEXT, error) == APSP_OK && *token == WORD && reader->token.cut)
        return gml_refuse(reader, "a key or a number is longer than 4096 bytes", error);
    return error->code;
}

/* What a character reference stands for, in UTF-8; 0 for one that is not known, which stays as it
 * is. */
static size_t decode(const char *name, size_t length, char utf8[4])
{
    static const struct {
        const char *name;
        char is;
    } known[] = {{"quot", '"'}, {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"apos", '\''}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == length && memcmp(known[i].name, name, length) == 0) {
            utf8[0] = known[i].is;
            return 1;
        }
    bool hex = length > 2 && name[1] == 'x';
    char *end;
    if (length < 2 || *name != '#' || !text_is_hex(name[1 + hex]))
        return 0;
    unsigned long code = strtoul(name + 1 + hex, &end, hex ? 16 : 10);
    if (end != name + length || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0;
    size_t bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = bytes; i-- > 1; code >>= 6)
        utf8[i] = (char)(0x80 | (code & 0x3f));
    utf8[0] = (char)(bytes == 1 ? code : code | (0xf00U >> bytes & 0xff));
    return bytes;
}

/* Copies the token, with references such as &quot; decoded if it is a text. */
static void keep(const struct network_text *token, bool quoted, struct network_text *to)
{
    const char *from = (const char *)token->bytes;
    network_text_start(to);
    to->cut = token->cut;
    for (size_t i = 0, step; i < token->length; i += step) {
        const char *end =
            quoted && from[i] == '&' ? memchr(from + i, ';', token->length - i) : NULL;
        char utf8[4];
        size_t bytes = end ? decode(from + i + 1, (size_t)(end - from) - i - 1, utf8) : 0;
        step = bytes ? (size_t)(end - from) - i + 1 : 1;
        network_text_add(to, bytes ? utf8 : from + i, bytes ? bytes : 1);
    }
}

/* What is known of the lists that the reader is in. */
enum list { FILE_LIST, GRAPH_LIST, VERTEX_LIST, EDGE_LIST, NESTED_LIST, OTHER_LIST };

/* Where a value goes whose key is the token; NULL: nowhere. */
static struct network_text *target(struct reader *reader, enum list list)
{
    const struct network_text *key = &reader->token;
    struct network_item *item = &reader->item;
    const char *wanted = reader->graph->options.label_key, *label = wanted ? wanted : "label";
    if (list == VERTEX_LIST)
        return network_text_is(key, "id")    ? &item->id
               : network_text_is(key, label) ? &item->label
                                             : NULL;
    if (list != EDGE_LIST)
        return NULL;
    return network_text_is(key, "source")                            ? &item->from
           : network_text_is(key, "target")                          ? &item->to
           : network_text_is(key, network_weight_key(reader->graph)) ? &item->weight
                                                                     : NULL;
}

/* The list that a bracket after the key opens. */
static enum list inner_of(const struct network_text *key, enum list list)
{
    if (network_text_is(key, "graph"))
        return list == FILE_LIST ? GRAPH_LIST : list == OTHER_LIST ? OTHER_LIST : NESTED_LIST;
    return list != GRAPH_LIST             ? OTHER_LIST
           : network_text_is(key, "node") ? VERTEX_LIST
           : network_text_is(key, "edge") ? EDGE_LIST
                                          : OTHER_LIST;
}

static int enter(struct reader *reader, enum list list, struct apsp_error *error)
{
    struct network_item *item = &reader->item;
    if (list == NESTED_LIST)
        return gml_refuse(
            reader, "a graph within a graph: nested graphs have no distances of their own", error);
    if (list == GRAPH_LIST && reader->seen)
        return gml_refuse(reader, "a second graph, where a file holds one", error);
    reader->seen |= list == GRAPH_LIST;
    if (list == VERTEX_LIST || list == EDGE_LIST) {
        item->offset = reader->offset;
        item->id.there = item->label.there = item->from.there = item->to.there =
            item->weight.there = false;
    }
    return APSP_OK;
}

static int leave(struct reader *reader, enum list list, struct apsp_error *error)
{
    if (list == VERTEX_LIST)
        return network_vertex(reader->graph, &reader->item, error);
    return list == EDGE_LIST ? network_edge(reader->graph, &reader->item, error) : APSP_OK;
}

/* The name of an attribute that has no other use, in `copy`, if it is new; else empty. */
static struct field other_name(const struct reader *reader, unsigned char copy[ATTRIBUTE_NAME])
{
    const struct network *network = reader->graph->own;
    const struct network_text *key = &reader->token;
    if (!attributes_want(&network->attributes, key->bytes, key->length))
        return (struct field){copy, 0};
    memcpy(copy, key->bytes, key->length);
    return (struct field){copy, key->length};
}

/* The value of the key that is the token; *list becomes the one that it opens. */
static int read_value(struct reader *reader, enum list *list, bool *opens, struct apsp_error *error)
{
    enum token token;
    const enum list inner = inner_of(&reader->token, *list);
    struct network_text *to = target(reader, *list);
    struct network *network = reader->graph->own;
    unsigned char copy[ATTRIBUTE_NAME];
    struct field name = {copy, 0};
    bool directed = *list == GRAPH_LIST && network_text_is(&reader->token, "directed");
    if (*list == EDGE_LIST && !to)
        name = other_name(reader, copy);
    if (next(reader, &token, error) != APSP_OK)
        return error->code;
    *opens = token == OPEN;
    if (token == CLOSE || token == END)
        return gml_refuse(reader, "a key has no value", error);
    if (token == OPEN && (to || directed))
        return gml_refuse(reader, "a list, where a number or a text is needed", error);
    if (to)
        keep(&reader->token, token == TEXT, to);
    if (name.length > 0 && (token == WORD || token == TEXT))
        attributes_add(&network->attributes, name.text, name.length,
                       (struct field){reader->token.bytes, reader->token.length});
    if (directed)
        reader->directed = !network_text_is(&reader->token, "0");
    if (token != OPEN)
        return APSP_OK;
    *list = inner;
    return enter(reader, inner, error);
}

static int read_lists(struct reader *reader, struct apsp_error *error)
{
    enum list within[NETWORK_DEPTH] = {FILE_LIST};
    int depth = 0;
    enum token token;
    while (next(reader, &token, error) == APSP_OK && token != END) {
        bool opens = false;
        enum list list = within[depth];
        if (token == CLOSE && depth > 0) {
            if (leave(reader, list, error) != APSP_OK)
                return error->code;
            depth--;
            continue;
        }
        if (token != WORD || !text_is_letter(*reader->token.bytes))
            return gml_refuse(reader, "a key is needed: a word of letters and digits", error);
        if (read_value(reader, &list, &opens, error) != APSP_OK)
            return error->code;
        if (opens && ++depth == NETWORK_DEPTH)
            return gml_refuse(reader, "lists within one another deeper than 100", error);
        within[depth] = list;
    }
    if (!error->code && depth > 0)
        return gml_refuse(reader, "the file ends within a list", error);
    return error->code;
}

static void skip_mark(struct reader *reader, struct apsp_error *error)
{
    int byte;
    if (peek(reader, &byte, error) == APSP_OK)
        reader->used = text_mark(reader->buffer, reader->have);
}

static int read_all(struct graph *graph, struct apsp_error *error)
{
    struct reader *reader = calloc(1, sizeof *reader);
    struct network *network = graph->own;
    if (!reader)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    reader->graph = graph;
    reader->item.undirected = network->undirected = network->labels = true;
    skip_mark(reader, error);
    if (!error->code && read_lists(reader, error) == APSP_OK && !reader->seen)
        error_set(error, APSP_INPUT, "%s: holds no 'graph [ ... ]'", graph->path);
    network->undirected = !reader->directed;
    free(reader);
    return error->code;
}

static int gml_open(struct graph *graph, struct apsp_error *error)
{
    return network_open(graph, read_all, error);
}

static bool starts_with(const unsigned char *at, size_t have, const char *word)
{
    size_t length = strlen(word);
    return have > length && memcmp(at, word, length) == 0 &&
           (text_is_space(at[length]) || at[length] == '[');
}

/* It begins with one of the keys that writers begin with, and a list `graph [` begins in the look.
 */
static enum graph_guess gml_guess(const struct graph_look *look)
{
    static const char *const keys[] = {"graph",   "Creator", "creator",
                                       "Version", "version", "comment"};
    const unsigned char *line = graph_look_line(look, "#"), *end = look->text + look->have;
    bool begins = false;
    for (size_t i = 0; line && i < sizeof keys / sizeof *keys; i++)
        begins |= starts_with(line, (size_t)(end - line), keys[i]);
    for (const unsigned char *at = line; begins && at;
         at = memchr(at + 1, 'g', (size_t)(end - at) - 1)) {
        if (!starts_with(at, (size_t)(end - at), "graph"))
            continue;
        for (at += strlen("graph"); at < end && text_is_space(*at);)
            at++;
        if (at == end)
            break;
        if (*at == '[')
            return GUESS_SURE;
    }
    return GUESS_NO;
}

const struct graph_source graph_gml = {
    .name = "gml",
    .about = "GML, as of networkx, igraph, Gephi and yEd: vertices by label or id",
    .suffix = ".gml",
    .guess = gml_guess,
    .options = GRAPH_WEIGHT_KEY | GRAPH_LABEL_KEY,
    .open = gml_open,
    .close = network_close,
    .next = network_next};
