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

static void seeds_fit_a_json_number(void **state)
{
    uint64_t low = 0;
    (void)state;
    for (int i = 0; i < 16; i++) {
        uint64_t seed = comm_seed(comm);
        assert_true(seed >= 1 && seed <= UINT64_C(1) << 48);
        low |= (seed - 1) & 0xffff;
    }
    assert_true(low != 0);
}

static void requests_are_over(void **state)
{
    struct comm_request requests[3] = {{0}};
    int mine = 5, all = 0;
    size_t most = 5;
    (void)state;
    comm_start_broadcast(comm, COMM_ALL, &mine, sizeof mine, 0, &requests[0]);
    comm_start_broadcast(comm, COMM_LEADERS, &mine, sizeof mine, 0, &requests[1]);
    comm_start_most(comm, &most, 1, &requests[2]);
    assert_int_equal(most, 5);
    assert_true(comm_test(comm, requests, 3));
    comm_wait(comm, requests, 3);
    comm_allgather(comm, &mine, sizeof mine, &all);
    assert_int_equal(all, 5);
    assert_true(comm_takes_device_memory(comm));
}

static void windows_are_memory(void **state)
{
    struct comm_window *window = comm_window_open(comm, 100);
    const char *memory = comm_window_memory(window);
    (void)state;
    assert_int_equal((uintptr_t)memory % 64, 0);
    for (int i = 0; i < 100; i++)
        assert_int_equal(memory[i], 0);
    comm_window_free(window);
}

static void nobody_is_launched(void **state)
{
    struct comm *alone;
    struct apsp_error error = {0};
    (void)state;
    for (const char *const *mark =
             (const char *const[]){"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", NULL};
         *mark; mark++)
        unsetenv(*mark);
    unsetenv("SLURM_NTASKS");
    assert_false(comm_launched());
    assert_int_equal(comm_init(&alone, 0, &error), APSP_OK);
    assert_int_equal(alone->ranks, 1);
    comm_free(alone);
    comm_finish(); /* of nothing */
    setenv("SLURM_NTASKS", "2", 1);
    assert_int_equal(comm_init(&alone, 0, &error), APSP_PEER);
    assert_null(alone);
    unsetenv("SLURM_NTASKS");
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_alone),
                                       cmocka_unit_test(errors_are_its_own),
                                       cmocka_unit_test(values_stay),
                                       cmocka_unit_test(exchange_is_a_copy),
                                       cmocka_unit_test(seeds_fit_a_json_number),
                                       cmocka_unit_test(requests_are_over),
                                       cmocka_unit_test(windows_are_memory),
                                       cmocka_unit_test(nobody_is_launched)};
    return cmocka_run_group_tests_name("solo", tests, open_comm, close_comm) != 0;
}
