/* The state of the expander on a GPU, for its parts: its memory (memory.cu), the panels on their
 * way there (upload.cu), batches of groups (batch.cu), and their rows (expander.cu). */
#ifndef SPARSE_EXPANDER_GPU_H
#define SPARSE_EXPANDER_GPU_H

#include "sparse/gpu/walk.h"

#include "rows/gpu/turn.h"

extern "C" {
#include "base/mem.h"
#include "base/minmax.h"
#include "base/number.h"
#include "engine/groups.h"
#include "sparse/eliminate.h"
#include "sparse/expander.h"
#include "sparse/tiles.h"
}

#include <pthread.h>

enum { EXPANDER_LANES = 8, EXPANDER_BATCHES = 2 };

/* The limits of a batch of groups. */
struct gpu_limits {
    size_t groups, sources;
    size_t path;   /* nodes above the groups, one by one */
    size_t labels; /* rows */
    size_t picks;  /* of a group's list of the core's rows */
};

/* The groups of a batch and what is known of them, on the host (pinned) or on the device. */
struct gpu_tables {
    struct walk_group *group;
    uint32_t *path, *path_row, *start;
    int64_t *sum, *most; /* of counts */
    uint32_t *lost;
};

struct gpu_batch {
    struct gpu_tables host, device;
    char *rows;
    size_t turn, groups; /* the first one's number among those of this rank */
    size_t sources, path;
    size_t taken, left; /* chunks that workers have taken, and those that they are not done with */
    bool launched;
    gpuEvent_t begun, swept, done, fetched; /* fetched: counts are on the host */
};

/* A chunk whose rows are on the device, or will be. */
struct gpu_chunk {
    struct gpu_batch *batch; /* NULL: none */
    struct range rows;       /* of the batch */
};

struct gpu_lane {
    gpuStream_t stream;
    struct gpu_chunk chunk; /* that the worker's block is of, and */
    struct gpu_turn turn;   /* its rows */
    void *buffer;           /* pinned */
};

/* Permanent memory of the device: the tree and its panels. */
struct gpu_tree {
    void *down, *up;
    struct task *task;
    uint32_t *list, *owner, *inside, *position;
    struct walk_node *node;
};

/* A request for so many sources of all ranks, as far as memory depends on it. */
struct gpu_request {
    size_t sources;
    unsigned counts; /* alone */
    int lanes;
    bool halves, on_host, places;
};

/* Memory of the device for results: see walk_work. */
struct gpu_making {
    char *label, *far;
    uint32_t *next;
    struct walk_columns column;
    uint32_t *pick, *picked;
    void *potentials;
    struct gpu_tables tables[EXPANDER_BATCHES];
    char *rows[EXPANDER_BATCHES], *transposed[EXPANDER_LANES], *given[EXPANDER_LANES];
};

/* The room on the device, and the maximum that the tree needs. */
struct gpu_shape {
    int blocks;            /* of a walk: one for each multiprocessor */
    size_t window, memory; /* bytes that a block has, and the device */
    size_t up, far;        /* words of panels; rows of a block */
    struct tasks_shape tasks;
    struct tasks_bounds bounds;
};

struct gpu_expander {
    struct expander base;
    const struct tree *tree;
    struct walk_kernels kernels;
    struct gpu_request expected; /* of the task */
    pthread_t preparer;          /* of what needs no panels */
    bool preparing;
    struct apsp_error error; /* of the preparer */
    struct gpu_shape shape;
    struct tasks tasks; /* where there is a core, they come with the panels */
    struct gpu_tree held;
    struct gpu_making making;
    bool taken;              /* There is memory for results. */
    struct gpu_request made; /* It was taken for this request. */
    struct gpu_limits limits;
    size_t span;         /* groups whose rows make whole chunks */
    size_t step, chunks; /* rows of a chunk; chunks of a span */
    struct gpu_batch batch[EXPANDER_BATCHES];
    size_t current;         /* batch that chunks are taken from */
    size_t next_turn;       /* first group of the next batch */
    uint32_t *stamp, *seen; /* of a node: the group that has it on its path; the nodes of a path */
    struct row_counts *counts;
    struct half_counts *half; /* of the one that takes the counts; NULL: there are no halves */
    struct expander_times times;
    gpuStream_t stream;
    struct gpu_lane lane[EXPANDER_LANES];
    pthread_mutex_t lock;
    pthread_cond_t moved;
    char text[160];
};

/* memory.cu */
int gpu_expander_need(struct expander_need *need, const struct engine_task *task,
                      const struct tree *tree, const struct expander_shape *shape,
                      struct apsp_error *error);
int gpu_expander_open(struct expander **expander, const struct engine_task *task,
                      const struct tree *tree, const struct expander_shape *asked,
                      struct apsp_error *error);
/* Memory for what is made; that for another request goes. */
int gpu_expander_take(struct gpu_expander *gpu, struct apsp_error *error);
void gpu_expander_free(struct expander *expander);

/* upload.cu. Waits for the thread that makes the device ready. */
void gpu_expander_join(struct gpu_expander *gpu);
/* Bytes of the host, for panels of one direction with so many. */
size_t gpu_expander_fill_need(const struct tree *tree, size_t bytes);
int gpu_expander_fill(struct expander *expander, struct panels *panels, struct apsp_error *error);

/* batch.cu. The next groups, up and down the tree. False: there are none. */
bool gpu_expander_launch(struct gpu_expander *gpu, struct gpu_batch *batch);

/* half.cu. The memory of halves; the columns begin at zero; a group's rows are known to be counted;
 * and the columns come to the host, after the last batch. */
void gpu_expander_half_place(struct gpu_making *making, struct mem_layout *layout, size_t n);
int gpu_expander_half_start(struct gpu_expander *gpu, struct apsp_error *error);
void gpu_expander_half_group(struct gpu_expander *gpu, const struct walk_group *group);
void gpu_expander_half_end(struct gpu_expander *gpu);

/* Whether rows are left as they are made, for their places. Potentials are taken off rows alone. */
static inline bool gpu_expander_places(const struct engine_task *task, bool places)
{
    return places && !task->shifted;
}

static inline size_t gpu_expander_chunks(const struct gpu_expander *gpu,
                                         const struct gpu_batch *batch)
{
    return (batch->groups + gpu->span - 1) / gpu->span * gpu->chunks;
}

/* Values from row to row on their way out. */
static inline size_t gpu_expander_stride(const struct engine_task *task)
{
    enum { ALIGN = 64 };
    return task->n < SIZE_MAX - ALIGN ? (task->n + ALIGN - 1) / ALIGN * ALIGN : task->n;
}

#endif
