#include "sparse/ordering.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "base/stop.h"
#include "sparse/order.h"
#include "sparse/order_file.h"

enum { SEED = 1 };

static bool keeps_content(const struct engine_task *task)
{
    const struct request *request = task->request;
    return task->comm->rank == 0 &&
           (request->keep_order || request->order_again || request->rows_later || task->checkpoint);
}

size_t ordering_need(const struct engine_task *task, size_t neighbours, const struct tree *tree)
{
    const bool makes = task->comm->rank == 0 && !ordering_is_read(task);
    size_t all = tree_need(tree, task->threads);
    mem_add(&all, all, keeps_content(task) ? order_file_bytes(task->n) : 0);
    all = size_max(all, makes ? order_need(task->n, neighbours, task->threads) : 0);
    mem_add(&all, all, pattern_bytes(task->n, neighbours));
    all = size_max(all, pattern_need(task->n, task->m));
    mem_add(&all, all, mem_bytes(task->n, sizeof(uint32_t)));
    return all;
}

static int take_order(uint32_t *order, const struct engine_task *task,
                      const struct pattern *pattern, struct apsp_error *error)
{
    struct progress progress = {.shown = task->request->progress,
                                .steps = task->n,
                                .work = (double)task->n,
                                .step = "vertex",
                                .unit = "vertices/s"};
    const struct order_way way = {SEED, task->threads, &progress};
    if (task->kept_bytes > 0) {
        const struct file kept =
            file_in_memory(task->checkpoint ? "the order in the checkpoint" : "the order",
                           task->kept, task->kept_bytes);
        return order_file_take(order, &kept, pattern, error);
    }
    if (task->request->order)
        return order_file_read(order, task->request->order, pattern, error);
    progress_start(&progress);
    order_make(order, pattern, &way, error);
    progress_end(&progress);
    return error->code;
}

static int fill_content(void **content, const uint32_t *order, const struct pattern *pattern,
                        struct apsp_error *error)
{
    *content = mem_alloc(order_file_bytes(pattern->n));
    if (!*content)
        return error_set(error, APSP_MEMORY, "no memory for an order of %zu vertices", pattern->n);
    order_file_fill(*content, order, pattern);
    return APSP_OK;
}

int ordering_find(uint32_t *order, void **kept, const struct engine_task *task,
                  const struct pattern *pattern, struct apsp_error *error)
{
    if (take_order(order, task, pattern, error) == APSP_OK && keeps_content(task))
        fill_content(kept, order, pattern, error);
    return error->code;
}

int ordering_make(void **content, size_t *bytes, const struct csr *csr, int threads,
                  struct apsp_error *error)
{
    struct pattern pattern = {0};
    struct progress progress = {0};
    const struct order_way way = {SEED, threads, &progress};
    uint32_t *order = mem_alloc(mem_bytes(csr->n, sizeof *order));
    *content = NULL;
    if (!order_possible())
        error_set(error, APSP_USAGE, "this library was built without METIS, and makes no orders");
    else if (!order)
        error_set(error, APSP_MEMORY, "no memory for an order of %zu vertices", csr->n);
    if (error->code == APSP_OK && pattern_make(&pattern, csr, threads, error) == APSP_OK &&
        order_make(order, &pattern, &way, error) == APSP_OK && stop_check(error) == APSP_OK)
        fill_content(content, order, &pattern, error);
    *bytes = order_file_bytes(csr->n);
    pattern_free(&pattern);
    mem_free(order);
    return error->code;
}
