/* The common part of sources that are files: the file itself, and readers of parts of its bytes. */
#ifndef SOURCE_FILE_H
#define SOURCE_FILE_H

#include "base/size.h"
#include "graph/source.h"

/* More than the longest line. */
enum { FILE_BUFFER = SIZE_OF(1 << 20, 4200) };

struct graph_file {  /* graph->own */
    size_t body;     /* offset of the edges */
    bool unweighted; /* no weights: all are 1 */
    bool real;       /* weights in the file are */
};

/*
 * The edges (records, lines) whose first byte lies at offset lo <= b < hi of the file. The last one
 * may reach beyond hi; one that began before lo is not of this part.
 */
struct file_part {
    struct graph_part head;
    const struct graph *graph;
    const struct graph_file *file;
    size_t lo, hi;
    size_t at;         /* offset in the file of buffer[0]; lo before the first fill */
    size_t used, have; /* bytes of the buffer: done with, read; have < FILE_BUFFER */
    unsigned char buffer[FILE_BUFFER];
};

/* For the row of the table; an open function calls the first one, with the bytes of graph->own,
 * which begins with a struct graph_file, then reads its head. */
int file_source_open(struct graph *graph, size_t own, struct apsp_error *error);
int file_source_begin(struct graph_part *part, int index, int parts, struct apsp_error *error);

/* Moves the unused bytes to the front of the buffer and reads on until it is full or the file ends.
 * APSP_IO.
 */
int file_part_fill(struct file_part *part, struct apsp_error *error);

/* Offset in the file of the next unused byte, and whether all the file has been read into the
 * buffer. */
static inline size_t file_part_offset(const struct file_part *part)
{
    return part->at + part->used;
}

static inline bool file_part_ends(const struct file_part *part)
{
    return part->at + part->have == part->graph->file.bytes;
}

#endif
