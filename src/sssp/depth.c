#include "sssp/depth.h"

#include "base/mem.h"
#include "base/minmax.h"

#include <string.h>

enum { MANY_PART = 16 }; /* One vertex in so many is enough: others may be isolated. */

struct depth {
    const size_t *start; /* The arcs of u are to[start[u]] to before to[start[u + 1]]. */
    const uint32_t *to;
    size_t n;
    uint32_t *list; /* Vertices as they are found, and one more that is written to. */
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
    for (size_t end = count; first < end; end = count) {
        for (; first < end; first++)
            for (size_t e = depth->start[list[first]]; e < depth->start[list[first] + 1]; e++) {
                list[count] = depth->to[e];
                count += !depth->seen[depth->to[e]];
                depth->seen[depth->to[e]] = 1;
            }
        levels += count > end;
    }
    *last = list[count - 1];
    *found = count;
    return levels;
}

size_t depth_look(const struct network *network, const struct csr *csr)
{
    struct depth depth = {network->start, network->from, network->n, NULL, NULL};
    size_t levels = 0;
    depth.list = mem_alloc(mem_bytes(network->n + 1, sizeof *depth.list));
    depth.seen = mem_alloc(network->n);
    if (depth.list && depth.seen && network->n > 0) {
        uint32_t last;
        size_t before, after;
        const size_t back = search(&depth, 0, &last, &before);
        depth.start = csr->start;
        depth.to = csr->to;
        const size_t forward = search(&depth, network->vertex[last], &last, &after);
        const bool many = MANY_PART * size_max(before, after) >= network->n;
        levels = many ? size_max(back, forward) : 0;
    }
    mem_free(depth.list);
    mem_free(depth.seen);
    return levels;
}
