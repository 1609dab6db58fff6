#include "graph/network.h"

#include "base/mem.h"
#include "base/setting.h"
#include "base/text.h"
#include "graph/numbering.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 1024 }; /* entries of the first array */

#define NO_LABEL SIZE_MAX

struct network_vertex {
    size_t label;  /* where it is in the text; NO_LABEL without */
    size_t offset; /* of what names it first, in the file */
    bool declared;
};

void network_text_start(struct network_text *text)
{
    text->there = true;
    text->cut = false;
    text->length = 0;
}

void network_text_add(struct network_text *text, const char *bytes, size_t count)
{
    size_t room = NETWORK_TEXT - text->length;
    text->cut |= count > room;
    count = count < room ? count : room;
    memcpy(text->bytes + text->length, bytes, count);
    text->length += count;
}

bool network_text_is(const struct network_text *text, const char *word)
{
    return text->there && text->length == strlen(word) &&
           memcmp(text->bytes, word, text->length) == 0;
}

const char *network_weight_key(const struct graph *graph)
{
    return graph->options.weight_key ? graph->options.weight_key : "weight";
}

static int short_of(const struct graph *graph, struct apsp_error *error)
{
    return error_set(error, APSP_MEMORY, "%s: no memory for its vertices and edges", graph->path);
}

/* Room for `need` entries; false without memory. */
static bool grow(void **array, size_t *room, size_t need, size_t entry)
{
    size_t request = *room < LEAST ? LEAST : *room;
    while (request < need)
        mem_mul(&request, request, 2);
    void *grown = request > *room ? realloc(*array, mem_bytes(request, entry)) : *array;
    if (!grown)
        return false;
    *array = grown;
    *room = request;
    return true;
}

/* The text as a field, without the blanks around it. APSP_INPUT: it is missing, or long. */
static int take_field(const struct place *place, struct network_text *text, const char *what,
                      struct field *field, struct apsp_error *error)
{
    char message[100];
    if (!text->there || text->cut) {
        snprintf(message, sizeof message,
                 text->cut ? "%s is longer than %d bytes" : "%s is missing", what, NETWORK_TEXT);
        return line_refuse_at(place->graph, place->offset, message, error);
    }
    text->bytes[text->length] = '\n';
    *field = (struct field){text->bytes, text->length};
    return APSP_OK;
}

/* The vertex of that id, whether or not it has been declared. */
static int take_id(const struct place *place, struct graph *graph, struct network_text *id,
                   const char *what, uint32_t *vertex, struct apsp_error *error)
{
    struct network *network = graph->own;
    size_t known = graph->names->count;
    struct field field;
    if (take_field(place, id, what, &field, error) != APSP_OK ||
        fields_take_name(place, graph->names, &field, vertex, error) != APSP_OK)
        return error->code;
    if (!grow((void **)&network->vertex, &network->vertices, graph->names->count,
              sizeof *network->vertex))
        return short_of(graph, error);
    if (graph->names->count > known)
        network->vertex[*vertex] = (struct network_vertex){NO_LABEL, place->offset, false};
    return APSP_OK;
}

/* As a name: not empty, and printed on one line. */
static bool is_name(const struct network_text *label)
{
    bool fit = label->there && !label->cut && label->length > 0;
    for (size_t i = 0; fit && i < label->length; i++)
        fit = label->bytes[i] >= ' ';
    return fit;
}

static int keep_label(struct graph *graph, struct network_vertex *vertex,
                      const struct network_text *label, struct apsp_error *error)
{
    struct network *network = graph->own;
    if (!network->labels || !is_name(label))
        return APSP_OK;
    if (!grow((void **)&network->text, &network->text_room, network->used + label->length + 1, 1))
        return short_of(graph, error);
    vertex->label = network->used;
    memcpy(network->text + network->used, label->bytes, label->length);
    network->text[network->used + label->length] = '\0';
    network->used += label->length + 1;
    return APSP_OK;
}

int network_vertex(struct graph *graph, struct network_item *item, struct apsp_error *error)
{
    const struct place place = {graph, item->offset};
    struct network *network = graph->own;
    uint32_t v;
    if (take_id(&place, graph, &item->id, "the id of a vertex", &v, error) != APSP_OK)
        return error->code;
    struct network_vertex *vertex = &network->vertex[v];
    if (vertex->declared && !network->implied)
        return fields_refuse(&place, "the vertex", &(struct field){item->id.bytes, item->id.length},
                             "is declared twice", error);
    vertex->declared = true;
    return keep_label(graph, vertex, &item->label, error);
}

static int add_edge(struct graph *graph, struct edge edge, struct apsp_error *error)
{
    struct network *network = graph->own;
    if (!grow((void **)&network->edge, &network->room, network->count + 1, sizeof *network->edge))
        return short_of(graph, error);
    network->edge[network->count++] = edge;
    return APSP_OK;
}

static int add_twin(struct graph *graph, size_t e, struct apsp_error *error)
{
    struct edge edge = ((struct network *)graph->own)->edge[e];
    return add_edge(graph, (struct edge){edge.to, edge.from, edge.weight}, error);
}

/* The first edge that is not like the ones before it: if those are undirected, they become two
 * each. */
static int mix(struct graph *graph, struct apsp_error *error)
{
    struct network *network = graph->own;
    size_t count = network->undirected ? network->count : 0;
    network->mixed = true;
    for (size_t e = 0; e < count && !error->code; e++)
        add_twin(graph, e, error);
    return error->code;
}

struct field network_trimmed(struct network_text *text)
{
    struct field field = {text->bytes, text->length};
    while (field.length > 0 && text_is_space(*field.text)) {
        field.text++;
        field.length--;
    }
    while (field.length > 0 && text_is_space(field.text[field.length - 1]))
        field.length--;
    field.text[field.length] = '\n';
    return field;
}

static int take_weight(const struct place *place, struct network *network,
                       struct network_text *text, union value *weight, struct apsp_error *error)
{
    struct field field;
    bool before = network->kind.real;
    *weight = before ? (union value){.real = 1} : (union value){.whole = 1};
    if (!text->there)
        return APSP_OK;
    if (take_field(place, text, "the weight of an edge", &field, error) != APSP_OK)
        return error->code;
    field = network_trimmed(text);
    if (fields_take_weight(place, &field, &network->kind, weight, error) != APSP_OK)
        return error->code;
    network->weighted = true;
    for (size_t e = 0; e < network->count && network->kind.real && !before; e++)
        network->edge[e].weight.real = (double)network->edge[e].weight.whole;
    return APSP_OK;
}

int network_edge(struct graph *graph, struct network_item *item, struct apsp_error *error)
{
    const struct place place = {graph, item->offset};
    struct network *network = graph->own;
    struct edge edge;
    /* The options make all alike. */
    bool alike = graph->options.undirected || graph->options.directed;
    bool undirected = alike ? network->undirected : item->undirected;
    if (take_id(&place, graph, &item->from, "the source of an edge", &edge.from, error) !=
            APSP_OK ||
        take_id(&place, graph, &item->to, "the target of an edge", &edge.to, error) != APSP_OK ||
        take_weight(&place, network, &item->weight, &edge.weight, error) != APSP_OK)
        return error->code;
    if (undirected != network->undirected && !network->mixed && mix(graph, error) != APSP_OK)
        return error->code;
    if (add_edge(graph, edge, error) != APSP_OK || !network->mixed || !undirected)
        return error->code;
    return add_twin(graph, network->count - 1, error);
}

static int check(const struct graph *graph, struct apsp_error *error)
{
    const struct network *network = graph->own;
    if (graph->names->count == 0)
        return error_set(error, APSP_INPUT, "%s: the graph has no vertices", graph->path);
    for (size_t v = 0; v < graph->names->count; v++)
        if (!network->vertex[v].declared && !network->implied) {
            const char *name = names_at(graph->names, v);
            return fields_refuse(&(struct place){graph, network->vertex[v].offset}, "an edge's end",
                                 &(struct field){(unsigned char *)name, strlen(name)},
                                 "is the id of no vertex", error);
        }
    return APSP_OK;
}

/* Numbers that are no weight are told, and a key that none has is refused. */
static int check_weights(struct graph *graph, struct apsp_error *error)
{
    const struct network *network = graph->own;
    char text[ATTRIBUTES_TEXT], shown[FIELD_SHOWN];
    const struct attribute *likely = attributes_tell(&network->attributes, text);
    if (network->weighted || network->count == 0)
        return APSP_OK;
    if (graph->options.weight_key)
        return error_set(error, APSP_INPUT, "%s: %s: no edge has an attribute '%s'%s%s",
                         graph->path, SETTING(WEIGHT_KEY), graph->options.weight_key,
                         likely ? ": numbers are in " : "", text);
    struct field name = {likely ? (unsigned char *)likely->name : NULL,
                         likely ? likely->length : 0};
    if (likely && !graph->options.unweighted)
        graph_warn(graph, "edges have %s, not used: weights are 1; %s %s takes it", text,
                   SETTING(WEIGHT_KEY), fields_show(&name, shown));
    return APSP_OK;
}

/* The vertex has no label of its own, by the attribute that is to give it. */
static int refuse_label(const struct graph *graph, size_t v, struct apsp_error *error)
{
    const struct network *network = graph->own;
    const char *key = graph->options.label_key;
    const bool some = network->used > 0;
    if (!some)
        return error_set(error, APSP_INPUT, "%s: %s: no vertex has a name in \"%s\"", graph->path,
                         SETTING(LABEL_KEY), key);
    return error_set(error, APSP_INPUT, "%s: %s: the \"%s\" of vertex '%.40s' is %s", graph->path,
                     SETTING(LABEL_KEY), key, names_at(graph->names, v),
                     network->vertex[v].label == NO_LABEL ? "missing, or no name of one line"
                                                          : "that of another vertex, too");
}

/* The labels in the place of the ids, if each vertex has one of its own. */
static int take_labels(struct graph *graph, struct apsp_error *error)
{
    const struct network *network = graph->own;
    struct names *labels = names_new();
    uint32_t vertex = 0;
    size_t n = graph->names->count, v = 0;
    if (!labels)
        return short_of(graph, error);
    for (; v < n && network->vertex[v].label != NO_LABEL; v++) {
        const char *label = network->text + network->vertex[v].label;
        if (names_take(labels, label, strlen(label), &vertex, error) != APSP_OK || vertex != v)
            break;
    }
    if (v < n && graph->options.label_key && !error->code)
        refuse_label(graph, v, error);
    if (v < n || error->code) {
        names_free(labels);
        graph->numbering =
            "vertices by id, since not all have a label of their own; numbered as they appear";
        return error->code;
    }
    names_free(graph->names);
    graph->names = labels;
    return APSP_OK;
}

/* The ends of the edges follow vertices that are numbered anew. */
static void renumber(struct network *network, const uint32_t *number)
{
    for (size_t e = 0; number && e < network->count; e++) {
        struct edge *edge = &network->edge[e];
        *edge = (struct edge){number[edge->from], number[edge->to], edge->weight};
    }
}

static int finish(struct graph *graph, struct apsp_error *error)
{
    struct network *network = graph->own;
    uint32_t *number = NULL;
    graph->numbering = "vertices by name, numbered as they appear";
    if (check(graph, error) || check_weights(graph, error) ||
        (network->labels && take_labels(graph, error)))
        return error->code;
    if (numbering_settle(graph, &number, error) == APSP_OK)
        renumber(network, number);
    mem_free(number);
    if (error->code)
        return error->code;
    graph->m = graph->records = network->count;
    graph->real = network->kind.real;
    graph->rough = network->kind.rough;
    graph->undirected = network->undirected && !network->mixed;
    graph->once = true;
    numbering_drop(graph);
    return APSP_OK;
}

int network_open(struct graph *graph, network_read read, struct apsp_error *error)
{
    graph->own = calloc(1, sizeof(struct network));
    graph->names = names_new();
    if (!graph->own || !graph->names)
        return short_of(graph, error);
    return read(graph, error) == APSP_OK ? finish(graph, error) : error->code;
}

void network_close(struct graph *graph)
{
    struct network *network = graph->own;
    if (network) {
        free(network->edge);
        free(network->vertex);
        free(network->text);
    }
    free(network);
    graph->own = NULL;
}

int network_next(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                 struct apsp_error *error)
{
    const struct network *network = part->graph->own;
    size_t left = range_length(part->left);
    (void)error;
    *count = left < room ? left : room;
    if (*count > 0)
        memcpy(edges, network->edge + part->left.lo, *count * sizeof *edges);
    part->left.lo += *count;
    part->records += *count;
    return APSP_OK;
}
