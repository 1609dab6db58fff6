/*
 * A backend holds one rank's strip of the distance matrix D and the panels of a round. It runs the
 * kernels on them, on the cores of the machine (backend_cpu.c) or on a GPU (backend_gpu.cu). Each
 * row of backends[] is a backend. Its functions are in three tables: the strip, the rounds, and the
 * panels as transports see them.
 *
 * Strip: rows [rows.lo, rows.hi) x n columns. All row and column numbers below are those of the
 * whole matrix.
 *
 * A round r with pivot range p (width w <= tile) lives in slot r % 2:
 *
 *   raw panel: w x n, row-major, dense, in the order of the columns: the pivot rows as their owner
 * had them. It is what transports move, with the sum of its words behind it where the plan has
 * sums.
 *
 *   closed panels: the pivot rows and the strip's pivot columns after phases 1 and 2, in a layout
 * of the backend's own.
 *
 * Three queues order the work: BACKEND_BULK, BACKEND_AHEAD with the higher priority, and
 * BACKEND_COPY for transports. Work in one queue runs in the order of the calls; round->after()
 * orders between queues. A backend may just as well finish everything inside the calls (the CPU
 * does). Faults of a device abort the job; only open() can fail.
 */
#ifndef BACKEND_H
#define BACKEND_H

#include "base/dtype.h"
#include "base/error.h"
#include "dense/strip.h"
#include "graph/graph.h"
#include "kernels/device.h"
#include "kernels/sums.h"
#include "rows/block.h"

enum backend_queue { BACKEND_BULK, BACKEND_AHEAD, BACKEND_COPY, BACKEND_QUEUES };
/* The first marks are the transports', the last ones the solver's. */
enum {
    BACKEND_LANES = 8,
    BACKEND_TRANSPORT_MARKS = 33,
    BACKEND_PACE_MARKS = 4,
    BACKEND_MARKS = BACKEND_TRANSPORT_MARKS + BACKEND_PACE_MARKS
};

struct backend_plan {
    size_t n;
    struct range rows;
    size_t tile; /* width of the widest pivot range, > 0; default: that of strip->tile() */
    enum dtype dtype;
    enum dtype output;    /* of the rows given out: any whole or real one for a whole dtype, else a
                             real one */
    enum combine combine; /* of the two parts of a path */
    bool shifted;         /* potentials will be taken off the distances */
    int threads;          /* CPU threads of this rank, > 0 */
    int lanes;            /* threads that fetch rows at a time; <= BACKEND_LANES if fetch_copies */
    int ranks;            /* of the whole job; with one no raw panels are needed */
    int device;           /* its number (kernels/device.h) */
    bool sums; /* words are added up (kernels/sums.h); every round then touches all of the strip */
};

/* For the raw panel of a pivot so wide; SIZE_MAX when that does not fit. */
size_t backend_raw_bytes(const struct backend_plan *plan, size_t width);

/* Bytes that the backend will take, for estimates and for the refusal of what cannot fit. */
struct backend_need {
    size_t host, device;
};

/* Seconds of the device inside solve, from its own clock; a backend without such a clock leaves
 * zeros. */
struct backend_times {
    double close, panels, bulk; /* phases 1, 2 and 3 */
    double idle;                /* of several ranks: no bulk under way */
    double total;               /* from the first kernel to the last */
};

struct backend {
    const struct strip_ops *strip;
    const struct round_ops *round;
    const struct panel_ops *panel;
    struct backend_plan plan;
    /* The CPU backend calls this between blocks of work, from the thread that called it, so that
     * MPI moves on. May be NULL. */
    void (*poll)(void *);
    void *poll_arg;
};

/* The matrix: how it gets in, how the distances get out. */
struct strip_ops {
    /* The best tile for a matrix of n columns; it may be wider than a small matrix. */
    size_t (*tile)(size_t n, int ranks, enum dtype dtype);
    size_t tile_max; /* 0: any */
    struct backend_need (*need)(const struct backend_plan *plan);
    /* Relaxations a second to be expected of one rank, by a model; by measuring for a few
     * milliseconds, if told so and if the model is rough. */
    double (*rate)(const struct backend_plan *plan, bool measured);
    /* One line for the report: the kernel or the device's name. Valid until free. */
    const char *(*describe)(const struct backend *backend);

    /* Takes all memory; D is infinite but for a zero diagonal. *backend is NULL on failure. */
    int (*open)(struct backend **backend, const struct backend_plan *plan,
                struct apsp_error *error);
    void (*free)(struct backend *backend);

    /*
     * D[from][to] = min(itself, weight) for edges of this strip, without loops. Weights are >= 0,
     * never -0.0, real for a real dtype; a whole one that is not below the dtype's infinity stays
     * infinite. Adds to *parallel those that met an edge already there.
     */
    void (*build)(struct backend *backend, const struct edge *edges, size_t count,
                  size_t *parallel);
    void (*build_done)(struct backend *backend, size_t *parallel); /* after the last build() */

    /*
     * Between round->end() and fetch(), if the plan is shifted: fetch will give D[i][j] - h[i] +
     * h[j] for finite D[i][j]. h has n numbers and stays in place: int64_t, or double for a
     * floating-point dtype. Sums are taken in that type and fit the output type.
     */
    void (*potentials)(struct backend *backend, const void *h);
    /*
     * Rows of distances of the plan's output type, as *block. They may be in `buffer` (rows x n
     * values, from the device's host_alloc), but only if fetch_copies says so of the plan;
     * otherwise it may be NULL. For a device with memory of its own, NULL says that they are wanted
     * there alone. They are there, for any buffer, if they are at most fetch_rows(plan). Several
     * threads may call it with different values of `lane`, below `plan.lanes`. The block is valid
     * until the next call with the same value.
     */
    void (*fetch)(struct backend *backend, int lane, struct range rows, void *buffer,
                  struct block *block);
    bool (*fetch_copies)(const struct backend_plan *plan);
    size_t (*fetch_rows)(const struct backend_plan *plan);
};

/* Some memory of a backend: `rows` of `width` bytes, `pitch` apart. No rows: it has none. */
struct backend_area {
    char *at;
    size_t rows, width, pitch;
};

/* The rounds: what the solver calls. */
struct round_ops {
    /* Brackets the rounds; end() returns when all work is done. */
    void (*begin)(struct backend *backend);
    void (*end)(struct backend *backend, struct backend_times *times);

    /* The work that `later` is given from now on waits for what `earlier` has been given so far. */
    void (*after)(struct backend *backend, enum backend_queue later, enum backend_queue earlier);
    /* AHEAD: copies the pivot rows of D, which this rank owns, into the raw panel of the slot. */
    void (*pick)(struct backend *backend, int slot, struct range pivot);
    /*
     * AHEAD: phases 1 and 2. Closes the pivot tile and the pivot rows in `cols` from the raw panel,
     * then this strip's pivot columns in `rows` (which lie in the strip). Writes the closed columns
     * back into D, and the closed rows if this rank owns them.
     */
    void (*close)(struct backend *backend, int slot, struct range pivot, const struct ranges *rows,
                  const struct ranges *cols);
    /* Phase 3: D[i][j] = min(D[i][j], column[i][k] + row[k][j] for all k of the slot's pivot) for i
     * in rows and j in cols. */
    void (*relax)(struct backend *backend, enum backend_queue queue, int slot,
                  const struct ranges *rows, const struct ranges *cols);

    /* After end(), if the plan has sums: those of each round, and of one more, of which the strip
     * alone counts: what the last round left, and what end() has found. The backend's own. */
    const struct sums *(*sums)(struct backend *backend);
    /* Where that lies for the pivot of the slot: the raw panel from pick() to close(), all else
     * from close() to relax(). */
    struct backend_area (*area)(struct backend *backend, enum sum_area which, int slot,
                                struct range pivot);
};

/* The raw panels, for transports. */
struct panel_ops {
    bool on_host; /* they are host memory, else the device's */
    void *(*raw)(struct backend *backend, int slot);
    /* Copies between any two of host memory (pinned, to be fast) and raw panels. */
    void (*copy)(struct backend *backend, enum backend_queue queue, void *to, const void *from,
                 size_t bytes);
    /* Sets mark `number` < BACKEND_MARKS behind the work of the queue; reached() tells, without
     * waiting, whether the device has come to where it was last set. */
    void (*mark)(struct backend *backend, enum backend_queue queue, int number);
    bool (*reached)(struct backend *backend, int number);
    /* Makes host memory fit for fast copies. False when that is impossible. */
    bool (*pin)(struct backend *backend, void *memory, size_t bytes);
    void (*unpin)(struct backend *backend, void *memory);
};

struct backend_ops {
    const char *name;
    const struct device_ops *device; /* that it runs on */
    const struct strip_ops *strip;
    const struct round_ops *round;
    const struct panel_ops *panel;
};

extern const struct backend_ops backend_cpu;
#ifdef APSP_GPU
extern const struct backend_ops backend_gpu;
#endif

/* The last is NULL. */
extern const struct backend_ops *const backends[];

/* The first of backends[] that runs on such a device. Every device has one. */
const struct backend_ops *backend_of(const struct device_ops *device);

/* The input of open(). */
static inline struct backend backend_start(const struct backend_ops *ops,
                                           const struct backend_plan *plan)
{
    struct backend backend = {ops->strip, ops->round, ops->panel, *plan, NULL, NULL};
    return backend;
}

#endif
