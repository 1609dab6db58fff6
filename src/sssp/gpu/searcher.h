/* The state of the searcher on a GPU, for its parts: its memory (memory.cu) and its batches
 * (searcher.cu). */
#ifndef SSSP_GPU_SEARCHER_H
#define SSSP_GPU_SEARCHER_H

#include "sssp/gpu/labels.h"
#include "sssp/gpu/waves.h"

extern "C" {
#include "base/clock.h"
#include "base/mem.h"
#include "engine/groups.h"
#include "rows/convert.h"
#include "rows/counted.h"
#include "sssp/levels.h"
#include "sssp/searcher.h"
}

#include <pthread.h>

enum {
    GPU_LANES = 4,               /* batches under way: while one ends, others fill the device */
    GPU_PLANES = SEARCHER_PLANES /* of levels, to begin with */
};

/* The properties of the device. */
struct gpu_about {
    int processors;
    size_t memory;
};

/* The searches of a worker, and the rows that it hands out. */
struct gpu_shape {
    bool bits;     /* Else labels. */
    bool columns;  /* These are counted. */
    bool on_host;  /* Values go to the host. */
    bool shifted;  /* Labels are transposed before their potentials are taken off. */
    size_t n, row; /* vertices; words of a row of bits */
    size_t heavies;
    size_t rows, stride, bytes; /* Rows of values of a block; 0: there are none. */
    size_t transposed, made;    /* Values from row to row, and bytes, before they are converted. */
};

/* Sources of a batch, at most. */
static inline size_t gpu_sources(const struct gpu_shape *shape)
{
    return shape->bits ? shape->row * GPU_WAVES_WORD : GPU_LABELS_ROW / shape->made;
}

/* The part of a batch that the host sees, in pinned memory. */
struct gpu_seen {
    struct gpu_waves_counts *counts;
    struct gpu_label_counts *labels;
    uint32_t *reached;
    int64_t *most;
    char *values;
};

struct gpu_lane {
    gpuStream_t stream;
    struct gpu_waves waves;
    struct gpu_labels labels;
    char *memory, *planes; /* of the device; planes grow by themselves */
    char *values, *table;  /* of the device: rows of values, and the value of each level */
    char *transposed;      /* Rows of labels. */
    size_t table_room;
    struct gpu_seen seen;
    struct levels levels;
    struct row_counts *counts;
    struct column_counts columns;
    uint32_t *source;        /* Vertices of the batch. */
    size_t first, count, at; /* The batch in hand, and its sources whose rows have been given. */
    size_t last;             /* Levels of the batch. */
    size_t ahead;            /* Levels that are enqueued at first. */
};

struct gpu_searcher {
    struct searcher base;
    struct searcher_request request;
    struct gpu_about about;
    struct gpu_shape shape;
    char *network, *wanted; /* of the device: for good, and the lists of the request */
    struct gpu_arcs arcs;
    uint32_t *source, *column; /* in `wanted`: columns by their new numbers */
    int32_t *offset;           /* of sources whose searches are labels */
    int64_t *potentials;       /* of vertices, or doubles */
    size_t turn;               /* The next group of this rank. */
    size_t most;               /* Levels of a batch, if it may not have more; else 0. */
    pthread_mutex_t lock;
    struct gpu_lane lane[GPU_LANES];
    char text[160];
};

/* shape.cu. Asked for once: a device is not quick to tell. */
int gpu_about_of(struct gpu_about *about, int number, struct apsp_error *error);
struct gpu_shape gpu_shape_of(const struct searcher_case *its, size_t group, size_t columns);
/* Bytes of the network; of the lists of a request; of a worker, of the
 * device and of the host; and of a plane. */
size_t gpu_place_network(struct gpu_arcs *arcs, const struct engine_task *task,
                         const struct network_weights *weights, void *base);
size_t gpu_place_wanted(struct gpu_searcher *gpu, const struct searcher_case *its, size_t columns,
                        void *base);
size_t gpu_place_lane(struct gpu_lane *lane, const struct gpu_shape *shape, void *base);
size_t gpu_place_seen(struct gpu_seen *seen, const struct gpu_shape *shape, void *base);
size_t gpu_plane_bytes(const struct gpu_shape *shape);
int gpu_searcher_need(struct searcher_need *need, const struct searcher_case *its, size_t group,
                      int lanes, struct apsp_error *error);
int gpu_searcher_lanes(const struct searcher_case *its, size_t group);
size_t gpu_searcher_width(const struct searcher_case *its);

/* memory.cu */
int gpu_searcher_open(struct searcher **searcher, const struct engine_task *task,
                      const struct network *network, const struct network_weights *weights,
                      struct apsp_error *error);
/* The lists of the request go to the device; workers of another shape give their memory back. */
int gpu_searcher_take(struct gpu_searcher *gpu, const struct searcher_case *its, size_t columns,
                      const uint32_t *column, struct apsp_error *error);
/* The worker's memory, by the thread that will use it. */
bool gpu_searcher_lane(struct gpu_searcher *gpu, struct gpu_lane *lane, struct apsp_error *error);
/* Planes for so many levels, while nothing is under way. */
bool gpu_searcher_planes(struct gpu_searcher *gpu, struct gpu_lane *lane, size_t levels,
                         struct apsp_error *error);
void gpu_searcher_free(struct searcher *searcher);

#endif
