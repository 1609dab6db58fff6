/* Rows of distances from the type in which they were computed to the one in which they are given out. */
#ifndef CONVERT_H
#define CONVERT_H

#include "base/dtype.h"

/*
 * out[j] = row[j] - h[i] + h[j] for n finite distances from vertex i; infinity becomes that of the output
 * type of `type`. h may be NULL, for zeros; else it is n int64_t, or doubles for a real type.
 */
void convert_row(enum dtype type, void *out, const void *row, size_t n, const void *h, size_t i);

#endif
