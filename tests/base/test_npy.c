/* npy.c: heads as NumPy may write them, and where they end. */
#include "unit.h"

#include "base/npy.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD_MOST = 4096, ROOM = 2 * HEAD_MOST };

static char bytes[ROOM + 1];

/* A file of that version; the text is filled with blanks to that length. Returns its bytes. */
static size_t make_file(int version, const char *text, size_t length)
{
    size_t at = version == 1 ? 10 : 12;
    memset(bytes, ' ', sizeof bytes);
    memcpy(bytes, NPY_MAGIC, 6);
    bytes[6] = (char)version;
    bytes[7] = 0;
    for (size_t i = 8; i < at; i++)
        bytes[i] = (char)(length >> 8 * (i - 8));
    memcpy(bytes + at, text, strlen(text));
    return at + length;
}

/* Of what lies at `from` in so many bytes. */
static int read_at(struct npy *npy, size_t from, size_t length, const char *words)
{
    struct apsp_error error = {0};
    const struct file file = file_in_memory("file.npy", bytes, length);
    int code = npy_read(npy, &file, (struct range){from, length}, &error);
    if (words && !strstr(error.text, words))
        fail_msg("'%s' is not in: %s", words, error.text);
    return code;
}

static void check_text(const char *text, const char *words)
{
    struct npy npy;
    size_t length = make_file(1, text, strlen(text));
    assert_int_equal(read_at(&npy, 0, length, words), words ? APSP_INPUT : APSP_OK);
}

#define HEAD "{'descr': '<i4', 'fortran_order': False, 'shape': (3, 4), }"

static void heads_are_understood(void **state)
{
    struct npy npy;
    (void)state;
    for (int version = 1; version <= 3; version++) {
        size_t length = make_file(version, HEAD, 118);
        assert_int_equal(read_at(&npy, 0, length, NULL), APSP_OK);
        assert_string_equal(npy.type, "<i4");
        assert_false(npy.columns);
        assert_true(npy.dimensions == 2 && npy.shape[0] == 3 && npy.shape[1] == 4);
        assert_int_equal(npy.body, length);
    }
    check_text("{\"shape\":(7,),\"fortran_order\":True,\"descr\":\"|b1\"}\n", NULL);
    make_file(1, "{'descr': 'f', 'fortran_order': True, 'shape': (18446744073709551615, 2, 3)}",
              80);
    assert_int_equal(read_at(&npy, 0, 90, NULL), APSP_OK);
    assert_true(npy.columns && npy.dimensions == 3 && npy.shape[0] == SIZE_MAX &&
                npy.shape[1] == 2);
    check_text("{'descr': '<i4', 'fortran_order': False, 'shape': ()}", NULL);
}

static void other_texts_are_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "{",
        "{}",
        "{'descr': '<i4'}",
        "{'descr': '<i4', 'fortran_order': False}",
        "{'descr': '<i4', 'shape': (3, 4)}",
        "{'fortran_order': False, 'shape': (3, 4)}",
        HEAD " x",
        "{'descr': '<i4', 'fortran_order': None, 'shape': (3, 4)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (3 4)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (3, -4)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (18446744073709551616, 2)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': 3}",
        "{'descr': '<i4, 'shape': (3, 4)}",
        "{'descr': '\\x3ci4', 'fortran_order': False, 'shape': (3, 4)}",
        "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (3, 4)}",
        "{'more': 1, 'descr': '<i4', 'fortran_order': False, 'shape': (3, 4)}",
        "{'descr': '<i4' 'fortran_order': False, 'shape': (3, 4)}"};
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        check_text(texts[k], "not that of an array of numbers");
}

/* 31 bytes of a type fit with the zero behind them. */
static void types_have_a_limit(void **state)
{
    char text[200];
    struct npy npy;
    (void)state;
    for (int length = NPY_TYPE - 2; length <= NPY_TYPE + 2; length++) {
        snprintf(text, sizeof text, "{'descr': '%0*d', 'fortran_order': False, 'shape': (3, 4)}",
                 length, 7);
        check_text(text, length < NPY_TYPE ? NULL : "not that of an array of numbers");
    }
    snprintf(text, sizeof text, "{'descr': '%0*d', 'fortran_order': False, 'shape': (3, 4)}",
             NPY_TYPE - 1, 7);
    read_at(&npy, 0, make_file(1, text, strlen(text)), NULL);
    assert_int_equal(strlen(npy.type), NPY_TYPE - 1);
}

static void heads_have_a_limit(void **state)
{
    struct npy npy;
    (void)state;
    for (int version = 1; version <= 2; version++) {
        assert_int_equal(read_at(&npy, 0, make_file(version, HEAD, HEAD_MOST), NULL), APSP_OK);
        assert_int_equal(read_at(&npy, 0, make_file(version, HEAD, HEAD_MOST + 1), "4096 at most"),
                         APSP_INPUT);
    }
}

/* Every shorter file is refused by what it lacks, and nothing beyond its end is read. */
static void heads_end_in_their_file(void **state)
{
    struct npy npy;
    (void)state;
    for (int version = 1; version <= 2; version++) {
        size_t length = make_file(version, HEAD, 118);
        for (size_t known = 0; known < length; known++) {
            char *copy = malloc(known + 1);
            struct apsp_error error = {0};
            assert_non_null(copy);
            memcpy(copy, bytes, known);
            const struct file file = file_in_memory("file.npy", copy, known);
            assert_int_equal(npy_read(&npy, &file, (struct range){0, known}, &error), APSP_INPUT);
            free(copy);
        }
        /* A member of an archive ends before the file does. */
        struct apsp_error error = {0};
        const struct file file = file_in_memory("file.npz", bytes, ROOM);
        assert_int_equal(npy_read(&npy, &file, (struct range){0, length - 1}, &error), APSP_INPUT);
        assert_int_equal(npy_read(&npy, &file, (struct range){0, length}, &error), APSP_OK);
    }
}

static void other_files_are_refused(void **state)
{
    struct npy npy;
    size_t length = make_file(1, HEAD, 118);
    (void)state;
    bytes[5]++;
    read_at(&npy, 0, length, "this is not a .npy file");
    length = make_file(4, HEAD, 118);
    read_at(&npy, 0, length, "version 4.0");
    length = make_file(1, HEAD, 118);
    bytes[7] = 1;
    read_at(&npy, 0, length, "version 1.1");
    length = make_file(1, HEAD, 118);
    bytes[20] = '\0';
    read_at(&npy, 0, length, "byte 20: the head is not text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_are_understood),    cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(types_have_a_limit),      cmocka_unit_test(heads_have_a_limit),
        cmocka_unit_test(heads_end_in_their_file), cmocka_unit_test(other_files_are_refused)};
    return cmocka_run_group_tests_name("npy", tests, NULL, NULL);
}
