/* betweenness.c against every path of small graphs, walked one by one, and against what is known of
 * large ones. */
#include "unit.h"

#include "base/random.h"
#include "comm/comm.h"
#include "make_csr.h"
#include "rows/betweenness.h"
#include "rows/brandes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 7, EDGES_MAX = 40 };

static struct edge edges[EDGES_MAX];
static struct apsp_error error;
static bool stress; /* is computed in place of betweenness */

/* All paths without a vertex twice, by depth-first search over the lightest edges. */
static struct walk {
    size_t n, s;
    double weight[SMALL][SMALL]; /* 0: no edge */
    double best[SMALL];
    size_t paths[SMALL], through[SMALL][SMALL];
    size_t path[SMALL], length;
    bool on_path[SMALL];
} walk;

/* First finds the lengths; then counts paths, all of whose beginnings are as short as can be. */
static void visit(size_t u, double sum, bool count)
{
    if (count && sum > walk.best[u])
        return;
    walk.best[u] = fmin(sum, walk.best[u]);
    walk.paths[u] += count;
    for (size_t k = 1; count && k < walk.length; k++)
        walk.through[u][walk.path[k]]++;
    walk.on_path[u] = true;
    walk.path[walk.length++] = u;
    for (size_t v = 0; v < walk.n; v++)
        if (walk.weight[u][v] > 0 && !walk.on_path[v])
            visit(v, sum + walk.weight[u][v], count);
    walk.length--;
    walk.on_path[u] = false;
}

/* What s adds, to sum; walk.best is then its row. */
static void walk_from(size_t s, double *sum)
{
    walk.s = s;
    for (size_t t = 0; t < walk.n; t++)
        walk.best[t] = INFINITY;
    memset(walk.paths, 0, sizeof walk.paths);
    memset(walk.through, 0, sizeof walk.through);
    visit(s, 0, false);
    visit(s, 0, true);
    for (size_t t = 0; t < walk.n; t++)
        for (size_t v = 0; v < walk.n && t != s && walk.best[t] < INFINITY; v++)
            sum[v] += (double)walk.through[t][v] / (stress ? 1 : (double)walk.paths[t]);
}

/* The edges, with weights times `factor`, which makes them exact. */
static void fill_walk(size_t n, size_t m, bool real, double factor)
{
    memset(&walk, 0, sizeof walk);
    walk.n = n;
    for (size_t e = 0; e < m; e++) {
        double weight = real ? edges[e].weight.real * factor : (double)edges[e].weight.whole,
               *least = &walk.weight[edges[e].from][edges[e].to];
        if (factor != 1)
            weight = round(weight);
        if (edges[e].from != edges[e].to && (*least == 0 || weight < *least))
            *least = weight;
    }
}

static bool walk_is_directed(void)
{
    for (size_t u = 0; u < walk.n; u++)
        for (size_t v = 0; v < u; v++)
            if (walk.weight[u][v] != walk.weight[v][u])
                return true;
    return false;
}

/* A row of that type; of reals as an engine might round it. */
static void put_row(enum dtype dtype, void *row, double factor)
{
    for (size_t v = 0; v < walk.n; v++) {
        double value = walk.best[v];
        int64_t whole = value < INFINITY ? (int64_t)value : dtype_info[dtype].unreachable;
        if (dtype == DTYPE_U16)
            ((uint16_t *)row)[v] = (uint16_t)whole;
        else if (dtype == DTYPE_I32)
            ((int32_t *)row)[v] = (int32_t)whole;
        else if (dtype == DTYPE_I64)
            ((int64_t *)row)[v] = whole;
        else
            ((double *)row)[v] = value / factor *
                                 (v % 3 == 1   ? 1 + 0x1p-52
                                  : v % 3 == 2 ? 1 - 0x1p-52
                                               : 1);
    }
}

static struct betweenness *begin(const struct csr *csr, enum dtype dtype)
{
    const struct certificate certificate = {.edges = csr, .labels = {.first = 1}};
    struct betweenness *betweenness;
    memset(&error, 0, sizeof error);
    const struct betweenness_plan plan = {
        .certificate = certificate, .dtype = dtype, .between.stress = stress, .lanes = 3};
    if (betweenness_new(&betweenness, &plan, &error))
        fail_msg("%s", error.text);
    return betweenness;
}

static int take(struct betweenness *betweenness, int lane, size_t s, const void *row, size_t n,
                enum dtype dtype)
{
    const struct block block = {
        .n = n, .count = 1, .first = s, .dtype = dtype, .values = row, .stride = n};
    return betweenness_take(betweenness, lane, &block, &error);
}

static void check_values(struct betweenness *betweenness, const double *right, size_t n)
{
    struct comm *comm;
    assert_int_equal(comm_solo(&comm, &error), APSP_OK);
    const double *values = betweenness_merge(betweenness, comm, &error);
    assert_non_null(values);
    for (size_t v = 0; v < n; v++)
        if (!(fabs(values[v] - right[v]) <= 1e-12 * right[v]))
            fail_msg("vertex %zu has %.17g, and %.17g is right", v, values[v], right[v]);
    comm_free(comm);
    betweenness_free(betweenness);
}

/* factor: weights times it are whole; 1: they are taken as they are. */
static void check_small(size_t n, size_t m, enum dtype dtype, bool real, double factor)
{
    int64_t row[SMALL];
    double right[SMALL] = {0};
    struct csr csr = make_csr(n, real, edges, m);
    struct betweenness *betweenness = begin(&csr, dtype);
    csr_free(&csr); /* is of no use to it any more */
    fill_walk(n, m, real, factor);
    for (size_t s = 0; s < n; s++) {
        walk_from(s, right);
        put_row(dtype, row, factor);
        if (take(betweenness, (int)(s % 3), s, row, n, dtype))
            fail_msg("%s", error.text);
    }
    assert_int_equal(betweenness_is_directed(betweenness), walk_is_directed());
    const double all = (double)(n - 1) * ((double)n - 2),
                 share = betweenness_share(betweenness, false);
    for (size_t v = 0; v < n && !walk_is_directed(); v++)
        right[v] /= 2;
    assert_true(n <= 2 ? share == 0 : fabs(share * all - (walk_is_directed() ? 1 : 2)) < 1e-12);
    check_values(betweenness, right, n);
}

/* Up to EDGES_MAX edges, parallel ones and loops among them, with weights of so many kinds. */
static size_t make_edges(uint64_t *state, size_t n, bool directed,
                         union value (*weight)(uint64_t *))
{
    size_t m = random_below(state, EDGES_MAX / 2);
    for (size_t e = 0; e < m; e++)
        edges[e] = (struct edge){random_below(state, (uint32_t)n), random_below(state, (uint32_t)n),
                                 weight(state)};
    for (size_t e = 0; e < m && !directed; e++)
        edges[m + e] = (struct edge){edges[e].to, edges[e].from, edges[e].weight};
    return directed ? m : 2 * m;
}

static union value one(uint64_t *state)
{
    (void)state;
    return (union value){.whole = 1};
}

static union value few(uint64_t *state)
{
    return (union value){.whole = 1 + random_below(state, 4)};
}

static union value tenth(uint64_t *state)
{
    return (union value){.real = (1 + random_below(state, 6)) / 10.0};
}

/* Sums of them are often equal but for rounding. */
static union value third(uint64_t *state)
{
    return (union value){.real = (1 + random_below(state, 6)) / 3.0};
}

static void check_all_small(void)
{
    static const enum dtype whole[] = {DTYPE_U16, DTYPE_I32, DTYPE_I64, DTYPE_F64};
    uint64_t state = 7;
    for (int round = 0; round < 400; round++) {
        size_t n = 1 + (size_t)round % SMALL;
        bool directed = round / SMALL % 2;
        for (size_t t = 0; t < 4; t++) {
            check_small(n, make_edges(&state, n, directed, one), whole[t], false, 1);
            check_small(n, make_edges(&state, n, directed, few), whole[t], false, 1);
        }
        check_small(n, make_edges(&state, n, directed, tenth), DTYPE_F64, true, 10);
        check_small(n, make_edges(&state, n, directed, third), DTYPE_F64, true, 1);
    }
}

static void equals_all_paths(void **none)
{
    (void)none;
    for (int kind = 0; kind < 2; kind++, stress = !stress)
        check_all_small();
}

/* 0.1 + 0.2 and 0.3 are two ways. Beside a length of which twenty have no exact sum in tenths they
 * are not any more, and bits tell. */
static void decimals_are_exact_while_sums_are(void **none)
{
    enum { VERTICES = 20 };
    static const struct {
        double fourth, middle;
    } known[] = {{1, 0.5}, {4.5e13, 0.5}, {4.6e13, 0}, {1e15, 0}};
    double row[VERTICES] = {0, 0.1, 0.3};
    (void)none;
    for (size_t v = 3; v < VERTICES; v++)
        row[v] = INFINITY;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const double right[VERTICES] = {0, known[k].middle};
        edges[0] = (struct edge){0, 1, {.real = 0.1}};
        edges[1] = (struct edge){1, 2, {.real = 0.2}};
        edges[2] = (struct edge){0, 2, {.real = 0.3}};
        edges[3] = (struct edge){3, 0, {.real = known[k].fourth}};
        struct csr csr = make_csr(VERTICES, true, edges, 4);
        struct betweenness *betweenness = begin(&csr, DTYPE_F64);
        assert_int_equal(take(betweenness, 0, 0, row, VERTICES, DTYPE_F64), APSP_OK);
        check_values(betweenness, right, VERTICES);
        csr_free(&csr);
    }
}

/* A chain of squares, 0 -> 1, 2 -> 3 -> 4, 5 -> 6 ...: 2^k paths lead over k of them. With a star
 * beside it the graph looks shallow, and searches are made side by side. Rows are used where the
 * last edge, parallel to the first, is longer. */
static void check_chain(size_t star, bool rows)
{
    enum { SQUARES = 2600, N = 3 * SQUARES + 1, M = 4 * SQUARES };
    const size_t m = M + (star > 0 ? star - 1 : 0) + rows;
    struct edge *chain = malloc(m * sizeof *chain);
    double *right = calloc(N + star, sizeof *right);
    int32_t *row = malloc((N + star) * sizeof *row);
    assert_true(chain && right && row);
    for (uint32_t k = 1; k < star; k++)
        chain[M + k - 1] = (struct edge){N, N + k, {1}};
    for (size_t v = N; v < N + star; v++)
        row[v] = INF_I32;
    for (uint32_t k = 0; k < SQUARES; k++)
        for (uint32_t side = 0; side < 2; side++) {
            chain[4 * k + 2 * side] = (struct edge){3 * k, 3 * k + 1 + side, {1}};
            chain[4 * k + 2 * side + 1] = (struct edge){3 * k + 1 + side, 3 * k + 3, {1}};
        }
    if (rows)
        chain[m - 1] = (struct edge){0, 1, {2}};
    struct csr csr = make_csr(N + star, false, chain, m);
    assert_int_equal(brandes_is_shallow(&csr), star > 0);
    struct betweenness *betweenness = begin(&csr, DTYPE_I32);
    for (size_t s = 0; s < N; s++) {
        for (size_t v = 0; v < N; v++) {
            int32_t place = (int32_t)(2 * (v / 3) + (v % 3 > 0)),
                    own = (int32_t)(2 * (s / 3) + (s % 3 > 0));
            row[v] = v == s ? 0 : place > own ? place - own : INF_I32;
        }
        assert_int_equal(take(betweenness, 0, s, row, N + star, DTYPE_I32), APSP_OK);
    }
    for (size_t v = 0; v < N; v++) {
        double before = (double)(v % 3 ? v - v % 3 + 1 : v),
               after = (double)(v % 3 ? N - 3 - (v - v % 3) : N - 1 - v);
        right[v] = before * after / (v % 3 ? 2 : 1);
    }
    check_values(betweenness, right, N + star);
    csr_free(&csr);
    free(row);
    free(right);
    free(chain);
}

static void numbers_of_paths_have_no_limit(void **none)
{
    (void)none;
    check_chain(0, false);
    check_chain(0, true);
    check_chain(5000, false);
}

static void swap(struct edge *edge, size_t m, double *right, int32_t *row, uint32_t a, uint32_t b)
{
    const double value = right[a];
    const int32_t distance = row[a];
    for (size_t e = 0; e < m; e++) {
        edge[e].from = edge[e].from == a ? b : edge[e].from == b ? a : edge[e].from;
        edge[e].to = edge[e].to == a ? b : edge[e].to == b ? a : edge[e].to;
    }
    right[a] = right[b];
    right[b] = value;
    row[a] = row[b];
    row[b] = distance;
}

/* After 1023 squares 2^1024 paths lead over one more to a vertex, half as many over 3073 and 3074
 * to another, and all of them to the next one. Vertex 0 has two more neighbours, so that a search
 * from the highest degree is deep. Rows of vertex 0 alone; they are used where a parallel edge is
 * longer. Swapped, searches come to the fewer paths first. */
static void check_two_sizes(bool rows, bool swapped)
{
    enum { SQUARES = 1024, END = 3 * SQUARES, LEAF = END + 4, N = LEAF + 2, M = 4 * SQUARES + 6 };
    static struct edge chain[M + 1];
    static double right[N];
    static int32_t row[N];
    for (uint32_t k = 0; k < SQUARES; k++)
        for (uint32_t side = 0; side < 2; side++) {
            chain[4 * k + 2 * side] = (struct edge){3 * k, 3 * k + 1 + side, {1}};
            chain[4 * k + 2 * side + 1] = (struct edge){3 * k + 1 + side, 3 * k + 3, {1}};
        }
    chain[4 * SQUARES] = (struct edge){END - 3, END + 1, {1}};
    chain[4 * SQUARES + 1] = (struct edge){END + 1, END + 2, {1}};
    chain[4 * SQUARES + 2] = (struct edge){END, END + 3, {1}};
    chain[4 * SQUARES + 3] = (struct edge){END + 2, END + 3, {1}};
    for (uint32_t k = 0; k < 2; k++)
        chain[M - 2 + k] = (struct edge){0, LEAF + k, {1}};
    row[LEAF] = row[LEAF + 1] = 1;
    for (int32_t v = 0; v < LEAF; v++)
        row[v] = v <= END ? 2 * (v / 3) + (v % 3 > 0) : 2 * SQUARES - 2 + v - END;
    for (int v = 1; v < END - 2; v++)
        right[v] = v % 3 ? (LEAF - (v - v % 3 + 3)) / 2.0 : LEAF - 1 - v;
    right[END - 2] = right[END - 1] = 1.0 / 2 + 1.0 / 3;
    right[END] = 2.0 / 3;
    right[END + 1] = 1 + 1.0 / 3;
    right[END + 2] = 1.0 / 3;
    chain[M] = (struct edge){0, 1, {2}};
    for (uint32_t v = 0; swapped && v < 2; v++)
        swap(chain, M, right, row, END - 2 + v, END + 1 + v);
    struct csr csr = make_csr(N, false, chain, M + rows);
    assert_false(brandes_is_shallow(&csr));
    struct betweenness *betweenness = begin(&csr, DTYPE_I32);
    assert_int_equal(take(betweenness, 0, 0, row, N, DTYPE_I32), APSP_OK);
    check_values(betweenness, right, N);
    csr_free(&csr);
}

static void numbers_of_paths_of_two_sizes_meet(void **none)
{
    (void)none;
    for (int kind = 0; kind < 4; kind++)
        check_two_sizes(kind % 2, kind / 2);
}

/* Paths from 0 over so many squares 0 -> 1, 2 -> 3 -> 4, 5 -> 6 ..., the last of which has one more
 * side: 1.5 times 2^squares lead to its end. */
static int take_squares(uint32_t squares, const uint32_t *target, struct betweenness **betweenness)
{
    const size_t n = 3 * squares + 2, m = 4 * squares + 2;
    struct edge *chain = malloc(m * sizeof *chain);
    int32_t *row = malloc(n * sizeof *row);
    assert_true(chain && row);
    for (uint32_t k = 0; k < squares; k++)
        for (uint32_t side = 0; side < 2; side++) {
            chain[4 * k + 2 * side] = (struct edge){3 * k, 3 * k + 1 + side, {1}};
            chain[4 * k + 2 * side + 1] = (struct edge){3 * k + 1 + side, 3 * k + 3, {1}};
        }
    chain[m - 2] = (struct edge){3 * squares - 3, 3 * squares + 1, {1}};
    chain[m - 1] = (struct edge){3 * squares + 1, 3 * squares, {1}};
    for (size_t v = 0; v < n; v++)
        row[v] = (int32_t)(v == n - 1 ? 2 * squares - 1 : 2 * (v / 3) + (v % 3 > 0));
    struct csr csr = make_csr(n, false, chain, m);
    const struct betweenness_plan plan = {.certificate = {.edges = &csr, .labels = {.first = 1}},
                                          .dtype = DTYPE_I32,
                                          .target = target,
                                          .targets = 1,
                                          .between.stress = true,
                                          .lanes = 1};
    memset(&error, 0, sizeof error);
    assert_int_equal(betweenness_new(betweenness, &plan, &error), APSP_OK);
    const int code = take(*betweenness, 0, 0, row, n, DTYPE_I32);
    csr_free(&csr);
    free(row);
    free(chain);
    return code;
}

/* Up to 2^84 paths have room beside 128 to 255 vertices. Only those to targets count. */
static void stress_has_a_limit(void **none)
{
    enum { SQUARES = 83, END = 3 * SQUARES };
    static double right[END + 2];
    const uint32_t end = END;
    struct betweenness *betweenness;
    (void)none;
    for (size_t v = 1; v < END - 3; v++)
        right[v] = ldexp(v % 3 ? 0.75 : 1.5, SQUARES);
    right[END - 3] = ldexp(1.5, SQUARES);
    right[END - 2] = right[END - 1] = right[END + 1] = ldexp(0.5, SQUARES);
    assert_int_equal(take_squares(SQUARES, &end, &betweenness), APSP_OK);
    check_values(betweenness, right, END + 2);
    for (uint32_t squares = SQUARES + 1; squares < 1000; squares += 450) {
        const uint32_t last = 3 * squares, near = 3;
        assert_int_equal(take_squares(squares, NULL, &betweenness), APSP_INPUT);
        betweenness_free(betweenness);
        assert_int_equal(take_squares(squares, &last, &betweenness), APSP_INPUT);
        assert_non_null(strstr(error.text, "shortest paths lead from 1 to"));
        betweenness_free(betweenness);
        assert_int_equal(take_squares(squares, &near, &betweenness), APSP_OK);
        betweenness_free(betweenness);
    }
}

static void refuses(bool real, union value weight, enum dtype dtype, int code, const char *word)
{
    edges[0] = (struct edge){0, 1, weight};
    struct csr csr = make_csr(2, real, edges, 1);
    const struct betweenness_plan plan = {
        .certificate = {.edges = &csr, .labels = {.first = 1}}, .dtype = dtype, .lanes = 1};
    struct betweenness *betweenness;
    memset(&error, 0, sizeof error);
    assert_int_equal(betweenness_new(&betweenness, &plan, &error), code);
    assert_null(betweenness);
    if (!strstr(error.text, word))
        fail_msg("'%s' is not in: %s", word, error.text);
    csr_free(&csr);
}

static void refuses_what_has_no_answer(void **none)
{
    (void)none;
    refuses(false, (union value){.whole = 0}, DTYPE_I32, APSP_INPUT, "from 1 to 2 has weight 0");
    refuses(false, (union value){.whole = -4}, DTYPE_I64, APSP_INPUT, "weight -4");
    refuses(true, (union value){.real = -0.5}, DTYPE_F64, APSP_INPUT, "weight -0.5");
    refuses(true, (union value){.real = 0}, DTYPE_F64, APSP_INPUT, "weight 0");
    refuses(false, (union value){.whole = 1}, DTYPE_F32, APSP_USAGE, "f32");
}

/* A plan names no GPU unless its field is set: so many lanes as cores have make blocks. Builds for
 * GPUs run this in tests/gpu/betweenness.sh. */
static void an_unset_gpu_is_none(void **none)
{
    enum { LANES = 7 };
    struct comm *comm;
    struct rows_maker maker = {.lanes = LANES};
    (void)none;
    for (uint32_t v = 0; v < 4; v++)
        edges[v] = (struct edge){v, (v + 1) % 4, {.whole = 1}};
    struct csr csr = make_csr(4, false, edges, 4);
    struct betweenness *betweenness = begin(&csr, DTYPE_I32);
    assert_int_equal(comm_solo(&comm, &error), APSP_OK);
    assert_int_equal(betweenness_maker(betweenness, comm, NULL, 4, &maker, &error), APSP_OK);
    assert_int_equal(maker.rows, 4);
    assert_int_equal(maker.lanes, LANES);
    betweenness_free(betweenness);
    comm_free(comm);
    csr_free(&csr);
}

static void wrong_rows_are_refuted(void **none)
{
    const int32_t rows[][3] = {{0, 1, 3}, {0, 2, INF_I32}, {1, 1, 2}, {0, INF_I32, 2}};
    (void)none;
    edges[0] = (struct edge){0, 1, {1}};
    edges[1] = (struct edge){1, 2, {1}};
    edges[2] = (struct edge){2, 0, {2}};
    struct csr csr = make_csr(3, false, edges, 3);
    struct betweenness *betweenness = begin(&csr, DTYPE_I32);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        memset(&error, 0, sizeof error);
        assert_int_equal(take(betweenness, 0, 0, rows[k], 3, DTYPE_I32), APSP_REFUTED);
        assert_non_null(strstr(error.text, "row 1"));
    }
    betweenness_free(betweenness);
    csr_free(&csr);
}

/* 1e-9 there and back, at a distance of 1e9. */
static void weights_that_rounding_hides_are_refused(void **none)
{
    const double row[] = {0, 1e9, 1e9};
    (void)none;
    edges[0] = (struct edge){0, 1, {.real = 1e9}};
    edges[1] = (struct edge){1, 2, {.real = 1e-9}};
    edges[2] = (struct edge){2, 1, {.real = 1e-9}};
    struct csr csr = make_csr(3, true, edges, 3);
    struct betweenness *betweenness = begin(&csr, DTYPE_F64);
    assert_int_equal(take(betweenness, 0, 0, row, 3, DTYPE_F64), APSP_INPUT);
    assert_non_null(strstr(error.text, "rounding hides"));
    betweenness_free(betweenness);
    csr_free(&csr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_all_paths),
        cmocka_unit_test(decimals_are_exact_while_sums_are),
        cmocka_unit_test(numbers_of_paths_have_no_limit),
        cmocka_unit_test(numbers_of_paths_of_two_sizes_meet),
        cmocka_unit_test(stress_has_a_limit),
        cmocka_unit_test(refuses_what_has_no_answer),
        cmocka_unit_test(an_unset_gpu_is_none),
        cmocka_unit_test(wrong_rows_are_refuted),
        cmocka_unit_test(weights_that_rounding_hides_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
