/*
 * Little-endian int32 n and m, then m records of int32 source, target and weight,
 * vertices from 0. Nothing else: a file has 8 + 12 m bytes.
 */
#include "base/minmax.h"
#include "graph/source_file.h"

#include <endian.h>
#include <string.h>

enum { HEADER = 8, EDGE = 12 };

static int32_t load_i32(const unsigned char *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return (int32_t)le32toh(word);
}

static bool size_fits(int32_t n, int32_t m, size_t bytes)
{
    return n > 0 && m >= 0 && bytes == HEADER + EDGE * (uint64_t)m;
}

static int check_size(const struct graph *graph, int32_t n, int32_t m, struct apsp_error *error)
{
    const char *path = graph->path;
    size_t room = (graph->bytes - HEADER) / EDGE, rest = (graph->bytes - HEADER) % EDGE;
    int32_t swapped_n = (int32_t)__builtin_bswap32((uint32_t)n),
            swapped_m = (int32_t)__builtin_bswap32((uint32_t)m);

    if (size_fits(n, m, graph->bytes))
        return APSP_OK;
    if (size_fits(swapped_n, swapped_m, graph->bytes))
        return error_set(
            error, APSP_INPUT,
            "%s: byte 0: n = %d, m = %d; in the other byte order n = %d, m = %d fit the file: "
            "it is big-endian, and must be little-endian",
            path, n, m, swapped_n, swapped_m);
    if (n <= 0)
        return error_set(error, APSP_INPUT, "%s: byte 0: n = %d vertices; at least 1 is needed",
                         path, n);
    if (m < 0)
        return error_set(error, APSP_INPUT, "%s: byte 4: m = %d edges; at least 0 are needed", path,
                         m);
    if ((size_t)m > room)
        return error_set(error, APSP_INPUT,
                         "%s: byte 4: m = %d edges take %zu bytes, but the file has %zu: %zu edges "
                         "and %zu bytes",
                         path, m, HEADER + EDGE * (size_t)m, graph->bytes, room, rest);
    return error_set(error, APSP_INPUT,
                     "%s: byte %zu: %zu bytes left over after the m = %d edges of the header", path,
                     HEADER + EDGE * (size_t)m, graph->bytes - HEADER - EDGE * (size_t)m, m);
}

static int edges32_open(struct graph *graph, struct apsp_error *error)
{
    unsigned char header[HEADER];
    if (file_source_open(graph, sizeof(struct graph_file), error) != APSP_OK)
        return error->code;
    struct graph_file *file = graph->own;
    if (graph->bytes < HEADER)
        return error_set(error, APSP_INPUT,
                         "%s: byte 0: the header takes %d bytes, but the file has %zu", graph->path,
                         HEADER, graph->bytes);
    if (file_read(&graph->file, 0, header, HEADER, error) != APSP_OK)
        return error->code;
    int32_t n = load_i32(header), m = load_i32(header + 4);
    if (check_size(graph, n, m, error) != APSP_OK)
        return error->code;
    graph->n = (size_t)n;
    graph->m = graph->records = (size_t)m;
    file->body = HEADER;
    return APSP_OK;
}

/* Says which vertex is wrong in the record at that offset of the file. */
static int refuse(const struct graph *graph, size_t offset, const unsigned char *record,
                  struct apsp_error *error)
{
    size_t field = (uint32_t)load_i32(record) < graph->n;
    return error_set(error, APSP_INPUT, "%s: byte %zu: edge %zu: %s vertex %d is not in 0 .. %zu",
                     graph->path, offset + 4 * field, (offset - HEADER) / EDGE,
                     field ? "target" : "source", load_i32(record + 4 * field), graph->n - 1);
}

static int edges32_next(struct graph_part *head, struct edge *edges, size_t room, size_t *count,
                        struct apsp_error *error)
{
    struct file_part *part = (struct file_part *)head;
    const struct graph *graph = part->graph;
    if (part->have == 0) /* the first record that begins in this part */
        part->at = HEADER + (part->lo - HEADER + EDGE - 1) / EDGE * EDGE;

    while (*count < room && file_part_offset(part) < part->hi) {
        if (part->have - part->used < EDGE && file_part_fill(part, error) != APSP_OK)
            return error->code;
        size_t mine = (part->hi - file_part_offset(part) + EDGE - 1) / EDGE;
        size_t batch = size_min(size_min(room - *count, mine), (part->have - part->used) / EDGE);
        for (size_t i = 0; i < batch; i++, part->used += EDGE, head->records++) {
            const unsigned char *record = part->buffer + part->used;
            int32_t from = load_i32(record), to = load_i32(record + 4),
                    weight = load_i32(record + 8);
            if ((uint32_t)from >= graph->n || (uint32_t)to >= graph->n)
                return refuse(graph, file_part_offset(part), record, error);
            edges[(*count)++] = (struct edge){(uint32_t)from, (uint32_t)to, {weight}};
        }
    }
    return APSP_OK;
}

/* There is no magic number: the size has to be right. */
static enum graph_guess edges32_guess(const struct graph_look *look)
{
    bool found = look->have >= HEADER &&
                 size_fits(load_i32(look->text), load_i32(look->text + 4), look->bytes);
    return found ? GUESS_SURE : GUESS_NO;
}

const struct graph_source graph_edges32 = {
    .name = "edges32",
    .about =
        "little-endian 32-bit integers n, m, then m times source, target, weight; vertices from 0",
    .alias = "course",
    .suffix = ".bin",
    .guess = edges32_guess,
    .binary = true,
    .reader = sizeof(struct file_part),
    .open = edges32_open,
    .close = graph_free_own,
    .begin = file_source_begin,
    .next = edges32_next};
