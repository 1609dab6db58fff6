/* The order of a task: taken from a checkpoint, a file or the caller, or made. */
#ifndef ORDERING_H
#define ORDERING_H

#include "engine/engine.h"
#include "sparse/tree.h"

/* Whether rank 0's order need not be made. */
static inline bool ordering_is_read(const struct engine_task *task)
{
    return task->kept_bytes > 0 || task->request->order;
}

/* Bytes at most until there is a tree, with it, for so many neighbours of all vertices. Rank 0
 * makes the order. The tree may be one that is not made yet (tree_need). */
size_t ordering_need(const struct engine_task *task, size_t neighbours, const struct tree *tree);
/* Local: fills order[]; and *kept, for mem_free, with the content of its file where that may be
 * asked for. */
int ordering_find(uint32_t *order, void **kept, const struct engine_task *task,
                  const struct pattern *pattern, struct apsp_error *error);
/* As engine_ops.order. */
int ordering_make(void **content, size_t *bytes, const struct csr *csr, int threads,
                  struct apsp_error *error);

#endif
