/* The separator of a graph with two sides: a smallest one among the vertices near the border. */
#ifndef BAND_H
#define BAND_H

#include <metis.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BAND_LEFT, BAND_RIGHT, BAND_SEPARATOR };

/*
 * side[v] is one of the three, and becomes so that no edge leads from left to right. False: the
 * border is too wide for that, or there is no memory; the sides are then of no use.
 */
bool band_cut(idx_t *side, size_t n, const idx_t *start, const idx_t *to);

#endif
