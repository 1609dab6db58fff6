#include "sssp/shape.h"

#include "base/mem.h"
#include "sssp/levels.h"

#include <stdlib.h>

enum {
    USUAL = 2048,    /* bits of a row, */
    MEMORY_SHARE = 2 /* if all threads' take at most one part in so many of the memory */
};

static size_t power_width(size_t group)
{
    size_t width = BITS_LEAST;
    while (width < group && width < BITS_MOST)
        width *= 2;
    return width;
}

struct waves_plan shape_plan(const struct searcher_case *its, size_t group)
{
    return (struct waves_plan){.width = power_width(group),
                               .levels = its->counts == 0,
                               .columns = (its->counts & APSP_STATS_IN) != 0,
                               .harmonic = (its->counts & APSP_STATS_HARMONIC) != 0};
}

size_t shape_levels(const struct searcher_case *its, const struct waves_plan *plan)
{
    enum { PLANES = 6 }; /* 64 levels: graphs with more are for other engines */
    const struct engine_task *task = its->task;
    const struct rows_request *request = &task->rows_request;
    size_t bytes = 0;
    if (plan->levels)
        mem_add(&bytes, mem_bytes(PLANES, waves_plane(task->n, plan)),
                levels_lines(PLANES, request->column ? request->columns : task->n, plan->width));
    return bytes;
}

size_t shape_width(const struct searcher_case *its)
{
    const struct engine_task *task = its->task;
    const char *asked = getenv("APSP_SSSP_WIDTH");
    const size_t threads = (size_t)task->threads * (size_t)task->comm->machine_ranks,
                 limit = mem_node_limit() / MEMORY_SHARE / threads,
                 pairs = its->counts & APSP_STATS_HISTOGRAM ? SHAPE_PAIRS / task->n : BITS_MOST;
    size_t width = power_width(asked ? (size_t)strtoull(asked, NULL, 10) : USUAL), each;
    for (; width > BITS_LEAST; width /= 2) {
        const struct waves_plan plan = shape_plan(its, width);
        mem_add(&each, waves_need(task->n, &plan), shape_levels(its, &plan));
        if (each <= limit && width <= pairs)
            break;
    }
    return width;
}
