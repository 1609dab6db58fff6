/* predecessor.c: every path of a tree ends where it should, and is as long as the row says. */
#include "unit.h"

#include "make_csr.h"
#include "proof/predecessor.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 14, EDGES_MAX = 80 };

static char why[CERTIFY_WHY];
static struct edge edges[EDGES_MAX];

static struct csr make(size_t n, bool real, size_t m)
{
    return make_csr(n, real, edges, m);
}

static double weight_of(const struct csr *csr, size_t e)
{
    return csr_real(csr, e);
}

static double lightest(const struct csr *csr, size_t u, size_t v)
{
    double least = INFINITY;
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
        if (csr->to[e] == v && weight_of(csr, e) < least)
            least = weight_of(csr, e);
    return least;
}

static double value_at(const void *row, enum dtype dtype, size_t v)
{
    switch (dtype) {
    case DTYPE_I32:
        return ((const int32_t *)row)[v] == INF_I32 ? INFINITY : ((const int32_t *)row)[v];
    case DTYPE_F32:
        return (double)((const float *)row)[v];
    default:
        return ((const double *)row)[v];
    }
}

static struct potential find_potential(const struct csr *csr, bool negative)
{
    struct potential potential = {0};
    struct cycle cycle = {0};
    struct apsp_error error = {0};
    if (negative)
        assert_int_equal(potential_find(&potential, &cycle, csr, 1, &error), APSP_OK);
    assert_int_equal(cycle.length, 0);
    return potential;
}

/* Walks from every vertex to i, and adds the edges up. */
static void check_tree(const struct csr *csr, size_t i, const void *row, enum dtype dtype,
                       const int32_t *tree, double tolerance)
{
    assert_int_equal(tree[i], -1);
    for (size_t v = 0; v < csr->n; v++) {
        double distance = value_at(row, dtype, v), sum = 0;
        size_t at = v, steps = 0;
        for (; tree[at] >= 0; at = (size_t)tree[at], steps++) {
            assert_true(steps < csr->n && (size_t)tree[at] < csr->n);
            sum += lightest(csr, (size_t)tree[at], at);
        }
        if (isinf(distance))
            assert_true(at == v && v != i);
        else if (at != i || !(fabs(sum - distance) <= tolerance))
            fail_msg("row %zu: the path to %zu starts at %zu and has %.17g, not %.17g", i, v, at,
                     sum, distance);
    }
}

static size_t random_edges(size_t n, bool real, bool negative)
{
    size_t m = (size_t)rand() % EDGES_MAX;
    double potential[SMALL];
    for (size_t v = 0; v < n; v++)
        potential[v] = negative ? rand() % 100 / 7.0 : 0;
    for (size_t e = 0; e < m; e++) {
        edges[e] = (struct edge){.from = (uint32_t)((size_t)rand() % n),
                                 .to = (uint32_t)((size_t)rand() % n)};
        if (real)
            edges[e].weight.real = (rand() % 3 == 0 ? 0 : rand() / 1e9) + potential[edges[e].from] -
                                   potential[edges[e].to];
        else
            edges[e].weight.whole = rand() % 3 == 0 ? 0 : rand() % 5;
    }
    return m;
}

static void whole_trees_are_exact(void **state)
{
    (void)state;
    srand(8);
    for (int round = 0; round < 400; round++) {
        size_t n = 1 + (size_t)round % SMALL, m = random_edges(n, false, false);
        struct csr csr = make(n, false, m);
        int32_t *rows = reference_dijkstra(n, edges, m), tree[SMALL];
        struct predecessor_space *space = predecessor_space_new(n, DTYPE_I32);
        for (size_t i = 0; i < n; i++) {
            assert_true(predecessor_row(&(struct certificate){.edges = &csr}, space, i,
                                        rows + i * n, tree, why));
            check_tree(&csr, i, rows + i * n, DTYPE_I32, tree, 0);
            rows[i * n + (size_t)rand() % n]++;
            assert_false(predecessor_row(&(struct certificate){.edges = &csr, .labels = {1, NULL}},
                                         space, i, rows + i * n, tree, why));
        }
        predecessor_space_free(space);
        csr_free(&csr);
        free(rows);
    }
}

/* Floyd-Warshall with pivots in a random order: sums rounded in any order, as the kernels make
 * them. */
static void solve_real(const struct csr *csr, enum dtype dtype, double *d)
{
    size_t n = csr->n, order[SMALL];
    for (size_t k = 0; k < n * n; k++)
        d[k] = k % (n + 1) == 0 ? 0 : INFINITY;
    for (size_t u = 0; u < n; u++)
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
            if (csr->to[e] != u)
                d[u * n + csr->to[e]] = fmin(d[u * n + csr->to[e]], weight_of(csr, e));
    for (size_t k = 0; k < n; k++) {
        size_t other = (size_t)rand() % (k + 1);
        order[k] = order[other];
        order[other] = k;
    }
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double sum = d[i * n + order[p]] + d[order[p] * n + j];
                sum = dtype == DTYPE_F32 ? (double)(float)sum : sum;
                if (sum < d[i * n + j] && i != j)
                    d[i * n + j] = sum;
            }
}

static void check_real(size_t n, enum dtype dtype, bool negative)
{
    size_t m = random_edges(n, true, negative);
    struct csr csr = make(n, true, m);
    double d[SMALL * SMALL];
    float narrow[SMALL];
    int32_t tree[SMALL];
    struct predecessor_space *space = predecessor_space_new(n, dtype);
    struct potential potential = find_potential(&csr, negative);
    const struct certificate certificate = {.edges = &csr, .potential = &potential};
    solve_real(&csr, dtype, d);
    for (size_t i = 0; i < n; i++) {
        const void *row = dtype == DTYPE_F32 ? (const void *)narrow : d + i * n;
        for (size_t v = 0; v < n; v++)
            narrow[v] = (float)d[i * n + v];
        assert_true(predecessor_row(&certificate, space, i, row, tree, why));
        check_tree(&csr, i, row, dtype, tree, dtype == DTYPE_F32 ? 1e-4 : 1e-12);
    }
    potential_free(&potential);
    predecessor_space_free(space);
    csr_free(&csr);
}

static void real_trees_are_right_but_for_rounding(void **state)
{
    (void)state;
    srand(9);
    for (int round = 0; round < 400; round++)
        check_real(1 + (size_t)round % SMALL, round % 2 ? DTYPE_F32 : DTYPE_F64, round % 3 == 0);
}

/* Bellman and Ford's in double precision: the least sum, from the first edge on, of any path. */
static void least_sums(const struct csr *csr, size_t i, double *least)
{
    bool changed = true;
    for (size_t v = 0; v < csr->n; v++)
        least[v] = v == i ? 0 : INFINITY;
    while (changed) {
        changed = false;
        for (size_t u = 0; u < csr->n; u++)
            for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
                double sum = least[u] + csr_real(csr, e);
                changed |= sum < least[csr->to[e]];
                least[csr->to[e]] = fmin(sum, least[csr->to[e]]);
            }
    }
}

/* The sum along the tree, from the first edge on: parallel edges have one weight that gives it. */
static bool is_along(const struct csr *csr, const int32_t *tree, const double *sums, size_t v)
{
    size_t u = (size_t)tree[v];
    for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++)
        if (csr->to[e] == v && sums[u] + csr_real(csr, e) == sums[v])
            return true;
    return false;
}

static void check_sums(const struct csr *csr, enum dtype dtype, bool negative, const double *d)
{
    size_t n = csr->n;
    struct potential potential = find_potential(csr, negative);
    const struct certificate certificate = {.edges = csr, .potential = &potential};
    struct predecessor_space *space = predecessor_space_new(n, dtype);
    double sums[SMALL], least[SMALL];
    float narrow[SMALL], rounded[SMALL];
    int32_t tree[SMALL];
    for (size_t i = 0; i < n; i++) {
        for (size_t v = 0; v < n; v++)
            narrow[v] = (float)d[i * n + v];
        bool is_f32 = dtype == DTYPE_F32;
        const void *row = is_f32 ? (const void *)narrow : d + i * n;
        assert_true(predecessor_row(&certificate, space, i, row, tree, why));
        assert_true(
            predecessor_sums(&certificate, space, i, row, is_f32 ? (void *)rounded : sums, why));
        if (!negative)
            least_sums(csr, i, least);
        for (size_t v = 0; v < n; v++) {
            assert_true(negative || (is_f32 ? rounded[v] == (float)least[v] : sums[v] == least[v]));
            assert_true(v == i || is_f32 || (isinf(sums[v]) && tree[v] < 0) ||
                        is_along(csr, tree, sums, v));
            assert_true(fabs((is_f32 ? (double)rounded[v] : sums[v]) - d[i * n + v]) < 1e-3 ||
                        isinf(d[i * n + v]));
        }
        assert_true((is_f32 ? (double)rounded[i] : sums[i]) == 0);
    }
    potential_free(&potential);
    predecessor_space_free(space);
}

static void sums_are_the_least_whoever_made_the_row(void **state)
{
    (void)state;
    srand(19);
    for (int round = 0; round < 400; round++) {
        size_t n = 1 + (size_t)round % SMALL;
        bool negative = round % 3 == 0;
        enum dtype dtype = round % 2 ? DTYPE_F32 : DTYPE_F64;
        size_t m = random_edges(n, true, negative);
        for (size_t e = 0; e < m && !negative && round % 4 < 2;
             e++) /* far apart, with zeros and ties */
            edges[e].weight.real =
                rand() % 4 ? ldexp(rand() % 8, -rand() % 60) : 0.1 * (rand() % 3);
        struct csr csr = make(n, true, m);
        double d[SMALL * SMALL];
        for (int order = 0; order < 2; order++) {
            solve_real(&csr, dtype, d);
            check_sums(&csr, dtype, negative, d);
        }
        csr_free(&csr);
    }
}

/* From 0 to 3 by way of 1, which the row has 4 units of rounding too far away, or of 2, by which it
 * is 2 further. */
static void the_least_sum_counts_though_the_row_hides_it(void **state)
{
    enum { VERTICES = 4 };
    static const double unit = 0x1p-52;
    const double row[] = {0, 1 + 4 * unit, 0.5, 1.25 + 2 * unit};
    double sums[VERTICES];
    (void)state;
    edges[0] = (struct edge){0, 1, {.real = 1}};
    edges[1] = (struct edge){1, 3, {.real = 0.25}};
    edges[2] = (struct edge){0, 2, {.real = 0.5}};
    edges[3] = (struct edge){2, 3, {.real = 0.75 + 2 * unit}};
    struct csr csr = make(VERTICES, true, 4);
    struct predecessor_space *space = predecessor_space_new(VERTICES, DTYPE_F64);
    assert_true(predecessor_sums(&(struct certificate){.edges = &csr}, space, 0, row, sums, why));
    assert_true(sums[1] == 1 && sums[2] == 0.5 && sums[3] == 1.25);
    predecessor_space_free(space);
    csr_free(&csr);
}

/* Rows that are off by more than rounding, where the sums would be right. */
static void wrong_rows_have_no_sums(void **state)
{
    (void)state;
    double sums[4];
    for (uint32_t v = 0; v < 3; v++)
        edges[v] = (struct edge){.from = v, .to = v + 1, .weight.real = 0.1};
    struct csr csr = make(4, true, 3);
    const struct certificate certificate = {.edges = &csr, .labels = {1, NULL}};
    struct predecessor_space *space = predecessor_space_new(4, DTYPE_F64);
    assert_true(predecessor_sums(&certificate, space, 0, (double[]){0, 0.1, 0.2, 0.3}, sums, why));
    assert_true(sums[3] == 0.1 + 0.1 + 0.1 && sums[3] != 0.3);
    assert_false(
        predecessor_sums(&certificate, space, 0, (double[]){0, 0.1, 0.2, 0.29}, sums, why));
    assert_string_equal(
        why, "row 1: vertex 4 has the distance 0.28999999999999998, and the nearest path has "
             "0.30000000000000004");
    assert_false(
        predecessor_sums(&certificate, space, 0, (double[]){0, 0.1, 0.25, 0.3}, sums, why));
    predecessor_space_free(space);
    csr_free(&csr);
}

/* Where all is tight in circles, a vertex must still be led to the row's own. */
static void zero_cycles_are_left(void **state)
{
    (void)state;
    const struct edge cycle[] = {
        {.from = 1, .to = 2}, {.from = 2, .to = 3}, {.from = 3, .to = 1}, {.from = 0, .to = 1}};
    const int32_t whole[] = {0, 0, 0, 0};
    const double real[] = {0, 0, 0, 0};
    int32_t tree[4];
    memcpy(edges, cycle, sizeof cycle);
    for (int kind = 0; kind < 2; kind++) {
        enum dtype dtype = kind ? DTYPE_F64 : DTYPE_I32;
        struct predecessor_space *space = predecessor_space_new(4, dtype);
        const void *row = kind ? (const void *)real : whole;
        struct csr csr = make(4, kind, 4), without = make(4, kind, 3);
        assert_true(
            predecessor_row(&(struct certificate){.edges = &csr}, space, 0, row, tree, why));
        check_tree(&csr, 0, row, dtype, tree, 0);
        assert_false(
            predecessor_row(&(struct certificate){.edges = &without}, space, 0, row, tree, why));
        csr_free(&csr);
        csr_free(&without);
        predecessor_space_free(space);
    }
}

static void impossible_rows_are_refused(void **state)
{
    (void)state;
    edges[0] = (struct edge){.from = 0, .to = 1, .weight.real = 0.5};
    struct csr csr = make(3, true, 1);
    struct predecessor_space *space = predecessor_space_new(3, DTYPE_F64);
    int32_t tree[3];
    assert_true(predecessor_row(&(struct certificate){.edges = &csr, .labels = {1, NULL}}, space, 0,
                                (double[]){0, 0.5, INFINITY}, tree, why));
    assert_false(predecessor_row(&(struct certificate){.edges = &csr, .labels = {1, NULL}}, space,
                                 0, (double[]){0, 0.5, 7}, tree, why));
    assert_string_equal(why, "row 1: vertex 3 has a distance, but no path leads there");
    assert_false(predecessor_row(&(struct certificate){.edges = &csr, .labels = {1, NULL}}, space,
                                 0, (double[]){0, INFINITY, INFINITY}, tree, why));
    assert_string_equal(why, "row 1: vertex 2 has no distance, but a path leads there");
    assert_false(predecessor_row(&(struct certificate){.edges = &csr, .labels = {1, NULL}}, space,
                                 0, (double[]){0, 0.5, NAN}, tree, why));
    assert_string_equal(why, "row 1: vertex 3 has nan, which is not a distance");
    assert_false(predecessor_row(&(struct certificate){.edges = &csr, .labels = {1, NULL}}, space,
                                 0, (double[]){0, 0.5, -INFINITY}, tree, why));
    assert_string_equal(why, "row 1: vertex 3 has -inf, which is not a distance");
    assert_false(predecessor_row(&(struct certificate){.edges = &csr, .labels = {1, NULL}}, space,
                                 0, (double[]){0.25, 0.75, INFINITY}, tree, why));
    assert_string_equal(why, "row 1: vertex 1 has the distance 0.25 from itself");
    csr_free(&csr);
    predecessor_space_free(space);
}

/* Whether a row of a path of two edges, 1.5 and 2.5, has a tree, with potentials h of its vertices.
 */
static bool two_edges_fit(enum dtype dtype, const void *row, const double *h)
{
    edges[0] = (struct edge){.from = 0, .to = 1, .weight.real = 1.5};
    edges[1] = (struct edge){.from = 1, .to = 2, .weight.real = 2.5};
    struct csr csr = make(3, true, 2);
    struct predecessor_space *space = predecessor_space_new(3, dtype);
    int32_t tree[3];
    union value values[3];
    const struct potential potential = {.n = 3, .real = true, .h = h ? values : NULL};
    for (size_t v = 0; h && v < 3; v++)
        values[v].real = h[v];
    bool fits = predecessor_row(
        &(struct certificate){.edges = &csr, .potential = &potential, .labels = {1, NULL}}, space,
        0, row, tree, why);
    predecessor_space_free(space);
    csr_free(&csr);
    return fits;
}

/* 66 is 2 edges and 64 more; the largest |D[u]| + |w| is 4, of the last edge. */
static void paths_are_as_long_as_the_row_says(void **state)
{
    const double slack = 66 * 4 * 0x1p-52,
                 h[][3] = {{-1, -1, -1}, {0, -1, 0}}; /* of all, of the one between */
    (void)state;
    assert_true(two_edges_fit(DTYPE_F64, (double[]){0, 1.5, 4}, NULL));
    assert_false(two_edges_fit(DTYPE_F64, (double[]){0, 1.5, 200}, NULL));
    assert_string_equal(why, "row 1: vertex 3 has the distance 200, and the nearest path has 4");
    assert_false(two_edges_fit(DTYPE_F64, (double[]){0, 100, 4}, NULL));
    assert_false(two_edges_fit(DTYPE_F64, (double[]){0, 1.5, 3.9}, NULL));
    for (int sign = -1; sign <= 1; sign += 2) {
        assert_true(two_edges_fit(DTYPE_F64, (double[]){0, 1.5, 4 + sign * 0.9 * slack}, NULL));
        assert_false(two_edges_fit(DTYPE_F64, (double[]){0, 1.5, 4 + sign * 1.1 * slack}, NULL));
        for (size_t k = 0; k < 2; k++)
            assert_true(two_edges_fit(DTYPE_F64, (double[]){0, 1.5, 4 + sign * 1.9 * slack}, h[k]));
    }
    assert_true(two_edges_fit(DTYPE_F32, (float[]){0, 1.5F, 4 + 0x1p-18F}, NULL));
    assert_false(two_edges_fit(DTYPE_F32, (float[]){0, 1.5F, 4 + 0x1p-13F}, NULL));
}

/* Potentials excuse what they lead to: none of a component of its own, none at another end. */
static void far_potentials_excuse_nothing(void **state)
{
    const double weights[] = {1, -1e20, -1e20, 0.5};
    (void)state;
    for (uint32_t e = 0; e < 4; e++)
        edges[e] =
            (struct edge){.from = (uint32_t[]){0, 0, 3, 1}[e], .to = (uint32_t[]){1, 2, 4, 5}[e]};
    for (size_t e = 0; e < 4; e++)
        edges[e].weight.real = weights[e];
    struct csr csr = make(6, true, 4);
    struct potential potential = find_potential(&csr, true);
    const struct certificate certificate = {
        .edges = &csr, .potential = &potential, .labels = {1, NULL}};
    struct predecessor_space *space = predecessor_space_new(6, DTYPE_F64);
    double row[] = {0, 1, -1e20, INFINITY, INFINITY, 1.5}, sums[6];
    int32_t tree[6];
    assert_true(predecessor_row(&certificate, space, 0, row, tree, why));
    row[2] = nextafter(-1e20, 0);
    assert_true(predecessor_row(&certificate, space, 0, row, tree, why));
    row[5] = 7;
    assert_false(predecessor_row(&certificate, space, 0, row, tree, why));
    assert_false(predecessor_sums(&certificate, space, 0, row, sums, why));
    assert_string_equal(why, "row 1: vertex 6 has the distance 7, and the nearest path has 1.5");
    predecessor_space_free(space);
    potential_free(&potential);
    csr_free(&csr);
}

/* Real distances of whole weights, and more digits than 32 bits have. */
static void whole_weights_may_have_real_distances(void **state)
{
    (void)state;
    edges[0] = (struct edge){.from = 0, .to = 1, .weight.whole = INT64_C(1) << 40};
    edges[1] = (struct edge){.from = 1, .to = 2, .weight.whole = 1};
    struct csr csr = make(3, false, 2);
    struct predecessor_space *space = predecessor_space_new(3, DTYPE_F64);
    const double row[] = {0, 0x1p40, 0x1p40 + 1};
    int32_t tree[3];
    assert_true(predecessor_row(&(struct certificate){.edges = &csr}, space, 0, row, tree, why));
    check_tree(&csr, 0, row, DTYPE_F64, tree, 0);
    csr_free(&csr);
    predecessor_space_free(space);
    predecessor_space_free(NULL);
}

static void rows_of_16_bits_have_trees(void **state)
{
    (void)state;
    edges[0] = (struct edge){.from = 0, .to = 1, .weight.whole = 65530};
    edges[1] = (struct edge){.from = 1, .to = 2, .weight.whole = 4};
    struct csr csr = make(4, false, 2);
    struct predecessor_space *space = predecessor_space_new(4, DTYPE_U16);
    const struct certificate certificate = {.edges = &csr};
    const int32_t parents[] = {-1, 0, 1, -1};
    int32_t tree[4];
    assert_true(
        predecessor_row(&certificate, space, 0, (uint16_t[]){0, 65530, 65534, 65535}, tree, why));
    assert_memory_equal(tree, parents, sizeof tree);
    assert_false(
        predecessor_row(&certificate, space, 0, (uint16_t[]){0, 65530, 65535, 65535}, tree, why));
    csr_free(&csr);
    predecessor_space_free(space);
}

static void needs_cover_the_work_space(void **state)
{
    (void)state;
    assert_true(predecessor_need(INT32_MAX, DTYPE_F32) >= (size_t)INT32_MAX * 40);
    assert_true(predecessor_need(INT32_MAX, DTYPE_I64) >= (size_t)INT32_MAX * 12);
    assert_true(predecessor_need(SIZE_MAX / 16, DTYPE_F64) == SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_trees_are_exact),
        cmocka_unit_test(real_trees_are_right_but_for_rounding),
        cmocka_unit_test(paths_are_as_long_as_the_row_says),
        cmocka_unit_test(far_potentials_excuse_nothing),
        cmocka_unit_test(sums_are_the_least_whoever_made_the_row),
        cmocka_unit_test(the_least_sum_counts_though_the_row_hides_it),
        cmocka_unit_test(wrong_rows_have_no_sums),
        cmocka_unit_test(zero_cycles_are_left),
        cmocka_unit_test(impossible_rows_are_refused),
        cmocka_unit_test(rows_of_16_bits_have_trees),
        cmocka_unit_test(needs_cover_the_work_space),
        cmocka_unit_test(whole_weights_may_have_real_distances),
    };
    return cmocka_run_group_tests_name("predecessor", tests, NULL, NULL) != 0;
}
