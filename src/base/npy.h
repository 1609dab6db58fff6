/* The head of NumPy's .npy files: what array they hold. */
#ifndef NPY_H
#define NPY_H

#include "base/file.h"
#include "base/range.h"

#define NPY_MAGIC "\x93NUMPY"

enum { NPY_TYPE = 32 };

struct npy {
    char type[NPY_TYPE];         /* of the values, as NumPy writes it: <i4 */
    bool columns;                /* stored column by column (fortran_order) */
    size_t dimensions, shape[2]; /* of the shape the first two */
    size_t body;                 /* offset in the file of the first value */
};

/* Reads the head that lies at the beginning of `where` in the file, which may hold anything.
 * APSP_INPUT, APSP_IO. */
int npy_read(struct npy *npy, const struct file *file, struct range where,
             struct apsp_error *error);

#endif
