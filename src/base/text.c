#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

char *text_count(char text[TEXT_NUMBER], size_t value)
{
    char digits[TEXT_NUMBER];
    int length = snprintf(digits, sizeof digits, "%zu", value), out = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[out++] = ',';
        text[out++] = digits[i];
    }
    text[out] = '\0';
    return text;
}

char *text_amount(char text[TEXT_SHORT], double value, const char *unit)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    size_t prefix = 0;
    while (value >= 999.995 && prefix + 1 < sizeof prefixes / sizeof *prefixes) {
        value /= 1000;
        prefix++;
    }
    bool is_word = unit[0] >= 'a' && unit[0] <= 'z';
    snprintf(text, TEXT_SHORT, "%.2f %s%s%s", value, prefixes[prefix], prefix > 0 && is_word ? " " : "",
             unit);
    return text;
}

char *text_verdict(char text[TEXT_SHORT], size_t rows, size_t all)
{
    char some[TEXT_NUMBER], whole[TEXT_NUMBER];
    text_count(some, rows);
    text_count(whole, all);
    if (rows == all)
        snprintf(text, TEXT_SHORT, "PASSED, all %s rows", whole);
    else
        snprintf(text, TEXT_SHORT, "PASSED, %s of %s rows", some, whole);
    return text;
}
