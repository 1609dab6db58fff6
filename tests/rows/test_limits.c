/* choose.c: the largest multiple that is not beyond a limit, against all multiples about it. */
#include "unit.h"

#include "base/random.h"
#include "rows/choose.h"

#include <math.h>

enum { ABOUT = 2000 };

/* Multiples come in the order of their values. */
static int64_t most_of(struct scale scale, double within)
{
    int64_t most = -ABOUT;
    for (int64_t whole = -ABOUT; whole <= ABOUT; whole++)
        most = scale_value(scale, whole) <= within ? whole : most;
    return most;
}

static void no_multiple_is_beyond_the_limit(void **state)
{
    static const struct scale scales[] = {{0}, {.power = 1}, {.power = 2}, {true, 2}, {true, -1}};
    uint64_t random = 3;
    (void)state;
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++)
        for (int trial = 0; trial < 300; trial++) {
            const double within = ((double)random_below(&random, 4000) - 2000) / 250;
            const int64_t right = most_of(scales[k], within);
            assert_true(choose_most(DTYPE_I32, scales[k], within).whole == right);
            assert_true(choose_most(DTYPE_I64, scales[k], within).whole == right);
        }
}

static void limits_beyond_the_type(void **state)
{
    const struct scale tenths = {.power = 1};
    (void)state;
    for (int dtype = DTYPE_U16; dtype <= DTYPE_I64; dtype++) {
        const int64_t unreachable = dtype_info[dtype].unreachable;
        assert_true(choose_most((enum dtype)dtype, tenths, INFINITY).whole == unreachable - 1);
        assert_true(choose_most((enum dtype)dtype, tenths, -INFINITY).whole == -unreachable);
    }
    assert_true(choose_most(DTYPE_F64, tenths, INFINITY).real < INFINITY);
    assert_true(choose_most(DTYPE_F32, tenths, 0.25).real == 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_multiple_is_beyond_the_limit),
        cmocka_unit_test(limits_beyond_the_type),
    };
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL) != 0;
}
