/*
 * Subtrees of little work are handed out; the nodes above them have all threads. The memory is
 * found by going through the elimination without doing it.
 */
#include "sparse/share.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "sparse/front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EACH = 16 }; /* subtrees of at least that many for each thread */

static int by_cost(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    return x->cost != y->cost ? (x->cost < y->cost) - (x->cost > y->cost)
                              : (x->node > y->node) - (x->node < y->node);
}

int shares_make(struct shares *shares, const struct tree *tree, int threads,
                struct apsp_error *error)
{
    double limit = tree->eliminate / (threads * EACH),
           *cost = mem_alloc(mem_bytes(tree->nodes, sizeof *cost));
    *shares = (struct shares){.tree = tree,
                              .threads = threads,
                              .share = mem_alloc(mem_bytes(tree->nodes, sizeof *shares->share)),
                              .top = mem_alloc(mem_bytes(tree->nodes, sizeof *shares->top))};
    if (!shares->share || !shares->top || !cost)
        error_set(error, APSP_MEMORY, "no memory to share out %zu supernodes", tree->nodes);
    for (size_t t = 0; error->code == APSP_OK && t < tree->nodes; t++) {
        double front = (double)share_front(tree, t);
        cost[t] += t < tree_walked(tree) ? tree->node[t].size * front * front : INFINITY;
        if (tree->node[t].parent != NO_NODE)
            cost[tree->node[t].parent] += cost[t];
    }
    for (size_t t = 0; error->code == APSP_OK && t < tree->nodes; t++) {
        uint32_t parent = tree->node[t].parent;
        if (cost[t] > limit)
            shares->top[shares->tops++] = (uint32_t)t;
        else if (parent == NO_NODE || cost[parent] > limit)
            shares->share[shares->count++] = (struct share){(uint32_t)t, cost[t]};
    }
    if (error->code == APSP_OK)
        qsort(shares->share, shares->count, sizeof *shares->share, by_cost);
    mem_free(cost);
    return error->code;
}

void shares_free(struct shares *shares)
{
    mem_free(shares->top);
    mem_free(shares->share);
    *shares = (struct shares){0};
}

/* What is held while nodes are eliminated in an order. */
struct account {
    const struct tree *tree;
    const struct relax_kernels *kernels;
    enum dtype dtype;
    size_t *rest;    /* bytes that a node has left */
    bool *down, *up; /* of each piece of the panels: it is resident */
    size_t now, peak;
};

static void hold(struct account *account, size_t bytes, size_t besides)
{
    size_t all;
    mem_add(&account->now, account->now, bytes);
    mem_add(&all, account->now, besides);
    account->peak = size_max(all, account->peak);
}

static size_t pieces(size_t bytes)
{
    return bytes > 0 ? (bytes - 1) / mem_grain(bytes) + 1 : 0;
}

/* Entries lo to hi - 1, of so many in all, are written. */
static void write_panel(struct account *account, bool *piece, size_t lo, size_t hi, size_t all)
{
    size_t each = account->kernels->a_bytes, bytes = all * each, grain = mem_grain(bytes);
    if (lo == hi)
        return;
    for (size_t p = lo * each / grain; p <= (hi * each - 1) / grain; p++) {
        if (!piece[p])
            hold(account, bytes - p * grain < grain ? bytes - p * grain : grain, 0);
        piece[p] = true;
    }
}

static void write_panels(struct account *account, size_t t)
{
    const struct tree_node *node = &account->tree->node[t],
                           *all = &account->tree->node[account->tree->nodes];
    write_panel(account, account->down, all->down - node[1].down, all->down - node->down,
                all->down);
    write_panel(account, account->up, node->up, node[1].up, all->up);
}

static void account_node(struct account *account, size_t t)
{
    const struct tree *tree = account->tree;
    const struct tree_node *node = &tree->node[t];
    size_t last = t, front = front_bytes(share_front(tree, t), account->kernels, account->dtype),
           rest = front;
    if (share_inherits(tree, t)) {
        rest = account->rest[t - 1];
        last -= tree->node[t - 1].below;
    } else {
        hold(account, front, 0);
    }
    for (; last > t + 1 - node->below; last -= tree->node[last - 1].below)
        account->now -= account->rest[last - 1];
    if (t == tree_walked(tree)) /* the core stays as it is */
        return;
    hold(account, 0,
         front_need(node->size, share_front(tree, t), account->kernels, account->dtype));
    write_panels(account, t);
    account->rest[t] = node->count > 0 ? rest : 0;
    if (share_copies(tree, t)) {
        account->rest[t] = front_bytes(node->count, account->kernels, account->dtype);
        hold(account, account->rest[t], 0);
    }
    if (account->rest[t] != rest || node->count == 0)
        account->now -= rest;
}

/*
 * Subtrees begin in their order. Besides the last to begin, and what those before it leave, there
 * is no more than as many others as there are other threads hold beyond what they leave.
 */
static size_t account_shares(struct account *account, const struct shares *shares)
{
    const struct tree *tree = account->tree;
    size_t left = 0, beyond = 0, most = 0;
    for (size_t k = 0; k < shares->count; k++) {
        size_t end = shares->share[k].node,
               others = k + 1 < (size_t)shares->threads ? k : (size_t)shares->threads - 1;
        account->now = account->peak = 0;
        for (size_t t = end + 1 - tree->node[end].below; t <= end; t++)
            account_node(account, t);
        size_t at_once = mem_bytes(beyond, others);
        mem_add(&at_once, at_once, left);
        mem_add(&at_once, at_once, account->peak);
        most = size_max(at_once, most);
        beyond = account->peak - account->now > beyond ? account->peak - account->now : beyond;
        mem_add(&left, left, account->now);
    }
    account->now = left;
    return most;
}

static size_t account_layout(struct account *account, void *base)
{
    struct mem_layout layout = {.base = base};
    const struct tree_node *all = &account->tree->node[account->tree->nodes];
    size_t each = account->kernels->a_bytes;
    account->rest = mem_place(&layout, account->tree->nodes, sizeof *account->rest);
    account->down = mem_place(&layout, pieces(mem_bytes(all->down, each)), sizeof *account->down);
    account->up = mem_place(&layout, pieces(mem_bytes(all->up, each)), sizeof *account->up);
    return layout.bytes;
}

int shares_need(size_t *bytes, const struct shares *shares, const struct relax_kernels *kernels,
                enum dtype dtype, struct apsp_error *error)
{
    const struct tree *tree = shares->tree;
    struct account account = {.tree = tree, .kernels = kernels, .dtype = dtype};
    void *memory = mem_alloc(account_layout(&account, NULL));
    if (!memory)
        return error_set(error, APSP_MEMORY, "no memory to share out %zu supernodes", tree->nodes);
    account_layout(&account, memory);
    size_t most = account_shares(&account, shares);
    account.peak = account.now;
    for (size_t k = 0; k < shares->tops; k++)
        account_node(&account, shares->top[k]);
    *bytes = size_max(account.peak, most);
    mem_free(memory);
    return APSP_OK;
}
