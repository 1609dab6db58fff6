/* The blocked algorithm on the CPU in tiles of 64 x 64. */
#ifndef LAB_TILES_H
#define LAB_TILES_H

#include <stddef.h>

/* d, n x n, in place. seconds: of phases 1, 2 and 3. */
void tiles_solve(int *d, size_t n, double seconds[3]);

#endif
