/*
 * The common part of sources whose files describe vertices and edges with attributes, in any order.
 * Such a file is read once, when it is opened, and its edges stay in memory, 16 bytes each.
 */
#ifndef NETWORK_H
#define NETWORK_H

#include "graph/attributes.h"
#include "graph/fields.h"
#include "graph/source_file.h"

enum {
    NETWORK_TEXT = 4096,            /* bytes of an id, a label, or a weight */
    NETWORK_DEPTH = 100,            /* elements within one another */
    NETWORK_READ = FILE_BUFFER / 16 /* bytes that are read at once */
};

struct network_text {
    bool there, cut; /* longer than NETWORK_TEXT */
    size_t length;
    unsigned char bytes[NETWORK_TEXT + 1];
};

void network_text_start(struct network_text *text); /* empty, and there */
void network_text_add(struct network_text *text, const char *bytes, size_t count);
/* Without the white space around it; a line feed follows it. */
struct field network_trimmed(struct network_text *text);
bool network_text_is(const struct network_text *text, const char *word);

/* A vertex (id, label) or an edge (from, to, weight) as it is read. */
struct network_item {
    size_t offset; /* in the file */
    bool undirected;
    struct network_text id, label, from, to, weight;
};

/* graph->own; of the functions below alone, but for what is said here. */
struct network {
    bool labels; /* set by `read`: vertices are called by their labels, if all have one of their own
                  */
    bool undirected; /* set before the first edge, or after the last one if all edges are alike */
    bool mixed;      /* there are edges of the other kind: undirected ones are two */
    bool implied;    /* ends of edges are vertices: none has to be declared; set by `read` */
    struct weight_kind kind;
    bool weighted;
    struct attributes attributes; /* of edges, but the weight; `read` adds them */
    struct edge *edge;
    size_t count, room;
    struct network_vertex *vertex; /* what is known of those in graph->names */
    size_t vertices;
    char *text; /* of the labels, 0 after each */
    size_t used, text_room;
};

typedef int (*network_read)(struct graph *graph, struct apsp_error *error);

/* The row of the table: its open function names what reads the file, which calls network_vertex and
 * network_edge. Vertices that are in no network_vertex are refused. */
int network_open(struct graph *graph, network_read read, struct apsp_error *error);
void network_close(struct graph *graph);
int network_next(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                 struct apsp_error *error);

int network_vertex(struct graph *graph, struct network_item *item, struct apsp_error *error);
int network_edge(struct graph *graph, struct network_item *item, struct apsp_error *error);

/* The attribute of edges that is their weight. */
const char *network_weight_key(const struct graph *graph);

#endif
