#include "graph/lines.h"

#include "base/plain.h"
#include "base/scale.h"
#include "base/setting.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a bad field that a message shows, and of the shortest line, so that only what no lines
 * at all can explain is blamed on the header. */
enum { SHOWN = 40, LINE_MIN = 2 };

const unsigned char *line_skip_blanks(const unsigned char *at)
{
    while (line_is_blank(*at))
        at++;
    return at;
}

const unsigned char *line_token_end(const unsigned char *at)
{
    while (!line_is_blank(*at) && !line_is_end(at))
        at++;
    return at;
}

const unsigned char *line_scan_whole(const unsigned char *at, int64_t low, int64_t high,
                                     int64_t *value)
{
    at = line_skip_blanks(at);
    bool negative = *at == '-' && low < 0;
    uint64_t number = 0, limit = negative ? -(uint64_t)low : (uint64_t)high;
    at += negative || (*at == '+' && low < 0);
    unsigned digit = *at - (unsigned)'0';
    if (digit > 9)
        return NULL;
    do {
        if (number > limit / 10)
            return NULL;
        number = number * 10 + digit;
        if (number > limit)
            return NULL;
        digit = *++at - (unsigned)'0';
    } while (digit <= 9);
    *value = negative ? (int64_t)-number : (int64_t)number;
    return *value >= low && (line_is_blank(*at) || line_is_end(at)) ? at : NULL;
}

/* A decimal number as it is written. */
struct decimal {
    bool negative;
    uint64_t digits; /* without zeros at their ends; of no use if there are more than DIGITS */
    int count;       /* of them */
    int exponent;    /* the number is digits 10^exponent */
};

enum { DIGITS = 15, EXPONENT_MOST = 1 << 20 };

/* Digits of the whole part, or of the fraction; *zeros are those that may yet prove to be at the
 * end. */
static const unsigned char *scan_digits(const unsigned char *at, struct decimal *decimal,
                                        int *zeros)
{
    for (; (unsigned)*at - '0' <= 9; at++) {
        if (*at == '0') {
            *zeros += decimal->count > 0;
            continue;
        }
        for (; *zeros > 0 && decimal->count <= DIGITS; --*zeros, decimal->count++)
            decimal->digits *= 10;
        *zeros = 0;
        decimal->digits = decimal->digits * 10 + (*at - (unsigned)'0');
        decimal->count++;
    }
    return at;
}

static const unsigned char *scan_exponent(const unsigned char *at, int *exponent)
{
    bool negative = *at == '-';
    int number = 0;
    at += negative || *at == '+';
    if ((unsigned)*at - '0' > 9)
        return NULL;
    for (; (unsigned)*at - '0' <= 9; at++)
        number = number < EXPONENT_MOST ? number * 10 + (*at - '0') : number;
    *exponent += negative ? -number : number;
    return at;
}

static const unsigned char *scan_decimal(const unsigned char *at, struct decimal *decimal)
{
    const unsigned char *begin, *point;
    int zeros = 0, digits;
    *decimal = (struct decimal){.negative = *at == '-'};
    at += *at == '-' || *at == '+';
    begin = at;
    point = at = scan_digits(at, decimal, &zeros);
    if (*at == '.')
        at = scan_digits(at + 1, decimal, &zeros);
    digits = (int)(at - begin) - (at > point);
    decimal->exponent = zeros - (at > point ? (int)(at - point) - 1 : 0);
    if (digits > 0 && (*at == 'e' || *at == 'E'))
        at = scan_exponent(at + 1, &decimal->exponent);
    return digits > 0 ? at : NULL;
}

/* One that is left to the C library. */
static bool convert(const unsigned char *at, size_t length, double *value)
{
    char copy[LINE_LONGEST + 1];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, at, length);
    copy[length] = '\0';
    *value = plain_double(copy, NULL);
    return isfinite(*value);
}

/* Of few digits it is a quotient or a product of two numbers that are doubles, rounded once. */
const unsigned char *line_scan_real(const unsigned char *at, double *value, bool *rough)
{
    struct decimal decimal;
    at = line_skip_blanks(at);
    const unsigned char *end = scan_decimal(at, &decimal);
    if (!end || !(line_is_blank(*end) || line_is_end(end)))
        return NULL;
    const int exponent = decimal.exponent;
    if (decimal.count <= DIGITS && abs(exponent) <= SCALE_POWER) {
        double digits = (double)decimal.digits;
        *value = exponent < 0 ? digits / scale_ten[-exponent] : digits * scale_ten[exponent];
        *value = decimal.negative && *value > 0 ? -*value : *value;
        return end;
    }
    if (!convert(at, (size_t)(end - at), value))
        return NULL;
    *value = *value == 0 ? 0 : *value;
    *rough |= decimal.count > DIGITS;
    return end;
}

size_t line_number(const struct graph *graph, size_t offset)
{
    unsigned char block[1 << 15];
    size_t lines = 1;
    for (size_t at = 0; at < offset;) {
        struct apsp_error ignored = {0};
        size_t bytes = offset - at < sizeof block ? offset - at : sizeof block;
        if (file_read(&graph->file, at, block, bytes, &ignored) != APSP_OK)
            break;
        for (size_t i = 0; i < bytes; i++)
            lines += block[i] == '\n';
        at += bytes;
    }
    return lines;
}

size_t line_last(const struct graph_part *part)
{
    const struct file_part *file = (const struct file_part *)part;
    return line_number(part->graph, file_part_offset(file) - 1);
}

/* Copies the run of non-blanks at `at` for a message: printable and cut. */
static void show_token(char shown[SHOWN + 4], const unsigned char *at)
{
    size_t length = (size_t)(line_token_end(at) - at), kept = length < SHOWN ? length : SHOWN;
    for (size_t i = 0; i < kept; i++)
        shown[i] = at[i] > ' ' && at[i] < 127 ? (char)at[i] : '?';
    strcpy(shown + kept, length > SHOWN ? "..." : "");
}

static const unsigned char *scan_field(const unsigned char *at, const struct line_field *field)
{
    int64_t whole;
    double real;
    bool rough = false;
    return field->real ? line_scan_real(at, &real, &rough)
                       : line_scan_whole(at, field->low, field->high, &whole);
}

static int refuse_field(const struct graph *graph, size_t line, const unsigned char *at,
                        const struct line_field *field, struct apsp_error *error)
{
    char shown[SHOWN + 4];
    double real;
    bool rough = false;
    show_token(shown, at);
    if (field->real)
        return error_set(error, APSP_INPUT, "%s:%zu: %s '%s' is not a finite decimal number",
                         graph->path, line, field->name, shown);
    const bool decimal = strchr(shown, '.') && line_scan_real(at, &real, &rough);
    return error_set(error, APSP_INPUT, "%s:%zu: %s '%s' is not an integer from %lld to %lld%s%s%s",
                     graph->path, line, field->name, shown, (long long)field->low,
                     (long long)field->high, decimal ? "; decimals need a list of edges (" : "",
                     decimal ? SETTING(FORMAT) : "", decimal ? " list) or MatrixMarket" : "");
}

int line_refuse_fields(const struct graph *graph, const struct line *line, const unsigned char *at,
                       const struct line_field *fields, int count, struct apsp_error *error)
{
    char shown[SHOWN + 4];
    size_t number = line_number(graph, line->offset);
    for (int i = 0; i < count; i++) {
        at = line_skip_blanks(at);
        if (line_is_end(at))
            return error_set(error, APSP_INPUT,
                             "%s:%zu: the %s is missing: %d fields, where %d are needed",
                             graph->path, number, fields[i].name, i, count);
        const unsigned char *after = scan_field(at, &fields[i]);
        if (!after)
            return refuse_field(graph, number, at, &fields[i], error);
        at = after;
    }
    show_token(shown, line_skip_blanks(at));
    return error_set(error, APSP_INPUT, "%s:%zu: '%s' follows the last of %d fields", graph->path,
                     number, shown, count);
}

int line_refuse(const struct graph *graph, const struct line *line, const char *what,
                struct apsp_error *error)
{
    char shown[SHOWN + 4];
    show_token(shown, line->text);
    return error_set(error, APSP_INPUT, "%s:%zu: %s '%s'", graph->path,
                     line_number(graph, line->offset), what, shown);
}

int line_refuse_at(const struct graph *graph, size_t offset, const char *what,
                   struct apsp_error *error)
{
    return error_set(error, APSP_INPUT, "%s:%zu: %s", graph->path, line_number(graph, offset),
                     what);
}

/* The next bytes of the buffer hold no 0, wherever a part begins. */
static int check_text(const struct file_part *part, size_t length, struct apsp_error *error)
{
    const unsigned char *text = part->buffer + part->used,
                        *nul = length ? memchr(text, '\0', length) : NULL;
    if (!nul)
        return APSP_OK;
    return error_set(error, APSP_INPUT,
                     "%s:%zu: byte %zu is 0: this is not text, unless it is UTF-16, which iconv -f "
                     "UTF-16LE -t UTF-8 prints as UTF-8",
                     part->graph->path, line_number(part->graph, file_part_offset(part)),
                     file_part_offset(part) + (size_t)(nul - text));
}

int line_skip(struct file_part *part, struct apsp_error *error)
{
    for (;;) {
        const unsigned char *text = part->buffer + part->used;
        size_t rest = part->have - part->used;
        const unsigned char *end = rest ? memchr(text, '\n', rest) : NULL;
        size_t length = end ? (size_t)(end - text) + 1 : rest;
        if (check_text(part, length, error) != APSP_OK)
            return error->code;
        part->used += length;
        if (end || file_part_ends(part) || file_part_offset(part) >= part->hi)
            return APSP_OK;
        if (file_part_fill(part, error) != APSP_OK)
            return error->code;
    }
}

/* Makes the buffer hold the next line to its end, or at least LINE_LONGEST bytes of it; NULL *end
 * then. */
static int buffer_line(struct file_part *part, const unsigned char **end, struct apsp_error *error)
{
    for (;;) {
        unsigned char *text = part->buffer + part->used;
        size_t rest = part->have - part->used;
        *end = rest ? memchr(text, '\n', rest) : NULL;
        if (*end || rest > LINE_LONGEST)
            return APSP_OK;
        if (rest > 0 && file_part_ends(part)) {
            text[rest] = '\n';
            *end = text + rest;
            return APSP_OK;
        }
        if (file_part_fill(part, error) != APSP_OK)
            return error->code;
    }
}

int line_begin(struct file_part *part, struct apsp_error *error)
{
    if (part->have > 0 || part->lo <= part->file->body)
        return APSP_OK;
    part->at = part->lo - 1;
    return line_skip(part, error);
}

int line_next(struct file_part *part, const char *comments, struct line *line,
              struct apsp_error *error)
{
    const unsigned char *end;
    line->text = NULL;
    while (file_part_offset(part) < part->hi) {
        if (buffer_line(part, &end, error) != APSP_OK)
            return error->code;
        const unsigned char *start = part->buffer + part->used, *text = start;
        size_t known = end ? (size_t)(end - start) : LINE_LONGEST;
        while (text < start + known && line_is_blank(*text))
            text++;
        if (text < start + known && *text && strchr(comments, *text)) {
            if (line_skip(part, error) != APSP_OK)
                return error->code;
            continue;
        }
        line->offset = file_part_offset(part);
        if (!end || known > LINE_LONGEST)
            return error_set(error, APSP_INPUT,
                             "%s:%zu: byte %zu: the line is longer than %d bytes",
                             part->graph->path, line_number(part->graph, line->offset),
                             line->offset, LINE_LONGEST);
        if (check_text(part, known, error) != APSP_OK)
            return error->code;
        part->used += known + (part->at + part->used + known < part->graph->file.bytes);
        if (!line_is_end(text)) {
            line->text = text;
            return APSP_OK;
        }
    }
    return APSP_OK;
}

/* The mark, and lines that end in CR alone. */
static int look_at_start(struct graph *graph, struct apsp_error *error)
{
    unsigned char start[LINE_LONGEST];
    struct graph_file *file = graph->own;
    size_t have = graph->bytes < sizeof start ? graph->bytes : sizeof start;
    if (file_read(&graph->file, 0, start, have, error) != APSP_OK)
        return error->code;
    file->body = text_start(start, have);
    const unsigned char *cr = have > 1 ? memchr(start, '\r', have - 1) : NULL;
    if (cr && !memchr(start, '\n', have))
        return error_set(
            error, APSP_INPUT,
            "%s: byte %zu: lines end in CR, as on old Macs, where LF or CR and LF are needed",
            graph->path, (size_t)(cr - start));
    return APSP_OK;
}

int line_open(struct graph *graph, size_t own, line_read read, struct apsp_error *error)
{
    struct graph_part *part = NULL;
    graph->first = 1;
    if (file_source_open(graph, own, error) == APSP_OK && look_at_start(graph, error) == APSP_OK &&
        graph_part_open(&part, graph, 0, 1, error) == APSP_OK)
        read((struct file_part *)part, graph, error);
    graph_part_free(part);
    return error->code;
}

int line_body(const struct file_part *part, struct graph *graph, const struct line *line,
              struct apsp_error *error)
{
    struct graph_file *file = graph->own;
    file->body = file_part_offset(part);
    size_t room = (graph->bytes - file->body + 1) / LINE_MIN;
    if (graph->records <= room)
        return APSP_OK;
    return error_set(error, APSP_INPUT,
                     "%s:%zu: the header promises %zu lines of edges, but the %zu bytes after it "
                     "hold at most %zu",
                     graph->path, line_number(graph, line->offset), graph->records,
                     graph->bytes - file->body, room);
}
