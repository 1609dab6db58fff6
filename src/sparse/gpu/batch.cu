/* Batches of groups of sources, up and down the tree. */
#include "sparse/gpu/expander.h"

#include <cstring>

namespace
{

/* The nodes above the sources of a group, ascending. Returns how many; *rows are theirs. */
size_t collect_path(struct gpu_expander *gpu, const uint32_t *source, size_t count, uint32_t mark,
                    size_t *rows)
{
    const struct tree *tree = gpu->tree;
    size_t length = 0;
    *rows = 0;
    for (size_t s = 0; s < count; s++)
        for (uint32_t t = tree->node_of[tree->position[source[s]]];
             t != NO_NODE && gpu->stamp[t] != mark; t = tree->node[t].parent) {
            gpu->stamp[t] = mark;
            gpu->seen[length++] = t;
            *rows += tree->node[t].size;
        }
    qsort(gpu->seen, length, sizeof *gpu->seen, number_order);
    return length;
}

/* Nodes of the trees that the nodes found are in, and of those between them. */
struct range find_trees(const struct gpu_expander *gpu, size_t length)
{
    const struct tree *tree = gpu->tree;
    size_t low = 0;
    while (tree->node[gpu->seen[low]].parent != NO_NODE)
        low++;
    const size_t root = gpu->seen[low];
    return {root + 1 - tree->node[root].below, (size_t)gpu->seen[length - 1] + 1};
}

/* Group number `at` of the batch, whose path has been found. */
void add_group(struct gpu_expander *gpu, struct gpu_batch *batch, size_t length, uint64_t first_row,
               const uint32_t *source, size_t count)
{
    const struct tree *tree = gpu->tree;
    const struct gpu_tables *tables = &batch->host;
    const size_t width = walk_width(gpu->base.task->dtype);
    uint32_t *path = tables->path + batch->path, *path_row = tables->path_row + batch->path,
             row = 0;
    for (size_t p = 0; p < length; p++) {
        path[p] = gpu->seen[p];
        path_row[p] = row;
        row += tree->node[path[p]].size;
    }
    const bool below_core = path[length - 1] == tree_walked(tree);
    const struct range trees = find_trees(gpu, length);
    const struct range tasks =
        gpu->base.request.counts ? tasks_of_trees(&gpu->tasks, trees) : range{0, gpu->tasks.count};
    tables->group[batch->groups] = {(uint32_t)batch->path,
                                    (uint32_t)length,
                                    tree->position[source[0]],
                                    tree->position[source[count - 1]],
                                    first_row,
                                    below_core ? path_row[length - 1] : TASK_NONE,
                                    (uint32_t)tasks.lo,
                                    (uint32_t)tasks.hi,
                                    tree->node[trees.hi].first - tree->node[trees.lo].first,
                                    tree->node[trees.lo].first};
    for (size_t s = 0; s < width; s++) {
        uint32_t *start = tables->start + batch->groups * width + s;
        *start = TASK_NONE;
        if (s >= count)
            continue;
        uint32_t position = tree->position[source[s]], t = tree->node_of[position];
        const uint32_t *found =
            (const uint32_t *)bsearch(&t, path, length, sizeof *path, number_order);
        *start = path_row[found - path] + position - tree->node[t].first;
    }
    batch->path += length;
    batch->sources += count;
    batch->groups++;
}

/* As many of the next groups as there is room for. */
void gather(struct gpu_expander *gpu, struct gpu_batch *batch)
{
    size_t first, rows, labels = 0, count;
    batch->turn = gpu->next_turn;
    batch->groups = batch->sources = batch->path = batch->taken = 0;
    while (batch->groups < gpu->limits.groups &&
           (count = expander_group(&gpu->base, gpu->base.request.sources, gpu->next_turn, &first)) >
               0) {
        const uint32_t *source = gpu->base.request.source + first;
        size_t length = collect_path(gpu, source, count, (uint32_t)gpu->next_turn + 1, &rows);
        if (labels + rows > gpu->limits.labels) {
            for (size_t p = 0; p < length; p++)
                gpu->stamp[gpu->seen[p]] = 0; /* its turn will come again */
            break;
        }
        add_group(gpu, batch, length, labels, source, count);
        labels += rows;
        gpu->next_turn++;
    }
}

struct walk_work work_of(const struct gpu_expander *gpu, const struct gpu_batch *batch)
{
    struct walk_work work = {};
    work.down = gpu->held.down;
    work.up = gpu->held.up;
    work.task = gpu->held.task;
    work.list = gpu->held.list;
    work.node = gpu->held.node;
    work.owner = gpu->held.owner;
    work.inside = gpu->held.inside;
    work.core = (uint32_t)gpu->tree->core.size;
    work.group = batch->device.group;
    work.path = batch->device.path;
    work.path_row = batch->device.path_row;
    work.start = batch->device.start;
    work.groups = (uint32_t)batch->groups;
    work.label = gpu->making.label;
    work.far = gpu->making.far;
    work.fars = (uint32_t)gpu->tasks.far;
    work.pick = gpu->making.pick;
    work.picked = gpu->making.picked;
    work.picks = (uint32_t)gpu->limits.picks;
    work.window = (uint32_t)gpu->shape.window;
    work.next = gpu->making.next;
    work.n = (uint32_t)gpu->tree->n;
    work.sum = batch->device.sum;
    work.most = batch->device.most;
    work.lost = batch->device.lost;
    work.column = gpu->making.column;
    work.rows = batch->rows;
    return work;
}

void start_counts(struct gpu_expander *gpu, const struct gpu_batch *batch)
{
    const size_t sources = batch->groups * walk_width(gpu->base.task->dtype);
    GPU_CHECK(gpuMemsetAsync(batch->device.sum, 0, sources * sizeof(int64_t), gpu->stream));
    GPU_CHECK(gpuMemsetAsync(batch->device.most, 0, sources * sizeof(int64_t), gpu->stream));
    GPU_CHECK(gpuMemsetAsync(batch->device.lost, 0, sources * sizeof(uint32_t), gpu->stream));
}

void fetch_counts(struct gpu_expander *gpu, const struct gpu_batch *batch)
{
    const struct gpu_tables *from = &batch->device, *to = &batch->host;
    auto copy = [gpu](void *to, const void *from, size_t bytes) {
        GPU_CHECK(gpuMemcpyAsync(to, from, bytes, gpuMemcpyDeviceToHost, gpu->stream));
    };
    copy(to->sum, from->sum, batch->sources * sizeof *to->sum);
    copy(to->most, from->most, batch->sources * sizeof *to->most);
    copy(to->lost, from->lost, batch->sources * sizeof *to->lost);
}

} // namespace

bool gpu_expander_launch(struct gpu_expander *gpu, struct gpu_batch *batch)
{
    const size_t width = walk_width(gpu->base.task->dtype);
    gather(gpu, batch);
    if (batch->groups == 0)
        return false;
    const struct walk_work work = work_of(gpu, batch);
    auto copy = [gpu](void *to, const void *from, size_t bytes) {
        GPU_CHECK(gpuMemcpyAsync(to, from, bytes, gpuMemcpyHostToDevice, gpu->stream));
    };
    copy(batch->device.group, batch->host.group, batch->groups * sizeof *batch->host.group);
    copy(batch->device.path, batch->host.path, batch->path * sizeof *batch->host.path);
    copy(batch->device.path_row, batch->host.path_row, batch->path * sizeof *batch->host.path_row);
    copy(batch->device.start, batch->host.start, batch->groups * width * sizeof *batch->host.start);
    GPU_CHECK(gpuMemsetAsync(work.next, 0, sizeof *work.next, gpu->stream));
    if (gpu->base.request.counts)
        start_counts(gpu, batch);
    GPU_CHECK(gpuEventRecord(batch->begun, gpu->stream));
    gpu->kernels.sweep_up(&work, gpu->stream);
    GPU_CHECK(gpuEventRecord(batch->swept, gpu->stream));
    (gpu->half                  ? gpu->kernels.halve
     : gpu->base.request.counts ? gpu->kernels.count
                                : gpu->kernels.rows)(&work, gpu->shape.blocks, gpu->stream);
    GPU_CHECK(gpuEventRecord(batch->done, gpu->stream));
    if (gpu->base.request.counts)
        fetch_counts(gpu, batch);
    GPU_CHECK(gpuEventRecord(batch->fetched, gpu->stream));
    batch->left = gpu_expander_chunks(gpu, batch);
    batch->launched = true;
    return true;
}
