/*
 * Depth first, but with look-ahead: where the next node would have to wait for what workers are
 * still doing, another one that is ready goes before it, as far as there are rows for it. Rows that
 * are free first are taken first; so many are left that the nodes in their turn always find some.
 * Trees come one after the other.
 */
#include "sparse/tasks.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "sparse/eliminate.h"

#include <string.h>

enum {
    LOOKED_AT = 64, /* nodes that are ready, at most */
    PARTS = 2,      /* of a list: near and far */
};

/* Where rows of a node lie. */
enum zone { NOWHERE, NEAR, FAR };

struct planner {
    const struct tree *tree;
    const struct panels_way *way;
    const struct tasks_shape *shape;
    struct tasks *tasks;
    uint32_t *height; /* rows on the longest path down from a node, its own among them */
    uint32_t
        *pending;  /* of a node: itself and its children, until their subtrees are in the list */
    uint32_t *end; /* tasks before the node's last one, and that one */
    uint32_t *row; /* of a position that is kept */
    unsigned char *zone;
    bool *done;      /* the node is in the list, */
    bool *early;     /* and came before its turn, which has not come yet */
    uint32_t *ready; /* nodes whose parents are in the list, ascending */
    size_t readies;
    size_t next;  /* the node whose turn it is, plus one */
    size_t spare; /* blocks of nodes that may come early, */
    size_t used;  /* and of those that have */
    /* Blocks of the window, a ring: those that are free, in the order in which they become so. */
    struct vacancy {
        uint32_t block, after; /* tasks */
    } * vacancy;
    size_t first, vacancies, blocks;
};

static uint32_t kept(const struct tree *tree, size_t t)
{
    return tree->node[t].below > 1 ? tree->node[t].size : 0;
}

static bool is_core(const struct tree *tree, size_t t)
{
    return t == tree_walked(tree);
}

/* The width of the next tile of a node that has so many targets left. */
static size_t width_of(const struct tasks_shape *shape, const struct tree *tree, size_t t,
                       size_t left)
{
    if (is_core(tree, t))
        return TASK_WIDEST;
    return left <= TASK_UNIT ? TASK_UNIT : shape->widest[tree->node[t].below > 1];
}

/* Rows that a tile reads, where the node has such a boundary. */
static size_t depth_of(const struct tree *tree, size_t t, size_t boundary)
{
    return is_core(tree, t) ? tree->node[t].size : boundary;
}

struct tasks_bounds tasks_bounds(const struct tree *tree, const struct tasks_shape *shape)
{
    struct tasks_bounds bounds = {.listed =
                                      mem_bytes(tree->nodes, (size_t)PARTS * (TASK_LIST_PAD + 1))};
    mem_add(&bounds.listed, bounds.listed, tree->node[tree->nodes].boundary);
    for (size_t t = 0; t < tree->nodes; t++)
        for (size_t at = 0, width; at < tree->node[t].size; at += width) {
            width = width_of(shape, tree, t, tree->node[t].size - at);
            mem_add(&bounds.words, bounds.words,
                    mem_bytes(width, depth_of(tree, t, tree->node[t].count)));
            bounds.tasks++;
        }
    return bounds;
}

static size_t place_tasks(struct tasks *tasks, const struct tree *tree,
                          const struct tasks_shape *shape, void *base)
{
    struct mem_layout layout = {.base = base};
    struct tasks_bounds bounds = tasks_bounds(tree, shape);
    tasks->task = mem_place(&layout, bounds.tasks, sizeof *tasks->task);
    tasks->list = mem_place(&layout, bounds.listed, sizeof *tasks->list);
    tasks->place = mem_place(&layout, tree->node[tree->nodes].boundary, sizeof *tasks->place);
    tasks->before = mem_place(&layout, tree->nodes, sizeof *tasks->before);
    return layout.bytes;
}

size_t tasks_need(const struct tree *tree, const struct tasks_shape *shape)
{
    struct tasks tasks;
    return place_tasks(&tasks, tree, shape, NULL);
}

static size_t place_planner(struct planner *planner, void *base)
{
    struct mem_layout layout = {.base = base};
    size_t nodes = planner->tree->nodes;
    planner->height = mem_place(&layout, nodes, sizeof *planner->height);
    planner->pending = mem_place(&layout, nodes, sizeof *planner->pending);
    planner->end = mem_place(&layout, nodes, sizeof *planner->end);
    planner->ready = mem_place(&layout, nodes, sizeof *planner->ready);
    planner->zone = mem_place(&layout, nodes, sizeof *planner->zone);
    planner->done = mem_place(&layout, nodes, sizeof *planner->done);
    planner->early = mem_place(&layout, nodes, sizeof *planner->early);
    planner->row = mem_place(&layout, planner->tree->n, sizeof *planner->row);
    planner->vacancy = mem_place(&layout, planner->blocks, sizeof *planner->vacancy);
    return layout.bytes;
}

/* Blocks of the window that a near node takes. */
static uint32_t blocks_of(const struct tree *tree, size_t t)
{
    return (kept(tree, t) + TASK_UNIT - 1) / TASK_UNIT;
}

static void find_heights(const struct tree *tree, uint32_t *height)
{
    for (size_t t = 0; t < tree->nodes; t++) {
        uint32_t parent = tree->node[t].parent;
        if (is_core(tree, t))
            height[t] = UINT32_MAX;
        else
            height[t] += blocks_of(tree, t) * TASK_UNIT;
        if (parent != NO_NODE && height[parent] < height[t])
            height[parent] = height[t];
    }
}

static bool is_far(const struct tasks_shape *shape, uint32_t height)
{
    return height > shape->stack;
}

int tasks_far(size_t *rows, const struct tree *tree, const struct tasks_shape *shape,
              struct apsp_error *error)
{
    uint32_t *height = mem_alloc(mem_bytes(tree->nodes, sizeof *height));
    *rows = 0;
    if (!height)
        return error_set(error, APSP_MEMORY, "no memory for %zu supernodes", tree->nodes);
    find_heights(tree, height);
    for (size_t t = 0; t < tree->nodes; t++)
        *rows += is_far(shape, height[t]) ? kept(tree, t) : 0;
    mem_free(height);
    return APSP_OK;
}

/* Which nodes are far, where the rows of those are, and how many blocks are left for nodes that
 * come early.
 */
static void settle_zones(struct planner *planner)
{
    const struct tree *tree = planner->tree;
    size_t longest = 0;
    find_heights(tree, planner->height);
    for (size_t t = 0; t < tree->nodes; t++) {
        uint32_t height = planner->height[t];
        planner->zone[t] = kept(tree, t) == 0               ? NOWHERE
                           : is_far(planner->shape, height) ? FAR
                                                            : NEAR;
        if (planner->zone[t] == NEAR && height > longest)
            longest = height;
        if (planner->zone[t] != FAR)
            continue;
        for (uint32_t i = 0; i < tree->node[t].size; i++)
            planner->row[tree->node[t].first + i] = (uint32_t)planner->tasks->far++;
    }
    planner->spare = planner->blocks - longest / TASK_UNIT;
    planner->vacancies = planner->blocks;
    for (uint32_t block = 0; block < planner->blocks; block++)
        planner->vacancy[block] = (struct vacancy){block, 0};
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

/* Tasks that must be done before those of node t. TASK_NONE: it may not come yet. */
static uint32_t need_of(const struct planner *planner, size_t t)
{
    uint32_t parent = planner->tree->node[t].parent,
             need = parent == NO_NODE ? 0 : planner->end[parent];
    uint32_t blocks = planner->zone[t] == NEAR ? blocks_of(planner->tree, t) : 0;
    if (blocks == 0)
        return need;
    if (t + 1 != planner->next && planner->used + blocks > planner->spare)
        return TASK_NONE;
    uint32_t after = planner->vacancy[(planner->first + blocks - 1) % planner->blocks].after;
    return after > need ? after : need;
}

/* The number among those ready of the node to come next, and what it needs. */
static size_t choose(const struct planner *planner, uint32_t *need)
{
    size_t best = 0, lag = (size_t)planner->shape->under_way, count = planner->tasks->count;
    *need = TASK_NONE;
    for (size_t i = planner->readies; i-- > 0 && i + LOOKED_AT >= planner->readies;) {
        uint32_t found = need_of(planner, planner->ready[i]);
        if (found < *need) {
            best = i;
            *need = found;
        }
        if (*need + lag <= count)
            break;
    }
    return best;
}

/* The offsets of the rows that node t reads, near ones or far ones, after `before` others. Returns
 * how many.
 */
static uint32_t add_list(struct planner *planner, size_t t, bool far, uint32_t before)
{
    const struct tree *tree = planner->tree;
    struct tasks *tasks = planner->tasks;
    uint32_t count = 0;
    const struct tree_node *node = &planner->way->node[t];
    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t position = planner->way->boundary[node->boundary + i];
        if ((planner->zone[tree->node_of[position]] == FAR) != far)
            continue;
        tasks->place[node->boundary + i] = before + count++;
        tasks->list[tasks->listed++] = planner->row[position] * (uint32_t)planner->shape->row_bytes;
    }
    const uint32_t last = count > 0 ? tasks->list[tasks->listed - 1] : 0;
    for (size_t left = TASK_LIST_PAD + (tasks->listed & 1); left > 0;
         left--) /* lists are read two by two */
        tasks->list[tasks->listed++] = last;
    return count;
}

/* Where the targets of a task from number `at` of node t on are kept. */
static void settle_store(const struct planner *planner, struct task *task, size_t t, size_t at)
{
    const struct tree_node *node = &planner->tree->node[t];
    const uint32_t *row = planner->row + node->first;
    task->store = planner->zone[t] == NOWHERE ? TASK_NONE
                  : planner->zone[t] == FAR   ? row[at]
                                              : TASK_NEAR;
    for (size_t b = 0; b < TASK_WIDEST / TASK_UNIT; b++) {
        size_t first = at + b * TASK_UNIT;
        task->block[b] =
            task->store == TASK_NEAR && first < node->size ? (uint16_t)(row[first] / TASK_UNIT) : 0;
    }
}

static void add_tasks(struct planner *planner, size_t t, uint32_t need)
{
    const struct tree_node *node = &planner->tree->node[t];
    struct tasks *tasks = planner->tasks;
    struct task task = {.list = (uint32_t)tasks->listed,
                        .need = need,
                        .low = planner->tree->node[t + 1 - node->below].first,
                        .end = node->first + node->size,
                        .node = (uint32_t)t,
                        .core = is_core(planner->tree, t)};
    task.near = add_list(planner, t, false, 0);
    task.far_list = (uint32_t)tasks->listed;
    task.far = add_list(planner, t, true, task.near);
    for (size_t at = 0; at < node->size; at += task.width) {
        size_t left = node->size - at, width = width_of(planner->shape, planner->tree, t, left);
        task.panel = (uint32_t)(tasks->words / TASK_UNIT);
        task.first = node->first + (uint32_t)at;
        task.skipped = task.core ? 0 : (uint8_t)at;
        task.width = (uint8_t)width;
        task.targets = (uint8_t)size_min(left, width);
        settle_store(planner, &task, t, at);
        tasks->task[tasks->count++] = task;
        tasks->words += width * depth_of(planner->tree, t, planner->way->node[t].count);
    }
}

static void take_rows(struct planner *planner, size_t t)
{
    const struct tree_node *node = &planner->tree->node[t];
    if (planner->zone[t] != NEAR)
        return;
    for (uint32_t i = 0; i < node->size; i++)
        planner->row[node->first + i] =
            planner->vacancy[(planner->first + i / TASK_UNIT) % planner->blocks].block * TASK_UNIT +
            i % TASK_UNIT;
    planner->first = (planner->first + blocks_of(planner->tree, t)) % planner->blocks;
    planner->vacancies -= blocks_of(planner->tree, t);
    planner->early[t] = t + 1 != planner->next;
    planner->used += planner->early[t] ? blocks_of(planner->tree, t) : 0;
}

/* The node no longer counts as one that came early: its turn has come, or its rows are free. */
static void pass(struct planner *planner, size_t t)
{
    planner->used -= planner->early[t] ? blocks_of(planner->tree, t) : 0;
    planner->early[t] = false;
}

static void free_rows(struct planner *planner, size_t t)
{
    const struct tree_node *node = &planner->tree->node[t];
    if (planner->zone[t] != NEAR)
        return;
    pass(planner, t);
    for (uint32_t i = 0; i < node->size; i += TASK_UNIT)
        planner->vacancy[(planner->first + planner->vacancies++) % planner->blocks] =
            (struct vacancy){planner->row[node->first + i] / TASK_UNIT,
                             (uint32_t)planner->tasks->count};
}

static void come(struct planner *planner, size_t chosen, uint32_t need)
{
    const struct tree *tree = planner->tree;
    uint32_t t = planner->ready[chosen];
    take_rows(planner, t);
    add_tasks(planner, t, need);
    planner->done[t] = true;
    planner->end[t] = (uint32_t)planner->tasks->count;
    make_ready(planner, t, chosen);
    for (uint32_t at = t; at != NO_NODE && --planner->pending[at] == 0; at = tree->node[at].parent)
        free_rows(planner, at);
    for (; planner->next > 0 && planner->done[planner->next - 1]; planner->next--)
        pass(planner, planner->next - 1);
}

static void plan_tree(struct planner *planner, size_t root)
{
    uint32_t need;
    planner->tasks->before[root] = (uint32_t)planner->tasks->count;
    planner->ready[planner->readies++] = (uint32_t)root;
    while (planner->readies > 0) {
        size_t chosen = choose(planner, &need);
        come(planner, chosen, need);
    }
}

static void plan(struct planner *planner)
{
    const struct tree *tree = planner->tree;
    settle_zones(planner);
    planner->next = tree->nodes;
    for (size_t t = 0; t < tree->nodes; t++) {
        planner->pending[t]++;
        if (tree->node[t].parent != NO_NODE)
            planner->pending[tree->node[t].parent]++;
    }
    for (size_t end = tree->nodes; end > 0; end -= tree->node[end - 1].below)
        plan_tree(planner, end - 1);
}

static void look_ahead(const struct tasks *tasks, size_t ahead)
{
    for (size_t i = 0; i + ahead < tasks->count; i++) {
        const struct task *later = &tasks->task[i + ahead];
        tasks->task[i].ahead.panel = later->panel;
        tasks->task[i].ahead.words = (later->near + later->far) * later->width;
        tasks->task[i].ahead.list = later->list;
    }
}

int tasks_make(struct tasks *tasks, const struct tree *tree, const struct panels_way *way,
               const struct tasks_shape *shape, struct apsp_error *error)
{
    struct planner planner = {.tree = tree,
                              .way = way,
                              .shape = shape,
                              .tasks = tasks,
                              .blocks = shape->rows / TASK_UNIT};
    *tasks = (struct tasks){0};
    void *kept_memory = mem_alloc(place_tasks(tasks, tree, shape, NULL)),
         *memory = mem_alloc(place_planner(&planner, NULL));
    place_tasks(tasks, tree, shape, kept_memory);
    if (kept_memory && memory) {
        place_planner(&planner, memory);
        plan(&planner);
        look_ahead(tasks, shape->ahead);
    } else {
        error_set(error, APSP_MEMORY, "no memory for the tasks of %zu supernodes", tree->nodes);
        mem_free(kept_memory);
        *tasks = (struct tasks){0};
    }
    mem_free(memory);
    return error->code;
}

struct range tasks_of_trees(const struct tasks *tasks, struct range nodes)
{
    return (struct range){tasks->before[nodes.hi - 1],
                          nodes.lo > 0 ? tasks->before[nodes.lo - 1] : tasks->count};
}

void tasks_free(struct tasks *tasks)
{
    mem_free(tasks->task);
    *tasks = (struct tasks){0};
}
