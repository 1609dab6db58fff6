/*
 * Node-link JSON, as of networkx and D3: an object with an array "nodes" of objects with an "id"
 * each, and an array "links" or "edges" of objects with "source" and "target". "directed" says in
 * which direction edges lead; without it they lead both ways. The weight is the member of
 * the weight key. Where no node has an id, ends of edges are places in "nodes", from 0.
 */
#include "base/late.h"
#include "base/text.h"
#include "graph/network.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MOST = 1 << 30 };

/* Integers up to there are exact as doubles. */
static const double whole_most = 9007199254740992.0;

static struct {
    __typeof__(cJSON_ParseWithLength) *parse;
    __typeof__(cJSON_Delete) *free;
    __typeof__(cJSON_GetObjectItemCaseSensitive) *member;
} cjson;

static const char *const symbols[] = {"cJSON_ParseWithLength", "cJSON_Delete",
                                      "cJSON_GetObjectItemCaseSensitive", NULL};
static const struct late late = {"libcjson.so.1", "libcjson1", "libcjson-dev", symbols, &cjson};

static int refuse(const struct graph *graph, const char *array, size_t place, const char *what,
                  struct apsp_error *error)
{
    return error_set(error, APSP_INPUT, "%s: %s[%zu]: %s", graph->path, array, place, what);
}

static bool is_text(const cJSON *item)
{
    return item && (item->type & 0xff) == cJSON_String;
}

static bool is_number(const cJSON *item)
{
    return item && (item->type & 0xff) == cJSON_Number;
}

/* A text or a number; false if it is neither, or an integer that is not exact. */
static bool take_text(struct network_text *text, const cJSON *item)
{
    char number[TEXT_NUMBER];
    network_text_start(text);
    if (is_text(item)) {
        network_text_add(text, item->valuestring, strlen(item->valuestring));
        return true;
    }
    text->there = is_number(item) && fabs(item->valuedouble) <= whole_most;
    if (text->there && item->valuedouble == floor(item->valuedouble))
        snprintf(number, sizeof number, "%.0f", item->valuedouble);
    else if (text->there)
        text_real(number, item->valuedouble);
    else
        return false;
    network_text_add(text, number, strlen(number));
    return true;
}

/* What is wrong with an id. */
static const char bad_id[] = "is to be a text, or a number of at most 2^53";

/* An array that must be there; NULL with an error. */
static const cJSON *find_array(const struct graph *graph, const cJSON *whole, const char *name,
                               const char *other, struct apsp_error *error)
{
    const cJSON *array = cjson.member(whole, name);
    if (!array && other)
        array = cjson.member(whole, other);
    if (array && (array->type & 0xff) == cJSON_Array)
        return array;
    error_set(error, APSP_INPUT,
              "%s: there is no array \"%s\"%s%s%s of node-link JSON, as node_link_data of networkx "
              "makes it",
              graph->path, name, other ? " or \"" : "", other ? other : "", other ? "\"" : "");
    return NULL;
}

static int read_nodes(struct graph *graph, const cJSON *nodes, struct network_item *item,
                      struct apsp_error *error)
{
    const char *const key = graph->options.label_key, *const labels[] = {key ? key : "label",
                                                                         key ? key : "name"};
    bool by_place = false;
    size_t place = 0;
    for (const cJSON *node = nodes->child; node && !error->code; node = node->next, place++) {
        const cJSON *id = cjson.member(node, "id"), *label = NULL;
        char number[TEXT_NUMBER];
        by_place |= place == 0 && !id;
        ((struct network *)graph->own)->labels = by_place || key;
        for (size_t i = 0; (by_place || key) && !label && i < sizeof labels / sizeof *labels; i++)
            label = cjson.member(node, labels[i]);
        if (by_place) {
            network_text_start(&item->id);
            network_text_add(&item->id, number,
                             (size_t)snprintf(number, sizeof number, "%zu", place));
        } else if (!take_text(&item->id, id)) {
            return refuse(graph, "nodes", place, bad_id, error);
        }
        item->label.there = false;
        if (is_text(label))
            take_text(&item->label, label);
        network_vertex(graph, item, error);
    }
    return error->code;
}

/* Members of an edge that are numbers, for messages. */
static void note_attributes(struct graph *graph, const cJSON *edge)
{
    struct network *network = graph->own;
    static const char *const own[] = {"source", "target", "key", "id"};
    for (const cJSON *member = edge->child; member; member = member->next) {
        const unsigned char *name = (const unsigned char *)member->string;
        const size_t length = strlen(member->string);
        struct network_text value;
        bool end = false;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            end |= strcmp(member->string, own[i]) == 0;
        if (!end && is_number(member) && attributes_want(&network->attributes, name, length) &&
            take_text(&value, member))
            attributes_add(&network->attributes, name, length, network_trimmed(&value));
    }
}

static int read_edges(struct graph *graph, const cJSON *edges, struct network_item *item,
                      struct apsp_error *error)
{
    size_t place = 0;
    for (const cJSON *edge = edges->child; edge && !error->code; edge = edge->next, place++) {
        const cJSON *weight = cjson.member(edge, network_weight_key(graph));
        if (!take_text(&item->from, cjson.member(edge, "source")) ||
            !take_text(&item->to, cjson.member(edge, "target")))
            return refuse(graph, edges->string, place, bad_id, error);
        item->weight.there = false;
        if (weight && !take_text(&item->weight, weight))
            return refuse(graph, edges->string, place, "its weight is not a number", error);
        if (!weight)
            note_attributes(graph, edge);
        network_edge(graph, item, error);
    }
    return error->code;
}

static int read_whole(struct graph *graph, const cJSON *whole, struct apsp_error *error)
{
    struct network *network = graph->own;
    struct network_item *item = calloc(1, sizeof *item);
    const cJSON *nodes = find_array(graph, whole, "nodes", NULL, error),
                *edges = nodes ? find_array(graph, whole, "links", "edges", error) : NULL,
                *directed = cjson.member(whole, "directed");
    if (!item)
        error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    if (!error->code) {
        network->undirected = item->undirected =
            !(directed && (directed->type & 0xff) == cJSON_True);
        if (read_nodes(graph, nodes, item, error) == APSP_OK)
            read_edges(graph, edges, item, error);
    }
    free(item);
    return error->code;
}

static int read_all(struct graph *graph, struct apsp_error *error)
{
    const size_t bytes = graph->file.bytes;
    if (bytes > BYTES_MOST)
        return error_set(error, APSP_INPUT, "%s: JSON of more than %d bytes", graph->path,
                         BYTES_MOST);
    char *text = malloc(bytes + 1);
    cJSON *whole = NULL;
    if (!text)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    if (file_read(&graph->file, 0, text, bytes, error) == APSP_OK) {
        text[bytes] = '\0';
        const size_t mark = text_mark(text, bytes);
        whole = cjson.parse(text + mark, bytes - mark);
        if (!whole)
            error_set(error, APSP_INPUT, "%s: is not valid JSON", graph->path);
        else
            read_whole(graph, whole, error);
    }
    cjson.free(whole);
    free(text);
    return error->code;
}

static int json_open(struct graph *graph, struct apsp_error *error)
{
    if (late_load(&late, graph->path, "a JSON file", error) != APSP_OK)
        return error->code;
    return network_open(graph, read_all, error);
}

/* An object that has nodes, or what stands before them. */
static enum graph_guess json_guess(const struct graph_look *look)
{
    static const char *const members[] = {"\"nodes\"", "\"links\"", "\"edges\""};
    const unsigned char *line = graph_look_line(look, "");
    const size_t rest = line ? look->have - (size_t)(line - look->text) : 0;
    for (size_t i = 0; line && *line == '{' && i < sizeof members / sizeof *members; i++)
        if (memmem(line, rest, members[i], strlen(members[i])))
            return GUESS_SURE;
    return GUESS_NO;
}

const struct graph_source graph_json = {.name = "json",
                                        .about =
                                            "node-link JSON, as of networkx and D3; read by cJSON",
                                        .suffix = ".json",
                                        .guess = json_guess,
                                        .options = GRAPH_WEIGHT_KEY | GRAPH_LABEL_KEY,
                                        .open = json_open,
                                        .close = network_close,
                                        .next = network_next};
