/* Elimination trees, against elimination in a matrix of neighbours; and how they are cut into
 * nodes, against a plain search for the next child. */
#include "unit.h"

#include "base/random.h"
#include "make_grid.h"
#include "sparse/nodes.h"
#include "sparse/tree.h"
#include "wrap_memory.h"

#include <stdlib.h>
#include <string.h>

enum { ALPHA = 16, N = 80 };

static uint64_t state_of_random = 3;

static uint32_t draw(uint32_t low, uint32_t high)
{
    return low + random_below(&state_of_random, high - low + 1);
}

struct sample {
    size_t n;
    uint32_t parent[N], count[N], core;
    bool inside[N];
};

/* Of v, the child to be looked at after `after`, or v: the largest count comes first, then the
 * last. */
static uint32_t next_child(const struct sample *sample, uint32_t v, uint32_t after)
{
    const uint32_t *count = sample->count;
    uint32_t next = v;
    for (uint32_t c = 0; c < v; c++) {
        bool left =
            after == v || count[c] < count[after] || (count[c] == count[after] && c < after);
        if (sample->parent[c] == v && left && (next == v || count[c] >= count[next]))
            next = c;
    }
    return next;
}

static void cut_plainly(uint32_t *last, const struct sample *sample)
{
    uint32_t size[N];
    for (uint32_t v = 0; v < sample->n; v++) {
        last[v] = sample->inside[v] ? sample->core : v;
        size[v] = 1;
        for (uint32_t c = v; !sample->inside[v] && (c = next_child(sample, v, c)) != v;) {
            int64_t more = (int64_t)size[c] * ((int64_t)sample->count[v] - sample->count[c]);
            if (size[c] + size[v] > NODE_MAX || more > ALPHA * (int64_t)sample->count[c])
                continue;
            size[v] += size[c];
            for (uint32_t u = 0, old = c; u < v; u++)
                last[u] = last[u] == old ? v : last[u];
        }
    }
}

/* Many parents have many children of few counts, and the last vertices are the core in some. */
static struct sample make_sample(void)
{
    struct sample sample = {.n = draw(1, N)};
    uint32_t n = (uint32_t)sample.n, most = draw(0, draw(0, 30)), near = draw(1, N),
             first = n - draw(0, n / 4);
    for (uint32_t v = 0; v < n; v++) {
        uint32_t beyond = n - 1 - v;
        bool root = beyond == 0 || draw(0, 40) == 0;
        sample.parent[v] = root ? NO_PARENT : draw(v + 1, beyond < near ? n - 1 : v + near);
        sample.count[v] = draw(0, beyond < most ? beyond : most);
        sample.inside[v] = v >= first;
        sample.core = n - 1;
    }
    return sample;
}

/* The arrays of nodes, for n vertices. */
static struct nodes make_nodes(const struct etree *etree, const bool *inside)
{
    const size_t n = etree->n;
    uint32_t *memory = malloc(8 * n * sizeof *memory + 1);
    assert_non_null(memory);
    return (struct nodes){.etree = etree,
                          .inside = inside,
                          .last = memory,
                          .size = memory + n,
                          .before = memory + 2 * n,
                          .child = memory + 3 * n,
                          .sibling = memory + 4 * n,
                          .below = memory + 5 * n,
                          .heavy = memory + 6 * n,
                          .number = memory + 7 * n};
}

static void cuts_of_random_trees(void **state)
{
    (void)state;
    for (int trial = 0; trial < 20000; trial++) {
        struct sample sample = make_sample();
        uint32_t right[N];
        bool no_top[N] = {false};
        const struct etree etree = {.n = sample.n,
                                    .threads = 1,
                                    .parent = sample.parent,
                                    .count = sample.count,
                                    .chunk = sample.n,
                                    .chunks = 1,
                                    .is_top = no_top};
        struct nodes nodes = make_nodes(&etree, sample.inside);
        nodes_cut(&nodes);
        cut_plainly(right, &sample);
        assert_memory_equal(nodes.last, right, sample.n * sizeof *right);
        free(nodes.last);
    }
}

/* Most vertices hang below one, each with fewer later neighbours than the one before: to look for
 * the place of each among its siblings takes minutes. */
static void cut_of_a_star(void **state)
{
    enum { LEAVES = 300000, PATH = 1000, ALL = LEAVES + PATH };
    uint32_t *parent = malloc(ALL * sizeof *parent), *count = malloc(ALL * sizeof *count);
    bool *inside = calloc(ALL, sizeof *inside);
    size_t joined = 0;
    (void)state;
    assert_true(parent && count && inside);
    for (uint32_t v = 0; v < ALL; v++) {
        parent[v] = v < LEAVES ? LEAVES : v + 1 < ALL ? v + 1 : NO_PARENT;
        count[v] = v < LEAVES ? PATH - (uint32_t)((uint64_t)v * PATH / LEAVES) : ALL - 1 - v;
    }
    const struct etree etree = {.n = ALL,
                                .threads = 1,
                                .parent = parent,
                                .count = count,
                                .chunk = ALL,
                                .chunks = 1,
                                .is_top = inside};
    struct nodes nodes = make_nodes(&etree, inside);
    nodes_cut(&nodes);
    for (uint32_t v = 0; v < LEAVES; v++) /* those of the largest count, from the last back */
        joined += nodes.last[v] != v && nodes.last[v] == nodes.last[LEAVES] && v < LEAVES / PATH &&
                  v + NODE_MAX > LEAVES / PATH;
    assert_int_equal(joined, NODE_MAX - 1);
    free(nodes.last);
    free(inside);
    free(count);
    free(parent);
}

enum { MOST = 700, BAND = 4 };

/* A graph in an order, as a matrix of neighbours and as a pattern. */
struct drawn {
    size_t n;
    bool joined[MOST][MOST]; /* by numbers of the order */
    uint32_t vertex[MOST], rank[MOST];
    size_t start[MOST + 1];
    uint32_t to[MOST * 4 * BAND];
};

static void shuffle(uint32_t *list, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t k = draw(0, (uint32_t)i - 1);
        const uint32_t x = list[i - 1];
        list[i - 1] = list[k];
        list[k] = x;
    }
}

/* Places along a band, cut in the middle again and again. */
static uint32_t *dissect(uint32_t *order, uint32_t lo, uint32_t hi, uint32_t width)
{
    uint32_t *begin = order;
    const uint32_t middle = lo + (hi - lo) / 2;
    if (hi - lo > 4 * BAND) {
        order = dissect(order, lo, middle, width);
        order = dissect(order, middle + width, hi, width);
        lo = middle;
        hi = middle + width;
        begin = order;
    }
    while (lo < hi)
        *order++ = lo++;
    shuffle(begin, (size_t)(order - begin));
    return order;
}

/* Edges between near places; some graphs in a random order, and some in pieces. */
static void draw_graph(struct drawn *graph, uint32_t trial)
{
    const uint32_t n = draw(1, MOST), gap = draw(1, 100);
    uint32_t place[MOST], name[MOST]; /* of a number of the order; of a place */
    size_t m = 0;
    memset(graph, 0, sizeof *graph);
    graph->n = n;
    for (uint32_t i = 0; i < n; i++)
        place[i] = name[i] = i;
    shuffle(name, n);
    if (trial % 4 == 0)
        shuffle(place, n);
    else
        dissect(place, 0, n, draw(1, BAND));
    for (uint32_t i = 0; i < n; i++) {
        graph->vertex[i] = name[place[i]];
        graph->rank[graph->vertex[i]] = i;
    }
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n && b < a + BAND; b++)
            if (draw(0, 2) > 0 && a % 100 != gap) {
                const uint32_t i = graph->rank[name[a]], j = graph->rank[name[b]];
                graph->joined[i][j] = graph->joined[j][i] = true;
            }
    for (uint32_t v = 0; v < n; v++) {
        for (uint32_t u = 0; u < n; u++)
            if (graph->joined[graph->rank[v]][graph->rank[u]])
                graph->to[m++] = u;
        graph->start[v + 1] = m;
    }
}

static void check_tree(struct drawn *graph, const struct etree *etree)
{
    for (uint32_t i = 0; i < graph->n; i++) {
        uint32_t parent = NO_PARENT, count = 0;
        for (uint32_t j = (uint32_t)graph->n; j-- > i + 1;)
            if (graph->joined[i][j]) {
                parent = j;
                count++;
            }
        assert_int_equal(etree->parent[i], parent);
        assert_int_equal(etree->count[i], count);
        for (uint32_t j = i + 1; parent != NO_PARENT && j < graph->n; j++)
            if (j != parent && graph->joined[i][j])
                graph->joined[parent][j] = true;
    }
}

/* All in the top below or above which something is of another chunk. */
static void check_top(const struct etree *etree)
{
    size_t tops = 0;
    for (uint32_t i = 0; i < etree->n; i++) {
        const uint32_t parent = etree->parent[i];
        const bool leaves = parent != NO_PARENT && parent / etree->chunk != i / etree->chunk;
        assert_true(etree->is_top[i] || !leaves);
        assert_true(parent == NO_PARENT || etree->is_top[parent] || !etree->is_top[i]);
        if (etree->is_top[i])
            assert_int_equal(etree->top[tops++], i);
    }
    assert_int_equal(etree->tops, tops);
}

/* Returns whether there were several chunks. Their number changes nothing of the nodes. */
static bool compare_trees(struct drawn *graph, uint32_t least)
{
    const struct pattern pattern = {graph->n, graph->start, graph->to};
    uint32_t scratch[2 * MOST];
    bool inside[MOST] = {false}, several = false;
    struct etree etree[2];
    struct nodes nodes[2];
    for (int k = 0; k < 2; k++) {
        struct apsp_error error = {0};
        const struct etree_order order = {&pattern, graph->vertex, graph->rank, k ? least : MOST};
        assert_int_equal(etree_make(&etree[k], &order, scratch, 1 + 2 * k, &error), APSP_OK);
        for (size_t i = graph->n - graph->n / 9; k == 0 && least % 2 && i < graph->n; i++)
            inside[i] = inside[i] || etree->parent[i] == NO_PARENT;
        nodes[k] = make_nodes(&etree[k], inside);
        nodes_cut(&nodes[k]);
        nodes_number(&nodes[k]);
        several = etree[k].chunks > 1;
    }
    assert_int_equal(nodes[0].count, nodes[1].count);
    assert_memory_equal(nodes[0].last, nodes[1].last, graph->n * sizeof(uint32_t));
    for (uint32_t i = 0; i < graph->n; i++)
        assert_int_equal(nodes_index(&nodes[0], i), nodes_index(&nodes[1], i));
    check_top(&etree[1]);
    check_tree(graph, &etree[1]);
    for (int k = 0; k < 2; k++) {
        free(nodes[k].last);
        etree_free(&etree[k]);
    }
    return several;
}

static void trees_of_random_graphs(void **state)
{
    struct drawn *graph = malloc(sizeof *graph);
    size_t several = 0;
    (void)state;
    assert_non_null(graph);
    for (uint32_t trial = 0; trial < 300; trial++) {
        draw_graph(graph, trial);
        several += compare_trees(graph, draw(1, 150));
    }
    assert_true(several > 100);
    free(graph);
}

/* Every vertex has two edges to random others. */
static struct pattern make_random(uint32_t n)
{
    struct pattern graph = {.n = n};
    const size_t edges = 2 * (size_t)n;
    uint32_t *end = malloc(2 * edges * sizeof *end);
    graph.start = calloc((size_t)n + 2, sizeof *graph.start);
    graph.to = malloc(2 * edges * sizeof *graph.to);
    assert_true(end && graph.start && graph.to);
    for (uint32_t e = 0; e < edges; e++) {
        end[2 * e] = e / 2;
        end[2 * e + 1] = (e / 2 + draw(1, n - 1)) % n;
    }
    for (size_t k = 0; k < 2 * edges; k++)
        graph.start[end[k] + 2]++;
    for (uint32_t v = 0; v < n; v++)
        graph.start[v + 2] += graph.start[v + 1];
    for (size_t k = 0; k < 2 * edges; k++)
        graph.to[graph.start[end[k] + 1]++] = end[k ^ 1];
    free(end);
    return graph;
}

/* A cycle of an even number of vertices. */
static struct pattern make_cycle(uint32_t n)
{
    struct pattern cycle = {.n = n};
    cycle.start = malloc(((size_t)n + 1) * sizeof *cycle.start);
    cycle.to = malloc(2 * (size_t)n * sizeof *cycle.to);
    assert_true(cycle.start && cycle.to);
    for (uint32_t v = 0; v < n; v++) {
        const uint32_t before = (v + n - 1) % n, after = (v + 1) % n;
        cycle.to[2 * v] = before < after ? before : after;
        cycle.to[2 * v + 1] = before < after ? after : before;
    }
    for (size_t v = 0; v <= n; v++)
        cycle.start[v] = 2 * v;
    return cycle;
}

/* The order 0, 1, ..., and its ranks, and room for 2 n more. */
static uint32_t *make_order(size_t n, bool shuffled)
{
    uint32_t *order = malloc(4 * n * sizeof *order);
    assert_non_null(order);
    for (uint32_t v = 0; v < n; v++)
        order[v] = v;
    if (shuffled)
        shuffle(order, n);
    for (uint32_t i = 0; i < n; i++)
        order[n + order[i]] = i;
    return order;
}

enum { HEADS = 16 << 10 }; /* Bytes that allocations have beside what is asked for. */

/* Makes the tree as one chunk, and as many. Most edges leave their chunk, and yet the memory is
 * that of the need. */
static void check_poor_order(struct pattern graph, bool shuffled)
{
    const size_t n = graph.n;
    uint32_t *vertex = make_order(n, shuffled);
    struct etree etree[2];
    for (int k = 0; k < 2; k++) {
        struct apsp_error error = {0};
        const struct etree_order order = {&graph, vertex, vertex + n, k ? 1 : n};
        const long before = memory_held;
        memory_most = before;
        assert_int_equal(etree_make(&etree[k], &order, vertex + 2 * n, 1 + 2 * k, &error), APSP_OK);
        assert_in_range(memory_most - before, n, etree_bytes(n) + etree_pairs_need(n) + HEADS);
        assert_in_range(memory_held - before, n, etree_bytes(n) + HEADS);
    }
    assert_int_equal(etree[1].chunks, 1);
    assert_int_equal(etree[1].tops, 0);
    assert_memory_equal(etree[0].parent, etree[1].parent, n * sizeof(uint32_t));
    assert_memory_equal(etree[0].count, etree[1].count, n * sizeof(uint32_t));
    etree_free(&etree[0]);
    etree_free(&etree[1]);
    free(vertex);
    free_grid(&graph);
}

static void poor_orders_take_little_memory(void **state)
{
    (void)state;
    check_poor_order(make_grid(150), true);
    check_poor_order(make_random(20000), false);
    check_poor_order(make_random(5000), true);
}

/* The chunks of a tree have 16,384 vertices or more. */
static void trees_take_what_they_say(void **state)
{
    (void)state;
    enum { LENGTH = 100000 };
    struct pattern cycle = make_cycle(LENGTH);
    const struct core_request request = {.sources = 1, .width = 1, .ranks = 1, .kappa = SIZE_MAX};
    for (int k = 0; k < 4; k++) {
        const int threads = k < 2 ? 1 : 3;
        uint32_t *vertex = make_order(LENGTH, k % 2 > 0);
        struct apsp_error error = {0};
        struct tree tree;
        const struct tree none = {.n = LENGTH};
        const long before = memory_held;
        memory_most = before;
        assert_int_equal(tree_make(&tree, &cycle, vertex, &request, threads, &error), APSP_OK);
        const size_t taken = (size_t)(memory_most - before), need = tree_need(&tree, threads);
        assert_in_range(taken, need - need / 8, need + HEADS);
        assert_in_range(memory_held - before, tree_bytes(&tree), tree_bytes(&tree) + HEADS);
        assert_in_range(tree_need(&none, threads), need / 4, need);
        tree_free(&tree);
        free(vertex);
    }
    free_grid(&cycle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_of_random_graphs),
        cmocka_unit_test(cuts_of_random_trees),
        cmocka_unit_test(cut_of_a_star),
        cmocka_unit_test(poor_orders_take_little_memory),
        cmocka_unit_test(trees_take_what_they_say),
    };
    return cmocka_run_group_tests_name("etree", tests, NULL, NULL) != 0;
}
