/* HDF5 files that are written. */
#include "base/hdf5_library.h"

#include "base/mem.h"
#include "base/unpack.h"

#include <errno.h>
#include <math.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "rows go out as they lie in memory");

/* The filters by their numbers' bits, and how hard the second one tries. */
enum { SHUFFLE = 1, DEFLATE = 2, LEVEL = 1 };

static hid_t type_of(enum dtype dtype)
{
    const hid_t *const types[DTYPE_ALL] = {
        [DTYPE_U8] = h5.H5T_STD_U8LE_g,    [DTYPE_U16] = h5.H5T_STD_U16LE_g,
        [DTYPE_I32] = h5.H5T_STD_I32LE_g,  [DTYPE_I64] = h5.H5T_STD_I64LE_g,
        [DTYPE_F32] = h5.H5T_IEEE_F32LE_g, [DTYPE_F64] = h5.H5T_IEEE_F64LE_g};
    return *types[dtype];
}

/* A byte that names the filters that were left out, then what the others have made. */
size_t hdf5_packed_most(size_t columns, enum dtype dtype)
{
    size_t most;
    mem_add(&most, mem_bytes(columns, dtype_info[dtype].bytes), 1);
    return most;
}

size_t hdf5_pack(void *out, const void *row, size_t columns, enum dtype dtype, void *room)
{
    const size_t each = dtype_info[dtype].bytes, bytes = columns * each;
    const unsigned char *from = row;
    unsigned char *to = room, *skipped = out;
    for (size_t b = 0; b < each; b++)
        for (size_t j = 0; j < columns; j++)
            *to++ = from[j * each + b];
    size_t packed = deflate_bytes(skipped + 1, bytes, room, bytes, LEVEL);
    *skipped = packed ? 0 : SHUFFLE | DEFLATE;
    if (!packed)
        memcpy(skipped + 1, row, packed = bytes);
    return packed + 1;
}

static int refuse_write(const struct hdf5 *hdf5, struct apsp_error *error)
{
    return hdf5_refuse(hdf5, "written", error);
}

/* A new dataset: a matrix of filtered chunks, or without columns a list. Without times, so that the
 * same rows are the same file. */
static hid_t make_set(const struct hdf5 *hdf5, const char *name, hid_t type, size_t rows,
                      size_t columns)
{
    const hsize_t all[2] = {rows, columns}, chunk[2] = {1, columns};
    hid_t list = h5.H5Pcreate(*h5.H5P_CLS_DATASET_CREATE_ID_g), set = -1,
          space = h5.H5Screate_simple(columns ? 2 : 1, all, NULL);
    if (list >= 0 && space >= 0 && h5.H5Pset_obj_track_times(list, false) >= 0 &&
        (!columns || (h5.H5Pset_chunk(list, 2, chunk) >= 0 && h5.H5Pset_shuffle(list) >= 0 &&
                      h5.H5Pset_deflate(list, LEVEL) >= 0 &&
                      h5.H5Pset_fill_time(list, H5D_FILL_TIME_NEVER) >= 0)))
        set = h5.H5Dcreate2(hdf5->file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    hdf5_close_space(space);
    hdf5_close_list(list);
    return set;
}

int hdf5_create(struct hdf5 **out, const struct hdf5_plan *plan, struct apsp_error *error)
{
    char path[40];
    struct hdf5 *hdf5 = hdf5_start(out, plan->path, error);
    if (!hdf5 || hdf5_load(plan->path, true, APSP_IO, error) != APSP_OK)
        return error->code;
    hdf5->columns = plan->columns;
    hdf5->dtype = plan->dtype;
    snprintf(path, sizeof path, "/proc/self/fd/%d", plan->fd);
    errno = 0;
    hid_t access = hdf5_access_list();
    hdf5->file = access < 0 ? -1 : h5.H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hdf5_close_list(access);
    if (hdf5->file >= 0)
        hdf5->set = make_set(hdf5, HDF5_DISTANCES, type_of(plan->dtype), plan->rows, plan->columns);
    return hdf5->set < 0 ? refuse_write(hdf5, error) : APSP_OK;
}

int hdf5_put_row(struct hdf5 *hdf5, size_t row, const void *packed, size_t bytes,
                 struct apsp_error *error)
{
    const unsigned char *from = packed;
    const hsize_t offset[2] = {row, 0};
    errno = 0;
    return h5.H5Dwrite_chunk(hdf5->set, H5P_DEFAULT, *from, offset, bytes - 1, from + 1) < 0
               ? refuse_write(hdf5, error)
               : APSP_OK;
}

static int put_attribute(const struct hdf5 *hdf5, hid_t place, const char *name, hid_t type,
                         const void *value, struct apsp_error *error)
{
    errno = 0;
    hid_t space = h5.H5Screate(H5S_SCALAR), attribute = -1;
    if (space >= 0 && type >= 0)
        attribute = h5.H5Acreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0 || h5.H5Awrite(attribute, type, value) < 0)
        refuse_write(hdf5, error);
    if (attribute >= 0)
        h5.H5Aclose(attribute);
    hdf5_close_space(space);
    return error->code;
}

int hdf5_put_text(struct hdf5 *hdf5, const char *name, const char *text, struct apsp_error *error)
{
    hid_t type = hdf5_text_type();
    put_attribute(hdf5, hdf5->file, name, type, &text, error);
    hdf5_close_type(type);
    return error->code;
}

int hdf5_put_number(struct hdf5 *hdf5, const char *name, int64_t number, struct apsp_error *error)
{
    return put_attribute(hdf5, hdf5->file, name, *h5.H5T_STD_I64LE_g, &number, error);
}

int hdf5_put_unreachable(struct hdf5 *hdf5, struct apsp_error *error)
{
    const struct dtype_info *type = &dtype_info[hdf5->dtype];
    const double infinite = INFINITY;
    const float single = INFINITY;
    const void *real = hdf5->dtype == DTYPE_F32 ? (const void *)&single : &infinite;
    return put_attribute(hdf5, hdf5->set, "unreachable", type_of(hdf5->dtype),
                         type->real ? real : &type->unreachable,
                         error); /* its low bytes come first */
}

enum { LABELS = 4096 }; /* that are written at a time */

static bool put_piece(hid_t set, hid_t type, struct range piece, const void *values)
{
    const hsize_t start = piece.lo, count = range_length(piece), all = count;
    hid_t memory = h5.H5Screate_simple(1, &all, NULL), space = h5.H5Dget_space(set);
    bool done = memory >= 0 && space >= 0 &&
                h5.H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
                h5.H5Dwrite(set, type, memory, space, H5P_DEFAULT, values) >= 0;
    hdf5_close_space(space);
    hdf5_close_space(memory);
    return done;
}

int hdf5_put_labels(struct hdf5 *hdf5, const char *name, const struct hdf5_labels *labels,
                    struct apsp_error *error)
{
    union {
        const char *text[LABELS];
        int64_t number[LABELS];
    } piece;
    errno = 0;
    hid_t text = labels->text ? hdf5_text_type() : -1,
          type = labels->text ? text : *h5.H5T_STD_I64LE_g;
    hid_t set = type < 0 ? -1 : make_set(hdf5, name, type, labels->count, 0);
    if (set < 0)
        refuse_write(hdf5, error);
    for (size_t at = 0, count; at < labels->count && !error->code; at += count) {
        count = labels->count - at < LABELS ? labels->count - at : LABELS;
        for (size_t i = 0; i < count; i++)
            if (labels->text)
                piece.text[i] = labels->text(labels->self, at + i);
            else
                piece.number[i] = labels->number(labels->self, at + i);
        if (!put_piece(set, type, (struct range){at, at + count}, &piece))
            refuse_write(hdf5, error);
    }
    hdf5_close_set(set);
    hdf5_close_type(text);
    return error->code;
}

int hdf5_put_link(struct hdf5 *hdf5, const char *name, const char *link, struct apsp_error *error)
{
    errno = 0;
    return h5.H5Lcreate_hard(hdf5->file, name, hdf5->file, link, H5P_DEFAULT, H5P_DEFAULT) < 0
               ? refuse_write(hdf5, error)
               : APSP_OK;
}

int hdf5_finish(struct hdf5 *hdf5, struct apsp_error *error)
{
    errno = 0;
    bool closed = h5.H5Dclose(hdf5->set) >= 0;
    hdf5->set = -1;
    closed &= h5.H5Fclose(hdf5->file) >= 0;
    hdf5->file = -1;
    return closed ? APSP_OK : refuse_write(hdf5, error);
}
