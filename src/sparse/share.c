/*
 * Subtrees of little work are handed out; the nodes above them have all threads. The memory is found by going
 * through the elimination without doing it.
 */
#include "sparse/share.h"

#include "base/mem.h"
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

int shares_make(struct shares *shares, const struct tree *tree, int threads, struct apsp_error *error)
{
    double limit = tree->eliminate / (threads * EACH),
           *cost = mem_alloc(mem_bytes(tree->nodes, sizeof *cost));
    *shares = (struct shares){.tree = tree,
                              .threads = threads,
                              .share = mem_alloc(mem_bytes(tree->nodes, sizeof *shares->share)),
                              .top = mem_alloc(mem_bytes(tree->nodes, sizeof *shares->top))};
    if (!shares->share || !shares->top || !cost)
        error_set(error, APSP_MEMORY, "no memory to share out %zu nodes", tree->nodes);
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
    size_t *rest; /* bytes that a node has left */
    size_t now, peak;
};

static void hold(struct account *account, size_t bytes, size_t besides)
{
    size_t all;
    mem_add(&account->now, account->now, bytes);
    mem_add(&all, account->now, besides);
    account->peak = all > account->peak ? all : account->peak;
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
    hold(account, 0, front_need(node->size, share_front(tree, t), account->kernels, account->dtype));
    account->rest[t] = node->count > 0 ? rest : 0;
    if (share_copies(tree, t)) {
        account->rest[t] = front_bytes(node->count, account->kernels, account->dtype);
        hold(account, account->rest[t], 0);
    }
    if (account->rest[t] != rest || node->count == 0)
        account->now -= rest;
}

int shares_need(size_t *bytes, const struct shares *shares, const struct relax_kernels *kernels,
                enum dtype dtype, struct apsp_error *error)
{
    const struct tree *tree = shares->tree;
    struct account account = {.tree = tree,
                              .kernels = kernels,
                              .dtype = dtype,
                              .rest = mem_alloc(mem_bytes(tree->nodes, sizeof(size_t)))};
    size_t left = 0, most = 0; /* by all subtrees; at the same time by one */
    if (!account.rest)
        return error_set(error, APSP_MEMORY, "no memory to share out %zu nodes", tree->nodes);
    for (size_t k = 0; k < shares->count; k++) {
        size_t end = shares->share[k].node;
        account.now = account.peak = 0;
        for (size_t t = end + 1 - tree->node[end].below; t <= end; t++)
            account_node(&account, t);
        mem_add(&left, left, account.now);
        most = account.peak > most ? account.peak : most;
    }
    account.now = account.peak = left;
    for (size_t k = 0; k < shares->tops; k++)
        account_node(&account, shares->top[k]);
    mem_add(bytes, left, mem_bytes(most, (size_t)shares->threads));
    *bytes = account.peak > *bytes ? account.peak : *bytes;
    mem_free(account.rest);
    return APSP_OK;
}
