/*
 * The CPU backend, with every instruction set that this processor has. One round on arbitrary ranges is
 * compared entry by entry with the plain definition of its phases (so that a write outside the ranges shows
 * as well), whole solves with Dijkstra's algorithm.
 */
#include "unit.h"

#include "backend.h"
#include "reference.h"
#include "relax_cpu.h"
#include "schedule.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_N = 150, MAX_EDGES = MAX_N * 8 };

static const char *const isas[] = {"avx512", "avx2", "plain"};

static uint64_t state;

static size_t draw(size_t below) /* splitmix64 */
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (size_t)((z ^ (z >> 31)) % below);
}

static int32_t draw_distance(void)
{
    return draw(4) == 0 ? INF_I32 : (int32_t)draw(1000);
}

/* Runs the case with every instruction set of this processor. */
static void with_every_isa(void (*run)(void))
{
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++) {
        const char *note;
        setenv("APSP_ISA", isas[i], 1);
        relax_choose(DTYPE_I32, &note);
        state = 1;
        if (*note)
            print_message("%s: not on this processor\n", isas[i]);
        else
            run();
    }
    unsetenv("APSP_ISA");
}

static struct backend *open_plan(struct backend_plan plan)
{
    struct backend *backend;
    struct apsp_error error = {0};
    assert_int_equal(backend_cpu.open(&backend, &plan, &error), APSP_OK);
    return backend;
}

static const int32_t *strip_of(struct backend *backend, size_t *ld)
{
    return backend->ops->fetch(backend, 0, backend->plan.rows, NULL, ld);
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

/* One round by its definition. d: the strip, n wide; row and col: the pivot rows and columns, closed in
 * place. */
struct round_model {
    size_t n, w;
    struct range rows, pivot;
    int32_t d[MAX_N * MAX_N], row[MAX_N * MAX_N], col[MAX_N * MAX_N];
};

static struct round_model model;

static void lower(int32_t *value, int32_t other)
{
    *value = other < *value ? other : *value;
}

static void model_close(const struct ranges *rows, const struct ranges *cols)
{
    static int32_t tile[MAX_N * MAX_N], raw[MAX_N * MAX_N];
    size_t n = model.n, w = model.w, pivot = model.pivot.lo;
    for (size_t i = 0; i < w; i++)
        memcpy(tile + i * w, model.row + i * n + pivot, w * sizeof *tile);
    for (size_t k = 0; k < w; k++)
        for (size_t i = 0; i < w; i++)
            for (size_t j = 0; j < w; j++)
                lower(&tile[i * w + j], tile[i * w + k] + tile[k * w + j]);
    memcpy(raw, model.row, w * n * sizeof *raw);
    for (size_t i = 0; i < w; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < w; k++)
                lower(&model.row[i * n + j], tile[i * w + k] + raw[k * n + j]);
    for (size_t i = 0; i < range_length(model.rows); i++) {
        int32_t *entry = model.d + i * n + pivot;
        for (size_t j = 0; j < w; j++) {
            model.col[i * w + j] = entry[j];
            for (size_t k = 0; k < w; k++)
                lower(&model.col[i * w + j], entry[k] + tile[k * w + j]);
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
                lower(&model.d[i * model.n + j], model.col[i * model.w + k] + model.row[k * model.n + j]);
}

static void assert_as_model(struct backend *backend)
{
    size_t ld, n = model.n;
    const int32_t *d = strip_of(backend, &ld);
    for (size_t i = 0; i < range_length(model.rows); i++) {
        assert_memory_equal(d + i * ld, model.d + i * n, n * sizeof *d);
        for (size_t j = n; j < ld; j++)
            assert_int_equal(d[i * ld + j], INF_I32);
    }
}

/* A strip of random distances, in the backend and in the model. */
static struct backend *draw_strip(size_t n, int ranks, size_t tile)
{
    struct range rows = strip_rows(n, ranks, (int)draw((size_t)ranks));
    struct backend *backend =
        open_plan((struct backend_plan){.n = n, .rows = rows, .tile = tile, .threads = 1 + (int)draw(2)});
    size_t parallel = 0, ld;
    struct apsp_error error = {0};
    for (size_t i = rows.lo; i < rows.hi; i++)
        for (size_t j = 0; j < n; j++) {
            struct edge edge = {.from = (uint32_t)i, .to = (uint32_t)j, .weight = draw_distance()};
            if (i != j)
                assert_int_equal(backend_cpu.build(backend, &edge, 1, &parallel, &error), APSP_OK);
        }
    assert_int_equal(parallel, 0);
    const int32_t *d = strip_of(backend, &ld);
    for (size_t i = 0; i < range_length(rows); i++)
        memcpy(model.d + i * n, d + i * ld, n * sizeof *d);
    model.n = n;
    model.rows = rows;
    return backend;
}

/* A pivot range of this strip, or of another one; its rows as their owner would have sent them. Returns if
 * this strip owns it. */
static bool draw_pivot(struct backend *backend, int ranks)
{
    size_t n = model.n, row = draw(n);
    struct range strip = strip_rows(n, ranks, strip_owner(n, ranks, row));
    model.pivot = (struct range){row, row + 1 + draw(backend->plan.tile)};
    if (model.pivot.hi > strip.hi)
        model.pivot.hi = strip.hi;
    model.w = range_length(model.pivot);
    bool owned = strip.lo == model.rows.lo && range_length(model.rows) > 0;
    int32_t *raw = backend_cpu.raw(backend, 1);
    if (owned)
        backend_cpu.pick(backend, 1, model.pivot);
    for (size_t i = 0; i < model.w && !owned; i++)
        for (size_t j = 0; j < n; j++)
            raw[i * n + j] = j == model.pivot.lo + i ? 0 : draw_distance();
    memcpy(model.row, raw, model.w * n * sizeof *raw);
    for (size_t i = 0; i < model.w && owned; i++)
        assert_memory_equal(model.row + i * n, model.d + (model.pivot.lo + i - model.rows.lo) * n,
                            n * sizeof *raw);
    return owned;
}

static void count_poll(void *calls)
{
    ++*(int *)calls;
}

static void run_rounds(void)
{
    for (int pass = 0; pass < 150; pass++) {
        size_t n = 1 + draw(MAX_N);
        int ranks = 1 + (int)draw(4), polls = 0;
        struct backend *backend = draw_strip(n, ranks, 1 + draw(n));
        bool owned = draw_pivot(backend, ranks);
        struct range none = {0, 0};
        struct ranges rows = {0};
        if (range_length(model.rows))
            rows = draw_ranges(model.rows, owned ? model.pivot : none, 3);
        struct ranges cols = draw_ranges((struct range){0, n}, model.pivot, 3);
        backend_cpu.close(backend, 1, model.pivot, &rows, &cols);
        model_close(&rows, &cols);
        assert_as_model(backend);

        rows = ranges_without(rows, owned ? model.pivot : none);
        cols = ranges_without(cols, model.pivot);
        struct range half = {draw(n), n};
        struct ranges some = ranges_within(cols, half);
        backend_cpu.relax(backend, BACKEND_AHEAD, 1, &rows, &some);
        model_relax(&rows, &some);
        assert_as_model(backend);
        backend->poll = backend->plan.threads == 1 ? count_poll : NULL;
        backend->poll_arg = &polls;
        backend_cpu.relax(backend, BACKEND_BULK, 1, &rows, &cols);
        model_relax(&rows, &cols);
        assert_as_model(backend);
        assert_true(!backend->poll || polls > 0 || rows.count == 0 || cols.count == 0);
        backend_cpu.free(backend);
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
        edges[i].weight = (int64_t)draw(1000);
    }
    return count;
}

static void run_solve(size_t n, size_t tile)
{
    static struct edge edges[MAX_EDGES];
    struct backend *backend =
        open_plan((struct backend_plan){.n = n, .rows = {0, n}, .tile = tile, .threads = 1 + (int)draw(2)});
    struct apsp_error error = {0};
    struct schedule schedule;
    size_t count = draw_edges(edges, n), parallel = 0, ld;
    assert_int_equal(backend_cpu.build(backend, edges, count, &parallel, &error), APSP_OK);
    backend_cpu.build_done(backend, &parallel);
    assert_true(schedule_dense(&schedule, n, 1, backend->plan.tile));
    backend_cpu.begin(backend);
    for (size_t r = 0; r < schedule.count; r++) {
        const struct round *round = &schedule.rounds[r];
        struct ranges rows = ranges_without(round->rows, round->pivot),
                      cols = ranges_without(round->cols, round->pivot);
        backend_cpu.pick(backend, r % 2, round->pivot);
        backend_cpu.close(backend, r % 2, round->pivot, &round->rows, &round->cols);
        backend_cpu.relax(backend, BACKEND_BULK, r % 2, &rows, &cols);
    }
    struct backend_times times;
    backend_cpu.end(backend, &times);
    int32_t *want = reference_dijkstra(n, edges, count);
    assert_non_null(want);
    const int32_t *d = strip_of(backend, &ld);
    for (size_t i = 0; i < n; i++)
        assert_memory_equal(d + i * ld, want + i * n, n * sizeof *d);
    free(want);
    schedule_free(&schedule);
    backend_cpu.free(backend);
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

static void test_build_counts_parallel_edges(void **unused)
{
    (void)unused;
    struct backend *backend = open_plan((struct backend_plan){.n = 4, .rows = {2, 4}, .threads = 1});
    struct edge edges[] = {
        {2, 0, {7}}, {2, 0, {5}}, {3, 1, {4}}, {2, 0, {9}}, {3, 0, {INF_I32 - 1}}, {2, 1, {INT64_MAX}},
    };
    struct apsp_error error = {0};
    size_t parallel = 10, ld;
    assert_int_equal(backend_cpu.build(backend, edges, 6, &parallel, &error), APSP_OK);
    assert_int_equal(parallel, 12);
    const int32_t *d = strip_of(backend, &ld);
    const int32_t want[2][4] = {{5, INF_I32, 0, INF_I32}, {INF_I32 - 1, 4, INF_I32, 0}};
    assert_memory_equal(d, want[0], sizeof want[0]);
    assert_memory_equal(d + ld, want[1], sizeof want[1]);
    backend_cpu.free(backend);
}

static void test_empty_strip(void **unused)
{
    (void)unused;
    struct backend *backend =
        open_plan((struct backend_plan){.n = 3, .rows = {3, 3}, .tile = 1, .threads = 2});
    struct ranges none = {0}, all = ranges_of((struct range){0, 3});
    memset(backend_cpu.raw(backend, 0), 0, 3 * sizeof(int32_t));
    backend_cpu.close(backend, 0, (struct range){1, 2}, &none, &all);
    backend_cpu.relax(backend, BACKEND_BULK, 0, &none, &all);
    backend_cpu.free(backend);
    backend_cpu.free(NULL);
}

static void test_what_it_tells(void **unused)
{
    (void)unused;
    struct backend_plan plan = {.n = 1000, .rows = {0, 500}, .tile = 64, .threads = 2};
    size_t host = backend_cpu.need(&plan).host, strip = 500 * 1008 * 4;
    assert_true(host > strip + 2 * 64 * 1000 * 4 && host < strip + 3 * 64 * 1000 * 4 + 200000);
    assert_int_equal(backend_cpu.need(&plan).device, 0);
    assert_true(backend_cpu.rate(&plan) > 1e6);
    assert_int_equal(backend_cpu.devices(), 1);

    plan = (struct backend_plan){.n = INT32_MAX, .rows = {0, INT32_MAX}, .threads = 1};
    assert_true(backend_cpu.need(&plan).host > (size_t)INT32_MAX * INT32_MAX);
    plan.n = plan.rows.hi = SIZE_MAX / 2;
    assert_int_equal(backend_cpu.need(&plan).host, SIZE_MAX);
    struct backend *backend;
    struct apsp_error error = {0};
    assert_int_equal(backend_cpu.open(&backend, &plan, &error), APSP_MEMORY);
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
    struct backend *backend = open_plan((struct backend_plan){.n = 1, .rows = {0, 1}, .threads = 1});
    assert_non_null(strstr(backend_cpu.describe(backend), "plain"));
    backend_cpu.free(backend);
    unsetenv("APSP_ISA");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds_on_ranges),
        cmocka_unit_test(test_solve),
        cmocka_unit_test(test_build_counts_parallel_edges),
        cmocka_unit_test(test_empty_strip),
        cmocka_unit_test(test_what_it_tells),
        cmocka_unit_test(test_choice_of_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
