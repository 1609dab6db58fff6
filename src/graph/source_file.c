#include "graph/source_file.h"

#include "base/minmax.h"
#include "base/range.h"

#include <stdlib.h>
#include <string.h>

int file_source_open(struct graph *graph, size_t own, struct apsp_error *error)
{
    graph->own = calloc(1, own);
    if (!graph->own)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    return APSP_OK;
}

int file_source_begin(struct graph_part *head, int index, int parts, struct apsp_error *error)
{
    struct file_part *part = (struct file_part *)head;
    (void)error;
    part->graph = head->graph;
    part->file = head->graph->own;
    struct range mine = range_part((struct range){part->file->body, part->graph->file.bytes},
                                   (size_t)index, (size_t)parts);
    part->lo = mine.lo;
    part->hi = mine.hi;
    part->at = part->lo;
    part->used = part->have = 0;
    return APSP_OK;
}

int file_part_fill(struct file_part *part, struct apsp_error *error)
{
    size_t keep = part->have - part->used;
    memmove(part->buffer, part->buffer + part->used, keep);
    part->at += part->used;
    part->used = 0;
    part->have = keep;

    size_t room = FILE_BUFFER - 1 - keep, left = part->graph->file.bytes - (part->at + keep);
    size_t bytes = size_min(left, room);
    if (file_read(&part->graph->file, part->at + keep, part->buffer + keep, bytes, error) !=
        APSP_OK)
        return error->code;
    part->have += bytes;
    return APSP_OK;
}
