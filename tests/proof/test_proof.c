/* proof.c on one rank: when it wants the edges, which type it takes, and which types of rows hold
 * what it proves. The types at work are tests/job/test_types.c's. */
#include "unit.h"

#include "base/dtype.h"
#include "make_csr.h"
#include "proof/proof.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static struct comm *comm;

/* Proves what there is to prove of a graph in memory; the code. */
static int prove_for(struct proof *proof, const struct apsp_edges *arrays, struct proof_task task,
                     bool *wants)
{
    struct apsp_error error = {0};
    struct edge_scan scan;
    struct graph graph;
    struct csr csr = {0}, before = {0};
    assert_int_equal(graph_arrays(&graph, arrays, &error), APSP_OK);
    struct edges edges = {.graph = &graph, .comm = comm, .threads = 1, .room = SIZE_MAX};
    assert_int_equal(edge_scan_take(&scan, &edges, &error), APSP_OK);
    task.graph = &graph;
    task.scan = &scan;
    task.comm = comm;
    task.threads = 2;
    if (!proof_wants_seconds(&task))
        memset(task.seconds, 0, sizeof task.seconds);
    *wants = proof_wants_edges(&task);
    assert_int_equal(error.code, APSP_OK);
    if (*wants) {
        assert_int_equal(csr_load(&csr, &edges, true, &error), APSP_OK);
        assert_int_equal(csr_load(&before, &edges, true, &error), APSP_OK);
        task.csr = &csr;
    }
    int code = proof_make(proof, &task, &error);
    if (*wants) /* what the caller has lent is as it was */
        assert_memory_equal(csr.weight, before.weight, csr.m * sizeof *csr.weight);
    csr_free(&before);
    csr_free(&csr);
    edges_free(&edges);
    graph_close(&graph);
    return code;
}

static int prove(struct proof *proof, const struct apsp_edges *arrays, int wanted, bool *wants)
{
    return prove_for(proof, arrays, (struct proof_task){.wanted = wanted, .file = -1}, wants);
}

/* A path of two edges of those weights. */
static const uint32_t from[] = {0, 1, 2}, to[] = {1, 2, 0};

static int prove_path(struct proof *proof, int64_t one, int64_t two, int wanted, bool *wants)
{
    const int64_t whole[] = {one, two};
    const struct apsp_edges arrays = {3, 2, {from, APSP_U32}, {to, APSP_U32}, {whole, APSP_I64}};
    return prove(proof, &arrays, wanted, wants);
}

static void edges_are_wanted_where_they_help(void **state)
{
    static const struct {
        int64_t one, two;
        int wanted;
        bool wants;
        enum dtype dtype;
        int64_t bound;
    } cases[] = {
        {5, 7, -1, false, DTYPE_U16, 14},
        {5, 20000, -1, true, DTYPE_U16, 20005},
        {5, 20000, DTYPE_I32, false, DTYPE_I32, 40000},
        {5, INF_I32 - 6, DTYPE_I32, true, DTYPE_I32, INF_I32 - 1},
        {5, INF_I32 - 6, DTYPE_F64, false, DTYPE_F64, 2 * (INF_I32 - INT64_C(6))},
        {-5, 7, -1, true, DTYPE_U16, 5 + 14},
        {-5, 20000, -1, true, DTYPE_U16, 5 + 20000},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct proof proof;
        bool wants;
        assert_int_equal(prove_path(&proof, cases[k].one, cases[k].two, cases[k].wanted, &wants),
                         APSP_OK);
        assert_int_equal(wants, cases[k].wants);
        assert_int_equal(proof.dtype, cases[k].dtype);
        assert_int_equal(proof.negative, cases[k].one < 0);
        assert_false(proof.real);
        if (proof.bound.whole > cases[k].bound)
            fail_msg("case %zu: bound %lld", k, (long long)proof.bound.whole);
        proof_free(&proof);
    }
}

/* A bound that is good enough to compute with is made better where files may then be narrower. */
static void files_are_worth_a_better_bound(void **state)
{
    static const struct {
        int64_t one, two;
        int file;
        bool narrow, wants;
        int64_t bound;
    } cases[] = {
        {4, 250, -1, false, false, 500},
        {4, 250, DTYPE_U8, false, true, 254},
        {4, 250, -1, true, true, 254},
        {4, 250, DTYPE_U16, false, false, 500},
        {4, 100, -1, true, false, 200},
        {500, 31000, -1, true, true, 62000},
        {4, 65530, DTYPE_U16, false, true, 65534},
        {4, 65530, -1, true, true, 65534},
        {-4, 250, DTYPE_U8, true, true, 500},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int64_t whole[] = {cases[k].one, cases[k].two};
        const struct apsp_edges arrays = {
            3, 2, {from, APSP_U32}, {to, APSP_U32}, {whole, APSP_I64}};
        struct proof proof;
        bool wants;
        assert_int_equal(
            prove_for(
                &proof, &arrays,
                (struct proof_task){.wanted = -1, .file = cases[k].file, .narrow = cases[k].narrow},
                &wants),
            APSP_OK);
        assert_int_equal(wants, cases[k].wants);
        if (proof.bound.whole > cases[k].bound)
            fail_msg("case %zu: bound %lld", k, (long long)proof.bound.whole);
        if (!wants)
            assert_int_equal(proof.bound.whole, cases[k].bound);
        proof_free(&proof);
    }
}

/* Many edges: parallel ones beside a path that takes another type than its heaviest weight asks
 * for. */
static void many_edges_must_save_their_seconds(void **state)
{
    enum { MANY = (1 << 21) + 1, WIDE = INF_I32 / 2 + 1 };
    static const int64_t too_wide = INF_I64 / 2 + 1;
    static const struct {
        int64_t heavy;
        double seconds[DTYPE_COUNT]; /* the edges are looked at in a tenth of one */
        int wanted, file;
        bool narrow, wants;
        enum dtype dtype;
    } cases[] = {
        {32000,
         {[DTYPE_U16] = 1, [DTYPE_I32] = 3, [DTYPE_I64] = 9},
         -1,
         -1,
         false,
         true,
         DTYPE_U16},
        {32000,
         {[DTYPE_U16] = 1, [DTYPE_I32] = 1.01, [DTYPE_I64] = 9},
         -1,
         -1,
         false,
         false,
         DTYPE_I32},
        {WIDE, {[DTYPE_U16] = 1, [DTYPE_I32] = 2, [DTYPE_I64] = 3}, -1, -1, false, true, DTYPE_I32},
        {WIDE, /* a sweep is worth half the memory */
         {[DTYPE_U16] = 1, [DTYPE_I32] = 1, [DTYPE_I64] = 1},
         -1,
         -1,
         false,
         true,
         DTYPE_I32},
        {WIDE,
         {[DTYPE_U16] = 0.3, [DTYPE_I32] = 0.3, [DTYPE_I64] = 0.3},
         -1,
         -1,
         false,
         false,
         DTYPE_I64},
        {WIDE, {0}, DTYPE_I32, -1, false, true, DTYPE_I32}, /* the user asks for it */
        {too_wide, {0}, -1, -1, false, true, DTYPE_I64},    /* there is no other type */
        {-1000,
         {[DTYPE_U16] = 1, [DTYPE_I32] = 1, [DTYPE_I64] = 1},
         -1,
         -1,
         false,
         true,
         DTYPE_I32},
        {-1000,
         {[DTYPE_U16] = 1, [DTYPE_I32] = 3, [DTYPE_I64] = 9},
         -1,
         -1,
         false,
         true,
         DTYPE_U16},
        {200, {[DTYPE_U16] = 0.01}, -1, -1, true, false, DTYPE_U16},
        {200, {[DTYPE_U16] = 1}, -1, -1, true, true, DTYPE_U16},
        {200, {0}, -1, DTYPE_U8, false, true, DTYPE_U16},
    };
    uint32_t *tails = calloc(MANY, sizeof *tails), *heads = calloc(MANY, sizeof *heads);
    int64_t *weights = calloc(MANY, sizeof *weights);
    (void)state;
    assert_true(tails && heads && weights);
    for (size_t e = 0; e < MANY; e++)
        heads[e] = 1;
    tails[0] = 1;
    heads[0] = 2;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct apsp_edges arrays = {
            3, MANY, {tails, APSP_U32}, {heads, APSP_U32}, {weights, APSP_I64}};
        struct proof_task task = {
            .wanted = cases[k].wanted, .file = cases[k].file, .narrow = cases[k].narrow};
        struct proof proof;
        bool wants;
        weights[0] = cases[k].heavy;
        weights[1] = cases[k].heavy < 0 ? 32000 : 0; /* what potentials leave is heavy */
        memcpy(task.seconds, cases[k].seconds, sizeof task.seconds);
        assert_int_equal(prove_for(&proof, &arrays, task, &wants), APSP_OK);
        if (wants != cases[k].wants || proof.dtype != cases[k].dtype)
            fail_msg("case %zu: %s, edges %s", k, dtype_info[proof.dtype].name,
                     wants ? "used" : "not used");
        proof_free(&proof);
    }
    free(weights);
    free(heads);
    free(tails);
}

/* A better bound takes longer than a few rows, unless a type is asked for. */
static void few_rows_take_the_type_of_the_weights(void **state)
{
    static const struct {
        size_t rows;
        int wanted;
        bool narrow, wants;
        enum dtype dtype;
    } cases[] = {
        {0, -1, false, true, DTYPE_U16},    {1, -1, false, false, DTYPE_I32},
        {127, -1, false, false, DTYPE_I32}, {128, -1, false, true, DTYPE_U16},
        {1, -1, true, true, DTYPE_U16},     {1, DTYPE_U16, false, true, DTYPE_U16},
    };
    const int64_t whole[] = {5, 20000};
    const struct apsp_edges arrays = {3, 2, {from, APSP_U32}, {to, APSP_U32}, {whole, APSP_I64}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct proof_task task = {.wanted = cases[k].wanted,
                                        .file = -1,
                                        .narrow = cases[k].narrow,
                                        .rows = cases[k].rows};
        struct proof proof;
        bool wants;
        assert_int_equal(prove_for(&proof, &arrays, task, &wants), APSP_OK);
        if (wants != cases[k].wants || proof.dtype != cases[k].dtype)
            fail_msg("case %zu: %s, edges %s", k, dtype_info[proof.dtype].name,
                     wants ? "used" : "not used");
        proof_free(&proof);
    }
}

static void cycles_and_narrow_types_are_refused(void **state)
{
    const int64_t whole[] = {1, -3, 1};
    const struct apsp_edges arrays = {3, 3, {from, APSP_U32}, {to, APSP_U32}, {whole, APSP_I64}};
    struct proof proof;
    bool wants;
    (void)state;
    assert_int_equal(prove(&proof, &arrays, -1, &wants), APSP_CYCLE);
    assert_true(wants);
    assert_string_equal(proof.cycle, "0 -> 1 -> 2 -> 0");
    proof_free(&proof);
    assert_int_equal(prove_path(&proof, 5, 40000, DTYPE_U16, &wants), APSP_INPUT);
    proof_free(&proof);
}

static int prove_edge(int64_t weight, int wanted)
{
    const struct apsp_edges arrays = {2, 1, {from, APSP_U32}, {to, APSP_U32}, {&weight, APSP_I64}};
    struct proof proof;
    bool wants;
    int code = prove(&proof, &arrays, wanted, &wants);
    proof_free(&proof);
    return code;
}

static int prove_real(double weight, int wanted)
{
    const struct apsp_edges arrays = {2, 1, {from, APSP_U32}, {to, APSP_U32}, {&weight, APSP_F64}};
    struct proof proof;
    bool wants;
    int code = prove(&proof, &arrays, wanted, &wants);
    proof_free(&proof);
    return code;
}

/* Its infinity is no distance of a type: of one that is computed in, or of the rows, without their
 * potentials. */
static void types_end_before_infinity(void **state)
{
    (void)state;
    assert_int_equal(prove_edge(INF_U16 - 1, DTYPE_U16), APSP_OK);
    assert_int_equal(prove_edge(INF_U16, DTYPE_U16), APSP_INPUT);
    assert_int_equal(prove_edge(INF_I32 - 1, DTYPE_I32), APSP_OK);
    assert_int_equal(prove_edge(INF_I32, DTYPE_I32), APSP_INPUT);
    for (int64_t beyond = 0; beyond < 2; beyond++) {
        const uint32_t there[] = {0, 1}, back[] = {1, 0};
        const int64_t weights[] = {-5, INF_I32 - 1 + beyond};
        const struct apsp_edges arrays = {
            2, 2, {there, APSP_U32}, {back, APSP_U32}, {weights, APSP_I64}};
        struct proof proof;
        bool wants;
        assert_int_equal(prove(&proof, &arrays, DTYPE_I32, &wants), beyond ? APSP_INPUT : APSP_OK);
        proof_free(&proof);
    }
}

/* A sum of two, with potentials, is to stay a number. */
static void reals_use_a_quarter_of_their_range(void **state)
{
    (void)state;
    assert_int_equal(prove_real(DBL_MAX / 4, DTYPE_F64), APSP_OK);
    assert_int_equal(prove_real(DBL_MAX / 2, DTYPE_F64), APSP_INPUT);
    assert_int_equal(prove_real((double)FLT_MAX / 4, DTYPE_F32), APSP_OK);
    assert_int_equal(prove_real((double)FLT_MAX / 2, DTYPE_F32), APSP_INPUT);
    assert_int_equal(prove_real(-DBL_MAX / 4, DTYPE_F64), APSP_OK);
    assert_int_equal(prove_real(-DBL_MAX / 2, DTYPE_F64), APSP_INPUT);
}

/* Each type of rows up to its last distance, and not beyond. */
static void rows_hold_what_is_proved(void **state)
{
    static const struct {
        enum dtype output;
        int64_t last;
    } ends[] = {
        {DTYPE_U8, 254},          {DTYPE_U16, 65534},         {DTYPE_I32, INF_I32 - 1},
        {DTYPE_I64, INF_I64 - 1}, {DTYPE_F32, (1 << 24) - 1}, {DTYPE_F64, (INT64_C(1) << 53) - 1}};
    (void)state;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        struct proof proof = {.dtype = DTYPE_I64, .bound.whole = ends[k].last};
        assert_true(proof_holds_output(&proof, ends[k].output));
        proof.negative = true;
        assert_int_equal(proof_holds_output(&proof, ends[k].output),
                         !dtype_info[ends[k].output].natural);
        proof.negative = false;
        proof.bound.whole++;
        assert_false(proof_holds_output(&proof, ends[k].output));
        proof.bound.whole = INT64_MAX;
        assert_false(proof_holds_output(&proof, ends[k].output));
        proof = (struct proof){.dtype = DTYPE_F64, .real = true, .bound.real = 1};
        assert_int_equal(proof_holds_output(&proof, ends[k].output),
                         dtype_info[ends[k].output].real);
    }
    /* Computed with 24 bits, no type holds more of them. */
    struct proof proof = {.dtype = DTYPE_F32, .bound.whole = 1 << 24};
    assert_false(proof_holds_output(&proof, DTYPE_I32));
    assert_false(proof_holds_output(&proof, DTYPE_F64));
    proof.bound.whole--;
    assert_true(proof_holds_output(&proof, DTYPE_I32));
}

static int open_comm(void **state)
{
    struct apsp_error error = {0};
    (void)state;
    return comm_solo(&comm, &error);
}

static int close_comm(void **state)
{
    (void)state;
    comm_free(comm);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(edges_are_wanted_where_they_help),
                                       cmocka_unit_test(files_are_worth_a_better_bound),
                                       cmocka_unit_test(many_edges_must_save_their_seconds),
                                       cmocka_unit_test(few_rows_take_the_type_of_the_weights),
                                       cmocka_unit_test(cycles_and_narrow_types_are_refused),
                                       cmocka_unit_test(rows_hold_what_is_proved),
                                       cmocka_unit_test(types_end_before_infinity),
                                       cmocka_unit_test(reals_use_a_quarter_of_their_range)};
    return cmocka_run_group_tests_name("proof", tests, open_comm, close_comm) != 0;
}
