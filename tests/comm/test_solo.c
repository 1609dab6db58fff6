/* comm_solo: every function does what it would on one rank, and MPI is never started. */
#include "unit.h"

#include "comm/comm.h"

#include <stdlib.h>
#include <string.h>

static struct comm *comm;

static void is_alone(void **state)
{
    (void)state;
    assert_int_equal(comm->rank, 0);
    assert_int_equal(comm->ranks, 1);
    assert_int_equal(comm->nodes, 1);
    assert_int_equal(comm->node_ranks, 1);
    assert_int_equal(comm->machine_ranks, 1);
    assert_true(strlen(comm->host) > 0);
    comm_barrier(comm);
}

static void errors_are_its_own(void **state)
{
    struct apsp_error error = {0};
    (void)state;
    assert_int_equal(comm_agree(comm, &error), APSP_OK);
    error_set(&error, APSP_IO, "mine");
    assert_int_equal(comm_agree(comm, &error), APSP_IO);
    assert_string_equal(error.text, "mine");
}

static void values_stay(void **state)
{
    size_t values[] = {1, 2, SIZE_MAX};
    int mine = 5, all = 0;
    (void)state;
    assert_true(comm_max(comm, -2.5) == -2.5);
    assert_int_equal(comm_sum(comm, 7), 7);
    assert_int_equal(comm_most(comm, 7), 7);
    assert_int_equal(comm_machine_sum(comm, 7), 7);
    comm_sum_all(comm, values, 3);
    assert_true(values[0] == 1 && values[1] == 2 && values[2] == SIZE_MAX);
    comm_broadcast(comm, &mine, sizeof mine, 0);
    assert_int_equal(mine, 5);
    comm_node_allgather(comm, &mine, sizeof mine, &all);
    assert_int_equal(all, 5);
    all = 0;
    comm_machine_allgather(comm, &mine, sizeof mine, &all);
    assert_int_equal(all, 5);
    all = 0;
    comm_gather(comm, &mine, sizeof mine, &all);
    assert_int_equal(all, 5);
}

static void exchange_is_a_copy(void **state)
{
    const double send[] = {1, 2, 3};
    void *receive = NULL;
    size_t room = 0;
    (void)state;
    for (int count = 0; count <= 3; count++) {
        assert_int_equal(comm_exchange(comm, send, &count, sizeof *send, &receive, &room), count);
        if (count)
            assert_memory_equal(receive, send, (size_t)count * sizeof *send);
    }
    free(receive);
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
    comm_free(NULL);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_alone), cmocka_unit_test(errors_are_its_own),
                                       cmocka_unit_test(values_stay), cmocka_unit_test(exchange_is_a_copy)};
    return cmocka_run_group_tests_name("solo", tests, open_comm, close_comm) != 0;
}
