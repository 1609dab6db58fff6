/*
 * A file that all ranks write in parallel at their offsets: a matrix of rows of n values, in a
 * format of matrix.h, or any other. It is `.NAME.apsp-tmp` beside the target, and takes the
 * target's name only when every rank has succeeded.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "base/range.h"
#include "comm/comm.h"
#include "files/staged.h"
#include "rows/matrix.h"
#include "rows/results.h"
#include "rows/write.h"

#include <stdio.h>

struct output;

struct output_plan {
    const char *path;
    struct staged_inputs inputs;
    size_t rows, n;
    enum dtype dtype; /* of the values in the file */
    size_t least;     /* bytes of a file that is no matrix, n is 0 then: as many as are known to be
                         needed */
    bool force;
    const char *folder; /* of checkpoints that may name the temporary file; NULL: none may */
    const char
        *begun; /* that of a run that this one goes on from, on rank 0; NULL: there is none */
};

/*
 * Collective; ends in agreement. Rejects a path that is an input, or exists without `force`
 * (APSP_USAGE), and a file system without the space (APSP_IO). Then creates the temporary file
 * (APSP_IO), whose space a thread of rank 0 continues to reserve. A SIGINT or SIGTERM from now on
 * removes it. Output by this call is undone by output_free unless the file is complete.
 */
int output_open(struct output **output, struct comm *comm, const struct output_plan *plan,
                struct apsp_error *error);

/* Whether reserving the space has failed by now; with `wait`, once it is over, which waits for
 * space too (space.h). APSP_IO. Local. */
int output_check(struct output *output, bool wait, struct apsp_error *error);

/* Writes rows [rows.lo, rows.hi), which lie `stride` values apart. After output_check has waited.
 * APSP_IO. Threads may do so at once. */
int output_put(struct output *output, struct range rows, const void *values, size_t stride,
               struct apsp_error *error);

/* Writes bytes at that offset of a file that is no matrix. Otherwise the same. */
int output_write(struct output *output, size_t offset, const void *data, size_t bytes,
                 struct apsp_error *error);

/* The same of rows, which lie close together in the file. */
int output_write_rows(struct output *output, size_t offset, const struct output_rows *rows,
                      struct apsp_error *error);

/* Takes space for so many bytes more, which another writer is about to fill. APSP_IO; a file system
 * that cannot reserve is none. */
int output_reserve(struct output *output, size_t bytes, struct apsp_error *error);

/* Gives back what of it lies behind the end of the file, when its only writer has done. */
void output_trim(const struct output *output);

/*
 * Where checkpoints may name the file: a hash of each row, XXH3 with the row's number as the seed,
 * once this rank has put it; else NULL. All bytes that this rank has put are on the disk. Rows of
 * `rows` that are done, by other ranks or runs, are as their hashes tell: APSP_IO. Local.
 */
size_t *output_hashes(const struct output *output);
int output_sync(struct output *output, struct apsp_error *error);
int output_verify(const struct output *output, const unsigned char *done, struct range rows,
                  struct apsp_error *error);

/* The file itself, for who writes one that is no matrix in another way. */
int output_descriptor(const struct output *output);

/* After the last row of this rank: what comes before the first row of the matrix, and fsync.
 * APSP_IO. Local.
 */
int output_finish(struct output *output, struct apsp_error *error);

/* The file that rank 0 names when all ranks have finished (staged.h). */
struct staged *output_file(struct output *output);
void output_free(struct output *output); /* NULL is allowed */

/* Writes all of a small file (the JSON report) into the staged one. APSP_IO, APSP_MEMORY. */
int output_all(struct staged *staged, const void *data, size_t bytes, struct apsp_error *error);

/* Writes into the staged file what `print` prints, as it comes. APSP_IO, APSP_MEMORY. */
int output_text(struct staged *staged, void (*print)(FILE *out, const void *self), const void *self,
                struct apsp_error *error);

/* Writes the head and lines into the staged file: threads make them, `most` bytes of each at most,
 * and they come in their order. APSP_IO, APSP_MEMORY. */
struct output_lines {
    const char *head;
    size_t count, most;
    char *(*put)(char *out, const void *self, size_t line); /* returns where it ends */
    const void *self;
    int threads; /* that make lines; 0: one */
};
int output_lines(struct staged *staged, const struct output_lines *lines, struct apsp_error *error);

#endif
