/* Tables and pairs that are asked of one solution again and again, with other lists each time. */
#include "unit.h"

#include "apsp.h"
#include "graph_of.h"

#include <string.h>

static struct sample sample;
static struct apsp_error error;

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != APSP_OK)                                                                     \
            fail_msg("%s: %s", #call, error.text);                                                 \
    } while (0)

enum { LONGEST = 300 };

/* A path of n vertices with edges of weight 1 both ways: d(i, j) = |i - j|. */
struct line {
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    size_t n;
};

static void line_open(struct line *line, size_t n, const char *method, enum apsp_type output)
{
    static int32_t from[2 * LONGEST], to[2 * LONGEST];
    size_t m = 0;
    struct apsp_options options;
    for (int32_t i = 0; i + 1 < (int32_t)n; i++) {
        from[m] = to[m + 1] = i;
        to[m] = from[m + 1] = i + 1;
        m += 2;
    }
    const struct apsp_edges edges = {n, m, {from, APSP_I32}, {to, APSP_I32}, {NULL, APSP_I32}};
    apsp_options_init(&options);
    options.method = method;
    options.output = output;
    options.threads = 2;
    line->n = n;
    OK(apsp_graph_edges(&line->graph, &edges, &error));
    OK(apsp_solve(line->graph, &options, &line->solution, &error));
}

static void line_close(struct line *line)
{
    apsp_solution_free(line->solution);
    apsp_graph_free(line->graph);
}

/* A list of its own, which is gone after the call: descending from its end, or ascending. */
static uint32_t *list_of(size_t n, size_t count, bool descends)
{
    uint32_t *list = malloc((count + 1) * sizeof *list);
    assert_non_null(list);
    for (size_t k = 0; k < count; k++)
        list[k] = (uint32_t)(descends ? n - 1 - k : k);
    return list;
}

static void check_table(const struct line *line, size_t sources, size_t targets)
{
    uint32_t *rows = list_of(line->n, sources, false), *columns = list_of(line->n, targets, true);
    const struct apsp_list from = {rows, sources}, to = {columns, targets};
    enum apsp_type type = apsp_solution_facts(line->solution)->type;
    double *values = malloc((sources * targets + 1) * sizeof *values);
    assert_non_null(values);
    OK(apsp_table(line->solution, &from, &to, values, 0, &error));
    for (size_t r = 0; r < sources; r++)
        for (size_t k = 0; k < targets; k++)
            assert_int_equal(entry_of(values, type, r * targets + k),
                             llabs((long long)rows[r] - (long long)columns[k]));
    free(values);
    free(columns);
    free(rows);
}

static void check_pairs(const struct line *line, size_t sources, size_t targets)
{
    uint32_t *rows = list_of(line->n, sources, false), *columns = list_of(line->n, targets, true);
    const struct apsp_pairs_request request = {.from = {rows, sources}, .to = {columns, targets}};
    struct apsp_pairs pairs;
    OK(apsp_find_pairs(line->solution, &request, &pairs, &error));
    assert_int_equal(pairs.count, sources * targets);
    for (size_t i = 0; i < pairs.count; i++)
        assert_int_equal(pairs.pair[i].real,
                         llabs((long long)pairs.pair[i].from - (long long)pairs.pair[i].to));
    apsp_pairs_free(&pairs);
    free(columns);
    free(rows);
}

static const char *const methods[] = {"sparse", "dense"};
static const enum apsp_type outputs[] = {APSP_NARROW, APSP_I64, APSP_F64};

/* Widths one after another, each of which finds the memory of the one before it. */
static void widths_grow_and_shrink(void **state)
{
    static const size_t widths[] = {10, 50, 1, 100, 99, 100, 2, 64, 65, 33, 100};
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (size_t o = 0; o < sizeof outputs / sizeof *outputs; o++) {
            struct line line;
            line_open(&line, 100, methods[m], outputs[o]);
            for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
                check_table(&line, widths[sizeof widths / sizeof *widths - 1 - i], widths[i]);
            for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
                check_pairs(&line, 7, widths[i]);
            line_close(&line);
        }
}

/* One target first, then all: 64 values of 300 were written beyond their place. */
static void one_target_then_all(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        struct line line;
        line_open(&line, LONGEST, methods[m], APSP_F64);
        check_table(&line, 1, 1);
        check_table(&line, 1, LONGEST);
        check_pairs(&line, 3, 1);
        check_pairs(&line, 3, LONGEST);
        line_close(&line);
    }
}

/* Rows, statistics and other lists between tables of one width. */
static void other_questions_between(void **state)
{
    struct line line;
    double all[100 * 100];
    (void)state;
    line_open(&line, 100, "sparse", APSP_F64);
    for (size_t width = 1; width <= 100; width += 33) {
        struct apsp_stats stats;
        check_table(&line, 5, width);
        OK(apsp_rows(line.solution, NULL, 0, all, 0, &error));
        for (size_t i = 0; i < 100; i++)
            for (size_t j = 0; j < 100; j++)
                assert_int_equal(all[100 * i + j], llabs((long long)i - (long long)j));
        check_table(&line, 100, width);
        OK(apsp_find_stats(line.solution, APSP_STATS_OUT, &stats, &error));
        assert_true(stats.diameter.real == 99);
        apsp_stats_free(&stats);
        check_table(&line, 2, width);
    }
    line_close(&line);
}

/* Vertices twice and in any order, on a graph with parallel edges and vertices that are not
 * reached. */
static void random_lists_of_random_widths(void **state)
{
    uint64_t random = 11;
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        const struct apsp_edges edges = sample_edges(&sample);
        struct apsp_graph *graph;
        struct apsp_solution *solution;
        struct apsp_options options;
        apsp_options_init(&options);
        options.method = methods[m];
        OK(apsp_graph_edges(&graph, &edges, &error));
        OK(apsp_solve(graph, &options, &solution, &error));
        enum apsp_type type = apsp_solution_facts(solution)->type;
        for (int round = 0; round < 60; round++) {
            uint32_t list[2][N];
            double values[N * N];
            const struct apsp_list from = {list[0], 1 + random_below(&random, N)},
                                   to = {list[1], 1 + random_below(&random, N)};
            for (size_t k = 0; k < 2 * N; k++)
                list[k / N][k % N] = random_below(&random, N);
            OK(apsp_table(solution, &from, &to, values, 0, &error));
            for (size_t k = 0; k < from.count * to.count; k++)
                assert_int_equal(
                    entry_of(values, type, k),
                    sample.right[list[0][k / to.count] * (size_t)N + list[1][k % to.count]]);
        }
        apsp_solution_free(solution);
        apsp_graph_free(graph);
    }
}

/* Decimals in whole rows: `whole` is the multiple, `real` the distance in the unit of the weights.
 */
static void decimals_have_their_unit(void **state)
{
    int32_t tail[] = {0, 1}, head[] = {1, 2};
    double weight[] = {0.5, 1.25};
    const struct apsp_edges edges = {3, 2, {tail, APSP_I32}, {head, APSP_I32}, {weight, APSP_F64}};
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        struct apsp_graph *graph;
        struct apsp_solution *solution;
        struct apsp_options options;
        struct apsp_distance distance;
        struct apsp_pairs pairs;
        const struct apsp_pairs_request request = {.from = {(uint32_t[]){0}, 1},
                                                   .to = {(uint32_t[]){2}, 1}};
        apsp_options_init(&options);
        options.method = methods[m];
        options.output = APSP_I64;
        OK(apsp_graph_edges(&graph, &edges, &error));
        OK(apsp_solve(graph, &options, &solution, &error));
        const double scale = apsp_solution_facts(solution)->scale;
        OK(apsp_find_distance(solution, 0, 2, &distance, &error));
        assert_true(distance.real == 1.75 && (double)distance.whole == 1.75 * scale);
        OK(apsp_find_pairs(solution, &request, &pairs, &error));
        assert_int_equal(pairs.count, 1);
        assert_true(pairs.pair[0].real == 1.75 && (double)pairs.pair[0].whole == 1.75 * scale);
        apsp_pairs_free(&pairs);
        apsp_solution_free(solution);
        apsp_graph_free(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_grow_and_shrink),        cmocka_unit_test(one_target_then_all),
        cmocka_unit_test(other_questions_between),       cmocka_unit_test(decimals_have_their_unit),
        cmocka_unit_test(random_lists_of_random_widths),
    };
    sample_make(&sample, 1, 0);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(sample.right);
    return failed;
}
