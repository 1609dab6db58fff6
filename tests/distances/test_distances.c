/* distances/: files that apsp has written are read as they were, and files that hold something else
 * are refused.
 */
#include "unit.h"

#include "distances/cells.h"
#include "folder.h"
#include "rows/matrix.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[sizeof folder + 20];
static const enum dtype types[] = {DTYPE_U16, DTYPE_I32, DTYPE_I64, DTYPE_F32, DTYPE_F64, DTYPE_U8};

enum { TYPES = sizeof types / sizeof *types };

static void put_file(const char *name, const void *head, size_t head_bytes, size_t zeros)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(head, 1, head_bytes, file), head_bytes);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(truncate(path, (off_t)(head_bytes + zeros)), 0);
}

/* Of a file that has been opened. */
struct seen {
    enum dtype dtype;
    size_t body, each, bytes;
};

/* Opens the file at `path` as distances of a graph of n vertices; closed again. */
static int open_as(struct seen *seen, size_t n, bool real, struct apsp_error *error)
{
    const struct graph graph = {.path = "the-graph", .n = n, .real = real};
    struct distances distances;
    if (distances_open(&distances, path, &graph, &(struct distances_options){NULL}, error) ==
        APSP_OK) {
        const struct numbers *numbers = &((const struct cells *)distances.own)->numbers;
        *seen =
            (struct seen){distances.dtype, numbers->head.body, numbers->each, distances.file.bytes};
    }
    distances_close(&distances);
    return error->code;
}

static void check_refused(size_t n, const char *word)
{
    struct seen seen = {0};
    struct apsp_error error = {0};
    if (open_as(&seen, n, false, &error) != APSP_INPUT || !strstr(error.text, word))
        fail_msg("'%s' is not in: %s", word, error.text);
    assert_null(strchr(error.text, '\n'));
    assert_non_null(strstr(error.text, path));
}

/* A file of version 1.0 with that text as its head. */
static void put_npy(const char *text, size_t zeros)
{
    char file[600] = "\x93NUMPY\1";
    size_t length = strlen(text);
    file[8] = (char)(length & 255);
    file[9] = (char)(length >> 8);
    memcpy(file + 10, text, length);
    put_file("head.npy", file, 10 + length, zeros);
}

static void heads_are_read_as_they_were_written(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 3, 9, 10, 99, 100, 99999, 100000};
    for (size_t t = 0; t < TYPES; t++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            char head[MATRIX_HEAD_MAX];
            struct seen seen = {0};
            struct apsp_error error = {0};
            size_t n = sizes[k], bytes = matrix_npy.write_head(head, n, n, types[t]);
            size_t all = bytes + n * n * dtype_info[types[t]].bytes;
            assert_int_equal(bytes % 64, 0);
            put_file("out.npy", head, bytes, all - bytes);
            assert_int_equal(matrix_bytes(path, n, n, types[t]), all);
            open_as(&seen, n, dtype_info[types[t]].real, &error);
            assert_string_equal(error.text, "");
            assert_int_equal(seen.dtype, types[t] == DTYPE_U8 ? DTYPE_I64 : types[t]);
            assert_int_equal(seen.each, dtype_info[types[t]].bytes);
            assert_int_equal(seen.body, bytes);
            error = (struct apsp_error){0};
            bool real = dtype_info[types[t]].real;
            assert_int_equal(open_as(&seen, n, !real, &error), APSP_OK); /* the edges tell more */
        }
    }
}

static void entries_are_found(void **state)
{
    (void)state;
    int64_t values[9], row[6];
    char head[MATRIX_HEAD_MAX + sizeof values];
    const struct graph graph = {.path = "g", .n = 3};
    struct distances distances;
    struct apsp_error error = {0};
    size_t bytes = matrix_npy.write_head(head, 3, 3, DTYPE_I64);
    for (int i = 0; i < 9; i++)
        values[i] = i * INT64_C(10000000000);
    memcpy(head + bytes, values, sizeof values);
    put_file("entries.npy", head, bytes + sizeof values, 0);
    assert_int_equal(
        distances_open(&distances, path, &graph, &(struct distances_options){NULL}, &error),
        APSP_OK);
    assert_int_equal(
        distances_read(&distances, (struct range){1, 3}, (struct range){0, 3}, row, &error),
        APSP_OK);
    assert_memory_equal(row, values + 3, sizeof row);
    assert_int_equal(
        distances_read(&distances, (struct range){1, 2}, (struct range){2, 3}, row, &error),
        APSP_OK);
    assert_true(row[0] == values[5]);
    assert_int_equal(truncate(path, (off_t)(bytes + 60)), 0);
    assert_int_equal(
        distances_read(&distances, (struct range){2, 3}, (struct range){0, 3}, row, &error),
        APSP_IO);
    distances_close(&distances);
}

/* What NumPy, or somebody else, may write as well. */
static void other_spellings_are_read(void **state)
{
    (void)state;
    const char *const texts[] = {
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2)}",
        "{\"shape\":(2,2,),\"fortran_order\":False,\"descr\":\"<i4\"}\n",
        "  {  'fortran_order' : False ,\t'shape' : ( 2 , 2 ) , 'descr' : '<i4' , }   \n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct seen seen = {0};
        struct apsp_error error = {0};
        put_npy(texts[i], 16);
        open_as(&seen, 2, false, &error);
        assert_string_equal(error.text, "");
        assert_int_equal(seen.body, 10 + strlen(texts[i]));
    }
    const char second[] =
        "\x93NUMPY\2\0\71\0\0\0{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2)}";
    struct seen seen = {0};
    struct apsp_error error = {0};
    put_file("two.npy", second, sizeof second - 1, 16);
    assert_int_equal(open_as(&seen, 2, false, &error), APSP_OK);
    assert_int_equal(seen.body, 12 + 57);
}

static void bad_heads_are_refused(void **state)
{
    (void)state;
#define PUT(text, zeros) put_file("bad.npy", text, sizeof(text) - 1, zeros)
    PUT("", 0), check_refused(2, "not a .npy file");
    PUT("\x93NUMP", 0), check_refused(2, "not a .npy file");
    PUT("\x93NUMPY\1\0", 0), check_refused(2, "not a .npy file");
    PUT("\x93NUMPX\1\0\0\0", 100), check_refused(2, "not a .npy file");
    PUT("\x93NUMPY\4\0\0\0", 100), check_refused(2, "version 4.0");
    PUT("\x93NUMPY\1\1\0\0", 100), check_refused(2, "version 1.1");
    PUT("\x93NUMPY\1\0\377\377", 100000), check_refused(2, "head of 65535 bytes");
    PUT("\x93NUMPY\1\0\100\0", 63), check_refused(2, "head of 64 bytes");
    PUT("\x93NUMPY\2\0\377\377\377\377", 63), check_refused(2, "head of 4294967295 bytes");
    PUT("\x93NUMPY\2\0\1", 0), check_refused(2, "not a .npy file");
    PUT("\x93NUMPY\2\0\1\0\0", 0), check_refused(2, "head of 1 bytes");
    PUT("\x93NUMPY\1\0\20\0", 16), check_refused(2, "byte 10: the head is not text");
#undef PUT
    static const struct {
        const char *text, *word;
    } cases[] = {
        {"", "not that of an array"},
        {"{}", "not that of an array"},
        {"{'descr': '<i4', 'fortran_order': False}", "not that of an array"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2)", "not that of an array"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2)}}", "not that of an array"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), 'more': 1}",
         "not that of an array"},
        {"{'descr': '<i4', 'fortran_order': 0, 'shape': (2, 2)}", "not that of an array"},
        {"{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (2, 2)}",
         "not that of an array"},
        {"{'descr': '<i4, 'fortran_order': False, 'shape': (2, 2)}", "not that of an array"},
        {"{'descr': '<i4\\', 'fortran_order': False, 'shape': (2, 2)}", "not that of an array"},
        {"{'descr': '<i444444444444444444444444444444444444', 'fortran_order': False, 'shape': (2, "
         "2)}",
         "not that of an array"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (-2, 2)}", "not that of an array"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (18446744073709551618, 2)}",
         "not that of an array"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2}", "not that of an array"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': 2}", "not that of an array"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': ()}", "0 dimensions"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (4,)}", "1 dimension"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2, 1)}", "3 dimensions"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)}", "2 x 3"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (4294967298, 2)}", "4294967298 x 2"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (2, 2)}", "'<c8'"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (2, 2)}", "'|O'"},
        {"{'descr': '', 'fortran_order': False, 'shape': (2, 2)}", "''"},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (2, 2)}", "16 bytes after it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_npy(cases[i].text, 16);
        check_refused(2, cases[i].word);
    }
}

static void sizes_are_checked(void **state)
{
    (void)state;
    put_npy("{'descr': '<f2', 'fortran_order': False, 'shape': (2, 2)}", 8);
    check_refused(2, "do not hold distances");
    put_npy("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2)}", 4);
    check_refused(2, "do not hold distances");
    put_npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2)}", 15);
    check_refused(2, "15 bytes");
    put_npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2)}", 17);
    check_refused(2, "17 bytes");
    put_file("raw", "", 0, 17);
    check_refused(2, "take 16");
    put_file("raw", "", 0, 16);
    struct seen seen = {0};
    struct apsp_error error = {0};
    assert_int_equal(open_as(&seen, 2, false, &error), APSP_OK);
    assert_int_equal(seen.dtype, DTYPE_I32);
    assert_int_equal(seen.body, 0);
    snprintf(path, sizeof path, "%s", folder);
    assert_int_equal(open_as(&seen, 2, false, &error), APSP_IO);
}

/* Reads all of the file at `path`, of a graph of three vertices. */
static int read_all(const struct distances_options *options, int64_t values[9],
                    struct apsp_error *error)
{
    const struct graph graph = {.path = "g", .n = 3};
    struct distances distances;
    *error = (struct apsp_error){0};
    if (distances_open(&distances, path, &graph, options, error) == APSP_OK)
        distances_read(&distances, (struct range){0, 3}, (struct range){0, 3},
                       (union value *)values, error);
    distances_close(&distances);
    return error->code;
}

#define PAIRS "from,to,distance\n0,1,5\n0,2,7\n"

static void pairs_are_read_or_refused(void **state)
{
    static const char right_pairs[] = PAIRS "1,2,9\n";
    static const struct {
        const char *text, *word;
    } wrong[] = {
        {PAIRS "0,1,5\n1,2,9\n", "vertex 1 is listed twice"},
        {PAIRS "1,2,9\n0,1,5\n", "vertex 0 has pairs in two blocks"},
        {PAIRS "1,2,9z\n", "expected a distance, found '9z'"},
        {PAIRS "1,2\n", "three fields"},
        {PAIRS "1,3,9\n", "3"},
    };
    static const int64_t right[] = {0, 5, 7, INF_I64, 0, 9, INF_I64, INF_I64, 0};
    const struct distances_options options = {NULL};
    int64_t values[9];
    struct apsp_error error;
    (void)state;
    put_file("right.csv", right_pairs, sizeof right_pairs - 1, 0);
    assert_int_equal(read_all(&options, values, &error), APSP_OK);
    assert_memory_equal(values, right, sizeof right);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        put_file("wrong.csv", wrong[k].text, strlen(wrong[k].text), 0);
        assert_int_equal(read_all(&options, values, &error), APSP_INPUT);
        if (!strstr(error.text, wrong[k].word))
            fail_msg("'%s' is not in: %s", wrong[k].word, error.text);
    }
}

/* The option --scale and the file beside the distances name one number. */
static void scales_do_not_contradict_each_other(void **state)
{
    static const char *const asked[] = {NULL, "10", "1e1", "100", "2"};
    const int32_t values[] = {0, 15, 20, 15, 0, 5, 20, 5, 0};
    (void)state;
    put_file("scaled.i32.scale", "10\n", 3, 0);
    put_file("scaled.i32", values, sizeof values, 0);
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        const struct distances_options options = {.scale = asked[k]};
        struct apsp_error error;
        union value read[9];
        if (k < 3) {
            assert_int_equal(read_all(&options, (int64_t *)read, &error), APSP_OK);
            continue;
        }
        assert_int_equal(read_all(&options, (int64_t *)read, &error), APSP_INPUT);
        assert_non_null(
            strstr(error.text, "divides by 10, but the file beside it divides by another"));
    }
}

/* Bytes of a good head changed at random: never more than a refusal. */
static void damaged_heads_do_no_harm(void **state)
{
    (void)state;
    srand(5);
    for (int round = 0; round < 2000; round++) {
        char head[MATRIX_HEAD_MAX];
        struct seen seen = {0};
        struct apsp_error error = {0};
        size_t bytes = matrix_npy.write_head(head, 2, 2, types[rand() % TYPES]);
        for (int k = rand() % 4; k >= 0; k--)
            head[(size_t)rand() % bytes] = (char)rand();
        put_file("damaged.npy", head, (size_t)rand() % 3 ? bytes : (size_t)rand() % bytes,
                 (size_t)rand() % 40);
        if (open_as(&seen, 2, false, &error) == APSP_OK)
            assert_int_equal(seen.bytes, seen.body + 4 * seen.each);
        else
            assert_int_equal(error.code, APSP_INPUT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_are_read_as_they_were_written),
        cmocka_unit_test(entries_are_found),
        cmocka_unit_test(other_spellings_are_read),
        cmocka_unit_test(bad_heads_are_refused),
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(pairs_are_read_or_refused),
        cmocka_unit_test(scales_do_not_contradict_each_other),
        cmocka_unit_test(damaged_heads_do_no_harm),
    };
    return cmocka_run_group_tests_name("distances", tests, make_folder, remove_folder) != 0;
}
