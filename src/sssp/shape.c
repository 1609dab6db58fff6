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

size_t shape_need(const struct searcher_case *its, size_t group)
{
    const struct waves_plan plan = shape_plan(its, group);
    const struct engine_task *task = its->task;
    const struct rows_request *request = &task->rows_request;
    const int planes = searcher_planes(its);
    size_t bytes = waves_need(task->n, &plan);
    if (plan.levels) {
        mem_add(&bytes, bytes, mem_bytes((size_t)planes, waves_plane(task->n, &plan)));
        mem_add(&bytes, bytes,
                levels_lines(planes, request->column ? request->columns : task->n, plan.width));
    }
    return bytes;
}

size_t shape_width(const struct searcher_case *its)
{
    const struct engine_task *task = its->task;
    const char *asked = getenv("APSP_SSSP_WIDTH");
    const size_t threads = (size_t)task->threads * (size_t)task->comm->machine_ranks,
                 limit = mem_node_limit() / MEMORY_SHARE / threads,
                 pairs = its->counts & APSP_STATS_HISTOGRAM ? SHAPE_PAIRS / task->n : BITS_MOST;
    size_t width = power_width(asked ? (size_t)strtoull(asked, NULL, 10) : USUAL);
    while (width > BITS_LEAST && (shape_need(its, width) > limit || width > pairs))
        width /= 2;
    return width;
}
