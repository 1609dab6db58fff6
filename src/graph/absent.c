#include "graph/absent.h"

#include "base/plain.h"
#include "base/setting.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };

static bool take(struct absent *absent, const char *word)
{
    char *rest, *end;
    double real = plain_double(word, &rest);
    if (rest == word || *rest || absent->count == ABSENT_MAX)
        return false;
    if (isnan(real) || isinf(real)) {
        *(isnan(real) ? &absent->nan : &absent->infinite) = true;
        return true;
    }
    errno = 0;
    long long whole = strtoll(word, &end, 10);
    absent->value[absent->count].whole = whole;
    absent->value[absent->count].is_whole = !*end && errno == 0;
    absent->value[absent->count++].real = real;
    return true;
}

int absent_read(struct absent *absent, const char *list, const char *otherwise,
                struct apsp_error *error)
{
    char word[WORD];
    list = list ? list : otherwise;
    *absent = (struct absent){.count = 0};
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", length < WORD ? (int)length : 0, at);
        if (!take(absent, word))
            return error_set(error, APSP_USAGE,
                             "%s: '%s' is not a list such as 0,inf,nan, of at most %d numbers",
                             SETTING(NO_EDGE), list, ABSENT_MAX);
        at += length;
        if (!*at)
            return APSP_OK;
    }
}

bool absent_real(const struct absent *absent, double value)
{
    bool found = (absent->infinite && isinf(value)) || (absent->nan && isnan(value));
    for (int i = 0; i < absent->count; i++)
        found |= absent->value[i].real == value;
    return found;
}

bool absent_whole(const struct absent *absent, int64_t value)
{
    bool found = false;
    for (int i = 0; i < absent->count; i++)
        found |= absent->value[i].is_whole && absent->value[i].whole == value;
    return found;
}
