#include "base/number.h"

#include "base/minmax.h"

#include <stdlib.h>

enum { DECIMALS_MAX = 9 };

/* Reads digits up to the first other byte; NULL when there are none, or when they exceed high. */
static const char *digits(const char *text, uint64_t high, uint64_t *value)
{
    uint64_t number = 0;
    if (*text < '0' || *text > '9')
        return NULL;
    for (; *text >= '0' && *text <= '9'; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, digit, &number) || number > high)
            return NULL;
    }
    *value = number;
    return text;
}

bool number_parse(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    uint64_t number;
    const char *end = digits(text, high, &number);
    if (!end || *end != '\0' || number < low)
        return false;
    *value = number;
    return true;
}

/* A decimal number, without its point. */
struct decimal {
    bool negative;
    uint64_t digits;
    int decimals; /* of the digits: those that follow the point */
};

/* Multiplies by ten and adds; false when that exceeds high. */
static bool append(struct decimal *decimal, uint64_t digit, uint64_t high)
{
    decimal->digits = 10 * decimal->digits + digit;
    return ++decimal->decimals <= DECIMALS_MAX && decimal->digits <= high;
}

/* Reads one up to the first byte that is none of its own; NULL as above. */
static const char *read_decimal(const char *text, uint64_t high, struct decimal *decimal)
{
    *decimal = (struct decimal){.negative = *text == '-'};
    text = digits(text + decimal->negative, high, &decimal->digits);
    if (!text || *text != '.')
        return text;
    for (text++; *text >= '0' && *text <= '9'; text++)
        if (!append(decimal, (uint64_t)(*text - '0'), high))
            return NULL;
    return decimal->decimals > 0 ? text : NULL;
}

static bool scale(struct decimal *decimal, int decimals, uint64_t high, int64_t *value)
{
    while (decimal->decimals < decimals)
        if (!append(decimal, 0, high))
            return false;
    *value = decimal->negative ? -(int64_t)decimal->digits : (int64_t)decimal->digits;
    return true;
}

bool number_parse_range(const char *text, int64_t high, int64_t *first, int64_t *second,
                        int *decimals)
{
    struct decimal from, to;
    const uint64_t limit = (uint64_t)high;
    int64_t low;
    const char *colon = read_decimal(text, limit, &from);
    const char *end = colon && *colon == ':' ? read_decimal(colon + 1, limit, &to) : NULL;
    if (!end || *end != '\0')
        return false;
    int most = int_max(from.decimals, to.decimals);
    if (!scale(&from, most, limit, &low) || !scale(&to, most, limit, second) || low > *second)
        return false;
    *first = low;
    *decimals = most;
    return true;
}

int number_order(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void number_sort(uint32_t *list, size_t count)
{
    enum { FEW = 32 };
    if (count > FEW) {
        qsort(list, count, sizeof *list, number_order);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint32_t x = list[i];
        size_t at = i;
        for (; at > 0 && list[at - 1] > x; at--)
            list[at] = list[at - 1];
        list[at] = x;
    }
}
