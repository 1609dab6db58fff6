#include "graph/fields.h"

#include "base/setting.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

int fields_separator(const unsigned char *line)
{
    static const char separators[] = "\t;,|";
    const char *best = separators + sizeof separators - 1;
    bool quoted = false;
    for (; !line_is_end(line); line++) {
        const char *found = *line && !quoted ? strchr(separators, *line) : NULL;
        quoted ^= *line == '"';
        if (found && found < best)
            best = found;
    }
    return *best;
}

static bool is_space(int separator, unsigned char c)
{
    return line_is_blank(c) && c != separator;
}

/* The byte after the closing quote, NULL without one; the text moves to `field`, and its quotes go.
 */
static unsigned char *take_quoted(unsigned char *at, struct field *field)
{
    unsigned char *to = ++at;
    field->text = to;
    for (; *at != '"' || at[1] == '"'; *to++ = *at++) {
        if (line_is_end(at))
            return NULL;
        at += *at == '"';
    }
    field->length = (size_t)(to - field->text);
    return at + 1;
}

static unsigned char *take_plain(int separator, unsigned char *at, struct field *field)
{
    unsigned char *end = at;
    field->text = at;
    if (separator)
        while (*at != separator && !line_is_end(at)) {
            at++;
            end = is_space(separator, at[-1]) ? end : at;
        }
    else
        end = at = at + (line_token_end(at) - at);
    field->length = (size_t)(end - field->text);
    return at;
}

unsigned char *fields_take(int separator, unsigned char *at, struct field *field)
{
    while (is_space(separator, *at))
        at++;
    at = *at == '"' ? take_quoted(at, field) : take_plain(separator, at, field);
    while (at && is_space(separator, *at))
        at++;
    return at && (!separator || *at == separator || line_is_end(at)) ? at : NULL;
}

static int cut(int separator, unsigned char *at, struct field *fields)
{
    for (int count = 0;; at += separator != 0) {
        struct field field;
        while (is_space(separator, *at))
            at++;
        if (!separator && line_is_end(at))
            return count;
        at = fields_take(separator, at, &field);
        if (!at)
            return -1;
        if (count < FIELDS_MAX)
            fields[count] = field;
        count++;
        if (separator && line_is_end(at))
            return count;
    }
}

int fields_cut(int separator, unsigned char *line, struct field *fields)
{
    int count = cut(separator, line, fields);
    for (int i = 0; i < count && i < FIELDS_MAX; i++)
        fields[i].text[fields[i].length] = '\n';
    return count;
}

char *fields_show(const struct field *field, char shown[FIELD_SHOWN])
{
    size_t length = field->length < FIELD_CUT ? field->length : FIELD_CUT;
    for (size_t i = 0; i < length; i++)
        shown[i] = field->text[i] < ' ' ? '?' : (char)field->text[i];
    strcpy(shown + length, field->length > FIELD_CUT ? "..." : "");
    return shown;
}

bool fields_called(const struct field *field, const char *name, size_t length)
{
    return field->length == length && text_alike((const char *)field->text, name, length);
}

enum field_number fields_scan(const struct field *field, int64_t limit, union value *value,
                              bool *rough)
{
    const unsigned char *text = field->text, *end = text + field->length;
    if (line_scan_whole(text, -limit, limit, &value->whole) == end)
        return FIELD_WHOLE;
    if (line_scan_real(text, &value->real, rough) != end)
        return FIELD_WORD;
    bool decimal = memchr(text, '.', field->length) || memchr(text, 'e', field->length) ||
                   memchr(text, 'E', field->length);
    return decimal ? FIELD_DECIMAL : FIELD_LARGE;
}

bool fields_finite(const struct field *field, double *value)
{
    enum field_number kind = FIELD_WORD;
    union value number = {0};
    bool rough = false;
    if (field->length > 0)
        kind = fields_scan(field, INT64_C(1) << 53, &number, &rough);
    *value = kind == FIELD_WHOLE ? (double)number.whole : number.real;
    return kind != FIELD_WORD && isfinite(*value);
}

const char *fields_among(const struct field *field, const char *names)
{
    for (size_t length; *names; names += length + (names[length] == ' ')) {
        length = strcspn(names, " ");
        if (fields_called(field, names, length))
            return names;
    }
    return NULL;
}

enum field_number fields_scan_entry(const struct field *field, int64_t limit, union value *value,
                                    bool *rough)
{
    field->text[field->length] = '\n';
    enum field_number number = fields_scan(field, limit, value, rough);
    if (number != FIELD_WORD)
        return number;
    if (fields_among(field, "inf +inf infinity"))
        value->real = INFINITY;
    else if (fields_among(field, "-inf -infinity"))
        value->real = -INFINITY;
    else if (field->length == 0 || fields_among(field, "nan na n/a null none"))
        value->real = NAN;
    else
        return FIELD_WORD;
    return FIELD_DECIMAL;
}

bool fields_is_gap(const struct field *field)
{
    union value value;
    bool rough = false;
    return fields_scan_entry(field, INT64_MAX, &value, &rough) == FIELD_DECIMAL &&
           !isfinite(value.real);
}

const char *fields_hint(const struct field *field)
{
    if (memchr(field->text, ',', field->length))
        return ": is it a decimal comma, where a point is needed, or one between thousands?";
    if (memchr(field->text, ':', field->length))
        return ": a time is written as a number, such as its seconds";
    return "";
}

int fields_refuse(const struct place *place, const char *what, const struct field *field,
                  const char *instead, struct apsp_error *error)
{
    char text[2 * TEXT_LINE], shown[FIELD_SHOWN];
    snprintf(text, sizeof text, "%s '%s' %s", what, fields_show(field, shown), instead);
    return line_refuse_at(place->graph, place->offset, text, error);
}

int fields_take_weight(const struct place *place, const struct field *field,
                       struct weight_kind *kind, union value *weight, struct apsp_error *error)
{
    enum field_number number = fields_scan(field, WEIGHT_MAX, weight, &kind->rough);
    char instead[TEXT_LINE];
    if (field->length == 0) {
        snprintf(instead, sizeof instead, FIELDS_NO_WEIGHT, SETTING(NO_EDGE));
        return line_refuse_at(place->graph, place->offset, instead, error);
    }
    if (number == FIELD_WORD && fields_is_gap(field)) {
        snprintf(instead, sizeof instead, FIELDS_NO_NUMBER, SETTING(NO_EDGE));
        return fields_refuse(place, "the weight", field, instead, error);
    }
    if (number >= FIELD_LARGE) {
        snprintf(instead, sizeof instead, FIELDS_NO_DECIMAL "%s", fields_hint(field));
        return fields_refuse(place, "the weight", field, instead, error);
    }
    if (kind->real && number == FIELD_WHOLE)
        weight->real = (double)weight->whole;
    kind->real |= number == FIELD_DECIMAL;
    return APSP_OK;
}

int fields_take_name(const struct place *place, struct names *names, const struct field *field,
                     uint32_t *vertex, struct apsp_error *error)
{
    struct apsp_error own = {0};
    size_t known = names->count;
    if (field->length == 0)
        return fields_refuse(place, "a vertex", field, "has no name", error);
    if (names_take(names, (const char *)field->text, field->length, vertex, &own) != APSP_OK)
        return error_set(error, own.code, "%s: %s", place->graph->path, own.text);
    for (size_t i = 0; names->count > known && i < field->length; i++)
        if (field->text[i] < ' ')
            return fields_refuse(place, "the name of a vertex", field, "holds a control character",
                                 error);
    return APSP_OK;
}
