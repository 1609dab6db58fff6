#include "distances/cells.h"

#include "base/minmax.h"

#include <stdlib.h>

struct cells *cells_new(struct distances *distances, struct apsp_error *error)
{
    struct cells *cells = distances->own = calloc(1, sizeof *cells);
    if (!cells) {
        error_set(error, APSP_MEMORY, "%s: no memory to open the distances", distances->file.path);
        return NULL;
    }
    cells->numbers = (struct numbers){.name = "the array", .file = distances->file};
    cells->numbers.file.unnamed = false; /* it is not this one's to close */
    return cells;
}

int cells_open(struct distances *distances, struct range where, struct apsp_error *error)
{
    struct cells *cells = distances->own;
    struct numbers *numbers = &cells->numbers;
    const struct npy *head = &numbers->head;
    if (npy_read(&numbers->head, &numbers->file, where, error) != APSP_OK)
        return error->code;
    if (head->dimensions == 2 &&
        (head->shape[0] != distances->rows || head->shape[1] != distances->columns))
        return error_set(error, APSP_INPUT,
                         "%s: an array of %zu x %zu, where %zu x %zu are needed" FORMAT_OF_RUN,
                         distances->file.path, head->shape[0], head->shape[1], distances->rows,
                         distances->columns, FORMAT_SETTINGS);
    if (numbers_open(numbers, where, 2, error) != APSP_OK)
        return error->code;
    return distances_settle(distances, numbers->kind, numbers->each, error);
}

/* Row by row in the file: one piece, or one for each row. */
static int read_by_rows(const struct distances *distances, struct range rows, struct range columns,
                        union value *values, struct apsp_error *error)
{
    const struct numbers *numbers = &((const struct cells *)distances->own)->numbers;
    size_t width = distances->columns, wanted = range_length(columns);
    if (wanted == width)
        return numbers_read(numbers, (struct range){rows.lo * width, rows.hi * width}, values,
                            error);
    for (size_t i = rows.lo; i < rows.hi; i++, values += wanted)
        if (numbers_read(numbers, (struct range){i * width + columns.lo, i * width + columns.hi},
                         values, error) != APSP_OK)
            return error->code;
    return APSP_OK;
}

/* Where column j begins in the file, as if it had all rows. */
static size_t column_start(const struct distances *distances, bool lower, size_t j)
{
    return lower ? j * (distances->rows - 1) - j * (j - 1) / 2 : j * distances->rows;
}

/* The entries of a column from `rows`, or of a row that is above the diagonal, go to values[0],
 * values[step] and so on. */
static int read_run(const struct distances *distances, struct range run, union value *values,
                    size_t step, struct apsp_error *error)
{
    union value piece[NUMBERS_BUFFER];
    while (range_length(run) > 0) {
        size_t count = size_min(range_length(run), NUMBERS_BUFFER);
        if (numbers_read(&((const struct cells *)distances->own)->numbers,
                         (struct range){run.lo, run.lo + count}, piece, error) != APSP_OK)
            return error->code;
        for (size_t i = 0; i < count; i++, values += step)
            *values = piece[i];
        run.lo += count;
    }
    return APSP_OK;
}

static int read_by_columns(const struct distances *distances, struct range rows,
                           struct range columns, union value *values, struct apsp_error *error)
{
    const bool lower = ((const struct cells *)distances->own)->lower;
    const size_t wanted = range_length(columns);
    for (size_t j = columns.lo; j < columns.hi; j++) {
        size_t start = column_start(distances, lower, j),
               first = lower ? size_max(j, rows.lo) : rows.lo;
        if (first < rows.hi && read_run(distances, (struct range){start + first, start + rows.hi},
                                        values + (first - rows.lo) * wanted + (j - columns.lo),
                                        wanted, error) != APSP_OK)
            return error->code;
    }
    for (size_t i = rows.lo; lower && i < rows.hi; i++) {
        size_t start = column_start(distances, lower, i),
               first = i >= columns.lo ? i + 1 : columns.lo;
        if (first < columns.hi &&
            read_run(distances, (struct range){start + first, start + columns.hi},
                     values + (i - rows.lo) * wanted + (first - columns.lo), 1, error) != APSP_OK)
            return error->code;
    }
    return APSP_OK;
}

int cells_read(const struct distances *distances, struct range rows, struct range columns,
               union value *values, struct apsp_error *error)
{
    const struct cells *cells = distances->own;
    return (cells->numbers.head.columns ? read_by_columns : read_by_rows)(distances, rows, columns,
                                                                          values, error);
}

void cells_close(struct distances *distances)
{
    struct cells *cells = distances->own;
    if (cells && cells->numbers.file.unnamed)
        file_close(&cells->numbers.file);
    free(cells);
    distances->own = NULL;
}
