/* Ranks that wait for a late one leave the cores to others: what they spend of processor time
 * meanwhile. */
#include "ranks.h"
#include "unit.h"

#include "comm/comm.h"

#include <sys/resource.h>
#include <time.h>

static _Thread_local struct comm *comm;

static double seconds_of(const struct timeval *time)
{
    return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

/* The last rank comes half a second later; the others sleep, those of MPI again and again, and take
 * less than a third of that. On a busy machine they might take no more even if they did not sleep.
 */
static void check_cheap(void (*collective)(void))
{
    struct rusage before, after;
    comm_barrier(comm);
    getrusage(RUSAGE_THREAD, &before);
    if (comm->rank == comm->ranks - 1)
        nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
    collective();
    getrusage(RUSAGE_THREAD, &after);
    assert_true(seconds_of(&after.ru_utime) + seconds_of(&after.ru_stime) -
                    seconds_of(&before.ru_utime) - seconds_of(&before.ru_stime) <
                0.16);
    if (comm->rank < comm->ranks - 1)
        assert_true(after.ru_nvcsw - before.ru_nvcsw >= (comm->threads ? 1 : 5));
}

static void meet(void)
{
    comm_barrier(comm);
}

static void add(void)
{
    assert_int_equal(comm_sum(comm, 1), comm->ranks);
}

static void hear(void)
{
    int last = comm->rank;
    comm_broadcast(comm, &last, sizeof last, comm->ranks - 1);
    assert_int_equal(last, comm->ranks - 1);
}

static void waiting_is_cheap(void **state)
{
    (void)state;
    check_cheap(meet);
    check_cheap(add);
    check_cheap(hear);
}

static int test(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(waiting_is_cheap)};
    struct apsp_error error = {0};
    if (comm_init(&comm, 0, &error))
        return 1;
    int failed = cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
    comm_free(comm);
    return failed != 0;
}

int main(void)
{
    return ranks_main(test);
}
