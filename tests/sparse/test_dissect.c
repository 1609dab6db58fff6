/* dissect.c among callers that look after their children in ways of their own, with a METIS that
 * fails. */
#include "unit.h"

#include "base/clock.h"
#include "base/stop.h"
#include "make_grid.h"
#include "sparse/dissect.h"
#include "sparse/etree.h"

#include <errno.h>
#include <metis.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SIDE = 300,
    MANY = SIDE * SIDE,
    WORKERS = 4
};                  /* of a grid that is cut, and ordered by several */
enum { LONG = 30 }; /* seconds */

/* What METIS_NodeND does in the children, besides or instead of its work. */
static enum {
    WORKS,
    SLEEPS,
    SLEEPS_BELOW,
    NAPS,
    IS_KILLED,
    IS_KILLED_BELOW,
    EXITS,
    TALKS,
    IS_SIGNALLED
} fault;

/* In memory of all processes. */
static struct {
    atomic_int asleep, exited, signalled;
} * seen;

static pid_t test_process;

int __real_METIS_NodeND(idx_t *n, idx_t *start, idx_t *to, idx_t *weight, idx_t *options,
                        idx_t *order, idx_t *inverse);
int __wrap_METIS_NodeND(idx_t *n, idx_t *start, idx_t *to, idx_t *weight, idx_t *options,
                        idx_t *order, idx_t *inverse);

int __wrap_METIS_NodeND(idx_t *n, idx_t *start, idx_t *to, idx_t *weight, idx_t *options,
                        idx_t *order, idx_t *inverse)
{
    static const struct timespec nap = {.tv_nsec = 150000000}, moment = {.tv_nsec = 1000000};
    bool below = getppid() != test_process;
    if (fault == SLEEPS || (fault == SLEEPS_BELOW && below)) {
        atomic_fetch_add(&seen->asleep, 1);
        sleep(LONG);
    }
    while (fault == SLEEPS_BELOW && atomic_load(&seen->asleep) == 0)
        nanosleep(&moment, NULL);
    if (fault == SLEEPS_BELOW)
        return METIS_ERROR;
    if (fault == NAPS)
        nanosleep(&nap, NULL);
    if (fault == IS_KILLED || (fault == IS_KILLED_BELOW && below))
        raise(SIGKILL);
    if (fault == EXITS)
        exit(EXIT_SUCCESS);
    if (fault == TALKS) {
        printf("out of memory\n");
        fprintf(stderr, "out of memory\n");
        fflush(stdout);
        return METIS_ERROR_MEMORY;
    }
    for (int i = 0; i < 4 && fault == IS_SIGNALLED; i++)
        raise((const int[]){SIGHUP, SIGINT, SIGQUIT, SIGTERM}[i]);
    return __real_METIS_NodeND(n, start, to, weight, options, order, inverse);
}

static int order_with(uint32_t *vertex, const struct pattern *pattern, int workers,
                      struct progress *progress, struct apsp_error *error)
{
    const struct order_way way = {1, workers, progress};
    progress->steps = pattern->n;
    *error = (struct apsp_error){0};
    return dissect_order(vertex, pattern, &way, error);
}

/* Which processes there can be. */
static enum { ANY, NO_GRANDCHILD, NONE } no_more;

pid_t __real_fork(void);
pid_t __wrap_fork(void);

pid_t __wrap_fork(void)
{
    if (no_more == ANY || (no_more == NO_GRANDCHILD && getpid() == test_process))
        return __real_fork();
    errno = EAGAIN;
    return -1;
}

/* An order of the large grid by several workers, or an error; with that fault. No child is left. */
static int order_grid(uint32_t *vertex, int with, struct apsp_error *error)
{
    struct pattern grid = make_grid(SIDE);
    struct progress progress = {0};
    double begun = clock_seconds();
    fault = with;
    order_with(vertex, &grid, WORKERS, &progress, error);
    fault = WORKS;
    assert_true(clock_seconds() - begun < LONG);
    assert_true(waitpid(-1, NULL, 0) < 0 && errno == ECHILD);
    free_grid(&grid);
    return error->code;
}

static void is_the_right_order(int with)
{
    struct apsp_error error;
    uint32_t *vertex = malloc(2 * MANY * sizeof *vertex);
    assert_non_null(vertex);
    assert_int_equal(order_grid(vertex, with, &error), APSP_OK);
    void (*before)(int) = signal(SIGCHLD, SIG_DFL);
    assert_int_equal(order_grid(vertex + MANY, WORKS, &error), APSP_OK);
    signal(SIGCHLD, before);
    assert_memory_equal(vertex, vertex + MANY, MANY * sizeof *vertex);
    for (size_t i = 0; i < MANY; i++)
        vertex[MANY + vertex[i]] = UINT32_MAX;
    for (size_t i = 0; i < MANY; i++)
        assert_true(vertex[MANY + i] == UINT32_MAX);
    free(vertex);
}

static void is_refused(int with)
{
    struct apsp_error error;
    uint32_t *vertex = malloc(MANY * sizeof *vertex);
    assert_non_null(vertex);
    assert_int_equal(order_grid(vertex, with, &error), APSP_MEMORY);
    assert_non_null(strstr(error.text, "METIS failed to order"));
    free(vertex);
}

static void children_are_ignored(void **state)
{
    (void)state;
    signal(SIGCHLD, SIG_IGN);
    is_the_right_order(WORKS);
    is_refused(IS_KILLED);
}

static void reap_all(int number)
{
    int cause = errno;
    (void)number;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        continue;
    errno = cause;
}

static void children_are_reaped_by_the_caller(void **state)
{
    (void)state;
    signal(SIGCHLD, reap_all);
    is_the_right_order(WORKS);
    is_refused(IS_KILLED);
}

static void a_child_is_killed(void **state)
{
    (void)state;
    is_refused(IS_KILLED);
    is_refused(IS_KILLED_BELOW);
}

/* The first child fails while the others are at work. */
static void nobody_is_waited_for_in_vain(void **state)
{
    (void)state;
    is_refused(SLEEPS_BELOW);
}

static void a_caller_who_stops_does_not_wait(void **state)
{
    struct apsp_error error;
    uint32_t *vertex = malloc(MANY * sizeof *vertex);
    (void)state;
    stop_ask();
    assert_int_equal(order_grid(vertex, SLEEPS, &error), APSP_CANCELLED);
    stop_forget();
    free(vertex);
}

static void there_are_no_more_processes(void **state)
{
    struct apsp_error error;
    uint32_t *vertex = malloc(2 * MANY * sizeof *vertex);
    (void)state;
    no_more = NO_GRANDCHILD;
    assert_int_equal(order_grid(vertex, WORKS, &error), APSP_OK);
    no_more = ANY;
    assert_int_equal(order_grid(vertex + MANY, WORKS, &error), APSP_OK);
    assert_memory_equal(vertex, vertex + MANY, MANY * sizeof *vertex);
    no_more = NONE;
    assert_int_equal(order_grid(vertex, WORKS, &error), APSP_MEMORY);
    no_more = ANY;
    assert_non_null(strstr(error.text, "no process"));
    free(vertex);
}

static void note_exit(void)
{
    if (getpid() != test_process)
        atomic_fetch_add(&seen->exited, 1);
}

static void metis_exits(void **state)
{
    (void)state;
    atexit(note_exit);
    is_refused(EXITS);
    assert_int_equal(atomic_load(&seen->exited), 0);
}

static void note_signal(int number)
{
    (void)number;
    atomic_fetch_add(&seen->signalled, 1);
}

/* Those that a terminal sends to all. */
static void signals_are_the_callers(void **state)
{
    (void)state;
    signal(SIGINT, note_signal);
    signal(SIGTERM, note_signal);
    is_the_right_order(IS_SIGNALLED);
    assert_int_equal(atomic_load(&seen->signalled), 0);
}

static void metis_is_not_heard(void **state)
{
    struct stat status;
    int own[2] = {dup(1), dup(2)}, file = memfd_create("streams", 0);
    (void)state;
    fflush(stdout);
    dup2(file, 1);
    dup2(file, 2);
    is_refused(TALKS);
    dup2(own[0], 1);
    dup2(own[1], 2);
    assert_int_equal(fstat(file, &status), 0);
    assert_int_equal(status.st_size, 0);
    close(file);
    close(own[0]);
    close(own[1]);
}

/* Orphans come to this process, and each must have been killed. */
static void children_end_with_their_parent(void **state)
{
    static const struct timespec moment = {.tv_nsec = 1000000};
    int status, orphans = 0;
    (void)state;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    pid_t caller = fork();
    if (caller == 0) {
        struct apsp_error error;
        uint32_t *vertex = malloc(MANY * sizeof *vertex);
        order_grid(vertex, SLEEPS, &error);
        _exit(EXIT_SUCCESS);
    }
    assert_true(caller > 0);
    while (atomic_load(&seen->asleep) < WORKERS && waitpid(caller, &status, WNOHANG) == 0)
        nanosleep(&moment, NULL);
    kill(caller, SIGKILL);
    assert_int_equal(waitpid(caller, &status, 0), caller);
    for (; waitpid(-1, &status, 0) > 0; orphans++)
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(orphans, WORKERS);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

static bool note_steps(void *self, const char *step, size_t done, size_t steps)
{
    size_t *most = self;
    (void)step;
    assert_true(done >= *most && done <= steps);
    *most = done;
    return true;
}

static void progress_is_told(void **state)
{
    struct apsp_error error;
    struct pattern grid = make_grid(SIDE);
    size_t most = 0;
    struct progress progress = {.tell = note_steps, .self = &most};
    uint32_t *vertex = malloc(MANY * sizeof *vertex);
    (void)state;
    fault = NAPS;
    assert_int_equal(order_with(vertex, &grid, 1, &progress, &error), APSP_OK);
    fault = WORKS;
    assert_true(most > MANY / 4 && most < MANY);
    free(vertex);
    free_grid(&grid);
}

static void more_edges_than_metis_can_number(void **state)
{
    size_t start[] = {0, (size_t)IDX_MAX + 1};
    uint32_t vertex;
    struct pattern pattern = {.n = 1, .start = start};
    struct apsp_error error;
    struct progress progress = {0};
    (void)state;
    assert_int_equal(order_with(&vertex, &pattern, 1, &progress, &error), APSP_MEMORY);
    assert_non_null(strstr(error.text, "METIS has numbers for"));
}

/* No less than the lists and their copies; too much stays too much. Whether it is enough:
 * bench/memory.sh. */
static void memory_is_counted(void **state)
{
    (void)state;
    assert_true(order_need(1000, 4000, 1) > 2 * 5000 * sizeof(uint32_t));
    assert_true(order_need(1000, 4000, 9) - order_need(1000, 4000, 1) == 8 << 20);
    assert_true(order_need(SIZE_MAX / 2, SIZE_MAX - 5, 1) == SIZE_MAX);
    assert_true(order_need(SIZE_MAX / 40, 1, 1) == SIZE_MAX);
}

/* Later neighbours of all vertices, each of which is to be there once. */
static double count_fill(const struct pattern *grid, const uint32_t *vertex)
{
    uint32_t *rank = malloc(3 * grid->n * sizeof *rank);
    const struct etree_order order = {grid, vertex, rank, grid->n};
    struct apsp_error error = {0};
    struct etree etree;
    double fill = 0;
    memset(rank, 0xff, grid->n * sizeof *rank);
    for (uint32_t i = 0; i < grid->n; i++) {
        assert_int_equal(rank[vertex[i]], UINT32_MAX);
        rank[vertex[i]] = i;
    }
    assert_int_equal(etree_make(&etree, &order, rank + grid->n, 1, &error), APSP_OK);
    for (size_t i = 0; i < grid->n; i++)
        fill += etree.count[i];
    etree_free(&etree);
    free(rank);
    return fill;
}

/* A graph that threads make coarse before it is cut. */
static void large_graphs_are_cut_alike(void **state)
{
    enum { LARGE = 460 };
    struct pattern grid = make_grid(LARGE);
    struct progress progress = {0};
    struct apsp_error error;
    uint32_t *vertex = malloc(2 * grid.n * sizeof *vertex);
    (void)state;
    for (int workers = 1; workers <= 5; workers += 2) {
        uint32_t *own = workers == 1 ? vertex : vertex + grid.n;
        assert_int_equal(order_with(own, &grid, workers, &progress, &error), APSP_OK);
        assert_memory_equal(vertex, own, grid.n * sizeof *vertex);
    }
    assert_true(count_fill(&grid, vertex) < 28.5 * (double)grid.n);
    free(vertex);
    free_grid(&grid);
}

static int restore(void **state)
{
    (void)state;
    fault = WORKS;
    no_more = ANY;
    atomic_store(&seen->asleep, 0);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(children_are_ignored, restore),
        cmocka_unit_test_teardown(children_are_reaped_by_the_caller, restore),
        cmocka_unit_test_teardown(a_child_is_killed, restore),
        cmocka_unit_test_teardown(nobody_is_waited_for_in_vain, restore),
        cmocka_unit_test_teardown(a_caller_who_stops_does_not_wait, restore),
        cmocka_unit_test_teardown(there_are_no_more_processes, restore),
        cmocka_unit_test_teardown(metis_exits, restore),
        cmocka_unit_test_teardown(signals_are_the_callers, restore),
        cmocka_unit_test_teardown(metis_is_not_heard, restore),
        cmocka_unit_test_teardown(children_end_with_their_parent, restore),
        cmocka_unit_test_teardown(progress_is_told, restore),
        cmocka_unit_test_teardown(large_graphs_are_cut_alike, restore),
        cmocka_unit_test_teardown(memory_is_counted, restore),
        cmocka_unit_test_teardown(more_edges_than_metis_can_number, restore),
    };
    test_process = getpid();
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (seen == MAP_FAILED)
        return 1;
    return cmocka_run_group_tests_name("dissect", tests, NULL, NULL) != 0;
}
