/*
 * Makers of rows from a network. A row of searchers[] (searcher.c) is one: the cores of the
 * machine (searcher_cpu.c).
 *
 * Sources come in the order of the network and in groups, which ranks take in turns (groups.h). All
 * calls but next() are made by one thread. Errors are local.
 */
#ifndef SEARCHER_H
#define SEARCHER_H

#include "engine/engine.h"
#include "sssp/network.h"

struct searcher {
    const struct searcher_ops *ops;
    const struct engine_task *task;
    const struct network *network;
    const struct network_weights *weights;
    size_t group; /* Sources of a group, on all ranks alike. */
    bool alone;   /* As in a case. */
};

/* The rows that are wanted. The lists stay. */
struct searcher_request {
    const uint32_t *source; /* Sources of all ranks, by their new numbers, in order. */
    size_t sources;
    unsigned counts;               /* These counts alone (APSP_STATS_..); 0: values. */
    struct count_target histogram; /* Where those of APSP_STATS_HISTOGRAM go. */
    const uint32_t *column; /* Values to these vertices, by their new numbers, in this order. */
    const uint32_t *vertex; /* The same vertices; NULL: all, by their numbers. */
    size_t columns;
    int lanes;
};

/* The subject of a plan: the weights, and what is wanted. */
struct searcher_case {
    const struct engine_task *task;
    const struct network_weights *weights;
    size_t sources; /* All ranks' sources. */
    unsigned counts;
    bool alone; /* Each source is searched alone, on a network that leads forward. */
};

struct searcher_ops {
    const struct device_ops *device; /* It runs on this. */
    /* Sources of a group, at most. */
    size_t (*width)(const struct searcher_case *its);
    /* Arcs that this rank relaxes a second for all sources together, by a model. */
    double (*rate)(const struct searcher_case *its);
    /* Bytes of host memory while rows are made in so many lanes, with groups of that size. */
    size_t (*need)(const struct searcher_case *its, size_t group, int lanes);
    /* One line for the report; valid until free. */
    const char *(*describe)(const struct searcher *searcher);
    /* *searcher is NULL on failure. The network and the weights are to stay. */
    int (*open)(struct searcher **searcher, const struct engine_task *task,
                const struct network *network, const struct network_weights *weights,
                struct apsp_error *error);
    /* Begins, or begins anew; then come blocks as those of rows.h. */
    int (*start)(struct searcher *searcher, const struct searcher_request *request,
                 struct apsp_error *error);
    bool (*next)(struct searcher *searcher, int lane, struct block *block,
                 struct apsp_error *error);
    void (*free)(struct searcher *searcher); /* NULL is allowed */
};

extern const struct searcher_ops searcher_cpu;

/* The one that runs on such a device, or else the cores'. */
const struct searcher_ops *searcher_of(const struct device_ops *device);

#endif
