/*
 * The downward sweep of a tree as a list of tasks, for a device on which many workers share the
 * rows of one group of sources. Every supernode is cut into tiles of targets; a task makes one
 * tile. Rows that other supernodes read are in a window in shared memory, near to the workers, and
 * beyond that in global memory. If a path does not fit, the rows of supernodes close to the root
 * are in global memory. Such a row is read no more often than any other, and lives longer.
 *
 * Workers take tasks in the order of the list, whenever they are free. There is no other order
 * between them than this: a task begins when all tasks before its `need` are done. The tiles of a
 * core come first; they read what a group has brought up to it, by lists of the group's own, and
 * are far. The tasks of a tree of the forest are side by side: sources need not walk the others.
 */
#ifndef TASKS_H
#define TASKS_H

#include "base/range.h"
#include "sparse/tree.h"

struct panels_way;

enum {
    TASK_WIDEST = 16, /* targets of a tile: 16 or 8 */
    TASK_UNIT = 8, /* panels begin at multiples of so many words; rows of the window come so many at
                      a time */
    TASK_LIST_PAD = 4, /* entries that may be read beyond the end of a list, like its last one */
};
#define TASK_NEAR 0xfffffffeu
#define TASK_NONE 0xffffffffu

struct task {
    uint32_t panel; /* its words U[k][target] begin at this multiple of TASK_UNIT: depth x width, of
                       a core all of its vertices x width */
    uint32_t list;  /* where the offsets of the rows begin: those near, then, from `far_list`, those
                       far */
    uint32_t far_list;
    uint32_t near, far; /* rows of each */
    uint32_t need;
    uint32_t
        store; /* TASK_NEAR, the first target's row in global memory, or TASK_NONE: not stored */
    uint16_t block[TASK_WIDEST /
                   TASK_UNIT]; /* of the window, of TASK_UNIT rows, for so many targets each:
                                  all of them are written, whatever there is of targets */
    uint32_t first;            /* position of the first target */
    uint32_t low;              /* the first position of the supernode's subtree */
    uint32_t node;
    uint8_t targets, width,
        skipped;  /* of the tile; of the node before it, unless that is the core */
    uint8_t core; /* 1: it is */
    uint32_t end; /* behind the last position of the supernode's subtree */
    struct {
        uint32_t panel, words, list;
    } ahead; /* of a later task: what is to be brought near by now */
};

/* The device. */
struct tasks_shape {
    size_t rows;       /* of the window */
    size_t row_bytes;  /* offsets of rows count in bytes */
    size_t stack;      /* rows of the window for the supernodes of one path, at most; the others are
                          spare */
    int under_way;     /* tasks that may be so at a time: the workers, and some that wait */
    size_t ahead;      /* tasks from one to that whose panel it brings near */
    uint8_t widest[2]; /* tile of a node without others below it, and of one with them */
};

struct tasks {
    struct task *task;
    size_t count;
    uint32_t *list; /* byte offsets of rows, near or far ones */
    uint32_t *
        place; /* of an entry of the boundaries: the number of its row among those near, then far */
    uint32_t *before; /* of a root: tasks before those of its tree */
    size_t listed;
    size_t words; /* of all panels */
    size_t far;   /* rows beyond the window */
};

/* For a tree whose supernodes read these boundaries: `down` of their panels. The window has room
 * for the rows of two nodes at least. APSP_MEMORY. Free in any case. */
int tasks_make(struct tasks *tasks, const struct tree *tree, const struct panels_way *way,
               const struct tasks_shape *shape, struct apsp_error *error);
void tasks_free(struct tasks *tasks); /* a zeroed one is allowed */

/* The same for trees side by side, which are these supernodes. */
struct range tasks_of_trees(const struct tasks *tasks, struct range nodes);

/* Bytes that are kept, at most. */
size_t tasks_need(const struct tree *tree, const struct tasks_shape *shape);

/* For the tasks that will be made, with any pruning. */
struct tasks_bounds {
    size_t tasks;
    size_t listed, words; /* at most */
};
struct tasks_bounds tasks_bounds(const struct tree *tree, const struct tasks_shape *shape);

/* Rows beyond the window. APSP_MEMORY. */
int tasks_far(size_t *rows, const struct tree *tree, const struct tasks_shape *shape,
              struct apsp_error *error);

#endif
