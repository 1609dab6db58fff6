/*
 * The distances on disk: n x n little-endian int32, row-major. Rows are written in parallel at their offsets
 * into `.NAME.apsp-tmp` beside the target, which takes the target's name only when every rank has succeeded.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "backend.h"
#include "comm.h"

struct output;

/*
 * Collective. Refuses a path that is the input, or exists without `force` (APSP_USAGE), then creates and
 * preallocates the temporary file (APSP_IO); a SIGINT or SIGTERM from now on removes it. Output by this call
 * is undone by output_free unless output_commit succeeded.
 */
int output_open(struct output **output, struct comm *comm, const char *path, const char *input, size_t n,
                bool force, struct apsp_error *error);
/* This rank's rows, from the backend, and fsync. Local: agree afterwards. */
int output_write(struct output *output, struct backend *backend, struct apsp_error *error);
/* Collective: renames. */
int output_commit(struct output *output, struct apsp_error *error);
void output_free(struct output *output); /* NULL is allowed */

/* Bytes of host memory that output_write takes on a rank with that backend. */
size_t output_need(const struct backend_ops *ops, size_t n);

/* Writes a small file (the JSON report) whole or not at all. */
int output_text(const char *path, const char *text, bool force, struct apsp_error *error);

#endif
