/*
 * A backend holds one rank's strip of the distance matrix D and the panels of a round, and runs the kernels
 * on them: on the cores of the machine (backend_cpu.c) or on a GPU (backend_gpu.cu).
 *
 * Strip: rows [rows.lo, rows.hi) x n columns. All row and column numbers below are those of the whole matrix.
 *
 * A round r with pivot range p (width w <= tile) lives in slot r % 2:
 *
 *   raw panel: w x n, row-major, dense, in the order of the columns: the pivot rows as their owner had them.
 *   It is what transports move.
 *
 *   closed panels: the pivot rows and the strip's pivot columns after phases 1 and 2, in a layout of the
 *   backend's own.
 *
 * Three queues order the work: BACKEND_BULK, BACKEND_AHEAD with the higher priority, and BACKEND_COPY for
 * transports. Work in one queue runs in the order of the calls; ops->after() orders between queues. A backend
 * may just as well finish everything inside the calls (the CPU does). Faults of a device abort the job; only
 * open() can fail.
 */
#ifndef BACKEND_H
#define BACKEND_H

#include "base/dtype.h"
#include "base/error.h"
#include "dense/strip.h"
#include "graph/graph.h"

enum backend_queue { BACKEND_BULK, BACKEND_AHEAD, BACKEND_COPY, BACKEND_QUEUES };

struct backend_plan {
    size_t n;
    struct range rows;
    size_t tile; /* width of the widest pivot range, > 0: of tile() where nobody named one */
    enum dtype dtype;
    bool shifted; /* potentials will be taken off the distances */
    int threads;  /* CPU threads of this rank, > 0 */
    int ranks;    /* of the whole job; with one no raw panels are needed */
    int device;   /* number of the GPU */
};

/* Bytes that the backend will take, for --estimate and for the refusal of what cannot fit. */
struct backend_need {
    size_t host, device;
};

/* Seconds of the device inside solve, from its own clock; a backend without such a clock leaves zeros. */
struct backend_times {
    double close, panels, bulk; /* phases 1, 2 and 3 */
    double idle;                /* of several ranks: no bulk under way */
    double total;               /* from the first kernel to the last */
};

struct backend {
    const struct backend_ops *ops;
    struct backend_plan plan;
    /* The CPU backend calls this between blocks of work, from the thread that called it, so that MPI moves
     * on. May be NULL. */
    void (*poll)(void *);
    void *poll_arg;
};

struct backend_ops {
    const char *name; /* "cpu", "gpu": also the value of --device */

    /* Number of devices that this process could use; 1 for the CPU. */
    int (*devices)(void);
    /* The PCI address of the device as text. False when it does not answer. NULL for the CPU. */
    bool (*locate)(int device, char *text, size_t size);
    /* Begins to start the device in the background, for open() to find it ready. NULL: there is nothing to
     * start. */
    void (*start)(int device);
    /* The best tile for a matrix of n columns; it may be wider than a small matrix. */
    size_t (*tile)(size_t n, int ranks, enum dtype dtype);
    size_t tile_max; /* 0: any */
    struct backend_need (*need)(const struct backend_plan *plan);
    /* Relaxations per second to be expected of one rank; measured in a few milliseconds or known. */
    double (*rate)(const struct backend_plan *plan);
    /* One line for the report: the kernel or the device's name. Valid until free. */
    const char *(*describe)(const struct backend *backend);

    /* Takes all memory; D is infinite but for a zero diagonal. *backend is NULL on failure. */
    int (*open)(struct backend **backend, const struct backend_plan *plan, struct apsp_error *error);
    void (*free)(struct backend *backend);

    /*
     * D[from][to] = min(itself, weight) for edges of this strip, without loops. Weights are >= 0, never -0.0:
     * `real` of the edges for a real dtype, else `weight`, where one that is not below the dtype's infinity
     * stays infinite. Adds to *parallel those that met an edge already there.
     */
    void (*build)(struct backend *backend, const struct edge *edges, size_t count, size_t *parallel);
    void (*build_done)(struct backend *backend, size_t *parallel); /* after the last build() */

    /* Brackets the rounds; end() returns when all work is done. */
    void (*begin)(struct backend *backend);
    void (*end)(struct backend *backend, struct backend_times *times);

    /* The work that `later` is given from now on waits for what `earlier` has been given so far. */
    void (*after)(struct backend *backend, enum backend_queue later, enum backend_queue earlier);
    /* AHEAD: copies the pivot rows of D, which this rank owns, into the raw panel of the slot. */
    void (*pick)(struct backend *backend, int slot, struct range pivot);
    /* The raw panel: host or device memory, as on_host() says. */
    void *(*raw)(struct backend *backend, int slot);
    bool (*on_host)(const struct backend *backend);

    /* For transports. Copies between any two of host memory (pinned, to be fast) and raw panels. */
    void (*copy)(struct backend *backend, enum backend_queue queue, void *to, const void *from, size_t bytes);
    /* Sets mark `number` < BACKEND_MARKS behind the work of the queue; reached() tells, without waiting,
     * whether the device has come to where it was last set. */
    void (*mark)(struct backend *backend, enum backend_queue queue, int number);
    bool (*reached)(struct backend *backend, int number);
    /* Makes host memory fit for fast copies. False when that is impossible. */
    bool (*pin)(struct backend *backend, void *memory, size_t bytes);
    void (*unpin)(struct backend *backend, void *memory);

    /*
     * AHEAD: phases 1 and 2. Closes the pivot tile and the pivot rows in `cols` from the raw panel, then this
     * strip's pivot columns in `rows` (which lie in the strip), and writes the closed columns, and the closed
     * rows if this rank owns them, back into D.
     */
    void (*close)(struct backend *backend, int slot, struct range pivot, const struct ranges *rows,
                  const struct ranges *cols);
    /* Phase 3: D[i][j] = min(D[i][j], column[i][k] + row[k][j] for all k of the slot's pivot) for i in rows
     * and j in cols. */
    void (*relax)(struct backend *backend, enum backend_queue queue, int slot, const struct ranges *rows,
                  const struct ranges *cols);

    /*
     * Between end() and fetch(), if the plan is shifted: fetch is to give D[i][j] - h[i] + h[j] for finite
     * D[i][j]. n numbers that stay where they are: int64_t, or double for a real dtype. Sums are taken in
     * that type and fit the output type.
     */
    void (*potentials)(struct backend *backend, const void *h);
    /*
     * Rows of distances in host memory, in the output type of the dtype (dtype.h): returns where they are and
     * sets *stride (elements from row to row). The backend may put them into `buffer` (rows x n elements of
     * that type from host_alloc), but only if fetch_copies says so of the plan; otherwise it may be NULL. May
     * be called by several threads with different lanes < BACKEND_LANES.
     */
    const void *(*fetch)(struct backend *backend, int lane, struct range rows, void *buffer, size_t *stride);
    bool (*fetch_copies)(const struct backend_plan *plan);
    void *(*host_alloc)(size_t bytes); /* memory that the device copies to at full speed; NULL when short */
    void (*host_free)(void *memory);
};

enum { BACKEND_LANES = 8, BACKEND_MARKS = 33 };

extern const struct backend_ops backend_cpu;
#ifdef APSP_GPU
extern const struct backend_ops backend_gpu;
#endif

#endif
