/* R-MAT: D. Chakrabarti, Y. Zhan, C. Faloutsos: R-MAT: a recursive model for graph mining, SDM
 * 2004. */
#include "graph/generate.h"

#include "base/mem.h"
#include "base/random.h"
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

enum { DEGREE = 8, COMPONENTS = 4, STEP_MAX = 6 };

struct generator {
    struct generate_plan plan;
    const struct family *family;
    uint64_t state; /* of random.h */
    size_t total, steps, step;
    size_t width;    /* grid, lattice, cube: vertices in a row */
    bool gaps;       /* grid: some streets are missing */
    size_t from, to; /* dense: the next edge */
    struct edge made[STEP_MAX];
    int count, taken; /* of made[] */
};

struct family {
    const char *name, *about;
    size_t
        least; /* vertices without which there is no edge; 0: the number of edges is fixed by n */
    bool (*size)(struct generator *g); /* sets total and steps; false: more than fits a size_t */
    void (*step)(
        struct generator *g); /* fills made[] and count with the edges of step number g->step */
};

static int64_t random_weight(struct generator *g)
{
    return g->plan.low + random_below(&g->state, (uint32_t)(g->plan.high - g->plan.low + 1));
}

/* The same for a vertex at each of its edges, so it is computed from its number. */
static int64_t height(const struct generator *g, size_t vertex)
{
    uint64_t word = random_mix(random_mix(g->plan.seed) + vertex * RANDOM_STEP) >> 32;
    return (int64_t)(word * ((uint64_t)g->plan.potential + 1) >> 32);
}

static void emit_edge(struct generator *g, size_t from, size_t to, int64_t weight)
{
    if (g->plan.potential > 0)
        weight += height(g, from) - height(g, to);
    g->made[g->count++] = (struct edge){(uint32_t)from, (uint32_t)to, {weight}};
}

static void emit_both(struct generator *g, size_t a, size_t b)
{
    int64_t weight = random_weight(g);
    emit_edge(g, a, b, weight);
    emit_edge(g, b, a, weight);
}

/* A vertex of lo .. hi - 1 other than `avoid`, which lies there. */
static size_t random_other(struct generator *g, size_t lo, size_t hi, size_t avoid)
{
    size_t vertex = lo + random_below(&g->state, (uint32_t)(hi - lo - 1));
    return vertex + (vertex >= avoid);
}

static bool size_by_plan(struct generator *g)
{
    const struct generate_plan *plan = &g->plan;
    bool fits = true;
    g->total = plan->m;
    if (plan->m == GENERATE_BY_DEGREE && plan->n < g->family->least)
        g->total = 0;
    else if (plan->m == GENERATE_BY_DEGREE)
        fits = mem_mul(&g->total, plan->n, plan->degree ? plan->degree : DEGREE);
    g->steps = g->total;
    return fits;
}

static void step_random(struct generator *g)
{
    size_t from = random_below(&g->state, (uint32_t)g->plan.n),
           to = random_other(g, 0, g->plan.n, from);
    emit_edge(g, from, to, random_weight(g));
}

static void step_zero(struct generator *g)
{
    size_t from = random_below(&g->state, (uint32_t)g->plan.n),
           to = random_other(g, 0, g->plan.n, from);
    emit_edge(g, from, to, random_below(&g->state, 2) ? random_weight(g) : 0);
}

static void step_disconnected(struct generator *g)
{
    size_t n = g->plan.n, parts = n / 2 < COMPONENTS ? n / 2 : COMPONENTS, part = 0;
    size_t from = random_below(&g->state, (uint32_t)n);
    while (from >= (part + 1) * n / parts)
        part++;
    size_t to = random_other(g, part * n / parts, (part + 1) * n / parts, from);
    emit_edge(g, from, to, random_weight(g));
}

/* Halves the matrix until one entry is left; one outside, where n is no power of two, is drawn
 * anew. */
static void step_rmat(struct generator *g)
{
    const uint64_t whole = (uint64_t)1 << 32, a = whole * 57 / 100, ab = whole * 76 / 100,
                   abc = whole * 95 / 100;
    size_t n = g->plan.n, from, to;
    do {
        from = to = 0;
        for (size_t span = 1; span < n; span *= 2) {
            uint64_t draw = random_next(&g->state) >> 32;
            from = 2 * from + (draw >= ab);
            to = 2 * to + ((draw >= a && draw < ab) || draw >= abc);
        }
    } while (from >= n || to >= n);
    emit_edge(g, from, to, random_weight(g));
}

static bool size_dense(struct generator *g)
{
    g->to = 1;
    bool fits = mem_mul(&g->total, g->plan.n, g->plan.n - 1);
    g->steps = g->total;
    return fits;
}

static void step_dense(struct generator *g)
{
    emit_edge(g, g->from, g->to, random_weight(g));
    g->to += g->to + 1 == g->from ? 2 : 1;
    if (g->to == g->plan.n) {
        g->from++;
        g->to = 0;
    }
}

/* With gaps every vertex keeps its street to the left or up, a coin says which: they span the grid.
 * It keeps 2 of 5 of the others. */
static void step_grid(struct generator *g)
{
    size_t vertex = g->step, left = vertex - 1, up = vertex - g->width;
    bool has_left = vertex % g->width > 0, has_up = vertex >= g->width;
    if (has_left && has_up && g->gaps) {
        bool keep_left = random_below(&g->state, 2), keep_both = random_below(&g->state, 5) < 2;
        has_left = keep_left || keep_both;
        has_up = !keep_left || keep_both;
    }
    if (has_left)
        emit_both(g, vertex, left);
    if (has_up)
        emit_both(g, vertex, up);
}

/* A vertex has the number x + width * (y + width * z). */
static void step_cube(struct generator *g)
{
    const size_t vertex = g->step, width = g->width, layer = width * width;
    if (vertex % width > 0)
        emit_both(g, vertex, vertex - 1);
    if (vertex % layer >= width)
        emit_both(g, vertex, vertex - width);
    if (vertex >= layer)
        emit_both(g, vertex, vertex - layer);
}

/* The number of streets is known only after a pass. */
static bool count_streets(struct generator *g)
{
    g->steps = g->plan.n;
    struct generator pass = *g;
    for (; pass.step < pass.steps; pass.step++) {
        pass.count = 0;
        pass.family->step(&pass);
        g->total += (size_t)pass.count;
    }
    return true;
}

static bool size_streets(struct generator *g)
{
    while (g->width * g->width < g->plan.n)
        g->width++;
    return count_streets(g);
}

static bool size_cube(struct generator *g)
{
    while (g->width * g->width * g->width < g->plan.n)
        g->width++;
    return count_streets(g);
}

static bool size_grid(struct generator *g)
{
    g->gaps = true;
    return size_streets(g);
}

static bool size_path(struct generator *g)
{
    g->total = g->steps = g->plan.n - 1;
    return true;
}

static void step_path(struct generator *g)
{
    emit_edge(g, g->step, g->step + 1, random_weight(g));
}

static bool size_star(struct generator *g)
{
    g->steps = g->plan.n - 1;
    g->total = 2 * g->steps;
    return true;
}

static void step_star(struct generator *g)
{
    emit_both(g, 0, g->step + 1);
}

static const struct family families[] = {
    {"random", "edges between random vertices; some may be parallel", 2, size_by_plan, step_random},
    {"dense", "an edge from every vertex to every other", 0, size_dense, step_dense},
    {"grid", "a near-square grid of two-way streets like a road map, some missing, connected", 0,
     size_grid, step_grid},
    {"lattice", "the same grid with all its streets", 0, size_streets, step_grid},
    {"cube", "a near-cubic grid of three dimensions, all its edges two-way", 0, size_cube,
     step_cube},
    {"rmat", "few vertices with many edges; loops and parallel edges", 1, size_by_plan, step_rmat},
    {"path", "one path through all vertices in order", 0, size_path, step_path},
    {"star", "two-way edges between vertex 0 and every other", 0, size_star, step_star},
    {"disconnected", "random edges, all within one of 4 parts", 4, size_by_plan, step_disconnected},
    {"zero", "random edges, half of them of weight 0 whatever LO says", 2, size_by_plan, step_zero},
};

enum { FAMILIES = sizeof families / sizeof *families };

const char *generate_family_name(int index)
{
    return index < FAMILIES ? families[index].name : NULL;
}

const char *generate_family_about(int index)
{
    return index < FAMILIES ? families[index].about : NULL;
}

const char *generate_family_names(void)
{
    static char names[200];
    names[0] = '\0';
    for (int i = 0; i < FAMILIES; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
                 families[i].name);
    return names;
}

static const struct family *find_family(const char *name, struct apsp_error *error)
{
    const char *names = generate_family_names();
    char hint[TEXT_SHORT];
    const int place = words_find(names, name);
    if (place >= 0)
        return &families[place];
    error_set(error, APSP_USAGE, "unknown family '%s'; use one of %s%s", name, names,
              words_hint(hint, name, names));
    return NULL;
}

static int check_plan(const struct generate_plan *plan, const struct family *family,
                      struct apsp_error *error)
{
    bool sized = plan->m != GENERATE_BY_DEGREE || plan->degree > 0;
    if (family->least == 0 && sized)
        return error_set(error, APSP_USAGE,
                         "family %s: n alone gives the number of edges; it takes neither -d nor -m",
                         family->name);
    if (plan->m != GENERATE_BY_DEGREE && plan->m > 0 && plan->n < family->least)
        return error_set(
            error, APSP_USAGE,
            "family %s: no edges are possible with %zu vertices, only with %zu or more",
            family->name, plan->n, family->least);
    return APSP_OK;
}

int generate_open(struct generator **generator, const struct generate_plan *plan,
                  struct apsp_error *error)
{
    *generator = NULL;
    const struct family *family = find_family(plan->family, error);
    if (!family || check_plan(plan, family, error) != APSP_OK)
        return error->code;
    struct generator *g = calloc(1, sizeof *g);
    if (!g)
        return error_set(error, APSP_MEMORY, "no memory for a generator of %zu bytes", sizeof *g);
    g->plan = *plan;
    g->family = family;
    g->state = plan->seed;
    if (!family->size(g)) {
        generate_free(g);
        return error_set(error, APSP_USAGE,
                         "family %s: the number of edges with %zu vertices exceeds %zu",
                         family->name, plan->n, SIZE_MAX);
    }
    *generator = g;
    return APSP_OK;
}

size_t generate_total(const struct generator *generator)
{
    return generator->total;
}

size_t generate_next(struct generator *generator, struct edge *edges, size_t room)
{
    struct generator *g = generator;
    size_t filled = 0;
    while (filled < room) {
        if (g->taken < g->count) {
            edges[filled++] = g->made[g->taken++];
        } else if (g->step < g->steps) {
            g->count = g->taken = 0;
            g->family->step(g);
            g->step++;
        } else {
            break;
        }
    }
    return filled;
}

void generate_free(struct generator *generator)
{
    free(generator);
}
