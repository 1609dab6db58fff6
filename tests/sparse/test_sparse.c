/* The sparse engine's order, tree, panels and rows against distances by other algorithms. */
#include "unit.h"

#include "base/mem.h"
#include "base/random.h"
#include "make_csr.h"
#include "reference.h"
#include "sparse/expand.h"
#include "sparse/order.h"
#include "sparse/prune.h"
#include "sparse/share.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state_of_random = 11;

static uint32_t draw(uint32_t low, uint32_t high)
{
    return low + random_below(&state_of_random, high - low + 1);
}

/* All that is made of one graph. */
struct solver {
    struct csr csr, transposed;
    struct pattern pattern;
    uint32_t *order;
    struct tree tree;
    struct panels panels;
    struct expand *expand;
};

static void make_tree(struct solver *solver, int workers, size_t kappa)
{
    struct apsp_error error = {0};
    const struct core_request request = {solver->csr.n, 16, 1, kappa, core_cost_on_host};
    struct progress progress = {.steps = solver->csr.n};
    const struct order_way way = {1, workers, &progress};
    assert_int_equal(csr_transpose(&solver->transposed, &solver->csr, &error), APSP_OK);
    assert_int_equal(pattern_make(&solver->pattern, &solver->csr, workers, &error), APSP_OK);
    solver->order = malloc((solver->csr.n + 1) * sizeof *solver->order);
    assert_int_equal(order_make(solver->order, &solver->pattern, &way, &error), APSP_OK);
    assert_int_equal(
        tree_make(&solver->tree, &solver->pattern, solver->order, &request, workers, &error),
        APSP_OK);
}

static void make_panels(struct solver *solver, enum dtype dtype, int threads)
{
    struct apsp_error error = {0};
    const struct panels_edges edges = {&solver->csr, &solver->transposed};
    assert_int_equal(panels_make(&solver->panels, &solver->tree, &edges, dtype, threads, &error),
                     APSP_OK);
    if (solver->tree.core.size > 0) {
        const struct core_matrix *core = &solver->panels.core;
        size_t size = solver->tree.core.size;
        solver->panels.kernels->through(core->values, size, size, core->ld);
        assert_int_equal(panels_prune(&solver->panels, threads, &error), APSP_OK);
        assert_int_equal(panels_close(&solver->panels, threads, &error), APSP_OK);
    }
    assert_int_equal(expand_open(&solver->expand, &solver->panels, solver->tree.n, &error),
                     APSP_OK);
}

static void free_panels(struct solver *solver)
{
    expand_free(solver->expand);
    panels_free(&solver->panels);
}

static void free_solver(struct solver *solver)
{
    tree_free(&solver->tree);
    free(solver->order);
    pattern_free(&solver->pattern);
    csr_free(&solver->transposed);
    csr_free(&solver->csr);
}

/* A value of that type as a double, infinity as such. All whole numbers of these tests fit. */
static double value_at(const void *values, size_t k, enum dtype dtype)
{
    if (dtype == DTYPE_F64)
        return ((const double *)values)[k];
    if (dtype == DTYPE_F32)
        return (double)((const float *)values)[k];
    int64_t whole = dtype == DTYPE_U16   ? ((const uint16_t *)values)[k]
                    : dtype == DTYPE_I32 ? ((const int32_t *)values)[k]
                                         : ((const int64_t *)values)[k];
    return whole >= dtype_info[dtype].infinity ? INFINITY : (double)whole;
}

/* Of each source, or each vertex, the sum, the largest and the number of the finite distances, and
 * the sum of the reciprocals of those other than 0. */
struct right_counts {
    double sum, most, harmonic;
    size_t finite;
};

static void add_right(struct right_counts *counts, double value)
{
    if (isinf(value))
        return;
    counts->sum += value;
    counts->most = value > counts->most ? value : counts->most;
    counts->finite++;
    counts->harmonic += value != 0 ? 1 / value : 0;
}

/* Harmonic sums and bins, of whole distances. */
static void check_values(struct solver *solver, const uint32_t *source, size_t count,
                         const double *right)
{
    enum { BINS = 300, SHIFT = 2 };
    uint32_t pairs[BINS + 1] = {0}, expected[BINS + 1] = {0};
    size_t n = solver->csr.n, width = expand_width(&solver->panels);
    struct relax_harmonic harmonic;
    const struct relax_bins bins = {pairs, SHIFT, BINS};
    expand_counts(solver->expand, source, count,
                  &(struct relax_accumulator){NULL, &harmonic, NULL, &bins});
    for (size_t r = 0; r < count; r++) {
        struct right_counts from = {0};
        for (size_t v = 0; v < n; v++) {
            double value = right[source[r] * n + v];
            add_right(&from, value);
            expected[value < BINS << SHIFT ? (size_t)value >> SHIFT : BINS]++;
        }
        assert_true(fabs(harmonic.sum[r] - from.harmonic) <= 1e-12 * from.harmonic);
    }
    expected[BINS] += (uint32_t)((width - count) * n); /* places without a source */
    assert_memory_equal(pairs, expected, sizeof pairs);
}

/* right: n x n. */
static void check_counts(struct solver *solver, const uint32_t *source, size_t count,
                         const double *right)
{
    size_t n = solver->csr.n;
    enum dtype dtype = solver->panels.dtype;
    bool real = dtype_info[dtype].real;
    struct relax_counts counts, alone;
    struct relax_spans *spans = mem_alloc(sizeof *spans);
    spans->most = malloc(n * dtype_info[dtype].bytes);
    spans->reached = malloc(n * sizeof *spans->reached);
    expand_counts(solver->expand, source, count, &(struct relax_accumulator){.counts = &alone});
    expand_counts(solver->expand, source, count,
                  &(struct relax_accumulator){.counts = &counts, .spans = spans});
    if (!real)
        check_values(solver, source, count, right);
    assert_memory_equal(&alone, &counts, sizeof counts);
    for (size_t r = 0; r < count; r++) {
        struct right_counts from = {0};
        for (size_t v = 0; v < n; v++)
            add_right(&from, right[source[r] * n + v]);
        assert_int_equal(counts.count[r], from.finite);
        assert_true((real ? counts.sum[r].real : (double)counts.sum[r].whole) == from.sum);
        assert_true((real ? counts.most[r].real : (double)counts.most[r].whole) == from.most);
    }
    for (size_t v = 0; v < n; v++) {
        struct right_counts to = {0};
        for (size_t r = 0; r < count; r++)
            add_right(&to, right[source[r] * n + v]);
        assert_int_equal(spans->reached[solver->tree.position[v]], to.finite);
        assert_true(value_at(spans->most, solver->tree.position[v], dtype) == to.most);
    }
    free(spans->reached);
    free(spans->most);
    mem_free(spans);
}

/* The sum over all nodes that have a listed vertex in their regions. */
static double work_of(const struct solver *solver, const uint32_t *list, size_t columns)
{
    const struct tree *tree = &solver->tree;
    double work = 0;
    for (size_t t = 0; t < tree_walked(tree); t++) {
        const struct tree_node *node = &tree->node[t], *pruned = &solver->panels.down.node[t];
        const uint32_t first = tree->node[t + 1 - node->below].first;
        bool wanted = false;
        for (size_t k = 0; k < columns; k++)
            wanted |= tree->position[list[k]] >= first &&
                      tree->position[list[k]] < node->first + node->size;
        work += wanted ? (double)pruned->size * (double)pruned->count : 0;
    }
    return work;
}

/* Rows of the sources to some vertices alone, in any order and some of them twice. right: n x n. */
static void check_cut(struct solver *solver, const uint32_t *source, size_t count,
                      const double *right)
{
    size_t n = solver->csr.n, columns = draw(1, draw(0, 3) ? 3 : (uint32_t)n);
    enum dtype dtype = solver->panels.dtype;
    columns = columns < n ? columns : n; /* what expand_open was told is the most */
    uint32_t *list = malloc(columns * sizeof *list);
    char *rows = malloc(count * columns * dtype_info[dtype].bytes);
    struct apsp_error error = {0};
    struct cut cut;
    assert_true(list && rows);
    assert_true(cut_need(columns) >= columns * (sizeof *cut.list + sizeof *cut.position +
                                                sizeof *cut.place + sizeof(uint64_t)));
    for (size_t k = 0; k < columns; k++)
        list[k] = draw(0, (uint32_t)n - 1);
    assert_int_equal(cut_make(&cut, &solver->tree, solver->panels.down.node, list, columns, &error),
                     APSP_OK);
    assert_true(cut.work == work_of(solver, list, columns));
    expand_cut(solver->expand, &cut, source, count, rows, columns);
    for (size_t k = 0; k < count * columns; k++) {
        double got = value_at(rows, k, dtype),
               want = right[source[k / columns] * n + list[k % columns]];
        if (got != want)
            fail_msg("n = %zu, %s, of %zu: from %u to %u: %g, not %g", n, dtype_info[dtype].name,
                     columns, source[k / columns], list[k % columns], got, want);
    }
    cut_free(&cut);
    free(rows);
    free(list);
}

/* All of the rows, of the sources in groups as large as they may be. */
static void check_rows(struct solver *solver, const uint32_t *source, size_t count,
                       const double *right)
{
    size_t n = solver->csr.n, width = expand_width(&solver->panels), stride = n + 3;
    enum dtype dtype = solver->panels.dtype;
    char *rows = malloc(width * stride * dtype_info[dtype].bytes);
    assert_non_null(rows);
    for (size_t at = 0; at < count; at += width) {
        size_t group = count - at < width ? count - at : width;
        check_counts(solver, source + at, group, right);
        check_cut(solver, source + at, group, right);
        expand_rows(solver->expand, source + at, group, rows, stride);
        for (size_t r = 0; r < group; r++)
            for (size_t v = 0; v < n; v++) {
                double got = value_at(rows, r * stride + v, dtype),
                       want = right[source[at + r] * n + v];
                if (got != want)
                    fail_msg("n = %zu, %s: from %u to %zu: %g, not %g", n, dtype_info[dtype].name,
                             source[at + r], v, got, want);
            }
    }
    free(rows);
}

enum { SMALL = 60, EDGES = 6 * SMALL };

/* Kinds of small graphs; weights are 0 .. most. */
static size_t make_graph(struct edge *edges, size_t n, uint32_t kind, uint32_t most)
{
    size_t m = 0, request = draw(0, kind % 2 ? (uint32_t)n : 4 * (uint32_t)n);
    uint32_t last = (uint32_t)n - 1;
    for (uint32_t v = 0; v < last && kind < 4;
         v++) { /* paths, stars, trees, cycles, two-way or one-way */
        uint32_t to = kind == 0 ? v + 1 : kind == 1 ? last : draw(v + 1, last);
        edges[m++] = (struct edge){v, to, {draw(0, most)}};
        if (draw(0, 3) > 0)
            edges[m++] = (struct edge){to, v, {draw(0, most)}};
    }
    if (kind == 5 && n <= 18) /* everyone with everyone */
        for (uint32_t v = 0; v < n * n; v++)
            edges[m++] = (struct edge){v / (uint32_t)n, v % (uint32_t)n, {draw(0, most)}};
    for (size_t e = 0; e < request && m < EDGES && kind > 1; e++) {
        uint32_t from = draw(0, last), to = draw(0, last);
        if (kind == 6 && from % 3 != to % 3) /* several components */
            continue;
        edges[m++] = (struct edge){from, to, {draw(0, most)}};
    }
    return m;
}

/* Vertices of the nodes on the way from one of them to a root, or to the core. */
static size_t longest_path(const struct tree *tree)
{
    size_t longest = 0;
    for (size_t t = 0; t < tree_walked(tree); t++) {
        size_t path = 0;
        for (size_t up = t; up < tree_walked(tree); up = tree->node[up].parent)
            path += tree->node[up].size;
        longest = path > longest ? path : longest;
    }
    return longest;
}

static void is_a_tree_of_the_pattern(const struct tree *tree, const struct pattern *pattern)
{
    size_t at = 0;
    for (size_t t = 0; t < tree->nodes; t++) {
        const struct tree_node *node = &tree->node[t];
        const uint32_t *boundary = tree_boundary(tree, t);
        assert_true(node->first == at && node->size >= 1 && node->below >= 1);
        assert_true(t < tree_walked(tree) ? node->size <= NODE_MAX : node->size == tree->core.size);
        at += node->size;
        assert_true((node->count == 0) == (node->parent == NO_NODE));
        if (node->count > 0)
            assert_int_equal(node->parent, tree->node_of[boundary[0]]);
        for (size_t i = 0; i < node->count; i++)
            assert_true(boundary[i] >= at && boundary[i] < tree->n &&
                        (i == 0 || boundary[i] > boundary[i - 1]));
    }
    assert_int_equal(at, tree->n);
    assert_int_equal(tree->path, tree->core.size + longest_path(tree));
    assert_false(tree->core.size > 0 && share_inherits(tree, tree->nodes - 1));
    for (size_t p = 0; p < tree->n; p++) {
        assert_int_equal(tree->position[tree->vertex[p]], p);
        for (size_t e = pattern->start[tree->vertex[p]]; e < pattern->start[tree->vertex[p] + 1];
             e++) {
            size_t other = tree->position[pattern->to[e]], t = tree->node_of[p], k = 0;
            while (other > p && other >= tree->node[t].first + tree->node[t].size &&
                   tree_boundary(tree, t)[k] != other)
                assert_true(++k < tree->node[t].count);
        }
    }
}

static void check_types(struct solver *solver, const uint32_t *source, size_t count,
                        const double *right, enum dtype first)
{
    for (enum dtype dtype = first; dtype < DTYPE_COUNT; dtype++) {
        make_panels(solver, dtype, 1 + (int)dtype % 2);
        check_rows(solver, source, count, right);
        free_panels(solver);
    }
}

static void small_graphs_in_all_types(void **state)
{
    struct edge edges[EDGES];
    (void)state;
    for (uint32_t trial = 0; trial < 3000; trial++) {
        bool cycle;
        struct solver solver = {0};
        uint32_t kind = trial % 8, source[2 * SMALL];
        size_t n = draw(1, trial % 5 ? SMALL / 3 : SMALL),
               m = make_graph(edges, n, kind, trial % 3 ? 20 : 1);
        int64_t *whole = reference_whole(n, edges, m, &cycle);
        double *right = malloc(n * n * sizeof *right);
        for (size_t k = 0; k < n * n; k++)
            right[k] = value_at(whole, k, DTYPE_I64);
        for (uint32_t v = 0; v < n; v++)
            source[v] = v;
        solver.csr = make_csr(n, false, edges, m);
        make_tree(&solver, 1 + (int)(trial % 2), trial % 3 ? draw(0, 12) : SIZE_MAX);
        is_a_tree_of_the_pattern(&solver.tree, &solver.pattern);
        check_types(&solver, source, n, right, DTYPE_U16);
        for (uint32_t k = 0; k < 2 * n; k++) /* in any order, some of them twice */
            source[k] = draw(0, (uint32_t)n - 1);
        check_types(&solver, source, draw(1, 2 * (uint32_t)n), right, DTYPE_F32);
        free_solver(&solver);
        free(right);
        free(whole);
    }
}

/* Multiples of 1/8: their sums are exact. */
static void reals_with_exact_sums(void **state)
{
    struct edge edges[EDGES];
    (void)state;
    for (uint32_t trial = 0; trial < 300; trial++) {
        bool cycle;
        struct solver solver = {0};
        uint32_t source[SMALL];
        size_t n = draw(1, SMALL), m = make_graph(edges, n, trial % 8, 100);
        for (size_t e = 0; e < m; e++)
            edges[e].weight.real = (double)edges[e].weight.whole / 8;
        double *right = reference_real(n, edges, m, &cycle);
        for (uint32_t v = 0; v < n; v++)
            source[v] = v;
        solver.csr = make_csr(n, true, edges, m);
        make_tree(&solver, 1, trial % 2 ? draw(0, 12) : SIZE_MAX);
        check_types(&solver, source, n, right, DTYPE_F32);
        free_solver(&solver);
        free(right);
    }
}

/* Fronts of several tiles, long paths to the root, and many threads. */
static void larger_graphs(void **state)
{
    enum { N = 700 };
    static struct edge edges[5 * N];
    (void)state;
    for (uint32_t trial = 0; trial < 6; trial++) {
        struct solver solver = {0};
        static uint32_t source[N];
        size_t m = 0;
        for (; m < 5 * N - 1000 * (trial % 3); m++)
            edges[m] =
                (struct edge){draw(0, N - 1), draw(0, trial < 3 ? N - 1 : N / 2), {draw(0, 40)}};
        int32_t *found = reference_dijkstra(N, edges, m);
        double *right = malloc(N * N * sizeof *right);
        for (size_t k = 0; k < N * N; k++)
            right[k] = value_at(found, k, DTYPE_I32);
        for (uint32_t v = 0; v < N; v++)
            source[v] = v;
        solver.csr = make_csr(N, false, edges, m);
        make_tree(&solver, 3, trial % 2 ? 40 : SIZE_MAX);
        is_a_tree_of_the_pattern(&solver.tree, &solver.pattern);
        check_types(&solver, source, N, right, DTYPE_U16);
        free_solver(&solver);
        free(right);
        free(found);
    }
}

/* By the last thread of a caller's region, whose number is above all of the solve's own. */
static void in_a_region(void **state)
{
    enum { N = 300, M = 3 * N };
    struct edge edges[M];
    struct solver solver = {0};
    struct apsp_error error = {0};
    const struct panels_edges both = {&solver.csr, &solver.transposed};
    uint32_t source[N];
    (void)state;
    for (uint32_t e = 0; e < M; e++)
        edges[e] = (struct edge){draw(0, N - 1), draw(0, N - 1), {draw(0, 40)}};
    int32_t *found = reference_dijkstra(N, edges, M);
    double *right = malloc(N * N * sizeof *right);
    for (size_t k = 0; k < N * N; k++)
        right[k] = value_at(found, k, DTYPE_I32);
    for (uint32_t v = 0; v < N; v++)
        source[v] = v;
    solver.csr = make_csr(N, false, edges, M);
    make_tree(&solver, 1, N);
#pragma omp parallel num_threads(16)
    if (omp_get_thread_num() == omp_get_num_threads() - 1)
        panels_make(&solver.panels, &solver.tree, &both, DTYPE_I32, 1, &error);
    assert_int_equal(error.code, APSP_OK);
    assert_int_equal(expand_open(&solver.expand, &solver.panels, solver.tree.n, &error), APSP_OK);
    check_rows(&solver, source, N, right);
    free_panels(&solver);
    free_solver(&solver);
    free(right);
    free(found);
}

/* A graph that is not part of the project. */
static bool load(struct solver *solver, const char *name)
{
    const char *folder = getenv("APSP_GRAPHS");
    char path[PATH_MAX];
    struct graph graph;
    struct apsp_error error = {0};
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "../shared/graphs", name);
    if (graph_open(&graph, path, NULL, false, &error) == APSP_OK)
        load_csr(&solver->csr, &graph);
    graph_close(&graph);
    if (error.code)
        print_message("skip %s: %s\n", path, error.text);
    return error.code == APSP_OK;
}

static void rome_in_all(void **state)
{
    struct solver solver = {0};
    int64_t sum = 0, counted = 0, longest = 0;
    (void)state;
    if (!load(&solver, "rome99.gr"))
        skip();
    make_tree(&solver, 2, SIZE_MAX);
    make_panels(&solver, DTYPE_I32, 2);
    size_t n = solver.csr.n, width = expand_width(&solver.panels), stride = (n + 63) / 64 * 64;
    int32_t *rows =
        mem_alloc(width * stride * sizeof *rows); /* on such boundaries as are the fastest */
    for (size_t at = 0; at < n; at += width) {
        size_t count = n - at < width ? n - at : width;
        struct relax_counts counts;
        expand_counts(solver.expand, solver.tree.vertex + at, count,
                      &(struct relax_accumulator){.counts = &counts});
        expand_rows(solver.expand, solver.tree.vertex + at, count, rows, stride);
        for (size_t r = 0; r < count; r++) {
            counted += counts.sum[r].whole;
            for (size_t v = 0; v < n; v++) {
                sum += rows[r * stride + v];
                longest = rows[r * stride + v] > longest ? rows[r * stride + v] : longest;
            }
        }
    }
    assert_true(sum == INT64_C(160839610183) && counted == sum && longest == 77403);
    mem_free(rows);
    free_panels(&solver);
    free_solver(&solver);
}

/* Facts of ../shared/graphs/README.md. */
static void luxembourg_by_its_counts(void **state)
{
    struct solver solver = {0};
    int64_t sum = 0, longest = 0, pairs = 0;
    (void)state;
    if (!load(&solver, "luxembourg.gr"))
        skip();
    make_tree(&solver, 2, SIZE_MAX);
    make_panels(&solver, DTYPE_I32, 2);
    size_t n = solver.csr.n, width = expand_width(&solver.panels);
    for (size_t at = 0; at < n; at += width) {
        size_t count = n - at < width ? n - at : width;
        struct relax_counts counts;
        expand_counts(solver.expand, solver.tree.vertex + at, count,
                      &(struct relax_accumulator){.counts = &counts});
        for (size_t r = 0; r < count; r++) {
            sum += counts.sum[r].whole;
            pairs += (int64_t)counts.count[r];
            longest = counts.most[r].whole > longest ? counts.most[r].whole : longest;
        }
    }
    assert_true(sum == INT64_C(191109069388616) && pairs == INT64_C(5556075249) &&
                longest == 108183);
    free_panels(&solver);
    free_solver(&solver);
}

/* The order is the same with any number of workers, and the process is left as it was. */
static void order_does_not_depend_on_workers(void **state)
{
    struct solver solver[3];
    (void)state;
    srand(7);
    int before = rand(), after;
    srand(7);
    for (int k = 0; k < 3; k++) {
        solver[k] = (struct solver){0};
        if (!load(&solver[k], "luxembourg.gr"))
            skip();
        make_tree(&solver[k], 1 << k, SIZE_MAX);
        assert_memory_equal(solver[0].order, solver[k].order, solver[0].csr.n * sizeof(uint32_t));
    }
    after = rand();
    assert_int_equal(before, after);
    for (int k = 0; k < 3; k++)
        free_solver(&solver[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs_in_all_types),
        cmocka_unit_test(reals_with_exact_sums),
        cmocka_unit_test(larger_graphs),
        cmocka_unit_test(in_a_region),
        cmocka_unit_test(rome_in_all),
        cmocka_unit_test(luxembourg_by_its_counts),
        cmocka_unit_test(order_does_not_depend_on_workers),
    };
    if (!order_possible()) {
        print_message("skip sparse: built without METIS\n");
        return 77;
    }
    return cmocka_run_group_tests_name("sparse", tests, NULL, NULL) != 0;
}
