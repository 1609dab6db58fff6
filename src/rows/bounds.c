#include "rows/bounds.h"

#include "base/mem.h"
#include "proof/rounding.h"

#include <math.h>

size_t bounds_need(size_t n, size_t m)
{
    size_t bytes = csr_need(n, m);
    mem_add(&bytes, bytes, mem_bytes(n, sizeof(size_t)));
    mem_add(&bytes, bytes, components_need(n));
    mem_add(&bytes, bytes, mem_bytes(n, 2 * sizeof(int64_t)));
    return bytes;
}

static bool is_ascending(const struct csr *csr)
{
    for (size_t u = 0; u < csr->n; u++)
        for (size_t e = csr->start[u] + 1; e < csr->start[u + 1]; e++)
            if (csr->to[e - 1] > csr->to[e])
                return false;
    return true;
}

/* A reversed graph has ascending lists, and leads back if the graph does. */
static int find_direction(struct bounds *bounds, struct apsp_error *error)
{
    const struct csr *edges = bounds->edges;
    if (edges->returns)
        return APSP_OK;
    const bool ascending = is_ascending(edges);
    size_t *next = mem_alloc(mem_bytes(bounds->n, sizeof *next));
    if (!next)
        error_set(error, APSP_MEMORY, "no memory for the diameter");
    else if (ascending || csr_transpose(&bounds->reversed, edges, error) == APSP_OK)
        bounds->directed = !csr_leads_back(ascending ? edges : &bounds->reversed, next);
    mem_free(next);
    if (!bounds->directed)
        csr_free(&bounds->reversed);
    else if (ascending)
        csr_transpose(&bounds->reversed, edges, error);
    return error->code;
}

static int64_t double_bits(double real)
{
    return (union value){.real = real > 0 ? real : 0}.whole;
}

/* A sum, at least 0; one that does not fit is as good as unknown. */
static int64_t add(const struct bounds *bounds, union value a, union value b)
{
    int64_t sum;
    if (bounds->real)
        return double_bits(a.real + b.real);
    return __builtin_add_overflow(a.whole, b.whole, &sum) ? INT64_MAX : sum > 0 ? sum : 0;
}

static void raise_low(struct bounds *bounds, size_t v, int64_t value)
{
    bounds->low[v] = value > bounds->low[v] ? value : bounds->low[v];
}

static void lower_high(struct bounds *bounds, size_t v, int64_t value)
{
    bounds->high[v] = value < bounds->high[v] ? value : bounds->high[v];
}

/* A path begins with an edge, and none is below 0. */
static void bound_by_edges(struct bounds *bounds)
{
    const struct csr *edges = bounds->edges;
    for (size_t u = 0; u < bounds->n; u++) {
        int64_t least = INT64_MAX;
        for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++)
            least = edges->weight[e].whole < least ? edges->weight[e].whole : least;
        if (!bounds->negative && edges->start[u] < edges->start[u + 1])
            raise_low(bounds, u, least);
    }
}

/* What leads out of a component, and what its own edges are. */
static int64_t find_way_out(const struct bounds *bounds, size_t c, union value *longest)
{
    const struct components *components = &bounds->components;
    const struct csr *edges = bounds->edges;
    int64_t most = 0;
    for (size_t k = components->first[c]; k < components->first[c + 1]; k++)
        for (size_t u = components->member[k], e = edges->start[u]; e < edges->start[u + 1]; e++) {
            const uint32_t v = edges->to[e];
            const union value weight = edges->weight[e], high = {.whole = bounds->high[v]};
            const int64_t sum = add(bounds, weight, high);
            if (components->of[v] != c)
                most = sum > most ? sum : most;
            else if (weight.whole > longest->whole) /* reals above 0, too */
                *longest = weight;
        }
    return most;
}

/* A path within a component has fewer edges than that has vertices; then it leads on to one of a
 * lower number. */
static void bound_components(struct bounds *bounds)
{
    const struct components *components = &bounds->components;
    for (size_t c = 0; c < components->count && components->count > 1; c++) {
        const size_t steps = components->first[c + 1] - components->first[c] - (size_t)1;
        union value longest = {0}, inside;
        const int64_t out = find_way_out(bounds, c, &longest);
        if (bounds->real)
            inside.real = (double)steps * longest.real;
        else if (__builtin_mul_overflow((int64_t)steps, longest.whole, &inside.whole))
            inside.whole = INT64_MAX;
        union value high = {.whole = add(bounds, inside, (union value){.whole = out})};
        if (bounds->real)
            high.real += high.real * bounds->share + bounds->least;
        for (size_t k = components->first[c]; k < components->first[c + 1]; k++)
            lower_high(bounds, components->member[k], high.whole);
    }
}

static void find_extremes(struct bounds *bounds)
{
    bounds->diameter = 0;
    bounds->radius = INT64_MAX;
    for (size_t v = 0; v < bounds->n; v++) {
        bounds->diameter = bounds->low[v] > bounds->diameter ? bounds->low[v] : bounds->diameter;
        bounds->radius = bounds->high[v] < bounds->radius ? bounds->high[v] : bounds->radius;
    }
}

int bounds_make(struct bounds *bounds, const struct certificate *certificate,
                struct apsp_error *error)
{
    enum { SLACKS = 8 };
    const struct csr *edges = certificate->edges;
    const struct potential *potential = certificate->potential;
    const double reach = potential ? potential_reach(potential) : 0;
    *bounds = (struct bounds){
        .n = edges->n, .real = edges->real, .negative = potential && potential->h, .edges = edges};
    if (bounds->real) {
        bounds->least = SLACKS * rounding_slack(DTYPE_F64, edges->n, 2 * reach, reach);
        bounds->share = SLACKS * rounding_slack(DTYPE_F64, edges->n, 1, 0);
    }
    bounds->low = mem_alloc(mem_bytes(edges->n, 2 * sizeof *bounds->low));
    if (!bounds->low)
        return error_set(error, APSP_MEMORY, "no memory for the diameter");
    bounds->high = bounds->low + edges->n;
    if (find_direction(bounds, error) || components_find(&bounds->components, edges, error))
        return error->code;
    for (size_t v = 0; v < edges->n; v++)
        bounds->high[v] = bounds->real ? double_bits(INFINITY) : INT64_MAX;
    bound_by_edges(bounds);
    bound_components(bounds);
    find_extremes(bounds);
    return APSP_OK;
}

void bounds_free(struct bounds *bounds)
{
    csr_free(&bounds->reversed);
    components_free(&bounds->components);
    mem_free(bounds->low);
    *bounds = (struct bounds){0};
}

static void take_whole(struct bounds *bounds, const struct sweep *from, const struct sweep *to)
{
    for (size_t k = 0; k < to->count; k++) {
        const size_t v = to->reached[k];
        raise_low(bounds, v, to->distance[v].whole);
        if (!sweep_reaches(from, v))
            continue;
        raise_low(bounds, v, from->most.whole - from->distance[v].whole);
        lower_high(bounds, v, add(bounds, to->distance[v], from->most));
    }
}

static void take_real(struct bounds *bounds, const struct sweep *from, const struct sweep *to)
{
    const double most = from->most.real;
    for (size_t k = 0; k < to->count; k++) {
        const size_t v = to->reached[k];
        const double there = to->distance[v].real,
                     slack = bounds->share * (fabs(there) + most) + bounds->least;
        raise_low(bounds, v, double_bits(there - slack));
        if (!sweep_reaches(from, v))
            continue;
        raise_low(bounds, v, double_bits(most - from->distance[v].real - slack));
        lower_high(bounds, v, double_bits(there + most + slack));
    }
}

void bounds_take(struct bounds *bounds, size_t s, const struct sweep *from, const struct sweep *to)
{
    if (bounds->real)
        take_real(bounds, from, to);
    else
        take_whole(bounds, from, to);
    bounds_settle(bounds, s, from->most);
}

void bounds_settle(struct bounds *bounds, size_t v, union value eccentricity)
{
    bounds->low[v] = bounds->high[v] = eccentricity.whole;
}

void bounds_merge(struct bounds *bounds, struct comm *comm)
{
    const size_t n = bounds->n;
    for (size_t v = 0; comm->ranks > 1 && v < n; v++)
        bounds->high[v] = INT64_MAX - bounds->high[v];
    comm_most_all(comm, (size_t *)bounds->low, 2 * n);
    for (size_t v = 0; comm->ranks > 1 && v < n; v++)
        bounds->high[v] = INT64_MAX - bounds->high[v];
    if (bounds->directed)
        bound_components(bounds);
    find_extremes(bounds);
}
