/* Attributes of edges beside their weight: which of them are numbers, for report and messages. */
#ifndef ATTRIBUTES_H
#define ATTRIBUTES_H

#include "graph/fields.h"

enum { ATTRIBUTES_MAX = 16, ATTRIBUTE_NAME = 40, ATTRIBUTES_TEXT = GRAPH_ABOUT / 2 };

struct attributes { /* the first ones, in the order of the file */
    int count;
    struct attribute {
        size_t length;
        unsigned char name[ATTRIBUTE_NAME + 1];
        bool number; /* the first value that was seen is one */
    } of[ATTRIBUTES_MAX];
};

/* Whether the value of such an attribute is still wanted: it has a name of its own that is new. */
bool attributes_want(const struct attributes *attributes, const unsigned char *name, size_t length);
/* Adds an attribute that is wanted, by its first value, behind which there is room for a byte. */
void attributes_add(struct attributes *attributes, const unsigned char *name, size_t length,
                    struct field value);

/* The names of those that are numbers, in quotes, to `text`, as many as fit; returns the one that
 * is likely to be a weight, or NULL without any. */
const struct attribute *attributes_tell(const struct attributes *attributes,
                                        char text[ATTRIBUTES_TEXT]);

#endif
