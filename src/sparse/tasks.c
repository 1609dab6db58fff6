/*
 * Depth first, but with look-ahead: where the next node would have to wait for what workers are still doing,
 * another one that is ready goes before it, as far as there are rows for it. The rows of a node that comes in
 * its turn lie where its depth says, as on a stack; those of a node that comes early lie in the spare part of
 * the window, so that the stack never waits for them for good.
 */
#include "sparse/tasks.h"

#include "base/mem.h"

#include <string.h>

enum {
    LOOKED_AT = 64, /* nodes that are ready, at most */
    LAG = 2,        /* tasks for each worker that may be under way */
    SPARE_PART = 4, /* of the window, at least, for nodes that come early */
    PASSES = 2      /* parts of a list: near and far */
};

/* Where rows of a node lie. */
enum zone { NOWHERE, STACK, SPARE, FAR };

struct place {
    uint32_t row, need;
    enum zone zone;
};

struct planner {
    const struct tree *tree;
    const struct tasks_shape *shape;
    struct tasks *tasks;
    uint32_t *height;  /* rows on the longest path down from a node, its own among them */
    uint32_t *depth;   /* first row of a node on the stack, or of the far ones */
    uint32_t *pending; /* of a node: itself and its children, until their subtrees are in the list */
    uint32_t *end;     /* tasks before the node's last one, and that one */
    uint32_t *row;     /* of a position that is kept */
    struct place *place;
    bool *done;      /* the node is in the list */
    uint32_t *ready; /* nodes whose parents are in the list, ascending */
    uint32_t *freed; /* of a row of the window: tasks after which it is free; TASK_NONE: it is taken */
    size_t readies;
    size_t next;  /* the node whose turn it is, plus one */
    size_t stack; /* rows of the stack */
};

static uint32_t kept(const struct tree *tree, size_t t)
{
    return tree->node[t].below > 1 ? tree->node[t].size : 0;
}

static size_t width_of(size_t left)
{
    return left > 24 ? 32 : left > 8 ? 16 : 8;
}

struct tasks_bounds tasks_bounds(const struct tree *tree)
{
    struct tasks_bounds bounds = {.listed = mem_bytes(tree->nodes, (size_t)PASSES * (TASK_LIST_PAD + 1))};
    mem_add(&bounds.listed, bounds.listed, tree->node[tree->nodes].boundary);
    for (size_t t = 0; t < tree->nodes; t++)
        for (size_t at = 0, width; at < tree->node[t].size; at += width) {
            width = width_of(tree->node[t].size - at);
            mem_add(&bounds.words, bounds.words, mem_bytes(width, tree->node[t].count));
            bounds.tasks++;
        }
    return bounds;
}

static size_t place_tasks(struct tasks *tasks, const struct tree *tree, void *base)
{
    struct mem_layout layout = {.base = base};
    struct tasks_bounds bounds = tasks_bounds(tree);
    tasks->task = mem_place(&layout, bounds.tasks, sizeof *tasks->task);
    tasks->list = mem_place(&layout, bounds.listed, sizeof *tasks->list);
    tasks->place = mem_place(&layout, tree->node[tree->nodes].boundary, sizeof *tasks->place);
    return layout.bytes;
}

size_t tasks_need(const struct tree *tree)
{
    struct tasks tasks;
    return place_tasks(&tasks, tree, NULL);
}

static size_t place_planner(struct planner *planner, void *base)
{
    struct mem_layout layout = {.base = base};
    size_t nodes = planner->tree->nodes;
    planner->height = mem_place(&layout, nodes, sizeof *planner->height);
    planner->depth = mem_place(&layout, nodes, sizeof *planner->depth);
    planner->pending = mem_place(&layout, nodes, sizeof *planner->pending);
    planner->end = mem_place(&layout, nodes, sizeof *planner->end);
    planner->ready = mem_place(&layout, nodes, sizeof *planner->ready);
    planner->place = mem_place(&layout, nodes, sizeof *planner->place);
    planner->done = mem_place(&layout, nodes, sizeof *planner->done);
    planner->row = mem_place(&layout, planner->tree->n, sizeof *planner->row);
    planner->freed = mem_place(&layout, planner->shape->rows, sizeof *planner->freed);
    return layout.bytes;
}

static void find_heights(const struct tree *tree, uint32_t *height)
{
    for (size_t t = 0; t < tree->nodes; t++) {
        uint32_t parent = tree->node[t].parent;
        height[t] += kept(tree, t);
        if (parent != NO_NODE && height[parent] < height[t])
            height[parent] = height[t];
    }
}

static bool is_far(const struct tasks_shape *shape, uint32_t height)
{
    return height > shape->rows - shape->rows / SPARE_PART;
}

int tasks_far(size_t *rows, const struct tree *tree, const struct tasks_shape *shape,
              struct apsp_error *error)
{
    uint32_t *height = mem_alloc(mem_bytes(tree->nodes, sizeof *height));
    *rows = 0;
    if (!height)
        return error_set(error, APSP_MEMORY, "no memory for %zu nodes", tree->nodes);
    find_heights(tree, height);
    for (size_t t = 0; t < tree->nodes; t++)
        *rows += is_far(shape, height[t]) ? kept(tree, t) : 0;
    mem_free(height);
    return APSP_OK;
}

/* Which nodes are far, and where the rows of all lie. */
static void settle_depths(struct planner *planner)
{
    const struct tree *tree = planner->tree;
    find_heights(tree, planner->height);
    for (size_t t = tree->nodes; t-- > 0;) {
        uint32_t parent = tree->node[t].parent;
        bool far = is_far(planner->shape, planner->height[t]);
        if (far) {
            planner->depth[t] = (uint32_t)planner->tasks->far;
            planner->tasks->far += kept(tree, t);
        } else if (parent != NO_NODE && !is_far(planner->shape, planner->height[parent])) {
            planner->depth[t] = planner->depth[parent] + kept(tree, parent);
        }
        planner->place[t].zone = far ? FAR : kept(tree, t) == 0 ? NOWHERE : STACK;
        if (!far && planner->depth[t] + kept(tree, t) > planner->stack)
            planner->stack = planner->depth[t] + kept(tree, t);
    }
}

/* Nodes whose parent has come take its place among those that are ready. */
static void make_ready(struct planner *planner, size_t from, size_t above)
{
    const struct tree *tree = planner->tree;
    size_t t = from + 1 - tree->node[from].below, children = planner->pending[from] - 1;
    uint32_t *place = planner->ready + above;
    memmove(place + children, place + 1, (planner->readies - above - 1) * sizeof *place);
    planner->readies = planner->readies - 1 + children;
    for (size_t child = from; child > t; child -= tree->node[child - 1].below)
        place[--children] = (uint32_t)child - 1;
}

/* The rows of the stack from `row` on are free after so many tasks. */
static uint32_t free_after(const struct planner *planner, uint32_t row, uint32_t rows)
{
    uint32_t after = 0;
    for (uint32_t i = row; i < row + rows; i++)
        after = planner->freed[i] > after ? planner->freed[i] : after;
    return after;
}

/* The rows of the spare part that are free first; TASK_NONE: there are none. */
static uint32_t find_spare(const struct planner *planner, uint32_t rows, uint32_t *where)
{
    uint32_t best = TASK_NONE;
    for (size_t row = planner->stack; row + rows <= planner->shape->rows && best > 0; row += TASK_UNIT) {
        uint32_t after = free_after(planner, (uint32_t)row, rows);
        if (after < best) {
            best = after;
            *where = (uint32_t)row;
        }
    }
    return best;
}

static struct place place_for(const struct planner *planner, size_t t)
{
    const struct tree *tree = planner->tree;
    uint32_t parent = tree->node[t].parent, rows = kept(tree, t), where = 0;
    struct place place = {planner->depth[t], 0, planner->place[t].zone};
    if (place.zone == STACK) {
        uint32_t spare = find_spare(planner, rows, &where);
        place.need = t + 1 == planner->next ? free_after(planner, place.row, rows) : TASK_NONE;
        if (spare < place.need)
            place = (struct place){where, spare, SPARE};
    }
    if (parent != NO_NODE && planner->end[parent] > place.need)
        place.need = planner->end[parent];
    return place;
}

/* The number among those ready of the node to come next, and its place. */
static size_t choose(const struct planner *planner, struct place *place)
{
    size_t best = 0, lag = (size_t)(LAG * planner->shape->workers), count = planner->tasks->count;
    *place = (struct place){.need = TASK_NONE};
    for (size_t i = planner->readies; i-- > 0 && i + LOOKED_AT >= planner->readies;) {
        struct place found = place_for(planner, planner->ready[i]);
        if (found.need < place->need) {
            best = i;
            *place = found;
        }
        if (place->need + lag <= count)
            break;
    }
    return best;
}

/* The offsets of the rows that node t reads, near ones or far ones, after `before` others. Returns how many.
 */
static uint32_t add_list(struct planner *planner, size_t t, bool far, uint32_t before)
{
    const struct tree *tree = planner->tree;
    struct tasks *tasks = planner->tasks;
    uint32_t count = 0;
    for (uint32_t i = 0; i < tree->node[t].count; i++) {
        uint32_t position = tree_boundary(tree, t)[i];
        if ((planner->place[tree->node_of[position]].zone == FAR) != far)
            continue;
        tasks->place[tree->node[t].boundary + i] = before + count++;
        tasks->list[tasks->listed++] = planner->row[position] * (uint32_t)planner->shape->row_bytes;
    }
    tasks->listed += TASK_LIST_PAD + (tasks->listed & 1); /* zero; lists are read two by two */
    return count;
}

static void add_tasks(struct planner *planner, size_t t, const struct place *place)
{
    const struct tree_node *node = &planner->tree->node[t];
    struct tasks *tasks = planner->tasks;
    struct task task = {.list = (uint32_t)tasks->listed,
                        .need = place->need,
                        .low = planner->tree->node[t + 1 - node->below].first,
                        .node = (uint32_t)t,
                        .size = (uint8_t)node->size};
    task.near = add_list(planner, t, false, 0);
    task.far_list = (uint32_t)tasks->listed;
    task.far = add_list(planner, t, true, task.near);
    for (size_t at = 0; at < node->size; at += task.width) {
        size_t left = node->size - at, width = width_of(left);
        task.panel = (uint32_t)(tasks->words / TASK_UNIT);
        task.first = node->first + (uint32_t)at;
        task.skipped = (uint8_t)at;
        task.width = (uint8_t)width;
        task.targets = (uint8_t)(left < width ? left : width);
        task.store = place->zone == NOWHERE
                         ? TASK_NONE
                         : (place->row + (uint32_t)at) | (place->zone == FAR ? TASK_FAR : 0);
        tasks->task[tasks->count++] = task;
        tasks->words += width * node->count;
        tasks->padding += width - task.targets;
        tasks->padded += (double)width * node->count;
    }
}

/* The node's subtree is in the list: its rows are free when that is done. */
static void finish(struct planner *planner, size_t t)
{
    const struct tree *tree = planner->tree;
    for (uint32_t at = (uint32_t)t; at != NO_NODE && --planner->pending[at] == 0; at = tree->node[at].parent)
        if (planner->place[at].zone == STACK || planner->place[at].zone == SPARE)
            for (uint32_t i = 0; i < kept(tree, at); i++)
                planner->freed[planner->place[at].row + i] = (uint32_t)planner->tasks->count;
}

static void come(struct planner *planner, size_t chosen, const struct place *place)
{
    const struct tree *tree = planner->tree;
    size_t t = planner->ready[chosen];
    planner->place[t] = *place;
    for (uint32_t i = 0; i < kept(tree, t); i++) {
        planner->row[tree->node[t].first + i] = place->row + i;
        if (place->zone != FAR)
            planner->freed[place->row + i] = TASK_NONE;
    }
    add_tasks(planner, t, place);
    planner->done[t] = true;
    planner->end[t] = (uint32_t)planner->tasks->count;
    make_ready(planner, t, chosen);
    finish(planner, t);
    while (planner->next > 0 && planner->done[planner->next - 1])
        planner->next--;
}

static void plan(struct planner *planner)
{
    const struct tree *tree = planner->tree;
    struct place place;
    settle_depths(planner);
    planner->next = tree->nodes;
    for (size_t t = 0; t < tree->nodes; t++) {
        planner->pending[t]++;
        if (tree->node[t].parent == NO_NODE)
            planner->ready[planner->readies++] = (uint32_t)t;
        else
            planner->pending[tree->node[t].parent]++;
    }
    while (planner->readies > 0) {
        size_t chosen = choose(planner, &place);
        come(planner, chosen, &place);
    }
}

int tasks_make(struct tasks *tasks, const struct tree *tree, const struct tasks_shape *shape,
               struct apsp_error *error)
{
    struct planner planner = {.tree = tree, .shape = shape, .tasks = tasks};
    *tasks = (struct tasks){0};
    void *kept_memory = mem_alloc(place_tasks(tasks, tree, NULL)),
         *memory = mem_alloc(place_planner(&planner, NULL));
    place_tasks(tasks, tree, kept_memory);
    if (kept_memory && memory) {
        place_planner(&planner, memory);
        plan(&planner);
    } else {
        error_set(error, APSP_MEMORY, "no memory for the tasks of %zu nodes", tree->nodes);
        mem_free(kept_memory);
        *tasks = (struct tasks){0};
    }
    mem_free(memory);
    return error->code;
}

void tasks_free(struct tasks *tasks)
{
    mem_free(tasks->task);
    *tasks = (struct tasks){0};
}
