/* The sparse engine's steps up to its panels, with the seconds of each, for benches. */
#ifndef SPARSE_STEPS_H
#define SPARSE_STEPS_H

#include "sparse/eliminate.h"

struct steps {
    int threads;
    enum dtype dtype;
    size_t sources; /* that rows will be made of; 0: all */
    size_t width;   /* of a group of them; 0: that of the CPU's walk */
    size_t kappa;   /* of the core; SIZE_MAX: by this cost */
    struct core_cost cost;
    struct csr csr, transposed;
    struct pattern pattern;
    uint32_t *order;
    struct tree tree;
    struct panels panels;
    struct comm *comm;
};

/* Wall time, and that of the cores divided by the threads: what it would be on an idle machine. */
struct moment {
    double wall, cores;
};

struct moment steps_now(const struct steps *run);

/* Prints the time since then, and starts anew. Returns that of the cores. */
double steps_lap(const struct steps *run, const char *what, struct moment *since);

/* The first six are given. Prints as it goes. Free in any case. */
int steps_make(struct steps *run, const char *path, struct apsp_error *error);
void steps_free(struct steps *run);

#endif
