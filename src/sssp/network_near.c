#include "sssp/network_near.h"

#include <math.h>

enum { CHUNK = 1024 };

/* No weight is below 0, so the bits of reals compare as they do. */
static inline __attribute__((always_inline)) uint64_t get_bits(const struct network *network,
                                                               size_t bytes, size_t e)
{
    return bytes == 2   ? ((const uint16_t *)network->weight)[e]
           : bytes == 4 ? ((const uint32_t *)network->weight)[e]
                        : ((const uint64_t *)network->weight)[e];
}

static inline __attribute__((always_inline)) void put_arc(struct network *network, size_t bytes,
                                                          size_t e, uint64_t bits, uint32_t from)
{
    network->from[e] = from;
    if (bytes == 2)
        ((uint16_t *)network->weight)[e] = (uint16_t)bits;
    else if (bytes == 4)
        ((uint32_t *)network->weight)[e] = (uint32_t)bits;
    else
        ((uint64_t *)network->weight)[e] = bits;
}

/* The arc behind `gap` others goes before those of them that are larger; of equal weights the lower
 * tail comes first. */
static inline __attribute__((always_inline)) void insert_arc(struct network *network, size_t bytes,
                                                             size_t begin, size_t e, size_t gap)
{
    const uint64_t bits = get_bits(network, bytes, e);
    const uint32_t from = network->from[e];
    size_t to = e;
    for (; to >= begin + gap; to -= gap) {
        const uint64_t other = get_bits(network, bytes, to - gap);
        if (other < bits || (other == bits && network->from[to - gap] < from))
            break;
        put_arc(network, bytes, to, other, network->from[to - gap]);
    }
    put_arc(network, bytes, to, bits, from);
}

/* Shell's sort needs no memory. Each gap is about 4 / 9 of the one before. */
static inline __attribute__((always_inline)) void sort_list(struct network *network, size_t bytes,
                                                            size_t v)
{
    const size_t begin = network->start[v], end = network->start[v + 1];
    size_t gap = 1;
    while (gap < (end - begin) / 3)
        gap = gap * 9 / 4 + 1;
    for (; gap > 0; gap = gap * 4 / 9)
        for (size_t e = begin + gap; e < end; e++)
            insert_arc(network, bytes, begin, e, gap);
}

static void sort_arcs(struct network *network, const struct engine_task *task)
{
    const size_t bytes = dtype_info[task->dtype].bytes;
#pragma omp parallel for num_threads(task->threads) schedule(dynamic, CHUNK) if (network->n > CHUNK)
    for (size_t v = 0; v < network->n; v++)
        if (bytes == 2)
            sort_list(network, 2, v);
        else if (bytes == 4)
            sort_list(network, 4, v);
        else
            sort_list(network, 8, v);
}

/* The least of the vertex's own bound and those by way of one arc more. */
static double bound_by_arcs(const struct engine_task *task, const double *bound, size_t u)
{
    const struct csr *csr = task->csr;
    double least = bound[u];
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
        const union value weight = network_weight(task, u, e);
        const double sum = bound[csr->to[e]] + (double)weight.whole;
        if (sum < least && !network_skips(task, u, e, weight))
            least = sum;
    }
    return least;
}

/* Paths of some arcs to the vertex of highest degree bound the distance to it. */
static void find_offsets(struct network *network, const struct engine_task *task,
                         const struct network_work *work)
{
    enum { ARCS = 8 };
    const size_t n = network->n;
    double *bound = work->walks, *longer = work->longer;
    bool any = true;
    for (size_t u = 0; u < n; u++)
        bound[u] = INFINITY;
    bound[network->vertex[0]] = 0;
    for (int arcs = 0; arcs < ARCS && any; arcs++) {
        any = false;
#pragma omp parallel for num_threads(task->threads) schedule(dynamic, CHUNK)                       \
    reduction(||                                                                                   \
              : any) if (n > CHUNK)
        for (size_t u = 0; u < n; u++) {
            longer[u] = bound_by_arcs(task, bound, u);
            any = any || longer[u] < bound[u];
        }
        double *before = bound;
        bound = longer;
        longer = before;
    }
    for (size_t u = 0; u < n; u++)
        network->offset[network->number[u]] = isinf(bound[u]) ? 0 : (int64_t)bound[u];
}

void network_near(struct network *network, const struct engine_task *task,
                  const struct network_work *work)
{
    sort_arcs(network, task);
    if (network->offset && network->n > 0)
        find_offsets(network, task, work);
}
