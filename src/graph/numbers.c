#include "graph/numbers.h"

#include "base/mem.h"
#include "base/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EACH_MAX = 8 };

/* The bytes that the type's letter may have. */
static const struct {
    char letter;
    enum numbers_kind kind;
    const char *bytes;
} types[] = {{'b', NUMBERS_BOOL, "1"},
             {'i', NUMBERS_INT, "1248"},
             {'u', NUMBERS_UNSIGNED, "1248"},
             {'f', NUMBERS_REAL, "248"}};

bool numbers_find_type(struct numbers *numbers)
{
    const char *type = numbers->head.type;
    if (strlen(type) != 3 || !strchr("<>|=", type[0]))
        return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (type[1] == types[i].letter && strchr(types[i].bytes, type[2])) {
            numbers->kind = types[i].kind;
            numbers->each = (size_t)(type[2] - '0');
            numbers->swapped = type[0] == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '>' : '<');
            return numbers->each == 1 || type[0] != '|';
        }
    return false;
}

int numbers_open(struct numbers *numbers, struct range where, size_t dimensions,
                 struct apsp_error *error)
{
    const char *path = numbers->file.path;
    size_t bytes;
    if (npy_read(&numbers->head, &numbers->file, where, error) != APSP_OK)
        return error->code;
    if (numbers->head.dimensions != dimensions)
        return error_set(error, APSP_INPUT, "%s: %s has %zu dimensions, where %zu are needed", path,
                         numbers->name, numbers->head.dimensions, dimensions);
    if (!numbers_find_type(numbers))
        return error_set(error, APSP_INPUT,
                         "%s: %s has values of type '%s', where numbers of at most 64 bits are "
                         "needed: b1, i1 to "
                         "i8, u1 to u8, f2, f4 or f8",
                         path, numbers->name, numbers->head.type);
    numbers->count = numbers->head.shape[0];
    if (dimensions == 2)
        mem_mul(&numbers->count, numbers->count, numbers->head.shape[1]);
    bytes = mem_bytes(numbers->count, numbers->each);
    if (bytes != where.hi - numbers->head.body)
        return error_set(
            error, APSP_INPUT,
            "%s: %s has %zu values of %zu bytes by its head, which has %zu bytes after it", path,
            numbers->name, numbers->count, numbers->each, where.hi - numbers->head.body);
    return APSP_OK;
}

void numbers_begin(struct numbers_stream *stream, const struct numbers *numbers, struct range range)
{
    stream->numbers = numbers;
    stream->at = range.lo;
    stream->end = range.hi;
    stream->used = stream->have = 0;
}

static double half_real(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = exponent == 0    ? ldexp(fraction, -24)
                  : exponent == 31 ? (fraction ? NAN : INFINITY)
                                   : ldexp(fraction + 1024, exponent - 25);
    return bits >> 15 ? -size : size;
}

/* Those of a kind, from bytes in this machine's order. */
#define CONVERT(type, field, expression)                                                           \
    do {                                                                                           \
        for (size_t i = 0; i < count; i++) {                                                       \
            type x;                                                                                \
            memcpy(&x, bytes + i * sizeof x, sizeof x);                                            \
            value[i].field = expression;                                                           \
        }                                                                                          \
    } while (0)

static void convert_whole(const struct numbers *numbers, const unsigned char *bytes, size_t count,
                          union value *value)
{
    bool is_signed = numbers->kind == NUMBERS_INT;
    switch (numbers->each) {
    case 1:
        if (is_signed)
            CONVERT(int8_t, whole, x);
        else
            CONVERT(uint8_t, whole, x);
        break;
    case 2:
        if (is_signed)
            CONVERT(int16_t, whole, x);
        else
            CONVERT(uint16_t, whole, x);
        break;
    case 4:
        if (is_signed)
            CONVERT(int32_t, whole, x);
        else
            CONVERT(uint32_t, whole, x);
        break;
    default:
        if (is_signed)
            CONVERT(int64_t, whole, x);
        else
            CONVERT(uint64_t, whole, x > INT64_MAX ? INT64_MAX : (int64_t)x);
    }
}

static void convert_real(const struct numbers *numbers, const unsigned char *bytes, size_t count,
                         union value *value)
{
    if (numbers->each == 2)
        CONVERT(uint16_t, real, half_real(x));
    else if (numbers->each == 4)
        CONVERT(float, real, (double)x);
    else
        CONVERT(double, real, x);
    for (size_t i = 0; i < count; i++)
        value[i].real = value[i].real == 0 ? 0 : value[i].real; /* -0.0 too */
}

static void swap(unsigned char *bytes, size_t count, size_t each)
{
    for (size_t i = 0; i < count; i++, bytes += each)
        for (size_t a = 0, b = each - 1; a < b; a++, b--) {
            unsigned char byte = bytes[a];
            bytes[a] = bytes[b];
            bytes[b] = byte;
        }
}

int numbers_read(const struct numbers *numbers, struct range range, union value *values,
                 struct apsp_error *error)
{
    unsigned char bytes[NUMBERS_BUFFER * EACH_MAX];
    while (range_length(range) > 0) {
        size_t count = range_length(range) < NUMBERS_BUFFER ? range_length(range) : NUMBERS_BUFFER;
        if (file_read(&numbers->file, numbers->head.body + range.lo * numbers->each, bytes,
                      count * numbers->each, error) != APSP_OK)
            return error->code;
        if (numbers->swapped)
            swap(bytes, count, numbers->each);
        (numbers_real(numbers) ? convert_real : convert_whole)(numbers, bytes, count, values);
        range.lo += count;
        values += count;
    }
    return APSP_OK;
}

int numbers_fill(struct numbers_stream *stream, struct apsp_error *error)
{
    size_t left = stream->end - stream->at, count = left < NUMBERS_BUFFER ? left : NUMBERS_BUFFER;
    if (numbers_read(stream->numbers, (struct range){stream->at, stream->at + count}, stream->value,
                     error))
        return error->code;
    stream->at += count;
    stream->used = 0;
    stream->have = count;
    return APSP_OK;
}

bool numbers_is_weight(const struct numbers *numbers, union value value)
{
    return numbers_real(numbers) ? isfinite(value.real)
                                 : value.whole >= -WEIGHT_MAX && value.whole <= WEIGHT_MAX;
}

char *numbers_show(const struct numbers *numbers, union value value, char text[NUMBERS_SHOWN])
{
    if (numbers_real(numbers))
        plain_print(text, NUMBERS_SHOWN, "%g", value.real);
    else
        snprintf(text, NUMBERS_SHOWN, "%lld", (long long)value.whole);
    return text;
}
