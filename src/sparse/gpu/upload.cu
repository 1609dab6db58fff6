/* The tree and its panels on their way to the device. */
#include "sparse/gpu/expander.h"

namespace
{

/* Nodes and boundaries as the kernels read them, and the panels of one direction after those of the
 * other. */
struct upload {
    void *words; /* of one direction */
    uint64_t *start;
    struct walk_node *node;
    uint32_t *owner, *inside;
};

size_t place_upload(struct upload *upload, const struct tree *tree, size_t bytes, void *base)
{
    struct mem_layout layout = {(char *)base, 0};
    const size_t boundary = tree->node[tree->nodes].boundary;
    upload->words = mem_place(&layout, bytes, 1);
    upload->start = (uint64_t *)mem_place(&layout, tree->nodes, sizeof *upload->start);
    upload->node = (struct walk_node *)mem_place(&layout, tree->nodes, sizeof *upload->node);
    upload->owner = (uint32_t *)mem_place(&layout, boundary, sizeof *upload->owner);
    upload->inside = (uint32_t *)mem_place(&layout, boundary, sizeof *upload->inside);
    return layout.bytes;
}

void fill_nodes(struct upload *upload, const struct tree *tree, const struct panels_way *up)
{
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

void gpu_expander_join(struct gpu_expander *gpu)
{
    if (gpu->preparing)
        pthread_join(gpu->preparer, NULL);
    gpu->preparing = false;
}

size_t gpu_expander_fill_need(const struct tree *tree, size_t bytes)
{
    struct upload upload;
    return place_upload(&upload, tree, bytes, NULL);
}

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
    const size_t down = tasks->words * word,
                 up = tiles_up_words(NULL, panels->up.node, tree_walked(tree)) * word;
    const int threads = expander->task->threads;
    struct upload upload;
    void *memory = mem_alloc(place_upload(&upload, tree, size_max(down, up), NULL));
    place_upload(&upload, tree, size_max(down, up), memory);
    if (!memory)
        return error_set(error, APSP_MEMORY, "no memory to bring panels of %zu vertices to a GPU",
                         tree->n);
    auto copy = [gpu](void *to, const void *from, size_t bytes) {
        GPU_CHECK(gpuMemcpyAsync(to, from, bytes, gpuMemcpyHostToDevice, gpu->stream));
    };
    GPU_CHECK(gpuSetDevice(expander->task->device->number));
    copy(held->task, tasks->task, tasks->count * sizeof *tasks->task);
    copy(held->list, tasks->list, tasks->listed * sizeof *tasks->list);
    copy(held->position, tree->position, tree->n * sizeof *tree->position);
    tiles_down(upload.words, tasks, panels, threads);
    copy(held->down, upload.words, down);
    tiles_up_words(upload.start, panels->up.node, tree_walked(tree));
    fill_nodes(&upload, tree, &panels->up);
    copy(held->node, upload.node, tree->nodes * sizeof *upload.node);
    copy(held->owner, upload.owner, boundary * sizeof *upload.owner);
    copy(held->inside, upload.inside, boundary * sizeof *upload.inside);
    GPU_CHECK(gpuStreamSynchronize(gpu->stream));
    tiles_up(upload.words, upload.start, panels, threads);
    copy(held->up, upload.words, up);
    GPU_CHECK(gpuStreamSynchronize(gpu->stream));
    mem_free(memory);
    return APSP_OK;
}
