/* Questions for rows and tables of distances. */
#include "library/library.h"

/* Whether values[] may have so many rows, of so many columns. */
static int check_room(const struct apsp_solution *solution, const struct library_rows *rows,
                      const void *values, size_t stride, struct apsp_error *error)
{
    size_t columns = rows->targets ? rows->targets->count : solution->facts.vertices;
    size_t bytes = rows->made ? rows->made : dtype_info[solution->solver->sink_task.file].bytes;
    if (!values && rows->count > 0 && library_is_alone(solution))
        error_set(error, APSP_USAGE, "NULL: expected room for %zu rows", rows->count);
    if (stride < columns)
        error_set(error, APSP_USAGE, "stride %zu is less than the %zu entries of a row", stride,
                  columns);
    if (rows->count > 0 && stride > SIZE_MAX / bytes / rows->count)
        error_set(error, APSP_USAGE, "stride %zu: %zu such rows exceed the address space", stride,
                  rows->count);
    return error->code;
}

int library_check_list(const char *name, const uint32_t *list, size_t count, size_t n,
                       struct apsp_error *error)
{
    for (size_t k = 0; list && k < count && !error->code; k++)
        if (list[k] >= n)
            error_set(error, APSP_USAGE, "%s[%zu]: vertex %u is not in 0 .. %zu", name, k, list[k],
                      n - 1);
    return error->code;
}

int library_check(const struct apsp_solution *solution, const struct library_rows *rows,
                  const void *values, size_t stride, struct apsp_error *error)
{
    check_room(solution, rows, values, stride, error);
    return library_check_list("list", rows->list, rows->count, solution->facts.vertices, error);
}

struct table_question {
    const struct apsp_list *from, *to;
    void *values;
    size_t stride;
    bool counts; /* The values are numbers of paths. */
};

static int rows_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    const struct table_question *question = opaque;
    const size_t n = solution->facts.vertices, stride = question->stride ? question->stride : n;
    const uint32_t *list = question->from->vertex;
    const struct library_rows rows = {
        .list = list, .count = list ? question->from->count : n, .shared = true};
    library_check(solution, &rows, question->values, stride, error);
    if (comm_agree(solution->solver->comm, error))
        return error->code;
    return library_copy(solution, &rows, question->values, stride, error);
}

int apsp_rows(struct apsp_solution *solution, const uint32_t *list, size_t count, void *values,
              size_t stride, struct apsp_error *error)
{
    const struct apsp_list from = {list, count};
    struct table_question question = {&from, NULL, values, stride, false};
    return library_ask(solution, rows_rank, &question, error);
}

static int table_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    const struct table_question *question = opaque;
    const struct apsp_list *from = question->from, *to = question->to;
    const size_t n = solution->facts.vertices;
    struct sources targets = {.count = to->count, .vertex = (uint32_t *)(uintptr_t)to->vertex};
    struct library_rows rows = {.list = from->vertex,
                                .count = from->vertex ? from->count : n,
                                .targets = to->vertex ? &targets : NULL,
                                .made = question->counts ? sizeof(double) : 0,
                                .shared = true};
    const size_t stride = question->stride ? question->stride : to->vertex ? to->count : n;
    check_room(solution, &rows, question->values, stride, error);
    library_check_list("from", from->vertex, from->count, n, error);
    library_check_list("to", to->vertex, to->count, n, error);
    if (comm_agree(solution->solver->comm, error) || (to->vertex && to->count == 0))
        return error->code;
    if (question->counts)
        return library_count_paths(solution, &rows, question->values, stride, error);
    if (library_certifier_open(&rows.certifier, solution, error) == APSP_OK)
        library_copy(solution, &rows, question->values, stride, error);
    library_certifier_close(rows.certifier, solution);
    return error->code;
}

int apsp_table(struct apsp_solution *solution, const struct apsp_list *from,
               const struct apsp_list *to, void *values, size_t stride, struct apsp_error *error)
{
    const struct apsp_list all = {0};
    struct table_question question = {from ? from : &all, to ? to : &all, values, stride, false};
    return library_ask(solution, table_rank, &question, error);
}

int apsp_path_counts(struct apsp_solution *solution, const struct apsp_list *from,
                     const struct apsp_list *to, double *values, size_t stride,
                     struct apsp_error *error)
{
    const struct apsp_list all = {0};
    struct table_question question = {from ? from : &all, to ? to : &all, values, stride, true};
    return library_ask(solution, table_rank, &question, error);
}
