/* Tables and pairs that are certified: a fault in the walk down the tree is found, where verify
 * asks for that. The walk is wrapped by the linker. */
#include "unit.h"

#include "apsp.h"
#include "graph_of.h"
#include "sparse/expand.h"

#include <stdbool.h>
#include <string.h>

static struct sample sample;
static struct apsp_error error;
static bool planted;

/* A distance of i32 one too long: of the first source to the last column that it reaches. */
static void spoil(int32_t *row, size_t columns)
{
    for (size_t v = columns; planted && v-- > 0;)
        if (row[v] > 0 && row[v] < INF_I32) {
            row[v]++;
            return;
        }
}

void __real_expand_rows(struct expand *expand, const uint32_t *source, size_t count, void *rows,
                        size_t stride);
void __wrap_expand_rows(struct expand *expand, const uint32_t *source, size_t count, void *rows,
                        size_t stride);
void __wrap_expand_rows(struct expand *expand, const uint32_t *source, size_t count, void *rows,
                        size_t stride)
{
    __real_expand_rows(expand, source, count, rows, stride);
    spoil(rows, N);
}

void __real_expand_cut(struct expand *expand, const struct cut *cut, const uint32_t *source,
                       size_t count, void *rows, size_t stride);
void __wrap_expand_cut(struct expand *expand, const struct cut *cut, const uint32_t *source,
                       size_t count, void *rows, size_t stride);
void __wrap_expand_cut(struct expand *expand, const struct cut *cut, const uint32_t *source,
                       size_t count, void *rows, size_t stride)
{
    __real_expand_cut(expand, cut, source, count, rows, stride);
    spoil(rows, cut->count);
}

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != APSP_OK)                                                                     \
            fail_msg("%s: %s", #call, error.text);                                                 \
    } while (0)

static struct apsp_solution *solve(struct apsp_graph **graph, size_t verify)
{
    const struct apsp_edges edges = sample_edges(&sample);
    struct apsp_options options;
    struct apsp_solution *solution;
    apsp_options_init(&options);
    options.method = "sparse";
    options.type = options.output = APSP_I32;
    options.verify = verify;
    options.threads = 1;
    planted = false;
    OK(apsp_graph_edges(graph, &edges, &error));
    OK(apsp_solve(*graph, &options, &solution, &error));
    return solution;
}

static const uint32_t sources[] = {7, 3, 0}, targets[] = {1, 5, 9, 4, 30, 22, 17};
enum { SOURCES = 3, TARGETS = 7 };
static const struct apsp_list from = {sources, SOURCES}, to = {targets, TARGETS};

static size_t count_wrong(const int32_t *values)
{
    size_t wrong = 0;
    for (size_t k = 0; k < SOURCES * TARGETS; k++)
        wrong += entry_of(values, APSP_I32, k) !=
                 sample.right[sources[k / TARGETS] * (size_t)N + targets[k % TARGETS]];
    return wrong;
}

static void right_tables_pass(void **state)
{
    struct apsp_graph *graph;
    struct apsp_solution *solution = solve(&graph, APSP_VERIFY_ALL);
    const struct apsp_pairs_request request = {.from = from, .to = to};
    struct apsp_pairs pairs;
    int32_t values[SOURCES * TARGETS];
    (void)state;
    assert_int_equal(apsp_solution_facts(solution)->verified, N);
    OK(apsp_table(solution, &from, &to, values, 0, &error));
    assert_int_equal(count_wrong(values), 0);
    assert_int_equal(apsp_solution_facts(solution)->verified, N + SOURCES);
    OK(apsp_find_pairs(solution, &request, &pairs, &error));
    assert_int_equal(apsp_solution_facts(solution)->verified, N + 2 * SOURCES);
    apsp_pairs_free(&pairs);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

static void faults_are_found(void **state)
{
    struct apsp_graph *graph;
    struct apsp_solution *solution = solve(&graph, APSP_VERIFY_ALL);
    const struct apsp_pairs_request request = {.from = from, .to = to};
    struct apsp_pairs pairs;
    int32_t values[SOURCES * TARGETS];
    (void)state;
    planted = true;
    assert_int_equal(apsp_table(solution, &from, &to, values, 0, &error), APSP_REFUTED);
    assert_non_null(strstr(error.text, "verification FAILED: row "));
    assert_int_equal(apsp_find_pairs(solution, &request, &pairs, &error), APSP_REFUTED);
    assert_null(pairs.pair);
    planted = false;
    OK(apsp_table(solution, &from, &to, values, 0, &error));
    assert_int_equal(count_wrong(values), 0);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

/* The fault is one, and the walk to some columns alone is taken where nothing is certified. */
static void nothing_is_certified_unasked(void **state)
{
    struct apsp_graph *graph;
    struct apsp_solution *solution = solve(&graph, 0);
    int32_t values[SOURCES * TARGETS];
    (void)state;
    planted = true;
    OK(apsp_table(solution, &from, &to, values, 0, &error));
    assert_int_equal(count_wrong(values), 1);
    assert_int_equal(apsp_solution_facts(solution)->verified, 0);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_tables_pass),
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(nothing_is_certified_unasked),
    };
    sample_make(&sample, 1, 0);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(sample.right);
    return failed;
}
