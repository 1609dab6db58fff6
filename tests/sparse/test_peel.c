/* Peeling, against elimination in a matrix of neighbours. */
#include "unit.h"

#include "base/random.h"
#include "make_grid.h"
#include "sparse/etree.h"
#include "sparse/order.h"
#include "sparse/peel.h"

#include <string.h>

/* Vertices of a graph; and what a vertex that goes carries at most, for itself and those before. */
enum { MOST = 40, CAP = 64 };

static uint64_t state_of_random = 5;

struct known {
    size_t n;
    bool joined[MOST][MOST];
    size_t weight[MOST]; /* beyond its own */
};

static void join(struct known *graph, size_t a, size_t b)
{
    graph->joined[a][b] = graph->joined[b][a] = a != b;
}

static struct pattern pattern_of(const struct known *graph)
{
    struct pattern pattern = {.n = graph->n};
    size_t m = 0;
    pattern.start = calloc(graph->n + 1, sizeof *pattern.start);
    pattern.to = malloc((graph->n * graph->n + 1) * sizeof *pattern.to);
    assert_true(pattern.start && pattern.to);
    for (size_t v = 0; v < graph->n; v++) {
        for (uint32_t u = 0; u < graph->n; u++)
            if (graph->joined[v][u])
                pattern.to[m++] = u;
        pattern.start[v + 1] = m;
    }
    return pattern;
}

static size_t neighbours(const struct known *graph, size_t v, size_t *found)
{
    size_t count = 0;
    for (size_t u = 0; u < graph->n; u++)
        if (graph->joined[v][u])
            found[count++] = u;
    return count;
}

/* Takes a vertex of at most two neighbours, which become neighbours of each other. */
static void eliminate(struct known *graph, size_t v)
{
    size_t found[MOST];
    const size_t count = neighbours(graph, v, found);
    assert_true(count <= 2);
    if (count == 2)
        join(graph, found[0], found[1]);
    for (size_t k = 0; k < count; k++) {
        graph->joined[v][found[k]] = graph->joined[found[k]][v] = false;
        graph->weight[found[k]] += graph->weight[v] + 1;
    }
}

/* Nothing is left that might go, and the edges between the others are right. Returns how many are
 * left. The graph is used up. */
static size_t check(struct known *graph)
{
    struct pattern pattern = pattern_of(graph);
    struct apsp_error error = {0};
    struct peel peel;
    uint32_t vertex[MOST];
    size_t found[MOST];
    bool gone[MOST] = {false};
    assert_int_equal(peel_make(&peel, vertex, &pattern, &error), APSP_OK);
    for (size_t i = 0; i < peel.count; i++) {
        assert_false(gone[vertex[i]]);
        gone[vertex[i]] = true;
        eliminate(graph, vertex[i]);
    }
    assert_int_equal(peel.rest.n, graph->n - peel.count);
    for (size_t i = 0; i < peel.rest.n; i++) {
        const size_t count = neighbours(graph, peel.name[i], found);
        assert_false(gone[peel.name[i]]);
        assert_true(count > 2 || graph->weight[peel.name[i]] + 1 > CAP);
        assert_int_equal(peel.rest.start[i + 1] - peel.rest.start[i], count);
        for (size_t e = peel.rest.start[i]; e < peel.rest.start[i + 1]; e++)
            assert_true(graph->joined[peel.name[i]][peel.name[peel.rest.to[e]]]);
    }
    const size_t left = peel.rest.n;
    peel_free(&peel);
    free_grid(&pattern);
    return left;
}

static void graphs_at_random(void **state)
{
    (void)state;
    for (int trial = 0; trial < 500; trial++) {
        struct known graph = {.n = 1 + random_below(&state_of_random, MOST)};
        const size_t edges = random_below(&state_of_random, 2 * (uint32_t)graph.n);
        for (size_t e = 0; e < edges; e++)
            join(&graph, random_below(&state_of_random, (uint32_t)graph.n),
                 random_below(&state_of_random, (uint32_t)graph.n));
        check(&graph);
    }
}

/* Each corner that goes leaves an edge beside another one, and both count as one. */
static void ladders_go_whole(void **state)
{
    (void)state;
    for (size_t rungs = 2; rungs <= 4; rungs++) {
        struct known graph = {.n = 2 * rungs};
        for (size_t v = 0; v < 2 * rungs; v += 2) {
            join(&graph, v, v + 1);
            if (v + 2 < 2 * rungs) {
                join(&graph, v, v + 2);
                join(&graph, v + 1, v + 3);
            }
        }
        assert_int_equal(check(&graph), 0);
    }
}

/* A grid with a vertex on every street to the east. */
static struct pattern make_streets(uint32_t side)
{
    const uint32_t corners = side * side, n = corners + side * (side - 1);
    struct pattern grid = {.n = n};
    size_t m = 0;
    grid.start = calloc(n + 1, sizeof *grid.start);
    grid.to = malloc(4 * (size_t)n * sizeof *grid.to);
    assert_true(grid.start && grid.to);
    for (uint32_t v = 0; v < n; v++) {
        const uint32_t street = v - corners, x = v % side, y = v / side;
        const uint32_t west = corners + y * (side - 1) + x - 1,
                       corner = street / (side - 1) * side + street % (side - 1);
        const bool there[] = {v < corners && y > 0, v < corners && y + 1 < side,
                              v < corners && x > 0, v < corners && x + 1 < side,
                              v >= corners,         v >= corners};
        const uint32_t other[] = {v - side, v + side, west, west + 1, corner, corner + 1};
        for (int i = 0; i < 6; i++)
            if (there[i])
                grid.to[m++] = other[i];
        grid.start[v + 1] = m;
    }
    return grid;
}

/* Vertices that go first are eliminated just before one that they are next to, so that subtrees lie
 * side by side. */
static void peeled_vertices_stay_near(void **state)
{
    enum { SIDE = 100, LEAST = 2000 };
    struct pattern grid = make_streets(SIDE);
    struct progress progress = {.steps = grid.n};
    const struct order_way way = {1, 2, &progress};
    struct apsp_error error = {0};
    struct etree etree;
    uint32_t *vertex = malloc(4 * grid.n * sizeof *vertex), *rank = vertex + grid.n;
    (void)state;
    assert_int_equal(order_make(vertex, &grid, &way, &error), APSP_OK);
    memset(rank, 0xff, grid.n * sizeof *rank);
    for (uint32_t i = 0; i < grid.n; i++) {
        assert_int_equal(rank[vertex[i]], UINT32_MAX);
        rank[vertex[i]] = i;
    }
    const struct etree_order order = {&grid, vertex, rank, LEAST};
    assert_int_equal(etree_make(&etree, &order, rank + grid.n, 2, &error), APSP_OK);
    assert_true(etree.chunks > 5);
    assert_true(etree.tops < grid.n / 8);
    for (uint32_t v = SIDE * SIDE; v < grid.n; v++)
        assert_true(etree.parent[rank[v]] <= rank[v] + CAP);
    etree_free(&etree);
    free(vertex);
    free_grid(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_at_random),
        cmocka_unit_test(ladders_go_whole),
        cmocka_unit_test(peeled_vertices_stay_near),
    };
    return cmocka_run_group_tests_name("peel", tests, NULL, NULL) != 0;
}
