/*
 * Skims: sums of further attributes of the edges along a shortest path. Among equally short paths,
 * the one with the least sum of the first attribute counts, then that with the least of the second,
 * and so on. So the sums are unique, while the path need not be.
 */
#ifndef SKIM_H
#define SKIM_H

#include "graph/csr.h"
#include "rows/block.h"
#include "rows/sources.h"

enum { SKIMS_MAX = 16, SKIM_NAME = 64 };

struct skims {
    size_t count;
    char name[SKIMS_MAX][SKIM_NAME];
    struct scale scale[SKIMS_MAX]; /* Sums are the attribute's times this. */
    struct csr csr[SKIMS_MAX];     /* The edges with an attribute; none: it is 1 of each edge. */
};

/*
 * Reads the attributes of `words`, with commas between: NAME, a column or an attribute of the
 * graph's own file; NAME=FILE, the weights of another one with the same edges; and `edges`. All
 * ranks have them. Collective; ends in agreement. APSP_USAGE: words; APSP_INPUT: other edges, a
 * value below 0, or one of too many digits; and what reading may give. Free in any case.
 */
int skims_read(struct skims *skims, const char *words, const struct graph *graph, struct comm *comm,
               int threads, struct apsp_error *error);
/* Adds the weights of an open graph, whose counts an edge scan changes; NULL: 1 of each edge. There
 * must be room. Collective. */
int skims_add(struct skims *skims, const char *name, struct graph *graph, struct comm *comm,
              int threads, struct apsp_error *error);
void skims_free(struct skims *skims);

/*
 * Edges with which rows of integers are followed back: those of a smaller graph with the same
 * shortest paths between some vertices. Its vertices have numbers of their own, so that neighbours
 * are close in memory.
 */
struct skim_arcs {
    size_t n;
    uint32_t *number, *vertex; /* The number of each vertex of the graph, and back. */
    size_t *start;             /* Edges to v are those from start[v] to before start[v + 1]. */
    struct skim_arc {
        int64_t weight;
        uint32_t from;
    } * arc;
    int64_t *value;    /* The attributes of an edge lie side by side. */
    size_t *out_start; /* Edges from v, likewise. */
    struct skim_out {
        size_t arc;
        uint32_t to;
    } * out;
};
size_t skim_arcs_need(size_t n, size_t m, size_t count);
/* For paths from vertices of a list to those of another; NULL, or an empty one: all. APSP_USAGE:
 * weights are real; APSP_INPUT: the skims are those of other edges; APSP_MEMORY. Free in any case.
 */
int skim_arcs_make(struct skim_arcs *arcs, const struct csr *edges, const struct skims *skims,
                   const struct sources *from, const struct sources *to, struct apsp_error *error);
void skim_arcs_free(struct skim_arcs *arcs); /* A zeroed one is allowed. */

/* Work space of one thread. */
struct skim;
size_t skim_need(size_t n, size_t count);
struct skim *skim_new(size_t n, size_t count); /* NULL without memory. */
void skim_free(struct skim *skim);             /* NULL is allowed. */
/* Begins a row of distances from `source`. They are integers, of any type. */
void skim_row(struct skim *skim, const struct skim_arcs *arcs, size_t source, enum dtype dtype,
              const void *row);
bool skim_reaches(const struct skim *skim, const struct skim_arcs *arcs, uint32_t vertex);
/* The sums along the path to a vertex at a finite distance; valid until the next call. NULL: the
 * distances are wrong. */
const int64_t *skim_to(struct skim *skim, const struct skim_arcs *arcs, uint32_t vertex);

#endif
