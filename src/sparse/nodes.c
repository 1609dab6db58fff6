/*
 * A child joins its parent where the entries that this adds to its panel are worth the boundary
 * rows that need not be loaded twice: ALPHA relaxations each.
 */
#include "sparse/nodes.h"

#include "sparse/tree.h"

enum { ALPHA = 16 };

static int64_t added(uint32_t size, uint32_t count, uint32_t parent_count)
{
    return (int64_t)size * ((int64_t)parent_count - (int64_t)count);
}

/* Siblings come from the largest count down, and of equal ones from the last back. */
static bool comes_before(const struct nodes *nodes, uint32_t a, uint32_t b)
{
    const uint32_t *count = nodes->etree->count;
    return count[a] > count[b] || (count[a] == count[b] && a > b);
}

static uint32_t merge_siblings(const struct nodes *nodes, uint32_t a, uint32_t b)
{
    uint32_t all = NO_PARENT, *end = &all;
    while (a != NO_PARENT && b != NO_PARENT) {
        uint32_t *next = comes_before(nodes, a, b) ? &a : &b;
        *end = *next;
        end = &nodes->sibling[*next];
        *next = *end;
    }
    *end = a != NO_PARENT ? a : b;
    return all;
}

/* Takes so many, at least one, off the front of a list. */
static uint32_t sort_siblings(const struct nodes *nodes, uint32_t *list, size_t count)
{
    const uint32_t front = *list;
    if (count > 1) {
        const uint32_t some = sort_siblings(nodes, list, count / 2);
        return merge_siblings(nodes, some, sort_siblings(nodes, list, count - count / 2));
    }
    *list = nodes->sibling[front];
    nodes->sibling[front] = NO_PARENT;
    return front;
}

static void sort_children(const struct nodes *nodes, uint32_t v)
{
    size_t count = 0;
    for (uint32_t c = nodes->child[v]; c != NO_PARENT; c = nodes->sibling[c])
        count++;
    if (count > 1)
        nodes->child[v] = sort_siblings(nodes, &nodes->child[v], count);
}

static void join_children(struct nodes *nodes, uint32_t v)
{
    const uint32_t *count = nodes->etree->count;
    uint32_t *size = nodes->size;
    for (uint32_t c = nodes->child[v]; c != NO_PARENT; c = nodes->sibling[c]) {
        if (size[c] + size[v] > NODE_MAX ||
            added(size[c], count[c], count[v]) > (int64_t)ALPHA * count[c])
            continue;
        nodes->last[c] = v;
        nodes->before[c] = size[v] - 1;
        size[v] += size[c];
    }
}

static void cut_part(void *self, const struct etree_part *part)
{
    struct nodes *nodes = self;
    for (uint32_t v = part->lo; !part->list && v < part->hi; v++) {
        nodes->child[v] = nodes->sibling[v] = NO_PARENT;
        nodes->size[v] = 1;
        nodes->last[v] = nodes->inside[v] ? nodes->core : v;
    }
    for (uint32_t x = part->lo; x < part->hi; x++) {
        const uint32_t v = etree_at(part, x);
        if (v == NO_PARENT)
            continue;
        const uint32_t parent = nodes->etree->parent[v];
        sort_children(nodes, v);
        if (!nodes->inside[v])
            join_children(nodes, v);
        if (parent == NO_PARENT)
            continue;
        nodes->sibling[v] = nodes->child[parent];
        nodes->child[parent] = v;
    }
}

static void find_last(void *self, const struct etree_part *part)
{
    struct nodes *nodes = self;
    for (uint32_t x = part->hi; x-- > part->lo;) {
        const uint32_t v = etree_at(part, x);
        if (v != NO_PARENT)
            nodes->last[v] = nodes->last[nodes->last[v]];
    }
}

void nodes_cut(struct nodes *nodes)
{
    const struct etree *etree = nodes->etree;
    const size_t n = etree->n;
    nodes->core = NO_PARENT;
    for (size_t v = n; v-- > 0 && nodes->core == NO_PARENT;)
        nodes->core = nodes->inside[v] ? (uint32_t)v : NO_PARENT;
    etree_up(etree, cut_part, nodes);
    etree_down(etree, find_last, nodes);
    nodes->count = 0;
    for (size_t v = 0; v < n; v++)
        nodes->count += nodes->last[v] == v;
}

/* The heavier of two children of a supernode, by their last vertices. */
static uint32_t heavier(const struct nodes *nodes, uint32_t a, uint32_t b)
{
    if (a == NO_PARENT || b == NO_PARENT)
        return a == NO_PARENT ? b : a;
    return comes_before(nodes, a, b) ? a : b;
}

/* The number of supernodes in the subtree of each vertex, and the heaviest one that hangs on its
 * group. */
static void weigh_part(void *self, const struct etree_part *part)
{
    struct nodes *nodes = self;
    for (uint32_t x = part->lo; x < part->hi; x++) {
        const uint32_t v = etree_at(part, x);
        if (v == NO_PARENT)
            continue;
        uint32_t below = nodes->last[v] == v, heavy = NO_PARENT;
        for (uint32_t c = nodes->child[v]; c != NO_PARENT; c = nodes->sibling[c]) {
            below += nodes->below[c];
            heavy = heavier(nodes, heavy, nodes->last[c] == c ? c : nodes->heavy[c]);
        }
        nodes->below[v] = below;
        nodes->heavy[v] = heavy;
    }
}

/* Supernodes of the subtree of v, without those of `heavy` if that hangs on the group of v. */
static uint32_t numbers_of(const struct nodes *nodes, uint32_t v, uint32_t heavy)
{
    const bool within = heavy != NO_PARENT && nodes->last[v] != v && nodes->heavy[v] == heavy;
    return nodes->below[v] - (within ? nodes->below[heavy] : 0);
}

/* The numbers of a vertex end at number[v]. Its node's own is the last of them, if the vertex is
 * the node's last one. */
static void number_part(void *self, const struct etree_part *part)
{
    struct nodes *nodes = self;
    for (uint32_t x = part->hi; x-- > part->lo;) {
        const uint32_t v = etree_at(part, x);
        if (v == NO_PARENT)
            continue;
        const bool closes = nodes->last[v] == v && !nodes->inside[v];
        const uint32_t heavy =
            nodes->inside[v] ? nodes->heavy_of_core : nodes->heavy[nodes->last[v]];
        uint32_t end = nodes->number[v] - closes;
        if (closes && heavy != NO_PARENT) {
            nodes->number[heavy] = end;
            end -= nodes->below[heavy];
        }
        for (uint32_t c = nodes->child[v]; c != NO_PARENT; c = nodes->sibling[c]) {
            if (c == heavy)
                continue;
            nodes->number[c] = end;
            end -= numbers_of(nodes, c, heavy);
        }
    }
}

static void number_roots(struct nodes *nodes)
{
    const uint32_t *parent = nodes->etree->parent;
    uint32_t end = (uint32_t)nodes->count, heavy = NO_PARENT;
    for (size_t v = nodes->core == NO_PARENT ? 0 : nodes->etree->n; v-- > 0;)
        if (parent[v] == NO_PARENT && nodes->inside[v])
            heavy = heavier(nodes, heavy, nodes->heavy[v]);
    nodes->heavy_of_core = heavy;
    end -= nodes->core != NO_PARENT;
    if (heavy != NO_PARENT) {
        nodes->number[heavy] = end;
        end -= nodes->below[heavy];
    }
    for (int inside = 1; inside >= 0; inside--)
        for (size_t v = nodes->etree->n; v-- > 0;) {
            if (parent[v] != NO_PARENT || nodes->inside[v] != inside)
                continue;
            nodes->number[v] = end;
            end -= nodes->below[v] - (v == nodes->core);
            if (inside && heavy != NO_PARENT && nodes->heavy[v] == heavy)
                end += nodes->below[heavy];
        }
}

void nodes_number(struct nodes *nodes)
{
    etree_up(nodes->etree, weigh_part, nodes);
    number_roots(nodes);
    etree_down(nodes->etree, number_part, nodes);
}
