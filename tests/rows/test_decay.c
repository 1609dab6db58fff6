/* Rows side by side that differ by a constant (kernels/cpu/decay.h), where some have no path. */
#include "unit.h"

#include "base/dtype.h"
#include "kernels/cpu/decay.h"

#include <math.h>

enum { WIDTH = DECAY_WIDTH };

/* A distance and infinity may differ by as much as two distances do. */
static void infinity_is_no_distance(void **state)
{
    (void)state;
    const struct decay_kernels *kernels = decay_choose();
    const int32_t far = 1 << 29;
    int32_t rows[DECAY_SIDE][WIDTH] = {{0}}, first[WIDTH] = {1, far};
    double base[DECAY_SIDE], offset[WIDTH], extremes[2];
    for (size_t v = 0; v < DECAY_SIDE; v++) {
        rows[v][0] = v ? far : 1;
        rows[v][1] = v ? 2 * far - 1 : far;
    }
    assert_true(kernels->side_class(DTYPE_I32, rows, WIDTH, 2, 2, 0, base, offset, extremes));
    assert_true(offset[1] == INFINITY);
    assert_false(kernels->side_alike(DTYPE_I32, rows, WIDTH, 2, 2, first, base));
    rows[0][1] = first[1] = far - 1;
    rows[1][1]--;
    assert_true(kernels->side_class(DTYPE_I32, rows, WIDTH, 2, 2, 0, base, offset, extremes));
    assert_true(offset[1] == far - 2);
    assert_true(kernels->side_alike(DTYPE_I32, rows, WIDTH, 2, 2, first, base));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(infinity_is_no_distance)};
    return cmocka_run_group_tests_name("decay", tests, NULL, NULL) != 0;
}
