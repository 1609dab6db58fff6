/* bound.c and component.c against all distances by Bellman and Ford: never below the largest, and
 * as large where that is known. */
#include "unit.h"

#include "base/clock.h"
#include "base/dtype.h"
#include "base/random.h"
#include "graph/component.h"
#include "graph/generate.h"
#include "make_csr.h"
#include "proof/bound.h"
#include "reference.h"

#include <stdlib.h>

enum { SMALL = 12, EDGES = 60 };

static uint64_t state_of_random = 2026;

static int64_t draw(int64_t low, int64_t high)
{
    return low + (int64_t)(random_next(&state_of_random) % (uint64_t)(high - low + 1));
}

static struct csr make(size_t n, const struct edge *edges, size_t m)
{
    return make_csr(n, false, edges, m);
}

static int64_t bound_by(const struct csr *csr, const struct bound_request *request)
{
    struct apsp_error error = {0};
    int64_t bound = -1;
    assert_int_equal(bound_by_landmarks(&bound, csr, request, &error), APSP_OK);
    return bound;
}

static int64_t bound_of(const struct csr *csr, int64_t enough, int threads)
{
    return bound_by(csr, &(struct bound_request){enough, false, BOUND_LANDMARKS, threads});
}

static int64_t bound_of_edges(size_t n, const struct edge *edges, size_t m, int64_t enough)
{
    struct csr csr = make(n, edges, m);
    int64_t bound = bound_of(&csr, enough, 1);
    csr_free(&csr);
    return bound;
}

/* Few edges: many components; many: one. */
static size_t random_graph(struct edge *edges, size_t n, int64_t most)
{
    size_t m = (size_t)draw(0, draw(0, EDGES));
    for (size_t e = 0; e < m; e++)
        edges[e] = (struct edge){
            (uint32_t)draw(0, (int64_t)n - 1), (uint32_t)draw(0, (int64_t)n - 1), {draw(0, most)}};
    return m;
}

static int64_t largest_finite(const int64_t *distances, size_t count)
{
    int64_t largest = 0;
    for (size_t k = 0; k < count; k++)
        if (distances[k] < INF_I64 && distances[k] > largest)
            largest = distances[k];
    return largest;
}

static void is_never_below_a_distance(void **state)
{
    struct edge edges[EDGES];
    double sum = 0, right = 0;
    (void)state;
    for (int trial = 0; trial < 20000; trial++) {
        bool cycle;
        size_t n = (size_t)draw(1, SMALL), m = random_graph(edges, n, trial % 3 ? 50 : INT32_MAX);
        int64_t *distances = reference_whole(n, edges, m, &cycle);
        int64_t largest = largest_finite(distances, n * n);
        struct csr csr = make(n, edges, m);
        int64_t exact = bound_of(&csr, largest + 1, 1), early = bound_of(&csr, draw(0, 300), 2);
        assert_true(exact >= largest && early >= largest);
        const struct bound_request sweep = {draw(0, largest + 1), true, 0, 1 + trial % 2},
                                   both = {largest + 1, true, BOUND_LANDMARKS, 2};
        const int64_t swept = bound_by(&csr, &sweep), better = bound_by(&csr, &both);
        assert_true(swept >= largest && better >= largest &&
                    (better == exact || better <= largest));
        sum += (double)exact;
        right += (double)largest;
        csr_free(&csr);
        free(distances);
    }
    print_message("bounds are %.2f of the largest distance\n", sum / right);
    assert_true(sum < 2.5 * right);
}

/* u and v are in one component exactly if both distances are finite; edges never lead up. */
static void components_are_the_strong_ones(void **state)
{
    struct edge edges[EDGES];
    (void)state;
    for (int trial = 0; trial < 5000; trial++) {
        bool cycle;
        struct components found;
        struct apsp_error error = {0};
        size_t n = (size_t)draw(1, SMALL), m = random_graph(edges, n, 9);
        int64_t *distances = reference_whole(n, edges, m, &cycle);
        struct csr csr = make(n, edges, m);
        assert_int_equal(components_find(&found, &csr, &error), APSP_OK);
        for (size_t u = 0; u < n; u++)
            for (size_t v = 0; v < n; v++)
                assert_int_equal(found.of[u] == found.of[v],
                                 distances[u * n + v] < INF_I64 && distances[v * n + u] < INF_I64);
        for (size_t e = 0; e < m; e++)
            assert_true(found.of[edges[e].from] >= found.of[edges[e].to]);
        for (size_t c = 0, at = 0; c < found.count; c++)
            for (at = found.first[c]; at < found.first[c + 1]; at++)
                assert_int_equal(found.of[found.member[at]], c);
        assert_int_equal(found.first[found.count], n);
        components_free(&found);
        csr_free(&csr);
        free(distances);
    }
}

static void directed_paths_are_exact(void **state)
{
    struct edge edges[1000];
    (void)state;
    for (uint32_t v = 0; v < 999; v++)
        edges[v] = (struct edge){v, v + 1, {v % 7}};
    assert_int_equal(bound_of_edges(1000, edges, 999, INF_U16), 999 / 7 * 21 + 10);
    const int64_t longest[] = {32766, 32767, INF_I32 - 1, INF_I32, INF_I64 - 1};
    for (size_t k = 0; k < sizeof longest / sizeof *longest; k++) {
        const struct edge path[] = {
            {1, 0, {longest[k] - 5}}, {2, 1, {5}}, {2, 1, {9}}, {0, 0, {7}}};
        assert_true(bound_of_edges(3, path, 4, longest[k] + 1) == longest[k]);
    }
}

static void known_shapes(void **state)
{
    struct edge edges[2000];
    (void)state;
    for (uint32_t v = 0; v < 100; v++)
        edges[v] = (struct edge){v, (v + 1) % 100, {3}};
    assert_int_equal(bound_of_edges(100, edges, 100, 298),
                     297); /* a cycle: the heaviest weight is as good as it gets */
    for (uint32_t v = 0; v < 100; v++) {
        edges[2 * v] = (struct edge){v + 1, 0, {v}};
        edges[2 * v + 1] = (struct edge){0, v + 1, {v}};
    }
    assert_int_equal(bound_of_edges(101, edges, 200, 198),
                     198); /* a star: its centre is the landmark */
    for (uint32_t v = 0; v < 100; v++) {
        edges[2 * v] = (struct edge){v, v + 1, {2}};
        edges[2 * v + 1] = (struct edge){v + 1, v, {2}};
    }
    assert_int_equal(bound_of_edges(101, edges, 200, 201), 200);
    assert_int_equal(bound_of_edges(5, edges, 0, 1), 0);
    assert_int_equal(bound_of_edges(1, edges, 0, 1), 0);
}

static void large_weights_do_not_wrap(void **state)
{
    (void)state;
    const struct edge path[] = {{0, 1, {INT64_MAX}}, {1, 2, {INT64_MAX}}};
    const struct edge cycle[] = {{0, 1, {INT64_MAX - 1}}, {1, 2, {INT64_MAX - 1}}, {2, 0, {0}}};
    const struct edge hidden[] = {
        {0, 1, {INT64_MAX / 2}}, {1, 2, {INT64_MAX / 2}}, {2, 3, {9}}, {3, 0, {0}}, {0, 3, {0}}};
    /* The landmark 0 is near to 1 and 3, and its distance to 2 does not fit. */
    const struct edge beyond[] = {
        {0, 1, {1}}, {1, 0, {1}}, {0, 3, {1}}, {3, 0, {1}}, {1, 2, {INT64_MAX - 1}}, {2, 0, {0}}};
    assert_true(bound_of_edges(4, beyond, 6, INF_I64) == INT64_MAX);
    assert_true(bound_of_edges(3, path, 2, INF_I64) == INT64_MAX);
    assert_true(bound_of_edges(4, hidden, 5, INT64_MAX) == INT64_MAX);
    assert_true(bound_of_edges(3, cycle, 3, INF_I64) == INT64_MAX);
    assert_true(bound_by_weight(INT32_MAX, INT64_MAX) == INT64_MAX);
    assert_true(bound_by_weight(INT32_MAX, INT32_MAX) == (int64_t)(INT32_MAX - 1) * INT32_MAX);
    assert_int_equal(bound_by_weight(1, 1000), 0);
    assert_int_equal(bound_by_weight(4, 1000), 3000);
    assert_int_equal(bound_by_weight(4, -3), 0);
}

static struct csr generated(const char *family, size_t n, size_t degree)
{
    struct generate_plan plan = {.family = family,
                                 .n = n,
                                 .m = GENERATE_BY_DEGREE,
                                 .degree = degree,
                                 .seed = 1,
                                 .low = 1,
                                 .high = 1000};
    struct generator *generator;
    struct apsp_error error = {0};
    struct edge *edges;
    assert_int_equal(generate_open(&generator, &plan, &error), APSP_OK);
    size_t m = generate_total(generator), count = 0;
    edges = malloc(m * sizeof *edges);
    assert_non_null(edges);
    while (count < m)
        count += generate_next(generator, edges + count, m - count);
    struct csr csr = make(n, edges, m);
    generate_free(generator);
    free(edges);
    return csr;
}

static void is_fast(void **state)
{
    (void)state;
    const struct {
        const char *family;
        size_t n, degree;
    } graphs[] = {{"random", 20000, 8},
                  {"random", 40000, 8},
                  {"random", 20000, 2},
                  {"grid", 20000, 0},
                  {"path", 20000, 0}};
    for (size_t k = 0; k < sizeof graphs / sizeof *graphs; k++) {
        struct csr csr = generated(graphs[k].family, graphs[k].n, graphs[k].degree);
        double best = 1e9;
        int64_t bound = 0;
        for (int pass = 0; pass < 5; pass++) {
            double start = clock_seconds();
            bound = bound_of(&csr, INF_U16, 2);
            best = clock_seconds() - start < best ? clock_seconds() - start : best;
        }
        print_message("%s, n = %zu, m = %zu: bound %lld in %.1f ms\n", graphs[k].family,
                      graphs[k].n, csr.m, (long long)bound, 1e3 * best);
        assert_true(best < 1); /* on a busy machine */
        csr_free(&csr);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_never_below_a_distance),
        cmocka_unit_test(components_are_the_strong_ones),
        cmocka_unit_test(directed_paths_are_exact),
        cmocka_unit_test(known_shapes),
        cmocka_unit_test(large_weights_do_not_wrap),
        cmocka_unit_test(is_fast),
    };
    return cmocka_run_group_tests_name("bound", tests, NULL, NULL) != 0;
}
