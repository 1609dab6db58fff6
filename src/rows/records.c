#include "rows/records.h"

#include "base/mem.h"
#include "base/text.h"
#include "base/unpack.h"

#include <string.h>

enum { WHERE = 400 };

int records_open(struct records *records, const char *path, const char *what,
                 struct apsp_error *error)
{
    struct file file;
    size_t mark;
    bool unpacked;
    *records = (struct records){.path = path};
    if (file_spool(&file, path, what, error) == APSP_OK &&
        file_unpack(&file, &unpacked, error) == APSP_OK) {
        records->text = mem_alloc(mem_bytes(file.bytes + 2, 1));
        if (!records->text)
            error_set(error, APSP_MEMORY, "%s: no memory for its text", path);
        else
            file_read(&file, 0, records->text, file.bytes, error);
        if (!error->code)
            file_check_text(path, records->text, file.bytes, error);
    }
    if (!error->code) {
        mark = text_mark(records->text, file.bytes);
        records->at = records->text + mark;
        records->end = records->text + file.bytes;
        *records->end = '\n';
        if (memchr(records->at, 0, (size_t)(records->end - records->at)))
            error_set(error, APSP_INPUT, "%s: a byte is 0, so this is no text", path);
    }
    file_close(&file);
    return error->code;
}

void records_close(struct records *records)
{
    mem_free(records->text);
    records->text = NULL;
}

bool records_next(struct records *records, struct apsp_error *error)
{
    while (records->at < records->end && !error->code) {
        unsigned char *line = records->at,
                      *next = memchr(line, '\n', (size_t)(records->end + 1 - line));
        records->at = next + 1;
        records->line++;
        if (*line == '#' || line_is_end(line_skip_blanks(line)))
            continue;
        if (!records->begun)
            records->separator = fields_separator(line);
        records->begun = true;
        records->count = fields_cut(records->separator, line, records->field);
        if (records->count >= 0 && records->count <= FIELDS_MAX)
            return true;
        error_set(error, APSP_INPUT, "%s:%zu: %s", records->path, records->line,
                  records->count < 0 ? "a quote does not end, or is followed by more"
                                     : "more than 256 fields");
    }
    return false;
}

int records_refuse(const struct records *records, int k, const char *expected,
                   struct apsp_error *error)
{
    char shown[FIELD_SHOWN];
    if (k >= records->count)
        return error_set(error, APSP_INPUT, "%s:%zu: expected %s in field %d, found %d fields",
                         records->path, records->line, expected, k + 1, records->count);
    return error_set(error, APSP_INPUT, "%s:%zu: expected %s in field %d, found '%s'",
                     records->path, records->line, expected, k + 1,
                     fields_show(&records->field[k], shown));
}

bool records_number(const struct records *records, int k, double *value)
{
    return k < records->count && fields_finite(&records->field[k], value);
}

int records_text(const struct records *records, int k, char text[RECORDS_TEXT],
                 struct apsp_error *error)
{
    const struct field *field = &records->field[k];
    if (k >= records->count || field->length == 0 || field->length >= RECORDS_TEXT)
        return records_refuse(records, k, "a name", error);
    memcpy(text, field->text, field->length);
    text[field->length] = '\0';
    return APSP_OK;
}

int records_vertex(const struct records *records, int k, const struct graph *graph, size_t *vertex,
                   struct apsp_error *error)
{
    char text[RECORDS_TEXT], where[WHERE];
    if (records_text(records, k, text, error))
        return error->code;
    snprintf(where, sizeof where, "%s:%zu: ", records->path, records->line);
    return graph_vertex(graph, text, vertex, APSP_INPUT, where, error);
}
