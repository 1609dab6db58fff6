/* hdf5_write.c and hdf5_read.c: what is written is read again, and a file that holds something else
 * is refused. Skipped without the library. */
#include "unit.h"

#include "base/hdf5.h"
#include "folder.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS = 7, COLUMNS = 300 };
static char path[sizeof folder + 20];

static void need_library(void)
{
    struct apsp_error error = {0};
    if (hdf5_load("test.h5", true, APSP_USAGE, &error) == APSP_OK)
        return;
    assert_int_equal(error.code, APSP_USAGE);
    assert_non_null(strstr(error.text, "install the package"));
    skip();
}

/* Every type's own bytes; every third is unreachable, and the fourth row is noise, which nothing
 * compresses.
 */
static void make_row(void *row, size_t i, enum dtype dtype)
{
    for (size_t j = 0; j < COLUMNS; j++) {
        const int64_t unreachable = dtype_info[dtype].unreachable;
        const int64_t whole = i == 3                 ? (int64_t)(random() % 200)
                              : (int64_t)(i + j) % 3 ? (int64_t)(i * j % 250)
                                                     : unreachable;
        const double real = i == 3 ? drand48() : (i + j) % 3 ? (double)whole / 8 : INFINITY;
        if (dtype == DTYPE_F64)
            ((double *)row)[j] = real;
        else if (dtype == DTYPE_F32)
            ((float *)row)[j] = (float)real;
        else
            memcpy((char *)row + j * dtype_info[dtype].bytes, &whole, dtype_info[dtype].bytes);
    }
}

static const char *name_of(const void *self, size_t i)
{
    static const char *const names[] = {"a", "", "with blank", "\xc3\xa9"};
    (void)self;
    return names[i % 4];
}

/* The rows go in from the last to the first. */
static void write_file(enum dtype dtype, unsigned char all[ROWS][COLUMNS * 8])
{
    struct apsp_error error = {0};
    struct hdf5 *hdf5;
    unsigned char packed[COLUMNS * 8 + 1], room[COLUMNS * 8];
    snprintf(path, sizeof path, "%s/out.h5", folder);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "garbage", 7), 7);
    const struct hdf5_plan plan = {path, fd, ROWS, COLUMNS, dtype};
    const struct hdf5_labels names = {.count = 5000, .text = name_of};
    hdf5_create(&hdf5, &plan, &error);
    hdf5_put_text(hdf5, "graph", "a graph", &error);
    hdf5_put_number(hdf5, "edges", 12, &error);
    hdf5_put_unreachable(hdf5, &error);
    hdf5_put_labels(hdf5, "sources", &names, &error);
    hdf5_put_link(hdf5, "sources", "targets", &error);
    for (size_t i = ROWS; i-- > 0;) {
        make_row(all[i], i, dtype);
        size_t bytes = hdf5_pack(packed, all[i], COLUMNS, dtype, room);
        assert_in_range(bytes, 1, hdf5_packed_most(COLUMNS, dtype));
        hdf5_put_row(hdf5, i, packed, bytes, &error);
    }
    hdf5_finish(hdf5, &error);
    assert_string_equal(error.text, "");
    hdf5_close(hdf5);
    close(fd);
}

static void check_value(enum dtype dtype, const void *values, size_t at, const unsigned char *row,
                        size_t j)
{
    const size_t each = dtype_info[dtype].bytes;
    int64_t whole = 0;
    float single;
    memcpy(&whole, row + j * each, each);
    memcpy(&single, row + j * each, sizeof single);
    if (dtype == DTYPE_F32)
        assert_true(((const double *)values)[at] == (double)single);
    else
        assert_true(((const int64_t *)values)[at] == whole); /* of f64 the bits */
}

static void what_is_written_is_read(void **state)
{
    static unsigned char all[ROWS][COLUMNS * 8];
    (void)state;
    need_library();
    for (int type = 0; type < DTYPE_ALL; type++) {
        const struct dtype_info *info = &dtype_info[type];
        struct apsp_error error = {0};
        struct hdf5_shape shape;
        struct hdf5 *hdf5;
        int64_t values[3 * COLUMNS];
        write_file((enum dtype)type, all);
        assert_int_equal(hdf5_open(&hdf5, path, &shape, &error), APSP_OK);
        assert_int_equal(shape.rows, ROWS);
        assert_int_equal(shape.columns, COLUMNS);
        assert_int_equal(shape.real, info->real);
        assert_int_equal(shape.bytes, info->bytes);
        assert_int_equal(shape.natural, info->natural);
        assert_true(shape.has_unreachable);
        assert_true(info->real ? isinf(shape.unreachable.real)
                               : shape.unreachable.whole == info->unreachable);
        for (size_t lo = 0; lo + 3 <= ROWS; lo++) {
            assert_int_equal(hdf5_read(hdf5, (struct range){lo, lo + 3}, values, &error), APSP_OK);
            for (size_t k = 0; k < 3 * COLUMNS; k++)
                check_value((enum dtype)type, values, k, all[lo + k / COLUMNS], k % COLUMNS);
        }
        assert_int_equal(hdf5_read(hdf5, (struct range){ROWS - 1, ROWS + 1}, values, &error),
                         APSP_IO);
        hdf5_close(hdf5);
    }
}

static void expect_refused(enum apsp_status code, const char *words)
{
    struct apsp_error error = {0};
    struct hdf5_shape shape;
    struct hdf5 *hdf5;
    if ((int)hdf5_open(&hdf5, path, &shape, &error) != (int)code || !strstr(error.text, words))
        fail_msg("'%s' is not in: %s", words, error.text);
    hdf5_close(hdf5);
}

static void other_files_are_refused(void **state)
{
    static unsigned char all[ROWS][COLUMNS * 8];
    (void)state;
    need_library();
    snprintf(path, sizeof path, "%s/none.h5", folder);
    expect_refused(APSP_IO, "No such file");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("this is text", file);
    fclose(file);
    expect_refused(APSP_IO, "cannot be read as HDF5");
    write_file(DTYPE_I32, all);
    assert_int_equal(truncate(path, 1500), 0);
    expect_refused(APSP_IO, "cannot be read");
}

/* Any byte may be another one: the file is refused, or gives some numbers. */
static void damaged_files_do_no_harm(void **state)
{
    static unsigned char all[ROWS][COLUMNS * 8];
    struct stat status;
    (void)state;
    need_library();
    write_file(DTYPE_U16, all);
    assert_int_equal(stat(path, &status), 0);
    int fd = open(path, O_RDWR);
    for (off_t at = 0; at < status.st_size; at += at < 4096 ? 3 : 61) {
        struct apsp_error error = {0};
        struct hdf5_shape shape;
        struct hdf5 *hdf5;
        int64_t values[COLUMNS];
        unsigned char byte, other;
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        other = (unsigned char)~byte;
        assert_int_equal(pwrite(fd, &other, 1, at), 1);
        if (hdf5_open(&hdf5, path, &shape, &error) == APSP_OK && shape.columns == COLUMNS &&
            shape.rows == ROWS)
            for (size_t i = 0; i < ROWS && !error.code; i++)
                hdf5_read(hdf5, (struct range){i, i + 1}, values, &error);
        hdf5_close(hdf5);
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    }
    close(fd);
}

static void names_tell(void **state)
{
    (void)state;
    assert_true(hdf5_is_named("a.h5") && hdf5_is_named("b/c.hdf5"));
    assert_false(hdf5_is_named(NULL) || hdf5_is_named("h5") || hdf5_is_named("a.h5.npy") ||
                 hdf5_is_named("a.H5"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_tell), cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(other_files_are_refused), cmocka_unit_test(damaged_files_do_no_harm)};
    return cmocka_run_group_tests_name("hdf5", tests, make_folder, remove_folder) != 0;
}
