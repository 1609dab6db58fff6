/*
 * output.c and the sink of distances: the bytes that arrive, that nothing stays of a failure before
 * the last of them, and that nothing is lost by one behind it. System calls that are hard to make
 * fail are replaced below: short and interrupted writes and errors come from there.
 */
#include "unit.h"

#include "base/clock.h"
#include "files/space.h"
#include "rows/output.h"
#include "run/run.h"

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
    size_t room;      /* if set, pwritev fails with `cause` at and beyond this offset, */
    size_t waits;     /* so many times, and fallocate too; 0: without an end */
    int cause;        /* errno of pwritev, or of fsync if room is 0 */
    int no_fallocate; /* errno of fallocate */
    unsigned slow;    /* microseconds that fallocate takes, to do nothing or fail */
    int portions;     /* calls of fallocate that were slow */
    sigset_t blocked; /* in the thread of the last one */
} fault;

static int fail_with(int cause)
{
    errno = cause;
    return -1;
}

ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t offset)
{
    size_t limit = fault.most ? fault.most : SIZE_MAX, done = 0;
    size_t call = __atomic_fetch_add(&fault.calls, 1, __ATOMIC_RELAXED);
    if (fault.most && call % 3 == 2) {
        errno = EINTR;
        return -1;
    }
    if (fault.room && (size_t)offset >= fault.room) {
        int cause = fault.cause;
        if (fault.waits > 0 && --fault.waits == 0)
            fault.room = (size_t)(fault.cause = 0);
        return fail_with(cause);
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

int fsync(int fd)
{
    return fault.cause && !fault.room ? fail_with(fault.cause) : (int)syscall(SYS_fsync, fd);
}

int fallocate(int fd, int mode, off_t offset, off_t length)
{
    if (fault.no_fallocate && fault.waits > 0) {
        int cause = fault.no_fallocate;
        if (--fault.waits == 0)
            fault.no_fallocate = 0;
        return fail_with(cause);
    }
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
static char target[sizeof folder + 10], temporary[sizeof folder + 30], kept[sizeof folder + 20];

/* Rows in memory whose entry (i, j) is mixed from both, `gap` elements longer than they need to be.
 */
static int32_t *strip;
static size_t gap;

static int32_t value_at(size_t n, size_t i, size_t j)
{
    return (int32_t)((i * n + j) * 2654435761U >> 2);
}

/* Makes the blocks. */
struct making {
    size_t n, rows, step, next; /* rows: the first so many of n */
    size_t failing_row;         /* making it fails; SIZE_MAX: none */
    bool copies;                /* a block is in a lane's own buffer */
    bool scattered;             /* rows come from both ends by turns */
    uint32_t *source;
    void *buffer[8];
};

static int64_t big_value(size_t n, size_t i, size_t j)
{
    return (int64_t)(i * n + j + 1) << 40;
}

static bool next_rows(void *self, int lane, struct block *block, struct apsp_error *error)
{
    struct making *making = self;
    size_t n = making->n, lo = __atomic_fetch_add(&making->next, making->step, __ATOMIC_RELAXED);
    if (lo >= making->rows)
        return false;
    size_t hi = lo + making->step < making->rows ? lo + making->step : making->rows;
    if (making->failing_row >= lo && making->failing_row < hi)
        return error_set(error, APSP_MEMORY, "no memory for row %zu", making->failing_row), false;
    *block = (struct block){.n = n, .count = hi - lo, .first = lo, .dtype = DTYPE_I32};
    block->values = strip + lo * (n + gap);
    block->stride = n + gap;
    if (!making->copies)
        return true;
    int32_t *buffer = making->buffer[lane] =
        realloc(making->buffer[lane], making->step * n * sizeof *buffer);
    for (size_t i = lo; i < hi; i++) {
        size_t row = making->scattered ? making->source[i] : i;
        memcpy(buffer + (i - lo) * n, strip + row * (n + gap), n * sizeof *buffer);
    }
    block->source = making->scattered ? making->source + lo : NULL;
    block->values = buffer;
    block->stride = n;
    return true;
}

static bool next_big(void *self, int lane, struct block *block, struct apsp_error *error)
{
    struct making *making = self;
    size_t n = making->n;
    struct block rows;
    if (!next_rows(self, lane, &rows, error))
        return false;
    int64_t *buffer = making->buffer[lane] =
        realloc(making->buffer[lane], making->step * n * sizeof *buffer);
    for (size_t k = 0; k < rows.count; k++)
        for (size_t j = 0; j < n; j++)
            buffer[k * n + j] = big_value(n, rows.first + k, j);
    *block = (struct block){.n = n,
                            .count = rows.count,
                            .first = rows.first,
                            .dtype = DTYPE_I64,
                            .values = buffer,
                            .stride = n};
    return true;
}

static void open_sink(struct sinks *sinks, struct sink_task *task, const struct results *results,
                      struct apsp_error *error)
{
    task->results = results;
    task->comm = comm;
    sinks_choose(sinks, task);
    assert_int_equal(sinks->count, 1);
    sinks_open(sinks, error);
}

/* Opens, passes the rows, names the file. */
static int write_rows(struct making *making, const char *path, enum dtype dtype,
                      struct apsp_error *error)
{
    const struct results results = {.distances = path};
    struct sink_task task = {.n = making->n, .dtype = dtype, .file = dtype};
    struct progress progress = {0};
    struct sinks sinks;
    struct rows_maker maker = {.self = making,
                               .lanes = making->copies ? 4 : 1,
                               .rows = making->rows,
                               .next = dtype == DTYPE_I64 ? next_big : next_rows};
    open_sink(&sinks, &task, &results, error);
    if (!error->code && rows_pass(&maker, &sinks, &progress, error) == APSP_OK)
        staged_publish(sinks_file(&sinks, 0), STAGED_TARGET, error);
    sinks_close(&sinks);
    for (size_t lane = 0; lane < 8; lane++)
        free(making->buffer[lane]);
    return error->code;
}

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
    space_wait_limit(0);
    unlink(target);
    unlink(temporary);
    unlink(kept);
    return 0;
}

enum kind { POINTERS, COPIES, SCATTERED, KINDS };

static int write_all(enum kind kind, size_t n, struct apsp_error *error)
{
    struct making making = {.n = n,
                            .rows = n,
                            .step = n / 7 + 1,
                            .failing_row = SIZE_MAX,
                            .copies = kind != POINTERS,
                            .scattered = kind == SCATTERED};
    strip = malloc(n * (n + gap) * sizeof *strip);
    making.source = malloc(n * sizeof *making.source);
    assert_non_null(strip);
    assert_non_null(making.source);
    for (size_t i = 0; i < n; i++) {
        making.source[i] = (uint32_t)(i % 2 ? n - 1 - i / 2 : i / 2);
        for (size_t j = 0; j < n + gap; j++)
            strip[i * (n + gap) + j] = j < n ? value_at(n, i, j) : -1;
    }
    write_rows(&making, target, DTYPE_I32, error);
    free(making.source);
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
        for (int kind = 0; kind < 2 * KINDS; kind++) {
            struct apsp_error error = {0};
            reset(state);
            gap = kind % 2 ? 5 : 0;
            write_all((enum kind)(kind / 2), sizes[k], &error);
            assert_string_equal(error.text, "");
            check_content(sizes[k]);
        }
    }
}

static void short_and_interrupted_writes_go_on(void **state)
{
    const size_t most[] = {1, 4, 4099, 100000};
    for (size_t k = 0; k < sizeof most / sizeof *most; k++) {
        for (int kind = 0; kind < 2 * KINDS; kind++) {
            struct apsp_error error = {0};
            size_t n = k == 0 ? 33 : 1200;
            reset(state);
            gap = kind % 2 ? 3 : 0;
            fault.most = most[k];
            if (k == 1)
                n = 150;
            write_all((enum kind)(kind / 2), n, &error);
            assert_string_equal(error.text, "");
            check_content(n);
        }
    }
}

/* The write fails with that message; nothing stays. */
static void check_failure(enum kind kind, size_t n, int code, const char *words)
{
    struct apsp_error error = {0};
    assert_int_equal(write_all(kind, n, &error), code);
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
            check_failure(copies ? COPIES : POINTERS, 300, APSP_IO, strerror(causes[k]));
        }
    }
    reset(state);
    fault.cause = EIO; /* of fsync */
    check_failure(POINTERS, 10, APSP_IO, strerror(EIO));
}

static int open_output(struct output **output, size_t n, struct apsp_error *error)
{
    const struct output_plan plan = {.path = target, .rows = n, .n = n, .dtype = DTYPE_I32};
    return output_open(output, comm, &plan, error);
}

static void space_is_taken_before_the_work(void **state)
{
    struct apsp_error error = {0};
    struct output *output;
    assert_int_equal(open_output(&output, 1000000000, &error), APSP_IO);
    assert_null(output);
    assert_non_null(strstr(error.text, "needs 3.47 EiB"));
    assert_false(exists(temporary));
    error = (struct apsp_error){0};
    assert_int_equal(open_output(&output, INT32_MAX, &error), APSP_IO);
    assert_false(exists(temporary));
    fault.no_fallocate = EOPNOTSUPP;
    error = (struct apsp_error){0};
    assert_int_equal(write_all(POINTERS, 20, &error), APSP_OK);
    check_content(20);
    reset(state);
    fault.no_fallocate = ENOSPC;
    fault.slow = 100000; /* writing waits */
    check_failure(POINTERS, 20, APSP_IO, "needs 1.56 KiB");
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
    assert_int_equal(open_output(&output, N, &error), APSP_OK);
    assert_int_equal(output_check(output, false, &error), APSP_OK);
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
    assert_int_equal(open_output(&output, 20, &error), APSP_OK);
    for (int tries = 0; tries < 1000 && output_check(output, false, &error) == APSP_OK; tries++)
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
    assert_int_equal(open_output(&output, 20, &error), APSP_OK);
    assert_int_equal(pthread_setattr_default_np(&before), 0);
    assert_int_equal(output_check(output, false, &error), APSP_IO);
    output_free(output);
    pthread_attr_destroy(&huge);
    pthread_attr_destroy(&before);
}

/* A file of 5 GiB, of which nearly all is a hole. */
static void offsets_go_beyond_32_bits(void **state)
{
    enum { N = 1 << 16, ROWS = 20482, ROW = 20480 };
    struct apsp_error error = {0};
    const struct output_plan plan = {.path = target, .rows = ROWS, .n = N, .dtype = DTYPE_I32};
    const size_t row = N * sizeof(int32_t), at = ROW * row;
    struct output *output;
    int32_t *values = malloc(2 * row), *found = malloc(2 * row);
    (void)state;
    assert_true(values && found && at == (size_t)5 << 30);
    for (size_t i = 0; i < 2 * N; i++)
        values[i] = value_at(N, ROW, i);
    fault.no_fallocate = EOPNOTSUPP;
    assert_int_equal(output_open(&output, comm, &plan, &error), APSP_OK);
    assert_int_equal(output_check(output, true, &error), APSP_OK);
    int fd = output_descriptor(output);
    assert_int_equal(output_put(output, (struct range){ROW, ROW + 2}, values, N, &error), APSP_OK);
    assert_int_equal(pread(fd, found, 2 * row, (off_t)at), 2 * row);
    assert_memory_equal(found, values, 2 * row);
    assert_int_equal(output_write(output, at + 100, values, row, &error), APSP_OK);
    assert_int_equal(pread(fd, found, row, (off_t)at + 100), row);
    assert_memory_equal(found, values, row);
    const struct output_rows halves = {values, 2, row / 2, row};
    assert_int_equal(output_write_rows(output, at + 100, &halves, &error), APSP_OK);
    assert_int_equal(pread(fd, found, row, (off_t)at + 100), row);
    assert_memory_equal(found, values, row / 2);
    assert_memory_equal(found + N / 2, values + N, row / 2);
    assert_int_equal(pread(fd, found, row, (off_t)(at & UINT32_MAX)), row);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(found[i], 0);
    output_free(output);
    free(found);
    free(values);
}

static char *put_line(char *out, const void *self, size_t line)
{
    return out + sprintf(out, "%zu,%s\n", line * line, line % 7 ? (const char *)self : "");
}

/* All threads make them: as one that prints. */
static void lines_come_in_their_order(void **state)
{
    enum { LINES = 30011, MOST = 40 };
    static const char name[] = "a name";
    struct apsp_error error = {0};
    (void)state;
    for (size_t count = 0; count <= LINES; count = 3 * count + 1) {
        struct staged staged = {0};
        char *right = malloc(16 + MOST * count), *text = malloc(16 + MOST * count);
        char *end = stpcpy(right, "square,name\n");
        for (size_t k = 0; k < count; k++)
            end = put_line(end, name, k);
        const struct output_lines lines = {"square,name\n", count, MOST, put_line, name, 2};
        assert_int_equal(staged_create(&staged, target, false, &error), APSP_OK);
        fault.most = 777;
        assert_int_equal(output_lines(&staged, &lines, &error), APSP_OK);
        assert_int_equal(pread(staged.fd, text, 16 + MOST * count, 0), end - right);
        assert_memory_equal(text, right, (size_t)(end - right));
        fault.most = 0;
        fault.room = 1;
        fault.cause = EDQUOT;
        assert_int_equal(output_lines(&staged, &lines, &error), count > 0 ? APSP_IO : APSP_OK);
        reset(state);
        error = (struct apsp_error){0};
        staged_free(&staged);
        free(right);
        free(text);
    }
}

static void a_file_size_limit_is_an_error(void **state)
{
    (void)state;
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 100000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    check_failure(POINTERS, 300, APSP_IO, strerror(EFBIG));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

enum { NPY_N = 37 };

/* Writes the big values to `path`; that row fails. */
static int write_big(const char *path, size_t failing_row, struct apsp_error *error)
{
    struct making making = {
        .n = NPY_N, .rows = NPY_N, .step = 2, .failing_row = failing_row, .copies = true};
    strip = calloc(NPY_N * NPY_N, sizeof *strip);
    write_rows(&making, path, DTYPE_I64, error);
    free(strip);
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
            wrong += row[j] != big_value(NPY_N, i, j);
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
    assert_int_equal(write_big(path, 20, &error), APSP_MEMORY);
    assert_string_equal(error.text, "no memory for row 20");
    assert_false(exists(path));
    error = (struct apsp_error){0};
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
        const struct run_options options = {.graph = graph,
                                            .results.distances = trees ? NULL : target,
                                            .results.predecessors = trees ? target : NULL,
                                            .request.device = APSP_DEVICE_CPU,
                                            .request.threads = 1};
        struct apsp_error error = {0}, seen = {0};
        struct run *run;
        assert_int_equal(run_make(&run, &options, &error), APSP_OK);
        for (int tries = 0;
             tries < 1000 && sinks_check(&run->solver->sinks, false, &seen) == APSP_OK; tries++)
            usleep(10000);
        assert_int_equal(run_load(run), APSP_IO);
        run_free(run);
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
    const struct run_options options = {.graph = graph,
                                        .results.distances = target,
                                        .json = json,
                                        .request.device = APSP_DEVICE_CPU,
                                        .request.threads = 1};
    struct apsp_error error = {0};
    struct run *run;
    assert_int_equal(run_make(&run, &options, &error), APSP_IO);
    run_free(run);
    assert_false(exists(temporary));
    assert_int_equal(unlink(graph), 0);
}

/* A run up to its last step; then something takes the name of the distances, or that of the report.
 */
static void check_last_step(const char *graph, const char *json, const char *taken, bool force,
                            int code)
{
    const struct run_options options = {.graph = graph,
                                        .results.distances = target,
                                        .json = json,
                                        .request.device = APSP_DEVICE_CPU,
                                        .request.threads = 1,
                                        .results.force = force,
                                        .quiet = true};
    const bool is_target = taken == target;
    char json_kept[sizeof folder + 20];
    struct apsp_error error = {0};
    struct run *run;
    snprintf(json_kept, sizeof json_kept, "%s.kept", json);
    assert_int_equal(run_make(&run, &options, &error), APSP_OK);
    assert_int_equal(run_load(run), APSP_OK);
    assert_int_equal(run_solve(run), APSP_OK);
    assert_int_equal(run_rows(run), APSP_OK);
    if (taken)
        assert_int_equal(mkdir(taken, 0700), 0);
    assert_int_equal(run_commit(run), code);
    assert_non_null(strstr(code ? run->solver->error.text : "", is_target ? kept
                                                                : code    ? json_kept
                                                                          : ""));
    assert_non_null(strstr(run_detail(run), code && !is_target ? target : ""));
    run_free(run);
    assert_false(exists(temporary));
    if (taken)
        assert_int_equal(rmdir(taken), 0);
    assert_int_equal(unlink(is_target ? kept : target), 0);
    assert_int_equal(unlink(json), code ? -1 : 0);
    assert_int_equal(unlink(json_kept), taken == json ? 0 : -1);
}

static void results_do_not_depend_on_the_report(void **state)
{
    (void)state;
    char graph[sizeof folder + 10], json[sizeof folder + 10];
    snprintf(graph, sizeof graph, "%s/graph", folder);
    snprintf(json, sizeof json, "%s/json", folder);
    write_graph(graph);
    check_last_step(graph, json, NULL, false, APSP_OK);
    for (int force = 0; force < 2; force++) {
        check_last_step(graph, json, target, force, force ? APSP_IO : APSP_USAGE);
        check_last_step(graph, json, json, force, force ? APSP_IO : APSP_USAGE);
    }
    assert_int_equal(unlink(graph), 0);
}

/* Of the matrix, while its rows are made or before, and no longer than is said. */
static void writing_waits_for_space(void **state)
{
    static const int causes[] = {ENOSPC, EDQUOT};
    for (size_t k = 0; k < 4; k++) {
        struct apsp_error error = {0};
        reset(state);
        space_wait_limit(60);
        fault.waits = 3;
        if (k < 2) {
            fault.room = 1000;
            fault.cause = causes[k % 2];
        } else {
            fault.no_fallocate = causes[k % 2];
        }
        write_all(POINTERS, 60, &error);
        assert_string_equal(error.text, "");
        assert_int_equal(fault.waits, 0);
        check_content(60);
    }
    reset(state);
    space_wait_limit(1);
    fault.room = 1000;
    fault.cause = ENOSPC;
    double begun = clock_seconds();
    check_failure(POINTERS, 60, APSP_IO, strerror(ENOSPC));
    assert_true(clock_seconds() - begun >= 1);
    reset(state);
    space_wait_limit(60);
    fault.room = 1000;
    fault.cause = EIO; /* no time mends that */
    check_failure(POINTERS, 60, APSP_IO, strerror(EIO));
}

static void ranks_without_rows_write_nothing(void **state)
{
    (void)state;
    const struct results results = {.distances = target};
    struct making making = {.n = 4, .step = 1};
    struct rows_maker maker = {.self = &making, .lanes = 1, .next = next_rows};
    struct sink_task task = {.n = 4, .dtype = DTYPE_I32, .file = DTYPE_I32};
    struct progress progress = {0};
    struct apsp_error error = {0};
    struct sinks sinks;
    open_sink(&sinks, &task, &results, &error);
    assert_int_equal(rows_pass(&maker, &sinks, &progress, &error), APSP_OK);
    assert_int_equal(fault.calls, 0);
    sinks_close(&sinks); /* without its name, but complete */
    assert_false(exists(target));
    assert_true(exists(kept));
    assert_false(exists(temporary));
}

/* A file that another run has begun: its rows are there, and are as their hashes tell. */
static void rows_that_are_there_stay(void **state)
{
    enum { N = 5 };
    struct output_plan plan = {
        .path = target, .rows = N, .n = N, .dtype = DTYPE_I32, .folder = folder};
    struct apsp_error error = {0};
    const unsigned char done[N] = {1, 0, 1};
    int32_t rows[N][N], other = 7;
    char name[60];
    size_t hashes[N];
    struct output *output;
    (void)state;
    for (size_t i = 0; i < N * N; i++)
        rows[i / N][i % N] = value_at(N, 1, i);
    assert_int_equal(output_open(&output, comm, &plan, &error), APSP_OK);
    assert_int_equal(output_check(output, true, &error), APSP_OK);
    assert_int_equal(output_put(output, (struct range){0, 1}, rows[0], N, &error), APSP_OK);
    assert_int_equal(output_put(output, (struct range){2, 3}, rows[2], N, &error), APSP_OK);
    assert_int_equal(output_sync(output, &error), APSP_OK);
    memcpy(hashes, output_hashes(output), sizeof hashes);
    assert_true(hashes[0] && !hashes[1] && hashes[2] && hashes[0] != hashes[2]);
    snprintf(name, sizeof name, "%s", staged_name(output_file(output)));
    staged_retain(output_file(output), true);
    output_free(output);
    plan.begun = name;
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(output_open(&output, comm, &plan, &error), APSP_OK);
        memcpy(output_hashes(output), hashes, sizeof hashes);
        assert_int_equal(output_verify(output, done, (struct range){0, N}, &error), APSP_OK);
        fault.cause = EIO;
        assert_int_equal(output_sync(output, &error), APSP_IO);
        fault.cause = 0;
        error = (struct apsp_error){0};
        assert_int_equal(pwrite(output_descriptor(output), &other, sizeof other, 2 * sizeof *rows),
                         4);
        assert_int_equal(output_verify(output, done, (struct range){0, 2}, &error), APSP_OK);
        assert_int_equal(output_verify(output, done, (struct range){1, N}, &error), APSP_IO);
        assert_non_null(strstr(error.text, "row 2 of those that the checkpoint names is damaged"));
        error = (struct apsp_error){0};
        assert_int_equal(pwrite(output_descriptor(output), rows[2], sizeof other, 2 * sizeof *rows),
                         4);
        assert_int_equal(ftruncate(output_descriptor(output), turn ? 0 : 3000), 0);
        staged_retain(output_file(output), !turn);
        output_free(output);
    }
}

static int start(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    if (comm_init(&comm, 0, &error) || !mkdtemp(folder))
        return 1;
    snprintf(target, sizeof target, "%s/out", folder);
    snprintf(temporary, sizeof temporary, "%s/.out.apsp-tmp", folder);
    snprintf(kept, sizeof kept, "%s/out.kept", folder);
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
        cmocka_unit_test_setup(space_is_taken_before_the_work, reset),
        cmocka_unit_test_setup(space_is_taken_in_the_background, reset),
        cmocka_unit_test_setup(missing_space_shows_before_the_rows, reset),
        cmocka_unit_test_setup(space_is_taken_without_a_thread, reset),
        cmocka_unit_test_setup(jobs_without_space_do_not_solve, reset),
        cmocka_unit_test_setup(jobs_without_a_place_for_the_report_do_not_start, reset),
        cmocka_unit_test_setup(offsets_go_beyond_32_bits, reset),
        cmocka_unit_test_setup(lines_come_in_their_order, reset),
        cmocka_unit_test_setup(a_file_size_limit_is_an_error, reset),
        cmocka_unit_test_setup(npy_files_hold_head_and_rows, reset),
        cmocka_unit_test_setup(rows_that_fail_leave_nothing, reset),
        cmocka_unit_test_setup(results_do_not_depend_on_the_report, reset),
        cmocka_unit_test_setup(writing_waits_for_space, reset),
        cmocka_unit_test_setup(ranks_without_rows_write_nothing, reset),
        cmocka_unit_test_setup(rows_that_are_there_stay, reset),
    };
    return cmocka_run_group_tests_name("output", tests, start, stop) != 0;
}
