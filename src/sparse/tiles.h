/*
 * The panels of a tree as a device reads them, in tiles of targets. A word has one value, or the
 * same 16-bit value twice. Entry k of a target is word `width` x k of its position in the tile.
 * Entries of a tile beyond its targets are copies of the last of them in the downward sweep, and
 * infinite in the upward sweep.
 */
#ifndef TILES_H
#define TILES_H

#include "base/dtype.h"
#include "sparse/tasks.h"

struct panels;

static inline size_t tiles_word(enum dtype dtype)
{
    return dtype == DTYPE_U16 ? 2 * dtype_info[dtype].bytes : dtype_info[dtype].bytes;
}

/* U of all nodes, a tile for each task, k as in its lists, and of the core's closed matrix, k in
 * the order of positions: tasks->words words. */
void tiles_down(void *words, const struct tasks *tasks, const struct panels *panels, int threads);

/*
 * For each supernode t but the core, distances from S_t to S_t and then to B_t: tiles of
 * TASK_WIDEST targets, k in the order of positions, from word start[t] on.
 */
void tiles_up(void *words, const uint64_t *start, const struct panels *panels, int threads);

/* For the first `nodes` of these. Fills `start`, unless it is NULL. Returns the words of all. */
size_t tiles_up_words(uint64_t *start, const struct tree_node *node, size_t nodes);

#endif
