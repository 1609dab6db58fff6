#include "sparse/cut.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* A position above the place in the list, so that they sort as one number. */
static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

size_t cut_need(size_t count)
{
    return mem_bytes(count, 3 * sizeof(uint32_t) + sizeof(uint64_t));
}

/* The core's vertices are known before the walk. */
static double count_work(const struct cut *cut, const struct tree *tree,
                         const struct tree_node *node)
{
    double work = 0;
    size_t left = cut->count;
    while (left > 0 && cut->position[left - 1] >= tree->n - tree->core.size)
        left--;
    for (uint32_t t = (uint32_t)tree_walked(tree); (t = cut_next(cut, tree, t, left)) != NO_NODE;) {
        work += (double)node[t].size * (double)node[t].count;
        while (left > 0 && cut->position[left - 1] >= node[t].first)
            left--;
    }
    return work;
}

int cut_make(struct cut *cut, const struct tree *tree, const struct tree_node *node,
             const uint32_t *list, size_t count, struct apsp_error *error)
{
    uint64_t *sorted = mem_alloc(mem_bytes(count, sizeof *sorted));
    *cut = (struct cut){.count = count,
                        .list = mem_alloc(mem_bytes(count, sizeof *cut->list)),
                        .position = mem_alloc(mem_bytes(count, sizeof *cut->position)),
                        .place = mem_alloc(mem_bytes(count, sizeof *cut->place))};
    if (sorted && cut->list && cut->position && cut->place) {
        memcpy(cut->list, list, count * sizeof *cut->list);
        for (size_t k = 0; k < count; k++)
            sorted[k] = (uint64_t)tree->position[list[k]] << 32 | k;
        qsort(sorted, count, sizeof *sorted, compare);
        for (size_t k = 0; k < count; k++) {
            cut->position[k] = (uint32_t)(sorted[k] >> 32);
            cut->place[k] = (uint32_t)sorted[k];
        }
        cut->work = count_work(cut, tree, node);
    } else {
        error_set(error, APSP_MEMORY, "no memory for a list of %zu columns", count);
    }
    mem_free(sorted);
    return error->code;
}

void cut_free(struct cut *cut)
{
    mem_free(cut->list);
    mem_free(cut->position);
    mem_free(cut->place);
    *cut = (struct cut){0};
}
