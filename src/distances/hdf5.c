/*
 * Matrices in HDF5 files, as apsp and other programs (h5py, pandas, R) write them: the dataset
 * `distances`, or the only one that is a matrix.
 */
#include "base/hdf5.h"
#include "base/mem.h"
#include "distances/format.h"

#include <stdlib.h>
#include <string.h>

struct own { /* distances->own */
    struct hdf5 *hdf5;
};

/* What the file says stands for unreachable, unless an option does. */
static void take_unreachable(struct distances *distances, const struct hdf5_shape *shape)
{
    struct absent *unreachable = &distances->unreachable;
    if (!shape->has_unreachable || distances->options.unreachable)
        return;
    const union value value = shape->unreachable;
    unreachable->count = 1;
    unreachable->value[0].is_whole = !distances->real;
    unreachable->value[0].whole = value.whole;
    unreachable->value[0].real = distances->real ? value.real : (double)value.whole;
    if (!distances->real && value.whole != dtype_info[distances->dtype].unreachable)
        distances->dtype = DTYPE_I64;
}

static int open_matrix(struct distances *distances, struct hdf5_shape *shape,
                       struct apsp_error *error)
{
    struct own *own = distances->own;
    const char *path = distances->file.path;
    char opened[40];
    snprintf(opened, sizeof opened, "/proc/self/fd/%d", distances->file.fd);
    if (hdf5_open(&own->hdf5, distances->lent ? opened : path, shape, error) != APSP_OK)
        return error->code;
    if (shape->rows != distances->rows || shape->columns != distances->columns)
        return error_set(error, APSP_INPUT,
                         "%s: a dataset of %zu x %zu, where %zu x %zu are needed" FORMAT_OF_RUN,
                         path, shape->rows, shape->columns, distances->rows, distances->columns,
                         FORMAT_SETTINGS);
    if (*shape->scale && distances_take_scale(distances, shape->scale, path, error) != APSP_OK)
        return error->code;
    return distances_settle(distances,
                            shape->real      ? NUMBERS_REAL
                            : shape->natural ? NUMBERS_UNSIGNED
                                             : NUMBERS_INT,
                            shape->bytes, error);
}

static int hdf5_format_open(struct distances *distances, struct apsp_error *error)
{
    struct hdf5_shape shape = {0};
    distances->own = calloc(1, sizeof(struct own));
    if (!distances->own)
        return error_set(error, APSP_MEMORY, "%s: no memory to open it", distances->file.path);
    if (distances->file.unnamed)
        return error_set(error, APSP_INPUT,
                         "%s: an HDF5 file is read where it is, neither compressed nor from a pipe",
                         distances->file.path);
    if (open_matrix(distances, &shape, error) == APSP_OK)
        take_unreachable(distances, &shape);
    return error->code;
}

static void hdf5_format_close(struct distances *distances)
{
    struct own *own = distances->own;
    if (own)
        hdf5_close(own->hdf5);
    free(own);
    distances->own = NULL;
}

static int read_some(const struct distances *distances, size_t row, struct range columns,
                     union value *values, struct apsp_error *error)
{
    union value *whole = malloc(mem_bytes(distances->columns, sizeof *whole));
    if (!whole)
        return error_set(error, APSP_MEMORY, "%s: no memory for a row", distances->file.path);
    if (hdf5_read(((const struct own *)distances->own)->hdf5, (struct range){row, row + 1}, whole,
                  error) == APSP_OK)
        memcpy(values, whole + columns.lo, range_length(columns) * sizeof *values);
    free(whole);
    return error->code;
}

static int hdf5_format_read(const struct distances *distances, struct range rows,
                            struct range columns, union value *values, struct apsp_error *error)
{
    if (range_length(columns) == distances->columns)
        return hdf5_read(((const struct own *)distances->own)->hdf5, rows, values, error);
    for (size_t i = rows.lo; i < rows.hi; i++, values += range_length(columns))
        if (read_some(distances, i, columns, values, error) != APSP_OK)
            return error->code;
    return APSP_OK;
}

static size_t hdf5_format_need(const struct distances *distances)
{
    return mem_bytes(distances->columns, sizeof(union value));
}

static enum graph_guess hdf5_guess(const struct graph_look *look)
{
    static const char magic[] = "\x89HDF\r\n\x1a\n";
    size_t length = sizeof magic - 1;
    return look->have > length && memcmp(look->text, magic, length) == 0 ? GUESS_SURE : GUESS_NO;
}

const struct distances_format distances_hdf5 = {
    .name = "hdf5",
    .about = "HDF5, a matrix of any numbers; read by libhdf5",
    .suffix = ".h5 .hdf5",
    .guess = hdf5_guess,
    .open = hdf5_format_open,
    .close = hdf5_format_close,
    .read = hdf5_format_read,
    .need = hdf5_format_need};
