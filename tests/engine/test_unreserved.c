/* Checkpoints of several ranks where space cannot be reserved, and finding that out takes time. */
#include "ranks.h"
#include "unit.h"

#include "shared_folder.h"

#include "engine/checkpoint_matrix.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { N = 97, LATE = 50000 }; /* microseconds */

static _Thread_local struct comm *comm;

int fallocate(int fd, int mode, off_t offset, off_t length)
{
    (void)fd;
    (void)mode;
    (void)offset;
    (void)length;
    usleep(LATE);
    errno = EOPNOTSUPP;
    return -1;
}

static void no_row_is_lost(void **state)
{
    const size_t rank = (size_t)comm->rank, ranks = (size_t)comm->ranks;
    const struct range rows = {N * rank / ranks, N * (rank + 1) / ranks};
    const struct checkpoint_subject subject = {.n = N, .m = 1, .edges = 7, .dtype = DTYPE_I32};
    static _Thread_local int32_t matrix[N][N];
    const struct checkpoint_strip strip = {.rows = rows,
                                           .width = sizeof *matrix,
                                           .at = (char *)matrix,
                                           .pitch = sizeof *matrix,
                                           .threads = 1};
    struct checkpoint_policy policy = {.folder = folder, .dtype = "auto"};
    struct checkpoint *checkpoint;
    struct apsp_error error = {0};
    (void)state;
    for (size_t i = 0; i < range_length(rows); i++)
        for (size_t j = 0; j < N; j++)
            matrix[i][j] = (int32_t)((rows.lo + i) * N + j + 1);
    assert_int_equal(checkpoint_open(&checkpoint, comm, &policy, N, &error), APSP_OK);
    assert_int_equal(checkpoint_match(checkpoint, &subject, &error), APSP_OK);
    assert_int_equal(checkpoint_matrix_save(checkpoint, &strip, 1, &error), APSP_OK);
    checkpoint_free(checkpoint, false);
    memset(matrix, 0, sizeof matrix);
    policy.resume = true;
    assert_int_equal(checkpoint_open(&checkpoint, comm, &policy, N, &error), APSP_OK);
    assert_int_equal(checkpoint_match(checkpoint, &subject, &error), APSP_OK);
    assert_int_equal(checkpoint_matrix_load(checkpoint, &strip, &error), APSP_OK);
    for (size_t i = 0; i < range_length(rows); i++)
        for (size_t j = 0; j < N; j++)
            assert_int_equal(matrix[i][j], (int32_t)((rows.lo + i) * N + j + 1));
    checkpoint_free(checkpoint, false);
}

static int test(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_row_is_lost)};
    struct apsp_error error = {0};
    if (comm_init(&comm, 0, &error))
        return 1;
    make_shared_folder(comm, "unreserved");
    int failed = cmocka_run_group_tests_name("unreserved", tests, NULL, NULL);
    remove_shared_folder(comm);
    comm_free(comm);
    return failed != 0;
}

int main(void)
{
    return ranks_main(test);
}
