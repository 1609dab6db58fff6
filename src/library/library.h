/* Inside of the library: the structs of the opaque types of apsp.h, and what its functions share.
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "base/stop.h"
#include "proof/predecessor.h"
#include "rows/convert.h"
#include "solve/solver.h"

struct apsp_graph {
    struct graph graph;
    char *path; /* of a file */
    uint32_t *cycle;
    size_t cycle_length;
};

struct apsp_order {
    void *content; /* of its file */
    size_t bytes;
};

enum { LIBRARY_WORD = 16 };

struct team;

struct apsp_solution {
    struct team *team;      /* Its ranks, if they are threads of this process; else NULL. */
    bool aside;             /* A rank of the team but rank 0, whose results nothing takes. */
    struct results results; /* The solver has a pointer to them. */
    char transport[LIBRARY_WORD], sums[LIBRARY_WORD]; /* The caller's words, for an update. */
    struct solver *solver;
    struct apsp_facts facts;
    void *row; /* of vertex row_of, once a distance has been asked for; SIZE_MAX: of none */
    size_t row_of;
    struct csr csr;          /* of a solver without edges, once a path was asked for */
    const struct csr *edges; /* the edges of the solver, or `csr` */
    struct predecessor_space *space;
    int32_t *tree;
    size_t tree_of;
};

/*
 * LIBRARY_TURN stands first in a function of apsp.h. In builds with APSP_CHECK_CALLS (make debug,
 * SAN=1, SMALL=1) it is a fault if another thread is in such a function; a function may call
 * others.
 */
#ifdef APSP_CHECK_CALLS
bool library_enter(void); /* Whether this is the outermost call of its thread. */
void library_leave(const bool *entered);
#define LIBRARY_TURN const bool entered __attribute__((cleanup(library_leave))) = library_enter()
#else
#define LIBRARY_TURN (void)0
#endif

/* A call begins. The caller's error, zeroed; or `own`, if it wants none. */
static inline struct apsp_error *library_error(struct apsp_error *error, struct apsp_error *own)
{
    stop_forget();
    error = error ? error : own;
    *error = (struct apsp_error){0};
    return error;
}

/* Both, in a function with a parameter `error`, which is never NULL after that. */
#define LIBRARY_CALL                                                                               \
    LIBRARY_TURN;                                                                                  \
    struct apsp_error own;                                                                         \
    error = library_error(error, &own)

/* A rank's part of a question. Collective: all ranks have the same question. */
typedef int library_rank(struct apsp_solution *solution, void *question, struct apsp_error *error);

/* A call for a solution: begins it, and answers as this rank, or as all ranks of a team. `error`
 * may be NULL. A solution that is NULL is APSP_USAGE. */
int library_ask(struct apsp_solution *solution, library_rank *ask, void *question,
                struct apsp_error *error);

/* Whether all rows go to one caller: of a team, or of one rank. */
static inline bool library_is_alone(const struct apsp_solution *solution)
{
    return solution->team || solution->solver->comm->ranks == 1;
}

/*
 * Certifies the rows of a pass, as many as the options' verify says, of each rank. A block of some
 * columns alone cannot be certified, so such a pass makes whole rows. Collective: open, which ends
 * in agreement, and close, which is called in any case and adds to the facts. *certifier is NULL
 * where nothing is to be certified. APSP_MEMORY, APSP_REFUTED, and what reading edges may give.
 */
struct library_certifier;
int library_certifier_open(struct library_certifier **certifier, struct apsp_solution *solution,
                           struct apsp_error *error);
int library_certify(struct library_certifier *certifier, int lane, const struct block *block,
                    size_t k, struct apsp_error *error); /* Row k of a block. */
void library_certifier_close(struct library_certifier *certifier, struct apsp_solution *solution);

/* Rows: those of list[], or all, where it is NULL; and of these the columns of targets, or all. */
struct library_rows {
    const uint32_t *list;
    size_t count;
    const struct sources *targets;
    struct library_certifier *certifier; /* NULL: rows are not certified. */
    bool raw;                            /* as they are made, not as they are given out */
    bool shared;                         /* A team has one array for the values of all ranks. */
    const struct device *device; /* The one that has the values in its memory; NULL: the host. */
    bool lent; /* The caller's memory: another device may not reach it, whatever the device. */
    /* Bytes of a value that `make` makes of row k of a block, which has all columns; 0: values are
     * the distances. */
    size_t made;
    int (*make)(void *self, int lane, const struct block *block, size_t k, void *values,
                struct apsp_error *error);
    void *self;
};

static inline struct packing library_packing(const struct apsp_solution *solution)
{
    const struct sink_task *task = &solution->solver->sink_task;
    return (struct packing){task->dtype, task->file, task->scale};
}

/* Collective; ends in agreement. Copies rows as apsp_rows does; `stride` is there. */
int library_copy(struct apsp_solution *solution, const struct library_rows *rows, void *values,
                 size_t stride, struct apsp_error *error);

/* Collective; ends in agreement. The same of numbers of shortest paths, whose bytes rows->made has
 * (rows/path_counts.h). */
int library_count_paths(struct apsp_solution *solution, struct library_rows *rows, void *values,
                        size_t stride, struct apsp_error *error);

/* APSP_USAGE: a vertex of the list is none of the graph, or `values`, on one rank NULL, cannot have
 * those rows. */
int library_check(const struct apsp_solution *solution, const struct library_rows *rows,
                  const void *values, size_t stride, struct apsp_error *error);

/* APSP_USAGE: a vertex of the list of that name is not below n. */
int library_check_list(const char *name, const uint32_t *list, size_t count, size_t n,
                       struct apsp_error *error);

/* Collective; ends in agreement. Makes solution->edges those of the graph, as the certificate wants
 * them, unless they are there. */
int library_edges(struct apsp_solution *solution, struct apsp_error *error);

/* For solution->edges. */
struct certificate library_certificate(const struct apsp_solution *solution);

/* Collective; ends in agreement. A pass over the rows for a sink that is in no table, of the task
 * that it has, on so many threads. */
int library_pass(struct apsp_solution *solution, struct sink *sink, int threads,
                 struct apsp_error *error);

#endif
