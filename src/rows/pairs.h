/*
 * The pairs of vertices that are asked for, of rows that come in any order: what becomes of a row
 * is kept (kept.h) in the bytes of a format.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include "rows/choose.h"
#include "rows/sink.h"

enum { PAIRS_PARTS = 3, PAIRS_HEAD_MAX = 1280 };

/* All of a file but the pairs themselves. */
struct pairs_file {
    const struct sink_task *task;
    size_t count;                 /* pairs */
    size_t head[PAIRS_PARTS + 1]; /* offset of the head of each part, and of the end */
    size_t start[PAIRS_PARTS];    /* offset of each part */
    size_t bytes[PAIRS_PARTS];    /* bytes of each part */
    uint32_t check[PAIRS_PARTS];  /* and this sum (crc32.h) */
};

/* A row of the table in pairs_formats.c. */
struct pairs_format {
    const char *suffix;
    int parts;      /* of the file, each with all rows */
    char separator; /* of the fields of a line, of formats that take skims; else 0 */
    bool checked;
    bool whole; /* A row has a place for each pair: all are asked for. */
    bool own;   /* without targets the vertex of the row is among its pairs, too */
    size_t (*most)(const struct sink_task *task);   /* bytes of a pair, of all parts, at most */
    size_t (*beside)(const struct sink_task *task); /* further bytes of a row; NULL: none */
    /* Bytes of a pair in a part, where all pairs are alike; NULL: there is one part. */
    size_t (*width)(enum dtype dtype, int part);
    /* The pairs of a row, each part's after the one before; returns where they end. */
    char *(*put)(char *out, const struct sink_task *task, size_t source, const struct pair *pairs,
                 size_t count);
    /* Makes the bytes before part number `part`, and after the last; returns their number, which
     * depends on count and offsets alone. NULL: nothing, and there is no file. */
    size_t (*head)(char out[PAIRS_HEAD_MAX], const struct pairs_file *file, int part);
};

/* The one of a file of that name; NULL: it is a matrix (matrix.h). */
const struct pairs_format *pairs_format_of(const char *path);
/* The same of the DISTANCES of a run: a pipe, a device or standard output, which has no suffix,
 * takes those pairs that results->nearest and within choose as CSV. */
const struct pairs_format *pairs_format_for(const struct results *results);
/* The suffixes of those that are lists of pairs, comma-separated, for messages. */
const char *pairs_suffixes(void);

extern const struct pairs_format pairs_csv, pairs_tsv, pairs_txt, pairs_mtx, pairs_npz,
    pairs_wide_csv, pairs_wide_tsv; /* for pairs_formats.c */
/* In no file: of each pair two words of 64 bits, the vertex and the distance's union value. */
extern const struct pairs_format pairs_packed;
enum { PAIRS_PACKED = 16 };

/* For formats that are text: a distance; returns where it ends. Characters of a vertex's number and
 * of a distance, with what follows it, at most. */
enum { PAIRS_VERTEX = 11, PAIRS_DISTANCE = 26 };
char *pairs_put_distance(char *out, const struct sink_task *task, union value distance);

struct pairs;

/* For the rows, the targets and the choice of the task. The file is beside that one, which stays;
 * NULL: in memory. APSP_IO, APSP_MEMORY; *pairs is then NULL. Local. */
int pairs_open(struct pairs **pairs, const struct sink_task *task,
               const struct pairs_format *format, struct staged *beside, struct apsp_error *error);
void pairs_free(struct pairs *pairs); /* NULL is allowed */

struct sink_need pairs_need(const struct sink_task *task, const struct pairs_format *format,
                            int lanes);

/* As a sink's. */
struct rows_near pairs_near(const struct sink_task *task);
int pairs_take(struct pairs *pairs, int lane, const struct block *block, struct apsp_error *error);

/* After the last block. Collective; ends without agreement: all ranks then know the bytes of each
 * row, and *count is the pairs of all. APSP_IO. */
int pairs_merge(struct pairs *pairs, size_t *count, struct apsp_error *error);
/* The result of the row at that position, and its bytes; NULL, and they are there too, if another
 * rank has it or it has none. */
const char *pairs_row(const struct pairs *pairs, size_t place, size_t *bytes);

#endif
