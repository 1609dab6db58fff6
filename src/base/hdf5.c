#include "base/hdf5.h"

#include "base/late.h"
#include "base/mem.h"
#include "base/unpack.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "rows go out as they lie in memory");

/* The library's types and constants, from its manual. */
typedef int64_t hid_t;
typedef int herr_t;
typedef unsigned long long hsize_t;
enum { H5F_ACC_RDONLY = 0, H5F_ACC_TRUNC = 2, H5P_DEFAULT = 0, H5E_DEFAULT = 0, H5S_ALL = 0, H5S_SCALAR = 0 };
enum { H5S_SELECT_SET = 0, H5T_INTEGER = 0, H5T_FLOAT = 1, H5T_STRING = 3 };
enum { H5T_SGN_NONE = 0, H5T_CSET_UTF8 = 1 };
enum { H5D_FILL_TIME_NEVER = 1, H5_INDEX_NAME = 0, H5_ITER_INC = 0 };
#define H5T_VARIABLE SIZE_MAX

/* Those of the library that are used: what they return, names, arguments. */
#define FUNCTIONS(X)                                                                                         \
    X(herr_t, H5dont_atexit, (void))                                                                         \
    X(herr_t, H5open, (void))                                                                                \
    X(herr_t, H5free_memory, (void *memory))                                                                 \
    X(herr_t, H5Eset_auto2, (hid_t stack, void *print, void *data))                                          \
    X(hid_t, H5Fcreate, (const char *name, unsigned flags, hid_t creation, hid_t access))                    \
    X(hid_t, H5Fopen, (const char *name, unsigned flags, hid_t access))                                      \
    X(herr_t, H5Fclose, (hid_t file))                                                                        \
    X(hid_t, H5Pcreate, (hid_t kind))                                                                        \
    X(herr_t, H5Pclose, (hid_t list))                                                                        \
    X(herr_t, H5Pset_file_locking, (hid_t list, bool use, bool ignore))                                      \
    X(herr_t, H5Pset_chunk, (hid_t list, int dimensions, const hsize_t *sizes))                              \
    X(herr_t, H5Pset_shuffle, (hid_t list))                                                                  \
    X(herr_t, H5Pset_deflate, (hid_t list, unsigned level))                                                  \
    X(herr_t, H5Pset_obj_track_times, (hid_t list, bool track))                                              \
    X(herr_t, H5Pset_fill_time, (hid_t list, int when))                                                      \
    X(hid_t, H5Screate, (int kind))                                                                          \
    X(hid_t, H5Screate_simple, (int dimensions, const hsize_t *sizes, const hsize_t *most))                  \
    X(int, H5Sget_simple_extent_ndims, (hid_t space))                                                        \
    X(int, H5Sget_simple_extent_dims, (hid_t space, hsize_t * sizes, hsize_t * most))                        \
    X(herr_t, H5Sselect_hyperslab,                                                                           \
      (hid_t space, int how, const hsize_t *start, const hsize_t *stride, const hsize_t *count,              \
       const hsize_t *block))                                                                                \
    X(int64_t, H5Sget_simple_extent_npoints, (hid_t space))                                                  \
    X(herr_t, H5Sclose, (hid_t space))                                                                       \
    X(hid_t, H5Tcopy, (hid_t type))                                                                          \
    X(herr_t, H5Tset_size, (hid_t type, size_t bytes))                                                       \
    X(herr_t, H5Tset_cset, (hid_t type, int set))                                                            \
    X(int, H5Tget_class, (hid_t type))                                                                       \
    X(int, H5Tget_sign, (hid_t type))                                                                        \
    X(size_t, H5Tget_size, (hid_t type))                                                                     \
    X(herr_t, H5Tclose, (hid_t type))                                                                        \
    X(hid_t, H5Dcreate2,                                                                                     \
      (hid_t place, const char *name, hid_t type, hid_t space, hid_t link, hid_t creation, hid_t access))    \
    X(hid_t, H5Dopen2, (hid_t place, const char *name, hid_t access))                                        \
    X(hid_t, H5Dget_space, (hid_t set))                                                                      \
    X(hid_t, H5Dget_type, (hid_t set))                                                                       \
    X(herr_t, H5Dread, (hid_t set, hid_t type, hid_t memory, hid_t space, hid_t list, void *values))         \
    X(herr_t, H5Dwrite, (hid_t set, hid_t type, hid_t memory, hid_t space, hid_t list, const void *values))  \
    X(herr_t, H5Dwrite_chunk,                                                                                \
      (hid_t set, hid_t list, uint32_t skipped, const hsize_t *offset, size_t bytes, const void *data))      \
    X(herr_t, H5Dclose, (hid_t set))                                                                         \
    X(hid_t, H5Acreate2,                                                                                     \
      (hid_t place, const char *name, hid_t type, hid_t space, hid_t creation, hid_t access))                \
    X(int, H5Aexists, (hid_t place, const char *name))                                                       \
    X(hid_t, H5Aopen, (hid_t place, const char *name, hid_t access))                                         \
    X(hid_t, H5Aget_space, (hid_t attribute))                                                                \
    X(hid_t, H5Aget_type, (hid_t attribute))                                                                 \
    X(herr_t, H5Aread, (hid_t attribute, hid_t type, void *value))                                           \
    X(herr_t, H5Awrite, (hid_t attribute, hid_t type, const void *value))                                    \
    X(herr_t, H5Aclose, (hid_t attribute))                                                                   \
    X(herr_t, H5Lcreate_hard,                                                                                \
      (hid_t from, const char *name, hid_t to, const char *link, hid_t creation, hid_t access))              \
    X(int, H5Lexists, (hid_t place, const char *name, hid_t access))                                         \
    X(ssize_t, H5Lget_name_by_idx,                                                                           \
      (hid_t place, const char *group, int index, int order, hsize_t n, char *name, size_t room,             \
       hid_t access))

/* And variables, which have values after H5open: kinds of lists, types. */
#define VARIABLES(X)                                                                                         \
    X(H5P_CLS_FILE_ACCESS_ID_g)                                                                              \
    X(H5P_CLS_DATASET_CREATE_ID_g)                                                                           \
    X(H5T_C_S1_g)                                                                                            \
    X(H5T_STD_U8LE_g)                                                                                        \
    X(H5T_STD_U16LE_g)                                                                                       \
    X(H5T_STD_I32LE_g)                                                                                       \
    X(H5T_STD_I64LE_g)                                                                                       \
    X(H5T_IEEE_F32LE_g)                                                                                      \
    X(H5T_IEEE_F64LE_g)

static struct {
#define X(result, name, arguments) result(*name) arguments;
    FUNCTIONS(X)
#undef X
#define X(name) const hid_t *name;
    VARIABLES(X)
#undef X
} h5;

static const char *const symbols[] = {
#define X(result, name, arguments) #name,
    FUNCTIONS(X)
#undef X
#define X(name) #name,
        VARIABLES(X)
#undef X
            NULL};

static const struct late late = {
    "libhdf5_serial.so.103 libhdf5_serial.so.310 libhdf5.so.103 libhdf5.so.200 libhdf5.so.310",
    "libhdf5-103-1", "libhdf5-dev", symbols, &h5};

struct hdf5 {
    const char *path;
    hid_t file, set;
    size_t columns;
    enum dtype dtype; /* of a file that is written */
    bool real;        /* of one that is read */
};

/* The filters by their numbers' bits, and how hard the second one tries. */
enum { SHUFFLE = 1, DEFLATE = 2, LEVEL = 1 };

bool hdf5_is_named(const char *path)
{
    const char *suffix = path ? strrchr(path, '.') : NULL;
    return suffix && (strcmp(suffix, ".h5") == 0 || strcmp(suffix, ".hdf5") == 0);
}

int hdf5_load(const char *path, bool writes, enum apsp_status code, struct apsp_error *error)
{
    static const char what[] = "an HDF5 file";
    struct apsp_error own = {0};
    if ((writes && deflate_load(path, what, &own)) || late_load(&late, path, what, &own))
        return error_set(error, code, "%s", own.text);
    h5.H5dont_atexit(); /* what could not be written is not tried again */
    if (h5.H5open() < 0)
        return error_set(error, code, "%s: the HDF5 library does not start", path);
    h5.H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* it prints nothing by itself */
    return APSP_OK;
}

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

/* errno is the system's, if the library has met with it. */
static int refuse(const struct hdf5 *hdf5, const char *what, struct apsp_error *error)
{
    return error_set(error, APSP_IO, "%s: cannot be %s%s%s", hdf5->path, what, errno ? ": " : " as HDF5",
                     errno ? strerror(errno) : "");
}

static int refuse_write(const struct hdf5 *hdf5, struct apsp_error *error)
{
    return refuse(hdf5, "written", error);
}

static struct hdf5 *start(struct hdf5 **hdf5, const char *path, struct apsp_error *error)
{
    *hdf5 = calloc(1, sizeof **hdf5);
    if (!*hdf5)
        error_set(error, APSP_MEMORY, "%s: no memory to open it", path);
    else
        **hdf5 = (struct hdf5){.path = path, .file = -1, .set = -1};
    return *hdf5;
}

/* Closes what may not be there. */
static void close_list(hid_t list)
{
    if (list >= 0)
        h5.H5Pclose(list);
}

static void close_space(hid_t space)
{
    if (space >= 0)
        h5.H5Sclose(space);
}

static void close_set(hid_t set)
{
    if (set >= 0)
        h5.H5Dclose(set);
}

static void close_type(hid_t type)
{
    if (type >= 0)
        h5.H5Tclose(type);
}

/* The file is locked by whoever made it. */
static hid_t access_list(void)
{
    hid_t list = h5.H5Pcreate(*h5.H5P_CLS_FILE_ACCESS_ID_g);
    if (list >= 0)
        h5.H5Pset_file_locking(list, false, true);
    return list;
}

/* A new dataset: a matrix of filtered chunks, or without columns a list. Without times, so that the same rows
 * are the same file. */
static hid_t make_set(const struct hdf5 *hdf5, const char *name, hid_t type, size_t rows, size_t columns)
{
    const hsize_t all[2] = {rows, columns}, chunk[2] = {1, columns};
    hid_t list = h5.H5Pcreate(*h5.H5P_CLS_DATASET_CREATE_ID_g), set = -1,
          space = h5.H5Screate_simple(columns ? 2 : 1, all, NULL);
    if (list >= 0 && space >= 0 && h5.H5Pset_obj_track_times(list, false) >= 0 &&
        (!columns ||
         (h5.H5Pset_chunk(list, 2, chunk) >= 0 && h5.H5Pset_shuffle(list) >= 0 &&
          h5.H5Pset_deflate(list, LEVEL) >= 0 && h5.H5Pset_fill_time(list, H5D_FILL_TIME_NEVER) >= 0)))
        set = h5.H5Dcreate2(hdf5->file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    close_space(space);
    close_list(list);
    return set;
}

int hdf5_create(struct hdf5 **out, const struct hdf5_plan *plan, struct apsp_error *error)
{
    char path[40];
    struct hdf5 *hdf5 = start(out, plan->path, error);
    if (!hdf5 || hdf5_load(plan->path, true, APSP_IO, error) != APSP_OK)
        return error->code;
    hdf5->columns = plan->columns;
    hdf5->dtype = plan->dtype;
    snprintf(path, sizeof path, "/proc/self/fd/%d", plan->fd);
    errno = 0;
    hid_t access = access_list();
    hdf5->file = access < 0 ? -1 : h5.H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    close_list(access);
    if (hdf5->file >= 0)
        hdf5->set = make_set(hdf5, HDF5_DISTANCES, type_of(plan->dtype), plan->rows, plan->columns);
    return hdf5->set < 0 ? refuse_write(hdf5, error) : APSP_OK;
}

int hdf5_put_row(struct hdf5 *hdf5, size_t row, const void *packed, size_t bytes, struct apsp_error *error)
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
    close_space(space);
    return error->code;
}

static hid_t text_type(void)
{
    hid_t type = h5.H5Tcopy(*h5.H5T_C_S1_g);
    if (type >= 0 && (h5.H5Tset_size(type, H5T_VARIABLE) < 0 || h5.H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        h5.H5Tclose(type);
        type = -1;
    }
    return type;
}

int hdf5_put_text(struct hdf5 *hdf5, const char *name, const char *text, struct apsp_error *error)
{
    hid_t type = text_type();
    put_attribute(hdf5, hdf5->file, name, type, &text, error);
    close_type(type);
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
                         type->real ? real : &type->unreachable, error); /* its low bytes come first */
}

enum { LABELS = 4096 }; /* that are written at a time */

static bool put_piece(hid_t set, hid_t type, struct range piece, const void *values)
{
    const hsize_t start = piece.lo, count = range_length(piece), all = count;
    hid_t memory = h5.H5Screate_simple(1, &all, NULL), space = h5.H5Dget_space(set);
    bool done = memory >= 0 && space >= 0 &&
                h5.H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
                h5.H5Dwrite(set, type, memory, space, H5P_DEFAULT, values) >= 0;
    close_space(space);
    close_space(memory);
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
    hid_t text = labels->text ? text_type() : -1, type = labels->text ? text : *h5.H5T_STD_I64LE_g;
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
    close_set(set);
    close_type(text);
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

void hdf5_close(struct hdf5 *hdf5)
{
    if (!hdf5)
        return;
    close_set(hdf5->set);
    if (hdf5->file >= 0)
        h5.H5Fclose(hdf5->file);
    free(hdf5);
}

/* Whether the dataset is a matrix of numbers, which *shape then describes. */
static bool take_shape(hid_t set, struct hdf5_shape *shape)
{
    hid_t space = h5.H5Dget_space(set), type = h5.H5Dget_type(set);
    hsize_t sizes[2];
    bool found = space >= 0 && type >= 0 && h5.H5Sget_simple_extent_ndims(space) == 2 &&
                 h5.H5Sget_simple_extent_dims(space, sizes, NULL) == 2;
    if (found) {
        int kind = h5.H5Tget_class(type);
        *shape = (struct hdf5_shape){.rows = sizes[0],
                                     .columns = sizes[1],
                                     .real = kind == H5T_FLOAT,
                                     .bytes = h5.H5Tget_size(type),
                                     .natural = kind == H5T_INTEGER && h5.H5Tget_sign(type) == H5T_SGN_NONE};
        found = (kind == H5T_FLOAT || kind == H5T_INTEGER) && shape->bytes <= sizeof(int64_t);
    }
    close_type(type);
    close_space(space);
    return found;
}

/* The last matrix of the root group, and how many there are. */
static hid_t find_set(hid_t file, struct hdf5_shape *shape, int *found)
{
    char name[256];
    hid_t best = -1;
    *found = 0;
    for (hsize_t i = 0;
         h5.H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT) >= 0;
         i++) {
        struct hdf5_shape other;
        hid_t set = h5.H5Dopen2(file, name, H5P_DEFAULT);
        if (set >= 0 && take_shape(set, &other)) {
            ++*found;
            close_set(best);
            best = set;
            *shape = other;
        } else {
            close_set(set);
        }
    }
    return best;
}

/* A number of one value; other attributes of that name say nothing. */
static void take_unreachable(hid_t set, struct hdf5_shape *shape)
{
    hid_t attribute = h5.H5Aexists(set, "unreachable") > 0 ? h5.H5Aopen(set, "unreachable", H5P_DEFAULT) : -1;
    if (attribute < 0)
        return;
    hid_t space = h5.H5Aget_space(attribute), type = h5.H5Aget_type(attribute);
    int kind = type < 0 ? -1 : h5.H5Tget_class(type);
    if (space >= 0 && h5.H5Sget_simple_extent_npoints(space) == 1 &&
        kind == (shape->real ? H5T_FLOAT : H5T_INTEGER))
        shape->has_unreachable =
            h5.H5Aread(attribute, *(shape->real ? h5.H5T_IEEE_F64LE_g : h5.H5T_STD_I64LE_g),
                       &shape->unreachable) >= 0;
    close_type(type);
    close_space(space);
    h5.H5Aclose(attribute);
}

/* As hdf5_put_text has written it; others say nothing. */
static void take_scale(hid_t file, struct hdf5_shape *shape)
{
    hid_t attribute =
        h5.H5Aexists(file, HDF5_SCALE_NAME) > 0 ? h5.H5Aopen(file, HDF5_SCALE_NAME, H5P_DEFAULT) : -1;
    if (attribute < 0)
        return;
    hid_t space = h5.H5Aget_space(attribute), type = h5.H5Aget_type(attribute), text = text_type();
    char *found = NULL;
    if (space >= 0 && text >= 0 && h5.H5Sget_simple_extent_npoints(space) == 1 && type >= 0 &&
        h5.H5Tget_class(type) == H5T_STRING && h5.H5Aread(attribute, text, &found) >= 0 && found)
        snprintf(shape->scale, sizeof shape->scale, "%s", found);
    if (found)
        h5.H5free_memory(found);
    close_type(text);
    close_type(type);
    close_space(space);
    h5.H5Aclose(attribute);
}

int hdf5_open(struct hdf5 **out, const char *path, struct hdf5_shape *shape, struct apsp_error *error)
{
    int found = 1;
    struct hdf5 *hdf5 = start(out, path, error);
    if (!hdf5 || hdf5_load(path, false, APSP_IO, error) != APSP_OK)
        return error->code;
    errno = 0;
    hid_t access = access_list();
    hdf5->file = access < 0 ? -1 : h5.H5Fopen(path, H5F_ACC_RDONLY, access);
    close_list(access);
    if (hdf5->file < 0)
        return refuse(hdf5, "read", error);
    hdf5->set = h5.H5Lexists(hdf5->file, HDF5_DISTANCES, H5P_DEFAULT) > 0
                    ? h5.H5Dopen2(hdf5->file, HDF5_DISTANCES, H5P_DEFAULT)
                    : -1;
    if (hdf5->set < 0)
        hdf5->set = find_set(hdf5->file, shape, &found);
    else if (!take_shape(hdf5->set, shape))
        found = 0;
    if (found != 1)
        return error_set(error, APSP_INPUT,
                         "%s: has %d matrices of numbers in its root group, and none is called %s", path,
                         found, HDF5_DISTANCES);
    take_unreachable(hdf5->set, shape);
    take_scale(hdf5->file, shape);
    hdf5->columns = shape->columns;
    hdf5->real = shape->real;
    return APSP_OK;
}

int hdf5_read(struct hdf5 *hdf5, struct range rows, void *values, struct apsp_error *error)
{
    const hsize_t start[2] = {rows.lo, 0}, count[2] = {range_length(rows), hdf5->columns};
    bool done;
#pragma omp critical(hdf5)
    {
        errno = 0;
        hid_t memory = h5.H5Screate_simple(2, count, NULL), space = h5.H5Dget_space(hdf5->set);
        done = memory >= 0 && space >= 0 &&
               h5.H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
               h5.H5Dread(hdf5->set, *(hdf5->real ? h5.H5T_IEEE_F64LE_g : h5.H5T_STD_I64LE_g), memory, space,
                          H5P_DEFAULT, values) >= 0;
        close_space(space);
        close_space(memory);
    }
    return done ? APSP_OK : refuse(hdf5, "read", error);
}
