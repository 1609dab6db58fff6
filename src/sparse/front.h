/*
 * The matrix in which one supernode is eliminated: rows and columns are its own vertices and its
 * boundary. Rows are ld values apart, a multiple of nr of the kernels. Its memory has nr more
 * values behind the last row.
 */
#ifndef FRONT_H
#define FRONT_H

#include "base/error.h"
#include "kernels/cpu/relax.h"

struct front {
    void *values;
    size_t ld;
    size_t own, size; /* rows, and columns: of the supernode's vertices; in all */
};

/* Values from row to row, and bytes of all, of a front of that size. */
size_t front_ld(size_t size, const struct relax_kernels *kernels);
size_t front_bytes(size_t size, const struct relax_kernels *kernels, enum dtype dtype);

/*
 * Floyd and Warshall's steps through the supernode's own vertices, which come first: distances by
 * paths whose inner vertices are such. With this many threads at most. False when memory is short.
 */
bool front_eliminate(const struct front *front, const struct relax_kernels *kernels,
                     enum dtype dtype, int threads);

/* Bytes that it takes meanwhile. */
size_t front_need(size_t own, size_t size, const struct relax_kernels *kernels, enum dtype dtype);

#endif
