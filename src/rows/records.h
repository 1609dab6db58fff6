/* Small tables of text beside a graph: lines of fields (graph/fields.h), the first of which may
 * name the columns. The whole file is in memory. */
#ifndef RECORDS_H
#define RECORDS_H

#include "base/file.h"
#include "graph/fields.h"

struct records {
    const char *path;
    unsigned char *text, *at, *end; /* The next line begins at `at`. */
    size_t line;                    /* The number of the last one taken, from 1. */
    bool begun;                     /* The first line has set the separator. */
    int separator;
    int count; /* Its fields. */
    struct field field[FIELDS_MAX];
};

enum { RECORDS_TEXT = 4096 }; /* Bytes of a text of one field, with its terminator. */

/* `what` as file_open has it; the file may be compressed. APSP_IO, APSP_MEMORY, APSP_INPUT. Close
 * in any case. */
int records_open(struct records *records, const char *path, const char *what,
                 struct apsp_error *error);
void records_close(struct records *records);
/* Takes the next line that is neither blank nor begins with #; false at the end, or after an error.
 * APSP_INPUT: quotes do not end, or there are too many fields. */
bool records_next(struct records *records, struct apsp_error *error);
/* APSP_INPUT, with the file and the line: what field k is, where `expected` is wanted. */
int records_refuse(const struct records *records, int k, const char *expected,
                   struct apsp_error *error);
/* Field k as a finite number; false if it is none. */
bool records_number(const struct records *records, int k, double *value);
/* Field k as a text. APSP_INPUT: too long. */
int records_text(const struct records *records, int k, char text[RECORDS_TEXT],
                 struct apsp_error *error);
/* Field k as a vertex of the graph. APSP_INPUT. */
int records_vertex(const struct records *records, int k, const struct graph *graph, size_t *vertex,
                   struct apsp_error *error);

#endif
