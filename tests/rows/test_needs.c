/* What sinks say that they need, against what they are known to hold. */
#include "unit.h"

#include "rows/sink.h"

/* Host memory for a file of that name, of one lane and a small graph. */
static size_t need_of(const char *path)
{
    const struct results results = {.distances = path};
    const struct sink_task task = {
        .results = &results, .n = 100, .dtype = DTYPE_F64, .file = DTYPE_F64};
    for (size_t k = 0; sink_table[k]; k++)
        if (sink_table[k]->path && sink_table[k]->path(&results))
            return sink_table[k]->need(&task, 1).host;
    return 0;
}

/* One of 16 MiB goes out while the next one is filled. */
static void hdf5_has_two_windows(void **state)
{
    (void)state;
    assert_in_range(need_of("out.h5"), 32 << 20, 48 << 20);
    assert_in_range(need_of("out.npy"), 0, 1 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hdf5_has_two_windows)};
    return cmocka_run_group_tests_name("needs", tests, NULL, NULL) != 0;
}
