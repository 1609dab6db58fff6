#include "graph/narrow.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "graph/level.h"

#include <math.h>

/* The widest level of roads has 1.4 to 3.1 times the square root of n vertices, that of social and
 * random graphs 40 times and more. */
#define NARROW 4

/* That of cubes of 8,000 to 64,000 vertices has n to the power of 0.65, of random graphs of degree
 * 2 of 0.8. */
#define MESH 0.75

/* The highest degree of random graphs is at most some times the mean; that of social networks a
 * hundred times and more. */
enum { SKEWED = 16 };

struct narrow csr_narrow(const struct csr *csr)
{
    const size_t n = csr->n;
    const double narrow = NARROW * sqrt((double)n), mesh = pow((double)n, MESH);
    const size_t most = (size_t)fmax(narrow, mesh);
    uint32_t *list = mem_alloc(mem_bytes(n + 1, sizeof *list)); /* one more is written to */
    unsigned char *seen = mem_alloc(n);
    const struct level_arcs arcs = {csr->start, csr->to};
    size_t first = 0, count = 0, levels = 0, widest = 0;
    if (list && seen && n > 0) {
        list[count++] = (uint32_t)(n / 2);
        seen[n / 2] = 1;
    }
    for (; first < count && 2 * count < n && widest <= most; levels++) {
        const size_t begin = first;
        first = count;
        count = level_take(&arcs, list, seen, begin, count);
        widest = size_max(widest, count - first);
    }
    mem_free(list);
    mem_free(seen);
    if (2 * count < n || widest > most)
        return (struct narrow){0};
    return (struct narrow){(double)widest <= narrow ? levels : 0, widest};
}

bool csr_is_skewed(const struct csr *csr)
{
    size_t most = 0;
    for (size_t u = 0; u < csr->n; u++)
        most = size_max(most, csr->start[u + 1] - csr->start[u]);
    return most / SKEWED > csr->m / (csr->n > 0 ? csr->n : 1);
}
