/* What is known of a row of distances that need not be kept itself. */
#ifndef COUNT_H
#define COUNT_H

#include "rows/block.h"

/* The counts of n distances of that type. */
struct row_counts count_row(enum dtype dtype, const void *row, size_t n);

#endif
