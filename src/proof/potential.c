/*
 * The components are taken in an order in which edges lead onward, so that a component begins with
 * values that are final as far as the components before it go. Bellman and Ford's algorithm
 * finishes it, its edges onward are relaxed once, and nothing comes back to it. A vertex on no
 * cycle costs its edges.
 */
#include "proof/potential.h"

#include "base/mem.h"
#include "base/scale.h"
#include "base/stop.h"
#include "proof/bellman.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define RAISE  0x1p-51               /* of a real weight, before it is rounded up */
#define LOWEST (-(INT64_C(1) << 62)) /* of whole potentials */
enum { RANGE = 60, DIGITS = 53 };    /* bits of a sum of units, and of a double */

struct search {
    const struct csr *csr;
    struct components components;
    struct bellman bellman;
    struct potential *potential;
    union value
        *units; /* real weights in the units of the component in hand; NULL for whole ones */
};

size_t potential_need(size_t n, size_t m, bool real)
{
    size_t all;
    mem_add(&all, components_need(n), bellman_need(n));
    mem_add(&all, all, mem_bytes(n, sizeof(union value)));
    mem_add(&all, all, real ? mem_bytes(m, sizeof(union value)) : 0);
    return all;
}

void potential_free(struct potential *potential)
{
    mem_free(potential->h);
    *potential = (struct potential){0};
}

void cycle_free(struct cycle *cycle)
{
    free(cycle->vertex);
    *cycle = (struct cycle){0};
}

static int open_search(struct search *search, struct apsp_error *error)
{
    const struct csr *csr = search->csr;
    struct potential *potential = search->potential;
    *potential = (struct potential){.n = csr->n, .real = csr->real};
    potential->h = mem_alloc(mem_bytes(csr->n, sizeof *potential->h));
    if (csr->real)
        search->units = mem_alloc(mem_bytes(csr->m, sizeof *search->units));
    if (!potential->h || (csr->real && !search->units))
        return error_set(error, APSP_MEMORY,
                         "no memory for the potentials of %zu vertices and %zu edges", csr->n,
                         csr->m);
    search->bellman.weight = csr->real ? search->units : csr->weight;
    if (components_find(&search->components, csr, error))
        return error->code;
    return bellman_open(&search->bellman, error);
}

static void close_search(struct search *search)
{
    bellman_free(&search->bellman);
    components_free(&search->components);
    mem_free(search->units);
}

/* The vertices of component c. */
static const uint32_t *component_members(const struct search *search, size_t c, size_t *size)
{
    const struct components *components = &search->components;
    *size = components->first[c + 1] - components->first[c];
    return components->member + components->first[c];
}

static int refuse_whole(struct apsp_error *error)
{
    return error_set(error, APSP_INPUT,
                     "the negative weights are too large: a path could be shorter than -2^62");
}

static int refuse_real(struct apsp_error *error)
{
    return error_set(error, APSP_INPUT,
                     "the negative weights are too large: a path could be shorter than any number");
}

/* Makes the values of component c final, or finds a vertex on a negative cycle in it. A simple path
 * leaves each vertex at most once, so by its lightest edge at best. */
static int search_whole(struct search *search, size_t c, uint32_t *on_cycle,
                        struct apsp_error *error)
{
    const struct csr *csr = search->csr;
    union value *h = search->potential->h;
    int64_t *now = search->bellman.now, entry = 0, inside = 0, floor;
    size_t size;
    const uint32_t *member = component_members(search, c, &size);
    for (size_t i = 0; i < size; i++) {
        uint32_t u = member[i];
        int64_t least = 0;
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
            if (csr->weight[e].whole < least && search->components.of[csr->to[e]] == c)
                least = csr->weight[e].whole;
        if (__builtin_add_overflow(inside, least, &inside))
            return refuse_whole(error);
        entry = h[u].whole < entry ? h[u].whole : entry;
        now[u] = h[u].whole;
    }
    if (__builtin_add_overflow(entry, inside, &floor) || floor < LOWEST)
        return refuse_whole(error);
    if (inside == 0 && (entry == 0 || size == 1))
        return APSP_OK;
    *on_cycle = bellman_run(&search->bellman, c, floor);
    for (size_t i = 0; i < size; i++)
        h[member[i]].whole = now[member[i]];
    return APSP_OK;
}

/* The component in units of 2^exponent: values rounded down, and weights, raised by that part of
 * their size, up; those too large to matter cut. */
static void count_units(struct search *search, size_t c, int exponent, double raise)
{
    const struct csr *csr = search->csr;
    const double most = 0x1p61;
    size_t size;
    const uint32_t *member = component_members(search, c, &size);
    for (size_t i = 0; i < size; i++) {
        uint32_t u = member[i];
        search->bellman.now[u] = (int64_t)floor(ldexp(search->potential->h[u].real, -exponent));
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
            double raised = csr->weight[e].real + fabs(csr->weight[e].real) * raise;
            double units = ceil(ldexp(raised, -exponent));
            if (search->components.of[csr->to[e]] == c)
                search->units[e].whole = (int64_t)(units < most ? units : most);
        }
    }
}

/* Of the values found, in units. */
static int64_t furthest(const struct search *search, size_t c)
{
    int64_t reach = 0;
    size_t size;
    const uint32_t *member = component_members(search, c, &size);
    for (size_t i = 0; i < size; i++)
        reach = -search->bellman.now[member[i]] > reach ? -search->bellman.now[member[i]] : reach;
    return reach;
}

static void keep_units(struct search *search, size_t c, int exponent)
{
    size_t size;
    const uint32_t *member = component_members(search, c, &size);
    for (size_t i = 0; i < size; i++)
        search->potential->h[member[i]].real =
            ldexp((double)search->bellman.now[member[i]], exponent);
}

/*
 * Real weights and values as multiples of 2^exponent, which they are. False if the values found are
 * no doubles, or a cycle is so light beside its weights, which are decimals perhaps, that the
 * rounding of those may have made it negative.
 */
static bool search_exactly(struct search *search, size_t c, int exponent, double inside,
                           uint32_t *on_cycle)
{
    count_units(search, c, exponent, 0);
    *on_cycle = bellman_run(&search->bellman, c, LOWEST / 2);
    if (*on_cycle != BELLMAN_NO_VERTEX)
        return ldexp(-inside, -exponent) < 0.5 / RAISE;
    if (furthest(search, c) >> DIGITS)
        return false;
    keep_units(search, c, exponent);
    return true;
}

/* The exponent that the values found allow: a smaller one, if these have fewer bits than a double.
 * With it they have no fewer. */
static int finer_exponent(const struct search *search, size_t c, int exponent)
{
    int64_t reach = furthest(search, c);
    size_t size;
    component_members(search, c, &size);
    if (reach >> DIGITS)
        return exponent;
    return exponent + ilogb((double)reach + (double)size) + 1 -
           RANGE; /* each edge was a unit too long at most */
}

/* As rounded multiples of 2^exponent, or of less. */
static void search_rounded(struct search *search, size_t c, int exponent, uint32_t *on_cycle)
{
    int finer = exponent;
    do {
        exponent = finer;
        count_units(search, c, exponent, RAISE);
        *on_cycle = bellman_run(&search->bellman, c, LOWEST / 2);
        if (*on_cycle != BELLMAN_NO_VERTEX)
            return;
        finer = finer_exponent(search, c, exponent);
    } while (finer < exponent && !stop_wanted());
    keep_units(search, c, exponent);
}

static int lower_bit(int lowest, double value)
{
    int bit = value != 0 ? scale_lowest_bit(value) : lowest;
    return bit < lowest ? bit : lowest;
}

/* The same as search_whole. */
static int search_real(struct search *search, size_t c, uint32_t *on_cycle,
                       struct apsp_error *error)
{
    const struct csr *csr = search->csr;
    const union value *h = search->potential->h;
    double entry = 0, inside = 0;
    int lowest = INT_MAX; /* bit of all that is added up */
    size_t size;
    const uint32_t *member = component_members(search, c, &size);
    for (size_t i = 0; i < size; i++) {
        uint32_t u = member[i];
        double least = 0;
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
            if (search->components.of[csr->to[e]] == c) {
                least = fmin(least, csr->weight[e].real);
                lowest = lower_bit(lowest, csr->weight[e].real);
            }
        inside += least;
        entry = fmin(entry, h[u].real);
        lowest = lower_bit(lowest, h[u].real);
    }
    if (!isfinite(entry + inside))
        return refuse_real(error);
    if (!(inside < 0) && (!(entry < 0) || size == 1))
        return APSP_OK;
    int exponent = ilogb(entry + inside) + 1 - RANGE;
    if (exponent > lowest || !search_exactly(search, c, lowest, inside, on_cycle))
        search_rounded(search, c, exponent, on_cycle);
    return APSP_OK;
}

/* Takes the values of component c, which are final, over its edges onward. */
static int pass_on(struct search *search, size_t c, struct apsp_error *error)
{
    const struct csr *csr = search->csr;
    union value *h = search->potential->h;
    size_t size;
    const uint32_t *member = component_members(search, c, &size);
    for (size_t i = 0; i < size; i++) {
        uint32_t u = member[i];
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
            uint32_t v = csr->to[e];
            int64_t sum;
            if (search->components.of[v] == c)
                continue;
            if (csr->real)
                h[v].real = fmin(h[v].real, h[u].real + csr->weight[e].real);
            else if (__builtin_add_overflow(h[u].whole, csr->weight[e].whole, &sum) || sum < LOWEST)
                return refuse_whole(error);
            else
                h[v].whole = sum < h[v].whole ? sum : h[v].whole;
        }
    }
    return APSP_OK;
}

/* The lightest edge from u to v. */
static size_t lightest(const struct search *search, uint32_t u, uint32_t v)
{
    const struct csr *csr = search->csr;
    size_t best = SIZE_MAX;
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
        if (csr->to[e] == v &&
            (best == SIZE_MAX || (csr->real ? csr->weight[e].real < csr->weight[best].real
                                            : csr->weight[e].whole < csr->weight[best].whole)))
            best = e;
    return best;
}

/* The cycle of parents through `on_cycle`, from its lowest vertex on. */
static int take_cycle(const struct search *search, uint32_t on_cycle, struct cycle *cycle,
                      struct apsp_error *error)
{
    uint32_t first = on_cycle, v = on_cycle;
    size_t length = 0;
    do {
        v = search->bellman.parent[v];
        first = v < first ? v : first;
        length++;
    } while (v != on_cycle);
    cycle->vertex = malloc(length * sizeof *cycle->vertex);
    if (!cycle->vertex)
        return error_set(error, APSP_MEMORY, "no memory for a negative cycle of %zu vertices",
                         length);
    cycle->length = length;
    uint64_t whole = 0; /* parts of the sum may wrap, the sum does not */
    long double real = 0;
    v = first;
    for (size_t i = length;
         i-- > 0;) { /* parents go backwards: first's own is the last of the cycle */
        uint32_t u = search->bellman.parent[v];
        size_t e = lightest(search, u, v);
        cycle->vertex[(i + 1) % length] = v;
        if (search->csr->real)
            real += (long double)search->csr->weight[e].real;
        else
            whole += (uint64_t)search->csr->weight[e].whole;
        v = u;
    }
    cycle->real = search->csr->real;
    if (cycle->real)
        cycle->sum.real = (double)real;
    else
        cycle->sum.whole = (int64_t)whole;
    return APSP_OK;
}

int potential_find(struct potential *potential, struct cycle *cycle, const struct csr *csr,
                   int threads, struct apsp_error *error)
{
    struct search search = {.csr = csr, .potential = potential};
    search.bellman =
        (struct bellman){.csr = csr, .components = &search.components, .threads = threads};
    uint32_t on_cycle = BELLMAN_NO_VERTEX;
    *potential = (struct potential){0};
    *cycle = (struct cycle){0};
    open_search(&search, error);
    for (size_t c = search.components.count;
         c-- > 0 && !error->code && on_cycle == BELLMAN_NO_VERTEX && !stop_wanted();)
        if ((csr->real ? search_real : search_whole)(&search, c, &on_cycle, error) == APSP_OK &&
            on_cycle == BELLMAN_NO_VERTEX)
            pass_on(&search, c, error);
    stop_check(error);
    if (!error->code && on_cycle != BELLMAN_NO_VERTEX)
        take_cycle(&search, on_cycle, cycle, error);
    if (error->code || cycle->length > 0)
        potential_free(potential);
    close_search(&search);
    return error->code;
}

double potential_reach(const struct potential *potential)
{
    double reach = 0;
    if (!potential->real)
        return (double)potential_depth(potential);
    for (size_t v = 0; potential->h && v < potential->n; v++)
        reach = fmax(reach, -potential->h[v].real);
    return reach;
}

int64_t potential_depth(const struct potential *potential)
{
    int64_t least = 0;
    for (size_t v = 0; potential->h && !potential->real && v < potential->n; v++)
        least = potential->h[v].whole < least ? potential->h[v].whole : least;
    return -least;
}

void potential_convert(struct potential *potential)
{
    for (size_t v = 0; potential->h && !potential->real && v < potential->n; v++)
        potential->h[v].real = (double)potential->h[v].whole;
    potential->real = true;
}
