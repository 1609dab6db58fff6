/* The rows that sinks want, as one list. */
#include "unit.h"

#include "rows/rows.h"
#include "rows/sources.h"

#include <stdlib.h>

struct list {
    size_t count, row[6];
};

static const size_t *wants(const struct sink *sink, size_t *count)
{
    const struct list *list = sink->state;
    *count = list->count;
    return list->row;
}

/* The list of sinks that want these. */
static void check_list(struct list *lists, int count, unsigned char *done, const struct list *right)
{
    static const struct sink_ops ops = {.wants = wants};
    static const struct sink_task task = {.n = 8};
    struct sinks sinks = {.count = count, .done = done};
    struct rows_request request = {0};
    struct apsp_error error = {0};
    size_t *list;
    for (int s = 0; s < count; s++)
        sinks.at[s] = (struct sink){.ops = &ops, .task = &task, .state = &lists[s]};
    assert_int_equal(rows_list(&request, &list, &sinks, &error), APSP_OK);
    assert_int_equal(request.count, right->count);
    assert_memory_equal(request.list, right->row, right->count * sizeof *right->row);
    free(list);
}

static void each_row_comes_once_and_in_order(void **state)
{
    struct list lists[] = {{3, {1, 4, 6}}, {4, {0, 4, 5, 7}}, {1, {1}}, {0, {0}}};
    struct list turned[] = {lists[2], lists[1], lists[3], lists[0]};
    static const struct list right = {6, {0, 1, 4, 5, 6, 7}};
    (void)state;
    check_list(lists, 1, NULL, &lists[0]);
    check_list(lists, 4, NULL, &right);
    check_list(turned, 4, NULL, &right);
}

static void rows_that_are_done_are_left_out(void **state)
{
    struct list lists[] = {{3, {1, 4, 6}}, {4, {0, 4, 5, 7}}};
    unsigned char done[8] = {[1] = 1, [3] = 1, [4] = 1};
    static const struct list right = {4, {0, 5, 6, 7}};
    (void)state;
    check_list(lists, 2, done, &right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_comes_once_and_in_order),
        cmocka_unit_test(rows_that_are_done_are_left_out),
    };
    return cmocka_run_group_tests_name("wanted", tests, NULL, NULL) != 0;
}
