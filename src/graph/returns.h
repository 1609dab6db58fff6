/* Whether edges lead back, as those of an undirected graph do that has each in both directions:
 * told by a sample of the pairs of vertices, all of them in a small graph. */
#ifndef RETURNS_H
#define RETURNS_H

#include "graph/fields.h"

enum { RETURNS_SLOTS = 1 << 13 };

struct returns {
    uint64_t mask; /* A pair belongs to the sample if these bits of its key are 0. */
    size_t pairs;  /* of the sample */
    bool found;    /* An edge of the sample leads back. */
    struct returns_slot {
        uint64_t key; /* 0: it is empty */
        bool up;      /* the direction of the pair's edge */
    } slot[RETURNS_SLOTS];
};

/* Adds an edge to a zeroed struct, by what its ends are called. */
void returns_add(struct returns *returns, const struct field end[2]);

/* True if the edges seem to lead one way: there are several pairs, and none has an edge back. */
bool returns_lack(const struct returns *returns);

/* Asks for the direction in a note of the graph if they lack edges back, unless its options say it.
 */
void returns_note(const struct returns *returns, struct graph *graph);

#endif
