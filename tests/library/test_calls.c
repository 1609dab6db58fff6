/* Calls of several threads take turns: a library for debugging says so where they do not. */
#include "unit.h"

#include "apsp.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 3, CALLED_AT_ONCE = 42 };

static const int32_t from[] = {0, 1, 2}, to[] = {1, 2, 0};

static void make(struct apsp_graph **graph, struct apsp_solution **solution)
{
    const struct apsp_edges edges = {N, N, {from, APSP_I32}, {to, APSP_I32}, {NULL, APSP_AUTO}};
    struct apsp_options options;
    apsp_options_init(&options);
    options.device = APSP_DEVICE_CPU;
    assert_int_equal(apsp_graph_edges(graph, &edges, NULL), APSP_OK);
    assert_int_equal(apsp_solve(*graph, &options, solution, NULL), APSP_OK);
}

/* Calls on another thread, one after the other. */
static void *ask(void *solution)
{
    struct apsp_distance distance;
    struct apsp_error error;
    if (apsp_find_distance(solution, 0, 2, &distance, &error) || distance.real != 2)
        abort();
    return NULL;
}

static void calls_on_other_threads_take_turns(void **state)
{
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    (void)state;
    make(&graph, &solution);
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, ask, solution), 0);
        pthread_join(thread, NULL);
        ask(solution);
    }
    apsp_solution_free(solution);
    apsp_graph_free(graph);
}

#ifdef APSP_CHECK_CALLS

static void leave(int code, const char *text)
{
    const bool right = code == APSP_USAGE && strstr(text, "while another one is in a call");
    _exit(right ? CALLED_AT_ONCE : EXIT_FAILURE);
}

static void *close_it(void *solution)
{
    apsp_solution_free(solution);
    return NULL;
}

/* Within a call another thread makes one. */
static int start_thread(void *user, const struct apsp_block *block)
{
    void *(*const *call)(void *) = user;
    pthread_t thread;
    (void)block;
    if (pthread_create(&thread, NULL, call[0], ((void **)user)[1]) == 0)
        pthread_join(thread, NULL);
    return 0;
}

/* How a process ends whose call is met by another one. */
static int meet(void *(*call)(void *))
{
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        apsp_on_fault(leave);
        make(&graph, &solution);
        struct {
            void *(*call)(void *);
            void *solution;
        } meeting = {call, solution};
        apsp_blocks(solution, start_thread, &meeting, 0, NULL);
        _exit(EXIT_SUCCESS);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void calls_at_once_are_a_fault(void **state)
{
    (void)state;
    assert_int_equal(meet(ask), CALLED_AT_ONCE);
    assert_int_equal(meet(close_it), CALLED_AT_ONCE);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef APSP_CHECK_CALLS
        cmocka_unit_test(calls_at_once_are_a_fault), /* before OpenMP has threads */
#endif
        cmocka_unit_test(calls_on_other_threads_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
