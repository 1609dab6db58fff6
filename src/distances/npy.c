/* Arrays of NumPy, of numbers of any type and byte order, by rows or by columns: numpy.save. */
#include "distances/cells.h"

#include <string.h>

static int npy_open(struct distances *distances, struct apsp_error *error)
{
    return cells_new(distances, error)
               ? cells_open(distances, (struct range){0, distances->file.bytes}, error)
               : error->code;
}

static enum graph_guess npy_guess(const struct graph_look *look)
{
    size_t length = strlen(NPY_MAGIC);
    return look->have > length && memcmp(look->text, NPY_MAGIC, length) == 0 ? GUESS_SURE
                                                                             : GUESS_NO;
}

const struct distances_format distances_npy = {.name = "npy",
                                               .about = "array of NumPy, of any numbers",
                                               .suffix = ".npy",
                                               .guess = npy_guess,
                                               .open = npy_open,
                                               .close = cells_close,
                                               .read = cells_read};
