/* HDF5 files that are read. */
#include "base/hdf5_library.h"

#include <errno.h>
#include <string.h>

/* Whether the dataset is a matrix of numbers, which *shape then describes. */
/* The library takes it from the file that a chunk is larger than the matrix may become, and then
 * reads beyond the one that is there. H5S_UNLIMITED is the largest number. */
static bool chunks_fit(hid_t set, hid_t space)
{
    hid_t list = h5.H5Dget_create_plist(set);
    hsize_t chunk[2] = {0}, sizes[2], most[2];
    bool fit =
        h5.H5Sget_simple_extent_dims(space, sizes, most) == 2 &&
        (h5.H5Pget_chunk(list, 2, chunk) < 0 || (chunk[0] <= most[0] && chunk[1] <= most[1]));
    hdf5_close_list(list);
    return fit;
}

static bool take_shape(hid_t set, struct hdf5_shape *shape)
{
    hid_t space = h5.H5Dget_space(set), type = h5.H5Dget_type(set);
    hsize_t sizes[2];
    bool found = space >= 0 && type >= 0 && h5.H5Sget_simple_extent_ndims(space) == 2 &&
                 h5.H5Sget_simple_extent_dims(space, sizes, NULL) == 2 && chunks_fit(set, space);
    if (found) {
        int kind = h5.H5Tget_class(type);
        *shape = (struct hdf5_shape){.rows = sizes[0],
                                     .columns = sizes[1],
                                     .real = kind == H5T_FLOAT,
                                     .bytes = h5.H5Tget_size(type),
                                     .natural = kind == H5T_INTEGER &&
                                                h5.H5Tget_sign(type) == H5T_SGN_NONE};
        found = (kind == H5T_FLOAT || kind == H5T_INTEGER) && shape->bytes <= sizeof(int64_t);
    }
    hdf5_close_type(type);
    hdf5_close_space(space);
    return found;
}

/* The last matrix of the root group, and how many there are. */
static hid_t find_set(hid_t file, struct hdf5_shape *shape, int *found)
{
    char name[256];
    hid_t best = -1;
    *found = 0;
    for (hsize_t i = 0; h5.H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, i, name,
                                              sizeof name, H5P_DEFAULT) >= 0;
         i++) {
        struct hdf5_shape other;
        hid_t set = h5.H5Dopen2(file, name, H5P_DEFAULT);
        if (set >= 0 && take_shape(set, &other)) {
            ++*found;
            hdf5_close_set(best);
            best = set;
            *shape = other;
        } else {
            hdf5_close_set(set);
        }
    }
    return best;
}

/* A number of one value; other attributes of that name say nothing. */
static void take_unreachable(hid_t set, struct hdf5_shape *shape)
{
    hid_t attribute =
        h5.H5Aexists(set, "unreachable") > 0 ? h5.H5Aopen(set, "unreachable", H5P_DEFAULT) : -1;
    if (attribute < 0)
        return;
    hid_t space = h5.H5Aget_space(attribute), type = h5.H5Aget_type(attribute);
    int kind = type < 0 ? -1 : h5.H5Tget_class(type);
    if (space >= 0 && h5.H5Sget_simple_extent_npoints(space) == 1 &&
        kind == (shape->real ? H5T_FLOAT : H5T_INTEGER))
        shape->has_unreachable =
            h5.H5Aread(attribute, *(shape->real ? h5.H5T_IEEE_F64LE_g : h5.H5T_STD_I64LE_g),
                       &shape->unreachable) >= 0;
    hdf5_close_type(type);
    hdf5_close_space(space);
    h5.H5Aclose(attribute);
}

/* As hdf5_put_text has written it; others say nothing. */
static void take_scale(hid_t file, struct hdf5_shape *shape)
{
    hid_t attribute = h5.H5Aexists(file, HDF5_SCALE_NAME) > 0
                          ? h5.H5Aopen(file, HDF5_SCALE_NAME, H5P_DEFAULT)
                          : -1;
    if (attribute < 0)
        return;
    hid_t space = h5.H5Aget_space(attribute), type = h5.H5Aget_type(attribute),
          text = hdf5_text_type();
    char *found = NULL;
    if (space >= 0 && text >= 0 && h5.H5Sget_simple_extent_npoints(space) == 1 && type >= 0 &&
        h5.H5Tget_class(type) == H5T_STRING && h5.H5Aread(attribute, text, &found) >= 0 && found)
        snprintf(shape->scale, sizeof shape->scale, "%s", found);
    if (found)
        h5.H5free_memory(found);
    hdf5_close_type(text);
    hdf5_close_type(type);
    hdf5_close_space(space);
    h5.H5Aclose(attribute);
}

static int open_set(struct hdf5 *hdf5, const char *path, struct hdf5_shape *shape,
                    struct apsp_error *error)
{
    int found = 1;
    errno = 0;
    hid_t access = hdf5_access_list();
    hdf5->file = access < 0 ? -1 : h5.H5Fopen(path, H5F_ACC_RDONLY, access);
    hdf5_close_list(access);
    if (hdf5->file < 0)
        return hdf5_refuse(hdf5, "read", error);
    hdf5->set = h5.H5Lexists(hdf5->file, HDF5_DISTANCES, H5P_DEFAULT) > 0
                    ? h5.H5Dopen2(hdf5->file, HDF5_DISTANCES, H5P_DEFAULT)
                    : -1;
    if (hdf5->set < 0)
        hdf5->set = find_set(hdf5->file, shape, &found);
    else if (!take_shape(hdf5->set, shape))
        found = 0;
    if (found != 1)
        return error_set(error, APSP_INPUT,
                         "%s: has %d matrices of numbers in its root group, and none is called %s",
                         path, found, HDF5_DISTANCES);
    take_unreachable(hdf5->set, shape);
    take_scale(hdf5->file, shape);
    hdf5->columns = shape->columns;
    hdf5->real = shape->real;
    return APSP_OK;
}

int hdf5_open(struct hdf5 **out, const char *path, struct hdf5_shape *shape,
              struct apsp_error *error)
{
    struct hdf5 *hdf5 = hdf5_start(out, path, error);
    if (!hdf5 || hdf5_load(path, false, APSP_IO, error) != APSP_OK)
        return error->code;
#pragma omp critical(hdf5)
    open_set(hdf5, path, shape, error);
    return error->code;
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
               h5.H5Dread(hdf5->set, *(hdf5->real ? h5.H5T_IEEE_F64LE_g : h5.H5T_STD_I64LE_g),
                          memory, space, H5P_DEFAULT, values) >= 0;
        hdf5_close_space(space);
        hdf5_close_space(memory);
    }
    return done ? APSP_OK : hdf5_refuse(hdf5, "read", error);
}
