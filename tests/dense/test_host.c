/*
 * The host transport without devices: every three ranks are a node. It is tried as it is, and in
 * the form in which peer copies use it, where only the leaders of the other nodes receive. Rank 1's
 * device is slow, so that the next owner is ready while it still fills its window or reads from it.
 */
#include "base/clock.h"
#include "base/random.h"
#include "dense/transport_host.h"
#include "guard.h"
#include "ranks.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 20, ROUNDS = 8, COPIES = BACKEND_MARKS };
#define DELAY 0.05

static _Thread_local struct comm *comm;
static _Thread_local char *panels[2];
static _Thread_local struct {
    void *to;
    const void *from;
    size_t bytes;
} late[COPIES];
static _Thread_local int lates;
static _Thread_local size_t pinned; /* what was to be */
static _Thread_local double due;

static bool is_slow(void)
{
    return comm->rank == 1;
}

static void after(struct backend *backend, enum backend_queue later, enum backend_queue earlier)
{
    (void)backend;
    (void)later;
    (void)earlier;
}

static void *raw(struct backend *backend, int slot)
{
    (void)backend;
    return panels[slot];
}

static void copy(struct backend *backend, enum backend_queue queue, void *to, const void *from,
                 size_t bytes)
{
    (void)backend;
    (void)queue;
    if (!is_slow()) {
        memcpy(to, from, bytes);
        return;
    }
    late[lates].to = to;
    late[lates].from = from;
    late[lates++].bytes = bytes;
    due = clock_seconds() + DELAY;
}

static void mark(struct backend *backend, enum backend_queue queue, int number)
{
    (void)backend;
    (void)queue;
    (void)number;
}

static bool reached(struct backend *backend, int number)
{
    (void)backend;
    (void)number;
    if (is_slow() && clock_seconds() < due)
        return false;
    for (; lates > 0; lates--)
        memcpy(late[lates - 1].to, late[lates - 1].from, late[lates - 1].bytes);
    return true;
}

/* A system may refuse to pin: the transport does without. */
static bool pin(struct backend *backend, void *memory, size_t bytes)
{
    (void)backend;
    (void)memory;
    pinned = bytes;
    return false;
}

static int node_of(int rank)
{
    return rank / 3;
}

/* Of byte i in a round; neighbours, and bytes of other segments, differ. */
static char byte_of(int round, size_t i)
{
    return (char)random_mix((uint64_t)round << 40 ^ i);
}

static void fill(char *panel, int round)
{
    for (size_t i = 0; i < BYTES; i++)
        panel[i] = byte_of(round, i);
}

static size_t wrong_bytes(const char *panel, int round)
{
    size_t wrong = 0;
    for (size_t i = 0; i < BYTES; i++)
        wrong += panel[i] != byte_of(round, i);
    return wrong;
}

static bool receives(int owner, bool leaders_only)
{
    bool leader = comm->rank % 3 == 0 && node_of(comm->rank) != node_of(owner);
    return comm->rank != owner && (leader || !leaders_only);
}

/* A slow device has a panel when all ranks that do not wait for it are rounds ahead. */
static void run_rounds(bool leaders_only)
{
    static const struct round_ops round = {.after = after};
    static const struct panel_ops panel = {
        .raw = raw, .copy = copy, .mark = mark, .reached = reached, .pin = pin};
    struct backend backend = {
        .round = &round,
        .panel = &panel,
        .plan = {.n = BYTES / sizeof(int32_t), .tile = 1, .dtype = DTYPE_I32}};
    struct transport_host *host = transport_host_open(comm, &backend, leaders_only);
    size_t need = transport_host_need(comm, &backend.plan), wrong = 0;
    assert_int_equal(need, comm->node_rank == 0 ? pinned : 0);
    assert_in_range(pinned, 2 * BYTES, 2 * BYTES + 64 * (comm->node_ranks + 1) + 3 * guard_bytes());
    for (int r = 0; r < ROUNDS; r++) {
        int owner = (r + 1) % comm->ranks, slot = r % 2;
        if (comm->rank == owner)
            fill(panels[slot], r);
        transport_host_begin(host, owner, slot, BYTES);
        transport_host_finish(host);
        while (is_slow() && lates > 0)
            reached(&backend, 0);
        wrong += receives(owner, leaders_only) ? wrong_bytes(panels[slot], r) : 0;
    }
    transport_host_free(host);
    assert_int_equal(comm_sum(comm, wrong), 0);
}

static void leaders_receive_what_owners_had(void **state)
{
    (void)state;
    run_rounds(true);
}

static void all_receive_what_owners_had(void **state)
{
    (void)state;
    run_rounds(false);
}

static int choose(const struct transport_ops **chosen, const char *name)
{
    const struct backend_plan plan = {
        .n = 100, .tile = 10, .dtype = DTYPE_I32, .ranks = comm->ranks};
    struct apsp_error error = {0};
    int code = transport_choose(chosen, name, comm, &backend_cpu, &plan, &error);
    size_t need = transport_need(*chosen, comm, &plan);
    if (*chosen && strcmp((*chosen)->name, "host") == 0)
        assert_int_equal(need, transport_host_need(comm, &plan));
    else
        assert_int_equal(need, 0);
    return code;
}

/* Without a backend, for the estimate; panels in host memory are what MPI takes. */
static void choices_know_what_they_need(void **state)
{
    (void)state;
    const char *const broadcast = comm->threads ? "direct" : "mpi", *const names[] = {NULL, "auto",
                                                                                      broadcast,
                                                                                      "host"};
    const struct transport_ops *chosen;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(choose(&chosen, names[i]), APSP_OK);
        if (comm->ranks == 1)
            assert_null(chosen);
        else
            assert_string_equal(chosen->name, i == 3 ? "host" : broadcast);
    }
    assert_non_null(strstr(transport_names(), "mpi, host"));
    assert_int_equal(choose(&chosen, "nonsense"), APSP_USAGE);
    assert_null(chosen);
}

static int test(void)
{
    struct apsp_error error = {0};
    if (comm_init(&comm, 3, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return error.code;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(leaders_receive_what_owners_had),
                                       cmocka_unit_test(all_receive_what_owners_had),
                                       cmocka_unit_test(choices_know_what_they_need)};
    panels[0] = calloc(2, BYTES);
    panels[1] = panels[0] + BYTES;
    if (comm->rank != 0) /* one rank tells */
        cmocka_set_message_output(CM_OUTPUT_TAP);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(panels[0]);
    comm_free(comm);
    return failed;
}

int main(void)
{
    return ranks_main(test);
}
