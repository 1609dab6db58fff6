#include "rows/matrix.h"

#include "base/mem.h"

#include <string.h>

static size_t raw_write_head(char head[MATRIX_HEAD_MAX], size_t n, enum dtype dtype)
{
    (void)head;
    (void)n;
    (void)dtype;
    return 0;
}

static size_t body_bytes(size_t n, enum dtype dtype)
{
    size_t bytes;
    mem_mul(&bytes, n, n);
    mem_mul(&bytes, bytes, dtype_info[dtype].bytes);
    return bytes;
}

/* The size tells the type of whole numbers; that of no type is refused as int32. */
static int raw_read_head(struct matrix *matrix, struct apsp_error *error)
{
    (void)error;
    matrix->dtype = DTYPE_I32;
    matrix->body = 0;
    for (enum dtype type = DTYPE_U16; type <= DTYPE_I64; type++)
        if (matrix->file.bytes == body_bytes(matrix->n, type))
            matrix->dtype = type;
    return APSP_OK;
}

static const struct matrix_format raw = {"", false, raw_write_head, raw_read_head};

static const struct matrix_format *const formats[] = {&matrix_npy, &raw}; /* the default comes last */

const struct matrix_format *matrix_format_of(const char *path)
{
    size_t length = strlen(path), tail;
    const struct matrix_format *const *format = formats;
    while ((tail = strlen((*format)->suffix)) > length || strcmp(path + length - tail, (*format)->suffix))
        format++;
    return *format;
}

int matrix_check_type(const char *path, enum dtype dtype, bool asked, struct apsp_error *error)
{
    if (matrix_format_of(path)->typed || dtype == DTYPE_I32 || (asked && !dtype_info[dtype].real))
        return APSP_OK;
    return error_set(error, APSP_INPUT, "%s: raw files hold int32, and the distances are %s: name a file %s",
                     path, dtype_info[dtype].name, matrix_npy.suffix);
}

size_t matrix_bytes(const char *path, size_t n, enum dtype dtype)
{
    char head[MATRIX_HEAD_MAX];
    size_t bytes;
    mem_add(&bytes, body_bytes(n, dtype), matrix_format_of(path)->write_head(head, n, dtype));
    return bytes;
}

int matrix_open(struct matrix *matrix, const char *path, const struct graph *graph, struct apsp_error *error)
{
    size_t wanted;
    *matrix = (struct matrix){.n = graph->n};
    if (file_open(&matrix->file, path, "the distances", error) != APSP_OK ||
        matrix_format_of(path)->read_head(matrix, error) != APSP_OK)
        return error->code;
    mem_add(&wanted, body_bytes(graph->n, matrix->dtype), matrix->body);
    if (matrix->file.bytes != wanted)
        return error_set(error, APSP_INPUT, "%s: has %zu bytes, but the distances of %zu vertices take %zu",
                         path, matrix->file.bytes, graph->n, wanted);
    if (graph->real && !dtype_info[matrix->dtype].real)
        return error_set(error, APSP_INPUT,
                         "%s: has distances of type %s, but the weights of %s are real numbers", path,
                         dtype_info[matrix->dtype].name, graph->path);
    return APSP_OK;
}

void matrix_close(struct matrix *matrix)
{
    file_close(&matrix->file);
}

int matrix_read(const struct matrix *matrix, size_t row, size_t column, size_t count, void *values,
                struct apsp_error *error)
{
    size_t each = dtype_info[matrix->dtype].bytes;
    return file_read(&matrix->file, matrix->body + (row * matrix->n + column) * each, values, count * each,
                     error);
}
