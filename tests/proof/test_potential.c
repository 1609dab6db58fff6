/* potential.c: potentials that make no weight negative, or a cycle that is there and negative. */
#include "unit.h"

#include "base/clock.h"
#include "base/random.h"
#include "make_csr.h"
#include "proof/potential.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>

enum { SMALL = 12, EDGES = 60 };

static uint64_t state_of_random = 2026;

static int64_t draw(int64_t low, int64_t high)
{
    return low + (int64_t)(random_next(&state_of_random) % (uint64_t)(high - low + 1));
}

static void find(struct potential *potential, struct cycle *cycle, const struct csr *csr,
                 int threads)
{
    struct apsp_error error = {0};
    assert_int_equal(potential_find(potential, cycle, csr, threads, &error), APSP_OK);
    assert_string_equal(error.text, "");
}

/* The lightest edge from u to v of those given. */
static const struct edge *edge_between(const struct edge *edges, size_t m, bool real, uint32_t u,
                                       uint32_t v)
{
    const struct edge *best = NULL;
    for (size_t e = 0; e < m; e++)
        if (edges[e].from == u && edges[e].to == v &&
            (!best || (real ? edges[e].weight.real < best->weight.real
                            : edges[e].weight.whole < best->weight.whole)))
            best = &edges[e];
    return best;
}

/* Its edges are edges, its vertices different, its sum as said and below zero. */
static void check_cycle(const struct cycle *cycle, size_t n, bool real, const struct edge *edges,
                        size_t m)
{
    int64_t whole = 0;
    double value = 0;
    char *seen = calloc(n, 1);
    for (size_t i = 0; i < cycle->length; i++) {
        uint32_t u = cycle->vertex[i], v = cycle->vertex[(i + 1) % cycle->length];
        const struct edge *edge = edge_between(edges, m, real, u, v);
        assert_non_null(edge);
        assert_false(seen[u]);
        seen[u] = 1;
        if (real)
            value += edge->weight.real;
        else
            whole += edge->weight.whole;
    }
    free(seen);
    if (real)
        assert_true(cycle->sum.real < 0 && fabs(value - cycle->sum.real) <= 1e-12 * fabs(value));
    else
        assert_true(cycle->sum.whole < 0 && whole == cycle->sum.whole);
}

static void check_potential(const struct potential *potential, size_t n, bool real,
                            const struct edge *edges, size_t m)
{
    assert_int_equal(potential->n, n);
    for (size_t v = 0; v < n; v++)
        assert_true(real ? potential->h[v].real <= 0 : potential->h[v].whole <= 0);
    for (size_t e = 0; e < m; e++) {
        uint32_t u = edges[e].from, v = edges[e].to;
        if (real)
            assert_true(edges[e].weight.real + potential->h[u].real - potential->h[v].real >=
                        -1e-12);
        else
            assert_true(edges[e].weight.whole + potential->h[u].whole - potential->h[v].whole >= 0);
    }
}

/* A graph of the given weights; reals are eighths, so that sums are exact. */
static size_t random_graph(struct edge *edges, size_t n, bool real, int64_t low, int64_t high)
{
    size_t m = (size_t)draw(0, EDGES);
    for (size_t e = 0; e < m; e++) {
        int64_t weight = draw(0, 3) ? draw(low, high) : 0;
        edges[e] = (struct edge){
            (uint32_t)draw(0, (int64_t)n - 1), (uint32_t)draw(0, (int64_t)n - 1), {weight}};
        if (real)
            edges[e].weight.real = (double)weight / 8;
    }
    return m;
}

static void agrees_with_the_reference(void **state)
{
    (void)state;
    struct edge edges[EDGES];
    size_t cycles = 0, without = 0;
    for (int trial = 0; trial < 6000; trial++) {
        bool real = trial % 2, negative;
        size_t n = (size_t)draw(1, SMALL),
               m = random_graph(edges, n, real, -draw(0, 6), draw(1, 20));
        void *distances = real ? (void *)reference_real(n, edges, m, &negative)
                               : (void *)reference_whole(n, edges, m, &negative);
        struct csr csr = make_csr(n, real, edges, m);
        struct potential potential;
        struct cycle cycle;
        find(&potential, &cycle, &csr, 1 + trial % 3);
        assert_int_equal(cycle.length > 0, negative);
        if (negative)
            check_cycle(&cycle, n, real, edges, m);
        else
            check_potential(&potential, n, real, edges, m);
        cycles += negative;
        without += !negative;
        potential_free(&potential);
        cycle_free(&cycle);
        csr_free(&csr);
        free(distances);
    }
    assert_true(cycles > 1000 && without > 1000);
}

/* Random weights shifted by potentials of our own: no cycle changes its sum, and many weights are
 * negative.
 */
static size_t shifted_graph(struct edge *edges, size_t n, size_t degree, int64_t *shift)
{
    for (size_t v = 0; v < n; v++)
        shift[v] = draw(-5000, 5000);
    for (size_t e = 0; e < n * degree; e++) {
        uint32_t u = (uint32_t)(e / degree), v = (uint32_t)draw(0, (int64_t)n - 1);
        edges[e] = (struct edge){u, v, {draw(1, 1000) + shift[u] - shift[v]}};
    }
    return n * degree;
}

/* A cycle through `length` vertices of total -1 in place of the last edges. */
static void hide_cycle(struct edge *edges, size_t m, size_t n, size_t length, const int64_t *shift)
{
    uint32_t *order = malloc(n * sizeof *order);
    for (size_t v = 0; v < n; v++) {
        size_t at = (size_t)draw(0, (int64_t)v);
        order[v] = order[at];
        order[at] = (uint32_t)v;
    }
    for (size_t i = 0; i < length; i++) {
        uint32_t u = order[i], v = order[(i + 1) % length];
        edges[m - length + i] = (struct edge){u, v, {shift[u] - shift[v] - (i == 0)}};
    }
    free(order);
}

static void hidden_cycles_are_found_soon(void **state)
{
    enum { N = 20000, DEGREE = 8, M = N * DEGREE };
    static const size_t lengths[] = {0, 1, 2, 3, 10, 300, N};
    struct edge *edges = malloc(M * sizeof *edges);
    int64_t *shift = malloc(N * sizeof *shift);
    (void)state;
    assert_true(edges && shift);
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        struct potential potential;
        struct cycle cycle;
        shifted_graph(edges, N, DEGREE, shift);
        hide_cycle(edges, M, N, lengths[k], shift);
        struct csr csr = make_csr(N, false, edges, M);
        double start = clock_seconds();
        find(&potential, &cycle, &csr, 2);
        print_message("negative cycle of %zu vertices: %.3f s, %zu found\n", lengths[k],
                      clock_seconds() - start, cycle.length);
        assert_true(clock_seconds() - start < 20); /* on a busy machine */
        assert_int_equal(cycle.length > 0, lengths[k] > 0);
        if (cycle.length)
            check_cycle(&cycle, N, false, edges, M);
        else
            check_potential(&potential, N, false, edges, M);
        potential_free(&potential);
        cycle_free(&cycle);
        csr_free(&csr);
    }
    free(shift);
    free(edges);
}

static void threads_change_nothing(void **state)
{
    enum { N = 3000, M = 8 * N };
    struct edge *edges = malloc(M * sizeof *edges);
    int64_t shift[N];
    (void)state;
    shifted_graph(edges, N, 8, shift);
    for (int hidden = 0; hidden < 2; hidden++) {
        struct potential one, many;
        struct cycle first, second;
        hide_cycle(edges, M, N, hidden ? 40 : 0, shift);
        struct csr csr = make_csr(N, false, edges, M);
        find(&one, &first, &csr, 1);
        find(&many, &second, &csr, 4);
        assert_int_equal(first.length, second.length);
        if (first.length)
            assert_memory_equal(first.vertex, second.vertex, first.length * sizeof *first.vertex);
        else
            assert_memory_equal(one.h, many.h, N * sizeof *one.h);
        potential_free(&one);
        potential_free(&many);
        cycle_free(&first);
        cycle_free(&second);
        csr_free(&csr);
    }
    free(edges);
}

/* Vertices that are reached one a round, and sums to the end of the range. */
static void long_paths_and_large_weights(void **state)
{
    enum { N = 5000 };
    static struct edge edges[N];
    const int64_t weights[] = {-1, -(INT64_C(1) << 31), -(INT64_C(1) << 62) / N};
    (void)state;
    for (size_t k = 0; k < sizeof weights / sizeof *weights; k++) {
        struct potential potential;
        struct cycle cycle;
        for (uint32_t v = 0; v + 1 < N; v++)
            edges[v] = (struct edge){v + 1, v, {weights[k]}};
        struct csr csr = make_csr(N, false, edges, N - 1);
        find(&potential, &cycle, &csr, 2);
        assert_int_equal(cycle.length, 0);
        for (size_t v = 0; v < N; v++)
            assert_true(potential.h[v].whole == weights[k] * (int64_t)(N - 1 - v));
        assert_true(potential_depth(&potential) == -weights[k] * (N - 1));
        potential_free(&potential);
        csr_free(&csr);
        edges[N - 1] = (struct edge){0, N - 1, {-weights[k] * (N - 1) - 1}};
        csr = make_csr(N, false, edges, N);
        find(&potential, &cycle, &csr, 2);
        assert_int_equal(cycle.length, N);
        assert_true(cycle.sum.whole == -1);
        cycle_free(&cycle);
        csr_free(&csr);
    }
}

static void sums_that_do_not_fit_are_refused(void **state)
{
    struct edge edges[] = {{0, 1, {-(INT64_C(1) << 62)}}, {1, 2, {-1}}},
                real[2] = {{0, 1, {0}}, {1, 2, {0}}};
    struct potential potential;
    struct cycle cycle;
    struct apsp_error error = {0};
    (void)state;
    struct csr csr = make_csr(3, false, edges, 2);
    assert_int_equal(potential_find(&potential, &cycle, &csr, 1, &error), APSP_INPUT);
    csr_free(&csr);
    csr = make_csr(3, false, edges, 1);
    find(&potential, &cycle, &csr, 1);
    assert_true(potential.h[1].whole == -(INT64_C(1) << 62));
    potential_free(&potential);
    csr_free(&csr);
    real[0].weight.real = real[1].weight.real = -1.5e308;
    error = (struct apsp_error){0};
    csr = make_csr(3, true, real, 2);
    assert_int_equal(potential_find(&potential, &cycle, &csr, 1, &error), APSP_INPUT);
    csr_free(&csr);
}

/* Tenths are not binary fractions: cycles that are zero in decimals must not count as negative. */
static void decimal_zero_cycles_are_no_cycles(void **state)
{
    (void)state;
    for (int64_t trial = 0; trial < 2000; trial++) {
        enum { N = 8 };
        struct edge edges[2 * N];
        struct potential potential;
        struct cycle cycle;
        int64_t sum = 0;
        for (uint32_t v = 0; v + 1 < N; v++) {
            int64_t tenths = draw(-50, 50);
            edges[v] = (struct edge){v, v + 1, {0}};
            edges[v].weight.real = (double)tenths / 10;
            sum += tenths;
        }
        edges[N - 1] = (struct edge){N - 1, 0, {0}};
        edges[N - 1].weight.real = (double)-sum / 10;
        struct csr csr = make_csr(N, true, edges, N);
        find(&potential, &cycle, &csr, 1);
        assert_int_equal(cycle.length, 0);
        check_potential(&potential, N, true, edges, N);
        potential_free(&potential);
        csr_free(&csr);
    }
}

/* Reals of very different size, in one graph: a part of it is as exact as its own potentials allow.
 */
static void large_weights_do_not_swallow_small_ones(void **state)
{
    static const struct {
        struct {
            uint32_t from, to;
            double weight;
        } edges[4];
        size_t m, cycle;  /* vertices of the one that is there */
        double potential; /* of vertex 3 */
    } graphs[] = {
        {{{0, 1, -1e18}, {2, 3, -0.002}}, 2, 0, -0.002},
        {{{0, 1, -1e18}, {2, 3, -0.002}, {3, 2, 0.001}}, 3, 2, 0},
        {{{0, 1, -1e300}, {2, 3, -1e-300}, {3, 2, 1e-300}}, 3, 0, -1e-300},
        {{{0, 1, 1e300}, {1, 0, 1e300}, {2, 3, -1e-300}, {3, 2, 0.9e-300}}, 4, 2, 0},
    };
    (void)state;
    for (size_t k = 0; k < sizeof graphs / sizeof *graphs; k++) {
        struct edge edges[4];
        struct potential potential;
        struct cycle cycle;
        for (size_t e = 0; e < graphs[k].m; e++) {
            edges[e] = (struct edge){graphs[k].edges[e].from, graphs[k].edges[e].to, {0}};
            edges[e].weight.real = graphs[k].edges[e].weight;
        }
        struct csr csr = make_csr(4, true, edges, graphs[k].m);
        find(&potential, &cycle, &csr, 1);
        assert_int_equal(cycle.length, graphs[k].cycle);
        if (cycle.length)
            check_cycle(&cycle, 4, true, edges, graphs[k].m);
        else
            assert_true(fabs(potential.h[3].real - graphs[k].potential) <=
                        1e-15 * -graphs[k].potential);
        potential_free(&potential);
        cycle_free(&cycle);
        csr_free(&csr);
    }
}

/* Edges of -1 into the centre of a star, and back: the sum of the negative weights is N - 1 times
 * any path's, and a cycle of 2^-61 of it is still found. */
static void units_follow_the_longest_path(void **state)
{
    enum { N = 4097, M = 2 * (N - 1) };
    static struct edge edges[M];
    (void)state;
    for (uint32_t v = 1; v < N; v++) {
        edges[2 * v - 2] = (struct edge){v, 0, {0}};
        edges[2 * v - 1] = (struct edge){0, v, {0}};
        edges[2 * v - 2].weight.real = -1;
        edges[2 * v - 1].weight.real = 1 + 0x1p-30;
    }
    for (int negative = 0; negative < 2; negative++) {
        struct potential potential;
        struct cycle cycle;
        edges[M - 1].weight.real = 1 - (negative ? 0x1p-49 : 0);
        struct csr csr = make_csr(N, true, edges, M);
        find(&potential, &cycle, &csr, 2);
        assert_int_equal(cycle.length, negative ? 2 : 0);
        for (size_t v = 0; v < N && !negative; v++)
            assert_true(fabs(potential.h[v].real - (v ? 0 : -1)) <= 0x1p-50);
        potential_free(&potential);
        cycle_free(&cycle);
        csr_free(&csr);
    }
}

/* Multiples of a power of two have the potentials that whole numbers have, to the last bit, up to
 * 2^53 of them; decimals of as many bits not. */
static void sums_of_binary_fractions_are_exact(void **state)
{
    enum { N = 300, M = 6 * N };
    static struct edge whole[M], real[M];
    static const int powers[] = {-2, 0, -40, 30, -900, 900};
    int64_t shifts[N];
    (void)state;
    for (int trial = 0; trial < 12; trial++) {
        struct potential exact, found;
        struct cycle cycle;
        int power = powers[trial % 6],
            spread = trial < 6 ? 0 : 38; /* bits beyond shifted_graph's 13 */
        shifted_graph(whole, N, M / N, shifts);
        for (size_t e = 0; e < M; e++) {
            whole[e].weight.whole *= (INT64_C(1) << spread) - (spread > 0);
            real[e] = whole[e];
            real[e].weight.real = ldexp((double)whole[e].weight.whole, power);
        }
        struct csr of_whole = make_csr(N, false, whole, M), of_real = make_csr(N, true, real, M);
        find(&exact, &cycle, &of_whole, 1);
        find(&found, &cycle, &of_real, 2);
        assert_int_equal(cycle.length, 0);
        assert_true(potential_depth(&exact) < INT64_C(1) << 53);
        for (size_t v = 0; v < N; v++)
            assert_true(found.h[v].real == ldexp((double)exact.h[v].whole, power));
        potential_free(&exact);
        potential_free(&found);
        csr_free(&of_whole);
        csr_free(&of_real);
    }
}

/* A negative cycle of one unit, beside the heaviest weights that leave no doubt of it. */
static void light_cycles_of_binary_fractions_are_found(void **state)
{
    const double heavy = 0x1p47;
    struct edge edges[] = {{0, 1, {0}}, {1, 2, {0}}, {2, 0, {0}}};
    (void)state;
    for (int negative = 0; negative < 2; negative++) {
        struct potential potential;
        struct cycle cycle;
        edges[0].weight.real = -heavy;
        edges[1].weight.real = -0.25;
        edges[2].weight.real = heavy + (negative ? 0 : 0.25);
        struct csr csr = make_csr(3, true, edges, 3);
        find(&potential, &cycle, &csr, 1);
        assert_int_equal(cycle.length, negative ? 3 : 0);
        assert_true(negative || potential.h[2].real == -heavy - 0.25);
        potential_free(&potential);
        cycle_free(&cycle);
        csr_free(&csr);
    }
}

/* Components in a row, each a cycle of weight zero, with the way onward and heavier ways past them.
 */
static void components_pass_values_on(void **state)
{
    enum { SIZE = 5, COUNT = 300, N = SIZE * COUNT, M = 3 * N };
    static struct edge edges[M];
    (void)state;
    for (int real = 0; real < 2; real++) {
        struct potential potential;
        struct cycle cycle;
        size_t m = 0;
        for (uint32_t v = 0; v < N; v++) {
            uint32_t first = v / SIZE * SIZE;
            edges[m++] = (struct edge){v, first + (v + 1) % SIZE, {v % SIZE ? -1 : SIZE - 1}};
            if (v + SIZE < N)
                edges[m++] = (struct edge){v, v + SIZE, {-2}};
            if (v + 3 * SIZE < N)
                edges[m++] = (struct edge){v, v + 3 * SIZE, {-5}};
        }
        for (size_t e = 0; e < m && real; e++)
            edges[e].weight.real = (double)edges[e].weight.whole / 8;
        struct csr csr = make_csr(N, real, edges, m);
        find(&potential, &cycle, &csr, 2);
        assert_int_equal(cycle.length, 0);
        check_potential(&potential, N, real, edges, m);
        for (size_t v = 0; v < N; v++) {
            int64_t want =
                -2 * (int64_t)(v / SIZE) - (v % SIZE ? (int64_t)(v % SIZE) - 1 : SIZE - 1);
            assert_true(real ? fabs(potential.h[v].real - (double)want / 8) < 1e-12
                             : potential.h[v].whole == want);
        }
        potential_free(&potential);
        csr_free(&csr);
    }
}

/* Every edge that there can be without a cycle: each is looked at a few times, however long the
 * paths. */
static void graphs_without_cycles_take_one_pass(void **state)
{
    enum { N = 2000, M = N * (N - 1) / 2 };
    struct edge *edges = malloc(M * sizeof *edges);
    size_t m = 0;
    struct potential potential;
    struct cycle cycle;
    (void)state;
    assert_non_null(edges);
    for (uint32_t u = 0; u < N; u++)
        for (uint32_t v = u + 1; v < N; v++)
            edges[m++] = (struct edge){u, v, {-1}};
    struct csr csr = make_csr(N, false, edges, m);
    double start = clock_seconds();
    find(&potential, &cycle, &csr, 1);
    print_message("complete graph without cycles, %d vertices: %.3f s\n", N,
                  clock_seconds() - start);
    assert_true(clock_seconds() - start <
                1); /* on a busy machine; 2000 rounds take longer than 3 */
    for (size_t v = 0; v < N; v++)
        assert_true(potential.h[v].whole == -(int64_t)v);
    potential_free(&potential);
    csr_free(&csr);
    free(edges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_reference),
        cmocka_unit_test(hidden_cycles_are_found_soon),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(long_paths_and_large_weights),
        cmocka_unit_test(sums_that_do_not_fit_are_refused),
        cmocka_unit_test(decimal_zero_cycles_are_no_cycles),
        cmocka_unit_test(large_weights_do_not_swallow_small_ones),
        cmocka_unit_test(units_follow_the_longest_path),
        cmocka_unit_test(sums_of_binary_fractions_are_exact),
        cmocka_unit_test(light_cycles_of_binary_fractions_are_found),
        cmocka_unit_test(components_pass_values_on),
        cmocka_unit_test(graphs_without_cycles_take_one_pass),
    };
    return cmocka_run_group_tests_name("potential", tests, NULL, NULL) != 0;
}
