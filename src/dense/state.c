#include "dense/state.h"

#include "base/mem.h"
#include "base/minmax.h"

#include <sched.h>

enum { BUFFER = 32 << 20 }; /* bytes of the rows that come from a device at a time, about */

static size_t row_bytes(const struct backend_plan *plan)
{
    return mem_bytes(plan->n, dtype_info[plan->dtype].bytes);
}

/* Rows that the buffer of a device has room for. */
static size_t room_of(const struct backend_plan *plan)
{
    size_t rows = BUFFER / row_bytes(plan), all = range_length(plan->rows);
    rows = rows > 0 ? rows : 1;
    return size_min(rows, all);
}

size_t state_buffer(const struct backend_ops *ops, const struct backend_plan *plan)
{
    return ops->panel->on_host ? 0 : mem_bytes(room_of(plan), row_bytes(plan));
}

size_t state_need(const struct backend_ops *ops, const struct backend_plan *plan)
{
    size_t bytes;
    mem_add(&bytes, state_buffer(ops, plan), checkpoint_matrix_need(plan->rows));
    return bytes;
}

/* Rows of the device's memory to the buffer, or back. */
static void copy(void *self, struct range rows, char *buffer, bool back)
{
    enum { MARK = 0 }; /* no transport is under way */
    struct backend *backend = self;
    const struct backend_area area =
        backend->round->area(backend, SUM_STRIP, 0, (struct range){0, 0});
    for (size_t i = rows.lo; i < rows.hi; i++) {
        char *there = area.at + (i - backend->plan.rows.lo) * area.pitch,
             *here = buffer + (i - rows.lo) * area.width;
        backend->panel->copy(backend, BACKEND_AHEAD, back ? there : here, back ? here : there,
                             area.width);
    }
    backend->panel->mark(backend, BACKEND_AHEAD, MARK);
    while (!backend->panel->reached(backend, MARK))
        sched_yield();
}

struct checkpoint_strip state_strip(struct backend *backend, void *buffer)
{
    const struct backend_plan *plan = &backend->plan;
    const struct backend_area area =
        backend->round->area(backend, SUM_STRIP, 0, (struct range){0, 0});
    return (struct checkpoint_strip){.rows = plan->rows,
                                     .width = row_bytes(plan),
                                     .at = backend->panel->on_host ? area.at : NULL,
                                     .pitch = area.pitch,
                                     .buffer = buffer,
                                     .room = room_of(plan),
                                     .copy = copy,
                                     .self = backend,
                                     .threads = plan->threads};
}
