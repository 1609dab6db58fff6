/*
 * Integers: one breadth-first search over tight edges both checks and proves. It visits every edge
 * out of every vertex that it reaches: no such edge may be shorter than the row says. A finite
 * distance of a vertex that it does not reach has no path. A vertex that it reaches has a path of
 * its distance, edge by edge from row i's own zero.
 *
 * Real ones: a search of its own, and one comparison for each vertex, since slacks of edges would
 * add up.
 */
#include "proof/certify.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "base/plain.h"
#include "base/random.h"
#include "base/typed.h"
#include "proof/rounding.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct certify_space {
    size_t n;
    enum dtype type;
    uint32_t *queue;       /* vertices in the order in which they were reached */
    uint64_t *reached;     /* a bit per vertex */
    int64_t *whole;        /* the row; unreachable is INF_I64 whatever the type */
    struct search *search; /* for rows of a floating-point type, which have none of the above */
    struct rounding *rounding;
};

/* A row under test, and where its refutation goes. */
struct trial {
    const struct csr *edges;
    struct certify_space *space;
    size_t row;
    struct labels labels;
    struct scale scale;
    const struct potential *potential;
    int32_t *tree; /* may be NULL */
    char *text;
};

#define NAME(trial, vertex) LABEL((trial)->labels, vertex)

static size_t words_of(size_t n)
{
    return n / 64 + 1;
}

static size_t certify_layout(struct certify_space *space, void *base)
{
    struct mem_layout layout = {.base = base};
    size_t n = space->n;
    mem_place(&layout, 1, sizeof *space);
    if (dtype_info[space->type].real) {
        space->rounding = mem_place(&layout, 1, sizeof *space->rounding);
        return layout.bytes;
    }
    space->queue = mem_place(&layout, n, sizeof *space->queue);
    space->reached = mem_place(&layout, words_of(n), sizeof *space->reached);
    space->whole = mem_place(&layout, n, sizeof *space->whole);
    return layout.bytes;
}

static size_t own_need(size_t n, enum dtype type)
{
    return certify_layout(&(struct certify_space){.n = n, .type = type}, NULL);
}

size_t certify_need(size_t n, enum dtype type)
{
    size_t all;
    mem_add(&all, own_need(n, type), dtype_info[type].real ? search_need(n) : 0);
    return all;
}

struct certify_space *certify_space_new(size_t n, enum dtype type)
{
    struct certify_space *space = mem_alloc(own_need(n, type));
    if (!space)
        return NULL;
    space->n = n;
    space->type = type;
    certify_layout(space, space);
    if (!dtype_info[type].real || (space->search = search_new(n)))
        return space;
    mem_free(space);
    return NULL;
}

void certify_space_free(struct certify_space *space)
{
    if (space)
        search_free(space->search);
    mem_free(space);
}

static bool is_reached(const struct certify_space *space, size_t v)
{
    return space->reached[v / 64] >> v % 64 & 1;
}

/* The search has come to v over an edge from u; u is v where it begins. */
static void reach_vertex(const struct trial *trial, size_t u, size_t v, size_t *known)
{
    struct certify_space *space = trial->space;
    if (trial->tree && u != v)
        trial->tree[v] = (int32_t)u;
    space->reached[v / 64] |= UINT64_C(1) << v % 64;
    space->queue[(*known)++] = (uint32_t)v;
}

/* What stands in the row for this value, by its scale: inf in the widest type, to which files of
 * others' making are brought, else the number. */
static char *show(const struct trial *trial, int64_t value, char text[SCALE_TEXT])
{
    if (value != INF_I64)
        return scale_text(trial->scale, value, text);
    if (trial->space->type == DTYPE_I64)
        return strcpy(text, "inf");
    return scale_text(trial->scale, dtype_info[trial->space->type].unreachable, text);
}
#define SHOW(trial, value) show(trial, value, (char[SCALE_TEXT]){0})

/* A key as the value that stands in rows. */
static char *show_key(const struct trial *trial, int64_t key, char text[SCALE_TEXT])
{
    return show(trial, key == INF_I64 ? key : algebra_value(&trial->edges->algebra, key), text);
}
#define SHOW_KEY(trial, key) show_key(trial, key, (char[SCALE_TEXT]){0})

/* Takes the row of integers over; refuses values that no distance has; counts the finite ones.
 */
static bool take_whole(const struct trial *trial, const void *row, size_t *finite)
{
    struct certify_space *space = trial->space;
    const int64_t unreachable = dtype_info[space->type].unreachable;
    *finite = 0;
    for (size_t v = 0; v < space->n; v++) {
        int64_t value = typed_get(space->type, row, v).whole;
        if (value > unreachable || value <= -unreachable) {
            snprintf(trial->text, CERTIFY_WHY, "row %s: vertex %s has %s, outside %s .. %s",
                     NAME(trial, trial->row), NAME(trial, v), SHOW(trial, value),
                     SHOW(trial, 1 - unreachable), SHOW(trial, unreachable));
            return false;
        }
        *finite += value < unreachable;
        const int64_t key = algebra_key(&trial->edges->algebra, value);
        space->whole[v] = value == unreachable ? INF_I64 : key < INF_I64 ? key : INF_I64 - 1;
    }
    return true;
}

static bool refute_self(const struct trial *trial, const char *said)
{
    snprintf(trial->text, CERTIFY_WHY, "row %s: vertex %s has the distance %s from itself",
             NAME(trial, trial->row), NAME(trial, trial->row), said);
    return false;
}

static bool refute_edge(const struct trial *trial, size_t u, size_t e)
{
    const struct certify_space *space = trial->space;
    size_t v = trial->edges->to[e];
    snprintf(
        trial->text, CERTIFY_WHY,
        "row %s: distance %s of vertex %s exceeds %s of vertex %s plus the edge between them of %s",
        NAME(trial, trial->row), SHOW_KEY(trial, space->whole[v]), NAME(trial, v),
        SHOW_KEY(trial, space->whole[u]), NAME(trial, u),
        SHOW_KEY(trial, trial->edges->weight[e].whole));
    return false;
}

static bool refute_unreached(const struct trial *trial)
{
    const struct certify_space *space = trial->space;
    size_t v = 0;
    while (space->whole[v] == INF_I64 || is_reached(space, v))
        v++;
    snprintf(trial->text, CERTIFY_WHY, "row %s: no path has the distance %s of vertex %s",
             NAME(trial, trial->row), SHOW_KEY(trial, space->whole[v]), NAME(trial, v));
    return false;
}

/* The key of a path over u and an edge; a reachable vertex is never infinite, however far. */
static inline int64_t whole_through(enum combine combine, int64_t key, int64_t weight,
                                    int64_t unreachable)
{
    int64_t through;
    if (combine == COMBINE_MAX)
        return key > weight ? key : weight;
    return __builtin_add_overflow(key, weight, &through) || through >= unreachable ? INF_I64
                                                                                   : through;
}

static bool certify_whole(const struct trial *trial, size_t i, const void *row)
{
    const struct csr *edges = trial->edges;
    struct certify_space *space = trial->space;
    const int64_t *distance = space->whole, unreachable = dtype_info[space->type].unreachable;
    const enum combine combine = algebra_combine(&edges->algebra);
    size_t finite, known = 0;
    for (size_t v = 0; trial->tree && v < space->n; v++)
        trial->tree[v] = -1;
    memset(space->reached, 0, words_of(space->n) * sizeof *space->reached);
    if (!take_whole(trial, row, &finite))
        return false;
    if (distance[i] != 0)
        return refute_self(trial, SHOW_KEY(trial, distance[i]));
    reach_vertex(trial, i, i, &known);
    for (size_t next = 0; next < known; next++) {
        size_t u = space->queue[next];
        for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++) {
            size_t v = edges->to[e];
            const int64_t through =
                whole_through(combine, distance[u], edges->weight[e].whole, unreachable);
            if (through > distance[v])
                continue;
            if (through < distance[v] || distance[v] == INF_I64)
                return refute_edge(trial, u, e);
            if (!is_reached(space, v))
                reach_vertex(trial, u, v, &known);
        }
    }
    return known == finite || refute_unreached(trial);
}

/* The key of the row's value. A reliability that has become 0 by rounding is no infinite key. */
static double key_at(const struct trial *trial, const void *row, size_t v)
{
    const struct algebra *algebra = &trial->edges->algebra;
    const double value = typed_get(trial->space->type, row, v).real;
    if (algebra->map == ALGEBRA_SAME || isinf(value))
        return value;
    return algebra->map == ALGEBRA_LOGARITHM && value <= 0 ? DBL_MAX
                                                           : algebra_key_real(algebra, value);
}

/* Refuses values that no distance has. */
static bool look_at_real(const struct trial *trial, const void *row)
{
    char said[SCALE_TEXT];
    for (size_t v = 0; v < trial->space->n; v++) {
        const double value = typed_get(trial->space->type, row, v).real;
        if (value > -INFINITY)
            continue;
        plain_print(trial->text, CERTIFY_WHY, "row %s: vertex %s has %g, which is not a distance",
                    NAME(trial, trial->row), NAME(trial, v), value);
        return false;
    }
    plain_print(said, sizeof said, "%.17g", typed_get(trial->space->type, row, trial->row).real);
    return key_at(trial, row, trial->row) == 0 || refute_self(trial, said);
}

static bool refute_potential(const struct trial *trial)
{
    snprintf(
        trial->text, CERTIFY_WHY,
        "row %s: its paths use edges below 0 without potentials: the graph has a negative cycle",
        NAME(trial, trial->row));
    return false;
}

static bool refute_length(const struct trial *trial, size_t v, double said)
{
    double length = search_length(trial->space->search, v);
    if (trial->edges->algebra.kind != ALGEBRA_SHORTEST && !isinf(length))
        plain_print(trial->text, CERTIFY_WHY,
                    "row %s: vertex %s has %.17g, and its best path %.17g", NAME(trial, trial->row),
                    NAME(trial, v), said, algebra_value_real(&trial->edges->algebra, length));
    else if (isinf(length))
        plain_print(trial->text, CERTIFY_WHY, "row %s: no path has the distance %.17g of vertex %s",
                    NAME(trial, trial->row), said, NAME(trial, v));
    else
        plain_print(
            trial->text, CERTIFY_WHY,
            "row %s: vertex %s has the distance %.17g, and the shortest path %.17g; rounding "
            "explains %.3g",
            NAME(trial, trial->row), NAME(trial, v), said, length,
            rounding_bound(trial->space->rounding, v));
    return false;
}

/* A path that is longer than any double is not told from none. */
static bool is_near(const struct trial *trial)
{
    const struct search *search = trial->space->search;
    for (size_t v = 0; v < trial->space->n; v++)
        if (search_reached(search, v) && isinf(search_length(search, v))) {
            snprintf(trial->text, CERTIFY_WHY,
                     "row %s: the distance of vertex %s exceeds the range of f64",
                     NAME(trial, trial->row), NAME(trial, v));
            return false;
        }
    return true;
}

static bool is_found(const struct trial *trial, const void *row)
{
    const struct search *search = trial->space->search;
    bool same = true;
    for (size_t v = 0; v < trial->space->n; v++)
        same &= key_at(trial, row, v) == search_length(search, v);
    return same;
}

/* The longest distance of the row, with potentials in it, and a little more for its rounding. */
static double limit_of(const struct trial *trial, const void *row)
{
    const double own = potential_at(trial->potential, trial->row);
    double most = 0;
    for (size_t v = 0; v < trial->space->n; v++) {
        const double size = (key_at(trial, row, v) + own) - potential_at(trial->potential, v);
        most = size > most && !isinf(size) ? size : most;
    }
    return most * (1 + 0x1p-10);
}

/* Whether the search has found all there is, since it has found a path wherever the row says so. */
static bool is_whole(const struct trial *trial, const void *row)
{
    const struct search *search = trial->space->search;
    size_t reached = 0;
    for (size_t v = 0; v < trial->space->n; v++) {
        if (!search_reached(search, v) && !isinf(typed_get(trial->space->type, row, v).real))
            return false;
        reached += search_reached(search, v);
    }
    return reached == trial->space->n || search_is_closed(search, trial->edges);
}

/* Goes no further than the row, unless that is too near. */
static bool search_paths(const struct trial *trial, size_t i, const void *row)
{
    struct search *search = trial->space->search;
    const double limit = trial->edges->ordered ? limit_of(trial, row) : INFINITY;
    if (!search_run(search, trial->edges, trial->potential, i, limit, trial->tree))
        return false;
    return isinf(limit) || is_whole(trial, row) ||
           search_run(search, trial->edges, trial->potential, i, INFINITY, trial->tree);
}

/* Whether the value, whose key that is, is the one that the search has found, but for rounding. */
static bool is_explained(const struct trial *trial, size_t v, double key, double value)
{
    struct certify_space *space = trial->space;
    const struct algebra *algebra = &trial->edges->algebra;
    const double length = search_length(space->search, v);
    const bool narrow = space->type == DTYPE_F32;
    if (algebra_combine(algebra) == COMBINE_MAX)
        return key == (narrow ? (double)(float)length : length);
    if (algebra->map != ALGEBRA_LOGARITHM)
        return rounding_explains(space->rounding, v, fabs(key - length));
    const double unit = narrow ? (double)FLT_EPSILON / 2 : DBL_EPSILON / 2;
    return fabs(value - exp(-length)) <= (narrow ? (double)FLT_MIN : DBL_MIN) ||
           rounding_explains(space->rounding, v, fmax(0, fabs(key - length) - 4 * unit));
}

static bool certify_real(const struct trial *trial, size_t i, const void *row)
{
    struct certify_space *space = trial->space;
    struct rounding *rounding = space->rounding;
    if (!look_at_real(trial, row))
        return false;
    if (!search_paths(trial, i, row))
        return refute_potential(trial);
    if (!is_near(trial))
        return false;
    if (!trial->potential->h && is_found(trial, row))
        return true;
    if (!rounding_begin(rounding, space->type, space->search, trial->edges, trial->potential))
        return refute_potential(trial);
    for (size_t v = 0; v < space->n; v++) {
        const double said = typed_get(space->type, row, v).real,
                     length = search_length(space->search, v);
        if (isinf(said) && isinf(length))
            continue;
        if (isinf(said) || isinf(length) || !is_explained(trial, v, key_at(trial, row, v), said))
            return refute_length(trial, v, said);
    }
    return true;
}

bool certify_row(const struct certificate *certificate, struct certify_space *space, size_t i,
                 const void *row, int32_t *tree, char why[CERTIFY_WHY])
{
    static const struct potential none;
    const struct trial trial = {.edges = certificate->edges,
                                .space = space,
                                .row = i,
                                .labels = certificate->labels,
                                .scale = certificate->scale,
                                .potential =
                                    certificate->potential ? certificate->potential : &none,
                                .tree = tree,
                                .text = why};
    return (space->search ? certify_real : certify_whole)(&trial, i, row);
}

size_t certify_choose(size_t *rows, size_t wanted, size_t n, uint64_t seed)
{
    size_t count = size_min(wanted, n);
    for (size_t k = 0, lo = 0; k < count;
         k++) { /* one row of each of `count` nearly equal intervals */
        size_t length = n / count + (k < n % count);
        rows[k] = lo + random_below(&seed, (uint32_t)length);
        lo += length;
    }
    return count;
}
