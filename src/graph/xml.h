/* Networks in XML, read by expat, which is loaded when it is needed: for their sources alone. */
#ifndef XML_H
#define XML_H

#include "graph/network.h"

struct xml;

/* The actions of a format. Numbers of elements are its own; 0 is outside of all. */
struct xml_format {
    /* The number of the element of that name, which is in xml_outer(). */
    int (*start)(struct xml *xml, const char *name, const char *const *attributes);
    void (*text)(struct xml *xml, int element, const char *text, size_t length);
    void (*end)(struct xml *xml, int element);
};

/* The beginning of a format's reader. */
struct xml {
    struct graph *graph;
    struct apsp_error *error;
    const struct xml_format *format;
    void *parser;
    int within[NETWORK_DEPTH]; /* the elements that the reader is in */
    int depth;
    unsigned char buffer[NETWORK_READ];
};

/* Loads expat to read `what`, such as "a GraphML file", at that path. APSP_IO if it is missing. */
int xml_load(const char *path, const char *what, struct apsp_error *error);

/* Reads all of the graph's file into a zeroed reader, after xml_load; the rest of the graph is for
 * `format`. Returns the refusals of `format`; APSP_INPUT: it is no XML, or takes too much memory;
 * APSP_IO, APSP_MEMORY. */
int xml_read(struct xml *xml, struct graph *graph, const struct xml_format *format,
             struct apsp_error *error);

/* Within xml_read: APSP_INPUT with the line that is read. The first one counts. */
void xml_refuse(struct xml *xml, const char *what);
size_t xml_offset(const struct xml *xml); /* where the reader is */
static inline int xml_outer(const struct xml *xml)
{
    return xml->within[xml->depth];
}

/* The value of an attribute, or NULL; and a text that has it. */
const char *xml_attribute(const char *const *attributes, const char *name);
void xml_set_text(struct network_text *text, const char *value);

/* Loads expat, and opens the network that `read` reads. Errors of xml_load and of `read`. */
int xml_open(struct graph *graph, const char *what,
             int (*read)(struct graph *graph, struct apsp_error *error), struct apsp_error *error);

/* Whether the beginning is XML, and `root` is within the look. */
enum graph_guess xml_guess(const struct graph_look *look, const char *root);

#endif
