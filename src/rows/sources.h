/* The vertices whose rows a run is for: all, or those of a list. */
#ifndef SOURCES_H
#define SOURCES_H

#include "comm/comm.h"
#include "graph/graph.h"

struct sources {      /* zeroed: all */
    size_t count;     /* 0: all */
    uint32_t *vertex; /* in the order in which rows are given out */
    uint32_t *place;  /* of each vertex in that order, from 1; 0, in memory that is not touched: it
                         is none */
    size_t *sorted;   /* ascending */
    bool random;      /* The vertices are a sample of all. */
    bool file;        /* the vertices come from a file */
};

/*
 * Reads `text`: vertices by their numbers in the file and ranges of them, "4,7,100-199", or the
 * path of a file with such numbers between blanks, commas or line ends. If the numbers have gaps, a
 * range contains the existing ones. For a graph with other names: names with commas between them
 * or, if the text does not begin with a name, the path of a file with one name a line. NULL: all.
 * A name with commas stands in quotes in a list, or is the whole text. Messages begin with
 * `option`, or with the path and the line. Collective; ends in agreement. APSP_USAGE, APSP_INPUT:
 * not a vertex, or one twice; APSP_IO, APSP_MEMORY. Free in any case.
 */
int sources_read(struct sources *sources, const char *option, const char *text,
                 const struct graph *graph, struct comm *comm, struct apsp_error *error);
/* The `count` vertices of a list, none twice, of a graph of n; NULL: all. Local. APSP_USAGE, with a
 * text that begins with `name`, APSP_MEMORY. Free in any case. */
int sources_take(struct sources *sources, const uint32_t *list, size_t count, size_t n,
                 const char *name, struct apsp_error *error);
/* Whether the text, or NULL, is "random:K". */
bool sources_are_random(const char *text);
/* A sample of K of all vertices, the same for the same seed. Collective; ends in agreement.
 * APSP_USAGE, APSP_MEMORY. Free in any case. */
int sources_choose(struct sources *sources, const char *text, uint64_t seed,
                   const struct graph *graph, struct comm *comm, struct apsp_error *error);
void sources_free(struct sources *sources);

#endif
