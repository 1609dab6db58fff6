/* What a launcher and its ranks say on stderr: the lines of ranks pass, and what the launcher says in blocks
 * between two lines of dashes, as Open MPI's does, is kept. */
#ifndef RELAY_H
#define RELAY_H

#include <stdbool.h>
#include <stddef.h>

struct relay {
    int to;    /* a descriptor; one that takes nothing any more is an end of passing alone */
    bool said; /* a line of this program has passed */
    char passing[4096];
    size_t passed;    /* bytes there */
    char words[1024]; /* of the blocks, one line */
    size_t length;    /* of the words */
    char begin[128];  /* of a line that may be a line of dashes, or of this program */
    size_t undecided;
    enum { RELAY_BEGIN, RELAY_PASS, RELAY_KEEP } state; /* of the line */
    int rules;                                          /* lines of dashes so far */
};

void relay_take(struct relay *relay, const char *data, size_t bytes);
void relay_end(struct relay *relay); /* what is undecided passes */

#endif
