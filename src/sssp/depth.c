#include "sssp/depth.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "graph/level.h"

#include <string.h>

enum { MANY_PART = 16 }; /* One vertex in so many is enough: others may be isolated. */

struct depth {
    struct level_arcs arcs;
    size_t n;
    uint32_t *list;
    unsigned char *seen;
};

/* Levels of a search, the last vertex that it finds, and how many it finds. */
static size_t search(const struct depth *depth, uint32_t source, uint32_t *last, size_t *found)
{
    uint32_t *list = depth->list;
    size_t levels = 0, first = 0, count = 1;
    memset(depth->seen, 0, depth->n);
    list[0] = source;
    depth->seen[source] = 1;
    while (first < count) {
        const size_t begin = first;
        first = count;
        count = level_take(&depth->arcs, list, depth->seen, begin, count);
        levels += count > first;
    }
    *last = list[count - 1];
    *found = count;
    return levels;
}

size_t depth_look(const struct network *network, const struct csr *csr)
{
    struct depth depth = {.arcs = {network->start, network->from}, .n = network->n};
    size_t levels = 0;
    depth.list = mem_alloc(mem_bytes(network->n + 1, sizeof *depth.list));
    depth.seen = mem_alloc(network->n);
    if (depth.list && depth.seen && network->n > 0) {
        uint32_t last;
        size_t before, after;
        const size_t back = search(&depth, 0, &last, &before);
        depth.arcs = (struct level_arcs){csr->start, csr->to};
        const size_t forward = search(&depth, network->vertex[last], &last, &after);
        const bool many = MANY_PART * size_max(before, after) >= network->n;
        levels = many ? size_max(back, forward) : 0;
    }
    mem_free(depth.list);
    mem_free(depth.seen);
    return levels;
}
