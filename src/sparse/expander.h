/*
 * The devices that make rows from the panels of a tree: the cores of the machine (expander_cpu.c)
 * or a GPU (gpu/expander.cu). A row of expanders[] is one.
 *
 * Sources come in the order of the tree, and in groups of neighbours; ranks take groups in
 * alternation. All calls but next() are made by one thread. Errors are local.
 */
#ifndef EXPANDER_H
#define EXPANDER_H

#include "engine/engine.h"
#include "sparse/cut.h"

struct panels;

/*
 * A request: the rows of which sources, and the parts of them that are wanted. It is a value: it
 * owns all that it points to, and shares nothing with another request.
 */
struct expander_request {
    uint32_t *source; /* The sources of all ranks, by their vertices. */
    size_t sources;
    unsigned counts;               /* no values, but these counts of theirs alone (APSP_STATS_..) */
    struct count_target histogram; /* where those of APSP_STATS_HISTOGRAM go */
    bool halves;                   /* Rows are counted by halves. */
    struct half_target half;       /* Where the columns of these are counted. */
    bool sides;                    /* The values of rows go side by side to `beside`. */
    struct beside_target beside;
    struct cut cut; /* Values to its vertices will do; without vertices: to all. */
    bool on_host;   /* values are not wanted in the device's memory alone */
    bool places;    /* Their places there will do (rows.h). */
    int lanes;      /* lanes(..) of them, or fewer */
};
void expander_request_free(
    struct expander_request *request); /* NULL and a zeroed one are allowed. */

struct expander {
    const struct expander_ops *ops;
    const struct engine_task *task;
    size_t group; /* sources of a group, on all ranks alike: the least width; set once it is open */
    struct expander_request request; /* The request that it works on, from expander_start on. */
};

struct expander_need {
    size_t host, device;
    size_t making; /* of host memory while rows are made, beyond that */
};

/* The memory of a request depends on this, beside its task. */
struct expander_shape {
    int lanes;   /* workers */
    bool halves; /* Rows are counted by halves. */
};

/* Seconds of the device since start(), by its own clock: up the tree and down it. */
struct expander_times {
    double up, down;
};

struct expander_ops {
    const struct device_ops *device;   /* that it runs on */
    unsigned counts;                   /* that it makes on the way down (APSP_STATS_..) */
    size_t (*width)(enum dtype dtype); /* sources of a group, at most */
    bool cuts;                         /* it makes rows to some columns alone */
    bool sides;                        /* it has rows side by side, for beside.h */
    /* Relaxations a second of this rank on its way down the tree, measured or known. */
    double (*rate)(const struct engine_task *task);
    /* On this rank. */
    struct core_cost (*cost)(const struct engine_task *task);
    /* Workers that make blocks of so many groups, where `working` threads work on them; 0:
     * they are only passed on. */
    int (*lanes)(const struct engine_task *task, unsigned counts, int working, size_t groups);
    /* Bytes for the request of the task. APSP_MEMORY. */
    int (*need)(struct expander_need *need, const struct engine_task *task, const struct tree *tree,
                const struct expander_shape *shape, struct apsp_error *error);
    /* One line for the report; valid until free. */
    const char *(*describe)(const struct expander *expander);

    /* Work that needs no panels yet, for the request of the task; *expander is NULL on failure. The
     * tree is to stay. */
    int (*open)(struct expander **expander, const struct engine_task *task, const struct tree *tree,
                const struct expander_shape *shape, struct apsp_error *error);
    /* The panels are there, and are to stay; it may close their core's. */
    int (*fill)(struct expander *expander, struct panels *panels, struct apsp_error *error);
    /* Begins with the expander's request, or begins anew; then come blocks as those of rows.h.
     * Whatever depended on an earlier request is recognised by values, since that request is gone.
     */
    int (*start)(struct expander *expander, struct apsp_error *error);
    bool (*next)(struct expander *expander, int lane, struct block *block,
                 struct apsp_error *error);
    /* The worker is done with its last block, and requests no more; NULL: that does not matter. */
    void (*end)(struct expander *expander, int lane);
    /* NULL where there is no such clock. After the last block. */
    void (*times)(const struct expander *expander, struct expander_times *times);
    void (*free)(struct expander *expander); /* NULL is allowed */
};

extern const struct expander_ops expander_cpu;
#ifdef APSP_GPU
extern const struct expander_ops expander_gpu;
#endif

/* The last is NULL. */
extern const struct expander_ops *const expanders[];

/* The sources of a request, in the order of the tree: those of the list, or all. Groups of halves
 * come from both ends in turn, on each rank, since the last vertices have most to do. APSP_MEMORY.
 */
int expander_sources(struct expander_request *own, const struct expander *expander,
                     const struct tree *tree, const struct rows_request *request,
                     struct apsp_error *error);

/* Starts on a request, which it takes over in any case, in place of the one before. */
int expander_start(struct expander *expander, struct expander_request *request,
                   struct apsp_error *error);
void expander_free(struct expander *expander); /* NULL is allowed */

/* The one that runs on such a device. */
const struct expander_ops *expander_of(const struct device_ops *device);

/* The counts made in the downward sweep, 0 if rows are made: only integer distances without
 * potentials are counted.
 */
unsigned expander_counts(const struct engine_task *task, const struct rows_request *request);

/* Whether rows are counted by halves: of all vertices, and nothing else is counted. The graph is
 * undirected. */
bool expander_halves(const struct engine_task *task, const struct rows_request *request);
/* Whether the graph is such a one, and the columns of so many workers do not take more than twice
 * the bytes of the panels; on all ranks. False where no rows will be counted so. Collective. */
bool expander_mutual(const struct engine_task *task, size_t panels, int lanes);

/* Whether rows are handed on side by side: all columns, in the type of the panels. */
bool expander_sides(const struct engine_task *task, const struct rows_request *request);

/* Group number `turn` of this rank: where its sources begin among so many, and how many they are;
 * 0: there is none. */
size_t expander_group(const struct expander *expander, size_t sources, size_t turn, size_t *first);

#endif
