#include "proof/rounding.h"

#include "base/scale.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SPARE = 64 };
static const double v = DBL_EPSILON / 2;

/* x of rounding.h. */
static double share_of(enum dtype type, size_t edges, double reach)
{
    const double u = type == DTYPE_F32 ? (double)FLT_EPSILON / 2 : v;
    return (u + (reach > 0 ? 4 : 1) * v) * ((double)edges + SPARE);
}

double rounding_slack(enum dtype type, size_t edges, double size, double reach)
{
    const double share = share_of(type, edges, reach), most = share * exp(share),
                 tiny = type == DTYPE_F32 ? (double)FLT_TRUE_MIN / 2 : 0;
    return most * size + (most + 64 * v * (double)edges) * reach + (double)edges * tiny;
}

/* What has to be seen of all edges before anything is known. */
struct measure {
    struct rounding *rounding;
    const struct search *search;
    const struct csr *edges;
    const struct potential *potential;
    struct scale_finder unit; /* of which all are multiples */
    double most;              /* the largest size of a path */
    double below;             /* the shortest edge, with potentials */
};

/* An edge's weight with potentials in it, however far below 0. */
static double size_of(const struct measure *measure, size_t u, size_t e)
{
    return (csr_real(measure->edges, e) + potential_at(measure->potential, u)) -
           potential_at(measure->potential, measure->edges->to[e]);
}

static void measure_vertices(struct measure *measure)
{
    struct rounding *rounding = measure->rounding;
    for (size_t u = 0; u < measure->edges->n; u++) {
        if (!search_reached(measure->search, u))
            continue;
        const double h = potential_at(measure->potential, u);
        rounding->reached++;
        rounding->reach = fmax(rounding->reach, fabs(h));
        measure->most = fmax(measure->most, search_size(measure->search, u));
        scale_find(&measure->unit, h);
    }
}

static void measure_edges(struct measure *measure, size_t u)
{
    const struct csr *edges = measure->edges;
    double least = INFINITY;
    for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++) {
        const double weight = csr_real(edges, e), size = size_of(measure, u, e);
        measure->below = fmin(measure->below, size);
        if (size <= measure->most)
            scale_find(&measure->unit, weight);
        if (weight > 0)
            least = fmin(least, weight);
    }
    if (isfinite(least)) {
        struct rounding *rounding = measure->rounding;
        const int exponent = ilogb(least);
        rounding->count[exponent - ROUNDING_LOWEST]++;
        rounding->first = exponent < rounding->first ? exponent : rounding->first;
        rounding->end = exponent >= rounding->end ? exponent + 1 : rounding->end;
    }
}

/* Whether the type holds all sums. */
static bool is_exact(const struct measure *measure)
{
    const enum dtype type = measure->rounding->type;
    const int lowest = type == DTYPE_F32 ? FLT_MIN_EXP - FLT_MANT_DIG : ROUNDING_LOWEST;
    if (!measure->unit.any)
        return true;
    return measure->below >= 0 && measure->unit.lowest >= lowest &&
           measure->most + 2 * measure->rounding->reach <
               ldexp(1, dtype_info[type].digits + measure->unit.lowest);
}

/* Whether no edge is below 0 by more than the potentials on the way to its end explain. */
static bool is_rounded(const struct measure *measure)
{
    const struct csr *edges = measure->edges;
    for (size_t u = 0; u < edges->n; u++)
        for (size_t e = edges->start[u]; search_reached(measure->search, u) && e < edges->start[u + 1]; e++)
            if (size_of(measure, u, e) < -16 * v * search_reach(measure->search, edges->to[e]))
                return false;
    return true;
}

bool rounding_measure(struct rounding *rounding, enum dtype type, struct search *search,
                      const struct csr *edges, const struct potential *potential)
{
    struct measure measure = {.rounding = rounding, .search = search, .edges = edges, .potential = potential};
    memset(rounding, 0, sizeof *rounding);
    rounding->type = type;
    rounding->first = ROUNDING_EXPONENTS;
    rounding->end = ROUNDING_LOWEST;
    measure_vertices(&measure);
    for (size_t u = 0; u < edges->n; u++)
        if (search_reached(search, u))
            measure_edges(&measure, u);
    rounding->exact = is_exact(&measure);
    if (rounding->exact)
        return true;
    search_spread(search, edges, potential);
    return measure.below >= 0 || is_rounded(&measure);
}

/* No path of that length has more edges other than 0. With potentials lengths say nothing. */
static size_t most_edges(const struct rounding *rounding, double length)
{
    size_t edges = 0, most = rounding->reached - 1;
    for (int exponent = rounding->first; exponent < rounding->end && edges < most; exponent++) {
        const double least = ldexp(1, exponent), count = rounding->count[exponent - ROUNDING_LOWEST];
        if (length < count * least)
            return edges + (size_t)(length / least) < most ? edges + (size_t)(length / least) : most;
        edges += (size_t)count;
        length -= count * least;
    }
    return most;
}

double rounding_bound(const struct rounding *rounding, const struct search *search, size_t vertex)
{
    if (rounding->exact)
        return 0;
    const double size = search_size(search, vertex), reach = search_reach(search, vertex);
    size_t edges = rounding->reached - 1;
    if (reach == 0)
        edges = most_edges(rounding, size * exp(share_of(rounding->type, edges, 0)));
    return rounding_slack(rounding->type, edges, size, reach);
}
