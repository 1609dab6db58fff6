#include "rows/tight_rows.h"

#include "base/mem.h"

#include <stdlib.h>

#ifndef APSP_GPU
const struct tight_device_ops *tight_device(void)
{
    return NULL;
}
#endif

bool tight_rows_on_device(const struct tight_task *task)
{
    return tight_device() && !task->load && task->path == 0 && !dtype_info[task->dtype].real;
}

static int take_row(const struct tight_task *task, struct tight **tight, size_t s, const void *row,
                    struct apsp_error *error)
{
    if (!*tight && tight_open(tight, task, error))
        return error->code;
    return tight_take(task, *tight, s, row, error);
}

/* The first worker to come opens the device. */
static struct tight_device *device_of(struct tight_rows *rows)
{
    struct tight_device *device;
#pragma omp critical(tight_rows)
    {
        if (!rows->device && !rows->refused)
            rows->device = tight_device()->open(rows->task);
        rows->refused = !rows->device;
        device = rows->device;
    }
    return device;
}

/* Rows that the device leaves come to the host. */
static int take_left(const struct tight_rows *rows, struct tight **tight, const struct block *block,
                     const uint32_t *left, size_t count, struct apsp_error *error)
{
    void *room = mem_alloc(mem_bytes(block->n, dtype_info[block->dtype].bytes));
    if (!room)
        return error_set(error, APSP_MEMORY, "no memory for the betweenness");
    for (size_t i = 0; i < count && !error->code; i++) {
        tight_device()->fetch(block, left[i], room);
        take_row(rows->task, tight, block_source(block, left[i]), room, error);
    }
    mem_free(room);
    return error->code;
}

static int take_on_device(struct tight_rows *rows, int lane, struct tight **tight,
                          const struct block *block, struct apsp_error *error)
{
    struct tight_device *device = device_of(rows);
    uint32_t *left = malloc(mem_bytes(block->count, sizeof *left));
    size_t count = 0;
    if (!left)
        return error_set(error, APSP_MEMORY, "no memory for the betweenness");
    if (device)
        count = tight_device()->take(device, lane, block, left, error);
    else
        for (; count < block->count; count++)
            left[count] = (uint32_t)count;
    if (count > 0 && !error->code)
        take_left(rows, tight, block, left, count, error);
    free(left);
    return error->code;
}

int tight_rows_take(struct tight_rows *rows, int lane, struct tight **tight,
                    const struct block *block, struct apsp_error *error)
{
    if (block->device && tight_rows_on_device(rows->task))
        return take_on_device(rows, lane, tight, block, error);
    for (size_t k = 0; k < block->count && !error->code; k++)
        take_row(rows->task, tight, block_source(block, k), block_row(block, k), error);
    return error->code;
}

int tight_rows_end(struct tight_rows *rows, struct fixed_sum *vertex, struct fixed_sum *arc,
                   struct apsp_error *error)
{
    return rows->device ? tight_device()->end(rows->device, vertex, arc, error) : APSP_OK;
}

void tight_rows_free(struct tight_rows *rows)
{
    if (rows->device)
        tight_device()->free(rows->device);
}
