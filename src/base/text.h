/* Numbers as people read them. Each function fills text and returns it. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TEXT_NUMBER = 32, TEXT_SHORT = 96, TEXT_LINE = 256 };

char *text_count(char text[TEXT_NUMBER], size_t value); /* 1,234,567 */
char *text_amount(char text[TEXT_SHORT], double value,
                  const char *unit);                    /* 1.23 M edges/s, 4.56 GB */
char *text_bytes(char text[TEXT_NUMBER], size_t bytes); /* 512 B, 1.50 GiB */
char *text_seconds(char text[TEXT_NUMBER],
                   double seconds); /* 1.50 ms, 12.0 s, 3.50 h; "unknown" if infinite */
char *text_real(char text[TEXT_NUMBER],
                double value); /* as few digits as tell it from other doubles */
/* PASSED, 64 of 20,000 rows */
char *text_verdict(char text[TEXT_SHORT], size_t rows, size_t all);

/* A path or a name may hold any bytes, JSON only UTF-8: others are taken for the characters of
 * Latin-1. A copy to free(); NULL without memory. */
char *text_make_valid(const char *text);

/* Whether a text of so many bytes, which may be 0, is UTF-8. */
bool text_is_valid(const char *text, size_t bytes);

/* Whether the path ends with one of these suffixes, with blanks between them, after some name. */
bool text_has_suffix(const char *path, const char *suffixes);

/* Characters of ASCII, whatever the locale of the process, which is the caller's. */
static inline bool text_is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool text_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static inline bool text_is_hex(int c)
{
    return text_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static inline bool text_is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool text_is_alnum(int c)
{
    return text_is_letter(c) || text_is_digit(c);
}

static inline char text_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether the first `most` bytes of both, or all up to their ends, differ in the case of letters
 * of ASCII at most. */
bool text_alike(const char *a, const char *b, size_t most);

/* Copies the next line of *lines, as far as there is room, and goes beyond it; false at the end,
 * and of NULL. */
bool text_take_line(const char **lines, char *line, size_t room);

/* Bytes of the byte order mark of UTF-8, which is no part of a text, at its beginning: 0 without
 * one. */
enum { TEXT_MARK = 3 };
size_t text_mark(const void *text, size_t bytes);
/* The same, and the line "sep=;" that spreadsheets put before a list, with any character. */
size_t text_start(const void *text, size_t bytes);

/* A text from outside as it may come to a terminal: every byte of a control character, of ASCII or
 * of C1, becomes '?'. In place, and printed. */
void text_clean(char *text);
void text_print_clean(FILE *out, const char *text);
/* In quotes, and a quote in it twice; without control characters if `clean`. */
void text_print_quoted(FILE *out, const char *text, bool clean);

/* Any text as a string of JSON, others likewise, quotes and all; it may stand in a page of HTML. */
void text_print_json(FILE *out, const char *text);
/* The same: TEXT_JSON strlen(text) + 3 bytes at most. Returns where it ends, without terminator. */
enum { TEXT_JSON = 6 };
char *text_put_json(char *out, const char *text);
/* As a field of a table of comma-separated values: 2 strlen(text) + 3 bytes at most, the last for
 * the terminator, at which it returns. */
char *text_put_csv(char *out, const char *text);

#endif
