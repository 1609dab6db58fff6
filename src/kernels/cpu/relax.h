/*
 * The min-plus kernels of the CPU: phase 1 and C = min(C, A (x) B) on packed panels. One body
 * (relax_body.h) is compiled for every instruction set and type; a row of the table is one such
 * instance. They run in the calling thread.
 *
 * A panel holds the operand A (rows x depth) in blocks of `mr` rows, each stored depth-major:
 * element (i, k) of a block is at k * mr + i. A panel holds the operand B (depth x columns) in
 * blocks of `nr` columns: element (k, j) of a block is at k * nr + j. Missing rows and columns of a
 * last block are infinite.
 */
#ifndef RELAX_H
#define RELAX_H

#include "base/algebra.h"
#include "base/range.h"
#include "base/value.h"

#include <stdalign.h>

/* C, A and B of one product. Steps are elements from block to block, ldc from row to row of C. */
struct relax_product {
    void *c;
    const void *a, *b;
    size_t ldc, a_step, b_step, depth;
};

/* The words of C that a product has read and written, lane by lane (kernels/sums.h). Starts zeroed.
 */
enum { RELAX_SUMS = 16 };
struct relax_sums {
    alignas(64) uint32_t read[RELAX_SUMS], wrote[RELAX_SUMS];
};

/*
 * The same for operands B and C whose rows have nr adjacent values and lie anywhere. Row i of C is
 * number c_row[i] of the rows at c. Row k of B is number b_row[k] of the rows at b. B and C have no
 * row in common. A lies in blocks of relax_rows_height() rows, each depth-major, one after the
 * other without gaps.
 */
struct relax_rows {
    void *c;
    const void *a, *b;
    const uint32_t *c_row, *b_row;
    size_t rows, depth;
    bool fresh; /* C is infinite before, whatever is there */
};

/* Rows of the next block when so many are left: blocks of nearly the same height. */
static inline size_t relax_rows_height(size_t left, size_t mr)
{
    if (left <= mr)
        return left;
    size_t blocks = (left + mr - 1) / mr;
    return (left + blocks - 1) / blocks;
}

/*
 * The sum, the largest and the number of finite values that have the same place in many rows:
 * integers or reals by the type. A whole sum is right if count * most fits. Starts zeroed.
 */
enum { RELAX_ROW = 64 }; /* nr, at most */
struct relax_counts {
    alignas(64) unsigned char lanes[4][128]; /* of rows not yet folded in */
    size_t rows, near,
        whole; /* of these; of them those that the lanes do not count, since all of their
                * values are finite; and of these those whose sums are not yet in halves */
    union value sum[RELAX_ROW], most[RELAX_ROW];
    size_t count[RELAX_ROW];
};

/*
 * For each row, by its position: the largest of the finite values, at least 0, and their number if
 * not all are finite. Some rows wait to be taken together. Starts zeroed but for the arrays. With
 * sums, a row is added to what is there: the sum of its integers, the larger value, and how many
 * are finite less nr, modulo 2^32.
 */
enum { RELAX_STAGED = 32 }; /* rows, at least as many as a vector has values */
struct relax_spans {
    alignas(64) unsigned char staged[RELAX_STAGED][64], finite[RELAX_STAGED][64];
    uint32_t place[RELAX_STAGED];
    size_t waiting;
    bool lost[RELAX_STAGED], any_lost; /* some of the row's values are infinite, of any row's */
    void *most;                        /* of the type */
    uint32_t *reached;
    int64_t *sum; /* NULL: sums are not wanted */
};

/* The sums of 1 / value over the finite values other than 0 that have the same place in many rows.
 * Starts zeroed, but for q, which is 1. */
struct relax_harmonic {
    alignas(64) double p[RELAX_ROW], q[RELAX_ROW]; /* p / q are to be added, of so many rows */
    size_t rows;
    double sum[RELAX_ROW];
};

/* pairs[value >> shift] goes up for every finite value, and pairs[count] for every other. */
struct relax_bins {
    uint32_t *pairs;
    int shift;
    size_t count;
};

/*
 * Rows that are labels: each of their values is the length of some path from its source, or
 * infinite. A row has nr values once, twice or four times. A set of vertices is a word for every 64
 * of them.
 */
struct relax_pull {
    const size_t *start; /* The in-arcs of v are number start[v] to before start[v + 1]. */
    const uint32_t *from;
    const void *weight;     /* The arcs' weights, in the type: at least 0 and below infinity. */
    void *rows;             /* Row v is that of vertex v. */
    size_t pairs;           /* 1, 2 or 4: a row has so many times nr values. */
    const uint64_t *active; /* Vertices whose rows may have changed since others last read them. */
    uint64_t *now;          /* Vertices whose rows change now. */
};

/* Sums of digits: plane p has a bit for each place, which is set where digit[p] counts. */
struct relax_digits {
    const uint64_t *plane; /* Plane p begins p * pitch words behind the first. */
    size_t pitch, planes;
    const void *digit; /* in the type */
};

/* Counts of one row. A whole sum may wrap. */
struct relax_row {
    size_t reached;        /* values below unreachable, and of these */
    union value most, sum; /* the largest, or 0, and the sum: integers or reals by the type */
};

struct relax_kernels {
    const char *name; /* of the instruction set: a value of APSP_ISA */
    size_t mr, nr;    /* rows of a block of A, columns of a block of B */
    size_t a_bytes;   /* of an element in a panel of A; elsewhere they have those of the type */

    /* Makes count elements infinite. */
    void (*fill)(void *to, size_t count);
    /*
     * *entry = min(*entry, weight), a weight too large being infinite; it is real for a
     * floating-point type. True if the entry was finite before.
     */
    bool (*lower)(void *entry, union value weight);
    /* Phase 1: closes the w x w tile p in place; rows are ld elements apart, ld >= w a multiple of
     * nr. */
    void (*close)(void *p, size_t w, size_t ld);
    /* One block of A from `rows` <= mr rows of a row-major matrix, or of B from `cols` <= nr
     * columns. */
    void (*pack_a)(void *a, const void *from, size_t ld, size_t rows, size_t depth);
    void (*pack_b)(void *b, const void *from, size_t ld, size_t depth, size_t cols);
    /*
     * The product on rows x cols of C, counted from the first block of A and of B; nothing else of
     * C is written. C may be the block of B itself when A has a zero diagonal (phase 2): every
     * value in it is then a path's length at any time.
     */
    void (*relax)(const struct relax_product *product, struct range rows, struct range cols);
    /* The same, and adds to the sums. */
    void (*relax_summed)(const struct relax_product *product, struct range rows, struct range cols,
                         struct relax_sums *sums);
    /* The word sum of rows of so many bytes, which are `pitch` bytes apart. */
    uint32_t (*sum)(const void *from, size_t rows, size_t width, size_t pitch);

    /* Floyd and Warshall's steps through the first `pivots` of w vertices; rows as for close, and
     * up to a vector beyond the last value of a row is read and written. */
    void (*through)(void *p, size_t pivots, size_t w, size_t ld);
    /* Floyd and Warshall's steps through all w vertices, which keep the vertex before each one on
     * its path too: entry (i, j) of `before` becomes entry (k, j) where the path leads through k.
     * It has unsigned integers of the type's width, and rows as p has them. Here, lengths
     * of a floating-point type may be negative. */
    void (*through_trees)(void *p, void *before, size_t w, size_t ld);
    /* to[place[j]] = min(.., from[j]) for j < count; places ascend. */
    void (*merge)(void *to, const void *from, const uint32_t *place, size_t count);

    /* All of the operand A of relax_rows from its transpose, depth x rows, whose rows are ld values
     * apart. */
    void (*rows_pack)(void *a, const void *from, size_t ld, size_t rows, size_t depth);
    void (*rows_relax)(const struct relax_rows *product);
    /* Row i becomes number place[i] of those at `to`, which is on a 64-byte boundary; `past` the
     * caches if these are too many for them. */
    void (*rows_store)(void *to, const uint32_t *place, const void *from, size_t rows, bool past);
    /* to[r * stride + i] = value r of row i, for i < n and r < count <= nr. The fastest where the
     * rows of `to` begin on 64-byte boundaries. */
    void (*rows_turn)(void *to, size_t stride, const void *from, size_t n, size_t count);
    /* Adds so many rows, at most 64, whose places begin at that one; rows_fold ends the counts, and
     * rows_span_end the spans, which may be NULL. */
    void (*rows_count)(struct relax_counts *counts, const void *from, size_t rows,
                       struct relax_spans *spans, size_t place);
    void (*rows_fold)(struct relax_counts *counts);
    void (*rows_span_end)(struct relax_spans *spans);
    /* For integer types; the first until it is ended. */
    void (*rows_harmonic)(struct relax_harmonic *harmonic, const void *from, size_t rows);
    void (*rows_harmonic_end)(struct relax_harmonic *harmonic);
    void (*rows_bins)(const struct relax_bins *bins, const void *from, size_t rows);
    /* The vertices of a range take what is shorter by way of active in-neighbours, in place.
     * Returns whether any row has changed. */
    bool (*rows_pull)(const struct relax_pull *pull, struct range range);

    /* Value i is the sum of the digits at place i, in their order, for so many words of places. */
    void (*row_digits)(void *to, const struct relax_digits *digits, size_t words);
    struct relax_row (*row_count)(const void *row, size_t n, union value unreachable);
};

/*
 * The widest that this processor runs and the environment variable APSP_ISA (avx512, avx2, plain)
 * allows. *note, if not NULL, gets a remark for the report when APSP_ISA could not be followed,
 * else "".
 */
const struct relax_kernels *relax_choose(enum dtype dtype, const char **note);
/* The same, where the parts of a path combine so: relax_choose has COMBINE_SUM. */
const struct relax_kernels *relax_combining(enum dtype dtype, enum combine combine,
                                            const char **note);

#endif
