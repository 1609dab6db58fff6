/* The tree and its panels on their way to the device. */
#include "sparse/gpu/expander.h"

namespace
{

/* Nodes and boundaries as the kernels read them, and both directions' panels. */
struct upload {
    char *memory; /* the first of these */
    void *down, *up;
    uint64_t *start;
    struct walk_node *node;
    uint32_t *owner, *inside;
};

size_t place_upload(struct upload *upload, const struct tree *tree, size_t down, size_t up,
                    size_t word, void *base)
{
    struct mem_layout layout = {(char *)base, 0};
    const size_t boundary = tree->node[tree->nodes].boundary;
    upload->memory = (char *)mem_place(&layout, 0, 1);
    upload->down = mem_place(&layout, down, word);
    upload->up = mem_place(&layout, up, word);
    upload->start = (uint64_t *)mem_place(&layout, tree->nodes, sizeof *upload->start);
    upload->node = (struct walk_node *)mem_place(&layout, tree->nodes, sizeof *upload->node);
    upload->owner = (uint32_t *)mem_place(&layout, boundary, sizeof *upload->owner);
    upload->inside = (uint32_t *)mem_place(&layout, boundary, sizeof *upload->inside);
    return layout.bytes;
}

void fill_upload(struct upload *upload, const struct gpu_expander *gpu, const struct panels *panels)
{
    const struct tree *tree = gpu->tree;
    const struct panels_way *up = &panels->up;
    const int threads = gpu->base.task->threads;
    tiles_up_words(upload->start, up->node, tree_walked(tree));
    tiles_down(upload->down, &gpu->tasks, panels, threads);
    tiles_up(upload->up, upload->start, panels, threads);
    for (size_t t = 0; t < tree->nodes; t++)
        upload->node[t] = {upload->start[t], up->node[t].boundary, up->node[t].size,
                           up->node[t].count};
    for (size_t i = 0; i < up->node[tree->nodes].boundary; i++) {
        uint32_t owner = tree->node_of[up->boundary[i]];
        upload->owner[i] = owner;
        upload->inside[i] = up->boundary[i] - tree->node[owner].first;
    }
}

} // namespace

int gpu_expander_fill(struct expander *expander, struct panels *panels, struct apsp_error *error)
{
    struct gpu_expander *gpu = (struct gpu_expander *)expander;
    const struct tree *tree = gpu->tree;
    const struct gpu_tree *held = &gpu->held;
    const struct tasks *tasks = &gpu->tasks;
    const size_t word = tiles_word(expander->task->dtype);
    const size_t boundary = panels->up.node[tree->nodes].boundary;
    gpu_expander_join(gpu);
    if (gpu->error.code)
        return error_set(error, (enum apsp_status)gpu->error.code, "%s", gpu->error.text);
    /* where there is a core, boundaries have been pruned */
    if (tree->core.size > 0 &&
        tasks_make(&gpu->tasks, tree, &panels->down, &gpu->shape.tasks, error))
        return error->code;
    const size_t down = tasks->words, up = tiles_up_words(NULL, panels->up.node, tree_walked(tree));
    struct upload upload;
    void *memory = mem_alloc(place_upload(&upload, tree, down, up, word, NULL));
    place_upload(&upload, tree, down, up, word, memory);
    if (!memory)
        return error_set(error, APSP_MEMORY, "no memory to bring panels of %zu vertices to a GPU",
                         tree->n);
    fill_upload(&upload, gpu, panels);
    auto copy = [gpu](void *to, const void *from, size_t bytes) {
        GPU_CHECK(gpuMemcpyAsync(to, from, bytes, gpuMemcpyHostToDevice, gpu->stream));
    };
    GPU_CHECK(gpuSetDevice(expander->task->device->number));
    copy(held->down, upload.down, down * word);
    copy(held->up, upload.up, up * word);
    copy(held->task, tasks->task, tasks->count * sizeof *tasks->task);
    copy(held->list, tasks->list, tasks->listed * sizeof *tasks->list);
    copy(held->node, upload.node, tree->nodes * sizeof *upload.node);
    copy(held->owner, upload.owner, boundary * sizeof *upload.owner);
    copy(held->inside, upload.inside, boundary * sizeof *upload.inside);
    copy(held->position, tree->position, tree->n * sizeof *tree->position);
    GPU_CHECK(gpuStreamSynchronize(gpu->stream));
    mem_free(memory);
    return APSP_OK;
}
