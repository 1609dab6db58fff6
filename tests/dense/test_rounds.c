/*
 * rounds.c, transport_host.c and transport_mpi.c over a backend that only writes down what it is
 * given, by the definitions of backend.h, and does it when somebody asks for a mark, in any order
 * that the queues and their waits allow: a wrong slot, a wrong range or a wait that is missing
 * gives wrong distances under some order. mpirun --oversubscribe -n RANKS
 * build/tests/dense/test_rounds
 */
#include "ranks.h"
#include "unit.h"

#include "base/random.h"
#include "dense/rounds.h"
#include "reference.h"

#include <stdlib.h>
#include <string.h>

enum { N_MAX = 40, EDGES = 4, WORK_MAX = 4096, ORDERS = 24, NODE = 2 };

enum kind { PICK, CLOSE, RELAX, COPY };

struct work {
    enum kind kind;
    int slot;
    struct range pivot;
    struct ranges rows, cols;
    void *to;
    const void *from;
    size_t bytes;
    size_t waits[BACKEND_QUEUES]; /* for so many of each queue */
};

struct queue {
    struct work work[WORK_MAX];
    size_t given, done;
    size_t waits[BACKEND_QUEUES]; /* of what it is given from now on */
};

static _Thread_local struct {
    struct backend base; /* first: the solver sees this alone */
    struct queue queue[BACKEND_QUEUES];
    struct {
        enum backend_queue queue;
        size_t given;
    } mark[BACKEND_MARKS];
    int32_t d[N_MAX][N_MAX]; /* rows of the strip, by their numbers */
    int32_t raw[2][N_MAX * N_MAX], row[2][N_MAX][N_MAX], col[2][N_MAX][N_MAX];
    struct range pivot[2]; /* of what is closed */
    int first;             /* the queue whose work is done as soon as it can be */
    uint64_t state;
} lazy;

static _Thread_local struct comm *comm;

/* --- the definitions */

static bool has(const struct ranges *list, size_t i)
{
    for (int r = 0; r < list->count; r++)
        if (i >= list->at[r].lo && i < list->at[r].hi)
            return true;
    return false;
}

static void lower(int32_t *value, int32_t a, int32_t b)
{
    if (a < INF_I32 && b < INF_I32 && a + b < *value)
        *value = a + b;
}

static void pick(const struct work *work)
{
    const size_t n = lazy.base.plan.n;
    for (size_t k = work->pivot.lo; k < work->pivot.hi; k++)
        memcpy(lazy.raw[work->slot] + (k - work->pivot.lo) * n, lazy.d[k], n * sizeof(int32_t));
}

/* Rows and columns that are not asked for stay as they were: unset, or those of another round. */
static void close_panels(const struct work *work)
{
    const size_t n = lazy.base.plan.n, w = range_length(work->pivot), lo = work->pivot.lo;
    const int32_t *raw = lazy.raw[work->slot];
    int32_t(*row)[N_MAX] = lazy.row[work->slot], (*col)[N_MAX] = lazy.col[work->slot],
    tile[N_MAX][N_MAX];
    for (size_t i = 0; i < w; i++)
        memcpy(tile[i], raw + i * n + lo, w * sizeof **tile);
    for (size_t k = 0; k < w; k++)
        for (size_t i = 0; i < w; i++)
            for (size_t j = 0; j < w; j++)
                lower(&tile[i][j], tile[i][k], tile[k][j]);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < w && has(&work->cols, j); i++) {
            row[i][j] = raw[i * n + j];
            for (size_t k = 0; k < w; k++)
                lower(&row[i][j], tile[i][k], raw[k * n + j]);
        }
    for (size_t i = 0; i < n; i++) {
        if (!has(&work->rows, i))
            continue;
        for (size_t j = 0; j < w; j++) {
            col[i][j] = lazy.d[i][lo + j];
            for (size_t k = 0; k < w; k++)
                lower(&col[i][j], lazy.d[i][lo + k], tile[k][j]);
        }
        memcpy(&lazy.d[i][lo], col[i], w * sizeof **col);
    }
    for (size_t i = 0; i < w && has(&work->rows, lo); i++)
        for (size_t j = 0; j < n; j++)
            if (has(&work->cols, j))
                lazy.d[lo + i][j] = row[i][j];
    lazy.pivot[work->slot] = work->pivot;
}

static void relax(const struct work *work)
{
    const size_t n = lazy.base.plan.n, w = range_length(lazy.pivot[work->slot]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n && has(&work->rows, i); j++)
            for (size_t k = 0; k < w && has(&work->cols, j); k++)
                lower(&lazy.d[i][j], lazy.col[work->slot][i][k], lazy.row[work->slot][k][j]);
}

static void perform(const struct work *work)
{
    switch (work->kind) {
    case PICK:
        pick(work);
        break;
    case CLOSE:
        close_panels(work);
        break;
    case RELAX:
        relax(work);
        break;
    case COPY:
        memcpy(work->to, work->from, work->bytes);
    }
}

/* --- queues */

static bool can_go_on(int q)
{
    const struct queue *queue = &lazy.queue[q];
    if (queue->done == queue->given)
        return false;
    for (int other = 0; other < BACKEND_QUEUES; other++)
        if (lazy.queue[other].done < queue->work[queue->done].waits[other])
            return false;
    return true;
}

/* Does one piece of work, if any may be done: mostly that of the order's queue, and what others
 * have only where that has none. */
static bool go_on(void)
{
    int q =
        random_below(&lazy.state, 8) ? lazy.first : (int)random_below(&lazy.state, BACKEND_QUEUES);
    for (int tries = 0; tries < BACKEND_QUEUES; tries++, q = (q + 1) % BACKEND_QUEUES)
        if (can_go_on(q)) {
            perform(&lazy.queue[q].work[lazy.queue[q].done++]);
            return true;
        }
    return false;
}

static void give(enum backend_queue to, struct work work)
{
    struct queue *queue = &lazy.queue[to];
    assert_true(queue->given < WORK_MAX);
    memcpy(work.waits, queue->waits, sizeof work.waits);
    queue->work[queue->given++] = work;
}

static void lazy_begin(struct backend *backend)
{
    (void)backend;
}

static void lazy_end(struct backend *backend, struct backend_times *times)
{
    (void)backend;
    (void)times;
    while (go_on())
        ;
    for (int q = 0; q < BACKEND_QUEUES; q++)
        assert_int_equal(lazy.queue[q].done, lazy.queue[q].given);
}

static void lazy_after(struct backend *backend, enum backend_queue later,
                       enum backend_queue earlier)
{
    (void)backend;
    lazy.queue[later].waits[earlier] = lazy.queue[earlier].given;
}

static void lazy_pick(struct backend *backend, int slot, struct range pivot)
{
    (void)backend;
    give(BACKEND_AHEAD, (struct work){.kind = PICK, .slot = slot, .pivot = pivot});
}

static void lazy_close(struct backend *backend, int slot, struct range pivot,
                       const struct ranges *rows, const struct ranges *cols)
{
    (void)backend;
    give(BACKEND_AHEAD, (struct work){CLOSE, slot, pivot, *rows, *cols, NULL, NULL, 0, {0}});
}

static void lazy_relax(struct backend *backend, enum backend_queue queue, int slot,
                       const struct ranges *rows, const struct ranges *cols)
{
    (void)backend;
    give(queue, (struct work){.kind = RELAX, .slot = slot, .rows = *rows, .cols = *cols});
}

static void *lazy_raw(struct backend *backend, int slot)
{
    (void)backend;
    return lazy.raw[slot];
}

static void lazy_copy(struct backend *backend, enum backend_queue queue, void *to, const void *from,
                      size_t bytes)
{
    (void)backend;
    give(queue, (struct work){.kind = COPY, .to = to, .from = from, .bytes = bytes});
}

static void lazy_mark(struct backend *backend, enum backend_queue queue, int number)
{
    (void)backend;
    lazy.mark[number].queue = queue;
    lazy.mark[number].given = lazy.queue[queue].given;
}

static bool lazy_reached(struct backend *backend, int number)
{
    (void)backend;
    bool reached = lazy.queue[lazy.mark[number].queue].done >= lazy.mark[number].given;
    if (!reached)
        go_on();
    return reached;
}

static bool lazy_pin(struct backend *backend, void *memory, size_t bytes)
{
    (void)backend;
    (void)memory;
    (void)bytes;
    return false;
}

static const struct round_ops round_table = {.begin = lazy_begin,
                                             .end = lazy_end,
                                             .after = lazy_after,
                                             .pick = lazy_pick,
                                             .close = lazy_close,
                                             .relax = lazy_relax};
static const struct panel_ops panel_table = {.on_host = true,
                                             .raw = lazy_raw,
                                             .copy = lazy_copy,
                                             .mark = lazy_mark,
                                             .reached = lazy_reached,
                                             .pin = lazy_pin};
static const struct backend_ops lazy_ops = {
    .name = "lazy", .round = &round_table, .panel = &panel_table};

/* --- the tests */

static void reset(size_t n, size_t tile, unsigned order, const struct edge *edges, size_t m)
{
    memset(&lazy, 0, sizeof lazy);
    const struct backend_plan plan = {.n = n,
                                      .rows = strip_rows(n, comm->ranks, comm->rank),
                                      .tile = tile,
                                      .dtype = DTYPE_I32,
                                      .threads = 1,
                                      .ranks = comm->ranks};
    lazy.base = backend_start(&lazy_ops, &plan);
    lazy.first = (int)(order % BACKEND_QUEUES);
    lazy.state = order + 1000 * (unsigned)comm->rank;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            lazy.d[i][j] = i == j ? 0 : INF_I32;
    for (size_t e = 0; e < m; e++)
        if (edges[e].weight.whole < lazy.d[edges[e].from][edges[e].to])
            lazy.d[edges[e].from][edges[e].to] = (int32_t)edges[e].weight.whole;
}

/* The rows of this rank that are wrong. */
static size_t solve(size_t n, size_t tile, unsigned order, const char *name)
{
    struct edge edges[EDGES * N_MAX];
    struct apsp_error error = {0};
    struct schedule schedule;
    struct transport transport;
    struct progress progress = {.steps = 1};
    struct rounds_times times;
    const struct transport_ops *ops;
    uint64_t state = n + 100 * tile;
    size_t wrong = 0, m = EDGES * n;
    for (size_t e = 0; e < m; e++)
        edges[e] = (struct edge){random_below(&state, (uint32_t)n),
                                 random_below(&state, (uint32_t)n),
                                 {.whole = random_below(&state, 1000)}};
    int32_t *right = reference_dijkstra(n, edges, m);
    assert_non_null(right);
    reset(n, tile, order, edges, m);
    assert_true(schedule_dense(&schedule, n, comm->ranks, tile));
    assert_int_equal(transport_choose(&ops, name, comm, &lazy_ops, &lazy.base.plan, &error),
                     APSP_OK);
    assert_int_equal(transport_open(&transport, ops, comm, &lazy.base, &error), APSP_OK);
    rounds_run(&schedule, &lazy.base, ops ? &transport : NULL, comm->rank, &progress, &times);
    transport_free(&transport);
    for (size_t i = lazy.base.plan.rows.lo; i < lazy.base.plan.rows.hi; i++)
        wrong += memcmp(lazy.d[i], right + i * n, n * sizeof *right) != 0;
    schedule_free(&schedule);
    free(right);
    return comm_sum(comm, wrong);
}

static void run_orders(const char *name)
{
    static const size_t sizes[][2] = {{1, 1}, {7, 2}, {24, 3}, {25, 4}, {40, 5}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (unsigned order = 0; order < ORDERS; order++) {
            size_t wrong = solve(sizes[k][0], sizes[k][1], order, name);
            if (wrong > 0)
                fail_msg("%zu vertices, tile %zu, order %u: %zu wrong rows", sizes[k][0],
                         sizes[k][1], order, wrong);
        }
}

static void by_broadcast_in_any_order(void **state)
{
    (void)state;
    run_orders(comm->threads ? "direct" : "mpi");
}

static void through_host_memory_in_any_order(void **state)
{
    (void)state;
    run_orders("host");
}

static int test(void)
{
    struct apsp_error error = {0};
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_broadcast_in_any_order),
                                       cmocka_unit_test(through_host_memory_in_any_order)};
    if (comm_init(&comm, NODE, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return error.code;
    }
    if (comm->rank != 0) /* one rank tells */
        cmocka_set_message_output(CM_OUTPUT_TAP);
    int failed = cmocka_run_group_tests_name("rounds", tests, NULL, NULL);
    comm_free(comm);
    return failed;
}

int main(void)
{
    return ranks_main(test);
}
