#include "base/hdf5_library.h"

#include "base/late.h"
#include "base/unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct hdf5_library h5;

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

bool hdf5_is_named(const char *path)
{
    const char *suffix = path ? strrchr(path, '.') : NULL;
    return suffix && (strcmp(suffix, ".h5") == 0 || strcmp(suffix, ".hdf5") == 0);
}

int hdf5_load(const char *path, bool writes, enum apsp_status code, struct apsp_error *error)
{
    static const char what[] = "an HDF5 file";
    struct apsp_error own = {0};
    bool started;
    if ((writes && deflate_load(path, what, &own)) || late_load(&late, path, what, &own))
        return error_set(error, code, "%s", own.text);
#pragma omp critical(hdf5)
    {
        h5.H5dont_atexit(); /* what could not be written is not tried again */
        started = h5.H5open() >= 0;
        if (started)
            h5.H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* it prints nothing by itself */
    }
    return started ? APSP_OK : error_set(error, code, "%s: the HDF5 library does not start", path);
}

int hdf5_refuse(const struct hdf5 *hdf5, const char *what, struct apsp_error *error)
{
    return error_set(error, APSP_IO, "%s: cannot be %s%s%s", hdf5->path, what,
                     errno ? ": " : " as HDF5", errno ? strerror(errno) : "");
}

struct hdf5 *hdf5_start(struct hdf5 **hdf5, const char *path, struct apsp_error *error)
{
    *hdf5 = calloc(1, sizeof **hdf5);
    if (!*hdf5)
        error_set(error, APSP_MEMORY, "%s: no memory to open it", path);
    else
        **hdf5 = (struct hdf5){.path = path, .file = -1, .set = -1};
    return *hdf5;
}

void hdf5_close_list(hid_t list)
{
    if (list >= 0)
        h5.H5Pclose(list);
}

void hdf5_close_space(hid_t space)
{
    if (space >= 0)
        h5.H5Sclose(space);
}

void hdf5_close_set(hid_t set)
{
    if (set >= 0)
        h5.H5Dclose(set);
}

void hdf5_close_type(hid_t type)
{
    if (type >= 0)
        h5.H5Tclose(type);
}

hid_t hdf5_access_list(void)
{
    hid_t list = h5.H5Pcreate(*h5.H5P_CLS_FILE_ACCESS_ID_g);
    if (list >= 0)
        h5.H5Pset_file_locking(list, false, true);
    return list;
}

hid_t hdf5_text_type(void)
{
    hid_t type = h5.H5Tcopy(*h5.H5T_C_S1_g);
    if (type >= 0 &&
        (h5.H5Tset_size(type, H5T_VARIABLE) < 0 || h5.H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        h5.H5Tclose(type);
        type = -1;
    }
    return type;
}

void hdf5_close(struct hdf5 *hdf5)
{
    if (!hdf5)
        return;
#pragma omp critical(hdf5)
    {
        hdf5_close_set(hdf5->set);
        if (hdf5->file >= 0)
            h5.H5Fclose(hdf5->file);
    }
    free(hdf5);
}
