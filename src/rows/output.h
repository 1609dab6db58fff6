/*
 * An n x n matrix on disk, in a format of matrix.h. Rows are written in parallel at their offsets into
 * `.NAME.apsp-tmp` beside the target, which takes the target's name only when every rank has succeeded.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "base/staged.h"
#include "comm/comm.h"
#include "dense/backend.h"
#include "rows/matrix.h"

struct output;

/*
 * Collective. Refuses a path that is the input, or exists without `force` (APSP_USAGE), and values that a
 * file of that name cannot hold (APSP_INPUT), and a file system without the space (APSP_IO), then creates the
 * temporary file (APSP_IO), whose space a thread of rank 0 goes on to reserve; a SIGINT or SIGTERM from now
 * on removes it. Output by this call is undone by output_free unless output_commit succeeded.
 */
int output_open(struct output **output, struct comm *comm, const char *path, const char *input, size_t n,
                enum dtype dtype, bool force, struct apsp_error *error);

/* Whether reserving the space has failed by now (APSP_IO). Does not wait. Local: agree afterwards. */
int output_check(const struct output *output, struct apsp_error *error);

/* Where this rank's rows come from. */
struct output_rows {
    struct range rows;
    int lanes;   /* threads that fetch */
    size_t step; /* rows that one fetch is asked for, at most */
    void *self;
    /*
     * Returns where the rows are, `*stride` values apart, perhaps in the lane's own buffer; NULL after a
     * failure, which the owner of `self` tells.
     */
    const void *(*fetch)(void *self, int lane, struct range rows, void *buffer, size_t *stride);
    void *(*alloc)(size_t bytes); /* of the buffers of step x n values; NULL: fetch needs none */
    void (*free)(void *memory);
};

/* The distances of a backend. */
struct output_rows output_backend_rows(struct backend *backend);

/*
 * Collective, without an error on any rank: waits until the space is reserved (APSP_IO on all ranks when it
 * could not be), then writes this rank's rows, and fsync. How that went is local: agree afterwards.
 */
int output_write(struct output *output, const struct output_rows *rows, struct apsp_error *error);
/* Collective: renames. */
int output_commit(struct output *output, struct apsp_error *error);
void output_free(struct output *output); /* NULL is allowed */

/* Bytes of host memory that output_write takes on a rank for the rows of a backend of that plan. */
size_t output_need(const struct backend_ops *ops, const struct backend_plan *plan);

/* Writes all of a small file (the JSON report) into the staged one. */
int output_text(const struct staged *staged, const char *text, struct apsp_error *error);

#endif
