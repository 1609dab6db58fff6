#include "sparse/tree.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "base/number.h"
#include "sparse/nodes.h"

#include <omp.h>
#include <string.h>

enum {
    LEAST = 16384, /* vertices of a chunk of the order */
    TASKS = 256    /* subtrees that threads take, about */
};

/* While the tree is made. Numbers are those of the order given, until positions are known. */
struct work {
    struct tree *tree;
    const struct pattern *pattern;
    struct etree_order order;
    struct etree etree;
    struct nodes nodes;
    uint32_t *rank;  /* of each vertex in the order; and later where its group begins */
    bool *inside;    /* of the core */
    double *scratch; /* n */
};

static size_t place_work(struct work *work, size_t n, void *base)
{
    struct mem_layout layout = {.base = base};
    struct nodes *nodes = &work->nodes;
    work->rank = mem_place(&layout, n, sizeof *work->rank);
    work->inside = mem_place(&layout, n, sizeof *work->inside);
    work->scratch = mem_place(&layout, n, sizeof *work->scratch);
    nodes->last = mem_place(&layout, n, sizeof *nodes->last);
    nodes->size = mem_place(&layout, n, sizeof *nodes->size);
    nodes->before = mem_place(&layout, n, sizeof *nodes->before);
    nodes->child = mem_place(&layout, n, sizeof *nodes->child);
    nodes->sibling = mem_place(&layout, n, sizeof *nodes->sibling);
    nodes->below = mem_place(&layout, n, sizeof *nodes->below);
    nodes->heavy = mem_place(&layout, n, sizeof *nodes->heavy);
    nodes->number = mem_place(&layout, n, sizeof *nodes->number);
    return layout.bytes;
}

static size_t place_tree(struct tree *tree, void *base)
{
    struct mem_layout layout = {.base = base};
    tree->node = mem_place(&layout, tree->nodes + 1, sizeof *tree->node);
    tree->vertex = mem_place(&layout, tree->n, sizeof *tree->vertex);
    tree->position = mem_place(&layout, tree->n, sizeof *tree->position);
    tree->node_of = mem_place(&layout, tree->n, sizeof *tree->node_of);
    return layout.bytes;
}

static int no_memory(const struct tree *tree, struct apsp_error *error)
{
    return error_set(error, APSP_MEMORY, "no memory for the elimination tree of %zu vertices",
                     tree->n);
}

void tree_follow(struct tree_node *node, bool walked)
{
    size_t size = node->size, count = node->count;
    node[1].first = node->first + node->size;
    node[1].boundary = node->boundary + count;
    node[1].down = node->down + size * count;
    node[1].up = node->up + (walked ? size * (size + count) : 0);
}

static void fill_nodes(struct tree *tree, const struct work *work)
{
    const struct nodes *nodes = &work->nodes;
    const struct etree *etree = &work->etree;
#pragma omp parallel for num_threads(etree->threads) if (etree->chunks > 1)
    for (uint32_t v = 0; v < tree->n; v++) {
        if (nodes->last[v] != v)
            continue;
        struct tree_node *node = &tree->node[nodes_index(nodes, v)];
        node->size = v == nodes->core ? (uint32_t)tree->core.size : nodes->size[v];
        node->count = etree->count[v];
        node->parent =
            etree->parent[v] == NO_PARENT ? NO_NODE : nodes_index(nodes, etree->parent[v]);
    }
    for (size_t t = 0; t < tree->nodes; t++) {
        struct tree_node *node = &tree->node[t];
        node->below++;
        if (node->parent != NO_NODE)
            tree->node[node->parent].below += node->below;
        tree_follow(node, t < tree_walked(tree));
    }
}

static void place_vertex(struct tree *tree, const struct work *work, uint32_t v, uint32_t at)
{
    tree->vertex[at] = work->order.vertex[v];
    tree->position[work->order.vertex[v]] = at;
    tree->node_of[at] = nodes_index(&work->nodes, v);
}

/* But for those of the core. A group begins where its node does, or within its parent's. */
static void place_part(void *self, const struct etree_part *part)
{
    const struct work *work = self;
    const struct nodes *nodes = &work->nodes;
    uint32_t *begin = work->rank;
    for (uint32_t x = part->hi; x-- > part->lo;) {
        const uint32_t v = etree_at(part, x);
        if (v == NO_PARENT || work->inside[v])
            continue;
        begin[v] = nodes->last[v] == v ? work->tree->node[nodes_index(nodes, v)].first
                                       : begin[work->etree.parent[v]] + nodes->before[v];
        place_vertex(work->tree, work, v, begin[v] + nodes->size[v] - 1);
    }
}

static void fill_positions(struct tree *tree, struct work *work)
{
    uint32_t core = (uint32_t)(tree->n - tree->core.size);
    etree_down(&work->etree, place_part, work);
    for (uint32_t v = 0; tree->core.size > 0 && v < tree->n; v++)
        if (work->inside[v])
            place_vertex(tree, work, v, core++);
}

/* The arrays of one thread that lists neighbours. */
struct lists {
    uint32_t *mark; /* The last node that has listed each position, plus one. */
    uint32_t *list; /* Scratch, as long as the largest boundary. */
};

/* Adds those from `beyond` on that are not marked with t. */
static size_t add_new(uint32_t *list, size_t count, uint32_t position, uint32_t beyond,
                      uint32_t *mark, uint32_t t)
{
    if (position < beyond || mark[position] == t + 1)
        return count;
    mark[position] = t + 1;
    list[count] = position;
    return count + 1;
}

/* Sorts a list whose first `sorted` entries are in order. */
static void merge(uint32_t *list, size_t sorted, size_t count, uint32_t *scratch)
{
    size_t rest = count - sorted;
    number_sort(list + sorted, rest);
    if (sorted == 0 || rest == 0 || list[sorted - 1] < list[sorted])
        return;
    memcpy(scratch, list + sorted, rest * sizeof *list);
    while (rest > 0)
        if (sorted > 0 && list[sorted - 1] > scratch[rest - 1])
            list[--count] = list[--sorted];
        else
            list[--count] = scratch[--rest];
}

/* Boundaries of the children and neighbours of the vertices, as far as they lie beyond the node.
 * Its children are found from the last one back, which has the largest boundary. */
static void fill_boundary(struct tree *tree, const struct pattern *pattern, uint32_t t,
                          const struct lists *lists)
{
    const struct tree_node *node = &tree->node[t];
    uint32_t *list = tree->boundary + node->boundary, beyond = node->first + node->size;
    size_t count = 0, sorted = 0;
    for (uint32_t c = t - 1, left = node->below - 1; left > 0;
         left -= tree->node[c].below, c -= tree->node[c].below) {
        for (size_t i = 0; i < tree->node[c].count; i++)
            count = add_new(list, count, tree_boundary(tree, c)[i], beyond, lists->mark, t);
        sorted = c == t - 1 ? count : sorted;
    }
    for (uint32_t p = node->first; p < beyond; p++)
        for (size_t e = pattern->start[tree->vertex[p]]; e < pattern->start[tree->vertex[p] + 1];
             e++)
            count = add_new(list, count, tree->position[pattern->to[e]], beyond, lists->mark, t);
    merge(list, sorted, count, lists->list);
}

/* Boundary and vertices of the subtree of a node. */
static size_t weight_of(const struct tree *tree, size_t t)
{
    const size_t begin = t + 1 - tree->node[t].below;
    return tree->node[t + 1].boundary - tree->node[begin].boundary + tree->node[t + 1].first -
           tree->node[begin].first;
}

/* Lists subtrees that are not large, by their last nodes, from the last back, and the nodes above.
 */
static void list_tasks(const struct tree *tree, uint32_t *task, size_t *tasks, uint32_t *above,
                       size_t *aboves)
{
    const struct tree_node *end = &tree->node[tree->nodes];
    const size_t most = (end->boundary + end->first) / TASKS;
    *tasks = *aboves = 0;
    for (size_t t = tree->nodes; t > 0;) {
        const bool whole = weight_of(tree, t - 1) <= most;
        if (whole)
            task[(*tasks)++] = (uint32_t)t - 1;
        else
            above[(*aboves)++] = (uint32_t)t - 1;
        t -= whole ? tree->node[t - 1].below : 1;
    }
}

static void fill_all(struct tree *tree, const struct work *work, struct lists *lists)
{
    uint32_t *task = work->nodes.below, *above = work->nodes.heavy;
    size_t tasks, aboves;
    list_tasks(tree, task, &tasks, above, &aboves);
#pragma omp parallel for num_threads(work->etree.threads) schedule(dynamic, 1) if (tasks > 1)
    for (size_t k = 0; k < tasks; k++)
        for (uint32_t t = task[k] + 1 - tree->node[task[k]].below; t <= task[k]; t++)
            fill_boundary(tree, work->pattern, t, &lists[omp_get_thread_num()]);
    while (aboves > 0)
        fill_boundary(tree, work->pattern, above[--aboves], &lists[0]);
}

/* No list is longer than the largest boundary. */
static size_t lists_bytes(const struct tree *tree)
{
    size_t longest = 0;
    for (size_t t = 0; t < tree->nodes; t++)
        longest = size_max(longest, tree->node[t].count);
    return mem_bytes(tree->n + longest, sizeof(uint32_t));
}

static int fill_boundaries(struct tree *tree, struct work *work, struct apsp_error *error)
{
    const size_t threads = (size_t)work->etree.threads, each = lists_bytes(tree);
    struct lists *lists = mem_alloc(mem_bytes(threads, sizeof *lists));
    bool good = lists != NULL;
    tree->boundary = mem_alloc(mem_bytes(tree->node[tree->nodes].boundary, sizeof *tree->boundary));
    for (size_t k = 0; k < threads && good; k++) {
        lists[k].mark = mem_alloc(each);
        lists[k].list = lists[k].mark + tree->n;
        good = lists[k].mark != NULL;
    }
    if (good && tree->boundary)
        fill_all(tree, work, lists);
    else
        no_memory(tree, error);
    for (size_t k = 0; k < threads && lists; k++)
        mem_free(lists[k].mark);
    mem_free(lists);
    return error->code;
}

static void count_work(struct tree *tree, struct work *work)
{
    uint32_t *path = work->nodes.below;  /* Vertices from each node to the root or the core. */
    uint32_t *depth = work->nodes.heavy; /* Nodes from each node to the root. */
    double *label = work->scratch;
    uint32_t longest = 0;
    tree->eliminate = tree->label = 0;
    tree->depth = 0;
    for (size_t t = tree->nodes; t-- > 0;) {
        const struct tree_node *node = &tree->node[t];
        bool walked = t < tree_walked(tree);
        double size = node->size, front = walked ? size + node->count : 0;
        path[t] = (walked ? node->size : 0) + (node->parent == NO_NODE ? 0 : path[node->parent]);
        label[t] = size * front + (node->parent == NO_NODE ? 0 : label[node->parent]);
        depth[t] = 1 + (node->parent == NO_NODE ? 0 : depth[node->parent]);
        longest = path[t] > longest ? path[t] : longest;
        tree->depth = size_max(tree->depth, depth[t]);
        tree->eliminate += size * front * front;
        tree->label += size * label[t] / (double)tree->n;
    }
    tree->path = tree->core.size + longest;
    tree->expand = (double)tree->node[tree->nodes].down;
}

static int make_nodes(struct tree *tree, struct work *work, struct apsp_error *error)
{
    nodes_cut(&work->nodes);
    tree->nodes = work->nodes.count;
    void *memory = mem_alloc(place_tree(tree, NULL));
    if (!memory) {
        tree->node = NULL;
        return no_memory(tree, error);
    }
    place_tree(tree, memory);
    nodes_number(&work->nodes);
    fill_nodes(tree, work);
    fill_positions(tree, work);
    return APSP_OK;
}

static int make_etree(struct tree *tree, struct work *work, const struct core_request *request,
                      int threads, struct apsp_error *error)
{
    const uint32_t *vertex = work->order.vertex;
#pragma omp parallel for num_threads(threads) if (tree->n > LEAST)
    for (uint32_t i = 0; i < tree->n; i++)
        work->rank[vertex[i]] = i;
    work->order.rank = work->rank;
    if (etree_make(&work->etree, &work->order, (uint32_t *)work->scratch, threads, error) ==
        APSP_OK)
        tree->core = core_choose(work->inside, &work->etree, request, work->scratch);
    return error->code;
}

size_t tree_bytes(const struct tree *tree)
{
    struct tree counted = *tree;
    const size_t listed = tree->node ? tree->node[tree->nodes].boundary : 0;
    size_t all;
    mem_add(&all, place_tree(&counted, NULL), mem_bytes(listed, sizeof *tree->boundary));
    return all;
}

size_t tree_need(const struct tree *tree, int threads)
{
    struct work work = {0};
    size_t all = mem_bytes((size_t)threads, sizeof(struct lists));
    mem_add(&all, all, mem_bytes((size_t)threads, lists_bytes(tree)));
    mem_add(&all, all, tree_bytes(tree));
    all = size_max(all, etree_pairs_need(tree->n));
    mem_add(&all, all, etree_bytes(tree->n));
    mem_add(&all, all, place_work(&work, tree->n, NULL));
    return all;
}

int tree_make(struct tree *tree, const struct pattern *pattern, const uint32_t *vertex,
              const struct core_request *request, int threads, struct apsp_error *error)
{
    size_t n = pattern->n;
    struct work work = {.tree = tree,
                        .pattern = pattern,
                        .order = {.pattern = pattern, .vertex = vertex, .least = LEAST}};
    *tree = (struct tree){.n = n};
    void *memory = mem_alloc(place_work(&work, n, NULL));
    if (!memory)
        return no_memory(tree, error);
    place_work(&work, n, memory);
    work.nodes.etree = &work.etree;
    work.nodes.inside = work.inside;
    if (make_etree(tree, &work, request, threads, error) == APSP_OK &&
        make_nodes(tree, &work, error) == APSP_OK && fill_boundaries(tree, &work, error) == APSP_OK)
        count_work(tree, &work);
    etree_free(&work.etree);
    mem_free(memory);
    return error->code;
}

void tree_free(struct tree *tree)
{
    mem_free(tree->boundary);
    mem_free(tree->node);
    *tree = (struct tree){0};
}
