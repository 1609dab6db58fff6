/*
 * apsp: exact all-pairs shortest paths, on the cores or the GPU of a machine; apsp_mpi.h spreads
 * one graph over the ranks of an MPI job.
 *
 * A graph comes from arrays, from memory that holds a file, or from a file. apsp_solve makes a
 * solution of it, which gives out rows of distances, single distances and paths until it is freed.
 * Weights and distances are in the caller's unit, and vertices count from 0, also those of files
 * that count from 1; texts of errors speak of the numbers in the file.
 *
 * Errors. Every function that can fail returns a status, 0 for success, and sets *error, which
 * needs no initialisation and may be NULL. Its outputs are then NULL or zeroed.
 *
 * Threads. The library has threads of its own (OpenMP). It may be called from any thread, but by
 * one at a time in a process, apart from apsp_cancel, whatever graphs and solutions the calls are
 * for; a lock of the caller's sees to that. A library of `make debug` ends the process with a fault
 * if two threads are in calls at once. A callback calls nothing else of the library, unless it says
 * so. How idle threads wait is the process's choice: with GOMP_SPINCOUNT=3000 in its
 * environment before it starts they sleep soon, as those of the commands do, and leave the cores to
 * other work.
 *
 * Ranks. "Collective" says that all ranks of the solution's communicator make the call, with the
 * same arguments but for pointers, and that all get the same status. Pointers are NULL on all ranks
 * or on none, but for `values`, `progress` and `error`; a NULL solution is told to its caller
 * alone. With apsp_solve there is one rank, or the ranks are threads of this process, and one call
 * is that of all of them.
 *
 * The library does not print, exit or install signal handlers, does not change the cores of the
 * process, and neither starts nor ends MPI. Only faults, after which no rank can go on, end the
 * process: apsp_on_fault.
 */
#ifndef APSP_H
#define APSP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define APSP_VERSION "0.2.0"
#define APSP_API     __attribute__((visibility("default")))

/* The version of the library; APSP_VERSION is the version of the header. */
APSP_API const char *apsp_version(void);

/* Status of functions, and exit codes of the commands. */
enum apsp_status {
    APSP_OK = 0,
    APSP_USAGE = 2,      /* an argument or an option */
    APSP_INPUT = 3,      /* the content of the graph */
    APSP_MEMORY = 4,     /* too little memory on a node or a device */
    APSP_IO = 5,         /* a file cannot be opened, read, written or seen */
    APSP_DEVICE = 6,     /* a GPU was asked for and is not there, or failed */
    APSP_PEER = 7,       /* MPI, or another rank */
    APSP_REFUTED = 8,    /* the certificate does not hold */
    APSP_CYCLE = 9,      /* the graph has a negative cycle */
    APSP_CANCELLED = 10, /* a callback asked for it */
    APSP_STOPPED =
        75, /* a signal asked for it, and a checkpoint holds the work; of the commands alone */
};

/* A status and one line that explains it, without a line feed; empty for APSP_OK. In it
 * "options.NAME" and "reading.NAME" are members of the structs apsp_options and apsp_reading. */
struct apsp_error {
    int code;
    char text[1000];
};

/*
 * A fault calls the handler with the status and one line that names rank and host. Faults are
 * errors that ranks cannot agree on or undo: of MPI, of a GPU's runtime, or no memory for data that
 * every rank needs. The handler may be called on any thread, and should not return. Without one, or
 * when it returns, all ranks are ended by MPI_Abort, one process alone by abort(). NULL: none.
 */
APSP_API void apsp_on_fault(void (*handler)(int code, const char *text));

/*
 * The call of the library that is under way in this process shall end soon, with APSP_CANCELLED
 * unless it is done first; the next one forgets that. May be called at any time, on any thread and
 * in a signal handler. All ranks end as soon as they agree that one of them is to.
 */
APSP_API void apsp_cancel(void);

/* Types of array elements and of distances. */
enum apsp_type {
    APSP_AUTO = 0,
    APSP_U16,
    APSP_I32,
    APSP_I64,
    APSP_F32,
    APSP_F64,
    APSP_U32, /* of vertices and places alone, as the next one */
    APSP_U64,
    APSP_NARROW, /* of apsp_options.output alone */
};

/* Unreachable in rows of an integer type; in floating point it is positive infinity. */
#define APSP_UNREACHABLE_U16 65535
#define APSP_UNREACHABLE_I32 1073741823
#define APSP_UNREACHABLE_I64 INT64_C(4611686018427387903)

/* An array of the caller's, aligned as its type. */
struct apsp_array {
    const void *data;
    enum apsp_type type;
};

/* Edges in any order. The lightest of parallel edges counts; loops count only when they are
 * negative. */
struct apsp_edges {
    size_t vertices, edges;     /* 1 .. 2^31 - 1; 0 .. */
    struct apsp_array from, to; /* of each edge: I32, U32, I64 or U64 */
    struct apsp_array weight;   /* I32, I64, F32 or F64; data NULL: all are 1. Whole ones are from
                                   -2^62 + 2 to   2^62 - 2, real ones finite */
};

/* Compressed sparse rows: the edges out of vertex u are start[u] .. start[u + 1] - 1. */
struct apsp_csr {
    size_t vertices;
    struct apsp_array start; /* vertices + 1 places, ascending, the first 0: I32, U32, I64 or U64 */
    struct apsp_array to, weight; /* as above */
};

/* A square matrix: entry (i, j), the weight of the edge i -> j, is entry i * stride + j * step of
 * weight. */
struct apsp_matrix {
    size_t vertices;
    struct apsp_array weight; /* I32, I64, F32 or F64; not NULL */
    size_t stride, step;      /* 0: vertices * step, and 1 */
    const char *no_edge;      /* entries that are no edges: 0,inf,nan in part; NULL: all of those */
};

struct apsp_graph;

/*
 * Makes a graph. Arrays and bytes are borrowed: they stay the caller's, and as they are, until the
 * graph is freed. The functions are local; for a collective solve each rank makes the whole graph,
 * and reads a part. APSP_USAGE: a type, a format or a NULL that cannot be. APSP_INPUT: sizes or
 * places; edges are read when the graph is solved. APSP_MEMORY. *graph is then NULL.
 */
APSP_API int apsp_graph_edges(struct apsp_graph **graph, const struct apsp_edges *edges,
                              struct apsp_error *error);
APSP_API int apsp_graph_csr(struct apsp_graph **graph, const struct apsp_csr *csr,
                            struct apsp_error *error);
APSP_API int apsp_graph_matrix(struct apsp_graph **graph, const struct apsp_matrix *matrix,
                               struct apsp_error *error);
/* The content of a file, compressed or not, in one of the formats that apsp-formats(5) lists, such
 * as "gr" or "graphml". Its vertices may have names, which texts of errors speak. */
APSP_API int apsp_graph_bytes(struct apsp_graph **graph, const void *data, size_t bytes,
                              const char *format, struct apsp_error *error);
/* A regular file, which stays open; format NULL goes by its content, then by its suffix. `path` is
 * copied. Each rank unpacks compressed bytes. APSP_IO too. */
APSP_API int apsp_graph_file(struct apsp_graph **graph, const char *path, const char *format,
                             struct apsp_error *error);
enum apsp_parallel { APSP_PARALLEL_MIN, APSP_PARALLEL_SUM, APSP_PARALLEL_ERROR };

/* How a file is to be read. All zero but the size, as apsp_reading_init makes it, is as it is. */
struct apsp_reading {
    size_t size;         /* of this struct, which may grow */
    const char *format;  /* NULL goes by the content, then by the suffix */
    const char *columns; /* of a list of edges: FROM,TO or FROM,TO,WEIGHT, numbers from 1 or names
                            of the header; NULL: they are found */
    const char *no_edge; /* entries of a matrix, or weights of a list, that are no edges: 0,inf,nan;
                            NULL: as the format has it */
    const char *weight_key;      /* of GML, GraphML, GEXF, JSON and dicts: the attribute of edges
                                    that is their weight; NULL: weight */
    int sort_names;              /* not 0: vertices with names are numbered in the order of those */
    int undirected, reverse;     /* not 0: every edge leads back as well; is reversed */
    int unweighted;              /* not 0: all weights are 1 */
    int largest_component;       /* not 0: the largest strongly connected component alone */
    enum apsp_parallel parallel; /* what counts of parallel edges: the lightest, their sum; or they
                                    are an error */
    int directed;          /* not 0: edges lead as they are written alone, whatever the file says */
    const char *oneway;    /* of a list of edges: the column that says in which direction each edge
                              leads, its number from 1 or its name; NULL: none, or Gephi's Type */
    const char *label_key; /* of GML, GraphML, GEXF and JSON: the attribute of vertices that is
                              their name; NULL: as the format has it */
};

/* For apsp_reading_init, as apsp_options_reset. */
APSP_API void apsp_reading_reset(struct apsp_reading *reading, size_t size);
static inline void apsp_reading_init(struct apsp_reading *reading)
{
    apsp_reading_reset(reading, sizeof *reading);
}

/* As apsp_graph_file and apsp_graph_bytes; reading NULL: as it is. Its texts are done with when the
 * call returns. An option that is not for the format is APSP_USAGE. */
APSP_API int apsp_graph_read(struct apsp_graph **graph, const char *path,
                             const struct apsp_reading *reading, struct apsp_error *error);
APSP_API int apsp_graph_read_bytes(struct apsp_graph **graph, const void *data, size_t bytes,
                                   const struct apsp_reading *reading, struct apsp_error *error);
/* Once, of a graph of arrays that has not been solved: its directions, weights, component and
 * parallel edges as a reading has them. APSP_USAGE: what is for files; APSP_INPUT, APSP_MEMORY. It
 * is to be freed then. */
APSP_API int apsp_graph_adapt(struct apsp_graph *graph, const struct apsp_reading *reading,
                              struct apsp_error *error);
/* After its solutions. NULL is allowed. */
APSP_API void apsp_graph_free(struct apsp_graph *graph);

/* 0 for NULL. */
APSP_API size_t apsp_graph_vertices(const struct apsp_graph *graph);
/*
 * Notes on how the graph's file was read, such as an attribute of edges that is not used as their
 * weight: lines of text, or "". The graph owns them. "" for NULL.
 */
APSP_API const char *apsp_graph_notes(const struct apsp_graph *graph);
/*
 * The label of a vertex: its name, or the number in its file. Up to room - 1 bytes of the label,
 * and 0, go to the caller's `name`. Returns the length of the whole label, or 0 if there is no such
 * vertex (names are not empty). name may be NULL if room is 0. Names hold any bytes but 0.
 */
APSP_API size_t apsp_vertex_name(const struct apsp_graph *graph, size_t vertex, char *name,
                                 size_t room);
/* The vertex that is called so. APSP_USAGE: there is none; *vertex is then as it was. */
APSP_API int apsp_find_vertex(const struct apsp_graph *graph, const char *name, size_t *vertex,
                              struct apsp_error *error);
/* The negative cycle for which the last solve of the graph failed with APSP_CYCLE, in the order of
 * its edges; the last vertex leads back to the first. NULL, and 0, if it did not. The graph's,
 * until it is solved again.
 */
APSP_API const uint32_t *apsp_graph_cycle(const struct apsp_graph *graph, size_t *length);

/*
 * The order in which the sparse engine eliminates the vertices of graphs that have one pattern: the
 * pairs of vertices with an edge between them, in either direction and with any weight. Local.
 * Weights are not looked at. A file is that of the command's --save-order; one of that path is
 * replaced. APSP_USAGE: the library makes no orders; APSP_INPUT: that is none; APSP_MEMORY,
 * APSP_IO. *order is then NULL.
 */
struct apsp_order;
APSP_API int apsp_order_make(struct apsp_order **order, struct apsp_graph *graph,
                             struct apsp_error *error);
APSP_API int apsp_order_load(struct apsp_order **order, const char *path, struct apsp_error *error);
APSP_API int apsp_order_save(const struct apsp_order *order, const char *path,
                             struct apsp_error *error);
APSP_API void apsp_order_free(struct apsp_order *order); /* NULL is allowed */

enum apsp_device { APSP_DEVICE_AUTO, APSP_DEVICE_CPU, APSP_DEVICE_GPU };

#define APSP_VERIFY_ALL SIZE_MAX

/* The settings of a solve. All zero but the size, as apsp_options_init makes them, are the
 * defaults.
 */
struct apsp_options {
    size_t size;             /* of this struct, which may grow */
    enum apsp_device device; /* AUTO takes a GPU if there is one */
    int share_gpus;          /* not 0: several ranks may use one GPU */
    int threads; /* of this rank, no more than the machine has; 0: omp_get_max_threads(), and no
                    more than the machine, or a quota of control groups, has for all ranks on it
                    together; 1 for a small graph */
    const char *method;    /* an engine, "dense", "sparse", "spanning" or "sssp"; NULL: the one
                              expected to be the fastest */
    const char *transport; /* between ranks: "peer", "mpi", "host"; NULL: the fastest there is */
    enum apsp_type type;   /* to compute in; AUTO: the narrowest that is proved exact; F64 for real
                              weights that   no power of ten or two makes whole */
    enum apsp_type output; /* of rows; AUTO: as computed, U16 as I32, F64 for real weights; NARROW:
                              the narrowest whole one that holds them */
    size_t tile;           /* width of a pivot range, .. 65536; 0: chosen */
    size_t verify;         /* rows to prove right, or APSP_VERIFY_ALL; 0: none */
    /*
     * Receives the progress of a step, "read", "round" or "row" (of those proved), on the thread
     * that called apsp_solve, during that call. A value other than 0 cancels the solve. May be
     * NULL, on some ranks alone too.
     */
    int (*progress)(void *user, const char *step, size_t done, size_t steps);
    void *progress_user;
    /* The distances of rows for rounded floating-point weights: "path", sums along a shortest
     * path from its first edge on; "solver", as the engine came to them; NULL: path where that
     * costs next to nothing */
    const char *sums;
    size_t
        beside; /* bytes of memory that the caller will take for what it asks of the solution: these
                   are refused with those of the solve, APSP_MEMORY, where there are too few */
    /* Not 0: looks for bit flips in memory while the dense engine solves, and proves all
     * rows right, for which verify is 0 or APSP_VERIFY_ALL; either fails with APSP_REFUTED */
    int paranoid;
    /* The rows that the caller will ask for, about; 0: all. Few are searched for one by one, where
     * nothing has to be made for all of them. Any number may be asked for. */
    size_t rows;
    /* The order in which the sparse engine eliminates, which is then taken: of a graph with the
     * same pattern (APSP_INPUT if not). It may be freed after the solve. NULL: it is made. */
    const struct apsp_order *order;
    /* The value of a path: "shortest", the sum of its weights; "bottleneck", the largest, to be
     * small; "widest", the smallest, to be large; "reliable", their product, to be large. NULL:
     * shortest. The other values stand where distances do, and apsp(1) defines them. */
    const char *paths;
    /* For apsp_solve alone: the distances are shared among so many ranks, which are threads of this
     * process with `threads` threads each and live as long as the solution. Ranks compute on the
     * CPU; of `gpus` each has a GPU (APSP_DEVICE: there are fewer), and no two share one unless
     * share_gpus is set. One of both is 0; 0 and 1: the caller's thread is the only rank. At most
     * 64, or 4 for each processor (APSP_USAGE); APSP_MEMORY: there are not so many threads. */
    int ranks, gpus;
};

/* For apsp_options_init, which knows the size that the caller was compiled with. */
APSP_API void apsp_options_reset(struct apsp_options *options, size_t size);
static inline void apsp_options_init(struct apsp_options *options)
{
    apsp_options_reset(options, sizeof *options);
}

struct apsp_solution;

enum { APSP_ESTIMATE_METHODS = 8 };

/* The plan of a solve. The struct may grow at its end. */
struct apsp_forecast {
    size_t vertices, edges;
    enum apsp_type computed; /* The type in which rows would be made. */
    size_t memory, limit;    /* Bytes of this process at most, and what it may use. */
    size_t device_memory;    /* Bytes on the GPU; 0 without one. */
    int fits;                /* Not 0: there is enough memory. */
    double seconds;          /* The time of solving, about. */
    int methods;             /* The engines that were looked at: */
    struct apsp_forecast_method {
        char name[16];
        double seconds;
        size_t memory;
        int fits, taken;
        int least;     /* Not 0: seconds and memory are lower bounds. */
        char why[256]; /* The reason why it cannot solve the graph; else "". */
    } method[APSP_ESTIMATE_METHODS];
};

/*
 * Local: the plan of apsp_solve with these options. The edges are read and types are proved, but
 * nothing is solved, and a graph that is too large is no error. APSP_USAGE, APSP_INPUT, APSP_CYCLE,
 * APSP_MEMORY, APSP_IO, APSP_DEVICE, APSP_CANCELLED.
 */
APSP_API int apsp_estimate(struct apsp_graph *graph, const struct apsp_options *options,
                           struct apsp_forecast *estimate, struct apsp_error *error);

/*
 * Solves the graph in this process alone, by one rank or several (ranks, gpus); MPI is not used.
 * Until it is freed, the solution holds the matrix of a dense solve or the panels of a sparse one.
 * The matrix takes vertices^2 times the bytes of the type, on the device or the host. The graph
 * must outlive the solution. options NULL: the defaults. APSP_USAGE; APSP_INPUT: an edge is wrong,
 * or a type may not hold all distances; APSP_CYCLE; APSP_MEMORY, before anything large is taken;
 * APSP_IO; APSP_DEVICE; APSP_REFUTED; APSP_CANCELLED. *solution is then NULL, and everything is
 * freed.
 */
APSP_API int apsp_solve(struct apsp_graph *graph, const struct apsp_options *options,
                        struct apsp_solution **solution, struct apsp_error *error);
/*
 * Collective: new weights. The solution becomes that of `graph`, with the options that it was made
 * with, by the same engine, and is as it was after an error; the first graph may be freed then. The
 * graph has the same vertices (APSP_INPUT if not), and for the sparse engine the same pattern, of
 * which it keeps the order. Memory is that of both meanwhile. Earlier outputs of the solution, its
 * facts among them, become invalid; a progress callback is not called again. Otherwise as
 * apsp_solve.
 */
APSP_API int apsp_update(struct apsp_solution *solution, struct apsp_graph *graph,
                         struct apsp_error *error);
/* Collective: frees. NULL is allowed. */
APSP_API void apsp_solution_free(struct apsp_solution *solution);

/* For apsp_mpi.h, local: loads what the library needs for MPI. APSP_PEER. */
APSP_API int apsp_load_mpi(void);
/* For apsp_mpi.h, collective unless ranks are `unable` to load that: over a duplicate of the
 * communicator at that address, an MPI_Comm. */
APSP_API int apsp_solve_over(struct apsp_graph *graph, const void *communicator, int unable,
                             const struct apsp_options *options, struct apsp_solution **solution,
                             struct apsp_error *error);

/* The struct may grow at its end. */
struct apsp_facts {
    size_t vertices, edges;
    enum apsp_type type; /* of rows: U16, I32, I64, F32 or F64 */
    double
        scale; /* whole ones hold the distances times this: 1, or what makes real weights whole */
    enum apsp_type computed;   /* in which they were made */
    int bounded;               /* not 0: it is known that no distance is further from 0 than */
    double bound;              /* this */
    size_t rows;               /* of this process: apsp_blocks gives them to it */
    size_t parallel, loops;    /* edges that did not count, and loops */
    size_t verified;           /* rows proved right; those of tables and pairs are added */
    int ranks, threads;        /* of all processes, of this one */
    const char *method, *plan; /* the engine, and how it went about */
    const char *device;        /* one line: the kernel, or the GPU's name */
    double read, build, solve; /* seconds of reading and proof, of making the matrix, of solving */
    double verify, total;      /* seconds of proving rows, and of all */
    const char *sums;          /* that distances are: "exact", or rounded, "path" or "solver" */
};
/* Local. The solution's. */
APSP_API const struct apsp_facts *apsp_solution_facts(const struct apsp_solution *solution);

/*
 * Collective: copies the rows of the `count` vertices in list[], in this order, to values. Row k
 * has `vertices` entries of type facts.type and begins at entry k * stride; stride 0 is `vertices`.
 * list NULL: all rows, by vertex, and count is ignored. Every rank gets all of them, unless its
 * values is NULL: other ranks' rows come over the network. APSP_USAGE, APSP_MEMORY.
 */
APSP_API int apsp_rows(struct apsp_solution *solution, const uint32_t *list, size_t count,
                       void *values, size_t stride, struct apsp_error *error);

/* Vertices in any order; NULL, in place of the list too: all, by their numbers. */
struct apsp_list {
    const uint32_t *vertex;
    size_t count;
};

/*
 * Collective: copies the distances from the vertices of one list to those of another. That from
 * from->vertex[k] to to->vertex[j] is entry k * stride + j of values, of type facts.type; stride 0
 * is the length of a row. On the CPU the sparse engine makes no others. Otherwise as apsp_rows.
 *
 * If the options' verify is not 0, an engine that makes rows on request proves as many of the
 * table's rows on each rank, or all. Each takes O(n + m), and is made with all columns. So does
 * apsp_find_pairs. The first time edges are read as apsp_find_path does. APSP_REFUTED.
 */
APSP_API int apsp_table(struct apsp_solution *solution, const struct apsp_list *from,
                        const struct apsp_list *to, void *values, size_t stride,
                        struct apsp_error *error);

/* A table of distances in the memory of a GPU. The struct may grow at its end. */
struct apsp_device_table {
    void *values;         /* Entry k * columns + j; NULL if there is none. */
    enum apsp_type type;  /* facts.type */
    size_t rows, columns; /* Their numbers. */
    int device;           /* The number of the GPU in this process. */
    int hip;              /* Not 0: the memory is that of HIP's runtime, else of CUDA's. */
};

/*
 * Collective: as apsp_table, but the distances come to the memory of the GPU that has them, of
 * several GPUs to that of rank 0. They are complete when the call returns, for any stream. The
 * table is the caller's, also after the solution is freed: apsp_device_table_free, in any case.
 * For solutions of apsp_solve (APSP_USAGE). APSP_DEVICE: the solution is not on a GPU. APSP_MEMORY.
 */
APSP_API int apsp_table_on_device(struct apsp_solution *solution, const struct apsp_list *from,
                                  const struct apsp_list *to, struct apsp_device_table *table,
                                  struct apsp_error *error);
APSP_API void apsp_device_table_free(struct apsp_device_table *table); /* a zeroed one is allowed */

/* The caller's memory on a GPU. */
struct apsp_device_memory {
    void *values; /* Aligned for facts.type. */
    size_t bytes;
    void *stream; /* Work on this stream of the runtime may use the memory. NULL: the default stream
                     of the GPU that has the memory. */
};

/*
 * The same into the caller's memory, row after row, once the work on its stream has ended. After an
 * error its content is undefined. APSP_USAGE: there are too few bytes, or they are not aligned.
 * APSP_DEVICE: also where no GPU knows the memory.
 */
APSP_API int apsp_table_into_device(struct apsp_solution *solution, const struct apsp_list *from,
                                    const struct apsp_list *to,
                                    const struct apsp_device_memory *memory,
                                    struct apsp_error *error);
/* Local: copies so many bytes of a GPU's memory to the host, after the work that is on that stream
 * of the runtime; NULL is the default stream of the GPU that has them. So the arrays of a graph on
 * a GPU come to the host, where engines plan. Any thread may call it at any time, in callbacks too.
 * APSP_USAGE; APSP_DEVICE: also where no GPU knows the memory. */
APSP_API int apsp_device_read(void *to, const void *from, size_t bytes, void *stream,
                              struct apsp_error *error);

/* Which pairs of vertices are wanted; all zero: all at a finite distance. */
struct apsp_pairs_request {
    struct apsp_list from, to; /* no vertex twice; to.vertex NULL: all but that which it is from */
    size_t nearest; /* from each vertex so many at most, the nearest, of those equally near the ones
                       of the least numbers; 0: any number */
    int bounded;    /* not 0: none further than */
    double within;  /* this */
};

struct apsp_pair {
    uint32_t from, to;
    int64_t whole; /* the distance, as in struct apsp_distance */
    double real;
};

struct apsp_pairs {
    size_t count;
    struct apsp_pair *pair; /* NULL: there is none */
};

/*
 * Collective: these pairs, on every rank, in the order of the first list; of each of its vertices
 * the nearest first if `nearest` is set, else in the order of the second. Memory is that of the
 * result and a few rows a thread. apsp_pairs_free, in any case. APSP_USAGE, APSP_MEMORY, APSP_IO.
 */
APSP_API int apsp_find_pairs(struct apsp_solution *solution,
                             const struct apsp_pairs_request *request, struct apsp_pairs *pairs,
                             struct apsp_error *error);
APSP_API void apsp_pairs_free(struct apsp_pairs *pairs); /* a zeroed one is allowed */

/* Finished rows, valid until the callback returns. The struct may grow at its end. */
struct apsp_block {
    int lane;              /* 0 .. facts.threads - 1; blocks of one lane come one after the other */
    enum apsp_type type;   /* of the values: facts.type, or what options.output asks for */
    size_t columns, count; /* vertices; rows */
    size_t first;          /* if source is NULL, row k is that of vertex first + k */
    const uint32_t *source; /* row k is that of vertex source[k]; or NULL */
    const void *values;     /* row k begins at entry k * stride */
    size_t stride;
    int device; /* the GPU that has the values in its memory; -1: the host has them */
};
typedef int apsp_take(void *user, const struct apsp_block *block);

enum {
    APSP_PARALLEL = 1, /* `take` may be called by several threads of the library at once */
    APSP_ON_DEVICE = 2 /* Values stay in the memory of the GPU that has them. */
};

/*
 * Collective: gives each row that this process holds to `take`, once, in blocks in any order.
 * Unless flags has APSP_PARALLEL the calls come one after the other: on the calling thread, or on
 * those of the ranks that options.ranks or gpus asked for. If `take` returns a value other than 0,
 * this process gets no more blocks, and the status is APSP_CANCELLED on all. With APSP_ON_DEVICE
 * values are complete when `take` is called, for any stream; APSP_DEVICE: the solution is not on a
 * GPU. APSP_USAGE, APSP_MEMORY.
 */
APSP_API int apsp_blocks(struct apsp_solution *solution, apsp_take *take, void *user,
                         unsigned flags, struct apsp_error *error);

struct apsp_distance {
    int reachable;
    int64_t whole; /* of an integer type, and the nearest that there is to a larger sum; else 0 */
    double real;   /* of any type, nearest to it; infinity if not reachable */
};

/* Collective. The row of `from` is kept: more distances from there cost nothing. APSP_USAGE,
 * APSP_MEMORY. */
APSP_API int apsp_find_distance(struct apsp_solution *solution, size_t from, size_t to,
                                struct apsp_distance *distance, struct apsp_error *error);

/* The vertices from the first to the last; length 0, and NULL, if there is no path. */
struct apsp_path {
    size_t length;
    uint32_t *vertex;
};

/*
 * Collective: one shortest path. Its length is proved to be the distance, exactly for integers
 * and for real ones but for rounding (APSP_REFUTED if not, which would be an error of the library
 * or of the machine). The first call reads the graph's edges again unless rows were verified, and
 * keeps them, 12 bytes an edge, on every rank. The tree of `from` is kept too. apsp_path_free, in
 * any case. APSP_USAGE, APSP_MEMORY, and what reading may give.
 */
APSP_API int apsp_find_path(struct apsp_solution *solution, size_t from, size_t to,
                            struct apsp_path *path, struct apsp_error *error);
APSP_API void apsp_path_free(struct apsp_path *path); /* a zeroed one is allowed */

/*
 * Collective: the trees of shortest paths, as apsp_rows copies distances. Entry v of a row is the
 * vertex before v on a shortest path from the row's own vertex, and `none` for that itself and
 * where there is no path. They are made and proved as in apsp_find_path, by all threads.
 */
APSP_API int apsp_predecessors(struct apsp_solution *solution, const struct apsp_list *from,
                               int32_t none, int32_t *values, size_t stride,
                               struct apsp_error *error);

/*
 * Collective: the numbers of shortest paths, as apsp_table copies distances. There is a double for
 * each pair, exact up to 2^53, and 0 where there is no path. One leads from a vertex to itself.
 * Weights must be above 0, and paths are those of apsp_betweenness. APSP_INPUT: 2^1024 paths or
 * more. Edges are read as in apsp_find_path. APSP_USAGE, APSP_MEMORY, APSP_REFUTED, and what
 * reading may give.
 */
APSP_API int apsp_path_counts(struct apsp_solution *solution, const struct apsp_list *from,
                              const struct apsp_list *to, double *values, size_t stride,
                              struct apsp_error *error);

enum {
    APSP_NORMALIZED = 1, /* values are sums / ((n - 1) (n - 2)), a part of all ordered pairs; of
                            edges, and with APSP_ENDPOINTS, sums / (n (n - 1)) */
    APSP_ORDERED = 2,    /* a pair counts in both orders, whether edges lead back or not */
    APSP_ENDPOINTS = 4,  /* a path counts for its first and its last vertex, too */
    APSP_STRESS = 8,     /* every path counts 1, in place of its share of those of its pair */
    APSP_LOAD = 16       /* load, in place of betweenness; not with APSP_STRESS */
};

/*
 * Collective: writes the betweenness of every vertex v to values[0 .. vertices). It is the sum,
 * over all pairs of other vertices s and t, of the share of shortest paths from s to t that contain
 * v. With `list` not NULL pairs are those whose s is among its `count` vertices, each of them once,
 * and sums are not scaled up. A graph counts as undirected if every edge has a reverse edge of the
 * same weight. Values are then half of that: a pair counts once, and with `list` an ordered pair
 * (s, t) counts 1/2, unless flags has APSP_ORDERED. The lightest of parallel edges counts, once;
 * igraph counts one path more for each edge of equal weight.
 *
 * Weights must be above 0 (APSP_INPUT). Sums of integers are compared exactly. So are those of
 * floating-point weights that one power of ten makes integers, with sums below 2^53: 0.1 + 0.2 is
 * 0.3. Others are added in doubles from the first edge to the last, and sums are equal if all their
 * bits are. Rows must then be F64 (APSP_USAGE), and no weight so small beside the distances that
 * rounding hides it (APSP_INPUT).
 *
 * With APSP_STRESS a value is the number of shortest paths that contain v: exact up to 2^53, else
 * to about 15 digits. Up to 2^62 of them may lead from s to t, in a graph of two million vertices;
 * APSP_INPUT names the number that is too large for a graph.
 *
 * With APSP_LOAD each pair sends a unit from t back to s. A vertex passes on what it gets to its
 * predecessors on shortest paths from s, in equal parts (M. Newman, Physical Review E 64, 2001).
 *
 * Every rank gets the values, unless its pointer is NULL. The first call reads edges as
 * apsp_find_path does. APSP_USAGE, APSP_MEMORY, APSP_REFUTED, and what reading may give.
 */
APSP_API int apsp_betweenness(struct apsp_solution *solution, const uint32_t *list, size_t count,
                              unsigned flags, double *values, struct apsp_error *error);

/* The paths that count; all zero: all shortest paths. */
struct apsp_through {
    struct apsp_list from, to; /* paths lead from one of these to one of those; a vertex that stands
                                  there twice counts once; vertex NULL: all */
    int bounded;               /* not 0: no path is longer than */
    double within;             /* this, which is at least 0 */
    unsigned flags;            /* as above */
};

/* An edge of an undirected graph stands here once, from < to, with the sum of both directions. */
struct apsp_edge_value {
    uint32_t from, to;
    double value;
};

struct apsp_edge_values {
    size_t count;
    struct apsp_edge_value *edge; /* by from, then by to */
};

/*
 * Collective: the betweenness of vertices, of edges, or of both, as apsp_betweenness defines it.
 * That of an edge is the share of shortest paths that contain it; parallel edges are one. `values`
 * has room for all vertices, or is NULL. `edges`, or NULL, becomes the list of all edges but loops,
 * on every rank: apsp_edge_values_free, in any case.
 */
APSP_API int apsp_paths_through(struct apsp_solution *solution, const struct apsp_through *paths,
                                double *values, struct apsp_edge_values *edges,
                                struct apsp_error *error);
APSP_API void apsp_edge_values_free(struct apsp_edge_values *edges); /* a zeroed one is allowed */

/* Counts over all rows, in addition to those of each row; the first may be left out. */
enum {
    APSP_STATS_OUT = 1, /* of the distances from a vertex: the largest, their sum, their number */
    APSP_STATS_IN = 2,  /* of those to it the largest, and their number */
    APSP_STATS_HARMONIC = 4,  /* the sum of 1 / distance, but for those of 0; the efficiency */
    APSP_STATS_HISTOGRAM = 8, /* of all distances, and quantiles */
    APSP_STATS_EXACT =
        16, /* quantiles exactly where a bin has several values, by more passes over the rows */
};

/* A distance or a sum of some. */
struct apsp_value {
    int64_t whole; /* of an integer type, and the nearest that there is to a larger sum; else 0 */
    double real;   /* of any type, nearest to it */
};

struct apsp_bin {
    struct apsp_value from; /* the least distance that it may have */
    size_t pairs;           /* of two vertices, in this order */
};

/* The least distance that at least this share of all finite ones between two vertices do not
 * exceed. */
enum { APSP_QUANTILES = 7 };
struct apsp_quantile {
    double share;
    struct apsp_value at; /* or the least of its bin, where there is one of several values */
};

/* Pairs are of a vertex and one that it reaches, which may be itself. The struct may grow at its
 * end. */
struct apsp_stats {
    unsigned counted;         /* APSP_STATS_.. */
    int real;                 /* values are */
    size_t vertices, sources; /* all, and those whose rows there were; what follows is of these */
    struct apsp_columns *columns;       /* of each: apsp_stats_column */
    struct apsp_value diameter, radius; /* the largest and the least eccentricity */
    size_t peripheral, central; /* vertices whose eccentricity is the diameter, the radius */
    size_t pairs, unreachable;
    char sum[48];         /* of all distances: a decimal number, of whole distances the exact one */
    char wiener[48];      /* half of it: of an undirected graph the Wiener index */
    double mean;          /* of two vertices; NaN if no pair is of two */
    double efficiency;    /* the mean of 1 / distance of any two, 0 where there is no path */
    struct apsp_bin *bin; /* those that are not empty, ascending */
    size_t bins;
    struct apsp_value width; /* of each; whole ones of 1 have one value */
    int exact;               /* the quantiles are */
    struct apsp_quantile quantile[APSP_QUANTILES];
};

/*
 * Collective: what `counted`, a sum of APSP_STATS_.., asks for, on every rank; rows are counted as
 * they are made, on the device where they are there, and kept nowhere. apsp_stats_free, in any
 * case. APSP_USAGE, APSP_MEMORY.
 */
APSP_API int apsp_find_stats(struct apsp_solution *solution, unsigned counted,
                             struct apsp_stats *stats, struct apsp_error *error);
/* The same of the rows of some vertices, none twice. The list must not be empty. NULL: all. */
APSP_API int apsp_find_stats_from(struct apsp_solution *solution, const struct apsp_list *from,
                                  unsigned counted, struct apsp_stats *stats,
                                  struct apsp_error *error);
APSP_API void apsp_stats_free(struct apsp_stats *stats); /* a zeroed one is allowed */

/* The largest and the least eccentricity, and the vertices that have them. Only pairs with a path
 * count. Reals are added from the vertex on: the two ends of a longest path may differ in the last
 * digit, and then one of them is peripheral. The struct may grow at its end. */
struct apsp_extent {
    size_t vertices, searches; /* All; the searches that were needed. */
    int real;                  /* Values are real. */
    int connected;             /* Not 0: every vertex reaches every other one. */
    struct apsp_value diameter, radius;
    uint32_t *central, *peripheral; /* Ascending. */
    size_t centrals, peripherals;   /* Their numbers. */
};

/*
 * Collective, without all distances. Searches from few vertices, in directed graphs also to them,
 * bound the eccentricities of all vertices (F. W. Takes, W. A. Kosters, 2013; M. Borassi and
 * others, 2015). They are the library's own: set options.rows to 1 for a solve that is for this
 * alone. apsp_extent_free, in any case. APSP_USAGE, APSP_MEMORY, and what reading edges may give.
 */
APSP_API int apsp_find_extent(struct apsp_solution *solution, struct apsp_extent *extent,
                              struct apsp_error *error);
/*
 * Collective: the eccentricity of each vertex v to values[v], by such searches, until all bounds
 * meet. Values are int64_t, or double if facts.type is real. Every rank gets them, unless its
 * pointer is NULL. Otherwise as apsp_find_extent.
 */
APSP_API int apsp_eccentricities(struct apsp_solution *solution, void *values,
                                 struct apsp_error *error);
APSP_API void apsp_extent_free(struct apsp_extent *extent); /* A zeroed one is allowed. */

/*
 * Local. The column of that name: an entry for each of the `sources`, I64 or F64, which the
 * statistics hold until they are freed. All that is not reached is left out; a vertex reaches
 * itself, at distance 0.
 *
 *   vertex           I64: the vertex of each entry
 *   eccentricity     the largest distance from it, of the type of values: I64, or F64 where `real`
 *   sum              the sum of the distances from it, too; F64 where one is beyond 64 bits
 *   reachable        I64: how many vertices it reaches, itself among them
 *   closeness        F64, by S. Wasserman and K. Faust: with r = reachable, (r - 1)^2 / (n - 1) /
 *                    sum; 0 if that is not above 0
 *   in_eccentricity  APSP_STATS_IN: the largest distance to it
 *   in_reachable     APSP_STATS_IN, I64: how many vertices reach it
 *   harmonic         APSP_STATS_HARMONIC, F64: the sum of 1 / distance
 *
 * APSP_USAGE: there is no such column, or it was not counted.
 */
APSP_API int apsp_stats_column(const struct apsp_stats *stats, const char *name,
                               struct apsp_array *column, struct apsp_error *error);
/* The name of column k of what was counted, from 0 on; NULL: there are no more. */
APSP_API const char *apsp_stats_name(unsigned counted, size_t k);
/* The sum of APSP_STATS_.. that the words of --count stand for, with commas between: "in,harmonic";
 * "all" is all but exact quantiles. APSP_USAGE. */
APSP_API int apsp_stats_counted(const char *words, unsigned *counted, struct apsp_error *error);

/* The weight of an amount by its distance d. All of them are between 0 and 1 but those of POINTS.
 */
enum apsp_decay_kind {
    APSP_DECAY_STEP,        /* 1 up to `at`, and 0 beyond */
    APSP_DECAY_LINEAR,      /* 1 - d / at, not below 0; at > 0 */
    APSP_DECAY_EXPONENTIAL, /* exp(-d / at), at > 0 */
    APSP_DECAY_LOGISTIC,    /* 1 / (1 + exp((d - at) / spread)), spread > 0 */
    APSP_DECAY_POINTS       /* straight lines between points, level before and behind them */
};

struct apsp_decay {
    enum apsp_decay_kind kind;
    double at, spread;               /* in the unit of the weights */
    size_t points;                   /* of POINTS: at least 1 */
    const double *distance, *weight; /* distances ascend; weights are at least 0 */
};

/* Accessibility: what is wanted. */
struct apsp_access {
    struct apsp_list from; /* the vertices that it is wanted for, none twice */
    size_t columns;        /* kinds of amounts, such as jobs and schools */
    const double *amount;  /* that of kind c at vertex v is number c * vertices + v: at least 0 */
    size_t decays;         /* Sum number k weighs each amount by decay[k] of its distance. */
    const struct apsp_decay *decay;
    size_t shares;       /* Distance number k is the least within which the amounts come to */
    const double *share; /* share[k] > 0; infinite where all of them are less. */
};

/*
 * Collective: for each of the vertices, and each kind of amounts, the sums and then the distances,
 * decays + shares values. Every rank gets all of them, unless its `values` is NULL. Rows are
 * weighed as they are made and kept nowhere. Amounts that cannot be reached do not count; those at
 * the vertex itself, at distance 0, do. Sums under a step of integers below 2^53 are exact. Other
 * sums do not depend on ranks and threads; their relative error is below 1e-12. APSP_USAGE,
 * APSP_MEMORY.
 */
APSP_API int apsp_find_access(struct apsp_solution *solution, const struct apsp_access *access,
                              double *values, struct apsp_error *error);

/* Skims: what is wanted. */
struct apsp_skims {
    struct apsp_list from, to; /* the ends of the paths, none twice */
    size_t count;              /* of attributes: 1 to 16 */
    /* Each has the edges of the solved graph, in their order, with an attribute as the weights: at
     * least 0, and integers or decimals of at most 15 digits. NULL: 1 of each edge. */
    struct apsp_graph *const *graph;
};

/*
 * Collective: sums of further attributes of the edges along shortest paths. Among equally short
 * paths the one with the least sum of the first attribute counts, then that with the least of the
 * second. Attribute k has a table, in its own unit: its sum from vertex i of `from` to vertex j of
 * `to` is values[(k * sources + i) * targets + j], infinite if there is no path. Every rank gets
 * all of them. Rows come from any engine, the sums from cores. APSP_USAGE: the solved weights are
 * real; APSP_INPUT: other edges, or a value below 0; APSP_MEMORY.
 */
APSP_API int apsp_find_skims(struct apsp_solution *solution, const struct apsp_skims *skims,
                             double *values, struct apsp_error *error);

/* A graph of a batch. A matrix has no edge at 0, infinity and NaN. If `from` is not NULL, the graph
 * consists of edges in any order. */
struct apsp_small {
    size_t vertices;          /* 1 .. APSP_BATCH_VERTICES */
    const void *weight;       /* a matrix, or the weights of edges; NULL: all edges have weight 1 */
    size_t stride;            /* Entry (i, j) of the matrix is number i * stride + j of `weight`. */
    const int32_t *from, *to; /* the ends of the edges; an infinite weight hides one */
    size_t edges;             /* their number */
    void *distances;          /* entry i * room + j becomes the distance from i to j */
    int32_t *before;          /* not NULL: becomes the vertex before j on a shortest path from i */
};

enum { APSP_BATCH_VERTICES = 1024 };

/* Many small graphs. All zero but the size, as apsp_batch_task_init makes them, are the defaults.
 */
struct apsp_batch_task {
    size_t size;                    /* of this struct, which may grow */
    size_t count;                   /* the number of graphs */
    const struct apsp_small *graph; /* all graphs */
    enum apsp_type weight;          /* of all weights: I32, I64, F32 or F64 */
    enum apsp_type output;          /* of distances: I32, F32 or F64 */
    int undirected, unweighted;     /* not 0: every edge has a reverse edge; all weights are 1 */
    size_t room;  /* entries of a row of results, and rows; vertices that a graph lacks are
                     unreachable; 0: as many as the graph has vertices */
    int32_t none; /* in `before`, where there is no vertex */
    int threads;  /* as in struct apsp_options */
};

APSP_API void apsp_batch_task_reset(struct apsp_batch_task *batch, size_t size);
static inline void apsp_batch_task_init(struct apsp_batch_task *batch)
{
    apsp_batch_task_reset(batch, sizeof *batch);
}

/*
 * Local. All shortest paths of each graph, by Floyd and Warshall's algorithm, one graph on each
 * core. Integer distances are exact; others are sums of doubles in the algorithm's order. The error
 * names the first graph that fails. APSP_USAGE; APSP_INPUT: an edge is wrong, or the output may not
 * hold the distances; APSP_CYCLE; APSP_MEMORY; APSP_CANCELLED.
 */
APSP_API int apsp_batch(const struct apsp_batch_task *batch, struct apsp_error *error);

#ifdef __cplusplus
}
#endif

#endif
