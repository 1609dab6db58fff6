#include "graph/source_file.h"

#include "base/range.h"

#include <stdlib.h>
#include <string.h>

int file_source_open(struct graph *graph, bool stream, struct apsp_error *error)
{
    struct graph_file *file = graph->own = calloc(1, sizeof *file);
    if (!file)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    file->file.fd = -1;
    if (graph->memory)
        file->file = file_in_memory(graph->path, graph->memory, graph->bytes);
    else if ((stream ? file_spool : file_open)(&file->file, graph->path, "the graph", error) != APSP_OK)
        return error->code;
    graph->bytes = file->file.bytes;
    if (graph->bytes == 0)
        return error_set(error, APSP_INPUT, "%s: byte 0: the file is empty", graph->path);
    return APSP_OK;
}

void file_source_close(struct graph *graph)
{
    struct graph_file *file = graph->own;
    if (file)
        file_close(&file->file);
    free(file);
    graph->own = NULL;
}

int file_source_begin(struct graph_part *head, int index, int parts, struct apsp_error *error)
{
    struct file_part *part = (struct file_part *)head;
    (void)error;
    part->graph = head->graph;
    part->file = head->graph->own;
    struct range mine =
        range_part((struct range){part->file->body, part->file->file.bytes}, (size_t)index, (size_t)parts);
    part->lo = mine.lo;
    part->hi = mine.hi;
    part->at = part->lo;
    part->used = part->have = 0;
    part->has_twin = false;
    return APSP_OK;
}

int file_part_fill(struct file_part *part, struct apsp_error *error)
{
    size_t keep = part->have - part->used;
    memmove(part->buffer, part->buffer + part->used, keep);
    part->at += part->used;
    part->used = 0;
    part->have = keep;

    size_t room = FILE_BUFFER - 1 - keep, left = part->file->file.bytes - (part->at + keep);
    size_t bytes = left < room ? left : room;
    if (file_read(&part->file->file, part->at + keep, part->buffer + keep, bytes, error) != APSP_OK)
        return error->code;
    part->have += bytes;
    return APSP_OK;
}
