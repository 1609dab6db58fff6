/*
 * NumPy's format (NumPy Enhancement Proposal 1, versions 1.0 to 3.0): magic, version, the length of
 * the rest of the head, then a Python dictionary as text, filled with blanks up to a multiple of 64
 * bytes, and the values. What is read may hold anything: the scanner takes the dictionaries that
 * NumPy writes for arrays of numbers, whatever their order and blanks, and nothing else.
 */
#include "base/npy.h"

#include <string.h>

enum { MAGIC_BYTES = sizeof NPY_MAGIC - 1, TEXT_MAX = 4096 };

/* What a dictionary says. */
struct head {
    struct npy *npy;
    bool has_type, has_order, has_shape;
};

static void skip_space(const char **at)
{
    *at += strspn(*at, " \t\r\n");
}

static bool take_word(const char **at, const char *word)
{
    size_t length = strlen(word);
    skip_space(at);
    if (strncmp(*at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_string(const char **at, char text[NPY_TYPE])
{
    skip_space(at);
    char quote = **at;
    if (quote != '\'' && quote != '"')
        return false;
    const char *start = *at + 1, *end = strchr(start, quote);
    if (!end || end - start >= NPY_TYPE || memchr(start, '\\', (size_t)(end - start)))
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
    if (!take_word(at, "("))
        return false;
    head->npy->dimensions = 0;
    while (!take_word(at, ")")) {
        if (!take_number(at, &length))
            return false;
        if (head->npy->dimensions < 2)
            head->npy->shape[head->npy->dimensions] = length;
        head->npy->dimensions++;
        if (!take_word(at, ",")) {
            if (!take_word(at, ")"))
                return false;
            break;
        }
    }
    return true;
}

static bool take_pair(const char **at, struct head *head)
{
    char key[NPY_TYPE];
    if (!take_string(at, key) || !take_word(at, ":"))
        return false;
    if (strcmp(key, "descr") == 0)
        return head->has_type = take_string(at, head->npy->type);
    if (strcmp(key, "shape") == 0)
        return head->has_shape = take_shape(at, head);
    if (strcmp(key, "fortran_order") != 0)
        return false;
    head->npy->columns = take_word(at, "True");
    return head->has_order = head->npy->columns || take_word(at, "False");
}

/* True if all of the text is one dictionary with the three keys. */
static bool parse_head(const char *text, struct head *head)
{
    const char *at = text;
    if (!take_word(&at, "{"))
        return false;
    while (!take_word(&at, "}")) {
        if (!take_pair(&at, head))
            return false;
        if (!take_word(&at, ",")) {
            if (!take_word(&at, "}"))
                return false;
            break;
        }
    }
    skip_space(&at);
    return *at == '\0' && head->has_type && head->has_order && head->has_shape;
}

/* Reads the text, ends it with a zero, and sets npy->body to the offset after it. */
static int read_text(struct npy *npy, const struct file *file, struct range where,
                     char text[TEXT_MAX + 1], struct apsp_error *error)
{
    unsigned char start[MAGIC_BYTES + 6] = {0};
    size_t known = range_length(where) < sizeof start ? range_length(where) : sizeof start,
           at = where.lo;
    if (file_read(file, at, start, known, error) != APSP_OK)
        return error->code;
    if (known < MAGIC_BYTES + 4 || memcmp(start, NPY_MAGIC, MAGIC_BYTES) != 0)
        return error_set(error, APSP_INPUT, "%s: byte %zu: this is not a .npy file", file->path,
                         at);
    unsigned version = start[MAGIC_BYTES];
    if (version < 1 || version > 3 || start[MAGIC_BYTES + 1] != 0)
        return error_set(
            error, APSP_INPUT,
            "%s: byte %zu: version %u.%u of the .npy format, where 1.0, 2.0 or 3.0 is needed",
            file->path, at + MAGIC_BYTES, version, start[MAGIC_BYTES + 1]);
    size_t from = MAGIC_BYTES + (version == 1 ? 4 : 6), length = 0;
    for (size_t i = from; i-- > MAGIC_BYTES + 2;)
        length = length << 8 | start[i];
    if (length > TEXT_MAX || from + length > range_length(where))
        return error_set(error, APSP_INPUT,
                         "%s: byte %zu: a head of %zu bytes; %d at most, of a file of %zu",
                         file->path, at + MAGIC_BYTES + 2, length, TEXT_MAX, range_length(where));
    if (file_read(file, at + from, text, length, error) != APSP_OK)
        return error->code;
    text[length] = '\0';
    npy->body = at + from + length;
    return memchr(text, '\0', length)
               ? error_set(error, APSP_INPUT, "%s: byte %zu: the head is not text", file->path,
                           at + from + strlen(text))
               : APSP_OK;
}

int npy_read(struct npy *npy, const struct file *file, struct range where, struct apsp_error *error)
{
    char text[TEXT_MAX + 1];
    *npy = (struct npy){.type = ""};
    struct head head = {.npy = npy};
    if (read_text(npy, file, where, text, error) != APSP_OK)
        return error->code;
    if (!parse_head(text, &head))
        return error_set(error, APSP_INPUT,
                         "%s: the .npy head is not that of an array of numbers: %.*s", file->path,
                         (int)strcspn(text, "\n") < 80 ? (int)strcspn(text, "\n") : 80, text);
    return APSP_OK;
}
