/* The common part of hdf5.c, hdf5_write.c and hdf5_read.c: the library's functions, and an open
 * file. */
#ifndef HDF5_LIBRARY_H
#define HDF5_LIBRARY_H

#include "base/hdf5.h"

#include <sys/types.h>

/* The library's types and constants, from its manual. */
typedef int64_t hid_t;
typedef int herr_t;
typedef unsigned long long hsize_t;
enum {
    H5F_ACC_RDONLY = 0,
    H5F_ACC_TRUNC = 2,
    H5P_DEFAULT = 0,
    H5E_DEFAULT = 0,
    H5S_ALL = 0,
    H5S_SCALAR = 0
};
enum { H5S_SELECT_SET = 0, H5T_INTEGER = 0, H5T_FLOAT = 1, H5T_STRING = 3 };
enum { H5T_SGN_NONE = 0, H5T_CSET_UTF8 = 1 };
enum { H5D_FILL_TIME_NEVER = 1, H5_INDEX_NAME = 0, H5_ITER_INC = 0 };
#define H5T_VARIABLE SIZE_MAX

/* The functions of the library that are used: types of their values, names, arguments. */
#define FUNCTIONS(X)                                                                               \
    X(herr_t, H5dont_atexit, (void))                                                               \
    X(herr_t, H5open, (void))                                                                      \
    X(herr_t, H5free_memory, (void *memory))                                                       \
    X(herr_t, H5Eset_auto2, (hid_t stack, void *print, void *data))                                \
    X(hid_t, H5Fcreate, (const char *name, unsigned flags, hid_t creation, hid_t access))          \
    X(hid_t, H5Fopen, (const char *name, unsigned flags, hid_t access))                            \
    X(herr_t, H5Fclose, (hid_t file))                                                              \
    X(hid_t, H5Pcreate, (hid_t kind))                                                              \
    X(herr_t, H5Pclose, (hid_t list))                                                              \
    X(herr_t, H5Pset_file_locking, (hid_t list, bool use, bool ignore))                            \
    X(herr_t, H5Pset_chunk, (hid_t list, int dimensions, const hsize_t *sizes))                    \
    X(int, H5Pget_chunk, (hid_t list, int dimensions, hsize_t *sizes))                             \
    X(herr_t, H5Pset_shuffle, (hid_t list))                                                        \
    X(herr_t, H5Pset_deflate, (hid_t list, unsigned level))                                        \
    X(herr_t, H5Pset_obj_track_times, (hid_t list, bool track))                                    \
    X(herr_t, H5Pset_fill_time, (hid_t list, int when))                                            \
    X(hid_t, H5Screate, (int kind))                                                                \
    X(hid_t, H5Screate_simple, (int dimensions, const hsize_t *sizes, const hsize_t *most))        \
    X(int, H5Sget_simple_extent_ndims, (hid_t space))                                              \
    X(int, H5Sget_simple_extent_dims, (hid_t space, hsize_t * sizes, hsize_t * most))              \
    X(herr_t, H5Sselect_hyperslab,                                                                 \
      (hid_t space, int how, const hsize_t *start, const hsize_t *stride, const hsize_t *count,    \
       const hsize_t *block))                                                                      \
    X(int64_t, H5Sget_simple_extent_npoints, (hid_t space))                                        \
    X(herr_t, H5Sclose, (hid_t space))                                                             \
    X(hid_t, H5Tcopy, (hid_t type))                                                                \
    X(herr_t, H5Tset_size, (hid_t type, size_t bytes))                                             \
    X(herr_t, H5Tset_cset, (hid_t type, int set))                                                  \
    X(int, H5Tget_class, (hid_t type))                                                             \
    X(int, H5Tget_sign, (hid_t type))                                                              \
    X(size_t, H5Tget_size, (hid_t type))                                                           \
    X(herr_t, H5Tclose, (hid_t type))                                                              \
    X(hid_t, H5Dcreate2,                                                                           \
      (hid_t place, const char *name, hid_t type, hid_t space, hid_t link, hid_t creation,         \
       hid_t access))                                                                              \
    X(hid_t, H5Dopen2, (hid_t place, const char *name, hid_t access))                              \
    X(hid_t, H5Dget_space, (hid_t set))                                                            \
    X(hid_t, H5Dget_type, (hid_t set))                                                             \
    X(hid_t, H5Dget_create_plist, (hid_t set))                                                     \
    X(herr_t, H5Dread,                                                                             \
      (hid_t set, hid_t type, hid_t memory, hid_t space, hid_t list, void *values))                \
    X(herr_t, H5Dwrite,                                                                            \
      (hid_t set, hid_t type, hid_t memory, hid_t space, hid_t list, const void *values))          \
    X(herr_t, H5Dwrite_chunk,                                                                      \
      (hid_t set, hid_t list, uint32_t skipped, const hsize_t *offset, size_t bytes,               \
       const void *data))                                                                          \
    X(herr_t, H5Dclose, (hid_t set))                                                               \
    X(hid_t, H5Acreate2,                                                                           \
      (hid_t place, const char *name, hid_t type, hid_t space, hid_t creation, hid_t access))      \
    X(int, H5Aexists, (hid_t place, const char *name))                                             \
    X(hid_t, H5Aopen, (hid_t place, const char *name, hid_t access))                               \
    X(hid_t, H5Aget_space, (hid_t attribute))                                                      \
    X(hid_t, H5Aget_type, (hid_t attribute))                                                       \
    X(herr_t, H5Aread, (hid_t attribute, hid_t type, void *value))                                 \
    X(herr_t, H5Awrite, (hid_t attribute, hid_t type, const void *value))                          \
    X(herr_t, H5Aclose, (hid_t attribute))                                                         \
    X(herr_t, H5Lcreate_hard,                                                                      \
      (hid_t from, const char *name, hid_t to, const char *link, hid_t creation, hid_t access))    \
    X(int, H5Lexists, (hid_t place, const char *name, hid_t access))                               \
    X(ssize_t, H5Lget_name_by_idx,                                                                 \
      (hid_t place, const char *group, int index, int order, hsize_t n, char *name, size_t room,   \
       hid_t access))

/* And variables, which have values after H5open: kinds of lists, types. */
#define VARIABLES(X)                                                                               \
    X(H5P_CLS_FILE_ACCESS_ID_g)                                                                    \
    X(H5P_CLS_DATASET_CREATE_ID_g)                                                                 \
    X(H5T_C_S1_g)                                                                                  \
    X(H5T_STD_U8LE_g)                                                                              \
    X(H5T_STD_U16LE_g)                                                                             \
    X(H5T_STD_I32LE_g)                                                                             \
    X(H5T_STD_I64LE_g)                                                                             \
    X(H5T_IEEE_F32LE_g)                                                                            \
    X(H5T_IEEE_F64LE_g)

extern struct hdf5_library {
#define X(result, name, arguments) result(*name) arguments;
    FUNCTIONS(X)
#undef X
#define X(name) const hid_t *name;
    VARIABLES(X)
#undef X
} h5;

struct hdf5 {
    const char *path;
    hid_t file, set;
    size_t columns;
    enum dtype dtype; /* of a file that is written */
    bool real;        /* of one that is read */
};

/* An open file, of which nothing is open yet; NULL with an error. */
struct hdf5 *hdf5_start(struct hdf5 **hdf5, const char *path, struct apsp_error *error);
/* Sets the error that the file cannot be `what`, with the cause in errno if the system gave one. */
int hdf5_refuse(const struct hdf5 *hdf5, const char *what, struct apsp_error *error);

/* A handle that the caller closes; below 0: the library has failed. Another program has locked the
 * file. */
hid_t hdf5_access_list(void);
hid_t hdf5_text_type(void);

/* Close what may not be there. */
void hdf5_close_list(hid_t list);
void hdf5_close_space(hid_t space);
void hdf5_close_set(hid_t set);
void hdf5_close_type(hid_t type);

#endif
