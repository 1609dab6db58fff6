#include "proof/rounding.h"

#include "base/minmax.h"
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

/* What tells whether the type holds all sums. */
struct sums {
    enum dtype type;
    struct scale_finder unit; /* of which all are multiples */
    double most, reach;       /* the largest size of a path, and |h| */
};

static bool is_held(const struct sums *sums)
{
    const int lowest = sums->type == DTYPE_F32 ? FLT_MIN_EXP - FLT_MANT_DIG : ROUNDING_LOWEST;
    return !sums->unit.any || (sums->unit.lowest >= lowest &&
                               sums->most + 2 * sums->reach <
                                   ldexp(1, dtype_info[sums->type].digits + sums->unit.lowest));
}

static void see_vertices(const struct rounding *rounding, struct sums *sums)
{
    const struct search *search = rounding->search;
    for (size_t u = 0; u < rounding->edges->n; u++) {
        if (!search_reached(search, u))
            continue;
        const double h = potential_at(rounding->potential, u), size = search_size(search, u);
        sums->reach = fmax(fabs(h), sums->reach);
        sums->most = fmax(size, sums->most);
        scale_find(&sums->unit, h);
    }
}

/* An edge's weight with potentials in it, however far below 0. */
static double size_of(const struct rounding *rounding, size_t u, size_t e)
{
    return (csr_real(rounding->edges, e) + potential_at(rounding->potential, u)) -
           potential_at(rounding->potential, rounding->edges->to[e]);
}

/* Sees edges until one says that it is not. */
static bool is_exact(const struct rounding *rounding)
{
    const struct csr *edges = rounding->edges;
    struct sums sums = {.type = rounding->type};
    if (search_is_below(rounding->search))
        return false;
    see_vertices(rounding, &sums);
    for (size_t u = 0; u < edges->n && is_held(&sums); u++)
        for (size_t e = edges->start[u];
             search_reached(rounding->search, u) && e < edges->start[u + 1]; e++)
            if (size_of(rounding, u, e) <= sums.most)
                scale_find(&sums.unit, csr_real(edges, e));
    return is_held(&sums);
}

/* Of the least edges that leave vertices, and each R. */
static void see_edges(struct rounding *rounding)
{
    const struct csr *edges = rounding->edges;
    memset(rounding->count, 0, sizeof rounding->count);
    rounding->reached = 0;
    rounding->first = ROUNDING_EXPONENTS;
    rounding->end = ROUNDING_LOWEST;
    for (size_t u = 0; u < edges->n; u++) {
        double least = INFINITY;
        if (!search_reached(rounding->search, u))
            continue;
        rounding->reached++;
        for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++) {
            const double weight = csr_real(edges, e);
            least = weight > 0 ? fmin(weight, least) : least;
        }
        if (isinf(least))
            continue;
        const int exponent = ilogb(least);
        rounding->count[exponent - ROUNDING_LOWEST]++;
        rounding->first = int_min(exponent, rounding->first);
        rounding->end = exponent >= rounding->end ? exponent + 1 : rounding->end;
    }
    search_spread(rounding->search, edges, rounding->potential);
    rounding->seen = true;
}

/* Whether no edge is below 0 by more than the potentials on any way to its end explain. */
static bool is_rounded(struct rounding *rounding)
{
    const struct csr *edges = rounding->edges;
    if (!search_is_doubtful(rounding->search))
        return true;
    see_edges(rounding);
    for (size_t u = 0; u < edges->n; u++)
        for (size_t e = edges->start[u];
             search_reached(rounding->search, u) && e < edges->start[u + 1]; e++)
            if (size_of(rounding, u, e) <
                -SEARCH_NOISE * search_reach(rounding->search, edges->to[e]))
                return false;
    return true;
}

bool rounding_begin(struct rounding *rounding, enum dtype type, struct search *search,
                    const struct csr *edges, const struct potential *potential)
{
    rounding->type = type;
    rounding->search = search;
    rounding->edges = edges;
    rounding->potential = potential;
    rounding->seen = false;
    rounding->exact = is_exact(rounding);
    return rounding->exact || is_rounded(rounding);
}

/* No path of that length has more edges other than 0. With potentials lengths say nothing. */
static size_t most_edges(const struct rounding *rounding, double length)
{
    size_t edges = 0, most = rounding->reached - 1;
    for (int exponent = rounding->first; exponent < rounding->end && edges < most; exponent++) {
        const double least = ldexp(1, exponent),
                     count = rounding->count[exponent - ROUNDING_LOWEST];
        if (length < count * least)
            return edges + (size_t)(length / least) < most ? edges + (size_t)(length / least)
                                                           : most;
        edges += (size_t)count;
        length -= count * least;
    }
    return most;
}

double rounding_bound(struct rounding *rounding, size_t vertex)
{
    if (rounding->exact)
        return 0;
    if (!rounding->seen)
        see_edges(rounding);
    const double size = search_size(rounding->search, vertex),
                 reach = search_reach(rounding->search, vertex);
    size_t edges = rounding->reached - 1;
    if (reach == 0)
        edges = most_edges(rounding, size * exp(share_of(rounding->type, edges, 0)));
    return rounding_slack(rounding->type, edges, size, reach);
}

bool rounding_explains(struct rounding *rounding, size_t vertex, double difference)
{
    if (rounding->exact)
        return difference == 0;
    const double size = search_size(rounding->search, vertex),
                 reach = search_reach(rounding->search, vertex);
    return difference <= rounding_slack(rounding->type, 0, size, reach) ||
           difference <= rounding_bound(rounding, vertex);
}
