/*
 * Ranks that are threads: every call of comm.h, many times, by ranks that come early and late. All
 * results are compared with what each rank works out by itself from a common seed.
 */
#include "unit.h"

#include "base/fault.h"
#include "base/random.h"
#include "comm/comm.h"
#include "wrap_threads.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { TURNS = 40, MOST = 9, VALUES = 700 };

static atomic_int wrong;   /* checks that failed, on all threads; */
static atomic_int line_of; /* one of them */
static int ranks_per_node;

#define CHECK(condition) (void)((condition) || (atomic_store(&line_of, __LINE__), wrong++))

static uint64_t number_of(int rank, size_t turn, size_t i)
{
    return random_mix(random_mix((uint64_t)rank * 1000003 + turn) + i) >> 20;
}

/* Some come late, by microseconds as by more than others stay awake. */
static void dawdle(const struct comm *comm, size_t turn)
{
    const uint64_t draw = number_of(comm->rank, turn, 77) % 64;
    const struct timespec pause = {.tv_nsec = draw == 0 ? 300000 : 20000};
    if (draw < 4)
        nanosleep(&pause, NULL);
    else if (draw < 16)
        sched_yield();
}

/* Once as small as an offer, and once larger. */
static size_t count_of(size_t turn)
{
    return turn % 3 == 0 ? VALUES : turn % 3 == 1 ? 1 : 1 + number_of(0, turn, 5) % VALUES;
}

static void reduces(struct comm *comm, size_t turn)
{
    size_t sums[VALUES], most[VALUES], count = count_of(turn);
    for (size_t i = 0; i < count; i++)
        sums[i] = most[i] = number_of(comm->rank, turn, i);
    comm_sum_all(comm, sums, count);
    dawdle(comm, turn);
    comm_most_all(comm, most, count);
    for (size_t i = 0; i < count; i++) {
        size_t sum = 0, largest = 0;
        for (int r = 0; r < comm->ranks; r++) {
            const size_t one = number_of(r, turn, i);
            sum += one;
            largest = one > largest ? one : largest;
        }
        CHECK(sums[i] == sum && most[i] == largest);
    }
    CHECK(comm_sum(comm, 2) == 2 * (size_t)comm->ranks);
    CHECK(comm_machine_sum(comm, 3) == 3 * (size_t)comm->ranks);
    CHECK(comm_most(comm, (size_t)comm->rank) == (size_t)comm->ranks - 1);
    CHECK(comm_max(comm, -1.0 - comm->rank) == -1);
}

static void gathers(struct comm *comm, size_t turn)
{
    const size_t count = count_of(turn), bytes = count * sizeof(uint64_t);
    uint64_t mine[VALUES], *all = calloc((size_t)comm->ranks, bytes);
    const int root = (int)(turn % (size_t)comm->ranks), first = comm->rank - comm->node_rank;
    for (size_t i = 0; i < count; i++)
        mine[i] = number_of(comm->rank, turn, i);
    comm_allgather(comm, mine, bytes, all);
    for (size_t i = 0; i < count * (size_t)comm->ranks; i++)
        CHECK(all[i] == number_of((int)(i / count), turn, i % count));
    dawdle(comm, turn);
    comm_node_allgather(comm, mine, bytes, all);
    for (size_t i = 0; i < count * (size_t)comm->node_ranks; i++)
        CHECK(all[i] == number_of(first + (int)(i / count), turn, i % count));
    memset(all, 0, bytes);
    comm_gather(comm, mine, bytes, comm->rank == 0 ? all : NULL);
    for (size_t i = 0; comm->rank == 0 && i < count * (size_t)comm->ranks; i++)
        CHECK(all[i] == number_of((int)(i / count), turn, i % count));
    comm_broadcast(comm, mine, bytes, root);
    for (size_t i = 0; i < count; i++)
        CHECK(mine[i] == number_of(root, turn, i));
    free(all);
}

/* The number of items from one rank to another one. */
static int sent_of(int from, int to, size_t turn)
{
    return (int)(number_of(from, turn, (size_t)to) % 20) - 5 > 0
               ? (int)(number_of(from, turn, (size_t)to) % 20) - 5
               : 0;
}

static void exchanges(struct comm *comm, size_t turn)
{
    int counts[MOST];
    uint64_t items[MOST * 20], *got = NULL;
    size_t room = 0, at = 0;
    for (int r = 0; r < comm->ranks; r++) {
        counts[r] = sent_of(comm->rank, r, turn);
        for (int i = 0; i < counts[r]; i++)
            items[at++] = number_of(comm->rank, turn, (size_t)(100 * r + i));
    }
    size_t all = comm_exchange(comm, items, counts, sizeof *items, (void **)&got, &room);
    at = 0;
    for (int r = 0; r < comm->ranks; r++)
        for (int i = 0; i < sent_of(r, comm->rank, turn); i++, at++)
            CHECK(at < all && got[at] == number_of(r, turn, (size_t)(100 * comm->rank + i)));
    CHECK(at == all && room >= all);
    free(got);
}

/* Several under way at a time, that are looked at out of order, beside collective calls. */
static void sends(struct comm *comm, size_t turn)
{
    enum { PIECES = 5 };
    struct comm_request requests[PIECES + 1] = {{0}};
    static const size_t length[PIECES] = {1, 8, 64, 1000, 3000};
    unsigned char data[PIECES][3000];
    size_t most[] = {number_of(comm->rank, turn, 1), SIZE_MAX - (size_t)comm->rank}, largest = 0;
    for (int p = 0; p < PIECES; p++) {
        const int root = (int)(turn + (size_t)p) % comm->ranks;
        memset(data[p], comm->rank == root ? (int)(turn % 200) + p : 255, length[p]);
        dawdle(comm, turn + (size_t)p);
        comm_start_broadcast(comm, COMM_ALL, data[p], length[p], root, &requests[p]);
    }
    comm_start_most(comm, most, 2, &requests[PIECES]);
    if (turn % 2)
        comm_barrier(comm);
    comm_wait(comm, &requests[turn % PIECES], 1);
    while (turn % 3 == 0 && !comm_test(comm, requests, PIECES))
        sched_yield();
    comm_wait(comm, requests, PIECES + 1);
    CHECK(comm_test(comm, requests, PIECES + 1));
    for (int p = 0; p < PIECES; p++)
        for (size_t i = 0; i < length[p]; i++)
            CHECK(data[p][i] == turn % 200 + (size_t)p);
    for (int r = 0; r < comm->ranks; r++)
        largest = number_of(r, turn, 1) > largest ? number_of(r, turn, 1) : largest;
    CHECK(most[0] == largest && most[1] == SIZE_MAX);
}

static void leads(struct comm *comm, size_t turn)
{
    struct comm_request request = {0};
    int value = comm->node == comm->nodes - 1 ? (int)turn : -1;
    if (comm->node_rank > 0)
        return;
    comm_start_broadcast(comm, COMM_LEADERS, &value, sizeof value, comm->nodes - 1, &request);
    comm_wait(comm, &request, 1);
    CHECK(value == (int)turn);
}

static void shares(struct comm *comm)
{
    struct comm_window *window = comm_window_open(comm, 100);
    char *memory = comm_window_memory(window);
    CHECK((uintptr_t)memory % 64 == 0);
    for (int i = 0; i < 100; i++)
        CHECK(memory[i] == 0);
    comm_barrier(comm);
    memory[comm->node_rank] = 'a';
    comm_barrier(comm);
    for (int i = 0; i < comm->node_ranks; i++)
        CHECK(memory[i] == 'a');
    comm_window_free(window);
}

static void agrees(struct comm *comm, size_t turn)
{
    struct apsp_error error = {0};
    char text[40];
    const int first = (int)(turn % (size_t)comm->ranks);
    CHECK(comm_agree(comm, &error) == APSP_OK);
    if (comm->rank >= first)
        error_set(&error, APSP_IO, "of rank %d", comm->rank);
    snprintf(text, sizeof text, "of rank %d", first);
    CHECK(comm_agree(comm, &error) == APSP_IO && strcmp(error.text, text) == 0);
}

static void check_place(const struct comm *comm)
{
    const int each = ranks_per_node ? ranks_per_node : comm->ranks;
    CHECK(comm->threads && comm->machine_rank == comm->rank && comm->machine_ranks == comm->ranks);
    CHECK(comm->node == comm->rank / each && comm->node_rank == comm->rank % each);
    CHECK(comm->nodes == (comm->ranks + each - 1) / each);
}

static void rank(void *self)
{
    struct comm *comm;
    struct apsp_error error = {0};
    uint64_t seeds[MOST];
    for (int again = 0; again < 2; again++) {
        CHECK(comm_init(&comm, ranks_per_node, &error) == APSP_OK && comm->ranks == *(int *)self);
        check_place(comm);
        for (size_t turn = 0; turn < TURNS; turn++) {
            dawdle(comm, turn);
            reduces(comm, turn);
            gathers(comm, turn);
            exchanges(comm, turn);
            sends(comm, turn);
            leads(comm, turn);
            agrees(comm, turn);
        }
        shares(comm);
        const uint64_t seed = comm_seed(comm);
        comm_allgather(comm, &seed, sizeof seed, seeds);
        CHECK(seeds[0] == seed);
        CHECK(!comm_takes_device_memory(comm) || comm->ranks == 1);
        comm_free(comm);
    }
}

static void all_calls_on_many_ranks(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= MOST; ranks += ranks < 4 ? 1 : 5) {
        struct apsp_error error = {0};
        for (ranks_per_node = 0; ranks_per_node <= 2; ranks_per_node++) {
            assert_int_equal(comm_run(ranks, rank, &ranks, &error), APSP_OK);
            if (wrong)
                fail_msg("%d checks, one in line %d", wrong, line_of);
        }
    }
}

/* The last rank comes half a second late: the others sleep. */
static void wait_long(void *self)
{
    struct comm *comm;
    struct apsp_error error = {0};
    struct rusage before, after;
    (void)self;
    comm_init(&comm, 0, &error);
    comm_barrier(comm);
    getrusage(RUSAGE_THREAD, &before);
    if (comm->rank == comm->ranks - 1)
        nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
    comm_barrier(comm);
    getrusage(RUSAGE_THREAD, &after);
    CHECK(after.ru_utime.tv_sec == before.ru_utime.tv_sec ||
          after.ru_utime.tv_usec < before.ru_utime.tv_usec);
    CHECK((after.ru_utime.tv_sec - before.ru_utime.tv_sec) * 1000000 + after.ru_utime.tv_usec -
              before.ru_utime.tv_usec + (after.ru_stime.tv_sec - before.ru_stime.tv_sec) * 1000000 +
              after.ru_stime.tv_usec - before.ru_stime.tv_usec <
          50000);
    CHECK(comm->rank == comm->ranks - 1 || after.ru_nvcsw > before.ru_nvcsw);
    comm_free(comm);
}

static void waiting_is_cheap(void **state)
{
    struct apsp_error error = {0};
    (void)state;
    assert_int_equal(comm_run(8, wait_long, NULL, &error), APSP_OK);
    assert_int_equal(wrong, 0);
}

static void is_not_called(void *self)
{
    (void)self;
    CHECK(false);
}

static void too_few_threads_run_none(void **state)
{
    (void)state;
    for (threads_left = 0; threads_left < 6; threads_left += 2) {
        struct apsp_error error = {0};
        const int given = threads_left;
        comm_run(7, is_not_called, NULL, &error);
        assert_int_equal(error.code, APSP_MEMORY);
        assert_non_null(strstr(error.text, "for 7 ranks"));
        assert_int_equal(wrong, 0);
        assert_int_equal(threads_left, 0);
        threads_left = given;
    }
    threads_left = -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_calls_on_many_ranks),
                                       cmocka_unit_test(waiting_is_cheap),
                                       cmocka_unit_test(too_few_threads_run_none)};
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
