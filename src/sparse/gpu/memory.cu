/* The memory of the expander on a GPU: the tree and its panels for good, the rest for what is made.
 */
#include "sparse/gpu/expander.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace
{

/* Rows are handed out by at most so many bytes: with copies to the host, and without, where more
 * keep the whole device at work. */
enum { CHUNK = 16 << 20, CHUNK_THERE = 128 << 20 };

/* A batch of several groups has at most so many bytes of labels, and of rows. */
const size_t label_bytes = (size_t)2 << 30, rows_bytes = (size_t)4 << 30;

/* Either has at most one part in so many of the device's memory. */
enum { BATCH_PART = 16 };

/* What an H200 is fastest with: the part of the window for one path, tasks under way for each warp,
 * and from the one whose panel is fetched to the one that is computed. */
enum { STACK_PART = 5, UNDER_WAY = 2, TEAMS = WALK_THREADS / 32, AHEAD = 20 };

/* Words that may be read beyond the last panel. */
enum { PANEL_PAD = 2 * TASK_WIDEST };

/* The request that a task will make. */
struct gpu_request request_of(const struct engine_task *task, const struct expander_shape *shape)
{
    const struct rows_request *rows = &task->rows_request;
    return {task->sources ? task->sources : task->n,
            expander_counts(task, rows),
            shape->lanes,
            shape->halves,
            rows->on_host,
            rows->places};
}

struct tasks_shape tasks_shape_of(size_t window)
{
    struct tasks_shape shape = {};
    shape.rows = window / WALK_ROW;
    shape.row_bytes = WALK_ROW;
    shape.stack = shape.rows / STACK_PART;
    shape.under_way = UNDER_WAY * TEAMS;
    shape.ahead = AHEAD;
    shape.widest[0] = shape.widest[1] = TASK_WIDEST;
    return shape;
}

int find_shape(struct gpu_shape *shape, const struct engine_task *task, const struct tree *tree,
               struct apsp_error *error)
{
    int number = task->device->number;
    gpuDeviceProp properties;
    int bytes = 0;
    gpuError_t status = gpuGetDeviceProperties(&properties, number);
    if (status == gpuSuccess)
        status = gpuDeviceGetAttribute(&bytes, gpuAttributeShared, number);
    if (status != gpuSuccess) {
        (void)gpuGetLastError();
        return error_set(error, APSP_DEVICE, "GPU %d cannot be used: %s", number,
                         gpuGetErrorString(status));
    }
    const size_t shared = (size_t)bytes;
    *shape = {};
    shape->blocks = properties.multiProcessorCount;
    shape->memory = properties.totalGlobalMem;
    if (shared < walk_overhead() + 2 * NODE_MAX * (size_t)WALK_ROW)
        return error_set(error, APSP_DEVICE, "GPU %d has %zu bytes of shared memory: too few",
                         number, shared);
    shape->window = (shared - walk_overhead()) / WALK_ROW * WALK_ROW;
    shape->up = tiles_up_words(NULL, tree->node, tree_walked(tree));
    shape->tasks = tasks_shape_of(shape->window);
    shape->bounds = tasks_bounds(tree, &shape->tasks);
    return tasks_far(&shape->far, tree, &shape->tasks, error);
}

size_t place_tree(struct gpu_tree *held, const struct tree *tree, const struct gpu_shape *shape,
                  enum dtype dtype, void *base)
{
    struct mem_layout layout = {(char *)base, 0};
    const size_t word = tiles_word(dtype), boundary = tree->node[tree->nodes].boundary;
    held->down = mem_place(&layout, shape->bounds.words + PANEL_PAD, word);
    held->up = mem_place(&layout, shape->up + PANEL_PAD, word);
    held->task = (struct task *)mem_place(&layout, shape->bounds.tasks, sizeof *held->task);
    held->list =
        (uint32_t *)mem_place(&layout, shape->bounds.listed + TASK_LIST_PAD, sizeof *held->list);
    held->owner = (uint32_t *)mem_place(&layout, boundary, sizeof *held->owner);
    held->inside = (uint32_t *)mem_place(&layout, boundary, sizeof *held->inside);
    held->position = (uint32_t *)mem_place(&layout, tree->n, sizeof *held->position);
    held->node = (struct walk_node *)mem_place(&layout, tree->nodes, sizeof *held->node);
    return layout.bytes;
}

struct gpu_limits find_limits(const struct engine_task *task, const struct tree *tree,
                              const struct gpu_shape *shape, const struct gpu_request *request)
{
    const bool counts = request->counts != 0;
    const size_t width = walk_width(task->dtype), row = mem_bytes(task->n, WALK_ROW);
    const size_t own = groups_sources(task->comm, request->sources, width);
    const size_t part = shape->memory / BATCH_PART;
    const size_t label_most = part < label_bytes ? part : label_bytes;
    const size_t rows_most = part < rows_bytes ? part : rows_bytes;
    size_t one = tree_upward_rows(tree, width), all;
    struct gpu_limits limits = {};
    limits.groups = (own + width - 1) / width + 1;
    if (!counts && limits.groups > rows_most / row + 1)
        limits.groups = rows_most / row + 1;
    if (!counts &&
        limits.groups > (size_t)shape->blocks) /* no block is left with one more than others */
        limits.groups -= limits.groups % (size_t)shape->blocks;
    limits.labels = one > label_most / WALK_ROW ? one : label_most / WALK_ROW;
    if (tree->core.size > 0 && limits.groups > limits.labels / tree->core.size)
        limits.groups = limits.labels / tree->core.size;
    limits.sources = limits.groups * width;
    if (tree->core.size > 0)
        limits.picks = (tree->core.size + TASK_LIST_PAD + 1) / 2 * 2; /* read two by two */
    mem_mul(&all, limits.groups, one);
    limits.labels = limits.labels < all ? limits.labels : all;
    mem_mul(&all, limits.groups, tree_upward_nodes(tree, width));
    limits.path = size_min(limits.labels, all); /* each node has a row at least */
    return limits;
}

size_t place_tables(struct gpu_tables *tables, const struct gpu_limits *limits, void *base)
{
    struct mem_layout layout = {(char *)base, 0};
    tables->group = (struct walk_group *)mem_place(&layout, limits->groups, sizeof *tables->group);
    tables->path = (uint32_t *)mem_place(&layout, limits->path, sizeof *tables->path);
    tables->path_row = (uint32_t *)mem_place(&layout, limits->path, sizeof *tables->path_row);
    tables->start = (uint32_t *)mem_place(&layout, limits->sources, sizeof *tables->start);
    tables->sum = (int64_t *)mem_place(&layout, limits->sources, sizeof *tables->sum);
    tables->most = (int64_t *)mem_place(&layout, limits->sources, sizeof *tables->most);
    tables->lost = (uint32_t *)mem_place(&layout, limits->sources, sizeof *tables->lost);
    return layout.bytes;
}

/* Rows that are transposed at a time: chunks of a group are alike. */
size_t step_of(const struct engine_task *task, bool on_host)
{
    const size_t width = walk_width(task->dtype), chunk = on_host ? CHUNK : CHUNK_THERE,
                 row = mem_bytes(task->n, dtype_info[task->output].bytes),
                 most = row < chunk ? chunk / row : 1, chunks = (width + most - 1) / most;
    return (width + chunks - 1) / chunks;
}

struct making_shape {
    const struct engine_task *task;
    struct gpu_limits limits;
    size_t far; /* rows of all blocks */
    struct gpu_request request;
};

size_t place_making(struct gpu_making *making, const struct making_shape *shape, void *base)
{
    struct mem_layout layout = {(char *)base, 0};
    const struct engine_task *task = shape->task;
    const size_t row = mem_bytes(task->n, WALK_ROW),
                 values =
                     mem_bytes(step_of(task, shape->request.on_host), gpu_expander_stride(task));
    making->label = (char *)mem_place(&layout, shape->limits.labels, WALK_ROW);
    making->far = (char *)mem_place(&layout, shape->far, WALK_ROW);
    making->next = (uint32_t *)mem_place(&layout, 1, sizeof *making->next);
    gpu_expander_half_place(making, &layout, shape->request.halves ? task->n : 0);
    const size_t picking = shape->limits.picks > 0 ? shape->limits.groups : 0;
    making->pick = (uint32_t *)mem_place(&layout, mem_bytes(picking, shape->limits.picks),
                                         sizeof *making->pick);
    making->picked = (uint32_t *)mem_place(&layout, picking, sizeof *making->picked);
    making->potentials =
        mem_place(&layout, task->shifted && !shape->request.counts ? task->n : 0, sizeof(int64_t));
    for (int b = 0; b < EXPANDER_BATCHES; b++) {
        char *tables =
            (char *)mem_place(&layout, place_tables(&making->tables[b], &shape->limits, NULL), 1);
        place_tables(&making->tables[b], &shape->limits, tables);
        making->rows[b] =
            (char *)mem_place(&layout, shape->request.counts ? 0 : shape->limits.groups, row);
    }
    const bool placed = gpu_expander_places(task, shape->request.places);
    for (int l = 0; l < shape->request.lanes && !shape->request.counts && !placed; l++) {
        making->transposed[l] =
            (char *)mem_place(&layout, task->shifted ? values : 0, dtype_info[task->dtype].bytes);
        making->given[l] = (char *)mem_place(&layout, values, dtype_info[task->output].bytes);
    }
    return layout.bytes;
}

struct making_shape making_shape_of(const struct engine_task *task, const struct tree *tree,
                                    const struct gpu_shape *shape,
                                    const struct gpu_request &request)
{
    return {task, find_limits(task, tree, shape, &request),
            mem_bytes(shape->far, (size_t)shape->blocks), request};
}

/* Host memory of one batch, and of a worker. */
size_t batch_bytes(const struct making_shape *making)
{
    struct gpu_tables tables;
    return place_tables(&tables, &making->limits, NULL);
}

size_t lane_bytes(const struct making_shape *making)
{
    return making->request.counts
               ? 0
               : mem_bytes(mem_bytes(step_of(making->task, making->request.on_host),
                                     gpu_expander_stride(making->task)),
                           dtype_info[making->task->output].bytes);
}

} // namespace

int gpu_expander_need(struct expander_need *need, const struct engine_task *task,
                      const struct tree *tree, const struct expander_shape *asked,
                      struct apsp_error *error)
{
    struct gpu_shape shape;
    struct gpu_tree held;
    struct gpu_making memory;
    *need = {};
    if (find_shape(&shape, task, tree, error))
        return error->code;
    const size_t word = tiles_word(task->dtype);
    const struct making_shape making = making_shape_of(task, tree, &shape, request_of(task, asked));
    mem_add(&need->host, tasks_need(tree, &shape.tasks),
            gpu_expander_fill_need(tree, mem_bytes(size_max(shape.bounds.words, shape.up), word)));
    mem_add(&need->host, need->host, mem_bytes(tree->nodes, 2 * sizeof(uint32_t)));
    mem_add(&need->host, need->host, mem_bytes(batch_bytes(&making), EXPANDER_BATCHES));
    mem_add(&need->host, need->host, mem_bytes(making.limits.sources, sizeof(struct row_counts)));
    mem_add(&need->device, place_tree(&held, tree, &shape, task->dtype, NULL),
            place_making(&memory, &making, NULL));
    mem_mul(&need->making, lane_bytes(&making), (size_t)asked->lanes);
    mem_add(&need->making, need->making, asked->halves ? half_counts_need(task->n, DTYPE_I64) : 0);
    return APSP_OK;
}

static int refuse(struct gpu_expander *gpu, gpuError_t status, size_t bytes,
                  struct apsp_error *error)
{
    char needs[TEXT_SHORT];
    snprintf(needs, sizeof needs, "rows of %zu vertices need", gpu->base.task->n);
    return gpu_refuse(gpu->base.task->device->number, status, needs, bytes, error);
}

static gpuError_t open_device(struct gpu_expander *gpu)
{
    int lowest = 0, highest = 0, number = gpu->base.task->device->number;
    gpuDeviceProp properties;
    gpuError_t status = gpu_use(number);
    if (status == gpuSuccess)
        status = gpuGetDeviceProperties(&properties, number);
    if (status != gpuSuccess)
        return status;
    snprintf(gpu->text, sizeof gpu->text, "%.80s, %.1f GiB, %d multiprocessors", properties.name,
             (double)properties.totalGlobalMem / 1073741824.0, gpu->shape.blocks);
    if ((status = gpu->kernels.prepare(gpu->shape.window)) == gpuSuccess)
        status = gpuDeviceGetStreamPriorityRange(&lowest, &highest);
    if (status == gpuSuccess)
        status = gpuStreamCreateWithPriority(&gpu->stream, gpuStreamNonBlocking, lowest);
    for (int l = 0; l < EXPANDER_LANES && status == gpuSuccess; l++)
        status = gpuStreamCreateWithPriority(&gpu->lane[l].stream, gpuStreamNonBlocking, highest);
    for (struct gpu_batch &batch : gpu->batch)
        for (gpuEvent_t *event : {&batch.begun, &batch.swept, &batch.done, &batch.fetched})
            if (status == gpuSuccess)
                status = gpuEventCreate(event);
    return status;
}

static void give_back(struct gpu_expander *gpu)
{
    if (gpu->making.label) {
        GPU_RELEASE(gpuStreamSynchronize(gpu->stream)); /* a batch may be under way */
        GPU_RELEASE(gpuFree(gpu->making.label));
    }
    gpu->making = {};
    for (struct gpu_batch &batch : gpu->batch) {
        if (batch.host.group)
            GPU_RELEASE(gpuHostFree(batch.host.group));
        batch.host = {};
    }
    for (struct gpu_lane &lane : gpu->lane) {
        if (lane.buffer)
            GPU_RELEASE(gpuHostFree(lane.buffer));
        lane.buffer = NULL;
    }
    mem_free(gpu->counts);
    gpu->counts = NULL;
}

/* Rows that go to places need no memory on the way. Those of several groups keep the device at
 * work, if they are side by side among the sources. */
static void set_chunks(struct gpu_expander *gpu, const struct gpu_request *request)
{
    const struct engine_task *task = gpu->base.task;
    const bool places = gpu_expander_places(task, request->places);
    const size_t width = walk_width(task->dtype);
    gpu->span = places && task->comm->ranks == 1 ? CONVERT_PLACES / width : 1;
    gpu->step = places ? gpu->span * width : step_of(task, request->on_host);
    gpu->chunks = (gpu->span * width + gpu->step - 1) / gpu->step;
}

static bool is_same(const struct gpu_request *a, const struct gpu_request *b)
{
    return a->sources == b->sources && a->counts == b->counts && a->lanes == b->lanes &&
           a->halves == b->halves && a->on_host == b->on_host && a->places == b->places;
}

static int take_memory(struct gpu_expander *gpu, const struct gpu_request *request,
                       struct apsp_error *error)
{
    const struct engine_task *task = gpu->base.task;
    const struct making_shape making = making_shape_of(task, gpu->tree, &gpu->shape, *request);
    gpu->taken = false;
    GPU_CHECK(gpuSetDevice(task->device->number));
    give_back(gpu);
    size_t bytes = place_making(&gpu->making, &making, NULL);
    void *memory = NULL;
    gpu->making = {};
    gpuError_t status = gpuMalloc(&memory, size_max(bytes, 1));
    if (status != gpuSuccess)
        return refuse(gpu, status, bytes, error);
    place_making(&gpu->making, &making, memory);
    gpu->limits = making.limits;
    set_chunks(gpu, request);
    for (int b = 0; b < EXPANDER_BATCHES && status == gpuSuccess; b++) {
        struct gpu_batch *batch = &gpu->batch[b];
        if ((status = gpuHostAlloc(&memory, batch_bytes(&making))) == gpuSuccess)
            place_tables(&batch->host, &making.limits, memory);
        batch->device = gpu->making.tables[b];
        batch->rows = gpu->making.rows[b];
    }
    gpu->counts =
        (struct row_counts *)mem_alloc(mem_bytes(making.limits.sources, sizeof *gpu->counts));
    if (status != gpuSuccess || !gpu->counts) {
        (void)gpuGetLastError();
        return error_set(error, APSP_MEMORY, "no memory for rows on host %s", task->comm->host);
    }
    gpu->made = *request;
    gpu->taken = true;
    return APSP_OK;
}

int gpu_expander_take(struct gpu_expander *gpu, struct apsp_error *error)
{
    const struct expander_request *own = &gpu->base.request;
    const struct gpu_request request = {own->sources, own->counts,  own->lanes,
                                        own->halves,  own->on_host, own->places};
    return gpu->taken && is_same(&gpu->made, &request) ? APSP_OK
                                                       : take_memory(gpu, &request, error);
}

static int prepare(struct gpu_expander *gpu, struct apsp_error *error)
{
    const struct engine_task *task = gpu->base.task;
    const struct tree *tree = gpu->tree;
    const struct panels_way all = {NULL, tree->node, tree->boundary, NULL};
    if (find_shape(&gpu->shape, task, tree, error))
        return error->code;
    if (tree->core.size == 0 && tasks_make(&gpu->tasks, tree, &all, &gpu->shape.tasks, error))
        return error->code;
    gpuError_t status = open_device(gpu);
    size_t bytes = place_tree(&gpu->held, tree, &gpu->shape, task->dtype, NULL);
    void *memory = NULL;
    gpu->held = {};
    if (status == gpuSuccess)
        status = gpuMalloc(&memory, size_max(bytes, 1));
    if (status != gpuSuccess)
        return refuse(gpu, status, bytes, error);
    place_tree(&gpu->held, tree, &gpu->shape, task->dtype, memory);
    /* Callers of the library ask for rows that are not known yet. */
    return task->rows_request.any && !task->no_rows && !task->request->rows_later
               ? take_memory(gpu, &gpu->expected, error)
               : APSP_OK;
}

static void *prepare_aside(void *self)
{
    struct gpu_expander *gpu = (struct gpu_expander *)self;
    (void)prepare(gpu, &gpu->error);
    return NULL;
}

/* The device, the tasks and memory for results are made ready by a thread, while the host makes
 * panels. */
int gpu_expander_open(struct expander **expander, const struct engine_task *task,
                      const struct tree *tree, const struct expander_shape *asked,
                      struct apsp_error *error)
{
    struct gpu_expander *gpu = (struct gpu_expander *)calloc(1, sizeof *gpu);
    *expander = gpu ? &gpu->base : NULL;
    if (!gpu)
        return error_set(error, APSP_MEMORY, "no memory for the rows of %zu vertices", task->n);
    gpu->base = {};
    gpu->base.ops = &expander_gpu;
    gpu->base.task = task;
    gpu->tree = tree;
    gpu->expected = request_of(task, asked);
    gpu->kernels = walk_kernels_of(task->dtype, task->combine);
    pthread_mutex_init(&gpu->lock, NULL);
    pthread_cond_init(&gpu->moved, NULL);
    gpu->stamp = (uint32_t *)mem_alloc(mem_bytes(tree->nodes, sizeof *gpu->stamp));
    gpu->seen = (uint32_t *)mem_alloc(mem_bytes(tree->nodes, sizeof *gpu->seen));
    if (!gpu->stamp || !gpu->seen)
        return error_set(error, APSP_MEMORY, "no memory for the rows of %zu vertices", task->n);
    gpu->preparing = pthread_create(&gpu->preparer, NULL, prepare_aside, gpu) == 0;
    return gpu->preparing ? APSP_OK : prepare(gpu, error);
}

static void close_device(struct gpu_expander *gpu)
{
    GPU_RELEASE(gpuSetDevice(gpu->base.task->device->number));
    give_back(gpu);
    if (gpu->held.down)
        GPU_RELEASE(gpuFree(gpu->held.down));
    for (struct gpu_batch &batch : gpu->batch)
        for (gpuEvent_t event : {batch.begun, batch.swept, batch.done, batch.fetched})
            if (event)
                GPU_RELEASE(gpuEventDestroy(event));
    for (struct gpu_lane &lane : gpu->lane)
        if (lane.stream)
            GPU_RELEASE(gpuStreamDestroy(lane.stream));
    GPU_RELEASE(gpuStreamDestroy(gpu->stream));
}

void gpu_expander_free(struct expander *expander)
{
    struct gpu_expander *gpu = (struct gpu_expander *)expander;
    if (!gpu)
        return;
    gpu_expander_join(gpu);
    if (gpu->stream) /* else the device could not be used */
        close_device(gpu);
    tasks_free(&gpu->tasks);
    mem_free(gpu->seen);
    mem_free(gpu->stamp);
    pthread_cond_destroy(&gpu->moved);
    pthread_mutex_destroy(&gpu->lock);
    free(gpu);
}
