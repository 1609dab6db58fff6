/*
 * GraphML, read by expat. Vertices are called by their ids; the weight of an edge is the value of
 * the key whose attr.name says so, or the key's default. Elements of other namespaces, and all that
 * is in a <data>, a <port> or a <desc> beside its text, are passed over.
 */
#include "graph/graphml.h"

#include "base/setting.h"
#include "base/text.h"
#include "graph/xml.h"

#include <stdlib.h>
#include <string.h>

/* What the element is that the reader is in. */
enum element { OUTSIDE, ROOT, KEY, DEFAULT, GRAPH, VERTEX, EDGE, WEIGHT, LABEL, ATTRIBUTE, OTHER };

struct reader {
    struct xml xml;
    bool seen;                       /* a graph */
    bool is_weight;                  /* the key that is being read */
    struct network_text key, preset; /* the id of the weights' key, and its default */
    struct network_text label;       /* the id of the labels' key */
    char likely[sizeof "label"];     /* the name of a key that may be meant for them */
    struct attribute_key {           /* of other attributes of edges, */
        char id[ATTRIBUTE_NAME + 1], name[ATTRIBUTE_NAME + 1];
    } other[ATTRIBUTES_MAX];
    int others;
    const struct attribute_key *taken; /* of which the value is read */
    struct network_text value;
    struct network_item item;
};

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

/* Of an attribute of vertices. */
static void start_label(struct reader *reader, const char *id, const char *name)
{
    const char *wanted = reader->xml.graph->options.label_key;
    if (wanted && strcmp(name, wanted) == 0)
        xml_set_text(&reader->label, id);
    else if (!wanted && (strcmp(name, "label") == 0 || strcmp(name, "name") == 0))
        strcpy(reader->likely, name);
}

static void start_key(struct reader *reader, const char *const *attributes)
{
    const char *name = xml_attribute(attributes, "attr.name"),
               *of = xml_attribute(attributes, "for");
    char what[TEXT_LINE];
    bool edges = !of || strcmp(of, "edge") == 0 || strcmp(of, "all") == 0;
    if (name && (!of || strcmp(of, "node") == 0 || strcmp(of, "all") == 0))
        start_label(reader, xml_attribute(attributes, "id"), name);
    reader->is_weight = name && edges && strcmp(name, network_weight_key(reader->xml.graph)) == 0;
    if (!reader->is_weight && name && edges)
        keep_key(reader, xml_attribute(attributes, "id"), name);
    if (!reader->is_weight)
        return;
    if (reader->key.there) {
        snprintf(what, sizeof what,
                 "a second key for the weights of edges: %s names another attribute",
                 SETTING(WEIGHT_KEY));
        xml_refuse(&reader->xml, what);
    }
    if (reader->seen)
        xml_refuse(
            &reader->xml,
            "the key for the weights of edges comes after the graph, where it must come before");
    xml_set_text(&reader->key, xml_attribute(attributes, "id"));
    if (!reader->key.there)
        xml_refuse(&reader->xml, "the key for the weights of edges has no id");
}

static void start_graph(struct reader *reader, const char *const *attributes)
{
    const char *kind = xml_attribute(attributes, "edgedefault");
    struct network *network = reader->xml.graph->own;
    if (reader->seen)
        xml_refuse(&reader->xml, "a second graph, where a file holds one");
    if (!kind || (strcmp(kind, "directed") != 0 && strcmp(kind, "undirected") != 0))
        xml_refuse(&reader->xml, "a graph's edgedefault is neither directed nor undirected");
    else
        network->undirected = strcmp(kind, "undirected") == 0;
    reader->seen = true;
}

static void start_vertex(struct reader *reader, const char *const *attributes)
{
    reader->item.offset = xml_offset(&reader->xml);
    xml_set_text(&reader->item.id, xml_attribute(attributes, "id"));
    reader->item.label.there = false;
}

static void start_edge(struct reader *reader, const char *const *attributes)
{
    const char *directed = xml_attribute(attributes, "directed");
    struct network_item *item = &reader->item;
    item->offset = xml_offset(&reader->xml);
    item->undirected = ((struct network *)reader->xml.graph->own)->undirected;
    xml_set_text(&item->from, xml_attribute(attributes, "source"));
    xml_set_text(&item->to, xml_attribute(attributes, "target"));
    item->weight = reader->preset;
    if (directed && (strcmp(directed, "true") == 0 || strcmp(directed, "1") == 0))
        item->undirected = false;
    else if (directed && (strcmp(directed, "false") == 0 || strcmp(directed, "0") == 0))
        item->undirected = true;
    else if (directed)
        xml_refuse(&reader->xml, "an edge's 'directed' is neither true nor false");
}

static bool is_key(const struct network_text *id, const char *const *attributes)
{
    const char *key = xml_attribute(attributes, "key");
    return key && network_text_is(id, key);
}

/* Whether it is another attribute, the first value of which is to be seen yet. */
static bool is_other(struct reader *reader, const char *const *attributes)
{
    const struct network *network = reader->xml.graph->own;
    const char *id = xml_attribute(attributes, "key");
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

const char *graphml_name(const char *name)
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

static int start(struct xml *xml, const char *whole, const char *const *attributes)
{
    struct reader *reader = (struct reader *)xml;
    const char *name = graphml_name(whole);
    const enum element outer = (enum element)xml_outer(xml);
    if (outer == OUTSIDE && strcmp(name, "graphml") != 0)
        xml_refuse(&reader->xml, "the root element is not 'graphml'");
    if (outer == GRAPH && strcmp(name, "hyperedge") == 0)
        xml_refuse(&reader->xml, "a hyperedge: an edge must have two ends");
    if ((outer == VERTEX || outer == EDGE) && strcmp(name, "graph") == 0)
        xml_refuse(&reader->xml,
                   "a graph within a graph: nested graphs have no distances of their own");
    if (outer == VERTEX && strcmp(name, "data") == 0 && is_key(&reader->label, attributes)) {
        network_text_start(&reader->item.label);
        return LABEL;
    }
    if (outer == EDGE && strcmp(name, "data") == 0 && is_key(&reader->key, attributes)) {
        network_text_start(&reader->item.weight);
        return WEIGHT;
    }
    if (outer == EDGE && strcmp(name, "data") == 0 && is_other(reader, attributes)) {
        network_text_start(&reader->value);
        return ATTRIBUTE;
    }
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (elements[i].outer == outer && strcmp(elements[i].name, name) == 0) {
            if (elements[i].start)
                elements[i].start(reader, attributes);
            if (elements[i].is == DEFAULT && reader->is_weight)
                network_text_start(&reader->preset);
            return elements[i].is;
        }
    return OTHER;
}

static void take_text(struct xml *xml, int element, const char *text, size_t length)
{
    struct reader *reader = (struct reader *)xml;
    if (element == WEIGHT)
        network_text_add(&reader->item.weight, text, length);
    else if (element == LABEL)
        network_text_add(&reader->item.label, text, length);
    else if (element == ATTRIBUTE)
        network_text_add(&reader->value, text, length);
    else if (element == DEFAULT && reader->is_weight)
        network_text_add(&reader->preset, text, length);
}

static void trim(struct network_text *text)
{
    const struct field trimmed = network_trimmed(text);
    memmove(text->bytes, trimmed.text, trimmed.length);
    text->length = trimmed.length;
}

static void end(struct xml *xml, int element)
{
    struct reader *reader = (struct reader *)xml;
    if (element == VERTEX)
        network_vertex(xml->graph, &reader->item, xml->error);
    else if (element == EDGE)
        network_edge(xml->graph, &reader->item, xml->error);
    else if (element == LABEL)
        trim(&reader->item.label);
    else if (element == ATTRIBUTE)
        attributes_add(&((struct network *)xml->graph->own)->attributes,
                       (const unsigned char *)reader->taken->name, strlen(reader->taken->name),
                       network_trimmed(&reader->value));
}

static int read_all(struct graph *graph, struct apsp_error *error)
{
    static const struct xml_format format = {start, take_text, end};
    struct reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    ((struct network *)graph->own)->labels = graph->options.label_key != NULL;
    if (xml_read(&reader->xml, graph, &format, error) == APSP_OK && !reader->seen)
        error_set(error, APSP_INPUT, "%s: holds no <graph>", graph->path);
    if (*reader->likely)
        graph_note(graph,
                   "vertices are called by their ids, and their \"%s\" is not used: %s %s takes it",
                   reader->likely, SETTING(LABEL_KEY), reader->likely);
    free(reader);
    return error->code;
}

static int graphml_open(struct graph *graph, struct apsp_error *error)
{
    return xml_open(graph, "a GraphML file", read_all, error);
}

static enum graph_guess graphml_guess(const struct graph_look *look)
{
    return xml_guess(look, "graphml");
}

const struct graph_source graph_graphml = {
    .name = "graphml",
    .about = "GraphML, as of networkx, igraph, Gephi and yEd: vertices by id; read by expat",
    .suffix = ".graphml",
    .guess = graphml_guess,
    .options = GRAPH_WEIGHT_KEY | GRAPH_LABEL_KEY,
    .open = graphml_open,
    .close = network_close,
    .next = network_next};
