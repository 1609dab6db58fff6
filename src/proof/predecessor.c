/*
 * Whole numbers: the certificate's breadth-first search over tight edges is a tree of shortest paths.
 *
 * Real numbers: sums that were rounded in another order make hardly any edge exactly tight. With slack(u, v)
 * = D[u] + w - D[v], which is rounding noise on a shortest path (and taken as 0 where that is negative), the
 * distances are potentials, and Dijkstra's algorithm (E. Dijkstra, "A note on two problems in connexion with
 * graphs", Numerische Mathematik 1, 1959) finds for every vertex the path of the least total slack: the one
 * whose sum is nearest to D. The slacks are not negative even where weights are (D. Johnson, "Efficient
 * algorithms for shortest paths in sparse networks", Journal of the ACM 24, 1977). That sum is then held
 * against D.
 */
#include "proof/predecessor.h"

#include "base/mem.h"
#include "proof/heap.h"
#include "proof/rounding.h"

#include <math.h>
#include <string.h>

struct predecessor_space {
    size_t n;
    enum dtype dtype;
    struct certify_space *certify; /* of whole numbers; of real ones: */
    struct heap heap;              /* of vertices by slack */
    double *sum;                   /* of the path to each vertex, */
    double *most;                  /* the largest |D| + |w| of an edge on it, */
    uint32_t *hops;                /* and its edges */
};

static size_t place(struct predecessor_space *space, void *base)
{
    struct mem_layout layout = {.base = base};
    mem_place(&layout, 1, sizeof *space);
    if (dtype_info[space->dtype].real) {
        heap_place(&space->heap, &layout, space->n);
        space->sum = mem_place(&layout, space->n, sizeof *space->sum);
        space->most = mem_place(&layout, space->n, sizeof *space->most);
        space->hops = mem_place(&layout, space->n, sizeof *space->hops);
    }
    return layout.bytes;
}

static size_t own_need(size_t n, enum dtype dtype)
{
    return place(&(struct predecessor_space){.n = n, .dtype = dtype}, NULL);
}

size_t predecessor_need(size_t n, enum dtype dtype)
{
    size_t all;
    mem_add(&all, own_need(n, dtype), dtype_info[dtype].real ? 0 : certify_need(n, dtype));
    return all;
}

struct predecessor_space *predecessor_space_new(size_t n, enum dtype dtype)
{
    struct predecessor_space *space = mem_alloc(own_need(n, dtype));
    if (!space)
        return NULL;
    space->n = n;
    space->dtype = dtype;
    place(space, space);
    if (dtype_info[dtype].real || (space->certify = certify_space_new(n, dtype)))
        return space;
    mem_free(space);
    return NULL;
}

void predecessor_space_free(struct predecessor_space *space)
{
    if (space)
        certify_space_free(space->certify);
    mem_free(space);
}

static double distance(const struct predecessor_space *space, const void *row, size_t v)
{
    return space->dtype == DTYPE_F32 ? (double)((const float *)row)[v] : ((const double *)row)[v];
}

/* The order of the bits of numbers >= 0 is their own. */
static int64_t key_of(double slack)
{
    int64_t key;
    memcpy(&key, &slack, sizeof key);
    return key;
}

static double slack_of(int64_t key)
{
    double slack;
    memcpy(&slack, &key, sizeof slack);
    return slack;
}

/* A row whose tree is made. */
struct trial {
    const struct csr *edges;
    double reach;
    size_t i;
    struct labels labels;
    const void *row;
    struct predecessor_space *space;
    int32_t *tree;
    char *why;
};

/* Takes the edges out of the vertex, whose path is known. */
static void scan(const struct trial *trial, struct heap_entry from)
{
    const struct csr *edges = trial->edges;
    struct predecessor_space *space = trial->space;
    uint32_t u = from.vertex;
    double here = distance(space, trial->row, u);
    for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++) {
        uint32_t v = edges->to[e];
        double weight = csr_real(edges, e);
        double gap = here + weight - distance(space, trial->row, v);
        bool known = v == trial->i || (trial->tree[v] >= 0 && !heap_holds(&space->heap, v));
        if (known || !heap_lower(&space->heap, v, key_of(slack_of(from.key) + (gap > 0 ? gap : 0))))
            continue;
        trial->tree[v] = (int32_t)u;
        space->sum[v] = space->sum[u] + weight;
        space->most[v] = fmax(space->most[u], fabs(here) + fabs(weight));
        space->hops[v] = space->hops[u] + 1;
    }
}

static bool refute(const struct trial *trial, size_t v, const char *what)
{
    snprintf(trial->why, CERTIFY_WHY, "row %s: vertex %s has %s", LABEL(trial->labels, trial->i),
             LABEL(trial->labels, v), what);
    return false;
}

/* Whether the path to v, or that there is none, is what the row says of it. */
static bool check_path(const struct trial *trial, size_t v)
{
    const struct predecessor_space *space = trial->space;
    char what[100];
    double said = distance(space, trial->row, v);
    bool reached = v == trial->i || trial->tree[v] >= 0;
    if (!(said > -INFINITY)) {
        snprintf(what, sizeof what, "%g, which is no distance", said);
        return refute(trial, v, what);
    }
    if (!reached)
        return isinf(said) || refute(trial, v, "a distance, and no path leads there");
    if (isinf(said))
        return refute(trial, v, "no distance, and a path leads there");
    if (v == trial->i) {
        snprintf(what, sizeof what, "the distance %.17g from itself", said);
        return said == 0 || refute(trial, v, what);
    }
    double sum = space->sum[v];
    if (fabs(sum - said) <= rounding_slack(space->dtype, space->hops[v], space->most[v], trial->reach))
        return true;
    snprintf(what, sizeof what, "the distance %.17g, and the nearest path has %.17g", said, sum);
    return refute(trial, v, what);
}

static bool dijkstra(const struct trial *trial)
{
    struct predecessor_space *space = trial->space;
    size_t n = trial->edges->n;
    for (size_t v = 0; v < n; v++)
        trial->tree[v] = -1;
    space->sum[trial->i] = space->most[trial->i] = 0;
    space->hops[trial->i] = 0;
    heap_lower(&space->heap, (uint32_t)trial->i, key_of(0));
    while (space->heap.count > 0)
        scan(trial, heap_take(&space->heap));
    for (size_t v = 0; v < n; v++)
        if (!check_path(trial, v))
            return false;
    return true;
}

bool predecessor_row(const struct certificate *certificate, struct predecessor_space *space, size_t i,
                     const void *row, int32_t *tree, char why[CERTIFY_WHY])
{
    const struct trial trial = {.edges = certificate->edges,
                                .reach = certificate->reach,
                                .i = i,
                                .labels = certificate->labels,
                                .row = row,
                                .space = space,
                                .tree = tree,
                                .why = why};
    if (dtype_info[space->dtype].real)
        return dijkstra(&trial);
    return certify_row(certificate, space->certify, i, row, tree, why);
}
