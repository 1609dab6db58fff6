/*
 * output.c: the bytes that arrive, and that nothing stays of a failure. System calls that are hard to make
 * fail are replaced below: short and interrupted writes and errors come from there.
 */
#include "unit.h"

#include "job/job.h"
#include "rows/output.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* What the replaced calls do; all zero is the real thing. */
static struct {
    size_t most;      /* bytes that one pwritev takes */
    size_t calls;     /* of pwritev, every third one is interrupted if most is set */
    size_t room;      /* if set, pwritev fails with `cause` at and beyond this offset */
    int cause;        /* errno of pwritev, or of fsync if room is 0 */
    int no_fallocate; /* errno of fallocate */
    unsigned slow;    /* microseconds that fallocate takes, to do nothing or fail */
    int portions;     /* calls of fallocate that were slow */
    sigset_t blocked; /* in the thread of the last one */
} fault;

ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t offset)
{
    size_t limit = fault.most ? fault.most : SIZE_MAX, done = 0;
    size_t call = __atomic_fetch_add(&fault.calls, 1, __ATOMIC_RELAXED);
    if (fault.most && call % 3 == 2) {
        errno = EINTR;
        return -1;
    }
    if (fault.room && (size_t)offset >= fault.room) {
        errno = fault.cause;
        return -1;
    }
    for (int i = 0; i < count && limit > 0; i++) {
        size_t length = pieces[i].iov_len < limit ? pieces[i].iov_len : limit;
        ssize_t put = pwrite(fd, pieces[i].iov_base, length, offset + (off_t)done);
        if (put < 0)
            return done ? (ssize_t)done : -1;
        done += (size_t)put;
        limit -= (size_t)put;
        if ((size_t)put < pieces[i].iov_len)
            break;
    }
    return (ssize_t)done;
}

static int fail_with(int cause)
{
    errno = cause;
    return -1;
}

int fsync(int fd)
{
    return fault.cause && !fault.room ? fail_with(fault.cause) : (int)syscall(SYS_fsync, fd);
}

int fallocate(int fd, int mode, off_t offset, off_t length)
{
    if (fault.slow) {
        pthread_sigmask(SIG_SETMASK, NULL, &fault.blocked);
        fault.portions++;
        usleep(fault.slow);
        return fault.no_fallocate ? fail_with(fault.no_fallocate) : 0;
    }
    return fault.no_fallocate ? fail_with(fault.no_fallocate)
                              : (int)syscall(SYS_fallocate, fd, mode, offset, length);
}

static struct comm *comm;
static char folder[] = "/tmp/apsp-test-output-XXXXXX";
static char target[sizeof folder + 10], temporary[sizeof folder + 30];

/* A strip in memory whose entry (i, j) is mixed from both; rows `gap` elements longer than they need to be.
 */
static int32_t *strip;
static size_t gap;
static size_t host_blocks, host_blocks_most;

static int32_t value_at(size_t n, size_t i, size_t j)
{
    return (int32_t)((i * n + j) * 2654435761U >> 2);
}

static const void *fetch_pointer(struct backend *backend, int lane, struct range rows, void *buffer,
                                 size_t *stride)
{
    assert_in_range(lane, 0, BACKEND_LANES - 1);
    assert_null(buffer);
    *stride = backend->plan.n + gap;
    return strip + (rows.lo - backend->plan.rows.lo) * *stride;
}

static const void *fetch_copy(struct backend *backend, int lane, struct range rows, void *buffer,
                              size_t *stride)
{
    size_t n = backend->plan.n;
    if (lane < 0 || lane >= BACKEND_LANES || !buffer || rows.lo >= rows.hi || rows.hi > backend->plan.rows.hi)
        abort();
    for (size_t i = rows.lo; i < rows.hi; i++)
        memcpy((int32_t *)buffer + (i - rows.lo) * n, strip + i * (n + gap), n * sizeof(int32_t));
    *stride = n;
    return buffer;
}

static void *host_alloc(size_t bytes)
{
    size_t block = __atomic_add_fetch(&host_blocks, 1, __ATOMIC_RELAXED);
    return block <= host_blocks_most ? malloc(bytes) : NULL;
}

static void host_free(void *memory)
{
    free(memory);
}

static bool copies_nothing(const struct backend_plan *plan)
{
    (void)plan;
    return false;
}

static bool copies_all(const struct backend_plan *plan)
{
    (void)plan;
    return true;
}

static const struct backend_ops pointer_ops = {
    .name = "pointer", .fetch = fetch_pointer, .fetch_copies = copies_nothing};
static const struct backend_ops copy_ops = {.name = "copy",
                                            .fetch = fetch_copy,
                                            .fetch_copies = copies_all,
                                            .host_alloc = host_alloc,
                                            .host_free = host_free};

static bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

static int reset(void **state)
{
    (void)state;
    memset(&fault, 0, sizeof fault);
    gap = 0;
    host_blocks = 0;
    host_blocks_most = SIZE_MAX;
    unlink(target);
    unlink(temporary);
    return 0;
}

/* Open, write, commit. */
static int write_all(const struct backend_ops *ops, size_t n, bool force, struct apsp_error *error)
{
    struct backend backend = {.ops = ops, .plan = {.n = n, .rows = {0, n}, .dtype = DTYPE_I32}};
    struct output *output;
    strip = malloc(n * (n + gap) * sizeof *strip);
    assert_non_null(strip);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n + gap; j++)
            strip[i * (n + gap) + j] = j < n ? value_at(n, i, j) : -1;
    if (output_open(&output, comm, target, NULL, n, DTYPE_I32, force, error) == APSP_OK) {
        assert_true(exists(temporary));
        const struct output_rows rows = output_backend_rows(&backend);
        output_write(output, &rows, error);
        output_commit(output, error);
    }
    output_free(output);
    free(strip);
    assert_false(exists(temporary));
    return error->code;
}

static void check_content(size_t n)
{
    struct stat status;
    size_t wrong = 0;
    int32_t *row = malloc(n * sizeof *row);
    FILE *file = fopen(target, "r");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &status), 0);
    assert_int_equal(status.st_size, n * n * sizeof *row);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(fread(row, sizeof *row, n, file), n);
        for (size_t j = 0; j < n; j++)
            wrong += row[j] != value_at(n, i, j);
    }
    assert_int_equal(wrong, 0);
    fclose(file);
    free(row);
}

static void writes_every_size_and_stride(void **state)
{
    const size_t sizes[] = {1, 2, 3, 17, 1023, 1024, 1500, 2600};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (int kind = 0; kind < 4; kind++) {
            struct apsp_error error = {0};
            reset(state);
            gap = kind % 2 ? 5 : 0;
            write_all(kind < 2 ? &pointer_ops : &copy_ops, sizes[k], false, &error);
            assert_string_equal(error.text, "");
            check_content(sizes[k]);
        }
    }
}

static void short_and_interrupted_writes_go_on(void **state)
{
    const size_t most[] = {1, 4, 4099, 100000};
    for (size_t k = 0; k < sizeof most / sizeof *most; k++) {
        for (int kind = 0; kind < 4; kind++) {
            struct apsp_error error = {0};
            size_t n = k == 0 ? 33 : 1200;
            reset(state);
            gap = kind % 2 ? 3 : 0;
            fault.most = most[k];
            if (k == 1)
                n = 150;
            write_all(kind < 2 ? &pointer_ops : &copy_ops, n, false, &error);
            assert_string_equal(error.text, "");
            check_content(n);
        }
    }
}

/* The write fails with that message; nothing stays. */
static void check_failure(const struct backend_ops *ops, size_t n, int code, const char *words)
{
    struct apsp_error error = {0};
    assert_int_equal(write_all(ops, n, false, &error), code);
    assert_non_null(strstr(error.text, words));
    assert_non_null(strstr(error.text, target));
    assert_null(strchr(error.text, '\n'));
    assert_false(exists(target));
}

static void failing_writes_leave_nothing(void **state)
{
    const int causes[] = {ENOSPC, EIO, EFBIG, EDQUOT};
    for (size_t k = 0; k < sizeof causes / sizeof *causes; k++) {
        for (int copies = 0; copies < 2; copies++) {
            reset(state);
            fault.room = 100000;
            fault.most = 50000;
            fault.cause = causes[k];
            check_failure(copies ? &copy_ops : &pointer_ops, 300, APSP_IO, strerror(causes[k]));
        }
    }
    reset(state);
    fault.cause = EIO; /* of fsync */
    check_failure(&pointer_ops, 10, APSP_IO, strerror(EIO));
}

static void short_memory_is_an_error(void **state)
{
    (void)state;
    host_blocks_most = 0;
    check_failure(&copy_ops, 100, APSP_MEMORY, "no memory");
    host_blocks = 0;
    host_blocks_most = 1; /* some lanes have one, others do not */
    check_failure(&copy_ops, 100, APSP_MEMORY, "no memory");
}

static void space_is_taken_before_the_work(void **state)
{
    struct apsp_error error = {0};
    struct output *output;
    assert_int_equal(output_open(&output, comm, target, NULL, 1000000000, DTYPE_I32, false, &error), APSP_IO);
    assert_null(output);
    assert_non_null(strstr(error.text, "4000000000000000000 bytes"));
    assert_false(exists(temporary));
    error = (struct apsp_error){0};
    assert_int_equal(output_open(&output, comm, target, NULL, INT32_MAX, DTYPE_I32, false, &error), APSP_IO);
    assert_false(exists(temporary));
    fault.no_fallocate = EOPNOTSUPP;
    error = (struct apsp_error){0};
    assert_int_equal(write_all(&pointer_ops, 20, false, &error), APSP_OK);
    check_content(20);
    reset(state);
    fault.no_fallocate = ENOSPC;
    fault.slow = 100000; /* writing waits */
    check_failure(&pointer_ops, 20, APSP_IO, "needs 1600 bytes");
}

/* Opening does not wait, and neither does a run that leaves; the signals are for others. */
static void space_is_taken_in_the_background(void **state)
{
    enum { N = 8000, PORTIONS = 4 }; /* of 64 MiB */
    (void)state;
    const int others[] = {SIGINT, SIGTERM, SIGHUP, SIGXFSZ, SIGCHLD, SIGUSR1};
    struct apsp_error error = {0};
    struct output *output;
    sigset_t after;
    fault.slow = 300000;
    assert_int_equal(output_open(&output, comm, target, NULL, N, DTYPE_I32, false, &error), APSP_OK);
    assert_int_equal(output_check(output, &error), APSP_OK);
    usleep(fault.slow / 3);
    output_free(output);
    assert_in_range(fault.portions, 1, PORTIONS - 1);
    assert_false(exists(temporary));
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (size_t s = 0; s < sizeof others / sizeof *others; s++) {
        assert_true(sigismember(&fault.blocked, others[s]));
        assert_false(sigismember(&after, others[s]));
    }
}

static void missing_space_shows_before_the_rows(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    struct output *output;
    fault.no_fallocate = EDQUOT;
    assert_int_equal(output_open(&output, comm, target, NULL, 20, DTYPE_I32, false, &error), APSP_OK);
    for (int tries = 0; tries < 1000 && output_check(output, &error) == APSP_OK; tries++)
        usleep(10000);
    assert_int_equal(error.code, APSP_IO);
    assert_non_null(strstr(error.text, strerror(EDQUOT)));
    output_free(output);
    assert_false(exists(temporary));
}

/* A stack that no address space holds: there is no thread, and the space is taken all the same. */
static void space_is_taken_without_a_thread(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    struct output *output;
    pthread_attr_t before, huge;
    assert_int_equal(pthread_getattr_default_np(&before), 0);
    assert_int_equal(pthread_attr_init(&huge), 0);
    assert_int_equal(pthread_attr_setstacksize(&huge, (size_t)1 << 60), 0);
    assert_int_equal(pthread_setattr_default_np(&huge), 0);
    fault.no_fallocate = ENOSPC;
    assert_int_equal(output_open(&output, comm, target, NULL, 20, DTYPE_I32, false, &error), APSP_OK);
    assert_int_equal(pthread_setattr_default_np(&before), 0);
    assert_int_equal(output_check(output, &error), APSP_IO);
    output_free(output);
    pthread_attr_destroy(&huge);
    pthread_attr_destroy(&before);
}

static void a_file_size_limit_is_an_error(void **state)
{
    (void)state;
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 100000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    check_failure(&pointer_ops, 300, APSP_IO, strerror(EFBIG));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

enum { NPY_N = 37, NPY_LANES = 3 };

static int64_t big_value(size_t i, size_t j)
{
    return (int64_t)(i * NPY_N + j + 1) << 40;
}

static const void *fetch_big(void *self, int lane, struct range rows, void *buffer, size_t *stride)
{
    size_t *failing_row = self;
    if (lane < 0 || lane >= NPY_LANES || range_length(rows) > 2)
        abort();
    if (*failing_row >= rows.lo && *failing_row < rows.hi)
        return NULL;
    for (size_t i = rows.lo; i < rows.hi; i++)
        for (size_t j = 0; j < NPY_N; j++)
            ((int64_t *)buffer)[(i - rows.lo) * NPY_N + j] = big_value(i, j);
    *stride = NPY_N;
    return buffer;
}

/* Writes the big values to `path`; the fetch of that row fails. */
static int write_big(const char *path, size_t failing_row, struct apsp_error *error)
{
    const struct output_rows rows = {.rows = {0, NPY_N},
                                     .lanes = NPY_LANES,
                                     .step = 2,
                                     .self = &failing_row,
                                     .fetch = fetch_big,
                                     .alloc = malloc,
                                     .free = host_free};
    struct output *output;
    if (output_open(&output, comm, path, NULL, NPY_N, DTYPE_I64, false, error) == APSP_OK &&
        output_write(output, &rows, error) == APSP_OK && failing_row == SIZE_MAX)
        output_commit(output, error);
    output_free(output);
    return error->code;
}

/* A reader of .npy that shares nothing with npy.c. */
static void npy_files_hold_head_and_rows(void **state)
{
    (void)state;
    char path[sizeof target + 10], text[1000];
    unsigned char start[10];
    size_t rows, columns, wrong = 0;
    struct apsp_error error = {0};
    snprintf(path, sizeof path, "%s.npy", target);
    assert_int_equal(write_big(path, SIZE_MAX, &error), APSP_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(start, 1, sizeof start, file), sizeof start);
    assert_memory_equal(start, "\x93NUMPY\1", 8);
    size_t length = start[8] + 256U * start[9];
    assert_int_equal((sizeof start + length) % 64, 0);
    assert_int_equal(fread(text, 1, length, file), length);
    text[length] = '\0';
    assert_int_equal(text[length - 1], '\n');
    assert_non_null(strstr(text, "'descr': '<i8',"));
    assert_non_null(strstr(text, "'fortran_order': False,"));
    assert_int_equal(sscanf(strstr(text, "'shape'"), "'shape': (%zu, %zu), }", &rows, &columns), 2);
    assert_true(rows == NPY_N && columns == NPY_N);
    for (size_t i = 0; i < NPY_N; i++) {
        int64_t row[NPY_N];
        assert_int_equal(fread(row, sizeof *row, NPY_N, file), NPY_N);
        for (size_t j = 0; j < NPY_N; j++)
            wrong += row[j] != big_value(i, j);
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    assert_int_equal(unlink(path), 0);
}

static void rows_that_fail_leave_nothing(void **state)
{
    (void)state;
    char path[sizeof target + 10];
    struct apsp_error error = {0};
    snprintf(path, sizeof path, "%s.npy", target);
    assert_int_equal(write_big(path, 20, &error), APSP_OK); /* whoever fetches tells */
    assert_false(exists(path));
    fault.room = 1;
    fault.cause = EIO;
    assert_int_equal(write_big(path, SIZE_MAX, &error), APSP_IO);
    assert_non_null(strstr(error.text, strerror(EIO)));
    assert_false(exists(path));
    fault.room = 0;
    error = (struct apsp_error){0};
    assert_int_equal(write_big(target, SIZE_MAX, &error), APSP_INPUT);
    assert_non_null(strstr(error.text, "i64"));
    assert_non_null(strstr(error.text, ".npy"));
    assert_false(exists(target) || exists(temporary));
}

static void write_graph(const char *path)
{
    static const int32_t file[] = {3, 2, 0, 1, 5, 1, 2, 7};
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(file, sizeof file, 1, out), 1);
    assert_int_equal(fclose(out), 0);
}

static void jobs_without_space_do_not_solve(void **state)
{
    (void)state;
    char graph[sizeof folder + 10];
    snprintf(graph, sizeof graph, "%s/graph", folder);
    write_graph(graph);
    fault.no_fallocate = ENOSPC;
    for (int trees = 0; trees < 2; trees++) {
        const struct apsp_options options = {.graph = graph,
                                             .distances = trees ? NULL : target,
                                             .predecessors = trees ? target : NULL,
                                             .device = APSP_DEVICE_CPU,
                                             .threads = 1};
        struct apsp_error error = {0}, seen = {0};
        struct apsp_job *job;
        assert_int_equal(apsp_job_init(&job, &options, &error), APSP_OK);
        const struct output *output = trees ? job->predecessors : job->output;
        for (int tries = 0; tries < 1000 && output_check(output, &seen) == APSP_OK; tries++)
            usleep(10000);
        assert_int_equal(apsp_job_read(job), APSP_IO);
        apsp_job_free(job);
        assert_false(exists(temporary));
    }
    assert_int_equal(unlink(graph), 0);
}

static void jobs_without_a_place_for_the_report_do_not_start(void **state)
{
    (void)state;
    char graph[sizeof folder + 10], json[sizeof folder + 20];
    snprintf(graph, sizeof graph, "%s/graph", folder);
    snprintf(json, sizeof json, "%s/nowhere/report", folder);
    write_graph(graph);
    const struct apsp_options options = {
        .graph = graph, .distances = target, .json = json, .device = APSP_DEVICE_CPU, .threads = 1};
    struct apsp_error error = {0};
    struct apsp_job *job;
    assert_int_equal(apsp_job_init(&job, &options, &error), APSP_IO);
    apsp_job_free(job);
    assert_false(exists(temporary));
    assert_int_equal(unlink(graph), 0);
}

/* A job up to its last step; then a directory takes the name of the distances, or a link that of the report.
 */
static void check_last_step(const char *graph, const char *json, bool directory, int code)
{
    const struct apsp_options options = {.graph = graph,
                                         .distances = target,
                                         .json = json,
                                         .device = APSP_DEVICE_CPU,
                                         .threads = 1,
                                         .force = directory,
                                         .quiet = true};
    struct apsp_error error = {0};
    struct apsp_job *job;
    assert_int_equal(apsp_job_init(&job, &options, &error), APSP_OK);
    assert_int_equal(apsp_job_read(job), APSP_OK);
    assert_int_equal(apsp_job_solve(job), APSP_OK);
    assert_int_equal(apsp_job_write(job), APSP_OK);
    if (directory)
        assert_int_equal(mkdir(target, 0700), 0);
    else if (code)
        assert_int_equal(symlink("nowhere", json), 0);
    assert_int_equal(apsp_job_commit(job), code);
    apsp_job_free(job);
    assert_false(exists(temporary));
    assert_int_equal(unlink(json), directory ? -1 : 0);
    if (directory)
        assert_int_equal(rmdir(target), 0);
    else
        assert_int_equal(exists(target), !code);
    unlink(target);
}

static void reports_stand_beside_results_alone(void **state)
{
    (void)state;
    char graph[sizeof folder + 10], json[sizeof folder + 10];
    snprintf(graph, sizeof graph, "%s/graph", folder);
    snprintf(json, sizeof json, "%s/json", folder);
    write_graph(graph);
    check_last_step(graph, json, false, APSP_OK);
    check_last_step(graph, json, true, APSP_IO);
    check_last_step(graph, json, false, APSP_USAGE);
    assert_int_equal(unlink(graph), 0);
}

static void ranks_without_rows_write_nothing(void **state)
{
    (void)state;
    struct backend backend = {.ops = &pointer_ops, .plan = {.n = 4, .rows = {4, 4}, .dtype = DTYPE_I32}};
    struct apsp_error error = {0};
    struct output *output;
    assert_int_equal(output_open(&output, comm, target, NULL, 4, DTYPE_I32, false, &error), APSP_OK);
    const struct output_rows rows = output_backend_rows(&backend);
    assert_int_equal(output_write(output, &rows, &error), APSP_OK);
    assert_int_equal(fault.calls, 0);
    output_free(output); /* without commit */
    assert_false(exists(target));
    assert_false(exists(temporary));
}

static void needs_cover_the_buffers(void **state)
{
    (void)state;
    struct backend_plan plan = {.n = 5000, .dtype = DTYPE_U16}, large = {.n = INT32_MAX, .dtype = DTYPE_I64};
    assert_int_equal(output_need(&pointer_ops, &plan), 0);
    assert_in_range(output_need(&copy_ops, &plan), 16 << 20, BACKEND_LANES * (32 << 20));
    assert_true(output_need(&copy_ops, &large) >= (size_t)INT32_MAX * 8);
}

static int start(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    if (comm_init(&comm, 0, &error) || !mkdtemp(folder))
        return 1;
    snprintf(target, sizeof target, "%s/out", folder);
    snprintf(temporary, sizeof temporary, "%s/.out.apsp-tmp", folder);
    return 0;
}

static int stop(void **state)
{
    reset(state);
    comm_free(comm);
    comm_finish();
    return rmdir(folder); /* fails if anything has stayed */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(writes_every_size_and_stride, reset),
        cmocka_unit_test_setup(short_and_interrupted_writes_go_on, reset),
        cmocka_unit_test_setup(failing_writes_leave_nothing, reset),
        cmocka_unit_test_setup(short_memory_is_an_error, reset),
        cmocka_unit_test_setup(space_is_taken_before_the_work, reset),
        cmocka_unit_test_setup(space_is_taken_in_the_background, reset),
        cmocka_unit_test_setup(missing_space_shows_before_the_rows, reset),
        cmocka_unit_test_setup(space_is_taken_without_a_thread, reset),
        cmocka_unit_test_setup(jobs_without_space_do_not_solve, reset),
        cmocka_unit_test_setup(jobs_without_a_place_for_the_report_do_not_start, reset),
        cmocka_unit_test_setup(a_file_size_limit_is_an_error, reset),
        cmocka_unit_test_setup(npy_files_hold_head_and_rows, reset),
        cmocka_unit_test_setup(rows_that_fail_leave_nothing, reset),
        cmocka_unit_test_setup(reports_stand_beside_results_alone, reset),
        cmocka_unit_test_setup(ranks_without_rows_write_nothing, reset),
        cmocka_unit_test_setup(needs_cover_the_buffers, reset),
    };
    return cmocka_run_group_tests_name("output", tests, start, stop) != 0;
}
