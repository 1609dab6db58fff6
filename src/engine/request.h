/* A request: how the distances of a graph are to be computed. The command and the library make it.
 */
#ifndef REQUEST_H
#define REQUEST_H

#include "apsp.h"

#include <stdbool.h>

/* Zero or NULL: the program chooses. Strings belong to the caller. */
struct request {
    enum apsp_device device;
    bool share_gpus;         /* Several ranks may use one GPU. */
    int threads;             /* Threads of a rank. */
    const char *method;      /* "auto" or an engine's name. */
    const char *dtype;       /* Type of the computation: "auto" or its name. */
    const char *output_type; /* Type of the rows given out: "auto", "narrow" or its name. */
    const char *paths;       /* The value of a path: the name of an algebra; NULL: shortest. */
    const char *sums;        /* Sums of rounded weights: "auto", "path" or "solver". */
    const char *transport;   /* "auto" or a transport's name. */
    size_t tile;             /* Vertices of a pivot range. */
    const char *order;       /* Path of the order of elimination to take. */
    bool keep_order;         /* The order is wanted, of an engine that has one. */
    bool order_again;        /* The order is wanted for other weights, if there is one. */
    const void *held;        /* Content of a file of an order to take, on rank 0 at least. */
    size_t held_bytes;       /* Its bytes; 0: there is none. */
    bool paranoid;           /* Memory that changes by itself is looked for. */
    bool progress;           /* A progress bar is shown on stderr. */
    bool rows_later;         /* Rows are asked for after the solve, by as many threads. */
    size_t rows;             /* So many rows are asked for later, about; 0: all. */
    size_t beside;           /* Bytes that the caller takes of this rank's memory meanwhile. */
    /* Receives every step; a value other than 0 cancels the work. It may be there on some ranks
     * only. */
    int (*tell)(void *listener, const char *step, size_t done, size_t steps);
    void *listener;
};

#endif
