/* Rows by the cores of the machine: a worker walks by itself. */
#include "base/mem.h"
#include "rows/convert.h"
#include "rows/counted.h"
#include "sparse/expand.h"
#include "sparse/expander.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Relaxations a second of a thread, for each value of a row of operands; rough, measured by
 * bench/sparse. */
#define LANE_RATE 0.8e9

enum { ALIGN = 64 };

struct lane {
    struct expand *expand;
    struct counted counted;
    char *rows, *given; /* as computed; converted, where that changes anything */
};

/* The part of a request that the memory of a worker depends on. */
struct lane_shape {
    unsigned counts;
    bool halves;
    size_t columns; /* The columns of the rows that are made; 0: none are. */
};

struct cpu {
    struct expander base;
    const struct panels *panels;
    struct regions regions; /* While rows go side by side; and what holds them. */
    void *memory;
    atomic_size_t next;      /* group of this rank */
    struct lane_shape shape; /* That the open workers have. */
    struct lane lane[SINK_LANES];
};

static const struct relax_kernels *kernels_of(const struct engine_task *task)
{
    return relax_combining(task->dtype, task->combine, NULL);
}

static size_t width(enum dtype dtype)
{
    return relax_choose(dtype, NULL)->nr;
}

static double rate(const struct engine_task *task)
{
    return LANE_RATE * (double)width(task->dtype) * task->threads;
}

static struct core_cost cost(const struct engine_task *task)
{
    (void)task;
    return core_cost_on_host;
}

/* Making rows is work for any sink; a group is one worker's. */
static int lanes(const struct engine_task *task, unsigned counts, int working, size_t groups)
{
    int lanes = working > 0 ? working : task->threads;
    (void)counts;
    lanes = lanes < SINK_LANES ? lanes : SINK_LANES;
    return groups < (size_t)lanes ? (int)(groups > 0 ? groups : 1) : lanes;
}

static bool converts(const struct engine_task *task)
{
    return convert_changes(task->dtype, task->output, task->shifted);
}

static size_t stride_of(size_t columns)
{
    return columns < SIZE_MAX - ALIGN ? (columns + ALIGN - 1) / ALIGN * ALIGN : columns;
}

/* What a worker has beside the walk's own. */
static size_t place_lane(struct lane *lane, const struct engine_task *task,
                         const struct lane_shape *shape, void *base)
{
    struct mem_layout layout = {.base = base};
    size_t sources = width(task->dtype), values = mem_bytes(sources, stride_of(shape->columns));
    lane->rows = mem_place(&layout, values, dtype_info[task->dtype].bytes);
    lane->given = mem_place(&layout, converts(task) ? values : 0, dtype_info[task->output].bytes);
    counted_place(&lane->counted, &layout, task->dtype, task->n, shape->counts, shape->halves);
    return layout.bytes;
}

static int need(struct expander_need *need, const struct engine_task *task, const struct tree *tree,
                const struct expander_shape *asked, struct apsp_error *error)
{
    struct panels panels = {.tree = tree, .dtype = task->dtype, .kernels = kernels_of(task)};
    struct lane lane;
    struct regions regions;
    struct mem_layout layout = {0};
    const struct rows_request *rows = &task->rows_request;
    struct lane_shape shape = {expander_counts(task, rows), asked->halves, 0};
    size_t each;
    if (!shape.counts && !expander_sides(task, rows))
        shape.columns = rows->column ? rows->columns : task->n;
    *need = (struct expander_need){.host = sizeof(struct cpu)};
    mem_add(&each, expand_need(&panels, shape.columns), place_lane(&lane, task, &shape, NULL));
    mem_add(&each, each, asked->halves ? half_counts_need(task->n, task->dtype) : 0);
    if (rows->any)
        mem_mul(&need->making, each, (size_t)asked->lanes);
    if (rows->column)
        mem_add(&need->making, need->making, cut_need(shape.columns));
    regions_place(&regions, &layout, tree);
    if (expander_sides(task, rows))
        mem_add(&need->making, need->making, layout.bytes);
    return error->code;
}

static const char *describe(const struct expander *expander)
{
    return kernels_of(expander->task)->name;
}

static int open_cpu(struct expander **expander, const struct engine_task *task,
                    const struct tree *tree, const struct expander_shape *shape,
                    struct apsp_error *error)
{
    struct cpu *cpu = calloc(1, sizeof *cpu);
    (void)tree;
    (void)shape;
    *expander = cpu ? &cpu->base : NULL;
    if (!cpu)
        return error_set(error, APSP_MEMORY, "no memory for the rows of %zu vertices", task->n);
    cpu->base = (struct expander){.ops = &expander_cpu, .task = task};
    return APSP_OK;
}

static int fill(struct expander *expander, struct panels *panels, struct apsp_error *error)
{
    ((struct cpu *)expander)->panels = panels;
    return panels->core.values ? panels_close(panels, expander->task->threads, error) : APSP_OK;
}

static void free_lanes(struct cpu *cpu)
{
    for (int lane = 0; lane < SINK_LANES; lane++) {
        expand_free(cpu->lane[lane].expand);
        mem_free(cpu->lane[lane].rows); /* the first of what place_lane places */
        cpu->lane[lane] = (struct lane){0};
    }
}

static struct lane_shape lane_shape_of(const struct expander *expander)
{
    const struct expander_request *request = &expander->request;
    const size_t columns = request->cut.count > 0 ? request->cut.count : expander->task->n;
    return (struct lane_shape){request->counts, request->halves,
                               request->counts || request->sides ? 0 : columns};
}

/* Finds the regions, and tells the places that expand_walk gives the vertices. There are no regions
 * where pruning has taken vertices from boundaries, nor for maxima, which a constant does not
 * shift.
 */
static int tell_order(struct cpu *cpu, struct apsp_error *error)
{
    const struct beside_target *beside = &cpu->base.request.beside;
    const struct tree *tree = cpu->panels->tree;
    struct regions *regions = &cpu->regions;
    struct mem_layout layout = {0};
    regions_place(regions, &layout, tree);
    mem_free(cpu->memory);
    layout = (struct mem_layout){.base = cpu->memory = mem_alloc(layout.bytes)};
    if (!cpu->memory)
        return error_set(error, APSP_MEMORY, "no memory for the regions of %zu vertices", tree->n);
    regions_place(regions, &layout, tree);
    regions->count = 0;
    if (beside->region && !cpu->panels->down.own && cpu->base.task->combine == COMBINE_SUM)
        regions_find(regions, tree);
    size_t place = tree->core.size, next = 0;
    beside->order(beside->self, tree->vertex + tree->n - place, place, 0);
    for (size_t t = tree_walked(tree); t-- > 0; place += tree->node[t].size) {
        if (next > 0 && place == regions->region[next - 1].place + regions->region[next - 1].count)
            place = regions_end(&regions->region[next - 1]);
        if (next < regions->count && regions->node[next] == t)
            place = regions->region[next++].place;
        beside->order(beside->self, tree->vertex + tree->node[t].first, tree->node[t].size, place);
    }
    for (size_t k = 0; k < regions->count; k++)
        beside->region(beside->self, &regions->region[k]);
    return APSP_OK;
}

static int start(struct expander *expander, struct apsp_error *error)
{
    struct cpu *cpu = (struct cpu *)expander;
    const struct lane_shape shape = lane_shape_of(expander);
    if (shape.counts != cpu->shape.counts || shape.halves != cpu->shape.halves ||
        shape.columns != cpu->shape.columns)
        free_lanes(cpu);
    cpu->shape = shape;
    atomic_store(&cpu->next, 0);
    return expander->request.sides ? tell_order(cpu, error) : APSP_OK;
}

/* By the thread that will use it. */
static bool open_lane(struct cpu *cpu, struct lane *lane, struct apsp_error *error)
{
    const struct engine_task *task = cpu->base.task;
    const struct lane_shape *shape = &cpu->shape;
    if (lane->expand)
        return true;
    void *memory = mem_alloc(place_lane(lane, task, shape, NULL));
    place_lane(lane, task, shape, memory);
    if (!memory)
        return error_set(error, APSP_MEMORY, "no memory for rows on host %s", task->comm->host),
               false;
    lane->counted.columns.vertex = cpu->panels->tree->vertex;
    if (expand_open(&lane->expand, cpu->panels, shape->columns, error)) {
        mem_free(memory);
        *lane = (struct lane){0};
    }
    return error->code == APSP_OK;
}

/* The columns of the worker for a group that begins with that source. Their vertices come in the
 * order of the tree. */
static bool take_half(struct cpu *cpu, int number, uint32_t source, struct apsp_error *error)
{
    const struct tree *tree = cpu->panels->tree;
    const struct half_target *target = &cpu->base.request.half;
    struct half_counts *half =
        target->take(target->self, number, cpu->base.task->dtype, tree->vertex);
    if (!half)
        return error_set(error, APSP_MEMORY, "no memory for the counts of %zu columns",
                         cpu->base.task->n),
               false;
    half->before[tree->position[source]] += (uint32_t)width(cpu->base.task->dtype);
    counted_halve(&cpu->lane[number].counted, half);
    return true;
}

static bool count_group(struct cpu *cpu, int number, struct block *block, struct apsp_error *error)
{
    struct lane *lane = &cpu->lane[number];
    const bool halves = cpu->base.request.halves;
    if ((halves && !take_half(cpu, number, block->source[0], error)) ||
        counted_start(&lane->counted, &cpu->base.request.histogram, number, block->count, error))
        return false;
    (halves ? expand_halves : expand_counts)(lane->expand, block->source, block->count,
                                             &lane->counted.accumulator);
    counted_end(&lane->counted, block->count, block);
    block->half = halves;
    return true;
}

/* A group on its way to what takes it. */
struct handing {
    const struct cpu *cpu;
    struct beside_rows rows;
    size_t end,
        next; /* The place behind the region at hand, and that of the vertex to come then. */
    int lane;
    struct apsp_error *error;
};

static bool hand_on(void *self, const void *values, size_t count, size_t first)
{
    struct handing *handing = self;
    const struct beside_target *beside = &handing->cpu->base.request.beside;
    struct beside_rows *rows = &handing->rows;
    (void)first;
    rows->values = values;
    rows->count = count;
    beside->take(beside->self, handing->lane, rows, handing->error);
    rows->place += count;
    if (rows->place == handing->end)
        rows->place = handing->next;
    return handing->error->code == APSP_OK;
}

static bool enter(void *self, const void *values, size_t k)
{
    struct handing *handing = self;
    const struct beside_target *beside = &handing->cpu->base.request.beside;
    const struct beside_region *region = &handing->cpu->regions.region[k];
    struct beside_rows *rows = &handing->rows;
    rows->values = values;
    rows->count = region->border;
    rows->place = region->place;
    handing->end = region->place + region->count;
    handing->next = regions_end(region);
    if (!values || !beside->enter(beside->self, handing->lane, k, rows))
        return false;
    rows->place = handing->next;
    return true;
}

static bool hand_group(struct cpu *cpu, int number, const struct block *block,
                       struct apsp_error *error)
{
    const struct beside_rows rows = {.dtype = cpu->base.task->dtype,
                                     .width = width(cpu->base.task->dtype),
                                     .sources = block->count};
    struct handing handing = {.cpu = cpu, .rows = rows, .lane = number, .error = error};
    const struct expand_visitor visitor = {&handing, hand_on, &cpu->regions, enter};
    expand_walk(cpu->lane[number].expand, block->source, block->count, &visitor);
    return error->code == APSP_OK;
}

static const char *make_rows(const struct cpu *cpu, struct lane *lane, const uint32_t *source,
                             size_t count)
{
    const struct engine_task *task = cpu->base.task;
    const struct cut *cut = &cpu->base.request.cut;
    size_t columns = cpu->shape.columns, stride = stride_of(columns);
    const struct conversion conversion = {task->dtype, task->output, columns,
                                          task->shifted ? task->potential->h : NULL, cut->list};
    if (cut->count > 0)
        expand_cut(lane->expand, cut, source, count, lane->rows, stride);
    else
        expand_rows(lane->expand, source, count, lane->rows, stride);
    for (size_t r = 0; r < count && converts(task); r++)
        convert_row(&conversion, source[r], lane->rows + r * stride * dtype_info[task->dtype].bytes,
                    lane->given + r * stride * dtype_info[task->output].bytes);
    return converts(task) ? lane->given : lane->rows;
}

static bool next_block(struct expander *expander, int number, struct block *block,
                       struct apsp_error *error)
{
    struct cpu *cpu = (struct cpu *)expander;
    struct lane *lane = &cpu->lane[number];
    const struct engine_task *task = expander->task;
    size_t first, count;
    const struct expander_request *request = &expander->request;
    count = expander_group(expander, request->sources, atomic_fetch_add(&cpu->next, 1), &first);
    if (count == 0 || !open_lane(cpu, lane, error))
        return false;
    const uint32_t *source = request->source + first;
    size_t columns = cpu->shape.columns;
    *block = (struct block){.n = columns > 0 ? columns : task->n,
                            .column = request->counts ? NULL : request->cut.list,
                            .count = count,
                            .source = source,
                            .dtype = task->output,
                            .stride = stride_of(columns)};
    if (request->counts)
        return count_group(cpu, number, block, error);
    if (request->sides)
        return hand_group(cpu, number, block, error);
    block->values = make_rows(cpu, lane, source, count);
    return true;
}

static void free_cpu(struct expander *expander)
{
    if (!expander)
        return;
    free_lanes((struct cpu *)expander);
    mem_free(((struct cpu *)expander)->memory);
    free(expander);
}

const struct expander_ops expander_cpu = {
    .device = &device_cpu,
    .counts = COUNTED,
    .width = width,
    .cuts = true,
    .sides = true,
    .rate = rate,
    .cost = cost,
    .lanes = lanes,
    .need = need,
    .describe = describe,
    .open = open_cpu,
    .fill = fill,
    .start = start,
    .next = next_block,
    .free = free_cpu,
};
