/* ending.c: what is done at the end that comes from outside, and what is left alone. */
#include "unit.h"

#include "base/ending.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t
    *seen; /* shared with children: how often the cleanup and a caller's own handler ran */
enum { CLEANED, HANDLED, PLACES };

static void clean(void)
{
    seen[CLEANED]++;
}

static void handle(int signal)
{
    seen[HANDLED]++;
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, &standard, NULL);
    raise(signal);
}

static void set(int signal, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigaction(signal, &action, NULL);
}

/* In a child with `handler` for the signal, guarded: how it ends. */
static int end_by(int signal, void (*handler)(int))
{
    int status;
    seen[CLEANED] = seen[HANDLED] = 0;
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        set(signal, handler);
        ending_guard(clean);
        raise(signal);
        _exit(7);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static const int fatal[] = {SIGHUP,    SIGINT,  SIGQUIT,   SIGILL,  SIGTRAP, SIGABRT, SIGBUS,
                            SIGFPE,    SIGUSR1, SIGSEGV,   SIGUSR2, SIGPIPE, SIGALRM, SIGTERM,
                            SIGSTKFLT, SIGXCPU, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR,  SIGSYS};

/* Valgrind lets nobody end by it. */
static bool is_lost(int signal)
{
    const char *preloaded = getenv("LD_PRELOAD");
    return signal == SIGSTKFLT && preloaded && strstr(preloaded, "vgpreload");
}

static void fatal_signals_clean(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        if (is_lost(fatal[i]))
            continue;
        int status = end_by(fatal[i], SIG_DFL);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == fatal[i]);
        assert_int_equal(seen[CLEANED], 1);
    }
}

static void ignored_signals_stay_ignored(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        int status = end_by(fatal[i], SIG_IGN);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
        assert_int_equal(seen[CLEANED], 0);
    }
}

/* Open MPI prints where it is at a fault; other handlers are their owner's; the three of a user end
 * the run.
 */
static void handlers_of_others(void **state)
{
    (void)state;
    int status = end_by(SIGSEGV, handle);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    assert_int_equal(seen[CLEANED], 1);
    assert_int_equal(seen[HANDLED], 1);
    status = end_by(SIGUSR1, handle);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1);
    assert_int_equal(seen[CLEANED], 0);
    assert_int_equal(seen[HANDLED], 1);
    status = end_by(SIGTERM, handle);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_int_equal(seen[CLEANED], 1);
    assert_int_equal(seen[HANDLED], 0);
}

static void harmless_signals_stay_so(void **state)
{
    static const int harmless[] = {SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGXFSZ};
    (void)state;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        int status = end_by(harmless[i], SIG_DFL);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
}

/* By exit() alone, in the process itself alone, and not when all is over. */
static void an_exit_cleans(void **state)
{
    (void)state;
    for (int way = 0; way < 3; way++) {
        int status;
        seen[CLEANED] = 0;
        pid_t child = fork();
        if (child == 0) {
            ending_guard(clean);
            if (way == 1 && fork() > 0) {
                wait(NULL);
                _exit(1);
            }
            if (way == 2)
                ending_release();
            exit(1);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
        assert_int_equal(seen[CLEANED], way == 0);
    }
}

static void all_is_given_back(void **state)
{
    (void)state;
    struct sigaction before[32], after;
    for (int i = 1; i < 32; i++)
        sigaction(i, NULL, &before[i]);
    ending_guard(clean);
    ending_release();
    for (int i = 1; i < 32; i++) {
        sigaction(i, NULL, &after);
        assert_true(after.sa_handler == before[i].sa_handler);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fatal_signals_clean), cmocka_unit_test(ignored_signals_stay_ignored),
        cmocka_unit_test(handlers_of_others),  cmocka_unit_test(harmless_signals_stay_so),
        cmocka_unit_test(an_exit_cleans),      cmocka_unit_test(all_is_given_back),
    };
    seen = mmap(NULL, PLACES * sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                0);
    return seen == MAP_FAILED ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
