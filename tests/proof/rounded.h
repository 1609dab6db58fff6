/*
 * Distances of a floating-point type as a solver may make them: Floyd and Warshall's algorithm, in
 * that type, with the pivots in any order, so that sums are made in any order too. Negative weights
 * have potentials.
 */
#ifndef ROUNDED_H
#define ROUNDED_H

#include "proof/potential.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDED(T)                                                                                 \
    static inline T *rounded_##T(const struct csr *csr, const struct potential *potential,         \
                                 const uint32_t *pivots)                                           \
    {                                                                                              \
        const size_t n = csr->n;                                                                   \
        const union value *h = potential->h;                                                       \
        T *rows = malloc(n * n * sizeof *rows);                                                    \
        assert_non_null(rows);                                                                     \
        for (size_t u = 0; u < n; u++) {                                                           \
            for (size_t v = 0; v < n; v++)                                                         \
                rows[u * n + v] = u == v ? 0 : (T)INFINITY;                                        \
            for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {                           \
                T *at = &rows[u * n + csr->to[e]],                                                 \
                  weight = (T)potential_value(potential, u, csr->to[e], csr->weight[e]).real;      \
                *at = weight < *at ? weight : *at;                                                 \
            }                                                                                      \
        }                                                                                          \
        for (size_t p = 0; p < n; p++)                                                             \
            for (size_t u = 0; u < n; u++) {                                                       \
                const T first = rows[u * n + pivots[p]], *restrict rest = rows + pivots[p] * n;    \
                T *restrict row = rows + u * n;                                                    \
                for (size_t v = 0; v < n && u != pivots[p] && !isinf(first); v++)                  \
                    row[v] = first + rest[v] < row[v] ? first + rest[v] : row[v];                  \
            }                                                                                      \
        for (size_t u = 0; u < n && h; u++)                                                        \
            for (size_t v = 0; v < n; v++)                                                         \
                rows[u * n + v] = (T)((double)rows[u * n + v] - h[u].real + h[v].real);            \
        return rows;                                                                               \
    }

ROUNDED(float)
ROUNDED(double)

/* The n x n distances, which the caller frees; rand() says in which order. */
static inline void *rounded_rows(enum dtype type, const struct csr *csr,
                                 const struct potential *potential)
{
    uint32_t *pivots = malloc((csr->n + 1) * sizeof *pivots);
    assert_non_null(pivots);
    for (size_t p = 0; p < csr->n; p++) {
        const size_t other = (size_t)rand() % (p + 1);
        pivots[p] = pivots[other];
        pivots[other] = (uint32_t)p;
    }
    void *rows = type == DTYPE_F32 ? (void *)rounded_float(csr, potential, pivots)
                                   : (void *)rounded_double(csr, potential, pivots);
    free(pivots);
    return rows;
}

#endif
