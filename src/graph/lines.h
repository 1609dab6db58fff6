/*
 * The common part of readers of text formats: lines of fields that are separated by blanks, of a
 * part of a graph file; for their sources alone. Lines end in LF or CRLF, blank lines and comments
 * are passed over.
 *
 * A line is read where it lies in the part's buffer, which always ends it with a line feed:
 * scanners need no other bound.
 */
#ifndef LINES_H
#define LINES_H

#include "graph/source_file.h"

enum {
    LINE_LONGEST = 4096, /* bytes of a line that is no comment */
};

struct line {
    const unsigned char *text; /* first byte that is no blank; NULL: no line is left */
    size_t offset;             /* of the line in the file */
};

/* The kind of all weights of a text. */
struct weight_kind {
    bool real;
    bool rough; /* one is a decimal of more than 15 digits, and is taken for another one */
};

/* A field of a line: its name, and the integers that it may be; or any finite real number. */
struct line_field {
    const char *name;
    int64_t low, high;
    bool real;
};

static inline bool line_is_blank(unsigned char c)
{
    return c == ' ' || c == '\t';
}

static inline bool line_is_end(const unsigned char *at)
{
    return *at == '\n' || (*at == '\r' && at[1] == '\n');
}

const unsigned char *line_skip_blanks(const unsigned char *at);
/* The byte after the run of non-blanks at `at`. */
const unsigned char *line_token_end(const unsigned char *at);

/*
 * The byte after the number at `at`, blanks before it skipped; NULL unless it is all of a field,
 * and an integer of low .. high, with a sign only where low < 0, or a finite real one. -0.0
 * becomes 0. A real number is the double nearest to it; *rough is set where that stands for several
 * decimals.
 */
const unsigned char *line_scan_whole(const unsigned char *at, int64_t low, int64_t high,
                                     int64_t *value);
const unsigned char *line_scan_real(const unsigned char *at, double *value, bool *rough);

/*
 * Opens a text, whose vertices count from 1 and which a byte order mark may precede. Reads its
 * header with `read`, which gets a part that is the whole file and leaves its end with line_body.
 * Returns the status of file_source_open or read, or APSP_MEMORY.
 */
typedef int (*line_read)(struct file_part *part, struct graph *graph, struct apsp_error *error);
int line_open(struct graph *graph, size_t own, line_read read, struct apsp_error *error);

/* The edges begin here. Refuses a `line` that has promised (graph->records) more lines than the
 * rest of the file can hold, whatever is in them. */
int line_body(const struct file_part *part, struct graph *graph, const struct line *line,
              struct apsp_error *error);

/* Passes over the rest of a line, a comment's or one that began before this part; gives up beyond
 * the part's end. APSP_INPUT where a byte of it is 0. */
int line_skip(struct file_part *part, struct apsp_error *error);

/* Before the first line of a part: passes over the end of a line that began before the part. */
int line_begin(struct file_part *part, struct apsp_error *error);
/* The next line of the part that is neither blank nor a comment, which starts with one of those
 * characters. APSP_INPUT where a byte of it is 0. */
int line_next(struct file_part *part, const char *comments, struct line *line,
              struct apsp_error *error);

/* The number of the line, from 1, that holds this offset. Takes a pass over the file: for messages
 * only. */
size_t line_number(const struct graph *graph, size_t offset);
/* For the row of the table: the line that was read last, of a reader that begins with a struct
 * file_part. */
size_t line_last(const struct graph_part *part);

/* APSP_INPUT with file and number of the line: what is wrong with its fields, which begin at `at`;
 * or `what` and its first token. */
int line_refuse_fields(const struct graph *graph, const struct line *line, const unsigned char *at,
                       const struct line_field *fields, int count, struct apsp_error *error);
int line_refuse(const struct graph *graph, const struct line *line, const char *what,
                struct apsp_error *error);
/* The same for `what` alone, at that offset of the file. */
int line_refuse_at(const struct graph *graph, size_t offset, const char *what,
                   struct apsp_error *error);

#endif
