/* check.c on ranks: how far they go once one of them has found a row that is wrong, and which they
 * tell. */
#include "unit.h"

#include "distances/check.h"
#include "distances/format.h"
#include "make_csr.h"

#include <string.h>
#include <time.h>

enum { N = 700, ROWS = N - 1 }; /* not all, so that each is read by itself */

static struct comm *comm;
static struct csr no_edges;
static size_t wrong[2]; /* both rows that may be the place in the choice */
static size_t rows_read;
static long first_ms,
    others_ms; /* to read the rows of the first place, and any other one of ranks but 0 */

static void wait_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* No vertex leads anywhere; a wrong row says that 5 lead to the next. */
static int read_rows(const struct distances *distances, struct range rows, struct range columns,
                     union value *values, struct apsp_error *error)
{
    (void)distances;
    rows_read++;
    wait_ms(rows.lo < 2 ? first_ms : comm->rank > 0 ? others_ms : 0);
    for (size_t v = columns.lo; v < columns.hi; v++)
        values[v].whole = v == rows.lo ? 0 : INF_I32;
    for (int k = 0; k < 2; k++)
        if (wrong[k] == rows.lo || wrong[k] + 1 == rows.lo)
            values[(rows.lo + 1) % N].whole = 5;
    return error->code;
}

static const struct distances_format format = {.name = "made", .read = read_rows};

static int run(struct check_result *result, struct apsp_error *error)
{
    const struct graph graph = {.n = N};
    const struct distances distances = {
        .format = &format,
        .graph = &graph,
        .rows = N,
        .columns = N,
        .dtype = DTYPE_I32,
        .unreachable = {.count = 1, .value = {{.is_whole = true, .whole = INF_I32}}}};
    const struct check_task task = {.distances = &distances,
                                    .name = "made",
                                    .comm = comm,
                                    .threads = 1,
                                    .rows = ROWS,
                                    .seed = 3,
                                    .certificate.edges = &no_edges};
    *error = (struct apsp_error){0};
    rows_read = 0;
    return check_rows(&task, result, error);
}

static void right_rows_are_all_read(void **state)
{
    struct check_result result;
    struct apsp_error error;
    (void)state;
    wrong[0] = wrong[1] = N + 1;
    assert_int_equal(run(&result, &error), APSP_OK);
    assert_int_equal(result.rows, ROWS);
    assert_int_equal(comm_sum(comm, rows_read), ROWS);
}

/* Found at once by rank 0: the others, which are slow, leave most of theirs. */
static void a_wrong_row_ends_it_for_all(void **state)
{
    struct check_result result;
    struct apsp_error error;
    (void)state;
    wrong[0] = wrong[1] = 0;
    others_ms = 50;
    assert_int_equal(run(&result, &error), APSP_REFUTED);
    others_ms = 0;
    assert_non_null(strstr(error.text, "no path has the distance 5"));
    assert_true(rows_read < ROWS / (size_t)comm->ranks / 2);
}

/* The first one is told, however late it is found. */
static void the_first_row_is_told(void **state)
{
    struct check_result result;
    struct apsp_error error;
    (void)state;
    wrong[0] = 0;
    wrong[1] = 5;
    first_ms = 200;
    assert_int_equal(run(&result, &error), APSP_REFUTED);
    first_ms = 0;
    assert_true(strstr(error.text, "row 0: ") || strstr(error.text, "row 1: "));
}

/* Each thread has room for one read, of 16 MiB at most however many rows there are. */
static void memory_for_reads_is_bounded(void **state)
{
    enum { THREADS = 3, LARGE = 20000, READ = 16 << 20 };
    const struct graph graph = {.n = LARGE};
    const struct distances distances = {
        .format = &format, .graph = &graph, .columns = LARGE, .dtype = DTYPE_I32};
    struct check_task task = {.distances = &distances, .comm = comm, .threads = THREADS};
    (void)state;
    for (size_t rows = 1; rows <= LARGE; rows = 2 * rows + 1) {
        struct distances some = distances;
        some.rows = task.rows = rows;
        task.distances = &some;
        assert_true(check_need(&task) <= THREADS * (size_t)READ + rows * sizeof(size_t));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_rows_are_all_read),
        cmocka_unit_test(a_wrong_row_ends_it_for_all),
        cmocka_unit_test(the_first_row_is_told),
        cmocka_unit_test(memory_for_reads_is_bounded),
    };
    struct apsp_error error = {0};
    if (comm_init(&comm, 0, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return error.code;
    }
    no_edges = make_csr(N, false, NULL, 0);
    int status = cmocka_run_group_tests_name("check", tests, NULL, NULL) != 0;
    csr_free(&no_edges);
    comm_free(comm);
    comm_finish();
    return status;
}
