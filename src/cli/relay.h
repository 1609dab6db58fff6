/* What a launcher and its ranks say on stderr: the lines of ranks pass, and what the launcher says
 * in blocks between two lines of dashes, as Open MPI's does, is kept. */
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
    char last;        /* byte that has passed; 0: none */
    bool shows;     /* since the last line ended something has passed that blanks have not erased */
    char begin[16]; /* of a line that may be one of this program */
    size_t undecided;
    size_t dashes; /* at the end of what has come, which may be a line of them, also behind a line
                      that a rank has not ended */
    enum { RELAY_BEGIN, RELAY_PASS, RELAY_KEEP } state; /* of the line */
    int rules;                                          /* lines of dashes so far */
};

void relay_take(struct relay *relay, const char *data, size_t bytes);
void relay_end(struct relay *relay); /* what is undecided passes */
/* Whether what has passed ends within a line, be it at its beginning, as behind a bar of progress.
 */
bool relay_is_open(const struct relay *relay);

#endif
