/*
 * Takes from panels what no row needs, once the core is closed. Entry (k, s) of a supernode's
 * `down` is redundant if another vertex k' of the boundary is as good: d(k, k') + U(k', s) <= U(k,
 * s). Here d is from the core, which both belong to. In `up` the directions are reversed. A vertex
 * of the boundary whose entries are all needless, or infinite, leaves the panel. Rows stay as they
 * are, for of vertices as good as each other one is kept; reals, but for one rounding.
 */
#ifndef PRUNE_H
#define PRUNE_H

#include "sparse/eliminate.h"

/* APSP_MEMORY. */
int panels_prune(struct panels *panels, int threads, struct apsp_error *error);

/* Bytes that it takes meanwhile, and for what it makes while there is also what that replaces. */
size_t panels_prune_need(const struct tree *tree, enum dtype dtype, int threads);

#endif
