#include "sparse/regions.h"

#include "base/mem.h"

static size_t first_of(const struct tree *tree, size_t t)
{
    return tree->node[t + 1 - tree->node[t].below].first;
}

static size_t vertices_of(const struct tree *tree, size_t t)
{
    return tree->node[t].first + tree->node[t].size - first_of(tree, t);
}

/* Without a border nothing comes in. */
static bool suits(const struct tree *tree, size_t t)
{
    const size_t vertices = vertices_of(tree, t), border = tree->node[t].count;
    return vertices >= BESIDE_LEAST && vertices <= BESIDE_MOST && border > 0 &&
           border <= BESIDE_BORDER && border <= vertices / 2;
}

void regions_place(struct regions *regions, struct mem_layout *layout, const struct tree *tree)
{
    const size_t most = beside_regions(tree->n);
    regions->node = mem_place(layout, most, sizeof *regions->node);
    regions->region = mem_place(layout, most, sizeof *regions->region);
}

void regions_find(struct regions *regions, const struct tree *tree)
{
    size_t place = tree->core.size, below;
    regions->count = 0;
    for (size_t t = tree_walked(tree); t > 0; t -= below) {
        struct beside_region *region = regions->region + regions->count;
        below = 1;
        if (!suits(tree, t - 1)) {
            place += tree->node[t - 1].size;
            continue;
        }
        place = (place + BESIDE_ALIGN - 1) / BESIDE_ALIGN * BESIDE_ALIGN;
        *region = (struct beside_region){place, vertices_of(tree, t - 1), tree->node[t - 1].count};
        place = regions_end(region);
        below = tree->node[t - 1].below;
        regions->node[regions->count++] = (uint32_t)(t - 1);
    }
}
