/* matrix.c and npy.c: which files are written how. That they are read again is in tests/distances.
 */
#include "unit.h"

#include "rows/matrix.h"

#include <string.h>

static const enum dtype types[] = {DTYPE_I32, DTYPE_I64, DTYPE_F32, DTYPE_F64, DTYPE_U8};

enum { TYPES = sizeof types / sizeof *types };

static void suffixes_choose_the_format(void **state)
{
    (void)state;
    const char *const raw[] = {"", "a", "npy", "a.npy.bin", "a.NPY"}, *const npy[] = {"a.npy",
                                                                                      "b/c.npy"};
    for (size_t i = 0; i < sizeof raw / sizeof *raw; i++)
        assert_false(matrix_format_of(raw[i])->typed);
    for (size_t i = 0; i < sizeof npy / sizeof *npy; i++)
        assert_ptr_equal(matrix_format_of(npy[i]), &matrix_npy);
    for (size_t i = 0; i < TYPES; i++) {
        struct apsp_error error = {0};
        char name[8];
        snprintf(name, sizeof name, "a.%s", dtype_info[types[i]].name);
        assert_int_equal(matrix_check_type("a.npy", types[i], &error), APSP_OK);
        assert_int_equal(matrix_check_type(name, types[i], &error), APSP_OK);
        assert_int_equal(matrix_check_type("a.bin", types[i], &error),
                         i == 0 ? APSP_OK : APSP_INPUT);
        assert_true(i == 0 || strstr(error.text, ".npy"));
        error = (struct apsp_error){0};
        assert_int_equal(matrix_check_type("a.u16", types[i], &error), APSP_INPUT);
    }
}

static void bytes_are_counted(void **state)
{
    (void)state;
    char head[MATRIX_HEAD_MAX];
    assert_int_equal(matrix_npy.write_head(head, INT32_MAX, INT32_MAX, DTYPE_I64), 128);
    assert_true(matrix_bytes("a.npy", INT32_MAX, INT32_MAX, DTYPE_I32) ==
                128 + (size_t)INT32_MAX * INT32_MAX * 4);
    assert_true(matrix_bytes("a.npy", (size_t)1 << 33, (size_t)1 << 33, DTYPE_F64) == SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suffixes_choose_the_format),
        cmocka_unit_test(bytes_are_counted),
    };
    return cmocka_run_group_tests_name("matrix", tests, NULL, NULL) != 0;
}
