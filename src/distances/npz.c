/* Archives of one array of NumPy: numpy.savez and numpy.savez_compressed. */
#include "base/zip.h"
#include "distances/cells.h"

#include <stdlib.h>
#include <string.h>

static int take_member(struct distances *distances, struct zip *zip, struct apsp_error *error)
{
    const char *path = distances->file.path;
    struct range where;
    struct cells *cells = cells_new(distances, error);
    if (!cells || zip_open(zip, &distances->file, error) != APSP_OK)
        return error->code;
    if (zip_find(zip, "format.npy"))
        return error_set(
            error, APSP_INPUT,
            "%s: a sparse matrix of SciPy: it holds pairs, not whole rows of distances", path);
    if (zip->count != 1)
        return error_set(error, APSP_INPUT,
                         "%s: %zu arrays, where the file should hold one, of distances", path,
                         zip->count);
    if (zip_extract(zip, &zip->member[0], &cells->numbers.file, &where, error) != APSP_OK)
        return error->code;
    return cells_open(distances, where, error);
}

static int npz_open(struct distances *distances, struct apsp_error *error)
{
    struct zip *zip = malloc(sizeof *zip);
    if (zip)
        take_member(distances, zip, error);
    else
        error_set(error, APSP_MEMORY, "%s: no memory to open it", distances->file.path);
    free(zip);
    return error->code;
}

static enum graph_guess npz_guess(const struct graph_look *look)
{
    return look->have > 4 && memcmp(look->text, "PK\3\4", 4) == 0 ? GUESS_SURE : GUESS_NO;
}

const struct distances_format distances_npz = {
    .name = "npz",
    .about = "archive of NumPy with one array, compressed or not",
    .suffix = ".npz",
    .guess = npz_guess,
    .open = npz_open,
    .close = cells_close,
    .read = cells_read};
