#include "number.h"

#include <stddef.h>

/* Reads digits up to the first other byte; NULL when there are none, or when they exceed high. */
static const char *digits(const char *text, uint64_t high, uint64_t *value)
{
    uint64_t number = 0;
    if (*text < '0' || *text > '9')
        return NULL;
    for (; *text >= '0' && *text <= '9'; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (__builtin_mul_overflow(number, 10, &number) || __builtin_add_overflow(number, digit, &number) ||
            number > high)
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

bool number_parse_range(const char *text, uint64_t low, uint64_t high, uint64_t *first, uint64_t *second)
{
    uint64_t from;
    const char *colon = digits(text, high, &from);
    if (!colon || *colon != ':' || from < low || !number_parse(colon + 1, from, high, second))
        return false;
    *first = from;
    return true;
}
