/* A core in a checkpoint: what comes back is what was written, where it stood. */
#include "unit.h"

#include "folder.h"
#include "sparse/closure.h"

#include <string.h>

/* Vertices of the core, more than one read takes, and the padding behind a row of 64-bit values. */
enum { SIZE = 1100, PAD = 4, KAPPA = 3 };

static struct comm *comm;
static char place[64];
static int64_t values[SIZE][SIZE + PAD];
static uint32_t vertex[SIZE];

static int64_t entry(size_t i, size_t j)
{
    return (int64_t)(i * 100003 + j * 7);
}

static struct checkpoint *open_checkpoint(bool resume)
{
    static const struct checkpoint_subject subject = {
        .n = SIZE, .m = 99, .edges = 7, .dtype = DTYPE_I64, .potentials = 5};
    static struct checkpoint_policy policy; /* As long as there is a checkpoint. */
    struct checkpoint *checkpoint;
    struct apsp_error error = {0};
    policy = (struct checkpoint_policy){.folder = place, .resume = resume, .dtype = "auto"};
    assert_int_equal(checkpoint_open(&checkpoint, comm, &policy, SIZE, &error), APSP_OK);
    assert_int_equal(checkpoint_match(checkpoint, &subject, &error), APSP_OK);
    return checkpoint;
}

/* A matrix after some vertices, without which there is nothing to go on from. */
static void save_matrix(struct checkpoint *checkpoint)
{
    const struct checkpoint_strip strip = {.rows = {0, SIZE},
                                           .width = SIZE * sizeof **values,
                                           .at = (char *)values,
                                           .pitch = sizeof *values,
                                           .threads = 1};
    struct apsp_error error = {0};
    assert_int_equal(checkpoint_matrix_save(checkpoint, &strip, 1, &error), APSP_OK);
}

static void a_large_core_comes_back(void **state)
{
    const struct tree tree = {.n = SIZE, .vertex = vertex, .core = {.size = SIZE, .kappa = KAPPA}};
    struct panels panels = {
        .tree = &tree, .dtype = DTYPE_I64, .core = {.values = values, .ld = SIZE + PAD}};
    const struct closure closure = {.task = {.comm = comm, .threads = 1}};
    struct apsp_error error = {0};
    (void)state;
    for (size_t i = 0; i < SIZE; i++) {
        vertex[i] = (uint32_t)(SIZE - 1 - i);
        for (size_t j = 0; j < SIZE + PAD; j++)
            values[i][j] = entry(i, j);
    }
    struct checkpoint *checkpoint = open_checkpoint(false);
    closure_save(&closure, &panels, checkpoint, 1e9);
    save_matrix(checkpoint);
    checkpoint_free(checkpoint, false);
    memset(values, 0, sizeof values);
    checkpoint = open_checkpoint(true);
    assert_int_equal(checkpoint_core_kappa(checkpoint), KAPPA);
    assert_true(closure_load(&closure, &panels, checkpoint, &error));
    assert_int_equal(error.code, APSP_OK);
    checkpoint_free(checkpoint, true);
    for (size_t i = 0; i < SIZE; i++)
        for (size_t j = 0; j < SIZE + PAD; j++)
            if (values[i][j] != (j < SIZE ? entry(i, j) : 0))
                fail_msg("%zu, %zu: %lld", i, j, (long long)values[i][j]);
}

/* A table of engines without one that takes a matrix. */
static void a_core_needs_an_engine(void **state)
{
    const struct engine_task task = {.comm = comm, .threads = 1};
    struct closure closure = {0};
    struct apsp_error error = {0};
    (void)state;
    assert_int_equal(closure_plan(&closure, &task, SIZE, &error), APSP_USAGE);
    assert_non_null(strstr(error.text, "no engine closes its dense core"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_large_core_comes_back),
                                       cmocka_unit_test(a_core_needs_an_engine)};
    struct apsp_error error = {0};
    if (comm_solo(&comm, &error))
        return 1;
    if (make_folder(NULL))
        return 1;
    snprintf(place, sizeof place, "%s/checkpoints", folder);
    int failed = cmocka_run_group_tests_name("closure", tests, NULL, remove_folder);
    comm_free(comm);
    return failed;
}
