/* file.c: files without a name. */
#include "unit.h"

#include "base/file.h"
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* A signal between two calls would leave one. */
static void no_name_is_ever_there(void **state)
{
    (void)state;
    char seen[4096];
    struct stat status;
    const int known = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (known < 0)
        skip(); /* this file system has no such files */
    close(known);
    const int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    assert_true(watch >= 0 && inotify_add_watch(watch, folder, IN_CREATE | IN_DELETE) >= 0);
    const int file = file_unnamed(folder);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, "x", 1, 1000), 1);
    assert_int_equal(fstat(file, &status), 0);
    assert_int_equal(status.st_nlink, 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(read(watch, seen, sizeof seen), -1);
    assert_int_equal(errno, EAGAIN);
    close(watch);
    close(file);
}

static void a_folder_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    assert_int_equal(file_unnamed("/nonexistent/folder"), -1);
    assert_int_equal(errno, ENOENT);
}

static void a_closed_file_frees_its_descriptor(void **state)
{
    struct file file;
    struct apsp_error error = {0};
    (void)state;
    assert_int_equal(file_open(&file, "/proc/self/exe", "the test", &error), APSP_OK);
    const int held = file.fd;
    assert_true(held >= 0);
    file_close(&file);
    assert_int_equal(fcntl(held, F_GETFD), -1);
    assert_int_equal(errno, EBADF);
    file_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_name_is_ever_there),
                                       cmocka_unit_test(a_folder_that_is_not_there_is_an_error),
                                       cmocka_unit_test(a_closed_file_frees_its_descriptor)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
