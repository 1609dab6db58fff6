/*
 * The kernels of breadth-first searches from many sources at once. A vertex has a row of bits, one
 * for each source. One body (bits_body.h) is compiled for every instruction set and width of a row.
 * They run in the calling thread.
 *
 * One level pulls: a vertex that still misses sources takes them from the rows of its in-neighbours
 * that got some in the level before, until it misses none (M. Then et al., The more the merrier,
 * VLDB 2014; S. Beamer et al., Direction-optimizing breadth-first search, SC 2012).
 */
#ifndef BITS_H
#define BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BITS_LEAST = 512, BITS_MOST = 4096, BITS_PLANES = 33, BITS_LINE = 512 };

/* Words of a set of so many. */
static inline size_t bits_words(size_t n)
{
    return (n + 63) / 64;
}

/* Rows are `width` bits each and begin on 64-byte boundaries, number v is that of vertex v. A set
 * of vertices is a word for every 64 of them. */
struct bits_level {
    const size_t
        *start; /* The in-neighbours of v are from[start[v]] to before from[start[v + 1]]. */
    const uint32_t *from;
    const uint64_t *front;  /* The bits that a vertex got in the level before, and */
    const uint64_t *active; /* the set of vertices that got some: rows of others have no meaning. */
    uint64_t *next;         /* The bits that a vertex gets in this level, and */
    uint64_t *now;          /* the set of those that get some. */
    uint64_t *missing;      /* The bits that a vertex has not got. */
    const uint64_t *live;   /* One row: the bits that some vertex got in the level before. No vertex
                               will get others, so one that misses none of these is done. */
    uint32_t *open;         /* The vertices that miss some, ascending; rewritten from the start. */
    size_t kept;            /* Vertices of open[] that still miss some. */
    uint32_t *found;        /* The vertices that get some, in the order of open[]. */
    size_t count;           /* Vertices of found[]. */
};

/* Counters of bits, one for each place of a row: plane p has their digits of weight 2^p. */
struct bits_counter {
    uint64_t *plane; /* BITS_PLANES rows */
    int used;        /* Planes above are zero. */
};

struct bits_kernels {
    const char *name; /* of the instruction set: a value of APSP_ISA */
    size_t width;
    /* Takes the vertices at open[first] to before open[last]; the first are there already. */
    void (*pull)(struct bits_level *level, size_t first, size_t last);
    /* Adds the rows of so many vertices. The sum of all calls is below 2^BITS_PLANES. */
    void (*count)(struct bits_counter *counter, const uint64_t *rows, const uint32_t *vertex,
                  size_t count);
    /* Squares of bits are transposed: bit c % 64 of word c / 64 of line r becomes bit r of the
     * given word of the row of vertex[c], for `count` vertices, at most BITS_LINE. Other bits have
     * no meaning. */
    void (*turn)(uint64_t to[64][BITS_LINE / 64], const uint64_t *rows, size_t word,
                 const uint32_t *vertex, size_t count);
    /* The number of bits of a row. */
    size_t (*ones)(const uint64_t *row);
};

/* The kernels of the widest instruction set that this processor runs and APSP_ISA allows, for rows
 * of so many bits: 512, 1024, 2048 or 4096. */
const struct bits_kernels *bits_choose(size_t width);

#endif
