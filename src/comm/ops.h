/* The implementations of comm.h, and the module with the one that needs MPI.
 */
#ifndef COMM_OPS_H
#define COMM_OPS_H

#include "comm/comm.h"

enum comm_reduction { COMM_SUM, COMM_MOST, COMM_MAX_REAL }; /* of size_t, then of double */

enum comm_near { COMM_NEAR_ALL, COMM_NEAR_MACHINE, COMM_NEAR_NODE };

/* Items for and from every rank: how many, and from where on. */
struct comm_items {
    const int *send, *send_at, *receive, *receive_at;
};

/* An implementation. Its struct begins with a struct comm. No message is longer than COMM_PIECE. */
struct comm_ops {
    void (*free)(struct comm *comm);
    void (*barrier)(struct comm *comm);
    void (*reduce)(struct comm *comm, enum comm_near among, enum comm_reduction how, void *values,
                   size_t count);
    void (*broadcast)(struct comm *comm, void *data, size_t bytes, int root);
    void (*allgather)(struct comm *comm, enum comm_near among, const void *mine, size_t bytes,
                      void *all);
    void (*gather)(struct comm *comm, const void *mine, size_t bytes, void *all);
    void (*swap)(struct comm *comm, const int *mine,
                 int *theirs); /* one int from and to each rank */
    void (*exchange)(struct comm *comm, const struct comm_items *items, size_t bytes,
                     const void *send, void *receive);
    void (*start_broadcast)(struct comm *comm, enum comm_group group, void *data, size_t bytes,
                            int root, struct comm_request *request);
    void (*start_most)(struct comm *comm, size_t *values, size_t count,
                       struct comm_request *request);
    bool (*test)(struct comm_request *request);
    void (*wait)(struct comm_request *request);
    bool (*takes_device_memory)(void);
    struct comm_window *(*window_open)(struct comm *comm, size_t bytes);
    void (*window_free)(struct comm_window *window);
};

struct comm_window {
    struct comm *comm;
    void *memory;
};

/* The functions that the module calls. It is not linked with the program, whose symbols may be
 * hidden. */
struct comm_host {
    int (*error_set)(struct apsp_error *error, enum apsp_status code, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
    void (*fault)(enum apsp_status code, const char *format, ...)
        __attribute__((noreturn, format(printf, 2, 3)));
    void (*fault_place)(int rank, void (*end)(int code));
};

/* To be raised whenever anything in this file or struct comm changes. */
enum { COMM_MODULE_VERSION = 5 };

struct comm_module {
    int version; /* stays first */
    /* communicator: an MPI_Comm *, or NULL for all processes of the job, and to start MPI if need
     * be */
    int (*init)(struct comm **comm, const struct comm_host *host, const void *communicator,
                int ranks_per_node, struct apsp_error *error);
    void (*finish)(void);
};

#define COMM_MODULE_FILE   "libapsp_mpi.so"
#define COMM_MODULE_SYMBOL "apsp_mpi_module" /* a struct comm_module */
extern const struct comm_module apsp_mpi_module;

/* Loads the module once per process; NULL after an error. */
const struct comm_module *module_load(struct apsp_error *error);

#endif
