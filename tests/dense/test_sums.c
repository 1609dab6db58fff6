/*
 * The word sums of the CPU backend, with every instruction set of this processor and every type:
 * those of a solve agree, the last one with the definition, and none does without a fault that is
 * planted (flip.h).
 */
#include "unit.h"

#include "base/random.h"
#include "dense/check.h"
#include "dense/rounds.h"
#include "kernels/cpu/relax.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_N = 150 };

static const char *const isas[] = {"avx512", "avx2", "plain"};
static const char *const areas[] = {"strip", "raw", "row", "col"};

static uint64_t state;
static struct comm *comm;

static void fill(struct backend *backend)
{
    size_t parallel = 0, n = backend->plan.n;
    for (size_t e = 0; n > 1 && e < 6 * n; e++) {
        size_t from = random_below(&state, (uint32_t)n),
               step = random_below(&state, (uint32_t)n - 1) + 1;
        struct edge edge = {(uint32_t)from, (uint32_t)((from + step) % n), {.whole = 0}};
        int64_t weight = random_below(&state, 200);
        if (dtype_info[backend->plan.dtype].real)
            edge.weight.real = (double)weight / 7; /* sums are rounded */
        else
            edge.weight.whole = weight;
        backend_cpu.strip->build(backend, &edge, 1, &parallel);
    }
}

/* Byte by byte: that number b of a row is byte b % 4 of a word. */
static uint32_t plain_sum(struct backend_area area)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < area.rows; i++)
        for (size_t b = 0; b < area.width; b++)
            sum += (uint32_t)(unsigned char)area.at[i * area.pitch + b] << 8 * (b % sizeof sum);
    return sum;
}

/* One solve; the code of its check. */
static int solve(enum dtype type, size_t n, size_t tile, struct apsp_error *error)
{
    struct backend_plan plan = {.n = n,
                                .rows = {0, n},
                                .tile = tile,
                                .dtype = type,
                                .output = dtype_info[type].output,
                                .threads = 1 + (int)random_below(&state, 2),
                                .ranks = 1,
                                .sums = true};
    struct backend *backend;
    struct schedule schedule;
    struct progress progress = {.steps = 1};
    struct rounds_times times;
    assert_int_equal(backend_cpu.strip->open(&backend, &plan, error), APSP_OK);
    assert_true(schedule_dense(&schedule, n, 1, tile));
    fill(backend);
    rounds_run(&schedule, backend, NULL, 0, &progress, &times);
    int code = check_sums(backend, &schedule, comm, error);
    struct range last = schedule.rounds[schedule.count - 1].pivot;
    uint32_t found = backend->round->sums(backend)[schedule.count].of[SUM_STRIP].read;
    assert_int_equal(found, plain_sum(backend->round->area(backend, SUM_STRIP, 0, last)));
    schedule_free(&schedule);
    backend_cpu.strip->free(backend);
    return code;
}

static void with_every_isa(void (*run)(enum dtype type))
{
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++) {
        const char *note;
        setenv("APSP_ISA", isas[i], 1);
        relax_choose(DTYPE_I32, &note);
        state = 1;
        if (*note)
            print_message("%s: not on this processor\n", isas[i]);
        for (enum dtype type = DTYPE_U16; !*note && type < DTYPE_COUNT; type++)
            run(type);
    }
    unsetenv("APSP_ISA");
}

static void run_quiet(enum dtype type)
{
    struct apsp_error error = {0};
    for (size_t n = 1; n < MAX_N; n += 1 + random_below(&state, 9))
        if (solve(type, n, 1 + random_below(&state, (uint32_t)n), &error))
            fail_msg("%zu vertices of %s: %s", n, dtype_info[type].name, error.text);
}

static void test_sums_agree(void **unused)
{
    (void)unused;
    with_every_isa(run_quiet);
}

static void run_faults(enum dtype type)
{
    for (unsigned seed = 0; seed < 40; seed++) {
        struct apsp_error error = {0};
        char fault[32];
        size_t n = 2 + random_below(&state, MAX_N - 2);
        snprintf(fault, sizeof fault, "%s:%u", areas[seed % 4], seed);
        setenv("APSP_FLIP", fault, 1);
        int code = solve(type, n, 1 + random_below(&state, (uint32_t)n), &error);
        unsetenv("APSP_FLIP");
        if (code != APSP_REFUTED)
            fail_msg("%s was not seen in %zu vertices of %s", fault, n, dtype_info[type].name);
        assert_non_null(strstr(error.text, "bit flip in memory of rank"));
        assert_true(seed % 4 == SUM_STRIP ? strstr(error.text, "rows 0 to ") != NULL
                                          : strstr(error.text, "pivot ") != NULL);
    }
}

static void test_each_fault_is_seen(void **unused)
{
    (void)unused;
    with_every_isa(run_faults);
}

int main(void)
{
    struct apsp_error error = {0};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_agree),
        cmocka_unit_test(test_each_fault_is_seen),
    };
    if (comm_solo(&comm, &error))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    comm_free(comm);
    return failed;
}
