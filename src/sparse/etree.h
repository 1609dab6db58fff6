/*
 * The elimination tree of a pattern in an order, by vertices. All numbers here are those of the
 * order: vertex number i is its vertex[i].
 *
 * The order is cut into chunks, for several threads. Nested dissection puts the vertices of a
 * subtree side by side, so that most subtrees lie within a chunk. The top are the other vertices:
 * those with a vertex of another chunk below them or as their parent. It has all ancestors of its
 * vertices. The chunks depend on the order alone, not on the threads, and so does what is made by
 * sweeps. An order of another kind is one chunk, without a top.
 */
#ifndef ETREE_H
#define ETREE_H

#include "sparse/pattern.h"

#include <stdbool.h>

#define NO_PARENT UINT32_MAX
enum { ETREE_PARTS = 129 }; /* chunks and the top, at most */

struct etree {
    size_t n;
    int threads;
    uint32_t *parent; /* parent[i] > i, or NO_PARENT for a root */
    uint32_t *count;  /* The later neighbours of i when it is eliminated. */
    size_t chunk;     /* vertices of a chunk */
    size_t chunks;
    bool *is_top;
    uint32_t *top; /* ascending */
    size_t tops;
};

/* An order, and rank[v], the number of vertex v of the pattern. Its chunks have at least so many
 * vertices. */
struct etree_order {
    const struct pattern *pattern;
    const uint32_t *vertex, *rank;
    size_t least;
};

/* Bytes of a tree at most, and of the pairs of vertices beside it while it is made: 16 a vertex,
 * and 256 KiB. */
size_t etree_bytes(size_t n);
size_t etree_pairs_need(size_t n);

/* The array scratch has room for 2 n. APSP_MEMORY. Free in any case. */
int etree_make(struct etree *etree, const struct etree_order *order, uint32_t *scratch, int threads,
               struct apsp_error *error);
void etree_free(struct etree *etree);

/* A chunk without its vertices of the top, or the top. */
struct etree_part {
    size_t number;
    uint32_t lo, hi;
    const uint32_t *list; /* The top; NULL for a chunk. */
    const bool *skip;
};

/* Entry x of a part, lo <= x < hi: a vertex, or NO_PARENT for none. */
static inline uint32_t etree_at(const struct etree_part *part, uint32_t x)
{
    if (part->list)
        return part->list[x];
    return part->skip[x] ? NO_PARENT : x;
}

typedef void etree_visit(void *self, const struct etree_part *part);

/*
 * Visits all vertices. Upwards, a part is to go from lo to hi, and children come before their
 * parents; downwards, from hi to lo, and after them. A visit may write what belongs to its vertices
 * and, upwards, to their parents; downwards, to those below them. Upwards, a chunk may begin by
 * writing to all its vertices, from lo to hi, those of the top too.
 */
void etree_up(const struct etree *etree, etree_visit *visit, void *self);
void etree_down(const struct etree *etree, etree_visit *visit, void *self);

#endif
