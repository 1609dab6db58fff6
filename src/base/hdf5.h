/*
 * Matrices in HDF5 files, by the library libhdf5, which is loaded when it is needed. A file that is
 * written holds the dataset `distances` in chunks of one row. The process that has a row compresses
 * it (hdf5_pack), and one process appends all. A file that is read may come from any program, with
 * chunks of any shape or none, compressed by any filter of the library.
 *
 * Prototypes of the library are this file's own: so few of them, which have not changed since
 * version 1.10, that a program has them whether or not the headers were there when it was built.
 */
#ifndef HDF5_H
#define HDF5_H

#include "base/dtype.h"
#include "base/error.h"
#include "base/range.h"
#include "base/value.h"

#define HDF5_DISTANCES "distances"

struct hdf5;

/* Whether a file of that name is to be an HDF5 file: by its suffix. */
bool hdf5_is_named(const char *path);

/* Loads the library, and with `writes` the one that compresses; `code`, with the name of the
 * package that is missing. */
int hdf5_load(const char *path, bool writes, enum apsp_status code, struct apsp_error *error);

/* A matrix to be written. */
struct hdf5_plan {
    const char *path; /* in messages */
    int fd;           /* of the file, which becomes empty first */
    size_t rows, columns;
    enum dtype dtype;
};

enum { HDF5_ROW_MOST = 1 << 30 }; /* bytes of a row */

/* Bytes of a packed row at most, and of the room that packing takes beside it. */
size_t hdf5_packed_most(size_t columns, enum dtype dtype);
/* The row as hdf5_put_row takes it, into `out`; `room` is as large as the row. Returns the bytes.
 * Threads may do so at once. */
size_t hdf5_pack(void *out, const void *row, size_t columns, enum dtype dtype, void *room);

/* Makes the file. APSP_IO, APSP_MEMORY; hdf5_close in any case. One thread at a time, as all that
 * follows. */
int hdf5_create(struct hdf5 **hdf5, const struct hdf5_plan *plan, struct apsp_error *error);
int hdf5_put_row(struct hdf5 *hdf5, size_t row, const void *packed, size_t bytes,
                 struct apsp_error *error);
/* Attributes of the file, and of the matrix what stands for unreachable. */
int hdf5_put_text(struct hdf5 *hdf5, const char *name, const char *text, struct apsp_error *error);
int hdf5_put_number(struct hdf5 *hdf5, const char *name, int64_t number, struct apsp_error *error);
int hdf5_put_unreachable(struct hdf5 *hdf5, struct apsp_error *error);
/* A dataset of `count` texts, or of numbers. */
struct hdf5_labels {
    size_t count;
    const void *self;
    const char *(*text)(const void *self, size_t i); /* NULL: */
    int64_t (*number)(const void *self, size_t i);
};
int hdf5_put_labels(struct hdf5 *hdf5, const char *name, const struct hdf5_labels *labels,
                    struct apsp_error *error);
/* The dataset of that name under another one too. */
int hdf5_put_link(struct hdf5 *hdf5, const char *name, const char *link, struct apsp_error *error);
/* All that there is to be written is in the file. */
int hdf5_finish(struct hdf5 *hdf5, struct apsp_error *error);

/* The attribute of the file that says what numbers are to be divided by, a text; and its bytes, at
 * most. */
#define HDF5_SCALE_NAME "scale"
enum { HDF5_SCALE = 32 };

/* The content of a file. */
struct hdf5_shape {
    size_t rows, columns;
    bool real;               /* the numbers are, which are read as such, or as int64_t */
    size_t bytes;            /* of a number in the file */
    bool natural;            /* no number is below 0 */
    bool has_unreachable;    /* the file says what stands for it: */
    union value unreachable; /* real or whole */
    char scale[HDF5_SCALE];  /* what the file says that numbers are to be divided by, or "" */
};

/* Opens the dataset `distances`, or else the only one of the file's root that is a matrix of
 * numbers. APSP_IO: also without the library; APSP_INPUT, APSP_MEMORY. hdf5_close in any case. */
int hdf5_open(struct hdf5 **hdf5, const char *path, struct hdf5_shape *shape,
              struct apsp_error *error);
/* Rows [rows.lo, rows.hi), all columns, as double or int64_t: those out of range at its end.
 * Threads wait for each other. APSP_IO. */
int hdf5_read(struct hdf5 *hdf5, struct range rows, void *values, struct apsp_error *error);

void hdf5_close(struct hdf5 *hdf5); /* NULL is allowed */

#endif
