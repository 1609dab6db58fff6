/* Random graphs of all families and kinds of weights, and what is right. */
#include "base/dtype.h"
#include "reference.h"
#include "sequences.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum family { PATH, STAR, GRID, TREE, SPARSE, DENSE, PARTS, ONE_WAY, RING, SINGLE, EMPTY };
static const char *const family_names[] = {"path",
                                           "star",
                                           "grid",
                                           "tree",
                                           "sparse",
                                           "dense",
                                           "disconnected",
                                           "digraph",
                                           "ring",
                                           "single",
                                           "graph without edges"};
enum { FAMILIES = sizeof family_names / sizeof *family_names };

/* Weights are `least` to `most`, divided by the factor, and moved by potentials of up to `depth`,
 * which make some negative and close no negative cycle. */
static const struct weights {
    const char *name;
    int64_t least, most, depth;
    double factor;
    enum { UNWEIGHTED, INTEGRAL, FLOATING, IRREGULAR } form;
} kinds[] = {
    {"of 1", 1, 1, 0, 1, UNWEIGHTED},
    {"from 0 to 9", 0, 9, 0, 1, INTEGRAL},
    {"from 1 to 10", 1, 10, 0, 1, INTEGRAL},
    {"from 1 to 1000", 1, 1000, 0, 1, INTEGRAL},
    {"of i32", 100000, 5000000, 0, 1, INTEGRAL},
    {"of i64", 1, INT64_C(1) << 50, 0, 1, INTEGRAL},
    {"some negative", 0, 50, 30, 1, INTEGRAL},
    {"of i64, some negative", 0, INT64_C(1) << 40, INT64_C(1) << 40, 1, INTEGRAL},
    {"of two decimals", 1, 2000, 0, 100, FLOATING},
    {"of eighths", 0, 800, 0, 8, FLOATING},
    {"of eighths, some negative", 0, 800, 300, 8, FLOATING},
    {"irregular", 0, 0, 0, 1, IRREGULAR},
    {"irregular, some negative", 0, 0, 8, 1, IRREGULAR},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void edge_add(struct sample *sample, uint32_t from, uint32_t to)
{
    if (sample->m == M_MAX)
        return;
    sample->from[sample->m] = from;
    sample->to[sample->m++] = to;
}

/* The ends of edge e of a family that has a given number of them. */
static void edge_draw(struct sample *sample, uint64_t *random, enum family family, uint32_t e)
{
    const uint32_t n = sample->n, columns = (uint32_t)ceil(sqrt(n)), half = n / 2 + 1;
    const uint32_t a = draw(random, 0, n - 1), b = draw(random, 0, n - 1);
    if (family == PATH && e + 1 < n)
        edge_add(sample, e, e + 1);
    else if (family == STAR && e + 1 < n)
        edge_add(sample, 0, e + 1);
    else if (family == TREE && e + 1 < n)
        edge_add(sample, draw(random, 0, e), e + 1);
    else if (family == GRID && e % 2 && e / 2 + columns < n)
        edge_add(sample, e / 2, e / 2 + columns);
    else if (family == GRID && e % 2 == 0 && e / 2 + 1 < n && (e / 2 + 1) % columns)
        edge_add(sample, e / 2, e / 2 + 1);
    else if (family == RING)
        edge_add(sample, a, e % 9 ? (a + draw(random, 1, 3)) % n : b);
    else if (family == PARTS)
        edge_add(sample, e % 2 ? a % half : n - 1 - a % (half / 2 + 1),
                 e % 2 ? b % half : n - 1 - b % (half / 2 + 1));
    else if (family == ONE_WAY)
        edge_add(sample, a < b ? a : b, a < b ? b : a);
    else if (family == SPARSE || family == DENSE || family == SINGLE)
        edge_add(sample, a, b);
}

static uint32_t edges_of(enum family family, uint32_t n, uint64_t *random)
{
    return family == PATH || family == STAR || family == TREE ? n - 1
           : family == GRID                                   ? 2 * n
           : family == DENSE                                  ? n * n / 2
           : family == SINGLE                                 ? draw(random, 0, 2)
           : family == EMPTY                                  ? 0
                                                              : draw(random, 0, 4 * n);
}

static uint32_t vertices_of(enum family family, uint64_t *random)
{
    const uint32_t size = draw(random, 0, 9);
    if (family == SINGLE)
        return 1;
    return size < 6 || family == DENSE ? draw(random, 2, 28)
           : size < 9                  ? draw(random, 20, 70)
                                       : draw(random, 60, N_MAX);
}

static void edges_draw(struct sample *sample, uint64_t *random, enum family family)
{
    const uint32_t count = edges_of(family, sample->n, random);
    const bool both_ways = family != ONE_WAY && draw_one_in(random, 2);
    for (uint32_t e = 0; e < count; e++)
        edge_draw(sample, random, family, e);
    if (!both_ways)
        return;
    for (uint32_t e = sample->m; e-- > 0;)
        edge_add(sample, sample->to[e], sample->from[e]);
}

/* Edges that lead back have the same weights, but for potentials. */
static void weights_draw(struct sample *sample, uint64_t *random, const struct weights *kind)
{
    int64_t height[N_MAX];
    for (uint32_t v = 0; v < sample->n; v++)
        height[v] = (int64_t)(random_next(random) % (uint64_t)(kind->depth + 1));
    const uint64_t seed = random_next(random);
    for (uint32_t e = 0; e < sample->m; e++) {
        const uint32_t a = sample->from[e], b = sample->to[e], low = a < b ? a : b,
                       high = a ^ b ^ low;
        const uint64_t chance = random_mix(seed + low * (uint64_t)N_MAX + high);
        const int64_t rise = height[a] - height[b];
        if (kind->form == IRREGULAR) {
            sample->real[e] = 0.5 + ldexp((double)(chance >> 11), -53) + (double)rise;
            continue;
        }
        const uint64_t span = (uint64_t)(kind->most - kind->least) + 1;
        sample->scaled[e] = kind->least + (int64_t)(chance % span) + rise;
        sample->real[e] = (double)sample->scaled[e] / kind->factor;
    }
}

static void *room_for(size_t count, size_t bytes)
{
    void *memory = malloc((count + 1) * bytes);
    if (!memory)
        abort();
    return memory;
}

static void sample_solve(struct sample *sample)
{
    const size_t n = sample->n;
    struct edge *edge = room_for(sample->m, sizeof *edge);
    bool cycle;
    for (uint32_t e = 0; e < sample->m; e++)
        edge[e] = (struct edge){sample->from[e], sample->to[e], {.whole = sample->scaled[e]}};
    if (!sample->irregular)
        sample->whole = reference_whole(n, edge, sample->m, &cycle);
    for (uint32_t e = 0; e < sample->m; e++)
        edge[e].weight.real = sample->real[e];
    sample->distance = reference_real(n, edge, sample->m, &cycle);
    if (!sample->distance || (!sample->irregular && !sample->whole))
        abort();
    for (size_t k = 0; sample->whole && k < n * n; k++)
        sample->distance[k] =
            sample->whole[k] == INF_I64 ? INFINITY : (double)sample->whole[k] / sample->factor;
    sample->lightest = room_for(n * n, sizeof *sample->lightest);
    for (size_t k = 0; k < n * n; k++)
        sample->lightest[k] = INFINITY;
    for (uint32_t e = 0; e < sample->m; e++) {
        double *lightest = &sample->lightest[edge[e].from * n + edge[e].to];
        *lightest = fmin(*lightest, sample->real[e]);
        sample->heaviest = fmax(sample->heaviest, fabs(sample->real[e]));
    }
    free(edge);
}

void sample_draw(struct sample *sample, uint64_t *random)
{
    const enum family family = (enum family)draw(random, 0, FAMILIES - 1);
    const struct weights *kind = &kinds[draw(random, 0, KINDS - 1)];
    memset(sample, 0, sizeof *sample);
    sample->n = vertices_of(family, random);
    sample->factor = kind->factor;
    sample->unweighted = kind->form == UNWEIGHTED;
    sample->floating = kind->form >= FLOATING;
    sample->as_text = draw_one_in(random, 3);
    /* Decimals are those of a text; floating-point numbers are what they are. */
    sample->irregular = kind->form == IRREGULAR || (kind->factor == 100 && !sample->as_text);
    edges_draw(sample, random, family);
    weights_draw(sample, random, kind);
    sample_solve(sample);
    snprintf(sample->text, sizeof sample->text, "%s of %u vertices and %u edges%s, weights %s",
             family_names[family], sample->n, sample->m, sample->as_text ? " as a text" : "",
             kind->name);
}

void sample_free(struct sample *sample)
{
    free(sample->whole);
    free(sample->distance);
    free(sample->lightest);
    *sample = (struct sample){0};
}
