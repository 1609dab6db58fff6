/* A level of a breadth-first search, whose vertices are in a list as they are found. */
#ifndef LEVEL_H
#define LEVEL_H

#include <stddef.h>
#include <stdint.h>

/* The arcs of vertex u lead to the vertices to[start[u]] to before to[start[u + 1]]. */
struct level_arcs {
    const size_t *start;
    const uint32_t *to;
};

/* Appends the vertices behind list[first .. count - 1] that have not been seen. Returns how many
 * the list then has. There is room for all vertices and one more, which is written to. */
static inline size_t level_take(const struct level_arcs *arcs, uint32_t *list, unsigned char *seen,
                                size_t first, size_t count)
{
    for (const size_t end = count; first < end; first++) {
        const uint32_t u = list[first];
        for (size_t e = arcs->start[u]; e < arcs->start[u + 1]; e++) {
            const uint32_t v = arcs->to[e];
            list[count] = v;
            count += !seen[v];
            seen[v] = 1;
        }
    }
    return count;
}

#endif
