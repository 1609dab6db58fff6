/*
 * NumPy's format (NumPy Enhancement Proposal 1, versions 1.0 and 2.0): magic, version, the length of the rest
 * of the head, then a Python dictionary as text, filled with blanks up to a multiple of 64 bytes, and the
 * values. What is read may hold anything: the scanner takes the dictionaries that NumPy writes for arrays of
 * numbers, whatever their order and blanks, and nothing else.
 */
#include "rows/npy.h"

#include <stdio.h>
#include <string.h>

#define MAGIC "\x93NUMPY"

enum { MAGIC_BYTES = sizeof MAGIC - 1, ALIGN = 64, TEXT_MAX = 4096, WORD_MAX = 32 };

static const char *const names[DTYPE_COUNT] = {
    [DTYPE_U16] = "<u2", [DTYPE_I32] = "<i4", [DTYPE_I64] = "<i8", [DTYPE_F32] = "<f4", [DTYPE_F64] = "<f8"};

const char *npy_type(enum dtype dtype)
{
    return names[dtype];
}

size_t npy_head(char head[MATRIX_HEAD_MAX], const char *type, const char *shape)
{
    enum { START = MAGIC_BYTES + 4 };
    int length = snprintf(head + START, MATRIX_HEAD_MAX - START,
                          "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    size_t end = START + (size_t)length, bytes = (end + 1 + ALIGN - 1) / ALIGN * ALIGN, rest = bytes - START;
    memset(head + end, ' ', bytes - end);
    head[bytes - 1] = '\n';
    memcpy(head, MAGIC "\1", MAGIC_BYTES + 2); /* with the zero that ends it: version 1.0 */
    head[MAGIC_BYTES + 2] = (char)(rest & 255);
    head[MAGIC_BYTES + 3] = (char)(rest >> 8);
    return bytes;
}

static size_t write_head(char head[MATRIX_HEAD_MAX], size_t rows, size_t n, enum dtype dtype)
{
    char shape[WORD_MAX * 2];
    snprintf(shape, sizeof shape, "(%zu, %zu)", rows, n);
    return npy_head(head, names[dtype], shape);
}

/* What a dictionary says. */
struct head {
    char type[WORD_MAX];
    bool columns; /* first */
    size_t dimensions, shape[2];
    bool has_type, has_order, has_shape;
};

static void skip_space(const char **at)
{
    *at += strspn(*at, " \t\r\n");
}

static bool take(const char **at, const char *word)
{
    size_t length = strlen(word);
    skip_space(at);
    if (strncmp(*at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_string(const char **at, char text[WORD_MAX])
{
    skip_space(at);
    char quote = **at;
    if (quote != '\'' && quote != '"')
        return false;
    const char *start = *at + 1, *end = strchr(start, quote);
    if (!end || end - start >= WORD_MAX || memchr(start, '\\', (size_t)(end - start)))
        return false;
    memcpy(text, start, (size_t)(end - start));
    text[end - start] = '\0';
    *at = end + 1;
    return true;
}

static bool take_number(const char **at, size_t *value)
{
    size_t number = 0;
    skip_space(at);
    const char *start = *at;
    for (; **at >= '0' && **at <= '9'; ++*at)
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (size_t)(**at - '0'), &number))
            return false;
    *value = number;
    return *at > start;
}

static bool take_shape(const char **at, struct head *head)
{
    size_t length;
    if (!take(at, "("))
        return false;
    head->dimensions = 0;
    while (!take(at, ")")) {
        if (!take_number(at, &length))
            return false;
        if (head->dimensions < 2)
            head->shape[head->dimensions] = length;
        head->dimensions++;
        if (!take(at, ",")) {
            if (!take(at, ")"))
                return false;
            break;
        }
    }
    return true;
}

static bool take_pair(const char **at, struct head *head)
{
    char key[WORD_MAX];
    if (!take_string(at, key) || !take(at, ":"))
        return false;
    if (strcmp(key, "descr") == 0)
        return head->has_type = take_string(at, head->type);
    if (strcmp(key, "shape") == 0)
        return head->has_shape = take_shape(at, head);
    if (strcmp(key, "fortran_order") != 0)
        return false;
    head->columns = take(at, "True");
    return head->has_order = head->columns || take(at, "False");
}

/* True if all of the text is one dictionary with the three keys. */
static bool parse_head(const char *text, struct head *head)
{
    const char *at = text;
    if (!take(&at, "{"))
        return false;
    while (!take(&at, "}")) {
        if (!take_pair(&at, head))
            return false;
        if (!take(&at, ",")) {
            if (!take(&at, "}"))
                return false;
            break;
        }
    }
    skip_space(&at);
    return *at == '\0' && head->has_type && head->has_order && head->has_shape;
}

/* Reads the text, ends it with a zero, and sets matrix->body to the offset after it. */
static int read_text(struct matrix *matrix, char text[TEXT_MAX + 1], struct apsp_error *error)
{
    const struct file *file = &matrix->file;
    unsigned char start[MAGIC_BYTES + 6] = {0};
    size_t known = file->bytes < sizeof start ? file->bytes : sizeof start;
    if (file_read(file, 0, start, known, error) != APSP_OK)
        return error->code;
    if (known < MAGIC_BYTES + 4 || memcmp(start, MAGIC, MAGIC_BYTES) != 0)
        return error_set(error, APSP_INPUT, "%s: byte 0: this is no .npy file", file->path);
    unsigned version = start[MAGIC_BYTES];
    if ((version != 1 && version != 2) || start[MAGIC_BYTES + 1] != 0)
        return error_set(error, APSP_INPUT,
                         "%s: byte %d: version %u.%u of the .npy format, where 1.0 or 2.0 is needed",
                         file->path, MAGIC_BYTES, version, start[MAGIC_BYTES + 1]);
    size_t from = MAGIC_BYTES + (version == 1 ? 4 : 6), length = 0;
    for (size_t i = from; i-- > MAGIC_BYTES + 2;)
        length = length << 8 | start[i];
    if (length > TEXT_MAX || from + length > file->bytes)
        return error_set(error, APSP_INPUT, "%s: byte %d: a head of %zu bytes; %d at most, of a file of %zu",
                         file->path, MAGIC_BYTES + 2, length, TEXT_MAX, file->bytes);
    if (file_read(file, from, text, length, error) != APSP_OK)
        return error->code;
    text[length] = '\0';
    matrix->body = from + length;
    return memchr(text, '\0', length) ? error_set(error, APSP_INPUT, "%s: byte %zu: the head is no text",
                                                  file->path, from + strlen(text))
                                      : APSP_OK;
}

static int read_head(struct matrix *matrix, struct apsp_error *error)
{
    char text[TEXT_MAX + 1];
    struct head head = {0};
    const char *path = matrix->file.path;
    if (read_text(matrix, text, error) != APSP_OK)
        return error->code;
    if (!parse_head(text, &head))
        return error_set(error, APSP_INPUT, "%s: the .npy head is not that of an array of numbers: %.80s",
                         path, text);
    if (head.columns)
        return error_set(error, APSP_INPUT, "%s: is stored column by column (fortran_order), not row by row",
                         path);
    if (head.dimensions != 2)
        return error_set(error, APSP_INPUT, "%s: an array of %zu dimensions, where 2 are needed", path,
                         head.dimensions);
    if (head.shape[0] != matrix->n || head.shape[1] != matrix->n)
        return error_set(error, APSP_INPUT, "%s: an array of %zu x %zu, where %zu x %zu are needed", path,
                         head.shape[0], head.shape[1], matrix->n, matrix->n);
    for (int type = 0; type < DTYPE_COUNT; type++) {
        if (names[type] && strcmp(names[type], head.type) == 0) {
            matrix->dtype = (enum dtype)type;
            return APSP_OK;
        }
    }
    return error_set(error, APSP_INPUT, "%s: values of type '%s', where <u2, <i4, <i8, <f4 or <f8 is needed",
                     path, head.type);
}

const struct matrix_format matrix_npy = {".npy", true, DTYPE_COUNT, write_head, read_head};
