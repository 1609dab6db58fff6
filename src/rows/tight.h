/*
 * The contribution of one source to the betweenness, from its row of distances: work space of one
 * thread. Rows are of any type but f32, and lengths of any kind (betweenness.h).
 */
#ifndef TIGHT_H
#define TIGHT_H

#include "base/fixed.h"
#include "base/setting.h"
#include "proof/certify.h"
#include "rows/arcs.h"

/* The subject of all rows. */
struct tight_task {
    const struct arcs *arcs;
    enum setting setting; /* Its name stands in messages. */
    struct labels labels;
    enum dtype dtype;            /* Type of rows. */
    enum dtype measure;          /* Type of lengths. */
    const unsigned char *target; /* For each vertex, whether paths may end there; NULL: all. */
    bool limited;                /* Paths are no longer than */
    union value within;          /* this, floating point in rows of such a type. */
    bool ends;                   /* The ends of a path count as if they were on the way. */
    bool edges;                  /* Arcs have sums, too. */
    bool load;                   /* Load, in place of betweenness. */
    double path;                 /* A path counts so much; 0: its share of those of its pair. */
    struct fixed fixed;
};

/* A vertex while a row is in hand. */
struct node {
    double part; /* of C; on the way back (wanted + dependency) / C without its scale */
    int32_t scale;
    uint32_t waiting; /* tails of tight edges that were not there yet */
};

struct tight {
    struct fixed_sum *sum; /* sums of each vertex over all rows so far */
    struct fixed_sum *arc; /* the same of each arc; NULL: not wanted */
    size_t *first;         /* n + 1: the tight edges out of u are at [first[u], first[u + 1]) */
    uint32_t *next;        /* heads of the tight edges */
    size_t *id;            /* arcs of the tight edges, if arcs have sums */
    uint32_t *order;       /* topological, of the vertices that are reached */
    unsigned char *wanted; /* whether paths of this row may end there */
    struct node *node;
    int32_t *wide; /* a row of u16 as i32 */
    double *limit; /* of a floating-point row: a longer path is no shortest one, but for rounding */
    double *distance; /* sums made again */
    double *step;     /* scaled lengths of the edges in `next` */
};

/* The type of lengths for rows of a type. */
enum dtype tight_measure(enum dtype dtype);

/* The task of all paths, and its arcs. APSP_USAGE: rows are f32, too coarse to tell lengths apart;
 * APSP_INPUT: a weight is not above 0; APSP_MEMORY. */
int tight_task_make(struct tight_task *task, struct arcs *arcs,
                    const struct certificate *certificate, enum dtype dtype, enum setting setting,
                    struct apsp_error *error);

size_t tight_need(size_t n, size_t m, enum dtype dtype, bool edges);

/* APSP_MEMORY; *tight is then NULL. */
int tight_open(struct tight **tight, const struct tight_task *task, struct apsp_error *error);
void tight_free(struct tight *tight); /* NULL is allowed */

/* Adds what s adds. APSP_REFUTED, APSP_INPUT as betweenness_take. */
int tight_take(const struct tight_task *task, struct tight *tight, size_t s, const void *row,
               struct apsp_error *error);

/* Where numbers of paths go. */
struct tight_counts {
    const uint32_t *column; /* The vertices to which paths lead; NULL: all. */
    size_t columns;
    double *value; /* The number of each column; 0: no path. */
};

/* Counts the shortest paths from s, exactly up to 2^53. APSP_REFUTED, APSP_INPUT as
 * betweenness_take; APSP_INPUT: 2^1024 of them or more lead to a column. */
int tight_count(const struct tight_task *task, struct tight *tight, size_t s, const void *row,
                const struct tight_counts *counts, struct apsp_error *error);

#endif
