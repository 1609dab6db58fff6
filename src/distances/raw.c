/* Nothing but numbers, little-endian, row by row, of the type that the suffix names, else int32. */
#include "distances/cells.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char suffixes[] = ".u8 .u16 .u32 .u64 .i8 .i16 .i32 .i64 .f32 .f64";

/* Its letter, and the bits as a number. */
static void name_type(char type[NPY_TYPE], const char *path)
{
    const char *dot = strrchr(path, '.');
    strcpy(type, "<i4");
    if (text_has_suffix(path, suffixes))
        snprintf(type, NPY_TYPE, "<%c%ld", dot[1], strtol(dot + 2, NULL, 10) / 8);
}

static int raw_open(struct distances *distances, struct apsp_error *error)
{
    struct cells *cells = cells_new(distances, error);
    if (!cells)
        return error->code;
    struct numbers *numbers = &cells->numbers;
    name_type(numbers->head.type, distances->name);
    numbers_find_type(numbers);
    numbers->count = mem_bytes(distances->rows, distances->columns);
    size_t wanted = mem_bytes(numbers->count, numbers->each);
    if (distances->file.bytes != wanted)
        return error_set(error, APSP_INPUT,
                         "%s: has %zu bytes, but the distances from %zu vertices to %zu take %zu, "
                         "%zu each" FORMAT_OF_RUN,
                         distances->file.path, distances->file.bytes, distances->rows,
                         distances->columns, wanted, numbers->each, FORMAT_SETTINGS);
    return distances_settle(distances, numbers->kind, numbers->each, error);
}

const struct distances_format distances_raw = {.name = "raw",
                                               .about = "bare little-endian numbers, else of int32",
                                               .suffix = suffixes,
                                               .open = raw_open,
                                               .close = cells_close,
                                               .read = cells_read};
