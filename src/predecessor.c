/*
 * Whole numbers: the certificate's breadth-first search over tight edges is a tree of shortest paths.
 *
 * Real numbers: sums that were rounded in another order make hardly any edge exactly tight. With slack(u, v)
 * = D[u] + w - D[v], which is rounding noise on a shortest path (and taken as 0 where that is negative), the
 * distances are potentials, and Dijkstra's algorithm (E. Dijkstra, "A note on two problems in connexion with
 * graphs", Numerische Mathematik 1, 1959) finds for every vertex the path of the least total slack: the one
 * whose sum is nearest to D. The slacks are not negative even where weights are (D. Johnson, "Efficient
 * algorithms for shortest paths in sparse networks", Journal of the ACM 24, 1977).
 */
#include "predecessor.h"

#include "certify.h"
#include "mem.h"

#include <math.h>
#include <stdlib.h>

struct predecessor_space {
    enum dtype dtype;
    struct certify_space *certify; /* of whole numbers; of real ones: */
    size_t n, count;               /* in the heap */
    uint32_t *heap, *place; /* vertices by slack, and where each is: from 1; 0: not yet seen, n + 1: done */
    double *slack;          /* of the path to each vertex */
};

enum { UNSEEN = 0 };

struct predecessor_space *predecessor_space_new(size_t n, enum dtype dtype)
{
    struct predecessor_space *space = calloc(1, sizeof *space);
    if (!space)
        return NULL;
    space->dtype = dtype;
    space->n = n;
    if (dtype_info[dtype].real) {
        space->heap = malloc((n + 1) * sizeof *space->heap);
        space->place = malloc(n * sizeof *space->place);
        space->slack = malloc(n * sizeof *space->slack);
    } else {
        space->certify = certify_space_new(n, dtype);
    }
    if (space->certify || (space->heap && space->place && space->slack))
        return space;
    predecessor_space_free(space);
    return NULL;
}

void predecessor_space_free(struct predecessor_space *space)
{
    if (!space)
        return;
    free(space->slack);
    free(space->place);
    free(space->heap);
    certify_space_free(space->certify);
    free(space);
}

size_t predecessor_need(size_t n, size_t m, enum dtype dtype, int threads)
{
    size_t all, spaces;
    if (!dtype_info[dtype].real)
        return certify_need(n, m, dtype, threads);
    mem_mul(&spaces, n, 2 * sizeof(uint32_t) + sizeof(double));
    mem_mul(&spaces, spaces, (size_t)threads);
    mem_add(&all, csr_need(n, m), spaces);
    return all;
}

static void put(struct predecessor_space *space, size_t at, uint32_t vertex)
{
    space->heap[at] = vertex;
    space->place[vertex] = (uint32_t)at;
}

/* The vertex is new, or its slack has become less. */
static void rise(struct predecessor_space *space, uint32_t vertex)
{
    size_t at = space->place[vertex] == UNSEEN ? ++space->count : space->place[vertex];
    for (; at > 1 && space->slack[space->heap[at / 2]] > space->slack[vertex]; at /= 2)
        put(space, at, space->heap[at / 2]);
    put(space, at, vertex);
}

static uint32_t take_least(struct predecessor_space *space)
{
    uint32_t least = space->heap[1], last = space->heap[space->count--];
    size_t at = 1;
    for (size_t down; (down = 2 * at) <= space->count; at = down) {
        down += down < space->count && space->slack[space->heap[down + 1]] < space->slack[space->heap[down]];
        if (space->slack[space->heap[down]] >= space->slack[last])
            break;
        put(space, at, space->heap[down]);
    }
    if (space->count > 0)
        put(space, at, last);
    space->place[least] = (uint32_t)space->n + 1;
    return least;
}

static double distance(const struct predecessor_space *space, const void *row, size_t v)
{
    return space->dtype == DTYPE_F32 ? (double)((const float *)row)[v] : ((const double *)row)[v];
}

/* Takes the edges out of u, whose path is known. */
static void scan(const struct csr *edges, struct predecessor_space *space, const void *row, uint32_t u,
                 int32_t *tree)
{
    double here = distance(space, row, u);
    for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++) {
        uint32_t v = edges->to[e];
        double weight = edges->real ? edges->value[e] : (double)edges->weight[e];
        double gap = here + weight - distance(space, row, v);
        double slack = space->slack[u] + (gap > 0 ? gap : 0);
        if (space->place[v] > space->n || (space->place[v] != UNSEEN && !(slack < space->slack[v])))
            continue;
        space->slack[v] = slack;
        tree[v] = (int32_t)u;
        rise(space, v);
    }
}

static bool dijkstra(const struct csr *edges, size_t i, const void *row, struct predecessor_space *space,
                     size_t first, int32_t *tree, char *why, size_t size)
{
    size_t n = edges->n;
    for (size_t v = 0; v < n; v++) {
        space->place[v] = UNSEEN;
        tree[v] = -1;
    }
    space->slack[i] = 0;
    space->count = 0;
    rise(space, (uint32_t)i);
    while (space->count > 0)
        scan(edges, space, row, take_least(space), tree);
    for (size_t v = 0; v < n; v++) {
        bool finite = isfinite(distance(space, row, v)), reached = space->place[v] != UNSEEN;
        if (finite == reached)
            continue;
        snprintf(why, size,
                 finite ? "row %zu: vertex %zu has a distance, and no path leads there"
                        : "row %zu: vertex %zu has no distance, and a path leads there",
                 i + first, v + first);
        return false;
    }
    return true;
}

bool predecessor_row(const struct csr *edges, size_t i, const void *row, struct predecessor_space *space,
                     size_t first, int32_t *tree, char *why, size_t size)
{
    if (dtype_info[space->dtype].real)
        return dijkstra(edges, i, row, space, first, tree, why, size);
    return certify_tree(edges, 0, i, row, space->certify, first, tree, why, size);
}
