/* rows.c: the time of a pass is divided among making rows and the sinks as they took it. */
#include "unit.h"

#include "base/clock.h"
#include "rows/rows.h"

#include <unistd.h>

enum { N = 4, MAKING = 10000, SLOW = 40000, QUICK = 5000 }; /* microseconds for a row */

static bool next_row(void *self, int lane, struct block *block, struct apsp_error *error)
{
    static const int32_t row[N];
    size_t *next = self;
    (void)lane;
    (void)error;
    if (*next == N)
        return false;
    usleep(MAKING);
    *block = (struct block){
        .n = N, .count = 1, .first = (*next)++, .dtype = DTYPE_I32, .values = row, .stride = N};
    return true;
}

/* The state is how long it takes. */
static int take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    (void)lane;
    (void)block;
    usleep(*(const useconds_t *)sink->state);
    return error->code;
}

/* A sleep lasts as long as it was asked to, or longer. What the others take for certain is not its.
 */
static void sinks_have_their_own_seconds(void **state)
{
    static const struct sink_ops ops = {.name = "sleep", .works = true, .take = take};
    useconds_t took[] = {SLOW, QUICK};
    const double making = N * MAKING / 1e6, slow = N * SLOW / 1e6, quick = N * QUICK / 1e6;
    struct comm *comm = NULL;
    struct apsp_error error = {0};
    (void)state;
    assert_int_equal(comm_solo(&comm, &error), APSP_OK);
    const struct sink_task task = {.n = N, .dtype = DTYPE_I32, .comm = comm};
    struct sinks sinks = {.count = 2,
                          .at = {{.ops = &ops, .task = &task, .state = &took[0]},
                                 {.ops = &ops, .task = &task, .state = &took[1]}}};
    const double begun = clock_seconds();
    for (int pass = 1; pass <= 2; pass++) {
        size_t next = 0;
        struct rows_maker maker = {
            .self = &next, .lanes = 1, .rows = N, .next = next_row, .work = 1};
        struct progress progress = {0};
        assert_int_equal(rows_pass(&maker, &sinks, &progress, &error), APSP_OK);
        const double all = clock_seconds() - begun, rest = all - pass * (making + slow + quick);
        assert_true(maker.seconds >= making);
        assert_true(sinks.at[0].seconds >= pass * slow);
        assert_true(sinks.at[1].seconds >= pass * quick);
        assert_true(sinks.at[1].seconds <= pass * quick + rest);
    }
    comm_free(comm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sinks_have_their_own_seconds)};
    return cmocka_run_group_tests_name("pass", tests, NULL, NULL);
}
