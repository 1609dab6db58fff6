/*
 * The distribution of the matrix: rank r owns a contiguous strip of rows; the numbers of rows of
 * two strips differ by at most one. With more ranks than rows the last ranks own none.
 */
#ifndef STRIP_H
#define STRIP_H

#include "base/range.h"

struct range strip_rows(size_t n, int ranks, int rank);
int strip_owner(size_t n, int ranks, size_t row);

#endif
