#include "graph/list_lines.h"

#include <string.h>

/* The line, which ends with a line feed or is the last one, to `copy`; returns its bytes there. */
static size_t copy_text(const struct file_part *part, const struct line *line, unsigned char *copy)
{
    size_t length = (size_t)(part->buffer + part->used - line->text);
    memcpy(copy, line->text, length);
    copy[length] = '\n';
    return length + 1;
}

static void cut_entry(const struct columns *shape, struct list_entry *entry, unsigned char *text)
{
    struct field fields[FIELDS_MAX];
    entry->count = fields_cut(shape->separator, text, fields);
    if (entry->count != shape->count)
        return;
    entry->end[0] = fields[shape->from];
    entry->end[1] = fields[shape->to];
    if (shape->weight >= 0)
        entry->weight = fields[shape->weight];
    if (shape->direction >= 0)
        entry->direction = fields[shape->direction];
}

static void ask_for_names(struct list_reader *reader, const struct names *names)
{
    const int count = ((const struct list *)reader->part.graph->own)->shape.count;
    for (size_t i = 0; i < 2 * reader->have; i++) {
        struct list_entry *entry = &reader->entry[i / 2];
        const struct field *field = &entry->end[i % 2];
        if (entry->count == count)
            entry->hash[i % 2] = names_ask(names, (const char *)field->text, field->length);
    }
    for (size_t i = 0; i < 2 * reader->have; i++)
        if (reader->entry[i / 2].count == count)
            names_ask_text(names, reader->entry[i / 2].hash[i % 2]);
}

static void read_ahead(struct list_reader *reader)
{
    const struct graph *graph = reader->part.graph;
    const struct list *list = graph->own;
    struct line line;
    size_t used = 0;
    reader->at = reader->have = 0;
    while (reader->have < AHEAD && AHEAD_BYTES - used >= LINE_LONGEST + 2 &&
           line_next(&reader->part, LIST_COMMENTS, &line, &reader->error) == APSP_OK && line.text) {
        struct list_entry *entry = &reader->entry[reader->have++];
        unsigned char *text = reader->text + used;
        entry->offset = line.offset;
        used += copy_text(&reader->part, &line, text);
        cut_entry(&list->shape, entry, text);
    }
    if (graph->names)
        ask_for_names(reader, graph->names);
}

int list_next_entry(struct list_reader *reader, const struct list_entry **entry,
                    struct apsp_error *error)
{
    const struct graph *graph = reader->part.graph;
    const int wanted = ((const struct list *)graph->own)->shape.count;
    char what[100];
    *entry = NULL;
    if (reader->at == reader->have && !reader->error.code)
        read_ahead(reader);
    if (reader->at == reader->have)
        return reader->error.code ? error_set(error, reader->error.code, "%s", reader->error.text)
                                  : APSP_OK;
    *entry = &reader->entry[reader->at++];
    if ((*entry)->count == wanted)
        return APSP_OK;
    if ((*entry)->count < 0)
        snprintf(what, sizeof what, "a quote does not end with its field");
    else
        snprintf(what, sizeof what, "%d fields, where the first line has %d; a line is one edge",
                 (*entry)->count, wanted);
    return line_refuse_at(graph, (*entry)->offset, what, error);
}
