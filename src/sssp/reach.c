#include "sssp/reach.h"

#include "base/mem.h"

#include <math.h>

#define GOLDEN 0.61803398874989485 /* the golden ratio, less 1 */

/* Vertices are many if they are so many, or one part in so many of the graph. */
enum { MANY = 1024, MANY_PART = 16 };

/* Work space of a search. */
struct walk {
    uint32_t list[MANY + 1];
    unsigned char *seen; /* Whether the search has come to a vertex; 0 between searches. */
};

/* Whether the source comes to so many vertices, itself among them. */
static bool comes_to(struct walk *walk, const struct csr *csr, uint32_t source, size_t many)
{
    uint32_t *list = walk->list;
    size_t first = 0, count = 1;
    list[0] = source;
    walk->seen[source] = 1;
    for (; first < count && count < many; first++)
        for (size_t e = csr->start[list[first]]; e < csr->start[list[first] + 1] && count < many;
             e++) {
            list[count] = csr->to[e];
            count += !walk->seen[csr->to[e]];
            walk->seen[csr->to[e]] = 1;
        }
    for (size_t k = 0; k < count; k++)
        walk->seen[list[k]] = 0;
    return count >= many;
}

/* Multiples of the golden ratio are well spread, however many are taken. */
static size_t place_of(size_t n, size_t k)
{
    const double at = 0.5 + GOLDEN * (double)k;
    return (size_t)((at - floor(at)) * (double)n);
}

int reach_look(struct reach *reach, const struct network *network, const struct csr *csr,
               struct apsp_error *error)
{
    const size_t n = network->n, part = n / MANY_PART + 1, many = part < MANY ? part : MANY;
    struct walk walk = {.seen = mem_alloc(n)};
    *reach = (struct reach){0};
    if (!walk.seen)
        return error_set(error, APSP_MEMORY, "no memory for a look at %zu vertices", n);
    for (size_t k = 0; k < REACH_PLACES; k++) {
        const size_t place = place_of(n, k);
        if (comes_to(&walk, csr, network->vertex[network->order[place]], many))
            reach->place[reach->count++] = place;
    }
    const bool none = reach->count == 0;
    for (; none && reach->count < REACH_PLACES; reach->count++)
        reach->place[reach->count] = place_of(n, reach->count);
    reach->part = (double)reach->count / REACH_PLACES;
    mem_free(walk.seen);
    return APSP_OK;
}
