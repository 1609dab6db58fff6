/* Files of checkpoints: what comes back, of which file, and what is refused, with one rank. */
#include "unit.h"

#include "folder.h"

#include "engine/checkpoint_matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { N = 37, PITCH = 40, HEAD_BYTES = 120 };

static struct comm *comm;
static char place[64], file[2][80];
static int32_t matrix[N][PITCH];
static const struct checkpoint_subject subject = {
    .n = N, .m = 99, .edges = 7, .dtype = DTYPE_I32, .potentials = 5};

static struct checkpoint_policy policy_of(bool resume)
{
    return (struct checkpoint_policy){.folder = place, .resume = resume, .dtype = "auto"};
}

static void fill(int seed)
{
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < PITCH; j++)
            matrix[i][j] = (int32_t)(i * 1000 + j) * seed;
}

static void assert_filled(int seed)
{
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            assert_int_equal(matrix[i][j], (int32_t)(i * 1000 + j) * seed);
}

static void copy(void *self, struct range rows, char *buffer, bool back)
{
    (void)self;
    for (size_t i = rows.lo; i < rows.hi; i++) {
        char *here = buffer + (i - rows.lo) * N * sizeof **matrix;
        memcpy(back ? (char *)matrix[i] : here, back ? here : (char *)matrix[i],
               N * sizeof **matrix);
    }
}

/* In memory, or by way of a buffer of five rows. */
static struct checkpoint_strip strip_of(bool direct)
{
    static char buffer[5 * N * sizeof **matrix];
    return (struct checkpoint_strip){.rows = {0, N},
                                     .width = N * sizeof **matrix,
                                     .at = direct ? (char *)matrix : NULL,
                                     .pitch = sizeof *matrix,
                                     .buffer = buffer,
                                     .room = 5,
                                     .copy = copy,
                                     .threads = 2};
}

/* A run that writes so many. */
static void write_some(int count, bool direct)
{
    const struct checkpoint_policy policy = policy_of(false);
    const struct checkpoint_strip strip = strip_of(direct);
    struct checkpoint *checkpoint;
    struct apsp_error error = {0};
    assert_int_equal(checkpoint_open(&checkpoint, comm, &policy, N, &error), APSP_OK);
    assert_null(checkpoint_type(checkpoint));
    assert_int_equal(checkpoint_match(checkpoint, &subject, &error), APSP_OK);
    for (int k = 1; k <= count; k++) {
        fill(k);
        assert_int_equal(checkpoint_matrix_save(checkpoint, &strip, (size_t)k, &error), APSP_OK);
    }
    struct checkpoint_figures figures = checkpoint_figures(checkpoint);
    assert_int_equal(figures.taken, count);
    assert_true(figures.bytes == count * (double)checkpoint_bytes(N, DTYPE_I32));
    checkpoint_free(checkpoint, false);
}

static void clear(void)
{
    remove(file[0]);
    remove(file[1]);
    rmdir(place);
}

/* A run that goes on; the vertices that have been eliminated. */
static size_t go_on(bool direct, struct apsp_error *error)
{
    const struct checkpoint_policy policy = policy_of(true);
    const struct checkpoint_strip strip = strip_of(direct);
    struct checkpoint *checkpoint;
    size_t eliminated = 0;
    memset(matrix, 0, sizeof matrix);
    if (checkpoint_open(&checkpoint, comm, &policy, N, error) == APSP_OK &&
        checkpoint_match(checkpoint, &subject, error) == APSP_OK &&
        checkpoint_matrix_load(checkpoint, &strip, error) == APSP_OK) {
        assert_string_equal(checkpoint_type(checkpoint), "i32");
        eliminated = checkpoint_eliminated(checkpoint);
        assert_int_equal(checkpoint_figures(checkpoint).resumed, eliminated);
    }
    checkpoint_free(checkpoint, false);
    return eliminated;
}

static void patch(const char *path, long offset, const void *bytes, size_t count)
{
    FILE *out = fopen(path, "r+b");
    assert_non_null(out);
    fseek(out, offset, SEEK_SET);
    assert_int_equal(fwrite(bytes, 1, count, out), count);
    fclose(out);
}

static void the_youngest_comes_back(void **state)
{
    (void)state;
    for (int count = 1; count <= 4; count++)
        for (int way = 0; way < 4; way++) {
            struct apsp_error error = {0};
            write_some(count, way % 2);
            assert_int_equal(go_on(way / 2, &error), count);
            assert_int_equal(error.code, APSP_OK);
            assert_filled(count);
            clear();
        }
}

static void an_older_one_takes_its_place(void **state)
{
    struct apsp_error error = {0};
    int32_t other = -1;
    (void)state;
    write_some(3, true); /* the third is in the first file */
    patch(file[0], 4096 + 5 * N * 4 + 8, &other, sizeof other);
    assert_int_equal(go_on(true, &error), 2);
    assert_filled(2);
    patch(file[1], 4096 + N * N * 4 + 8, &other, sizeof other); /* a hash */
    assert_int_equal(go_on(true, &error), 0);
    assert_int_equal(error.code, APSP_IO);
    assert_non_null(strstr(error.text, "row 1 is damaged"));
    clear();
}

/* Rows that stand for one another are none. */
static void rows_have_their_places(void **state)
{
    struct apsp_error error = {0};
    char row[N * 4], hash[8];
    (void)state;
    write_some(1, true);
    FILE *in = fopen(file[0], "rb");
    fseek(in, 4096 + 3 * N * 4, SEEK_SET);
    assert_int_equal(fread(row, 1, sizeof row, in), sizeof row);
    fseek(in, 4096 + N * N * 4 + 3 * 8, SEEK_SET);
    assert_int_equal(fread(hash, 1, sizeof hash, in), sizeof hash);
    fclose(in);
    patch(file[0], 4096 + 4 * N * 4, row, sizeof row);
    patch(file[0], 4096 + N * N * 4 + 4 * 8, hash, sizeof hash);
    go_on(true, &error);
    assert_non_null(strstr(error.text, "row 4 is damaged"));
    clear();
}

/* A head that is whole, with other bytes at that place. */
static void rewrite(long offset, const void *bytes, size_t count)
{
    char head[HEAD_BYTES];
    patch(file[0], offset, bytes, count);
    FILE *in = fopen(file[0], "rb");
    assert_int_equal(fread(head, 1, sizeof head, in), sizeof head);
    fclose(in);
    uint64_t hash = XXH3_64bits(head, sizeof head);
    patch(file[0], HEAD_BYTES, &hash, sizeof hash);
}

static void heads_are_refused(void **state)
{
    static const struct {
        long offset;
        uint32_t value;
        int code;
        const char *words;
    } heads[] = {
        {8, 2, APSP_INPUT, "of version 2, and 1 can be read"},
        {12, 0x00387869, APSP_IO, "every checkpoint in it is damaged"}, /* a type ix8 */
        {12, 0x00003875, APSP_IO, "every checkpoint in it is damaged"}, /* u8 */
        {12, 0x32336966, APSP_IO, "every checkpoint in it is damaged"}, /* four letters */
        {12, 0x00323366, APSP_INPUT, "another type"},
        {20, 0xffffffff, APSP_IO,
         "every checkpoint in it is damaged"}, /* a number with none behind it */
        {24, N + 1, APSP_IO,
         "every checkpoint in it is damaged"},                 /* n, and the file is too short */
        {28, 1, APSP_IO, "every checkpoint in it is damaged"}, /* n is beyond 2^32 */
        {32, 98, APSP_INPUT, "another graph"},
        {40, 8, APSP_INPUT, "another graph"},
        {48, 4, APSP_INPUT, "another choice of potentials"},
        {56, 1, APSP_INPUT, "another scale"},
        {60, 1, APSP_INPUT, "another scale"},
        {64, N + 1, APSP_IO, "every checkpoint in it is damaged"}, /* eliminated */
        {72, 1, APSP_IO,
         "every checkpoint in it is damaged"}, /* of rows, and the file is too long */
        {72, 2, APSP_IO, "every checkpoint in it is damaged"}, /* of something else */
    };
    (void)state;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct apsp_error error = {0};
        write_some(1, true);
        rewrite(heads[i].offset, &heads[i].value, sizeof heads[i].value);
        assert_int_equal(go_on(true, &error), 0);
        assert_int_equal(error.code, heads[i].code);
        assert_non_null(strstr(error.text, heads[i].words));
        clear();
    }
}

/* The core beside them: what comes back, and what is damaged or another's does not. */
static void a_core_comes_back(void **state)
{
    const struct checkpoint_policy begins = policy_of(false), resumes = policy_of(true);
    const struct checkpoint_core core = {.n = N, .kappa = 12, .hash = 77};
    struct checkpoint_core other = core;
    const struct checkpoint_strip strip = strip_of(true), buffered = strip_of(false);
    struct checkpoint *checkpoint;
    struct apsp_error error = {0};
    char path[100];
    (void)state;
    snprintf(path, sizeof path, "%s/checkpoint.core", place);
    for (int way = 0; way < 4; way++) {
        assert_int_equal(checkpoint_open(&checkpoint, comm, &begins, N, &error), APSP_OK);
        assert_int_equal(checkpoint_match(checkpoint, &subject, &error), APSP_OK);
        assert_true(checkpoint_core_kappa(checkpoint) == SIZE_MAX);
        fill(4);
        checkpoint_core_save(checkpoint, &core, &strip);
        fill(1);
        assert_int_equal(checkpoint_matrix_save(checkpoint, &strip, 1, &error), APSP_OK);
        checkpoint_free(checkpoint, false);
        memset(matrix, 0, sizeof matrix);
        if (way == 1)
            patch(path, 4096 + 5 * N * 4 + 8, "xyz", 3);
        if (way == 2)
            patch(path, 50, "xyz", 3); /* the head */
        other.hash = way == 3 ? 99 : core.hash;
        assert_int_equal(checkpoint_open(&checkpoint, comm, &resumes, N, &error), APSP_OK);
        assert_int_equal(checkpoint_match(checkpoint, &subject, &error), APSP_OK);
        assert_int_equal(checkpoint_kind(checkpoint), CHECKPOINT_MATRIX);
        assert_true(checkpoint_core_kappa(checkpoint) == (way == 2 ? SIZE_MAX : core.kappa));
        assert_int_equal(checkpoint_core_load(checkpoint, &other, &buffered), way == 0);
        if (way == 0)
            assert_filled(4);
        for (size_t i = 0; way == 1 && i < N; i++) /* nothing that is wrong */
            assert_true(matrix[i][2] == 0 || matrix[i][2] == (int32_t)(i * 1000 + 2) * 4);
        assert_int_equal(checkpoint_matrix_load(checkpoint, &strip, &error), APSP_OK);
        assert_filled(1);
        checkpoint_free(checkpoint, false);
        remove(path);
        clear();
    }
}

/* What has been damaged is not asked for again, and is what the next one replaces. */
static void the_next_one_has_the_place_of_a_damaged_one(void **state)
{
    const struct checkpoint_policy policy = policy_of(true);
    const struct checkpoint_strip strip = strip_of(true);
    struct checkpoint *checkpoint;
    struct apsp_error error = {0};
    int32_t other = -1;
    (void)state;
    write_some(3, true);
    patch(file[0], 5000, &other, sizeof other);
    assert_int_equal(checkpoint_open(&checkpoint, comm, &policy, N, &error), APSP_OK);
    assert_int_equal(checkpoint_match(checkpoint, &subject, &error), APSP_OK);
    assert_int_equal(checkpoint_matrix_load(checkpoint, &strip, &error), APSP_OK);
    fill(9);
    assert_int_equal(checkpoint_matrix_save(checkpoint, &strip, 9, &error), APSP_OK);
    checkpoint_free(checkpoint, false);
    assert_int_equal(go_on(true, &error), 9);
    assert_filled(9);
    remove(file[0]);
    assert_int_equal(go_on(true, &error), 2);
    assert_filled(2);
    clear();
}

static void work_that_is_done_leaves_nothing(void **state)
{
    const struct checkpoint_policy policy = policy_of(true);
    struct checkpoint *checkpoint;
    struct apsp_error error = {0};
    char stale[100];
    (void)state;
    write_some(2, true);
    snprintf(stale, sizeof stale, "%s/.checkpoint.2.apsp-tmp",
             place); /* of a run that was killed */
    fclose(fopen(stale, "w"));
    assert_int_equal(checkpoint_open(&checkpoint, comm, &policy, N, &error), APSP_OK);
    checkpoint_free(checkpoint, true);
    assert_int_not_equal(access(place, F_OK), 0);
}

/* Asked before steps of a millisecond: the ranks ask one another some hundred times less. */
/* As on a GPU, where the first steps are over when they have begun. */
static void steps_in_no_time_say_little(void **state)
{
    struct checkpoint_policy policy = policy_of(false);
    struct checkpoint *checkpoint;
    struct apsp_error error = {0};
    size_t last = 0;
    (void)state;
    policy.every = 1e-9; /* each time that ranks ask one another */
    assert_int_equal(checkpoint_open(&checkpoint, comm, &policy, N, &error), APSP_OK);
    for (size_t k = 1; k <= 100; k++)
        if (checkpoint_due(checkpoint, k)) {
            assert_true(last == 0 || k <= 4 * last);
            last = k;
        }
    assert_true(last >= 25);
    checkpoint_free(checkpoint, false);
}

static void ranks_seldom_ask_one_another(void **state)
{
    struct checkpoint_policy policy = policy_of(false);
    struct checkpoint *checkpoint;
    struct apsp_error error = {0};
    const struct timespec step = {.tv_nsec = 1000000};
    int due = 0;
    (void)state;
    policy.every = 1e-9; /* each time that they do */
    assert_int_equal(checkpoint_open(&checkpoint, comm, &policy, N, &error), APSP_OK);
    for (size_t k = 1; k <= 300; k++) {
        due += checkpoint_due(checkpoint, k);
        nanosleep(&step, NULL);
    }
    assert_in_range(due, 3, 60);
    checkpoint_free(checkpoint, false);
    assert_int_not_equal(access(place, F_OK),
                         0); /* it has made the folder, and left nothing there */
}

static int make_place(void **state)
{
    if (make_folder(state))
        return -1;
    snprintf(place, sizeof place, "%s/checkpoints", folder);
    for (int i = 0; i < 2; i++)
        snprintf(file[i], sizeof file[i], "%s/checkpoint.%d", place, i + 1);
    return 0;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_youngest_comes_back),
        cmocka_unit_test(an_older_one_takes_its_place),
        cmocka_unit_test(rows_have_their_places),
        cmocka_unit_test(heads_are_refused),
        cmocka_unit_test(a_core_comes_back),
        cmocka_unit_test(the_next_one_has_the_place_of_a_damaged_one),
        cmocka_unit_test(work_that_is_done_leaves_nothing),
        cmocka_unit_test(ranks_seldom_ask_one_another),
        cmocka_unit_test(steps_in_no_time_say_little),
    };
    struct apsp_error error = {0};
    if (comm_solo(&comm, &error))
        return 1;
    int failed = cmocka_run_group_tests(tests, make_place, remove_folder);
    comm_free(comm);
    return failed;
}
