/*
 * GraphML, read by expat. Vertices are called by their ids; the weight of an edge is the value of
 * the key whose attr.name says so, or the key's default. Elements of other namespaces, and all that
 * is in a <data>, a <port> or a <desc> beside its text, are passed over.
 */
#include "base/late.h"
#include "graph/network.h"

#include <stdlib.h>
#include <string.h>

static const char *const symbols[] = {"XML_ParserCreate_MM",
                                      "XML_ParserFree",
                                      "XML_SetUserData",
                                      "XML_SetElementHandler",
                                      "XML_SetCharacterDataHandler",
                                      "XML_SetStartDoctypeDeclHandler",
                                      "XML_Parse",
                                      "XML_StopParser",
                                      "XML_GetErrorCode",
                                      "XML_ErrorString",
                                      "XML_GetCurrentByteIndex",
                                      NULL};

#define LATE(functions)                                                                            \
    {                                                                                              \
        "libexpat.so.1", "libexpat1", "libexpat1-dev", symbols, functions                          \
    }

#if __has_include(<expat.h>)
#include <expat.h>
#include <malloc.h>

static struct {
    __typeof__(XML_ParserCreate_MM) *create;
    __typeof__(XML_ParserFree) *free;
    __typeof__(XML_SetUserData) *set_user;
    __typeof__(XML_SetElementHandler) *set_element;
    __typeof__(XML_SetCharacterDataHandler) *set_text;
    __typeof__(XML_SetStartDoctypeDeclHandler) *set_doctype;
    __typeof__(XML_Parse) *parse;
    __typeof__(XML_StopParser) *stop;
    __typeof__(XML_GetErrorCode) *code;
    __typeof__(XML_ErrorString) *describe;
    __typeof__(XML_GetCurrentByteIndex) *at;
} xml;

static const struct late late = LATE(&xml);

/* Bytes of a tag or a comment, which expat holds as a whole, and of all that it holds: it keeps
 * each name of an element or an attribute to the end. */
enum { TAG_MOST = 1 << 20, MEMORY_MOST = 1 << 26 };

static _Thread_local size_t held;  /* by the parser: a file is read by one thread */
static _Thread_local bool starved; /* there was no memory, within that limit */

static void *resize(void *old, size_t bytes)
{
    size_t before = malloc_usable_size(old);
    bool allowed = bytes <= MEMORY_MOST && held - before <= MEMORY_MOST - bytes;
    void *grown = allowed ? realloc(old, bytes) : NULL;
    starved |= allowed && !grown;
    if (grown)
        held += malloc_usable_size(grown) - before;
    return grown;
}

static void *allocate(size_t bytes)
{
    return resize(NULL, bytes);
}

static void release(void *memory)
{
    held -= malloc_usable_size(memory);
    free(memory);
}

/* What the element is that the reader is in. */
enum element { OUTSIDE, ROOT, KEY, DEFAULT, GRAPH, VERTEX, EDGE, WEIGHT, ATTRIBUTE, OTHER };

struct reader {
    struct graph *graph;
    XML_Parser parser;
    struct apsp_error *error;
    enum element within[NETWORK_DEPTH];
    int depth;
    bool seen;                       /* a graph */
    bool is_weight;                  /* the key that is being read */
    struct network_text key, preset; /* the id of the weights' key, and its default */
    struct attribute_key {           /* of other attributes of edges, */
        char id[ATTRIBUTE_NAME + 1], name[ATTRIBUTE_NAME + 1];
    } other[ATTRIBUTES_MAX];
    int others;
    const struct attribute_key *taken; /* of which the value is read */
    struct network_text value;
    struct network_item item;
    unsigned char buffer[NETWORK_READ];
};

static const char *attribute(const char *const *attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

static void refuse(struct reader *reader, const char *what)
{
    if (!reader->error->code)
        line_refuse_at(reader->graph, (size_t)xml.at(reader->parser), what, reader->error);
}

static void set_text(struct network_text *text, const char *value)
{
    text->there = false;
    if (!value)
        return;
    network_text_start(text);
    network_text_add(text, value, strlen(value));
}

/* The first attributes of edges that are no weight, with names that are not too long. */
static void keep_key(struct reader *reader, const char *id, const char *name)
{
    struct attribute_key *key = &reader->other[reader->others];
    if (reader->others == ATTRIBUTES_MAX || !id || strlen(id) > ATTRIBUTE_NAME ||
        strlen(name) > ATTRIBUTE_NAME)
        return;
    strcpy(key->id, id);
    strcpy(key->name, name);
    reader->others++;
}

static void start_key(struct reader *reader, const char *const *attributes)
{
    const char *name = attribute(attributes, "attr.name"), *of = attribute(attributes, "for");
    bool edges = !of || strcmp(of, "edge") == 0 || strcmp(of, "all") == 0;
    reader->is_weight = name && edges && strcmp(name, network_weight_key(reader->graph)) == 0;
    if (!reader->is_weight && name && edges)
        keep_key(reader, attribute(attributes, "id"), name);
    if (!reader->is_weight)
        return;
    if (reader->key.there)
        refuse(reader,
               "a second key for the weights of edges: --weight-key names another attribute");
    if (reader->seen)
        refuse(reader,
               "the key for the weights of edges comes after the graph, where it must come before");
    set_text(&reader->key, attribute(attributes, "id"));
    if (!reader->key.there)
        refuse(reader, "the key for the weights of edges has no id");
}

static void start_graph(struct reader *reader, const char *const *attributes)
{
    const char *kind = attribute(attributes, "edgedefault");
    struct network *network = reader->graph->own;
    if (reader->seen)
        refuse(reader, "a second graph, where a file holds one");
    if (!kind || (strcmp(kind, "directed") != 0 && strcmp(kind, "undirected") != 0))
        refuse(reader, "a graph's edgedefault is neither directed nor undirected");
    else
        network->undirected = strcmp(kind, "undirected") == 0;
    reader->seen = true;
}

static void start_vertex(struct reader *reader, const char *const *attributes)
{
    reader->item.offset = (size_t)xml.at(reader->parser);
    set_text(&reader->item.id, attribute(attributes, "id"));
}

static void start_edge(struct reader *reader, const char *const *attributes)
{
    const char *directed = attribute(attributes, "directed");
    struct network_item *item = &reader->item;
    item->offset = (size_t)xml.at(reader->parser);
    item->undirected = ((struct network *)reader->graph->own)->undirected;
    set_text(&item->from, attribute(attributes, "source"));
    set_text(&item->to, attribute(attributes, "target"));
    item->weight = reader->preset;
    if (directed && (strcmp(directed, "true") == 0 || strcmp(directed, "1") == 0))
        item->undirected = false;
    else if (directed && (strcmp(directed, "false") == 0 || strcmp(directed, "0") == 0))
        item->undirected = true;
    else if (directed)
        refuse(reader, "an edge's 'directed' is neither true nor false");
}

static bool is_weight(const struct reader *reader, const char *const *attributes)
{
    const char *key = attribute(attributes, "key");
    return key && network_text_is(&reader->key, key);
}

/* Whether it is another attribute, the first value of which is to be seen yet. */
static bool is_other(struct reader *reader, const char *const *attributes)
{
    const struct network *network = reader->graph->own;
    const char *id = attribute(attributes, "key");
    for (int i = 0; id && i < reader->others; i++) {
        const struct attribute_key *key = &reader->other[i];
        if (strcmp(key->id, id) != 0)
            continue;
        reader->taken = key;
        return attributes_want(&network->attributes, (const unsigned char *)key->name,
                               strlen(key->name));
    }
    return false;
}

/* The local name of an element of GraphML, whatever its version, or of no namespace; else "". */
static const char *local_name(const char *name)
{
    static const char space[] = "http://graphml.graphdrawing.org/";
    const char *bar = strrchr(name, '|');
    return !bar ? name : strncmp(name, space, sizeof space - 1) == 0 ? bar + 1 : "";
}

/* Which elements stand in which; any other one is OTHER, with all that is in it. */
static const struct {
    enum element outer;
    const char *name;
    enum element is;
    void (*start)(struct reader *reader, const char *const *attributes);
} elements[] = {
    {OUTSIDE, "graphml", ROOT, NULL},      {ROOT, "key", KEY, start_key},
    {KEY, "default", DEFAULT, NULL},       {ROOT, "graph", GRAPH, start_graph},
    {GRAPH, "node", VERTEX, start_vertex}, {GRAPH, "edge", EDGE, start_edge},
};

static enum element start(struct reader *reader, const char *name, const char *const *attributes)
{
    enum element outer = reader->within[reader->depth];
    if (outer == OUTSIDE && strcmp(name, "graphml") != 0)
        refuse(reader, "the root element is no 'graphml'");
    if (outer == GRAPH && strcmp(name, "hyperedge") == 0)
        refuse(reader, "a hyperedge: an edge with other than two ends has no place in a path");
    if ((outer == VERTEX || outer == EDGE) && strcmp(name, "graph") == 0)
        refuse(reader, "a graph within a graph: nested graphs have no distances of their own");
    if (outer == EDGE && strcmp(name, "data") == 0 && is_weight(reader, attributes))
        return WEIGHT;
    if (outer == EDGE && strcmp(name, "data") == 0 && is_other(reader, attributes))
        return ATTRIBUTE;
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (elements[i].outer == outer && strcmp(elements[i].name, name) == 0) {
            if (elements[i].start)
                elements[i].start(reader, attributes);
            return elements[i].is;
        }
    return OTHER;
}

static void on_start(void *self, const char *name, const char **attributes)
{
    struct reader *reader = self;
    if (reader->error->code)
        return;
    if (reader->depth + 1 == NETWORK_DEPTH) {
        refuse(reader, "elements within one another deeper than 100");
    } else {
        enum element is = start(reader, local_name(name), attributes);
        reader->within[++reader->depth] = is;
        if (is == WEIGHT)
            network_text_start(&reader->item.weight);
        if (is == ATTRIBUTE)
            network_text_start(&reader->value);
        if (is == DEFAULT && reader->is_weight)
            network_text_start(&reader->preset);
    }
    if (reader->error->code)
        xml.stop(reader->parser, XML_FALSE);
}

static void on_text(void *self, const char *text, int length)
{
    struct reader *reader = self;
    enum element is = reader->within[reader->depth];
    if (is == WEIGHT)
        network_text_add(&reader->item.weight, text, (size_t)length);
    else if (is == ATTRIBUTE)
        network_text_add(&reader->value, text, (size_t)length);
    else if (is == DEFAULT && reader->is_weight)
        network_text_add(&reader->preset, text, (size_t)length);
}

static void on_end(void *self, const char *name)
{
    struct reader *reader = self;
    (void)name;
    if (reader->error->code)
        return;
    enum element is = reader->within[reader->depth--];
    if (is == VERTEX)
        network_vertex(reader->graph, &reader->item, reader->error);
    else if (is == EDGE)
        network_edge(reader->graph, &reader->item, reader->error);
    else if (is == ATTRIBUTE)
        attributes_add(&((struct network *)reader->graph->own)->attributes,
                       (const unsigned char *)reader->taken->name, strlen(reader->taken->name),
                       network_trimmed(&reader->value));
    if (reader->error->code)
        xml.stop(reader->parser, XML_FALSE);
}

/* Where entities are declared. */
static void on_doctype(void *self, const char *name, const char *system, const char *public,
                       int has_own)
{
    struct reader *reader = self;
    (void)name, (void)system, (void)public;
    if (!has_own)
        return;
    refuse(reader, "a DTD of its own, which may declare entities that grow without limit");
    xml.stop(reader->parser, XML_FALSE);
}

/* One piece of the file. Tags that do not end within TAG_MOST are refused, so that expat keeps no
 * more. */
static int parse_piece(struct reader *reader, size_t at, size_t bytes, size_t *done)
{
    struct apsp_error *error = reader->error;
    const struct file *file = &reader->graph->file;
    char what[200];
    if (file_read(file, at, reader->buffer, bytes, error) != APSP_OK)
        return error->code;
    bool fine = xml.parse(reader->parser, (const char *)reader->buffer, (int)bytes,
                          at + bytes == file->bytes);
    XML_Index index = xml.at(reader->parser);
    if (index > 0 && (size_t)index > *done)
        *done = (size_t)index;
    if (!fine && !error->code) {
        enum XML_Error code = xml.code(reader->parser);
        if (code == XML_ERROR_NO_MEMORY && starved)
            return error_set(error, APSP_MEMORY, "%s: no memory for expat", file->path);
        if (code == XML_ERROR_NO_MEMORY)
            snprintf(what, sizeof what, "expat takes more memory than %d bytes", MEMORY_MOST);
        else
            snprintf(what, sizeof what, "this is no XML: %s", xml.describe(code));
        refuse(reader, what);
    }
    if (!error->code && at + bytes - *done > TAG_MOST + NETWORK_READ)
        line_refuse_at(reader->graph, *done, "a tag or a comment is longer than 1048576 bytes",
                       error);
    return error->code;
}

static int parse(struct reader *reader)
{
    const size_t bytes = reader->graph->file.bytes;
    size_t done = 0;
    for (size_t at = 0; at < bytes;) {
        size_t piece = bytes - at < NETWORK_READ ? bytes - at : NETWORK_READ;
        if (parse_piece(reader, at, piece, &done) != APSP_OK)
            break;
        at += piece;
    }
    return reader->error->code;
}

static int read_all(struct graph *graph, struct apsp_error *error)
{
    struct reader *reader = calloc(1, sizeof *reader);
    const XML_Memory_Handling_Suite memory = {allocate, resize, release};
    held = 0;
    starved = false;
    XML_Parser parser = reader ? xml.create(NULL, &memory, "|") : NULL;
    if (parser) {
        reader->graph = graph;
        reader->error = error;
        reader->parser = parser;
        xml.set_user(parser, reader);
        xml.set_element(parser, on_start, on_end);
        xml.set_text(parser, on_text);
        xml.set_doctype(parser, on_doctype);
        if (parse(reader) == APSP_OK && !reader->seen)
            error_set(error, APSP_INPUT, "%s: holds no <graph>", graph->path);
        xml.free(parser);
    } else {
        error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    }
    free(reader);
    return error->code;
}
#else
static const struct late late = LATE(NULL);

/* late_load has refused before. */
static int read_all(struct graph *graph, struct apsp_error *error)
{
    (void)graph;
    return error->code;
}
#endif

static int graphml_open(struct graph *graph, struct apsp_error *error)
{
    if (late_load(&late, graph->path, "a GraphML file", error) != APSP_OK)
        return error->code;
    return network_open(graph, read_all, error);
}

/* The beginning is XML, and the root element is within the look. */
static enum graph_guess graphml_guess(const struct graph_look *look)
{
    const unsigned char *line = graph_look_line(look, "");
    return line && *line == '<' &&
                   memmem(line, (size_t)(look->text + look->have - line), "graphml", 7)
               ? GUESS_SURE
               : GUESS_NO;
}

const struct graph_source graph_graphml = {
    .name = "graphml",
    .about = "GraphML, as of networkx, igraph, Gephi and yEd: vertices by id; read by expat",
    .suffix = ".graphml",
    .guess = graphml_guess,
    .options = GRAPH_WEIGHT_KEY,
    .reader = sizeof(struct network_reader),
    .open = graphml_open,
    .close = network_close,
    .begin = network_begin,
    .next = network_next};
