/* space.c: how long is waited in all, and who says so. */
#include "unit.h"

#include "base/clock.h"
#include "files/space.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int file, told;

/* How often the text has been said since the file of what is told was opened. */
static int count_of(const char *text)
{
    static char said[4096];
    ssize_t got = pread(told, said, sizeof said - 1, 0);
    int count = 0;
    said[got > 0 ? got : 0] = '\0';
    for (const char *at = said; (at = strstr(at, text)); at++)
        count++;
    return count;
}

static int open_empty(void)
{
    char path[] = "/tmp/apsp-test-space-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    unlink(path);
    return fd;
}

/* Standard error goes to a file. */
static int open_files(void **state)
{
    (void)state;
    file = open_empty();
    told = open_empty();
    fcntl(told, F_SETFL, O_APPEND);
    return dup2(told, STDERR_FILENO) < 0;
}

static int close_files(void **state)
{
    (void)state;
    close(file);
    close(told);
    return 0;
}

/* Waits for so many turns, then finds space. */
static bool stall(struct space *space, int turns)
{
    bool waits = false;
    while (turns-- > 0)
        if (!space_wait(space, ENOSPC, &waits))
            return false;
    space_found(space, &waits);
    return true;
}

static void stalls_add_up(void **state)
{
    struct space space = {.path = "out", .file = file};
    (void)state;
    space_wait_limit(1);
    const double begun = clock_seconds();
    assert_true(stall(&space, 3)); /* 0.6 s */
    assert_false(stall(&space, 4));
    assert_true(clock_seconds() - begun < 1.7);
    assert_false(stall(&space, 1));
    assert_int_equal(count_of("out: No space left on device: waits up to 1 s"), 2);
    assert_int_equal(count_of("there is space again"), 1);
}

static void other_causes_end_it(void **state)
{
    struct space space = {.path = "out", .file = file};
    bool waits = false;
    (void)state;
    space_wait_limit(60);
    assert_true(space_wait(&space, EDQUOT, &waits));
    assert_false(space_wait(&space, EIO, &waits));
    assert_false(waits);
    assert_int_equal(space.waiting, 0);
    space_found(&space, &waits);
    space.never = true;
    assert_false(space_wait(&space, ENOSPC, &waits));
    assert_int_equal(count_of("waits up to"), 1);
    assert_int_equal(count_of("there is space again"), 0);
}

static void *stall_thread(void *space)
{
    stall(space, 3);
    return NULL;
}

static void one_process_speaks(void **state)
{
    struct space space = {.path = "out", .file = file};
    pthread_t thread;
    (void)state;
    space_wait_limit(60);
    for (int i = 0; i < 3; i++)
        if (fork() == 0) {
            usleep(100000);
            stall(&space, 1);
            _exit(0);
        }
    pthread_create(&thread, NULL, stall_thread, &space);
    usleep(50000);
    assert_true(stall(&space, 1));
    pthread_join(thread, NULL);
    while (wait(NULL) > 0)
        ;
    assert_int_equal(count_of("waits up to"), 1);
    assert_int_equal(count_of("there is space again"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stalls_add_up, open_files, close_files),
        cmocka_unit_test_setup_teardown(other_causes_end_it, open_files, close_files),
        cmocka_unit_test_setup_teardown(one_process_speaks, open_files, close_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
