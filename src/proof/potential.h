/*
 * Potentials: a number h[v] <= 0 for every vertex so that no reweighted edge w + h[u] - h[v] is
 * negative. The length of every path from i to j changes by h[i] - h[j], so the shortest ones stay
 * the shortest. There are some exactly when no cycle is negative.
 *
 * Floating-point weights may be multiples of a power of two, as quarters are. Their potentials are
 * such multiples too, as long as these are below 2^53 of them. Sums with potentials are then as
 * exact as sums without.
 *
 * Other real weights of a strongly connected component are first raised by 2^-51 of their size and
 * rounded up to multiples of a unit, at most 2^-53 of its largest potential. Sums are then exact; a
 * cycle that is found is negative for certain; and one of weights such as 0.1, which is negative
 * only by the rounding of its weights, is none. So a cycle is not seen if it is lighter than a unit
 * and 2^-51 of its weights for every edge. And sums with potentials in them are as exact as these:
 * an absolute error of about 2^-53 (f64) or 2^-24 (f32) of the largest potential on the way for
 * each.
 */
#ifndef POTENTIAL_H
#define POTENTIAL_H

#include "graph/csr.h"

struct potential { /* zeroed: all potentials are zero */
    size_t n;
    bool real;
    union value *h; /* n, or NULL */
};

struct cycle {
    size_t length;    /* 0: there is none */
    uint32_t *vertex; /* in the order of the edges; the last one leads back to the first */
    bool real;        /* its weights are */
    union value sum;  /* of them */
};

/*
 * Finds potentials, or else a negative cycle (that is APSP_OK as well). The same ones for any
 * number of threads. APSP_MEMORY; APSP_INPUT when weights are so far below zero that 64 bits cannot
 * hold the sums. Free both in any case.
 */
int potential_find(struct potential *potential, struct cycle *cycle, const struct csr *csr,
                   int threads, struct apsp_error *error);
void potential_free(struct potential *potential);
void cycle_free(struct cycle *cycle);
size_t potential_need(size_t n, size_t m, bool real); /* bytes of work space and result */

/* The largest |h[v]|, as a double and, for whole weights, exact. */
double potential_reach(const struct potential *potential);
int64_t potential_depth(const struct potential *potential);

/* Potential of a vertex, as a double. */
static inline double potential_at(const struct potential *potential, size_t u)
{
    if (!potential->h)
        return 0;
    return potential->real ? potential->h[u].real : (double)potential->h[u].whole;
}

/* The weight of an edge from u to v after reweighting: >= 0; the largest number when it does not
 * fit. */
static inline int64_t potential_whole(const struct potential *potential, size_t u, size_t v,
                                      int64_t weight)
{
    const union value *h = potential->h;
    int64_t sum;
    return __builtin_sub_overflow(weight + h[u].whole, h[v].whole, &sum) ? INT64_MAX : sum;
}

/* A real one, which rounding may leave a little below 0, and as it counts. */
static inline double potential_shifted(const struct potential *potential, size_t u, size_t v,
                                       double weight)
{
    return (weight + potential->h[u].real) - potential->h[v].real;
}

static inline double potential_real(const struct potential *potential, size_t u, size_t v,
                                    double weight)
{
    double sum = potential_shifted(potential, u, v, weight);
    return sum > 0 ? sum : 0;
}

/* Either of them, or the weight itself without potentials. */
static inline union value potential_value(const struct potential *potential, size_t u, size_t v,
                                          union value weight)
{
    if (potential->h && potential->real)
        weight.real = potential_real(potential, u, v, weight.real);
    else if (potential->h)
        weight.whole = potential_whole(potential, u, v, weight.whole);
    return weight;
}

/* Makes whole potentials real, in place. */
void potential_convert(struct potential *potential);

#endif
