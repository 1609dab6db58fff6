/*
 * Checks rows of a file of distances, on all threads of all ranks: each row is read from the file
 * and compared with the certificate. Any program may have written the file.
 */
#ifndef CHECK_H
#define CHECK_H

#include "base/progress.h"
#include "distances/exact.h"

struct check_task {
    const struct distances *distances; /* opened by each rank for itself */
    const char *name;                  /* of the file in messages */
    struct comm *comm;
    int threads;   /* of this rank */
    size_t rows;   /* how many; APSP_VERIFY_ALL for all */
    uint64_t seed; /* of the choice of some */
    /* The certificate of integer rows, and of inexact floating-point rows within its slack.
     * Its edges are those of the graph, or NULL: all rows are to be exact. */
    struct certificate certificate;
    const struct potential *potential; /* of the certificate's weights, where columns are missing */
    const struct exact *exact;         /* what rows of reals are held against first; or NULL */
    bool progress;                     /* shows it, on rank 0 */
};

struct check_result {
    size_t rows; /* rows that are right */
    size_t
        rounded; /* right rows that agree only within the slack, where exact ones could be told */
};

/* Bytes that all threads of this rank take. */
size_t check_need(const struct check_task *task);

/* Collective; ends in agreement. The error, APSP_REFUTED or that of reading, is the one of the
 * first row in the order of the file that has one; the rows behind it need not be looked at, by any
 * rank. APSP_MEMORY. */
int check_rows(const struct check_task *task, struct check_result *result,
               struct apsp_error *error);

#endif
