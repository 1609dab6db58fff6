/* staged.c and output_all: what is refused, what is replaced, that a temporary file never stays,
 * and that a complete one is never lost; on a file system that makes files without a name, and on
 * one that does not. */
#include "unit.h"

#include "base/ending.h"
#include "files/staged.h"
#include "rows/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* errno of these calls; zero is the real thing. What happens before one that locks, or opens with
 * that flag; and the folders that have been synced. */
static struct {
    int no_rename, no_link, no_sync, no_lock;
    void (*before_lock)(void);
    void (*before_open)(void);
    int flag;
    int folders;
} fault;

static int fail_with(int cause)
{
    errno = cause;
    return -1;
}

int fsync(int fd)
{
    struct stat status;
    fault.folders += fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
    return fault.no_sync ? fail_with(fault.no_sync) : (int)syscall(SYS_fsync, fd);
}

int openat(int directory, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    if (fault.before_open && flags & fault.flag) {
        void (*before)(void) = fault.before_open;
        fault.before_open = NULL;
        before();
    }
    return (int)syscall(SYS_openat, directory, path, flags, mode);
}

int renameat2(int from_directory, const char *from, int to_directory, const char *to,
              unsigned flags)
{
    return fault.no_rename
               ? fail_with(fault.no_rename)
               : (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
}

int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags)
{
    return fault.no_link ? fail_with(fault.no_link)
                         : (int)syscall(SYS_linkat, from_directory, from, to_directory, to, flags);
}

int flock(int fd, int operation)
{
    void (*before)(void) = fault.before_lock;
    fault.before_lock = NULL;
    if (before)
        before();
    return fault.no_lock ? fail_with(fault.no_lock) : (int)syscall(SYS_flock, fd, operation);
}

static char folder[] = "/tmp/apsp-test-staged-XXXXXX";
static char target[sizeof folder + 10], temporary[sizeof folder + 30], other[sizeof folder + 10],
    kept[sizeof folder + 20], refuted[sizeof folder + 20];

static bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void check_text(const char *path, const char *text)
{
    char found[100] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(found, 1, sizeof found - 1, file);
    found[length] = '\0';
    fclose(file);
    assert_string_equal(found, text);
}

static int write_text(const char *path, const char *text, bool force, struct apsp_error *error)
{
    struct staged staged = {.fd = -1};
    if (staged_check(path, NULL, force, error) == APSP_OK &&
        staged_create(&staged, path, force, error) == APSP_OK &&
        output_all(&staged, text, strlen(text), error) == APSP_OK)
        staged_publish(&staged, STAGED_TARGET, error);
    staged_free(&staged);
    return error->code;
}

static int reset(void **state)
{
    (void)state;
    memset(&fault, 0, sizeof fault);
    unlink(target);
    unlink(temporary);
    unlink(other);
    unlink(kept);
    unlink(refuted);
    return 0;
}

static void check_refused(const char *path, const char *input, bool force, int code)
{
    struct apsp_error error = {0};
    struct staged staged = {0};
    if (staged_check(path, (const char *const[]){input, NULL}, force, &error) == APSP_OK)
        staged_create(&staged, path, force, &error);
    assert_int_equal(error.code, code);
    assert_non_null(strstr(error.text, path));
    assert_null(strchr(error.text, '\n'));
    staged_free(&staged);
    staged_free(&staged); /* freed is empty */
}

static void targets_are_refused(void **state)
{
    (void)state;
    char name[600];
    put_file(other, "graph");
    put_file(target, "old");
    check_refused(other, other, true, APSP_USAGE);
    check_refused(target, other, false, APSP_USAGE);
    check_text(target, "old");
    unlink(target);
    assert_int_equal(symlink(other, target), 0);
    check_refused(target, other, true, APSP_USAGE); /* the input through a link */
    check_refused(target, NULL, false, APSP_USAGE);
    unlink(target);
    assert_int_equal(symlink("nowhere", target), 0); /* a dangling one exists too */
    check_refused(target, NULL, false, APSP_USAGE);
    unlink(target);
    assert_int_equal(link(other, target), 0);
    check_refused(target, other, true, APSP_USAGE);
    check_refused(folder, NULL, true, APSP_IO);
    check_refused("", NULL, false, APSP_IO);
    check_refused("/nonexistent-folder/out", NULL, false, APSP_IO);
    snprintf(name, sizeof name, "%s/none/", folder);
    check_refused(name, NULL, false, APSP_IO);
    snprintf(name, sizeof name, "%s/out", other); /* below a file */
    check_refused(name, NULL, false, APSP_IO);
    snprintf(name, sizeof name, "%s/%0256d", folder, 7);
    check_refused(name, NULL, false, APSP_IO);
    check_text(other, "graph");
}

static bool is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

/* What a link leads to is replaced, or made, and the link stays. */
static void links_stay(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    put_file(other, "old");
    assert_int_equal(symlink(other, target), 0);
    assert_int_equal(write_text(target, "new", true, &error), APSP_OK);
    check_text(other, "new");
    assert_true(is_link(target));
    unlink(target);
    unlink(other);
    assert_int_equal(symlink(strrchr(other, '/') + 1, target),
                     0); /* in the same folder, and dangling */
    assert_int_equal(write_text(target, "newer", true, &error), APSP_OK);
    check_text(other, "newer");
    assert_true(is_link(target));
    unlink(target);
    assert_int_equal(symlink(target, target), 0); /* a circle of links names no file */
    assert_int_equal(write_text(target, "new", true, &error), APSP_IO);
    assert_true(is_link(target));
}

/* A pipe gets all of the text, at once and without --force; and stays. */
static void pipes_are_written_to(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    char text[10] = "";
    int status;
    assert_int_equal(mkfifo(target, 0600), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(write_text(target, "new", false, &error));
    int fd = open(target, O_RDONLY);
    assert_int_equal(read(fd, text, sizeof text), 3);
    assert_int_equal(read(fd, text, sizeof text), 0);
    close(fd);
    assert_string_equal(text, "new");
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    struct stat kind;
    assert_true(lstat(target, &kind) == 0 && S_ISFIFO(kind.st_mode));
    assert_false(exists(temporary));
    assert_int_equal(write_text("/dev/null", "new", false, &error), APSP_OK);
    assert_true(stat("/dev/null", &kind) == 0 && S_ISCHR(kind.st_mode));
    assert_int_equal(write_text("/dev/full", "new", false, &error), APSP_IO);
    assert_non_null(strstr(error.text, strerror(ENOSPC)));
    const char *left = strrchr(error.text, ' ') + 1; /* the complete file */
    check_text(left, "new");
    assert_int_equal(unlink(left), 0);
}

/* Where "-" leads, and a name of it, whatever it is; a reader that has gone is an error, not a
 * signal. */
static void stdout_is_written_to(void **state)
{
    (void)state;
    static const char *const names[] = {"-", "/dev/stdout", "/proc/self/fd/1"};
    for (size_t k = 0; k < 3; k++)
        for (int gone = 0; gone < 2; gone++) {
            struct apsp_error error = {0};
            char text[10] = "";
            int ends[2], status;
            assert_int_equal(pipe(ends), 0);
            if (gone)
                close(ends[0]);
            pid_t child = fork();
            if (child == 0) {
                dup2(ends[1], STDOUT_FILENO);
                assert_true(staged_is_stdout(names[k]));
                _exit(write_text(names[k], "new", false, &error));
            }
            close(ends[1]);
            if (!gone) {
                assert_int_equal(read(ends[0], text, sizeof text), 3);
                close(ends[0]);
            }
            assert_string_equal(text, gone ? "" : "new");
            assert_int_equal(waitpid(child, &status, 0), child);
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) == (gone ? APSP_IO : APSP_OK));
        }
    assert_false(staged_is_stdout(target));
}

/* A stale file goes, a stale link is not followed, and a file that a live run holds is left alone.
 */
static void stale_files_are_replaced(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    put_file(temporary, "left by a killed run, and longer than what will be written");
    assert_int_equal(write_text(target, "new", false, &error), APSP_OK);
    check_text(target, "new");
    unlink(target);
    put_file(other, "precious");
    assert_int_equal(symlink(other, temporary), 0);
    assert_int_equal(write_text(target, "new", false, &error), APSP_OK);
    check_text(target, "new");
    check_text(other, "precious");
    unlink(target);
    put_file(temporary, "live");
    int fd = open(temporary, O_RDWR | O_CLOEXEC);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    check_refused(target, NULL, false, APSP_IO);
    check_text(temporary, "live");
    close(fd);
    unlink(temporary);
    assert_int_equal(mkdir(temporary, 0700), 0);
    check_refused(target, NULL, false, APSP_IO);
    assert_int_equal(rmdir(temporary), 0);
}

/* With every way of renaming, where the system lacks the better ones. */
static void a_target_that_appears_meanwhile_stays(void **state)
{
    static const struct {
        int no_rename, no_link;
    } systems[] = {{0, 0}, {EINVAL, 0}, {ENOSYS, EPERM}};
    for (size_t k = 0; k < sizeof systems / sizeof *systems; k++) {
        for (int appears = 0; appears < 2; appears++) {
            struct apsp_error error = {0};
            struct staged staged = {0};
            reset(state);
            assert_int_equal(staged_create(&staged, target, false, &error), APSP_OK);
            assert_int_equal(write(staged.fd, "new", 3), 3);
            if (appears)
                put_file(target, "mine");
            fault.no_rename = systems[k].no_rename;
            fault.no_link = systems[k].no_link;
            assert_int_equal(staged_publish(&staged, STAGED_TARGET, &error),
                             appears ? APSP_USAGE : APSP_OK);
            assert_string_equal(staged.place, appears ? kept : target);
            if (appears)
                assert_non_null(strstr(error.text, kept));
            staged_free(&staged);
            assert_false(exists(temporary));
            check_text(target, appears ? "mine" : "new");
            check_text(appears ? kept : target, "new");
        }
    }
}

static void renaming_may_fail(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    fault.no_rename = EIO;
    assert_int_equal(write_text(target, "new", false, &error), APSP_IO);
    assert_non_null(strstr(error.text, temporary)); /* where it has to stay */
    check_text(temporary, "new");
    assert_false(exists(target));
}

/* Whoever joins may write, but does not remove. */
static void others_join(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    struct staged staged = {0}, joined = {0};
    assert_int_equal(staged_join(&joined, target, temporary, false, &error), APSP_IO);
    staged_free(&joined);
    error = (struct apsp_error){0};
    assert_int_equal(staged_create(&staged, target, false, &error), APSP_OK);
    assert_int_equal(staged_join(&joined, target, temporary, false, &error), APSP_OK);
    assert_int_equal(write(joined.fd, "both", 4), 4);
    staged_free(&joined);
    assert_true(exists(temporary));
    assert_int_equal(staged_publish(&staged, STAGED_TARGET, &error), APSP_OK);
    staged_free(&staged);
    check_text(target, "both");
}

/* Whoever has taken the temporary file for stale and made a new one keeps that, and does not have
 * it renamed.
 */
static void a_later_run_keeps_its_file(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    struct staged staged = {0}, joined = {0};
    assert_int_equal(staged_create(&staged, target, false, &error), APSP_OK);
    assert_int_equal(staged_join(&joined, target, temporary, false, &error), APSP_OK);
    assert_int_equal(unlink(temporary), 0);
    put_file(temporary, "theirs");
    assert_int_equal(staged_publish(&staged, STAGED_TARGET, &error), APSP_IO);
    assert_non_null(strstr(error.text, temporary));
    staged_abandon(); /* what a signal does */
    staged_free(&joined);
    staged_free(&staged);
    assert_false(exists(target));
    check_text(temporary, "theirs");
}

/* With the text in it. */
static void create(struct staged *staged, const char *path, bool force)
{
    struct apsp_error error = {0};
    assert_int_equal(staged_create(staged, path, force, &error), APSP_OK);
    assert_int_equal(write(staged->fd, "new", 3), 3);
}

/* Where no lock tells whether a run is alive both have files of their own, and neither result is
 * lost. */
static void without_locks_nothing_is_removed(void **state)
{
    const int causes[] = {ENOSYS, EOPNOTSUPP, ENOLCK};
    for (size_t k = 0; k < sizeof causes / sizeof *causes; k++) {
        struct apsp_error error = {0};
        struct staged first = {0}, second = {0};
        reset(state);
        fault.no_lock = causes[k];
        create(&first, target, false);
        create(&second, target, false);
        assert_string_not_equal(first.temporary, second.temporary);
        assert_int_equal(staged_publish(&first, STAGED_TARGET, &error), APSP_OK);
        assert_int_equal(staged_publish(&second, STAGED_TARGET, &error), APSP_USAGE);
        staged_free(&first);
        staged_free(&second);
        check_text(target, "new");
        check_text(kept, "new");
    }
}

static void remove_temporary(void)
{
    unlink(temporary);
}

/* Another run that starts at the same time has looked before this one could lock its file. */
static void a_file_that_goes_before_its_lock_is_made_again(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    struct staged staged = {0};
    fault.before_lock = remove_temporary;
    create(&staged, target, false);
    assert_int_equal(staged_publish(&staged, STAGED_TARGET, &error), APSP_OK);
    staged_free(&staged);
    check_text(target, "new");
}

static void put_link(void)
{
    unlink(temporary);
    assert_int_equal(symlink(other, temporary), 0);
}

/* Somebody puts a link where the file is about to be made: what it leads to is neither made nor
 * locked. */
static void links_are_not_followed(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    struct staged staged = {0};
    fault.before_open = put_link;
    fault.flag = O_CREAT;
    create(&staged, target, false);
    assert_null(fault.before_open);
    assert_false(exists(other));
    assert_int_equal(staged_publish(&staged, STAGED_TARGET, &error), APSP_OK);
    staged_free(&staged);
    check_text(target, "new");
    reset(state);
    put_file(other, "precious");
    put_file(temporary, "stale");
    int fd = open(other, O_RDWR | O_CLOEXEC);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    fault.before_open = put_link; /* when it has been seen that it is a file */
    fault.flag = O_NONBLOCK;
    create(&staged, target, false);
    assert_int_equal(staged_publish(&staged, STAGED_TARGET, &error), APSP_OK);
    staged_free(&staged);
    close(fd);
    check_text(target, "new");
    check_text(other, "precious");
}

/* Nor do ranks join one, or read one back, even where it leads to the file itself. */
static void links_are_not_joined(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    struct staged staged = {0}, joined = {0};
    struct file file;
    create(&staged, target, false);
    assert_int_equal(staged_reopen(&staged, &file, &error), APSP_OK);
    file_close(&file);
    assert_int_equal(rename(temporary, other), 0);
    assert_int_equal(symlink(other, temporary), 0);
    assert_int_equal(staged_join(&joined, target, temporary, false, &error), APSP_IO);
    staged_free(&joined);
    error = (struct apsp_error){0};
    assert_int_equal(staged_reopen(&staged, &file, &error), APSP_IO);
    file_close(&file);
    staged_free(&staged);
    check_text(other, "new");
}

/* The folder goes on to be the one that it was, whatever its name. */
static void a_folder_may_be_renamed(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    struct staged staged = {0};
    char before[sizeof folder + 10], after[sizeof folder + 10], path[sizeof folder + 20];
    snprintf(before, sizeof before, "%s/before", folder);
    snprintf(after, sizeof after, "%s/after", folder);
    snprintf(path, sizeof path, "%s/out", before);
    assert_int_equal(mkdir(before, 0700), 0);
    create(&staged, path, false);
    assert_int_equal(rename(before, after), 0);
    assert_int_equal(staged_publish(&staged, STAGED_TARGET, &error), APSP_IO);
    snprintf(path, sizeof path, "%s/out", after);
    assert_string_equal(staged.place, path);
    assert_non_null(strstr(error.text, path));
    staged_free(&staged);
    check_text(path, "new");
    unlink(path);
    assert_int_equal(rmdir(after), 0);
}

/* What replaces a file is for whom that was for, from the start. */
static void modes_stay(void **state)
{
    static const mode_t modes[] = {0600, 0640, 0644, 0444};
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        struct apsp_error error = {0};
        struct staged staged = {0};
        struct stat status;
        reset(state);
        put_file(target, "old");
        assert_int_equal(chmod(target, modes[k]), 0);
        create(&staged, target, true);
        assert_int_equal(fstat(staged.fd, &status), 0);
        assert_int_equal(status.st_mode & 0077 & ~modes[k], 0);
        assert_int_equal(staged_publish(&staged, STAGED_TARGET, &error), APSP_OK);
        staged_free(&staged);
        assert_int_equal(stat(target, &status), 0);
        assert_int_equal(status.st_mode & 07777, modes[k]);
    }
}

/* As long as the system's names may be: the temporary one and those aside are shorter than they
 * would be. */
static void long_names_are_taken(void **state)
{
    (void)state;
    for (int length = 244; length <= 255; length++) {
        struct apsp_error error = {0};
        struct staged staged = {0};
        char path[sizeof folder + 300], base[300];
        snprintf(base, sizeof base, "%0*d", length, 7);
        snprintf(path, sizeof path, "%s/%s", folder, base);
        create(&staged, path, false);
        check_refused(path, NULL, false, APSP_IO); /* this one holds it */
        assert_int_equal(staged_publish(&staged, STAGED_TARGET, &error), APSP_OK);
        staged_free(&staged);
        check_text(path, "new");
        create(&staged, path, false);
        assert_int_equal(staged_publish(&staged, STAGED_KEPT, &error), APSP_OK);
        assert_string_equal(strrchr(staged.place, '.'), ".kept");
        check_text(staged.place, "new");
        unlink(staged.place);
        staged_free(&staged);
        unlink(path);
    }
}

/* However many there are aside, and no later run takes one for what a killed one has left. */
static void none_of_many_is_lost(void **state)
{
    enum { MANY = 12 };
    struct staged staged[MANY] = {0};
    (void)state;
    for (int i = 0; i < MANY; i++) {
        struct apsp_error error = {0};
        create(&staged[i], target, false);
        assert_int_equal(staged_publish(&staged[i], STAGED_KEPT, &error), APSP_OK);
        assert_string_not_equal(staged[i].place, temporary);
    }
    for (int i = 0; i < MANY; i++) {
        check_text(staged[i].place, "new");
        unlink(staged[i].place);
        staged_free(&staged[i]);
    }
}

/* Two long names that begin alike have files of their own. */
static void long_names_differ(void **state)
{
    (void)state;
    struct staged a = {0}, b = {0};
    char path[sizeof folder + 300];
    snprintf(path, sizeof path, "%s/%0250d", folder, 1);
    create(&a, path, false);
    snprintf(path, sizeof path, "%s/%0250d", folder, 2);
    create(&b, path, false);
    assert_string_not_equal(a.temporary, b.temporary);
    staged_free(&a);
    staged_free(&b);
}

/* The temporary file of an output may be the input under another name. */
static void the_input_is_no_temporary_file(void **state)
{
    (void)state;
    put_file(temporary, "graph");
    check_refused(target, temporary, false, APSP_USAGE);
    check_refused(target, temporary, true, APSP_USAGE);
    assert_int_equal(symlink(temporary, other), 0);
    check_refused(target, other, false, APSP_USAGE);
    check_text(temporary, "graph");
}

/* Names aside that are taken are left alone too. */
static void complete_files_get_names_aside(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    struct staged staged = {0};
    char second[sizeof kept + 2];
    snprintf(second, sizeof second, "%s.2", kept);
    create(&staged, target, true);
    assert_int_equal(staged_publish(&staged, STAGED_REFUTED, &error), APSP_OK);
    assert_string_equal(staged.place, refuted);
    staged_free(&staged);
    check_text(refuted, "new");
    put_file(kept, "mine");
    create(&staged, target, true);
    assert_int_equal(staged_publish(&staged, STAGED_KEPT, &error), APSP_OK);
    assert_string_equal(staged.place, second);
    staged_free(&staged);
    check_text(second, "new");
    check_text(kept, "mine");
    unlink(second);
    assert_false(exists(target));
}

/* A folder has come in between. */
static void some_have_their_own_name_or_none(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    struct staged staged = {0};
    create(&staged, target, true);
    assert_int_equal(staged_publish(&staged, STAGED_ALONE, &error), APSP_OK);
    staged_free(&staged);
    check_text(target, "new");
    create(&staged, target, true);
    unlink(target);
    assert_int_equal(mkdir(target, 0700), 0);
    assert_int_equal(staged_publish(&staged, STAGED_ALONE, &error), APSP_IO);
    assert_non_null(strstr(error.text, strerror(EISDIR)));
    staged_free(&staged);
    assert_false(exists(temporary) || exists(kept));
    assert_int_equal(rmdir(target), 0);
}

/* By whatever comes between the last byte and the name. */
static void complete_files_are_not_removed(void **state)
{
    struct apsp_error error = {0};
    for (int how = 0; how < 3; how++) {
        struct staged staged = {0}, joined = {0};
        int status = 0;
        reset(state);
        pid_t child = how == 2 ? fork() : 0;
        if (child == 0) {
            create(&staged, target, false);
            assert_int_equal(staged_join(&joined, target, temporary, false, &error), APSP_OK);
            staged_complete(how == 0 ? &staged : &joined); /* the same file */
            if (how == 1)
                staged_abandon();
            if (how == 2)
                raise(SIGTERM);
            staged_free(&joined);
            staged_free(&staged);
        } else {
            assert_int_equal(waitpid(child, &status, 0), child);
            assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
        }
        assert_false(exists(temporary));
        assert_false(exists(target));
        check_text(kept, "new");
    }
}

static void abandoned_files_go(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    struct staged staged = {0}, joined = {0};
    for (int joins = 0; joins < 2; joins++) {
        assert_int_equal(staged_create(&staged, target, false, &error), APSP_OK);
        if (joins)
            assert_int_equal(staged_join(&joined, target, temporary, false, &error), APSP_OK);
        staged_abandon();
        assert_false(exists(temporary));
        staged_free(&joined);
        staged_free(&staged);
    }
}

/* A file that checkpoints in that folder may name, its name in hidden[]. */
static void begin_for(struct staged *staged, char hidden[PATH_MAX])
{
    struct apsp_error error = {0};
    assert_int_equal(staged_create_for(staged, target, folder, false, &error), APSP_OK);
    assert_int_equal(output_all(staged, "new", 3, &error), APSP_OK);
    snprintf(hidden, PATH_MAX, "%s/%s", folder, staged_name(staged));
    assert_string_not_equal(hidden, temporary);
    assert_true(exists(hidden));
}

/* Nobody takes a file away that a checkpoint names, nor one of another run; and the next run goes
 * on, also when it has its target's name already. */
static void kept_files_stay(void **state)
{
    struct apsp_error error = {0};
    struct staged staged = {0}, joined = {0}, again = {0};
    char hidden[PATH_MAX], names[100];
    (void)state;
    for (int complete = 0; complete < 2; complete++) {
        begin_for(&staged, hidden);
        assert_int_equal(staged_join(&joined, target, hidden, false, &error), APSP_OK);
        assert_true(staged_names(names, sizeof names) > 0);
        staged_retain(&staged, true);
        if (complete)
            staged_complete(&staged);
        assert_int_equal(staged_names(names, sizeof names), 0);
        staged_abandon();
        staged_free(&joined);
        assert_int_equal(staged_resume(&again, target, staged_name(&staged), false, &error),
                         APSP_IO);
        assert_non_null(strstr(error.text, "another run is writing it"));
        staged_free(&again);
        error = (struct apsp_error){0};
        staged_free(&staged);
        check_text(hidden, "new");
        assert_int_equal(write_text(target, "other", false, &error), APSP_OK);
        unlink(target);
        check_text(hidden, "new");
        const char *name = strrchr(hidden, '/') + 1;
        assert_int_equal(staged_resume(&staged, target, name, false, &error), APSP_OK);
        staged_abandon();
        check_text(hidden, "new");
        assert_int_equal(staged_join(&joined, target, hidden, true, &error), APSP_OK);
        staged_abandon();
        staged_free(&joined);
        assert_int_equal(staged_publish(&staged, STAGED_TARGET, &error), APSP_OK);
        staged_abandon();
        staged_free(&staged);
        check_text(target, "new");
        check_text(hidden, "new");
        assert_int_equal(staged_resume(&staged, target, name, true, &error), APSP_OK);
        assert_int_equal(staged_publish(&staged, STAGED_TARGET, &error), APSP_OK);
        staged_retain(&staged, false);
        staged_free(&staged);
        check_text(target, "new");
        assert_false(exists(hidden));
        unlink(target);
    }
    assert_false(exists(kept));
}

/* What no checkpoint has come to name goes, at once or with the folder's next run. */
static void what_is_not_kept_goes(void **state)
{
    struct staged staged = {0};
    char hidden[PATH_MAX], name[PATH_MAX];
    (void)state;
    begin_for(&staged, hidden);
    staged_retain(&staged, true);
    staged_retain(&staged, false);
    staged_free(&staged);
    assert_false(exists(hidden));
    put_file(hidden, "of a run that was killed");
    begin_for(&staged, name);
    assert_string_equal(name, hidden);
    check_text(hidden, "new");
    staged_free(&staged);
    assert_false(exists(hidden));
}

static void only_own_files_are_gone_on_with(void **state)
{
    static const char *const names[] = {"out", ".out", "../.out.apsp-tmp", ".apsp-tmp", ""};
    struct apsp_error error = {0};
    struct staged staged = {0};
    (void)state;
    put_file(target, "mine");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        assert_int_equal(staged_resume(&staged, target, names[k], true, &error), APSP_IO);
        assert_non_null(strstr(error.text, "names no file beside it"));
        error = (struct apsp_error){0};
        staged_free(&staged);
    }
    assert_int_equal(staged_resume(&staged, target, ".out.apsp-tmp", true, &error), APSP_IO);
    assert_non_null(strstr(error.text, strerror(ENOENT)));
    error = (struct apsp_error){0};
    staged_free(&staged);
    assert_int_equal(symlink(target, temporary), 0);
    assert_int_equal(staged_resume(&staged, target, ".out.apsp-tmp", true, &error), APSP_IO);
    error = (struct apsp_error){0};
    staged_free(&staged);
    unlink(temporary);
    assert_int_equal(mkfifo(temporary, 0600), 0);
    assert_int_equal(staged_resume(&staged, target, ".out.apsp-tmp", true, &error), APSP_IO);
    assert_non_null(strstr(error.text, "is not a regular file"));
    staged_free(&staged);
    check_text(target, "mine");
    assert_true(exists(temporary));
}

/* A signal removes the temporary file and has its own effect. */
static void signals_remove_the_file(void **state)
{
    (void)state;
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t k = 0; k < 6; k++) {
        int status, signal = signals[k % 3];
        pid_t child = fork();
        if (child == 0) {
            struct staged staged = {0};
            struct apsp_error error = {0};
            for (size_t s = 0; s < 3; s++) {
                struct sigaction action = {.sa_handler = k < 3 ? SIG_DFL : SIG_IGN};
                sigaction(signals[s], &action, NULL);
            }
            if (staged_create(&staged, target, false, &error) || !exists(temporary))
                _exit(100);
            raise(signal);
            _exit(exists(temporary) ? 7 : 101); /* only where the signal was ignored before */
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        if (k < 3) {
            assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signal);
            assert_false(exists(temporary));
        } else {
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
        }
        unlink(temporary);
    }
}

static void handlers_are_restored(void **state)
{
    (void)state;
    const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGXFSZ};
    struct sigaction before[4], after;
    struct apsp_error error = {0};
    for (int s = 0; s < 4; s++)
        sigaction(signals[s], NULL, &before[s]);
    assert_int_equal(write_text(target, "new", false, &error), APSP_OK);
    for (int s = 0; s < 4; s++) {
        sigaction(signals[s], NULL, &after);
        assert_true(before[s].sa_handler == after.sa_handler);
    }
}

static void texts_appear_whole(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    assert_int_equal(write_text(target, "{}\n", false, &error), APSP_OK);
    assert_int_equal(fault.folders, 1); /* the name is durable too */
    check_text(target, "{}\n");
    assert_int_equal(write_text(target, "new\n", false, &error), APSP_USAGE);
    check_text(target, "{}\n");
    error = (struct apsp_error){0};
    assert_int_equal(write_text(target, "new\n", true, &error), APSP_OK);
    check_text(target, "new\n");
    fault.no_sync = EIO;
    assert_int_equal(write_text(target, "newer\n", true, &error), APSP_IO);
    check_text(target, "new\n");
    assert_false(exists(temporary));
    fault.no_sync = 0;
    error = (struct apsp_error){0};
    assert_int_equal(write_text("/nonexistent-folder/r.json", "x", true, &error), APSP_IO);
}

static int start(void **state)
{
    (void)state;
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    snprintf(target, sizeof target, "%s/out", folder);
    snprintf(temporary, sizeof temporary, "%s/.out.apsp-tmp", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    snprintf(kept, sizeof kept, "%s/out.kept", folder);
    snprintf(refuted, sizeof refuted, "%s/out.refuted", folder);
    return 0;
}

static int stop(void **state)
{
    reset(state);
    return rmdir(folder); /* fails if anything has stayed */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(targets_are_refused, reset),
        cmocka_unit_test_setup(links_stay, reset),
        cmocka_unit_test_setup(pipes_are_written_to, reset),
        cmocka_unit_test_setup(stdout_is_written_to, reset),
        cmocka_unit_test_setup(stale_files_are_replaced, reset),
        cmocka_unit_test_setup(a_target_that_appears_meanwhile_stays, reset),
        cmocka_unit_test_setup(renaming_may_fail, reset),
        cmocka_unit_test_setup(others_join, reset),
        cmocka_unit_test_setup(a_later_run_keeps_its_file, reset),
        cmocka_unit_test_setup(without_locks_nothing_is_removed, reset),
        cmocka_unit_test_setup(a_file_that_goes_before_its_lock_is_made_again, reset),
        cmocka_unit_test_setup(links_are_not_followed, reset),
        cmocka_unit_test_setup(links_are_not_joined, reset),
        cmocka_unit_test_setup(a_folder_may_be_renamed, reset),
        cmocka_unit_test_setup(modes_stay, reset),
        cmocka_unit_test_setup(long_names_are_taken, reset),
        cmocka_unit_test_setup(none_of_many_is_lost, reset),
        cmocka_unit_test_setup(long_names_differ, reset),
        cmocka_unit_test_setup(the_input_is_no_temporary_file, reset),
        cmocka_unit_test_setup(complete_files_get_names_aside, reset),
        cmocka_unit_test_setup(some_have_their_own_name_or_none, reset),
        cmocka_unit_test_setup(complete_files_are_not_removed, reset),
        cmocka_unit_test_setup(abandoned_files_go, reset),
        cmocka_unit_test_setup(kept_files_stay, reset),
        cmocka_unit_test_setup(what_is_not_kept_goes, reset),
        cmocka_unit_test_setup(only_own_files_are_gone_on_with, reset),
        cmocka_unit_test_setup(signals_remove_the_file, reset),
        cmocka_unit_test_setup(handlers_are_restored, reset),
        cmocka_unit_test_setup(texts_appear_whole, reset),
    };
    return cmocka_run_group_tests_name("staged", tests, start, stop) != 0;
}
