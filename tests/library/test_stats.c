/* Statistics against those of distances by Bellman and Ford's algorithm, one by one, of both
 * engines. */
#include "unit.h"

#include "apsp.h"
#include "base/random.h"
#include "column_at.h"
#include "reference.h"
#include "rows/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 70,
    EDGES = 5 * MOST,
    ALL = APSP_STATS_IN | APSP_STATS_HARMONIC | APSP_STATS_HISTOGRAM
};

static uint64_t state = 11;

/* A graph, and all its distances as doubles, which hold them exactly. */
struct sample {
    size_t n, m;
    int64_t from[EDGES], to[EDGES], whole[EDGES];
    double real[EDGES], *right;
    bool is_real;
};

/* Edges at random with weights from 0 to `most`, moved by potentials of up to `depth`; reals are
 * eighths. */
static void make(struct sample *sample, size_t n, uint32_t most, uint32_t depth, bool is_real)
{
    struct edge edge[EDGES];
    bool cycle;
    int64_t potential[MOST];
    *sample =
        (struct sample){.n = n, .m = random_below(&state, (uint32_t)(4 * n)), .is_real = is_real};
    for (size_t v = 0; v < n; v++)
        potential[v] = depth ? random_below(&state, depth) : 0;
    for (size_t e = 0; e < sample->m; e++) {
        uint32_t from = random_below(&state, (uint32_t)n), to = random_below(&state, (uint32_t)n);
        int64_t weight = (int64_t)random_below(&state, most + 1) + potential[from] - potential[to];
        sample->from[e] = from;
        sample->to[e] = to;
        sample->whole[e] = weight;
        sample->real[e] = (double)weight / 8;
        edge[e] = (struct edge){from, to, {.real = (double)weight / 8}};
    }
    sample->right = reference_real(n, edge, sample->m, &cycle);
    assert_false(cycle);
    for (size_t k = 0; k < n * n && !is_real; k++)
        sample->right[k] *= 8;
}

static struct apsp_error error;

static void solve(const struct sample *sample, const char *method, struct apsp_graph **graph,
                  struct apsp_solution **solution)
{
    struct apsp_options options;
    const struct apsp_edges edges = {sample->n,
                                     sample->m,
                                     {sample->from, APSP_I64},
                                     {sample->to, APSP_I64},
                                     {sample->is_real ? (const void *)sample->real : sample->whole,
                                      sample->is_real ? APSP_F64 : APSP_I64}};
    apsp_options_init(&options);
    options.device = APSP_DEVICE_CPU;
    options.threads = 2;
    options.method = method;
    if (apsp_graph_edges(graph, &edges, &error) || apsp_solve(*graph, &options, solution, &error))
        fail_msg("%s", error.text);
}

static void find(const struct sample *sample, const char *method, unsigned counted,
                 struct apsp_stats *stats)
{
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    solve(sample, method, &graph, &solution);
    if (apsp_find_stats(solution, counted, stats, &error))
        fail_msg("%s", error.text);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/* What is to be known of the distances at every `step`th entry. */
struct line {
    size_t reached;
    double most, sum, harmonic;
};

static struct line line_of(const double *at, size_t n, size_t step)
{
    struct line line = {0};
    for (size_t k = 0; k < n; k++, at += step) {
        if (isinf(*at))
            continue;
        line.reached++;
        line.most = fmax(line.most, *at);
        line.sum += *at;
        line.harmonic += *at != 0 ? 1 / *at : 0;
    }
    return line;
}

static void check_vertices(const struct sample *sample, const struct apsp_stats *stats)
{
    const size_t n = sample->n;
    for (size_t v = 0; v < n; v++) {
        struct line out = line_of(sample->right + v * n, n, 1),
                    in = line_of(sample->right + v, n, n);
        double others = (double)out.reached - 1;
        assert_true(column_at(stats, "vertex", v) == (double)v);
        assert_true(column_at(stats, "reachable", v) == (double)out.reached);
        assert_true(column_at(stats, "eccentricity", v) == out.most);
        assert_true(is_near(column_at(stats, "sum", v), out.sum));
        assert_true(is_near(column_at(stats, "closeness", v),
                            out.sum > 0 ? others * others / (double)(n - 1) / out.sum : 0));
        if (stats->counted & APSP_STATS_HARMONIC)
            assert_true(is_near(column_at(stats, "harmonic", v), out.harmonic) ||
                        fabs(column_at(stats, "harmonic", v) - out.harmonic) < 1e-12);
        if (stats->counted & APSP_STATS_IN) {
            assert_true(column_at(stats, "in_reachable", v) == (double)in.reached);
            assert_true(column_at(stats, "in_eccentricity", v) == in.most);
        }
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of pairs of two vertices, ascending. */
static size_t sort_pairs(const struct sample *sample, double *sorted)
{
    size_t count = 0;
    for (size_t k = 0; k < sample->n * sample->n; k++)
        if (k / sample->n != k % sample->n && !isinf(sample->right[k]))
            sorted[count++] = sample->right[k];
    qsort(sorted, count, sizeof *sorted, by_value);
    return count;
}

static void check_histogram(const struct apsp_stats *stats, const double *sorted, size_t count)
{
    size_t at = 0;
    for (size_t k = 0; k < stats->bins; k++) {
        const double from = stats->bin[k].from.real;
        assert_true(k == 0 || from >= stats->bin[k - 1].from.real + stats->width.real);
        for (size_t i = 0; i < stats->bin[k].pairs; i++, at++) {
            assert_true(at < count && sorted[at] >= from);
            assert_true(sorted[at] < from + stats->width.real);
        }
    }
    assert_int_equal(at, count);
    for (int q = 0; q < APSP_QUANTILES && count > 0; q++) {
        size_t rank = (size_t)ceil(stats->quantile[q].share * (double)count - 1e-9);
        double right = sorted[rank > 0 ? rank - 1 : 0], found = stats->quantile[q].at.real;
        assert_true(stats->exact ? found == right
                                 : found <= right && right < found + stats->width.real);
    }
}

static void check_all(const struct sample *sample, const struct apsp_stats *stats)
{
    const size_t n = sample->n;
    double *sorted = malloc((n * n + 1) * sizeof *sorted), diameter = 0, radius = INFINITY;
    size_t count = sort_pairs(sample, sorted), central = 0, peripheral = 0;
    struct line all = line_of(sample->right, n * n, 1);
    for (size_t v = 0; v < n; v++) {
        double most = line_of(sample->right + v * n, n, 1).most;
        central = most < radius ? 1 : central + (most == radius);
        radius = fmin(radius, most);
        peripheral = most > diameter ? 1 : peripheral + (most == diameter);
        diameter = fmax(diameter, most);
    }
    check_vertices(sample, stats);
    assert_true(stats->diameter.real == diameter && stats->radius.real == radius);
    assert_int_equal(stats->central, central);
    assert_int_equal(stats->peripheral, peripheral);
    assert_int_equal(stats->pairs, count + n);
    assert_int_equal(stats->unreachable, n * n - n - count);
    assert_true(is_near(strtod(stats->sum, NULL), all.sum) &&
                is_near(strtod(stats->wiener, NULL), all.sum / 2));
    assert_true(count > 0 ? is_near(stats->mean, all.sum / (double)count) : isnan(stats->mean));
    if (stats->counted & APSP_STATS_HARMONIC)
        assert_true(n == 1 || fabs(stats->efficiency - all.harmonic / (double)(n * n - n)) < 1e-12);
    if (stats->counted & APSP_STATS_HISTOGRAM)
        check_histogram(stats, sorted, count);
    free(sorted);
}

/* Largest weights for 16, 32 and 64 bits: bins of one value, of several, of many. */
static void both_engines(void **unused)
{
    static const uint32_t weights[] = {0, 9, 900, 40000000, 4000000000u};
    static const char *const methods[] = {"dense", "sparse"};
    (void)unused;
    for (uint32_t trial = 0; trial < 60; trial++) {
        struct sample sample;
        struct apsp_stats stats;
        bool is_real = trial % 4 == 3,
             negative = trial % 3 == 1 && !is_real; /* whose reals are rounded */
        size_t n = trial < 8 ? trial / 2 + 1 : 1 + random_below(&state, MOST);
        make(&sample, n, weights[trial % 5], negative ? weights[trial % 5] / 2 : 0, is_real);
        for (int m = 0; m < 2; m++) {
            static const unsigned counted[] = {ALL, 0, APSP_STATS_IN, ALL | APSP_STATS_EXACT};
            find(&sample, methods[m], counted[trial / 2 % 4], &stats);
            assert_int_equal(stats.counted | APSP_STATS_OUT,
                             counted[trial / 2 % 4] | APSP_STATS_OUT);
            if (stats.counted & APSP_STATS_EXACT)
                assert_true(stats.exact);
            check_all(&sample, &stats);
            apsp_stats_free(&stats);
        }
        free(sample.right);
    }
}

/* One solution is asked for more than before, and for less. */
static void counts_in_turn(void **unused)
{
    static const char *const methods[] = {"dense", "sparse"};
    static const unsigned counted[] = {0,
                                       APSP_STATS_IN,
                                       ALL,
                                       0,
                                       APSP_STATS_HARMONIC,
                                       APSP_STATS_HISTOGRAM,
                                       ALL | APSP_STATS_EXACT,
                                       APSP_STATS_IN};
    struct sample sample;
    (void)unused;
    make(&sample, MOST, 900, 0, false);
    for (int m = 0; m < 2; m++) {
        struct apsp_graph *graph;
        struct apsp_solution *solution;
        solve(&sample, methods[m], &graph, &solution);
        for (size_t k = 0; k < sizeof counted / sizeof *counted; k++) {
            struct apsp_stats stats;
            assert_int_equal(apsp_find_stats(solution, counted[k], &stats, &error), APSP_OK);
            assert_int_equal(stats.counted | APSP_STATS_OUT, counted[k] | APSP_STATS_OUT);
            check_all(&sample, &stats);
            apsp_stats_free(&stats);
        }
        apsp_solution_free(solution);
        apsp_graph_free(graph);
    }
    free(sample.right);
}

/* The rows of some vertices, in the order of a list. */
static void some_sources(void **unused)
{
    static const char *const methods[] = {"dense", "sparse", "sssp"};
    (void)unused;
    for (uint32_t trial = 0; trial < 30; trial++) {
        struct sample sample;
        struct apsp_graph *graph;
        struct apsp_solution *solution;
        struct apsp_stats stats;
        uint32_t list[MOST], count = 0;
        make(&sample, 2 + random_below(&state, MOST - 2), 9, 0, trial % 2 == 1);
        for (uint32_t v = (uint32_t)sample.n; v > 0; v--)
            if (random_below(&state, 3) == 0 || v == 1)
                list[count++] = v - 1;
        solve(&sample, methods[trial % 3], &graph, &solution);
        const struct apsp_list from = {list, count}, none = {list, 0},
                               twice = {(uint32_t[]){1, 1}, 2};
        assert_int_equal(apsp_find_stats_from(solution, &from, ALL, &stats, &error), APSP_OK);
        assert_int_equal(stats.sources, count);
        size_t pairs = 0, reaching = 0;
        for (uint32_t k = 0; k < count; k++) {
            const struct line out = line_of(sample.right + list[k] * sample.n, sample.n, 1);
            assert_true(column_at(&stats, "vertex", k) == list[k]);
            assert_true(column_at(&stats, "reachable", k) == (double)out.reached);
            assert_true(column_at(&stats, "eccentricity", k) == out.most);
            assert_true(is_near(column_at(&stats, "harmonic", k), out.harmonic));
            pairs += out.reached;
            reaching += !isinf(sample.right[list[k] * sample.n + list[0]]);
        }
        assert_int_equal(stats.pairs, pairs);
        assert_true(column_at(&stats, "in_reachable", 0) == (double)reaching);
        apsp_stats_free(&stats);
        assert_int_equal(apsp_find_stats_from(solution, &none, 0, &stats, &error), APSP_USAGE);
        assert_int_equal(apsp_find_stats_from(solution, &twice, 0, &stats, &error), APSP_USAGE);
        apsp_solution_free(solution);
        apsp_graph_free(graph);
        free(sample.right);
    }
}

/* No pair has a distance, and nothing is divided by a weight that is not there. */
static void graphs_without_edges(void **unused)
{
    static const char *const methods[] = {"dense", "sparse", "sssp"};
    static const size_t sizes[] = {1, 2, 20, MOST};
    (void)unused;
    for (size_t k = 0; k < 24; k++) {
        struct sample sample;
        struct apsp_stats stats;
        make(&sample, sizes[k % 4], 0, 0, k % 8 / 4);
        free(sample.right);
        sample.m = 0;
        bool cycle;
        sample.right = reference_real(sample.n, NULL, 0, &cycle);
        find(&sample, methods[k / 8], ALL & ~(unsigned)APSP_STATS_HISTOGRAM, &stats);
        check_all(&sample, &stats);
        apsp_stats_free(&stats);
        free(sample.right);
    }
}

/* Half of the sum of all distances, which is that of one edge. */
static void halves_have_their_sign(void **unused)
{
    static const struct {
        int64_t sum;
        const char *half;
    } known[] = {{-1, "-0.5"}, {1, "0.5"}, {-3, "-1.5"}, {3, "1.5"}, {-2, "-1"}, {2, "1"}};
    (void)unused;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const struct sample sample = {.n = 2, .m = 1, .to = {1}, .whole = {known[k].sum}};
        struct apsp_stats stats;
        find(&sample, "auto", 0, &stats);
        assert_string_equal(stats.wiener, known[k].half);
        apsp_stats_free(&stats);
    }
}

__extension__ typedef __int128 wide;

static wide read_wide(const char *text)
{
    wide value = 0;
    for (const char *at = text + (*text == '-'); *at; at++)
        value = 10 * value + (*at - '0');
    return *text == '-' ? -value : value;
}

/* Makes all weights that many times as large; returns the sum of the distances, which doubles hold.
 */
static wide enlarge(struct sample *sample, int64_t factor)
{
    wide sum = 0;
    for (size_t e = 0; e < sample->m; e++)
        sample->whole[e] *= factor;
    for (size_t k = 0; k < sample->n * sample->n; k++) {
        sample->right[k] *= (double)factor;
        sum += isinf(sample->right[k]) ? 0 : (int64_t)sample->right[k];
    }
    return sum;
}

static void sums_beyond_64_bits(void **unused)
{
    static const char *const methods[] = {"dense", "sparse"};
    wide most = 0;
    (void)unused;
    for (int trial = 0; trial < 8; trial++) {
        struct sample sample;
        struct apsp_stats stats;
        make(&sample, MOST, 900, trial % 2 ? 400 : 0, false);
        wide sum = enlarge(&sample, INT64_C(1) << 46);
        most = sum > most ? sum : most;
        for (int m = 0; m < 2; m++) {
            find(&sample, methods[m], 0, &stats);
            check_all(&sample, &stats);
            assert_true(read_wide(stats.sum) == sum);
            apsp_stats_free(&stats);
        }
        free(sample.right);
    }
    assert_true(most > INT64_MAX);
}

/* Keys are in the order of the values, and lead back to them. */
static void keys_of_reals(void **unused)
{
    static const double values[] = {-1e300, -2, -1, -1e-300, 0, 1e-300, 1, 2, 1e300};
    (void)unused;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        union value value = {.real = values[k]};
        int64_t key = quantile_key(true, value);
        assert_true(quantile_value(true, key).real == values[k]);
        assert_true(k == 0 || quantile_key(true, (union value){.real = values[k - 1]}) < key);
    }
    assert_int_equal(quantile_key(true, (union value){.real = -0.0}), 0);
}

enum { VALUES = 100 };

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Value j of a row: one in ten is not there, and reals have all sizes and signs. */
static double draw_value(enum dtype dtype, void *row, size_t j)
{
    const bool none = random_below(&state, 10) == 0;
    const int whole = (int)random_below(&state, dtype == DTYPE_U16 ? 60000 : 1000000),
              value = dtype == DTYPE_U16 ? whole : whole - 500000;
    const double real = none ? INFINITY : ldexp(value, (int)random_below(&state, 80) - 60);
    switch (dtype) {
    case DTYPE_U16:
        ((uint16_t *)row)[j] = (uint16_t)(none ? dtype_info[dtype].unreachable : value);
        break;
    case DTYPE_I32:
        ((int32_t *)row)[j] = (int32_t)(none ? dtype_info[dtype].unreachable : value);
        break;
    case DTYPE_I64:
        ((int64_t *)row)[j] = none ? dtype_info[dtype].unreachable : value;
        break;
    case DTYPE_F32:
        ((float *)row)[j] = (float)real;
        return (float)real;
    default:
        ((double *)row)[j] = real;
        return real;
    }
    return none ? INFINITY : value;
}

/* From an interval of all values, by as many looks as it takes, to the value of each rank. */
static void looks_lead_to_the_value(void **unused)
{
    (void)unused;
    for (int dtype = 0; dtype < DTYPE_COUNT; dtype++) {
        const bool real = dtype_info[dtype].real;
        const size_t own = 7;
        double row[VALUES], sorted[VALUES];
        size_t count = 0;
        for (size_t j = 0; j < VALUES; j++) {
            const double value = draw_value((enum dtype)dtype, row, j);
            if (j != own && value < INFINITY)
                sorted[count++] = value;
        }
        qsort(sorted, count, sizeof *sorted, compare);
        const struct block block = {.n = VALUES,
                                    .count = 1,
                                    .first = own,
                                    .dtype = (enum dtype)dtype,
                                    .values = row,
                                    .stride = VALUES};
        for (size_t rank = 1; rank <= count; rank += 9) {
            struct quantile quantile = {rank, INT64_MIN / 2, INT64_MAX / 2};
            size_t *words = malloc(quantile_words(1) * sizeof *words);
            assert_non_null(words);
            if (real) {
                quantile.high = quantile_key(true, (union value){.real = INFINITY}) - 1;
                quantile.low = -quantile.high;
            }
            while (quantile.low < quantile.high) {
                memset(words, 0, quantile_words(1) * sizeof *words);
                quantile_count(&quantile, 1, &block, 0, words);
                quantile_narrow(&quantile, words);
            }
            const union value found = quantile_value(real, quantile.low);
            assert_true((real ? found.real : (double)found.whole) == sorted[rank - 1]);
            free(words);
        }
    }
}

/* Rounding takes reals beyond the bound of the bins; they count in the last one. */
static void reals_beyond_the_last_bin(void **unused)
{
    static const double row[] = {0, 0.5, 3.5, 9.75};
    static const size_t pairs[] = {1, 0, 0, 2};
    const struct count_bins bins = {.shift = 0, .first = 0, .count = 4};
    const struct block block = {
        .n = 4, .count = 1, .first = 0, .dtype = DTYPE_F64, .values = (void *)row, .stride = 4};
    (void)unused;
    for (size_t rank = 1; rank <= 3; rank++) {
        struct quantile quantile = quantile_start(true, &bins, pairs, rank);
        size_t *words = malloc(quantile_words(1) * sizeof *words);
        assert_non_null(words);
        for (int look = 0; look < 64 && quantile.low < quantile.high; look++) {
            memset(words, 0, quantile_words(1) * sizeof *words);
            quantile_count(&quantile, 1, &block, 0, words);
            quantile_narrow(&quantile, words);
        }
        assert_true(quantile_value(true, quantile.low).real == row[rank]);
        free(words);
    }
}

static void arguments(void **unused)
{
    struct sample sample;
    struct apsp_stats stats;
    (void)unused;
    make(&sample, 3, 5, 0, false);
    struct apsp_array column = {&stats, APSP_I64};
    unsigned counted = 0;
    assert_int_equal(apsp_find_stats(NULL, 0, &stats, &error), APSP_USAGE);
    assert_int_equal(apsp_stats_column(&stats, "harmonic", &column, &error), APSP_USAGE);
    assert_null(column.data);
    assert_int_equal(apsp_stats_column(&stats, "sum", &column, &error), APSP_OK);
    assert_int_equal(apsp_stats_column(&stats, NULL, &column, &error), APSP_USAGE);
    assert_string_equal(apsp_stats_name(0, 0), "vertex");
    assert_string_equal(apsp_stats_name(APSP_STATS_IN, 5), "in_eccentricity");
    assert_null(apsp_stats_name(0, 5));
    assert_int_equal(apsp_stats_counted("in,exact", &counted, &error), APSP_OK);
    assert_int_equal(counted, APSP_STATS_IN | APSP_STATS_EXACT | APSP_STATS_HISTOGRAM);
    assert_int_equal(apsp_stats_counted("all", &counted, &error), APSP_OK);
    assert_int_equal(counted, APSP_STATS_OUT | ALL);
    assert_int_equal(apsp_stats_counted("inn", &counted, &error), APSP_USAGE);
    assert_int_equal(stats.sources, 0);
    apsp_stats_free(&stats);
    free(sample.right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_engines),
        cmocka_unit_test(graphs_without_edges),
        cmocka_unit_test(counts_in_turn),
        cmocka_unit_test(some_sources),
        cmocka_unit_test(halves_have_their_sign),
        cmocka_unit_test(sums_beyond_64_bits),
        cmocka_unit_test(keys_of_reals),
        cmocka_unit_test(looks_lead_to_the_value),
        cmocka_unit_test(reals_beyond_the_last_bin),
        cmocka_unit_test(arguments),
    };
    return cmocka_run_group_tests_name("stats", tests, NULL, NULL) != 0;
}
