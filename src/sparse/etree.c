/*
 * J. Liu, The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl. 1990:
 * the tree with path compression, and the counts by walking, for each vertex, up from its earlier
 * neighbours to it, which takes as many steps as there is fill.
 *
 * A child joins its parent where the entries that this adds to its panel are worth the boundary
 * rows that need not be loaded twice: ALPHA relaxations each.
 */
#include "sparse/etree.h"

enum { ALPHA = 16 };

static void make_parents(uint32_t *parent, const struct pattern *pattern, const uint32_t *vertex,
                         const uint32_t *rank, uint32_t *ancestor)
{
    for (uint32_t i = 0; i < pattern->n; i++) {
        parent[i] = ancestor[i] = NO_PARENT;
        for (size_t e = pattern->start[vertex[i]]; e < pattern->start[vertex[i] + 1]; e++) {
            uint32_t j = rank[pattern->to[e]];
            while (j < i) {
                uint32_t up = ancestor[j];
                ancestor[j] = i;
                if (up == NO_PARENT)
                    parent[j] = i;
                j = up == NO_PARENT ? i : up;
            }
        }
    }
}

void etree_make(uint32_t *parent, uint32_t *count, const struct pattern *pattern,
                const uint32_t *vertex, const uint32_t *rank, uint32_t *scratch)
{
    uint32_t *seen = scratch; /* by each vertex: the last one that walked through it */
    make_parents(parent, pattern, vertex, rank, scratch);
    for (uint32_t i = 0; i < pattern->n; i++) {
        seen[i] = i;
        count[i] = 0;
        for (size_t e = pattern->start[vertex[i]]; e < pattern->start[vertex[i] + 1]; e++)
            for (uint32_t j = rank[pattern->to[e]]; j < i && seen[j] != i; j = parent[j]) {
                seen[j] = i;
                count[j]++;
            }
    }
}

/*
 * Lists the children of each vertex, from the largest count down, and of equal ones from the last
 * back: all vertices are put into lists by count, which begin at first[], and from these, in
 * ascending order, before their siblings.
 */
static void list_children(uint32_t *child, uint32_t *sibling, uint32_t *first,
                          const uint32_t *parent, const uint32_t *count, size_t n)
{
    for (size_t v = 0; v < n; v++)
        child[v] = first[v] = NO_PARENT;
    for (size_t v = n; v-- > 0;) {
        sibling[v] = first[count[v]];
        first[count[v]] = (uint32_t)v;
    }
    for (size_t k = 0; k < n; k++)
        for (uint32_t v = first[k], next; v != NO_PARENT; v = next) {
            next = sibling[v];
            if (parent[v] == NO_PARENT)
                continue;
            sibling[v] = child[parent[v]];
            child[parent[v]] = v;
        }
}

static int64_t added(uint32_t size, uint32_t count, uint32_t parent_count)
{
    return (int64_t)size * ((int64_t)parent_count - (int64_t)count);
}

void etree_cut(uint32_t *last, const uint32_t *parent, const uint32_t *count, const bool *inside,
               size_t n, uint32_t *scratch)
{
    uint32_t *size = scratch, *child = size + n, *sibling = child + n;
    uint32_t core = NO_PARENT; /* its last vertex */
    list_children(child, sibling, size, parent, count, n);
    for (size_t v = 0; v < n; v++) {
        size[v] = 1;
        last[v] = (uint32_t)v;
        core = inside[v] ? (uint32_t)v : core;
    }
    for (uint32_t v = 0; v < n; v++) {
        if (inside[v]) {
            last[v] = core;
            continue;
        }
        for (uint32_t c = child[v]; c != NO_PARENT; c = sibling[c]) {
            if (size[c] + size[v] > NODE_MAX ||
                added(size[c], count[c], count[v]) > (int64_t)ALPHA * count[c])
                continue;
            last[c] = v;
            size[v] += size[c];
        }
    }
    for (size_t v = n; v-- > 0;)
        last[v] = last[last[v]];
}
