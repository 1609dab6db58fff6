/*
 * Files of n x n values, row by row, that are written: distances and predecessors. A format is one
 * row of the table in matrix.c; the suffix of the file's name chooses it. The folder distances/
 * reads such files.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include "base/dtype.h"
#include "base/error.h"

enum { MATRIX_HEAD_MAX = 192 }; /* bytes before the first row, of a file that this program writes */

struct matrix_format {
    const char *suffix; /* "" is the default format */
    bool typed;         /* the file names the type of its values */
    enum dtype dtype;   /* the type of values if the file names none */
    /* Fills head with what comes before the first row, and returns how many bytes that are. */
    size_t (*write_head)(char head[MATRIX_HEAD_MAX], size_t rows, size_t n, enum dtype dtype);
};

extern const struct matrix_format matrix_npy; /* NumPy's .npy; for matrix.c */

const struct matrix_format *matrix_format_of(const char *path);
/* The type that the suffix of a file without types names, or -1. */
int matrix_type_named(const char *path);
/* APSP_INPUT if a file of that name cannot hold such values: a format without types has that which
 * its suffix names. */
int matrix_check_type(const char *path, enum dtype dtype, struct apsp_error *error);
/* Bytes of a whole file of that name; SIZE_MAX when they are too many for a size_t. */
size_t matrix_bytes(const char *path, size_t rows, size_t n, enum dtype dtype);

#endif
