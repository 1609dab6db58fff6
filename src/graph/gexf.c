/*
 * GEXF, of Gephi and networkx, read by expat. Vertices are called by their labels where each has
 * one of its own, else by their ids. The weight of an edge is its attribute `weight`, or, of
 * another name, the <attvalue> whose <attribute> of edges has that title, or the attribute's
 * default. The type of an edge, or the graph's defaultedgetype, says in which direction it leads.
 */
#include "graph/xml.h"

#include <stdlib.h>
#include <string.h>

enum element {
    OUTSIDE,
    ROOT,
    GRAPH,
    ATTRIBUTES,
    ATTRIBUTE,
    DEFAULT,
    NODES,
    VERTEX,
    LABELS,
    EDGES,
    EDGE,
    VALUES,
    OTHER
};

struct reader {
    struct xml xml;
    bool seen;                       /* a graph */
    bool of_edges, is_weight;        /* the attributes that are read; the one of them */
    struct network_text label;       /* the id of that of the labels, if one is named */
    struct network_text key, preset; /* the id of the weights' attribute, and its default */
    struct attribute_title {         /* of other attributes of edges, */
        char id[ATTRIBUTE_NAME + 1], title[ATTRIBUTE_NAME + 1];
    } other[ATTRIBUTES_MAX];
    int others;
    struct network_item item;
};

static void start_graph(struct reader *reader, const char *const *attributes)
{
    const char *kind = xml_attribute(attributes, "defaultedgetype");
    struct network *network = reader->xml.graph->own;
    if (reader->seen)
        xml_refuse(&reader->xml, "a second graph, where a file holds one");
    network->undirected = !kind || strcmp(kind, "directed") != 0;
    reader->seen = true;
}

static void start_attributes(struct reader *reader, const char *const *attributes)
{
    const char *of = xml_attribute(attributes, "class");
    reader->of_edges = of && strcmp(of, "edge") == 0;
}

static void start_attribute(struct reader *reader, const char *const *attributes)
{
    const char *title = xml_attribute(attributes, "title"), *id = xml_attribute(attributes, "id");
    struct attribute_title *other = &reader->other[reader->others];
    const char *label = reader->xml.graph->options.label_key;
    if (label && title && id && !reader->of_edges && strcmp(title, label) == 0)
        xml_set_text(&reader->label, id);
    reader->is_weight = title && id && reader->of_edges &&
                        strcmp(title, network_weight_key(reader->xml.graph)) == 0;
    if (reader->is_weight)
        xml_set_text(&reader->key, id);
    else if (title && id && reader->of_edges && reader->others < ATTRIBUTES_MAX &&
             strlen(title) <= ATTRIBUTE_NAME && strlen(id) <= ATTRIBUTE_NAME) {
        strcpy(other->id, id);
        strcpy(other->title, title);
        reader->others++;
    }
}

static void start_default(struct reader *reader, const char *const *attributes)
{
    (void)attributes;
    if (reader->is_weight)
        network_text_start(&reader->preset);
}

static void start_vertex(struct reader *reader, const char *const *attributes)
{
    reader->item.offset = xml_offset(&reader->xml);
    xml_set_text(&reader->item.id, xml_attribute(attributes, "id"));
    const char *label = reader->xml.graph->options.label_key;
    reader->item.label.there = false;
    if (!label || strcmp(label, "label") == 0)
        xml_set_text(&reader->item.label, xml_attribute(attributes, "label"));
}

static void start_label(struct reader *reader, const char *const *attributes)
{
    const char *id = xml_attribute(attributes, "for");
    if (id && network_text_is(&reader->label, id))
        xml_set_text(&reader->item.label, xml_attribute(attributes, "value"));
}

static void start_edge(struct reader *reader, const char *const *attributes)
{
    struct network_item *item = &reader->item;
    const char *type = xml_attribute(attributes, "type");
    item->offset = xml_offset(&reader->xml);
    item->undirected = ((struct network *)reader->xml.graph->own)->undirected;
    if (type)
        item->undirected = strcmp(type, "directed") != 0;
    xml_set_text(&item->from, xml_attribute(attributes, "source"));
    xml_set_text(&item->to, xml_attribute(attributes, "target"));
    item->weight = reader->preset;
    if (strcmp(network_weight_key(reader->xml.graph), "weight") == 0 &&
        xml_attribute(attributes, "weight"))
        xml_set_text(&item->weight, xml_attribute(attributes, "weight"));
}

static void start_value(struct reader *reader, const char *const *attributes)
{
    struct network *network = reader->xml.graph->own;
    const char *id = xml_attribute(attributes, "for"), *value = xml_attribute(attributes, "value");
    struct network_text text;
    if (id && network_text_is(&reader->key, id))
        xml_set_text(&reader->item.weight, value);
    for (int i = 0; id && value && i < reader->others; i++) {
        const struct attribute_title *other = &reader->other[i];
        const unsigned char *title = (const unsigned char *)other->title;
        if (strcmp(other->id, id) != 0 ||
            !attributes_want(&network->attributes, title, strlen(other->title)))
            continue;
        xml_set_text(&text, value);
        attributes_add(&network->attributes, title, strlen(other->title), network_trimmed(&text));
    }
}

/* Which elements stand in which; any other one is OTHER, with all that is in it. */
static const struct {
    enum element outer;
    const char *name;
    enum element is;
    void (*start)(struct reader *reader, const char *const *attributes);
} elements[] = {
    {OUTSIDE, "gexf", ROOT, NULL},
    {ROOT, "graph", GRAPH, start_graph},
    {GRAPH, "attributes", ATTRIBUTES, start_attributes},
    {ATTRIBUTES, "attribute", ATTRIBUTE, start_attribute},
    {ATTRIBUTE, "default", DEFAULT, start_default},
    {GRAPH, "nodes", NODES, NULL},
    {NODES, "node", VERTEX, start_vertex},
    {VERTEX, "attvalues", LABELS, NULL},
    {LABELS, "attvalue", OTHER, start_label},
    {GRAPH, "edges", EDGES, NULL},
    {EDGES, "edge", EDGE, start_edge},
    {EDGE, "attvalues", VALUES, NULL},
    {VALUES, "attvalue", OTHER, start_value},
};

static int start(struct xml *xml, const char *whole, const char *const *attributes)
{
    struct reader *reader = (struct reader *)xml;
    const char *bar = strrchr(whole, '|'), *name = bar ? bar + 1 : whole;
    const enum element outer = (enum element)xml_outer(xml);
    if (outer == OUTSIDE && strcmp(name, "gexf") != 0)
        xml_refuse(xml, "the root element is not 'gexf'");
    if (outer == VERTEX && strcmp(name, "nodes") == 0)
        xml_refuse(xml, "a vertex within a vertex: nested vertices have no distances of their own");
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (elements[i].outer == outer && strcmp(elements[i].name, name) == 0) {
            if (elements[i].start)
                elements[i].start(reader, attributes);
            return elements[i].is;
        }
    return OTHER;
}

static void take_text(struct xml *xml, int element, const char *text, size_t length)
{
    struct reader *reader = (struct reader *)xml;
    if (element == DEFAULT && reader->is_weight)
        network_text_add(&reader->preset, text, length);
}

static void end(struct xml *xml, int element)
{
    struct reader *reader = (struct reader *)xml;
    if (element == VERTEX)
        network_vertex(xml->graph, &reader->item, xml->error);
    else if (element == EDGE)
        network_edge(xml->graph, &reader->item, xml->error);
}

static int read_all(struct graph *graph, struct apsp_error *error)
{
    static const struct xml_format format = {start, take_text, end};
    struct reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    ((struct network *)graph->own)->labels = true;
    if (xml_read(&reader->xml, graph, &format, error) == APSP_OK && !reader->seen)
        error_set(error, APSP_INPUT, "%s: holds no <graph>", graph->path);
    free(reader);
    return error->code;
}

static int gexf_open(struct graph *graph, struct apsp_error *error)
{
    return xml_open(graph, "a GEXF file", read_all, error);
}

static enum graph_guess gexf_guess(const struct graph_look *look)
{
    return xml_guess(look, "<gexf");
}

const struct graph_source graph_gexf = {
    .name = "gexf",
    .about = "GEXF, as of Gephi and networkx: vertices by label or id; read by expat",
    .suffix = ".gexf",
    .guess = gexf_guess,
    .options = GRAPH_WEIGHT_KEY | GRAPH_LABEL_KEY,
    .open = gexf_open,
    .close = network_close,
    .next = network_next};
