/*
 * Distances from many sources at once by correcting labels: row v has the lengths of paths from
 * each source to v, side by side. A vertex takes what is shorter by way of in-neighbours whose rows
 * have changed, until none changes (kernels/cpu/relax.h, rows_pull).
 */
#ifndef CORRECTOR_H
#define CORRECTOR_H

#include "kernels/cpu/relax.h"
#include "sssp/network.h"

/* Work space of one thread. */
struct corrector {
    const struct network *network;
    const struct relax_kernels *kernels;
    enum dtype dtype;
    size_t width; /* Sources of a batch, at most: values of a row. */
    void *rows;   /* Row v is that of new number v. */
    uint64_t *active, *now;
    size_t passes; /* Passes of the last batch. */
};

/* Values of a row, in units of relax_kernels.nr: labels of more sources share the look at arcs. */
enum { CORRECTOR_PAIRS = 2 };

/* Sources of a batch with 1, 2 or 4 such units. */
size_t corrector_width(enum dtype dtype, size_t pairs);
size_t corrector_need(size_t n, enum dtype dtype, size_t width);

/* The network, which has weights, is to stay. APSP_MEMORY; *corrector is then NULL. */
int corrector_open(struct corrector **corrector, const struct network *network, enum dtype dtype,
                   size_t width, struct apsp_error *error);
void corrector_free(struct corrector *corrector); /* NULL is allowed */

/* A batch ends without a result after so many passes, or seconds; zeroed: never. */
struct corrector_limit {
    size_t passes;
    double seconds;
};

/* From vertices source[0 .. count - 1] by their new numbers. Value i of row v is then the distance
 * from source i to v, infinite where no path leads; the values above `count` are infinite. False if
 * a limit, which may be NULL, has ended it. */
bool corrector_run(struct corrector *corrector, const uint32_t *source, size_t count,
                   const struct corrector_limit *limit);

/* Copies the values number group * nr and on of so many vertices to rows of nr values. */
void corrector_gather(const struct corrector *corrector, size_t group, const uint32_t *column,
                      size_t columns, void *rows);
/* The same of the vertices from `first` on. */
void corrector_copy(const struct corrector *corrector, size_t group, size_t first, size_t count,
                    void *rows);

#endif
