#include "rows/matrix.h"

#include "base/mem.h"
#include "rows/convert.h"
#include "rows/pairs.h"

#include <string.h>

static size_t raw_write_head(char head[MATRIX_HEAD_MAX], size_t rows, size_t n, enum dtype dtype)
{
    (void)head;
    (void)rows;
    (void)n;
    (void)dtype;
    return 0;
}

static size_t body_bytes(size_t rows, size_t n, enum dtype dtype)
{
    size_t bytes;
    mem_mul(&bytes, rows, n);
    mem_mul(&bytes, bytes, dtype_info[dtype].bytes);
    return bytes;
}

static int raw_read_head(struct matrix *matrix, struct apsp_error *error)
{
    (void)error;
    matrix->file_type = matrix_format_of(matrix->file.path)->dtype;
    matrix->body = 0;
    return APSP_OK;
}

/* Nothing but values: a file that names no type holds int32. */
static const struct matrix_format raw[] = {{".u8", false, DTYPE_U8, raw_write_head, raw_read_head},
                                           {".u16", false, DTYPE_U16, raw_write_head, raw_read_head},
                                           {".i32", false, DTYPE_I32, raw_write_head, raw_read_head},
                                           {".i64", false, DTYPE_I64, raw_write_head, raw_read_head},
                                           {".f32", false, DTYPE_F32, raw_write_head, raw_read_head},
                                           {".f64", false, DTYPE_F64, raw_write_head, raw_read_head},
                                           {"", false, DTYPE_I32, raw_write_head, raw_read_head}};

static bool has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), tail = strlen(suffix);
    return tail <= length && strcmp(path + length - tail, suffix) == 0;
}

const struct matrix_format *matrix_format_of(const char *path)
{
    const struct matrix_format *format = raw;
    if (has_suffix(path, matrix_npy.suffix))
        return &matrix_npy;
    while (!has_suffix(path, format->suffix)) /* all have the last one's */
        format++;
    return format;
}

int matrix_type_named(const char *path)
{
    const struct matrix_format *format = matrix_format_of(path);
    return format->typed || !*format->suffix ? -1 : (int)format->dtype;
}

int matrix_check_type(const char *path, enum dtype dtype, struct apsp_error *error)
{
    const struct matrix_format *format = matrix_format_of(path);
    if (format->typed || format->dtype == dtype)
        return APSP_OK;
    return error_set(error, APSP_INPUT, "%s: %s files hold %s, and the values are %s: name a file %s or .%s",
                     path, *format->suffix ? format->suffix : "raw",
                     *format->suffix ? format->suffix + 1 : "int32", dtype_info[dtype].name,
                     matrix_npy.suffix, dtype_info[dtype].name);
}

size_t matrix_bytes(const char *path, size_t rows, size_t n, enum dtype dtype)
{
    char head[MATRIX_HEAD_MAX];
    size_t bytes;
    mem_add(&bytes, body_bytes(rows, n, dtype), matrix_format_of(path)->write_head(head, rows, n, dtype));
    return bytes;
}

int matrix_open(struct matrix *matrix, const char *path, const struct graph *graph, struct apsp_error *error)
{
    size_t wanted;
    *matrix = (struct matrix){.n = graph->n, .file.fd = -1};
    if (pairs_format_of(path))
        return error_set(error, APSP_INPUT,
                         "%s: a file of this kind holds pairs, not whole rows of distances", path);
    if (file_open(&matrix->file, path, "the distances", error) != APSP_OK ||
        matrix_format_of(path)->read_head(matrix, error) != APSP_OK)
        return error->code;
    mem_add(&wanted, body_bytes(graph->n, graph->n, matrix->file_type), matrix->body);
    matrix->dtype = dtype_info[matrix->file_type].rows;
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
    size_t each = dtype_info[matrix->file_type].bytes;
    file_read(&matrix->file, matrix->body + (row * matrix->n + column) * each, values, count * each, error);
    if (!error->code && matrix->file_type != matrix->dtype)
        convert_from_u8(values, count);
    return error->code;
}
