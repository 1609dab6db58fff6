/*
 * The CPU backend, with every instruction set that this processor has and every type. One round on
 * arbitrary ranges is compared entry by entry with the plain definition of its phases (so that a
 * write outside the ranges shows as well), whole solves with Dijkstra's algorithm.
 */
#include "unit.h"

#include "base/random.h"
#include "dense/backend.h"
#include "dense/schedule.h"
#include "kernels/cpu/relax.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_N = 150, MAX_EDGES = MAX_N * 8 };

static const char *const isas[] = {"avx512", "avx2", "plain"};

static uint64_t state;
static enum dtype type; /* of the case that runs */

static size_t draw(size_t below)
{
    return (size_t)(random_next(&state) % below);
}

static int64_t draw_distance(void)
{
    return draw(4) == 0 ? INF_I64 : (int64_t)draw(1000);
}

/* Distances of all types as whole numbers; what is `infinite` in them, or a real infinity, is
 * INF_I64. */
static int64_t number_at(enum dtype of, const void *values, size_t at, int64_t infinite)
{
    double real = of == DTYPE_F32   ? (double)((const float *)values)[at]
                  : of == DTYPE_F64 ? ((const double *)values)[at]
                                    : 0;
    if (dtype_info[of].real)
        return isinf(real) ? INF_I64 : (int64_t)real;
    int64_t value = of == DTYPE_U16   ? ((const uint16_t *)values)[at]
                    : of == DTYPE_I32 ? ((const int32_t *)values)[at]
                                      : ((const int64_t *)values)[at];
    return value == infinite ? INF_I64 : value;
}

/* In a panel. */
static int64_t value_at(const void *values, size_t at)
{
    return number_at(type, values, at, dtype_info[type].infinity);
}

/* In the rows that are given out. */
static int64_t given_at(const struct block *block, size_t i, size_t j)
{
    return number_at(block->dtype, block->values, i * block->stride + j,
                     dtype_info[block->dtype].unreachable);
}

static void put_at(void *values, size_t at, int64_t value)
{
    double real = value == INF_I64 ? INFINITY : (double)value;
    int64_t whole = value == INF_I64 ? dtype_info[type].infinity : value;
    if (type == DTYPE_U16)
        ((uint16_t *)values)[at] = (uint16_t)whole;
    else if (type == DTYPE_I32)
        ((int32_t *)values)[at] = (int32_t)whole;
    else if (type == DTYPE_I64)
        ((int64_t *)values)[at] = whole;
    else if (type == DTYPE_F32)
        ((float *)values)[at] = (float)real;
    else
        ((double *)values)[at] = real;
}

static struct edge edge_of(size_t from, size_t to, int64_t weight)
{
    struct edge edge = {(uint32_t)from, (uint32_t)to, {weight}};
    if (dtype_info[type].real)
        edge.weight.real = weight == INF_I64 ? INFINITY : (double)weight;
    return edge;
}

/* Runs the case with every instruction set of this processor, for every type. */
static void with_every_isa(void (*run)(void))
{
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++) {
        const char *note;
        setenv("APSP_ISA", isas[i], 1);
        relax_choose(DTYPE_I32, &note);
        state = 1;
        if (*note)
            print_message("%s: not on this processor\n", isas[i]);
        for (type = DTYPE_U16; !*note && type < DTYPE_COUNT; type++)
            run();
    }
    unsetenv("APSP_ISA");
}

static struct backend *open_plan(struct backend_plan plan)
{
    struct backend *backend;
    struct apsp_error error = {0};
    plan.dtype = type;
    if (plan.output == DTYPE_U16) /* the default */
        plan.output = dtype_info[type].output;
    if (plan.tile == 0)
        plan.tile = backend_cpu.strip->tile(plan.n, 1, type);
    assert_int_equal(backend_cpu.strip->open(&backend, &plan, &error), APSP_OK);
    return backend;
}

static struct block strip_of(struct backend *backend)
{
    static double buffer[MAX_N * MAX_N];
    struct block block;
    bool copies = backend->strip->fetch_copies(&backend->plan);
    backend->strip->fetch(backend, 0, backend->plan.rows, copies ? buffer : NULL, &block);
    assert_int_equal(block.values == (const void *)buffer, copies);
    assert_true(block.n == backend->plan.n && block.count == range_length(backend->plan.rows));
    assert_true(block.first == backend->plan.rows.lo && block.dtype == backend->plan.output);
    assert_true(!block.source && !block.device);
    return block;
}

/* Up to `most` random pieces of `range`, and all of `must` (within range, or empty). */
static struct ranges draw_ranges(struct range range, struct range must, size_t most)
{
    struct ranges list = {0};
    size_t lo = range.lo, pieces = draw(most) + 1;
    for (size_t i = 0; i < pieces && lo < range.hi; i++) {
        struct range piece = {lo + draw(range.hi - lo), 0};
        piece.hi = piece.lo + 1 + draw(range.hi - piece.lo);
        if (range_length(must) && piece.hi >= must.lo && piece.lo <= must.hi) {
            piece.lo = piece.lo < must.lo ? piece.lo : must.lo;
            piece.hi = piece.hi > must.hi ? piece.hi : must.hi;
            must = (struct range){0, 0};
        } else if (range_length(must) && piece.lo > must.hi) {
            list.at[list.count++] = must;
            must = (struct range){0, 0};
        }
        list.at[list.count++] = piece;
        lo = piece.hi + 1;
    }
    if (range_length(must))
        list.at[list.count++] = must;
    return list;
}

static bool has(const struct ranges *list, size_t i)
{
    for (int r = 0; r < list->count; r++)
        if (i >= list->at[r].lo && i < list->at[r].hi)
            return true;
    return false;
}

/* One round by its definition. d: the strip, n wide; row and col: the pivot rows and columns,
 * closed in place. */
struct round_model {
    size_t n, w;
    struct range rows, pivot;
    int64_t d[MAX_N * MAX_N], row[MAX_N * MAX_N], col[MAX_N * MAX_N];
};

static struct round_model model;

static void lower(int64_t *value, int64_t a, int64_t b)
{
    int64_t sum = a + b; /* more than INF_I64 if one of them is infinite */
    *value = sum < *value ? sum : *value;
}

static void model_close(const struct ranges *rows, const struct ranges *cols)
{
    static int64_t tile[MAX_N * MAX_N], raw[MAX_N * MAX_N];
    size_t n = model.n, w = model.w, pivot = model.pivot.lo;
    for (size_t i = 0; i < w; i++)
        memcpy(tile + i * w, model.row + i * n + pivot, w * sizeof *tile);
    for (size_t k = 0; k < w; k++)
        for (size_t i = 0; i < w; i++)
            for (size_t j = 0; j < w; j++)
                lower(&tile[i * w + j], tile[i * w + k], tile[k * w + j]);
    memcpy(raw, model.row, w * n * sizeof *raw);
    for (size_t i = 0; i < w; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < w; k++)
                lower(&model.row[i * n + j], tile[i * w + k], raw[k * n + j]);
    for (size_t i = 0; i < range_length(model.rows); i++) {
        int64_t *entry = model.d + i * n + pivot;
        for (size_t j = 0; j < w; j++) {
            model.col[i * w + j] = entry[j];
            for (size_t k = 0; k < w; k++)
                lower(&model.col[i * w + j], entry[k], tile[k * w + j]);
        }
        if (has(rows, i + model.rows.lo))
            memcpy(entry, model.col + i * w, w * sizeof *entry);
    }
    for (size_t i = 0; i < w; i++)
        for (size_t j = 0; j < n; j++)
            if (has(rows, pivot) && has(cols, j))
                model.d[(pivot + i - model.rows.lo) * n + j] = model.row[i * n + j];
}

static void model_relax(const struct ranges *rows, const struct ranges *cols)
{
    for (size_t i = 0; i < range_length(model.rows); i++)
        for (size_t j = 0; j < model.n; j++)
            for (size_t k = 0; k < model.w && has(rows, i + model.rows.lo) && has(cols, j); k++)
                lower(&model.d[i * model.n + j], model.col[i * model.w + k],
                      model.row[k * model.n + j]);
}

static void assert_as_model(struct backend *backend)
{
    size_t n = model.n;
    struct block block = strip_of(backend);
    for (size_t i = 0; i < range_length(model.rows); i++)
        for (size_t j = 0; j < block.stride; j++)
            assert_true(given_at(&block, i, j) == (j < n ? model.d[i * n + j] : INF_I64));
}

/* A strip of random distances, in the backend and in the model. */
static struct backend *draw_strip(size_t n, int ranks, size_t tile)
{
    struct range rows = strip_rows(n, ranks, (int)draw((size_t)ranks));
    struct backend *backend = open_plan(
        (struct backend_plan){.n = n, .rows = rows, .tile = tile, .threads = 1 + (int)draw(2)});
    size_t parallel = 0;
    for (size_t i = rows.lo; i < rows.hi; i++)
        for (size_t j = 0; j < n; j++) {
            struct edge edge = edge_of(i, j, draw_distance());
            if (i != j)
                backend_cpu.strip->build(backend, &edge, 1, &parallel);
        }
    assert_int_equal(parallel, 0);
    struct block block = strip_of(backend);
    for (size_t i = 0; i < range_length(rows) * n; i++)
        model.d[i] = given_at(&block, i / n, i % n);
    model.n = n;
    model.rows = rows;
    return backend;
}

/* A pivot range of this strip, or of another one; its rows as their owner would have sent them.
 * Returns if this strip owns it. */
static bool draw_pivot(struct backend *backend, int ranks)
{
    size_t n = model.n, row = draw(n);
    struct range strip = strip_rows(n, ranks, strip_owner(n, ranks, row));
    model.pivot = (struct range){row, row + 1 + draw(backend->plan.tile)};
    if (model.pivot.hi > strip.hi)
        model.pivot.hi = strip.hi;
    model.w = range_length(model.pivot);
    bool owned = strip.lo == model.rows.lo && range_length(model.rows) > 0;
    void *raw = backend_cpu.panel->raw(backend, 1);
    if (owned)
        backend_cpu.round->pick(backend, 1, model.pivot);
    for (size_t i = 0; i < model.w && !owned; i++)
        for (size_t j = 0; j < n; j++)
            put_at(raw, i * n + j, j == model.pivot.lo + i ? 0 : draw_distance());
    for (size_t i = 0; i < model.w * n; i++)
        model.row[i] = value_at(raw, i);
    for (size_t i = 0; i < model.w && owned; i++)
        assert_memory_equal(model.row + i * n, model.d + (model.pivot.lo + i - model.rows.lo) * n,
                            n * sizeof *model.row);
    return owned;
}

static void count_poll(void *calls)
{
    ++*(int *)calls;
}

static void run_rounds(void)
{
    for (int pass = 0; pass < 60; pass++) {
        size_t n = 1 + draw(MAX_N);
        int ranks = 1 + (int)draw(4), polls = 0;
        struct backend *backend = draw_strip(n, ranks, 1 + draw(n));
        bool owned = draw_pivot(backend, ranks);
        struct range none = {0, 0};
        struct ranges rows = {0};
        if (range_length(model.rows))
            rows = draw_ranges(model.rows, owned ? model.pivot : none, 3);
        struct ranges cols = draw_ranges((struct range){0, n}, model.pivot, 3);
        backend_cpu.round->close(backend, 1, model.pivot, &rows, &cols);
        model_close(&rows, &cols);
        assert_as_model(backend);

        rows = ranges_without(rows, owned ? model.pivot : none);
        cols = ranges_without(cols, model.pivot);
        struct range half = {draw(n), n};
        struct ranges some = ranges_within(cols, half);
        backend_cpu.round->relax(backend, BACKEND_AHEAD, 1, &rows, &some);
        model_relax(&rows, &some);
        assert_as_model(backend);
        backend->poll = backend->plan.threads == 1 ? count_poll : NULL;
        backend->poll_arg = &polls;
        backend_cpu.round->relax(backend, BACKEND_BULK, 1, &rows, &cols);
        model_relax(&rows, &cols);
        assert_as_model(backend);
        assert_true(!backend->poll || polls > 0 || rows.count == 0 || cols.count == 0);
        backend_cpu.strip->free(backend);
    }
}

static void test_rounds_on_ranges(void **unused)
{
    (void)unused;
    with_every_isa(run_rounds);
}

static size_t draw_edges(struct edge *edges, size_t n)
{
    size_t count = n > 1 ? draw(n * 8) : 0;
    for (size_t i = 0; i < count; i++) {
        edges[i].from = (uint32_t)draw(n);
        edges[i].to = (uint32_t)((edges[i].from + 1 + draw(n - 1)) % n);
        edges[i].weight.whole = (int64_t)draw(200); /* every sum fits in 16 bits */
    }
    return count;
}

/* The same edges as the backend wants them. */
static void build_edges(struct backend *backend, const struct edge *edges, size_t count)
{
    size_t parallel = 0;
    for (size_t e = 0; e < count; e++) {
        struct edge edge = edge_of(edges[e].from, edges[e].to, edges[e].weight.whole);
        backend_cpu.strip->build(backend, &edge, 1, &parallel);
    }
    backend_cpu.strip->build_done(backend, &parallel);
}

static void run_solve(size_t n, size_t tile)
{
    static struct edge edges[MAX_EDGES];
    struct backend *backend = open_plan(
        (struct backend_plan){.n = n, .rows = {0, n}, .tile = tile, .threads = 1 + (int)draw(2)});
    struct schedule schedule;
    size_t count = draw_edges(edges, n);
    build_edges(backend, edges, count);
    assert_true(schedule_dense(&schedule, n, 1, backend->plan.tile));
    backend_cpu.round->begin(backend);
    for (size_t r = 0; r < schedule.count; r++) {
        const struct round *round = &schedule.rounds[r];
        struct ranges rows = ranges_without(round->rows, round->pivot),
                      cols = ranges_without(round->cols, round->pivot);
        backend_cpu.round->pick(backend, r % 2, round->pivot);
        backend_cpu.round->close(backend, r % 2, round->pivot, &round->rows, &round->cols);
        backend_cpu.round->relax(backend, BACKEND_BULK, r % 2, &rows, &cols);
    }
    struct backend_times times;
    backend_cpu.round->end(backend, &times);
    int32_t *want = reference_dijkstra(n, edges, count);
    assert_non_null(want);
    struct block block = strip_of(backend);
    for (size_t i = 0; i < n * n; i++)
        assert_true(given_at(&block, i / n, i % n) == (want[i] == INF_I32 ? INF_I64 : want[i]));
    free(want);
    schedule_free(&schedule);
    backend_cpu.strip->free(backend);
}

static void run_solves(void)
{
    static const size_t sizes[] = {1, 2, 3, 11, 12, 13, 31, 32, 33, 48, 64, 95, 96, 97, 127, 150};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        run_solve(sizes[i], 0);
        run_solve(sizes[i], 1 + draw(sizes[i]));
        run_solve(sizes[i], 2 * MAX_N);
    }
}

static void test_solve(void **unused)
{
    (void)unused;
    with_every_isa(run_solves);
}

static void run_build(void)
{
    struct backend *backend =
        open_plan((struct backend_plan){.n = 4, .rows = {2, 4}, .threads = 1});
    const int64_t most = dtype_info[type].real ? 1 << 20 : dtype_info[type].infinity - 1;
    struct edge edges[] = {edge_of(2, 0, 7), edge_of(2, 0, 5),    edge_of(3, 1, 4),
                           edge_of(2, 0, 9), edge_of(3, 0, most), edge_of(2, 1, INF_I64)};
    const int64_t want[2][4] = {{5, INF_I64, 0, INF_I64}, {most, 4, INF_I64, 0}};
    size_t parallel = 10;
    backend_cpu.strip->build(backend, edges, 6, &parallel);
    assert_int_equal(parallel, 12);
    struct block block = strip_of(backend);
    for (size_t i = 0; i < 8; i++)
        assert_true(given_at(&block, i / 4, i % 4) == want[i / 4][i % 4]);
    backend_cpu.strip->free(backend);
}

static void test_build_counts_parallel_edges(void **unused)
{
    (void)unused;
    with_every_isa(run_build);
}

/* A strip of far distances, of which some would be infinite in 16 bits as they are computed. */
static struct backend *draw_far(struct backend_plan plan, int64_t *d)
{
    static const int64_t far[] = {32766, 32767, 32768, 40000, 65000};
    struct backend *backend = open_plan(plan);
    size_t parallel = 0, n = plan.n;
    backend->plan.output = plan.output; /* u16 too */
    for (size_t i = 0; i < range_length(plan.rows) * n; i++) {
        struct edge edge =
            edge_of(plan.rows.lo + i / n, i % n, draw(3) ? 6000 + (int64_t)draw(9000) : INF_I64);
        if (type != DTYPE_U16 && draw(4) == 0)
            edge = edge_of(edge.from, edge.to, far[draw(sizeof far / sizeof *far)]);
        d[i] = edge.from == edge.to ? 0 : INF_I64;
        if (edge.from == edge.to)
            continue;
        backend->strip->build(backend, &edge, 1, &parallel);
        d[i] = dtype_info[type].real ? isinf(edge.weight.real) ? INF_I64 : (int64_t)edge.weight.real
                                     : edge.weight.whole;
    }
    backend->strip->build_done(backend, &parallel);
    return backend;
}

/* Rows of one output type, with potentials or without, beside a plain loop. */
static void check_output(enum dtype output, bool shifted)
{
    enum { N = 67, LO = 20, HI = 51 };
    static int64_t d[(HI - LO) * N], whole[N];
    static double real[N];
    struct backend_plan plan = {
        .n = N, .rows = {LO, HI}, .output = output, .shifted = shifted, .threads = 2, .lanes = 1};
    struct backend *backend = draw_far(plan, d);
    for (size_t i = 0; i < N; i++)
        real[i] = (double)(whole[i] = shifted ? (int64_t)draw(500) : 0);
    if (shifted)
        backend->strip->potentials(backend, dtype_info[type].real ? (void *)real : whole);
    struct block block = strip_of(backend);
    bool as_it_is = output == type && type != DTYPE_U16 && !shifted;
    assert_int_equal(backend->strip->fetch_copies(&backend->plan), !as_it_is);
    assert_true(backend->strip->fetch_rows(&backend->plan) >= HI - LO);
    for (size_t i = 0; i < HI - LO; i++)
        for (size_t j = 0; j < N; j++) {
            int64_t value = d[i * N + j], want = value - whole[LO + i] + whole[j];
            assert_true(given_at(&block, i, j) == (value == INF_I64 ? INF_I64 : want));
            if (output == DTYPE_U16 && value == INF_I64)
                assert_int_equal(((const uint16_t *)block_row(&block, i))[j], 65535);
        }
    backend->strip->free(backend);
}

static void run_outputs(void)
{
    for (int output = 0; output < DTYPE_COUNT; output++)
        for (int shifted = 0; shifted < 2; shifted++)
            if (dtype_info[output].real || !dtype_info[type].real)
                check_output((enum dtype)output, shifted);
}

static void test_rows_of_every_type(void **unused)
{
    (void)unused;
    with_every_isa(run_outputs);
}

static void test_empty_strip(void **unused)
{
    (void)unused;
    type = DTYPE_I32;
    struct backend *backend =
        open_plan((struct backend_plan){.n = 3, .rows = {3, 3}, .tile = 1, .threads = 2});
    struct ranges none = {0}, all = ranges_of((struct range){0, 3});
    memset(backend_cpu.panel->raw(backend, 0), 0, 3 * sizeof(int32_t));
    backend_cpu.round->close(backend, 0, (struct range){1, 2}, &none, &all);
    backend_cpu.round->relax(backend, BACKEND_BULK, 0, &none, &all);
    backend_cpu.strip->free(backend);
    backend_cpu.strip->free(NULL);
}

static void test_what_it_tells(void **unused)
{
    (void)unused;
    struct backend_plan plan = {
        .n = 1000, .rows = {0, 500}, .tile = 64, .dtype = DTYPE_I32, .threads = 2};
    size_t host = backend_cpu.strip->need(&plan).host, strip = 500 * 1008 * 4;
    assert_true(host > strip + 2 * 64 * 1000 * 4 && host < strip + 3 * 64 * 1000 * 4 + 200000);
    assert_int_equal(backend_cpu.strip->need(&plan).device, 0);
    assert_true(backend_cpu.strip->rate(&plan, true) > 1e6);
    assert_int_equal(backend_cpu.device->count(), 1);
    assert_ptr_equal(backend_of(&device_cpu), &backend_cpu);

    plan.dtype = DTYPE_U16;
    assert_in_range(backend_cpu.strip->need(&plan).host, strip / 2,
                    strip / 2 + 2 * 64 * 1000 * 2 + 64 * 500 * 4 + 100000);

    plan = (struct backend_plan){
        .n = INT32_MAX, .rows = {0, INT32_MAX}, .tile = 144, .dtype = DTYPE_I32, .threads = 1};
    assert_true(backend_cpu.strip->need(&plan).host > (size_t)INT32_MAX * INT32_MAX);
    plan.n = plan.rows.hi = SIZE_MAX / 2;
    assert_int_equal(backend_cpu.strip->need(&plan).host, SIZE_MAX);
    struct backend *backend;
    struct apsp_error error = {0};
    assert_int_equal(backend_cpu.strip->open(&backend, &plan, &error), APSP_MEMORY);
    assert_int_equal(error.code, APSP_MEMORY);
    assert_null(backend);
}

static void test_choice_of_kernel(void **unused)
{
    (void)unused;
    const char *note;
    unsetenv("APSP_ISA");
    const struct relax_kernels *best = relax_choose(DTYPE_I32, &note);
    assert_string_equal(note, "");
    setenv("APSP_ISA", "sse9", 1);
    assert_ptr_equal(relax_choose(DTYPE_I32, &note), best);
    assert_string_not_equal(note, "");
    setenv("APSP_ISA", "plain", 1);
    assert_string_equal(relax_choose(DTYPE_I32, &note)->name, "plain");
    assert_string_equal(note, "");
    type = DTYPE_I32;
    struct backend *backend =
        open_plan((struct backend_plan){.n = 1, .rows = {0, 1}, .threads = 1});
    assert_non_null(strstr(backend_cpu.strip->describe(backend), "plain"));
    backend_cpu.strip->free(backend);
    unsetenv("APSP_ISA");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds_on_ranges),
        cmocka_unit_test(test_solve),
        cmocka_unit_test(test_build_counts_parallel_edges),
        cmocka_unit_test(test_rows_of_every_type),
        cmocka_unit_test(test_empty_strip),
        cmocka_unit_test(test_what_it_tells),
        cmocka_unit_test(test_choice_of_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
