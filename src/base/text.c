#include "base/text.h"

#include "base/digits.h"
#include "base/plain.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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
    plain_print(text, TEXT_SHORT, "%.2f %s%s%s", value, prefixes[prefix],
                prefix > 0 && is_word ? " " : "", unit);
    return text;
}

/* Three digits, or all before the point. */
static char *print_unit(char text[TEXT_NUMBER], double value, const char *unit)
{
    plain_print(text, TEXT_NUMBER, "%.*f %s",
                value < 9.995   ? 2
                : value < 99.95 ? 1
                                : 0,
                value, unit);
    return text;
}

char *text_bytes(char text[TEXT_NUMBER], size_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes / 1024;
    size_t unit = 0;
    if (bytes < 1024) {
        snprintf(text, TEXT_NUMBER, "%zu B", bytes);
        return text;
    }
    for (; value >= 1023.5 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1024;
    return print_unit(text, value, units[unit]);
}

char *text_seconds(char text[TEXT_NUMBER], double seconds)
{
    static const struct {
        const char *name;
        double seconds, below; /* as many of the unit before */
    } units[] = {{"us", 1e-6, 0},  {"ms", 1e-3, 1e3}, {"s", 1, 1e3},
                 {"min", 60, 120}, {"h", 3600, 120},  {"d", 86400, 72}};
    size_t unit = 0;
    if (!isfinite(seconds)) {
        strcpy(text, "unknown");
        return text;
    }
    while (unit + 1 < sizeof units / sizeof *units &&
           seconds >= units[unit + 1].below * units[unit].seconds)
        unit++;
    return print_unit(text, seconds / units[unit].seconds, units[unit].name);
}

char *text_real(char text[TEXT_NUMBER], double value)
{
    *digits_shortest(text, value) = '\0';
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

bool text_has_suffix(const char *path, const char *suffixes)
{
    size_t length = strlen(path);
    while (*suffixes) {
        size_t tail = strcspn(suffixes, " ");
        if (length > tail && memcmp(path + length - tail, suffixes, tail) == 0)
            return true;
        suffixes += tail + strspn(suffixes + tail, " ");
    }
    return false;
}

/* The length of the UTF-8 character at p, or 0 where none begins. */
static size_t character_length(const unsigned char *p)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = *p < 0x80   ? 1
                    : *p < 0xc2 ? 0
                    : *p < 0xe0 ? 2
                    : *p < 0xf0 ? 3
                    : *p < 0xf5 ? 4
                                : 0;
    uint32_t code = length > 1 ? *p & 0x7fU >> length : *p;
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3f);
    }
    bool wrong = length > 1 &&
                 (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000));
    return wrong ? 0 : length;
}

bool text_is_valid(const char *text, size_t bytes)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + bytes;
    while (at < end) {
        const size_t length = *at < 0x80 ? 1 : character_length(at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

char *text_make_valid(const char *text)
{
    char *valid = malloc(2 * strlen(text) + 1), *out = valid;
    while (valid && *text) {
        size_t length = character_length((const unsigned char *)text);
        if (length > 0) {
            out = mempcpy(out, text, length);
        } else {
            *out++ = (char)(0xc0 | (unsigned char)*text >> 6);
            *out++ = (char)(0x80 | (*text & 0x3f));
        }
        text += length ? length : 1;
    }
    if (valid)
        *out = '\0';
    return valid;
}

/* The bytes of the control character at p, or 0 where none is. C1, which some terminals obey, is
 * 0x80 to 0x9f by itself and behind 0xc2 in UTF-8. */
static size_t control_length(const unsigned char *p)
{
    if (*p < ' ' || *p == 0x7f || (*p >= 0x80 && *p < 0xa0))
        return 1;
    return *p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0 ? 2 : 0;
}

/* The bytes of what comes next, a control character or not. */
static size_t next_length(const char *text, bool *control)
{
    size_t wrong = control_length((const unsigned char *)text),
           length = wrong ? wrong : character_length((const unsigned char *)text);
    *control = wrong > 0;
    return length ? length : 1;
}

void text_clean(char *text)
{
    bool control;
    for (size_t length; *text; text += length) {
        length = next_length(text, &control);
        if (control)
            memset(text, '?', length);
    }
}

void text_print_clean(FILE *out, const char *text)
{
    bool control;
    for (size_t length; *text; text += length) {
        length = next_length(text, &control);
        fwrite(control ? "??" : text, 1, length, out);
    }
}

void text_print_quoted(FILE *out, const char *text, bool clean)
{
    bool control;
    fputc('"', out);
    for (size_t length; *text; text += length) {
        length = next_length(text, &control);
        fwrite(clean && control ? "??" : text, 1, length, out);
        if (*text == '"')
            fputc('"', out);
    }
    fputc('"', out);
}

bool text_alike(const char *a, const char *b, size_t most)
{
    for (; most > 0; most--, a++, b++) {
        if (text_lower(*a) != text_lower(*b))
            return false;
        if (*a == '\0')
            break;
    }
    return true;
}

bool text_take_line(const char **lines, char *line, size_t room)
{
    if (!*lines || !**lines)
        return false;
    const size_t length = strcspn(*lines, "\n");
    snprintf(line, room, "%.*s", (int)length, *lines);
    *lines += length + ((*lines)[length] == '\n');
    return true;
}

size_t text_mark(const void *text, size_t bytes)
{
    static const unsigned char mark[TEXT_MARK] = {0xef, 0xbb, 0xbf};
    return bytes >= TEXT_MARK && memcmp(text, mark, TEXT_MARK) == 0 ? TEXT_MARK : 0;
}

size_t text_start(const void *text, size_t bytes)
{
    static const char line[] = "sep=";
    const size_t mark = text_mark(text, bytes), before = mark + strlen(line);
    const char *at = text;
    if (bytes < before + 2 || strncmp(at + mark, line, strlen(line)) != 0)
        return mark;
    const size_t end = before + 1 + (at[before + 1] == '\r');
    return end < bytes && at[end] == '\n' ? end + 1 : mark;
}

/* The next character of a text; returns where it ends. */
static char *put_json_character(char *out, const char **text)
{
    const size_t length = character_length((const unsigned char *)*text);
    if (length == 0 || (unsigned char)**text < ' ' || **text == '<')
        out += snprintf(out, TEXT_JSON + 1, "\\u%04x", (unsigned)(unsigned char)**text);
    else if (**text == '"' || **text == '\\')
        out += snprintf(out, TEXT_JSON + 1, "\\%c", **text);
    else
        out = (char *)memcpy(out, *text, length) + length;
    *text += length ? length : 1;
    return out;
}

char *text_put_json(char *out, const char *text)
{
    *out++ = '"';
    while (*text)
        out = put_json_character(out, &text);
    *out++ = '"';
    return out;
}

void text_print_json(FILE *out, const char *text)
{
    char character[TEXT_JSON + 1];
    fputc('"', out);
    while (*text)
        fwrite(character, 1, (size_t)(put_json_character(character, &text) - character), out);
    fputc('"', out);
}

static bool is_plain(const char *text)
{
    return !text[strcspn(text, ",;\t\"\r\n")] && *text != ' ';
}

/* A field that is not plain stands in quotes, and a quote in it twice. */
static size_t put_quoted(char out[2], char c)
{
    out[0] = out[1] = c;
    return c == '"' ? 2 : 1;
}

char *text_put_csv(char *out, const char *text)
{
    if (is_plain(text))
        return stpcpy(out, text);
    *out++ = '"';
    for (; *text; text++)
        out += put_quoted(out, *text);
    *out++ = '"';
    *out = '\0';
    return out;
}
