/*
 * comm_init_mpi: the ranks of a communicator of the caller, and an MPI that goes on; and what mpi.c
 * does for the transports. The even and the odd ranks are two communicators.
 */
#include "unit.h"

#include "comm/comm.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static MPI_Comm half;
static struct comm *comm;

static void ranks_are_the_communicators(void **state)
{
    int rank, ranks;
    (void)state;
    MPI_Comm_rank(half, &rank);
    MPI_Comm_size(half, &ranks);
    assert_int_equal(comm->rank, rank);
    assert_int_equal(comm->ranks, ranks);
    assert_int_equal(comm_sum(comm, 1), ranks);
    assert_int_equal(comm_most(comm, (size_t)rank), ranks - 1);
    assert_true(comm_max(comm, -rank) == 0);
    assert_int_equal(comm->nodes, (comm->machine_ranks + 1) / 2);
}

static void the_lowest_error_is_everybodys(void **state)
{
    struct apsp_error error = {0};
    (void)state;
    assert_int_equal(comm_agree(comm, &error), APSP_OK);
    if (comm->rank > 0 || comm->ranks == 1)
        error_set(&error, APSP_IO, "of rank %d", comm->rank);
    assert_int_equal(comm_agree(comm, &error), APSP_IO);
    assert_string_equal(error.text, comm->ranks == 1 ? "of rank 0" : "of rank 1");
}

static void everybody_gets_all(void **state)
{
    int all[64];
    (void)state;
    comm_allgather(comm, &comm->rank, sizeof comm->rank, all);
    for (int r = 0; r < comm->ranks; r++)
        assert_int_equal(all[r], r);
}

static void the_most_comes_to_an_end(void **state)
{
    struct comm_request request = {0};
    size_t values[] = {(size_t)comm->rank, SIZE_MAX - (size_t)comm->rank, 7};
    (void)state;
    comm_start_most(comm, values, 3, &request);
    while (!comm_test(comm, &request, 1))
        continue;
    assert_true(values[0] == (size_t)comm->ranks - 1 && values[1] == SIZE_MAX && values[2] == 7);
    assert_true(comm_test(comm, &request, 1));
}

/* With small pieces they are cut (base/size.h). */
static void long_messages_arrive_whole(void **state)
{
    enum { COUNT = 1001 };
    size_t sums[COUNT], most[COUNT], ranks = (size_t)comm->ranks, rank = (size_t)comm->rank;
    char bytes[COUNT];
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        sums[i] = i + rank;
        most[i] = (i + rank) % ranks;
        bytes[i] = (char)(rank == ranks - 1 ? i * i : 0);
    }
    comm_sum_all(comm, sums, COUNT);
    comm_most_all(comm, most, COUNT);
    comm_broadcast(comm, bytes, COUNT, comm->ranks - 1);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(sums[i], ranks * i + ranks * (ranks - 1) / 2);
        assert_int_equal(most[i], ranks - 1);
        assert_int_equal(bytes[i], (char)(i * i));
    }
}

static void broadcasts_come_to_an_end(void **state)
{
    enum { PIECES = 3 };
    struct comm_request requests[PIECES] = {{0}};
    int values[PIECES] = {0}, root = comm->ranks - 1;
    (void)state;
    assert_true(comm_test(comm, requests, PIECES)); /* there are none */
    for (int i = 0; i < PIECES; i++) {
        values[i] = comm->rank == root ? i + 7 : 0;
        comm_start_broadcast(comm, COMM_ALL, &values[i], sizeof values[i], root, &requests[i]);
    }
    comm_wait(comm, requests, 1);
    while (!comm_test(comm, requests, PIECES))
        continue;
    comm_wait(comm, requests, PIECES);
    for (int i = 0; i < PIECES; i++)
        assert_int_equal(values[i], i + 7);
}

static void leaders_are_one_of_each_node(void **state)
{
    struct comm_request request = {0};
    int value = comm->node == comm->nodes - 1 ? 5 : 0;
    (void)state;
    if (comm->node_rank == 0) {
        comm_start_broadcast(comm, COMM_LEADERS, &value, sizeof value, comm->nodes - 1, &request);
        comm_wait(comm, &request, 1);
        assert_int_equal(value, 5);
    }
}

static void windows_are_shared(void **state)
{
    struct comm_window *window = comm_window_open(comm, 100);
    char *memory = comm_window_memory(window);
    (void)state;
    assert_int_equal((uintptr_t)memory % 64, 0);
    for (int i = 0; i < 100; i++)
        assert_int_equal(memory[i], 0);
    comm_barrier(comm);
    memory[comm->node_rank] = 'a';
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    comm_barrier(comm);
    for (int i = 0; i < comm->node_ranks; i++)
        assert_int_equal(memory[i], 'a');
    comm_window_free(window);
}

static int start(void **state)
{
    struct apsp_error error = {0};
    (void)state;
    return comm_init_mpi(&comm, &half, 2, &error);
}

static int end(void **state)
{
    int ended;
    (void)state;
    comm_free(comm);
    comm_finish();
    MPI_Finalized(&ended);
    return ended;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_are_the_communicators),
                                       cmocka_unit_test(the_lowest_error_is_everybodys),
                                       cmocka_unit_test(everybody_gets_all),
                                       cmocka_unit_test(the_most_comes_to_an_end),
                                       cmocka_unit_test(broadcasts_come_to_an_end),
                                       cmocka_unit_test(leaders_are_one_of_each_node),
                                       cmocka_unit_test(windows_are_shared),
                                       cmocka_unit_test(long_messages_arrive_whole)};
    struct apsp_error error = {0};
    int rank, failed;
    if (comm_init_mpi(&comm, &half, 0, &error) != APSP_PEER) /* MPI does not run yet */
        return 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    if (rank > 0 && !freopen("/dev/null", "w", stdout)) /* one rank tells */
        return 1;
    failed = cmocka_run_group_tests_name("adopt", tests, start, end);
    failed += cmocka_run_group_tests_name("adopt again", tests, start, end);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return failed != 0;
}
