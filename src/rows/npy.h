/* The headers of NumPy's .npy files, for their writers. */
#ifndef ROWS_NPY_H
#define ROWS_NPY_H

#include "rows/matrix.h"

/* Makes the header of an array of that type, "<i4", and shape, "(3, 4)"; returns its bytes. */
size_t npy_head(char head[MATRIX_HEAD_MAX], const char *type, const char *shape);

const char *npy_type(enum dtype dtype);

#endif
