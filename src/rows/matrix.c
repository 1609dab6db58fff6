#include "rows/matrix.h"

#include "base/mem.h"

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

/* Nothing but values: a file that names no type holds int32. */
static const struct matrix_format raw[] = {
    {".u8", false, DTYPE_U8, raw_write_head},   {".u16", false, DTYPE_U16, raw_write_head},
    {".i32", false, DTYPE_I32, raw_write_head}, {".i64", false, DTYPE_I64, raw_write_head},
    {".f32", false, DTYPE_F32, raw_write_head}, {".f64", false, DTYPE_F64, raw_write_head},
    {"", false, DTYPE_I32, raw_write_head}};

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
    return error_set(error, APSP_INPUT,
                     "%s: %s files hold %s, and the values are %s: name a file %s or .%s", path,
                     *format->suffix ? format->suffix : "raw",
                     *format->suffix ? format->suffix + 1 : "int32", dtype_info[dtype].name,
                     matrix_npy.suffix, dtype_info[dtype].name);
}

size_t matrix_bytes(const char *path, size_t rows, size_t n, enum dtype dtype)
{
    char head[MATRIX_HEAD_MAX];
    size_t bytes;
    mem_add(&bytes, body_bytes(rows, n, dtype),
            matrix_format_of(path)->write_head(head, rows, n, dtype));
    return bytes;
}
