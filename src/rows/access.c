#include "rows/access_row.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "rows/choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t blocks_of(const struct sink_task *task)
{
    return (sink_columns(task) + DECAY_BLOCK - 1) / DECAY_BLOCK;
}

bool access_is_beside(const struct access_plan *plan, const struct sink_task *task)
{
    return plan->shares == 0 && !task->targets;
}

struct rows_near access_near(const struct access_plan *plan, const struct sink_task *task)
{
    double reach = -(double)INFINITY;
    for (size_t k = 0; k < plan->decays; k++)
        reach = fmax(reach, access_reach(&plan->decay[k]));
    return (struct rows_near){.asked = plan->shares == 0 && isfinite(reach),
                              .most = choose_most(task->dtype, task->scale, reach),
                              .unordered = true};
}

/* Whether there are so many rows of integers that regions are worth remembering, and each worker
 * has memory for them. */
static bool remembers(const struct access_plan *plan, const struct sink_task *task)
{
    enum { ROWS = 16, MOST = 256 << 20 };
    struct access_beside beside;
    struct mem_layout layout = {0};
    access_place_regions(&beside, plan, &layout, task->n);
    return access_is_beside(plan, task) && !dtype_info[task->dtype].real &&
           sink_rows(task) >= task->n / ROWS && layout.bytes <= MOST;
}

/* Places what all workers share: blocks of rows, or of fewer targets of rows side by side. */
static size_t access_layout(struct access *access, const struct access_plan *plan,
                            const struct sink_task *task, void *base)
{
    struct mem_layout layout = {.base = base};
    const bool kept = remembers(plan, task);
    const size_t regions = kept ? beside_regions(task->n) : 0,
                 places = kept ? beside_places(task->n) : 0,
                 blocks = size_max(blocks_of(task), (places + DECAY_BLOCK - 1) / DECAY_BLOCK),
                 sums = mem_bytes(blocks, plan->columns);
    mem_place(&layout, 1, sizeof *access);
    access->amount = mem_place(&layout, mem_bytes(sums, DECAY_BLOCK), sizeof(double));
    mem_place(&layout, DECAY_LANES, sizeof(double)); /* Kernels read beyond the last amount. */
    access->block = mem_place(&layout, mem_bytes(sums, DECAY_BLOCK / DECAY_SIDE), sizeof(double));
    access->region = mem_place(&layout, regions, sizeof *access->region);
    access->within = mem_place(&layout, mem_bytes(regions, plan->columns), sizeof(double));
    access->total = mem_place(&layout, plan->columns, sizeof(double));
    access->limit = mem_place(&layout, plan->decays, sizeof(double));
    access->order = mem_place(&layout, plan->decays, sizeof *access->order);
    access->value =
        mem_place(&layout, mem_bytes(sink_rows(task), access_width(plan)), sizeof(double));
    return layout.bytes;
}

static size_t place_lane(struct access_lane *lane, const struct access_plan *plan,
                         const struct sink_task *task, void *base)
{
    struct mem_layout layout = {.base = base};
    const size_t sums = mem_bytes(plan->decays, plan->columns),
                 columns = task->targets ? sink_columns(task) : 0;
    struct access_lane *self = mem_place(&layout, 1, sizeof *self);
    struct access_lane parts = {0};
    for (int r = 0; r < ACCESS_ROWS; r++) {
        struct access_row *row = &parts.row[r];
        row->far = mem_place(&layout, plan->decays, sizeof *row->far);
        row->sum = mem_place(&layout, mem_bytes(sums, DECAY_LANES), sizeof *row->sum);
        row->all = mem_place(&layout, sums, sizeof *row->all);
        row->pile = mem_place(&layout, plan->shares > 0 ? plan->columns : 0, sizeof *row->pile);
    }
    struct access_beside *beside = &parts.beside;
    const size_t values = access_is_beside(plan, task) ? DECAY_SIDE * DECAY_WIDTH : 0;
    beside->distance = mem_place(&layout, values, sizeof *beside->distance);
    beside->scaled = mem_place(&layout, values, sizeof *beside->scaled);
    beside->weight = mem_place(&layout, values, sizeof *beside->weight);
    beside->far = mem_place(&layout, values > 0 ? plan->decays : 0, sizeof *beside->far);
    beside->sum =
        mem_place(&layout, values > 0 ? mem_bytes(sums, DECAY_WIDTH) : 0, sizeof *beside->sum);
    beside->all = mem_place(&layout, values > 0 ? sums : 0, sizeof *beside->all);
    const size_t moments = values > 0 ? mem_bytes(plan->columns, DECAY_DEGREE + 1) : 0;
    beside->moment = mem_place(&layout, moments, sizeof *beside->moment);
    const size_t found = access_near(plan, task).asked ? plan->columns : 0;
    parts.amount = mem_place(&layout, mem_bytes(found, DECAY_BLOCK), sizeof *parts.amount);
    parts.all = mem_place(&layout, found, sizeof *parts.all);
    access_place_regions(beside, plan, &layout, remembers(plan, task) ? task->n : 0);
    parts.room = mem_place(&layout, mem_bytes(columns, ACCESS_ROWS), dtype_info[task->dtype].bytes);
    if (lane)
        *lane = parts;
    return layout.bytes;
}

#ifndef APSP_GPU
const struct access_device_ops *access_device(void)
{
    return NULL;
}
#endif

/* The distances of amounts are found on the host. */
bool access_on_device(const struct access_plan *plan)
{
    return access_device() && plan->shares == 0;
}

struct sink_need access_need(const struct access_plan *plan, const struct sink_task *task,
                             int lanes)
{
    struct access access;
    struct sink_need need = {.visits = (double)sink_rows(task) * (double)sink_columns(task)};
    mem_mul(&need.host, place_lane(NULL, plan, task, NULL), (size_t)lanes);
    mem_add(&need.host, need.host, access_layout(&access, plan, task, NULL));
    if (access_on_device(plan))
        need.device = access_device()->need(plan, task->n);
    return need;
}

/* The limit of a step, in the unit of rows. */
static double limit_of(const struct access *access, double at)
{
    const enum dtype dtype = access->task->dtype;
    const union value most = choose_most(dtype, access->task->scale, at);
    return dtype_info[dtype].real ? most.real : (double)most.whole;
}

/* Steps by their limits, then the other decays. */
static void sort_steps(struct access *access)
{
    const struct access_plan *plan = &access->plan;
    for (size_t k = 0; k < plan->decays; k++) {
        if (plan->decay[k].kind != APSP_DECAY_STEP)
            continue;
        const double limit = limit_of(access, plan->decay[k].at);
        size_t at = access->steps++;
        for (; at > 0 && access->limit[at - 1] > limit; at--) {
            access->limit[at] = access->limit[at - 1];
            access->order[at] = access->order[at - 1];
        }
        access->limit[at] = limit;
        access->order[at] = (uint32_t)k;
    }
    size_t next = access->steps;
    for (size_t k = 0; k < plan->decays; k++)
        if (plan->decay[k].kind != APSP_DECAY_STEP)
            access->order[next++] = (uint32_t)k;
}

static void fill(struct access *access)
{
    const struct access_plan *plan = &access->plan;
    const uint32_t *target = access->task->targets ? access->task->targets->vertex : NULL;
    for (size_t j = 0; j < access->columns; j++)
        for (size_t c = 0; c < plan->columns; c++) {
            const size_t at = j / DECAY_BLOCK * plan->columns + c;
            const double amount = plan->amount[c * access->task->n + (target ? target[j] : j)];
            access->amount[at * DECAY_BLOCK + j % DECAY_BLOCK] = amount;
            access->block[at] += amount;
            access->total[c] += amount;
        }
    sort_steps(access);
    for (size_t k = 0; k < plan->shares; k++)
        access->most = fmax(access->most, plan->share[k]);
}

int access_new(struct access **out, const struct access_plan *plan, const struct sink_task *task,
               struct apsp_error *error)
{
    struct access *access = *out = mem_alloc(access_layout(&(struct access){0}, plan, task, NULL));
    if (!access)
        return error_set(error, APSP_MEMORY, "no memory for accessibility on %s", task->comm->host);
    access_layout(access, plan, task, access);
    access->plan = *plan;
    access->task = task;
    access->kernels = decay_choose();
    access->columns = sink_columns(task);
    access->blocks = blocks_of(task);
    access->factor = dtype_info[task->dtype].real ? 1 : scale_factor(task->scale);
    fill(access);
    return APSP_OK;
}

void access_free(struct access *access)
{
    if (!access)
        return;
    for (int i = 0; i < SINK_LANES; i++) {
        struct access_lane *lane = access->lane[i];
        for (int r = 0; lane && access->plan.shares > 0 && r < ACCESS_ROWS; r++)
            for (size_t c = 0; c < access->plan.columns; c++)
                free(lane->row[r].pile[c].heap);
        mem_free(lane);
    }
    if (access->device)
        access_device()->free(access->device);
    mem_free(access);
}

/* NULL after APSP_MEMORY. */
static struct access_lane *lane_of(struct access *access, int number, struct apsp_error *error)
{
    struct access_lane *lane = access->lane[number], parts;
    if (lane)
        return lane;
    lane = access->lane[number] = mem_alloc(place_lane(NULL, &access->plan, access->task, NULL));
    if (lane) {
        place_lane(&parts, &access->plan, access->task, lane);
        *lane = parts;
    } else {
        error_set(error, APSP_MEMORY, "no memory for accessibility on %s",
                  access->task->comm->host);
    }
    return lane;
}

static void take_order(void *self, const uint32_t *vertex, size_t count, size_t place)
{
    access_order(self, vertex, count, place);
}

static int take_beside(void *self, int number, const struct beside_rows *rows,
                       struct apsp_error *error)
{
    struct access_lane *lane = lane_of(self, number, error);
    if (lane && lane->beside.region > 0 && rows->place > 0)
        access_remember(self, lane, rows);
    else if (lane)
        access_take_beside(self, lane, rows);
    return error->code;
}

static void take_region(void *self, const struct beside_region *region)
{
    access_add_region(self, region);
}

/* The lane has taken the rows of vertices before. */
static bool enter_region(void *self, int number, size_t region, const struct beside_rows *border)
{
    const struct access *access = self;
    return access_enter_region(access, access->lane[number], region, border);
}

struct beside_target access_beside(struct access *access)
{
    return (struct beside_target){access, take_order,
                                  remembers(&access->plan, access->task) ? take_region : NULL,
                                  take_beside, enter_region};
}

static int take_on_host(struct access *access, int number, const struct block *block,
                        struct apsp_error *error)
{
    struct access_lane *lane = lane_of(access, number, error);
    const size_t width = access_width(&access->plan),
                 room = access->columns * dtype_info[access->task->dtype].bytes;
    if (!lane)
        return error->code;
    for (size_t k = 0; k < block->count && !error->code; k++) {
        const size_t source = block_source(block, k), at = sink_place(access->task, source);
        if (at < sink_rows(access->task) && block->part) {
            access_weigh_found(access, lane, block, access->value + at * width, error);
        } else if (at < sink_rows(access->task) && !block->values) {
            access_end_beside(access, lane, k, access->value + at * width);
        } else if (at < sink_rows(access->task)) {
            struct access_row *row = &lane->row[lane->count];
            row->values = sink_row(access->task, block, k, (char *)lane->room + lane->count * room);
            row->home = access->task->targets ? 0 : source / DECAY_BLOCK;
            row->value = access->value + at * width;
            lane->count++;
        }
        if (lane->count == ACCESS_ROWS || (lane->count > 0 && k + 1 == block->count))
            access_weigh_rows(access, lane, error);
    }
    return error->code;
}

/* The first worker to come opens the device. */
static int take_on_device(struct access *access, int number, const struct block *block,
                          struct apsp_error *error)
{
    const size_t width = access_width(&access->plan);
    const double *value = NULL;
#pragma omp critical(access_device)
    if (!access->device)
        access_device()->open(&access->device, access, error);
    if (error->code || access_device()->take(access->device, number, block, &value, error))
        return error->code;
    for (size_t k = 0; k < block->count; k++) {
        const size_t at = sink_place(access->task, block_source(block, k));
        if (at < sink_rows(access->task))
            memcpy(access->value + at * width, value + k * width, width * sizeof *value);
    }
    return APSP_OK;
}

int access_take(struct access *access, int number, const struct block *block,
                struct apsp_error *error)
{
    return block->device && access_on_device(&access->plan)
               ? take_on_device(access, number, block, error)
               : take_on_host(access, number, block, error);
}

size_t *access_words(struct access *access, size_t *count)
{
    *count = sink_rows(access->task) * access_width(&access->plan);
    return (size_t *)access->value;
}

const double *access_merge(struct access *access)
{
    size_t count, *words = access_words(access, &count);
    comm_sum_all(access->task->comm, words, count);
    return access->value;
}
