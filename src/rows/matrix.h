/*
 * Files of n x n values, row by row: distances and predecessors. A format is one row of the table in
 * matrix.c; the suffix of the file's name chooses it.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include "base/dtype.h"
#include "base/file.h"
#include "graph/graph.h"

enum { MATRIX_HEAD_MAX = 192 }; /* bytes before the first row, of a file that this program writes */

/* A file that is read. */
struct matrix {
    struct file file;
    size_t n;
    enum dtype file_type; /* of the values, */
    enum dtype dtype;     /* and of those that are read: dtype_info[file_type].rows */
    size_t body;          /* offset of the first row */
};

struct matrix_format {
    const char *suffix; /* "" is the default format */
    bool typed;         /* the file says what type its values have; */
    enum dtype dtype;   /* without that they have this one */
    /* Fills head with what comes before the first row, and returns how many bytes that are. */
    size_t (*write_head)(char head[MATRIX_HEAD_MAX], size_t rows, size_t n, enum dtype dtype);
    /* Sets file_type and body from a file that may hold anything, and checks that it is of n x n. */
    int (*read_head)(struct matrix *matrix, struct apsp_error *error);
};

extern const struct matrix_format matrix_npy; /* NumPy's .npy; for matrix.c */

const struct matrix_format *matrix_format_of(const char *path);
/* The type that the suffix of a file without types names, or -1. */
int matrix_type_named(const char *path);
/* APSP_INPUT if a file of that name cannot hold such values: a format without types has that which its suffix
 * names. */
int matrix_check_type(const char *path, enum dtype dtype, struct apsp_error *error);
/* Bytes of a whole file of that name; SIZE_MAX when they are too many for a size_t. */
size_t matrix_bytes(const char *path, size_t rows, size_t n, enum dtype dtype);

/*
 * Opens the distances of the graph for reading: a file of n x n values, checked to the byte, whole or real
 * numbers as the weights are. APSP_IO, APSP_INPUT. Close in any case.
 */
int matrix_open(struct matrix *matrix, const char *path, const struct graph *graph, struct apsp_error *error);
void matrix_close(struct matrix *matrix);

/* Reads `count` values from entry (row, column) on, all of one row. APSP_IO. */
int matrix_read(const struct matrix *matrix, size_t row, size_t column, size_t count, void *values,
                struct apsp_error *error);

#endif
