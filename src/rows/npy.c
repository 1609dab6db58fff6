/*
 * Distances as arrays of NumPy (base/npy.c), version 1.0.
 */
#include "rows/npy.h"

#include "base/npy.h"

#include <stdio.h>
#include <string.h>

enum { MAGIC_BYTES = sizeof NPY_MAGIC - 1, ALIGN = 64 };

static const char *const names[DTYPE_ALL] = {
    [DTYPE_U8] = "|u1",  [DTYPE_U16] = "<u2", [DTYPE_I32] = "<i4",
    [DTYPE_I64] = "<i8", [DTYPE_F32] = "<f4", [DTYPE_F64] = "<f8"};

const char *npy_type(enum dtype dtype)
{
    return names[dtype];
}

size_t npy_head(char head[MATRIX_HEAD_MAX], const char *type, const char *shape)
{
    enum { START = MAGIC_BYTES + 4 };
    int length = snprintf(head + START, MATRIX_HEAD_MAX - START,
                          "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    size_t end = START + (size_t)length, bytes = (end + 1 + ALIGN - 1) / ALIGN * ALIGN,
           rest = bytes - START;
    memset(head + end, ' ', bytes - end);
    head[bytes - 1] = '\n';
    memcpy(head, NPY_MAGIC "\1", MAGIC_BYTES + 2); /* with the zero that ends it: version 1.0 */
    head[MAGIC_BYTES + 2] = (char)(rest & 255);
    head[MAGIC_BYTES + 3] = (char)(rest >> 8);
    return bytes;
}

static size_t write_head(char head[MATRIX_HEAD_MAX], size_t rows, size_t n, enum dtype dtype)
{
    char shape[64];
    snprintf(shape, sizeof shape, "(%zu, %zu)", rows, n);
    return npy_head(head, names[dtype], shape);
}

const struct matrix_format matrix_npy = {".npy", true, DTYPE_ALL, write_head};
