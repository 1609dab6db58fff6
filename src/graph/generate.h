/*
 * Generated graphs, the same on every machine for the same plan. A generator is read like a file:
 * it gives edges until there are none. It holds no more than a few edges at a time.
 */
#ifndef GENERATE_H
#define GENERATE_H

#include "graph/graph.h"

#define GENERATE_BY_DEGREE SIZE_MAX

struct generate_plan {
    const char *family; /* a name of generate_families() */
    size_t n;           /* vertices, 1 .. 2^31 - 1 */
    size_t m;           /* edges; GENERATE_BY_DEGREE: n * degree */
    size_t degree;      /* edges for each vertex; 0: 8 */
    uint64_t seed;
    int decimals; /* 0 .. 9: all weights here and in the edges count multiples of 10^-decimals */
    int64_t low, high; /* weights: -2^31 < low <= w <= high < 2^31 */
    /* Every vertex has a random height of 0 .. potential. Each weight gets that of its edge's tail
     * added and that of the head taken off, which makes no negative cycle if low >= 0. high +
     * potential < 2^31. */
    int64_t potential;
};

struct generator;

/*
 * Starts a graph. APSP_USAGE: no such family, m or degree given where the family fixes the number
 * of edges, or not possible. On failure *generator is NULL.
 */
int generate_open(struct generator **generator, const struct generate_plan *plan,
                  struct apsp_error *error);
size_t generate_total(const struct generator *generator); /* number of all edges */
/* Fills edges[0..room) with the next ones. Returns how many; 0 at the end. */
size_t generate_next(struct generator *generator, struct edge *edges, size_t room);
void generate_free(struct generator *generator);

/* One line for each family, for help: its name and what it is. NULL beyond the last. */
const char *generate_family_names(void); /* all, comma-separated */
const char *generate_family_name(int index);
const char *generate_family_about(int index);

/*
 * Writes the graph to `path`, as .gr, .mtx or as edges32 by the suffix; only .mtx takes decimals
 * and negative weights. The file appears whole or
 * not at all. APSP_USAGE: it exists and force is false, or the format cannot hold the graph.
 * APSP_IO, APSP_MEMORY.
 */
int generate_file(const struct generate_plan *plan, const char *path, bool force,
                  struct apsp_error *error);

#endif
