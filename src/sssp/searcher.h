/*
 * Makers of rows from a network. A row of searchers[] (searcher.c) is one: a GPU
 * (gpu/searcher.cu), or the cores of the machine (searcher_cpu.c).
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
    struct rows_near near; /* As in struct rows_request. */
    bool on_host;          /* Values are not wanted in the device's memory alone. */
    int lanes;
};

/* The subject of a plan: the weights, and what is wanted. */
struct searcher_case {
    const struct engine_task *task;
    const struct network_weights *weights;
    size_t sources;  /* All ranks' sources. */
    unsigned counts; /* These alone, if the searcher makes them. */
    bool alone;      /* Each source is searched alone, on a network that leads forward. */
    bool on_host;
    size_t levels; /* Levels of equal weights, as far as they are known; 0: they are not. */
};

/* Planes of binary digits for the levels of a search: as many as these need, or if nothing is known
 * for 64 levels. Graphs with more are mostly for other engines. */
enum { SEARCHER_PLANES = 6 };
int searcher_planes(const struct searcher_case *its);

/* Bytes, of the host while rows are made. */
struct searcher_need {
    size_t host, device;
};

/* The result of a trial: seconds for each source, if it has ended; else at least so many. */
struct searcher_trial {
    double seconds;
    bool ended;
};

struct searcher_ops {
    const struct device_ops *device; /* The searcher runs on this device. */
    /* The searcher of a device can do it; where it cannot, cores do. */
    bool (*serves)(const struct searcher_case *its);
    /* The counts of the case that it makes on its way: all, or 0. */
    unsigned (*counts)(const struct searcher_case *its);
    size_t (*parallel)(const struct searcher_case *its); /* Groups that a rank searches at once. */
    /* Workers that make blocks, where `working` threads work on them; 0: they are passed on. */
    int (*lanes)(const struct searcher_case *its, int working, size_t group);
    /* Sources of a group, at most. */
    size_t (*width)(const struct searcher_case *its);
    /* Arcs that this rank relaxes a second for all sources together, by so many workers, by a
     * model. */
    double (*rate)(const struct searcher_case *its, int lanes);
    /* While rows are made by so many workers, with groups of that size. APSP_MEMORY. */
    int (*need)(struct searcher_need *need, const struct searcher_case *its, size_t group,
                int lanes, struct apsp_error *error);
    /* One line for the report; valid until free. */
    const char *(*describe)(const struct searcher *searcher);
    /* *searcher is NULL on failure. The network and the weights are to stay. */
    int (*open)(struct searcher **searcher, const struct engine_task *task,
                const struct network *network, const struct network_weights *weights,
                struct apsp_error *error);
    /* Once it is open: searches from these, by their new numbers, without results, up to so many
     * levels or passes. NULL: there are other ways to know. */
    int (*attempt)(struct searcher *searcher, const uint32_t *source, size_t count, size_t levels,
                   struct searcher_trial *trial, struct apsp_error *error);
    /* Begins, or begins anew; then come blocks as those of rows.h. */
    int (*start)(struct searcher *searcher, const struct searcher_request *request,
                 struct apsp_error *error);
    bool (*next)(struct searcher *searcher, int lane, struct block *block,
                 struct apsp_error *error);
    void (*free)(struct searcher *searcher); /* NULL is allowed */
};

extern const struct searcher_ops searcher_cpu;
#ifdef APSP_GPU
extern const struct searcher_ops searcher_gpu;
#endif

/* The one that runs on the task's device, if it serves; or else the cores'. */
const struct searcher_ops *searcher_of(const struct searcher_case *its);

#endif
