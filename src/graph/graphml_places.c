/* Coordinates in GraphML, as OSMnx writes them: attributes of vertices. Edges are passed over. */
#include "graph/graphml.h"

#include "graph/numbering.h"
#include "graph/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { X, Y, NAME, KEYS }; /* The attributes of vertices that are read; a value's element is one. */
enum element { OUTSIDE, ROOT, GRAPH, VERTEX, OTHER, VALUE };

static const char *const axes[] = {PLACES_X, PLACES_Y};

struct reader {
    struct xml xml;
    struct graph self;         /* The name and the bytes of the file. */
    const struct graph *graph; /* Its vertices get places. */
    double *place[2];
    struct network_text key[KEYS]; /* Their ids. */
    const char *called[2];         /* The names of X and Y, in `axes`. */
    struct network_text id, value[KEYS];
    size_t offset; /* Where the vertex that is read begins. */
};

static void start_key(struct reader *reader, const char *const *attributes)
{
    const char *name = xml_attribute(attributes, "attr.name"),
               *id = xml_attribute(attributes, "id"), *of = xml_attribute(attributes, "for"),
               *label = reader->graph->options.label_key;
    if (!name || !id || (of && strcmp(of, "node") != 0 && strcmp(of, "all") != 0))
        return;
    if (label && strcmp(name, label) == 0)
        xml_set_text(&reader->key[NAME], id);
    const struct field field = {(unsigned char *)name, strlen(name)};
    for (int axis = X; axis <= Y; axis++) {
        const char *called = fields_among(&field, axes[axis]);
        if (called && (!reader->called[axis] || called < reader->called[axis])) {
            xml_set_text(&reader->key[axis], id);
            reader->called[axis] = called;
        }
    }
}

static void start_vertex(struct reader *reader, const char *const *attributes)
{
    reader->offset = xml_offset(&reader->xml);
    xml_set_text(&reader->id, xml_attribute(attributes, "id"));
    if (!reader->id.there || reader->id.cut)
        xml_refuse(&reader->xml, "the id of a vertex is missing, or longer than 4096 bytes");
    for (int k = 0; k < KEYS; k++)
        reader->value[k].there = false;
}

static int start_value(struct reader *reader, const char *const *attributes)
{
    const char *id = xml_attribute(attributes, "key");
    for (int k = 0; id && k < KEYS; k++)
        if (network_text_is(&reader->key[k], id)) {
            network_text_start(&reader->value[k]);
            return VALUE + k;
        }
    return OTHER;
}

static int start(struct xml *xml, const char *whole, const char *const *attributes)
{
    struct reader *reader = (struct reader *)xml;
    const char *name = graphml_name(whole);
    const int outer = xml_outer(xml);
    if (outer == OUTSIDE && strcmp(name, "graphml") != 0)
        xml_refuse(xml, "the root element is not 'graphml'");
    if (outer == ROOT && strcmp(name, "key") == 0)
        start_key(reader, attributes);
    if (outer == VERTEX && strcmp(name, "data") == 0)
        return start_value(reader, attributes);
    if (outer == GRAPH && strcmp(name, "node") == 0) {
        start_vertex(reader, attributes);
        return VERTEX;
    }
    return outer == OUTSIDE ? ROOT : outer == ROOT && strcmp(name, "graph") == 0 ? GRAPH : OTHER;
}

static void take_text(struct xml *xml, int element, const char *text, size_t length)
{
    if (element >= VALUE)
        network_text_add(&((struct reader *)xml)->value[element - VALUE], text, length);
}

/* The end of a vertex: it has a place if both coordinates are there, and the graph has it. */
static void end(struct xml *xml, int element)
{
    struct reader *reader = (struct reader *)xml;
    const struct place where = {xml->graph, reader->offset};
    struct network_text *value = reader->value;
    struct field name = {reader->id.bytes, reader->id.length};
    double place[2] = {0};
    uint32_t vertex;
    if (element != VERTEX || !value[X].there || !value[Y].there)
        return;
    for (int axis = X; axis <= Y && !xml->error->code; axis++) {
        const struct field field = network_trimmed(&value[axis]);
        if (value[axis].cut || !fields_finite(&field, &place[axis]))
            fields_refuse(&where, "a coordinate", &field, "is no finite number", xml->error);
    }
    name.text[name.length] = '\n';
    if (value[NAME].there)
        name = network_trimmed(&value[NAME]);
    if (xml->error->code || !numbering_find(reader->graph, &name, &vertex))
        return;
    if (!isnan(reader->place[X][vertex]))
        fields_refuse(&where, "the vertex", &name, "is declared twice", xml->error);
    for (int axis = X; axis <= Y; axis++)
        reader->place[axis][vertex] = place[axis];
}

int graphml_places(const struct file *file, const struct graph *graph, double *x, double *y,
                   char about[GRAPH_ABOUT], struct apsp_error *error)
{
    static const struct xml_format format = {start, take_text, end};
    if (xml_load(file->path, "a GraphML file", error) != APSP_OK)
        return error->code;
    struct reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return error_set(error, APSP_MEMORY, "%s: no memory to read places", file->path);
    reader->graph = graph;
    reader->place[X] = x;
    reader->place[Y] = y;
    graph_start(&reader->self, NULL, file->path);
    reader->self.file = *file;
    xml_read(&reader->xml, &reader->self, &format, error);
    const char *called_x = reader->called[X], *called_y = reader->called[Y];
    free(reader);
    if (!error->code && (!called_x || !called_y))
        return error_set(error, APSP_INPUT, "%s: no key of vertices has one of the names: %s",
                         file->path, called_x ? PLACES_Y : PLACES_X);
    if (!error->code)
        snprintf(about, GRAPH_ABOUT, "coordinates: x is \"%.*s\" of vertices, y \"%.*s\"",
                 (int)strcspn(called_x, " "), called_x, (int)strcspn(called_y, " "), called_y);
    return error->code;
}
