/*
 * Engines make the rows of distances of a graph. An engine is one row of the table in
 * solve/engines.c. The solver requests a plan, lets the engine load and solve, and gives its blocks
 * of rows to the sinks.
 *
 * All calls but `next` of the rows are collective. A function with an error sets it locally: the
 * caller agrees afterwards, unless it says otherwise.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include "base/algebra.h"
#include "base/progress.h"
#include "base/text.h"
#include "engine/checkpoint.h"
#include "engine/device.h"
#include "engine/request.h"
#include "graph/edges.h"
#include "graph/narrow.h"
#include "proof/potential.h"
#include "rows/rows.h"

/* A graph that every rank has as a matrix. */
struct engine_matrix {
    const void *self;
    /* The weights of the edges from u, of a floating-point type as reals; what is infinite, as in
     * rows of i64 or f64, is no edge. */
    void (*row)(const void *self, size_t u, union value *weights);
};

/* The problem and the place of a solve. It stays where it is for as long as there is an engine. */
struct engine_task {
    const struct request *request;
    struct comm *comm;
    const struct device *device;
    int threads;           /* of this rank */
    size_t n, m;           /* vertices; edges, or at most so many before they are counted */
    enum dtype dtype;      /* that all distances fit, reweighted */
    enum combine combine;  /* of the keys of two parts of a path (base/algebra.h) */
    enum dtype output;     /* of the rows, without the potentials: the values fit */
    const struct csr *csr; /* all edges, where every rank has them or an engine wants them; else
                              NULL, as before the proof */
    const struct engine_matrix *matrix; /* all edges, in place of any others; or NULL */
    const struct potential *potential;  /* to put on the weights; NULL before the proof */
    bool shifted;                       /* there are potentials */
    struct narrow narrow;               /* csr_narrow, where engines are compared; else zeroed */
    bool skewed;                        /* csr_is_skewed, where engines are compared; else false */
    bool uneven;                        /* weights may differ; false: or nothing is known of them */
    size_t sources;                     /* whose rows are wanted; 0: all */
    bool no_rows; /* The sinks use none of these rows; sources is 1, unless n is. */
    struct rows_request rows_request; /* what the sinks want, but for the list of rows */
    double near_part; /* the part of the vertices that is near enough to a source, about; 0: unknown
                       */
    struct checkpoint *checkpoint; /* to go on from, and to write; NULL: none */
    const void *kept;  /* an order, or by a run that this one goes on from, on rank 0: its report's;
                        */
    size_t kept_bytes; /* 0: there is none */
    const struct engine_ops *closer; /* An engine that takes a matrix, for dense parts of the graph
                                        of an engine that does not; NULL: there is none. */
    bool timed; /* The plan's rates are to be measured; else they are a model's. */
};

/* The risk and the odds of a bound of which no more is known. */
#define ENGINE_RISK 8
#define ENGINE_ODDS 0.31

/* A worker makes and looks at a value of a row in these seconds, where near ones are wanted. */
#define ENGINE_VALUE_SECONDS 0.5e-9

/* Seconds of a worker that looks for what is near in a whole row; 0: it need not, or a GPU does. */
static inline double engine_row_looking(const struct engine_task *task)
{
    const struct rows_request *rows = &task->rows_request;
    const bool by_device = rows->on_device && task->device->ops != &device_cpu;
    return rows->near.asked && !by_device
               ? ENGINE_VALUE_SECONDS * (double)(rows->column ? rows->columns : task->n)
               : 0;
}

/* The cost. Bytes are those of this rank, at their highest. */
struct engine_plan {
    bool bound;      /* Work and memory are lower bounds until the engine looks at the edges. */
    double look;     /* Seconds that the look will take; 0: the plan has no need of one. */
    double risk;     /* The look at a bound may take up to so many times as long. */
    double odds;     /* The chance that the work is not much more than a bound. */
    double spent;    /* Seconds that the look has taken. */
    double work;     /* units of solving, of all ranks */
    double row_work; /* units of making a row when it is requested; 0: solving makes it */
    const char *row_step;   /* what that is called in the report, if it is not 0 */
    double rate;            /* Units a second of this rank, without communication. */
    double row_rate;        /* of those for rows; 0: the same */
    bool near;              /* Looking for what is near in rows is a part of the time. */
    size_t steps;           /* steps of solving */
    const char *step;       /* name of a step, for the progress bar */
    size_t host, device;    /* while solving and after it */
    bool takes_csr;         /* Rows are made from the task's csr, which is to stay. */
    size_t loading;         /* bytes of host memory while loading, beyond `host` */
    size_t solving;         /* the same while solving */
    size_t making;          /* the same while rows are made, by `lanes` workers */
    int lanes;              /* workers that get rows */
    size_t rows;            /* that this rank makes, of all n */
    char place[TEXT_SHORT]; /* for people: what this rank has, "rows 0 to 1499" */
    char text[TEXT_LINE];   /* for people: "44 rounds, tile 96, transport mpi" */
};

/* Fills the place of an engine that makes rows when they are requested. */
static inline void engine_place_rows(struct engine_plan *plan, const struct engine_task *task)
{
    if (task->no_rows || plan->rows == 0)
        snprintf(plan->place, sizeof plan->place, "no rows");
    else
        snprintf(plan->place, sizeof plan->place, "%zu row%s", plan->rows,
                 plan->rows == 1 ? "" : "s");
}

/* The figures of a run. */
enum { ENGINE_FACTS = 8 };
struct engine_report {
    const char *device; /* one line: the kernel, or the device's name */
    bool on_cores;      /* the rank's device took no part, whatever the engine says */
    size_t parallel;    /* edges that met one already there, of all ranks */
    double build;       /* seconds of loading that were not reading, of this rank */
    double ahead;       /* seconds of solving that the plan took */
    double exposed;     /* seconds that this rank's compute waited for others while solving */
    int phases;         /* of solving, of this rank */
    struct {
        const char *name;
        double seconds;
    } phase[ENGINE_FACTS];
    int facts; /* for the report as JSON; text is NULL for a number */
    struct {
        const char *name, *text;
        size_t number;
    } fact[ENGINE_FACTS];
    const void *kept; /* the content of a file of the order, and of a checkpoint of rows; on rank 0,
                         and the engine's */
    size_t kept_bytes;
};

struct engine {
    const struct engine_ops *ops;
    const struct engine_task *task;
};

struct engine_ops {
    const char *name;   /* as requests have it */
    bool on_device;     /* uses the rank's device; else the CPU, whatever the device */
    bool maxima;        /* The engine serves algebras of maxima alone. */
    bool wants_edges;   /* the task's csr, on every rank: a plan without it is a lower bound */
    bool takes_matrix;  /* The task may have a matrix in place of edges. */
    bool for_narrow;    /* Its bounds say nothing of graphs that are not narrow. */
    const char *unit;   /* The unit of its work, a second: "relaxations/s". */
    double relaxations; /* Relaxations that take the time of one unit. */
    bool has_order;     /* which is read from a file, and written to one */
    /* The content of the file of an order for a graph with those edges, independent of their
     * weights, by so many threads. The caller frees *content by mem_free. Local; APSP_MEMORY,
     * APSP_USAGE. NULL: it has none. */
    int (*order)(void **content, size_t *bytes, const struct csr *csr, int threads,
                 struct apsp_error *error);

    /*
     * Makes *engine at the first call, which holds decisions and nothing large, and says what the
     * task as it is now would take: again, when more of the task is known. Ends in agreement. An
     * error is why it cannot be.
     */
    int (*plan)(struct engine **engine, const struct engine_task *task, struct engine_plan *plan,
                struct apsp_error *error);
    /* Collective, and without errors. By task->narrow and task->uneven it corrects a plan that is a
     * bound. NULL: it cannot. */
    void (*glance)(struct engine_plan *plan, const struct engine_task *task);
    /* Takes all memory, and the edges, which may be NULL where the task has a matrix. Ends in
     * agreement. */
    int (*load)(struct engine *engine, struct edges *edges, struct apsp_error *error);
    /* All ranks take the plan's steps together, and end after the one that progress_step says is
     * the last. NULL: rows are made when they are asked for. */
    int (*solve)(struct engine *engine, struct progress *progress, struct apsp_error *error);
    /* Collective; ends in agreement. Writes what has been solved to the task's checkpoint, as
     * checkpoint_write; solve does so too. NULL: its rows are, once made, and what it has kept. */
    int (*save)(struct engine *engine, struct apsp_error *error);
    /* Local. Blocks come until the engine is freed or the call is repeated. The engine copies the
     * lists of the request that it needs later, and compares requests by value. The caller's lists
     * may be gone, or replaced at the same address, when the call is repeated. */
    int (*rows)(struct engine *engine, const struct rows_request *request, struct rows_maker *maker,
                struct apsp_error *error);
    void (*report)(const struct engine *engine,
                   struct engine_report *report); /* NULL: nothing to tell */
    void (*free)(struct engine *engine);          /* NULL is allowed */
};

#endif
