#include "sssp/network_order.h"

#include <string.h>

enum { CLASSES = 256 };

/*
 * A vertex comes after its parent, which has a lower number, and next to others with this parent:
 * the preorder of a forest, whose trees follow one another (after H. Liu et al., iBFS, SIGMOD
 * 2016).
 */
static void order_forest(struct network *network, const struct network_work *work)
{
    uint32_t *below = work->below, *order = network->order, next = 0;
    for (size_t v = 0; v < network->n; v++)
        below[v] = 1;
    for (size_t v = network->n; v-- > 0;)
        if (work->parent[v] != v)
            below[work->parent[v]] += below[v];
    for (size_t v = 0; v < network->n; v++) {
        uint32_t *free = work->parent[v] == v ? &next : &below[work->parent[v]], size = below[v];
        below[v] = *free + 1;
        order[*free] = (uint32_t)v;
        *free += size;
    }
}

/* class[v] gets the binary logarithm of the number of walks of five arcs that begin at v, each of
 * several parallel arcs by itself. `whole`: no edge is left out. */
static void class_vertices(const struct network *network, const struct engine_task *task,
                           bool whole, const struct network_work *work)
{
    enum { WALK = 5, CHUNK = 1024 };
    const struct csr *csr = task->csr;
    double *walks = work->walks, *longer = work->longer;
    for (size_t u = 0; u < network->n; u++)
        walks[u] = 1;
    for (int step = 0; step < WALK; step++) {
#pragma omp parallel for num_threads(task->threads) schedule(dynamic, CHUNK) if (csr->n > CHUNK)
        for (size_t u = 0; u < csr->n; u++) {
            double sum = 0;
            for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
                if (whole || !network_skips(task, u, e, network_weight(task, u, e)))
                    sum += walks[csr->to[e]];
            longer[u] = sum;
        }
        double *before = walks;
        walks = longer;
        longer = before;
    }
    for (size_t u = 0; u < network->n; u++) {
        int class = walks[u] > 0 ? ilogb(walks[u]) + 1 : 0;
        work->class[network->number[u]] = (unsigned char)(class < CLASSES ? class : CLASSES - 1);
    }
}

/* So many sources of the order get into falling classes, each of which stays in its order. */
static void sort_sources(uint32_t *order, size_t count, const struct network_work *work)
{
    uint32_t place[CLASSES + 1] = {0}, *sorted = work->below;
    for (size_t k = 0; k < count; k++)
        place[CLASSES - work->class[order[k]]]++;
    for (size_t c = 0; c < CLASSES; c++)
        place[c + 1] += place[c];
    for (size_t k = 0; k < count; k++)
        sorted[place[CLASSES - 1 - work->class[order[k]]]++] = order[k];
    memcpy(order, sorted, count * sizeof *order);
}

/*
 * Sources with about as many walks come to all vertices at about the same distance, if they are in
 * one part of the graph: a tree of the forest. Where one tree has much of the graph, all of it is
 * one part.
 */
void network_order(struct network *network, const struct engine_task *task,
                   const struct network_weights *weights, const struct network_work *work)
{
    enum { SHARE = 8 };
    const size_t n = network->n;
    size_t largest = 0;
    order_forest(network, work);
    class_vertices(network, task, weights->arcs == task->csr->m, work);
    for (size_t first = 0, k = 1; k <= n; k++)
        if (k == n || work->parent[network->order[k]] == network->order[k]) {
            largest = k - first > largest ? k - first : largest;
            first = k;
        }
    if (largest >= n / SHARE) {
        sort_sources(network->order, n, work);
        return;
    }
    for (size_t first = 0, k = 1; k <= n; k++)
        if (k == n || work->parent[network->order[k]] == network->order[k]) {
            sort_sources(network->order + first, k - first, work);
            first = k;
        }
}
