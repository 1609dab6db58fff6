/*
 * Integers: the certificate's breadth-first search over tight edges is a tree of shortest
 * paths.
 *
 * The same serves real numbers of another algebra (base/algebra.h).
 *
 * Floating point: sums that were rounded in another order make hardly any edge exactly tight.
 * Dijkstra's algorithm adds them up again, from the row's vertex on (E. Dijkstra, "A note on two
 * problems in connexion with graphs", Numerische Mathematik 1, 1959). The row excludes edges that
 * are on no shortest path for certain. A rounded sum grows with its first part, so these sums are
 * the smallest of all paths and do not depend on the row's own rounding.
 *
 * With negative weights there are no such sums. The distances are then potentials: slack(u, v) =
 * D[u] + w - D[v] is rounding noise on a shortest path, and counts as 0 where it is negative. The
 * same algorithm finds for every vertex the path with the smallest total slack, whose sum is
 * nearest to D (D. Johnson, "Efficient algorithms for shortest paths in sparse networks", Journal
 * of the ACM 24, 1977).
 *
 * Either way the sum is then held against D.
 */
#include "proof/predecessor.h"

#include "base/mem.h"
#include "base/plain.h"
#include "base/typed.h"
#include "proof/heap.h"
#include "proof/rounding.h"

#include <math.h>
#include <string.h>

struct predecessor_space {
    size_t n;
    enum dtype dtype;
    struct certify_space *certify; /* of integers, and other algebras; of real ones: */
    struct heap heap;              /* of vertices by sum or slack */
    double *sum;                   /* of the path to each vertex, */
    double *most;                  /* the largest |D| + |w| of an edge on it, */
    uint32_t *hops;                /* and its edges */
    double *reach;                 /* with potentials, of any path to it (search.h) */
    int32_t *tree;                 /* of predecessor_sums */
};

static size_t predecessor_layout(struct predecessor_space *space, void *base)
{
    struct mem_layout layout = {.base = base};
    mem_place(&layout, 1, sizeof *space);
    if (dtype_info[space->dtype].real) {
        heap_place(&space->heap, &layout, space->n);
        space->sum = mem_place(&layout, space->n, sizeof *space->sum);
        space->most = mem_place(&layout, space->n, sizeof *space->most);
        space->hops = mem_place(&layout, space->n, sizeof *space->hops);
        space->reach = mem_place(&layout, space->n, sizeof *space->reach);
        space->tree = mem_place(&layout, space->n, sizeof *space->tree);
    }
    return layout.bytes;
}

static size_t own_need(size_t n, enum dtype dtype)
{
    return predecessor_layout(&(struct predecessor_space){.n = n, .dtype = dtype}, NULL);
}

size_t predecessor_need(size_t n, enum dtype dtype)
{
    size_t all;
    mem_add(&all, own_need(n, dtype), certify_need(n, dtype));
    return all;
}

struct predecessor_space *predecessor_space_new(size_t n, enum dtype dtype)
{
    struct predecessor_space *space = mem_alloc(own_need(n, dtype));
    if (!space)
        return NULL;
    space->n = n;
    space->dtype = dtype;
    predecessor_layout(space, space);
    space->certify = certify_space_new(n, dtype);
    if (space->certify)
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

/* The order of the bits of numbers >= 0 is their own. */
static int64_t key_of(double number)
{
    int64_t key;
    memcpy(&key, &number, sizeof key);
    return key;
}

static double number_of(int64_t key)
{
    double number;
    memcpy(&number, &key, sizeof number);
    return number;
}

/* A row whose tree is made. */
struct trial {
    const struct csr *edges;
    const struct potential *potential; /* or NULL */
    double share,
        least; /* an edge of that size may have this slack, and so much more, on a shortest path */
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
    double here = typed_get(space->dtype, trial->row, u).real;
    for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++) {
        uint32_t v = edges->to[e];
        double weight = csr_real(edges, e), sum = space->sum[u] + weight;
        double gap = here + weight - typed_get(space->dtype, trial->row, v).real;
        if (gap > trial->share * (here + weight) + trial->least)
            continue;
        bool known = v == trial->i || (trial->tree[v] >= 0 && !heap_holds(&space->heap, v));
        double key = trial->potential ? number_of(from.key) + (gap > 0 ? gap : 0) : sum;
        if (known || !heap_lower(&space->heap, v, key_of(key)))
            continue;
        trial->tree[v] = (int32_t)u;
        space->sum[v] = sum;
        space->most[v] = fmax(space->most[u], fabs(here) + fabs(weight));
        space->hops[v] = space->hops[u] + 1;
    }
}

static bool trial_refute(const struct trial *trial, size_t v, const char *what)
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
    double said = typed_get(space->dtype, trial->row, v).real;
    bool reached = v == trial->i || trial->tree[v] >= 0;
    if (!(said > -INFINITY)) {
        plain_print(what, sizeof what, "%g, which is not a distance", said);
        return trial_refute(trial, v, what);
    }
    if (!reached)
        return isinf(said) || trial_refute(trial, v, "a distance, but no path leads there");
    if (isinf(said))
        return trial_refute(trial, v, "no distance, but a path leads there");
    if (v == trial->i) {
        plain_print(what, sizeof what, "the distance %.17g from itself", said);
        return said == 0 || trial_refute(trial, v, what);
    }
    double sum = space->sum[v];
    const double reach = trial->potential ? space->reach[v] : 0;
    if (fabs(sum - said) <= rounding_slack(space->dtype, space->hops[v], space->most[v], reach))
        return true;
    plain_print(what, sizeof what, "the distance %.17g, and the nearest path has %.17g", said, sum);
    return trial_refute(trial, v, what);
}

/* Of what the tree has reached. */
static void find_reaches(const struct trial *trial)
{
    struct predecessor_space *space = trial->space;
    for (size_t v = 0; v < space->n; v++) {
        const bool reached = v == trial->i || trial->tree[v] >= 0;
        space->reach[v] = reached ? fabs(potential_at(trial->potential, v)) : 0;
    }
    search_pass_on(&space->heap, trial->edges, space->reach);
}

static bool search(const struct trial *trial)
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
    if (trial->potential)
        find_reaches(trial);
    for (size_t v = 0; v < n; v++)
        if (!check_path(trial, v))
            return false;
    return true;
}

/* A right row, and the sums too, are off by no more than the longest path is: edges with more slack
 * are on no shortest path. Those of a wrong row are all seen, which tells best what is wrong. */
static bool dijkstra(struct trial *trial)
{
    const struct predecessor_space *space = trial->space;
    if (!trial->potential) {
        trial->share = 2 * rounding_slack(space->dtype, space->n, 1, 0);
        trial->least = 2 * rounding_slack(space->dtype, space->n, 0, 0);
        if (search(trial))
            return true;
    }
    trial->share = 0;
    trial->least = INFINITY;
    return search(trial);
}

static struct trial make_trial(const struct certificate *certificate,
                               struct predecessor_space *space, size_t i, const void *row,
                               int32_t *tree, char *why)
{
    const bool shifts = certificate->potential && certificate->potential->h;
    return (struct trial){.edges = certificate->edges,
                          .potential = shifts ? certificate->potential : NULL,
                          .i = i,
                          .labels = certificate->labels,
                          .row = row,
                          .space = space,
                          .tree = tree,
                          .why = why};
}

bool predecessor_row(const struct certificate *certificate, struct predecessor_space *space,
                     size_t i, const void *row, int32_t *tree, char why[CERTIFY_WHY])
{
    struct trial trial = make_trial(certificate, space, i, row, tree, why);
    if (dtype_info[space->dtype].real && certificate->edges->algebra.kind == ALGEBRA_SHORTEST)
        return dijkstra(&trial);
    return certify_row(certificate, space->certify, i, row, tree, why);
}

bool predecessor_sums(const struct certificate *certificate, struct predecessor_space *space,
                      size_t i, const void *row, void *sums, char why[CERTIFY_WHY])
{
    struct trial trial = make_trial(certificate, space, i, row, space->tree, why);
    if (!dijkstra(&trial))
        return false;
    for (size_t v = 0; v < space->n; v++) {
        double sum = v == i || space->tree[v] >= 0 ? space->sum[v] : INFINITY;
        if (space->dtype == DTYPE_F32)
            ((float *)sums)[v] = (float)sum;
        else
            ((double *)sums)[v] = sum;
    }
    return true;
}
