#include "distances/check.h"

#include "base/backoff.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/size.h"
#include "base/typed.h"
#include "proof/search.h"
#include "rows/choose.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { BATCH_BYTES = SIZE_OF(1 << 24, 1 << 11), VALUE_BYTES = 8 };

/* What the threads of a rank share. */
struct check {
    const struct check_task *task;
    size_t *rows, count, batch; /* of rows that follow each other so many are read at once */
    atomic_size_t done, rounded,
        worst;      /* worst: the first place in rows[] known to be wrong, by any rank */
    size_t own;     /* and by this one, whose error that is */
    size_t news[2]; /* on the way: SIZE_MAX - worst, and whether rows are left */
    struct comm_request request;
    struct progress progress;
};

/* What one thread has. */
struct checker {
    struct check *check;
    char *values; /* of a batch */
    char *row;    /* A whole one in the order of the vertices, where the file has none such, */
    struct search *search; /* and the search that makes the rest of it. */
    struct certify_space *space;
    struct exact_space *exact;
    struct apsp_error *error; /* of all */
};

static size_t task_vertices(const struct check_task *task)
{
    return task->distances->graph->n;
}

static size_t rows_of(const struct check_task *task)
{
    return task->rows < task->distances->rows ? task->rows : task->distances->rows;
}

/* Rows are completed for the certificate. */
static bool is_partial(const struct check_task *task)
{
    return task->certificate.edges && !distances_are_natural(task->distances);
}

/* The type of rows that the certificate takes. The distances that a file lacks need not fit the
 * type that those in the file fit. */
static enum dtype certified_dtype(const struct check_task *task)
{
    const enum dtype dtype = task->distances->dtype;
    return is_partial(task) && !dtype_info[dtype].real ? DTYPE_I64 : dtype;
}

/* Enough for the threads to share, and no more than a read is worth. */
static size_t choose_batch(const struct check_task *task)
{
    size_t threads = (size_t)task->threads * (size_t)task->comm->ranks,
           fair = rows_of(task) / (4 * threads),
           rows = BATCH_BYTES / (task_vertices(task) * VALUE_BYTES);
    if (rows_of(task) < task->distances->rows)
        return 1;
    rows = size_min(rows, fair);
    return rows > 0 ? rows : 1;
}

size_t check_need(const struct check_task *task)
{
    const struct distances *distances = task->distances;
    size_t all, n = task_vertices(task),
                each = mem_bytes(mem_bytes(choose_batch(task), n), VALUE_BYTES);
    if (is_partial(task)) {
        mem_add(&each, each, search_need(n));
        mem_add(&each, each, mem_bytes(n, VALUE_BYTES));
    }
    if (task->certificate.edges)
        mem_add(&each, each, certify_need(n, certified_dtype(task)));
    if (task->exact)
        mem_add(&each, each, exact_need(distances));
    mem_add(&each, each, distances_need(distances));
    mem_add(&all, mem_bytes((size_t)task->threads, each), mem_bytes(rows_of(task), sizeof(size_t)));
    return all;
}

/* The error becomes that of the first row in order, not that of the first thread. */
static void record(const struct checker *checker, size_t place, const struct apsp_error *found)
{
#pragma omp critical(check_error)
    if (place < checker->check->worst) {
        checker->check->worst = checker->check->own = place;
        *checker->error = *found;
    }
}

/* Ranks tell each other how far it is worth to go, one news after the other, and none waits:
 * those that are done go on telling until all are. */
static void tell(struct check *check, bool busy)
{
    check->news[0] = SIZE_MAX - check->worst;
    check->news[1] = busy;
    comm_start_most(check->task->comm, check->news, 2, &check->request);
}

static void hear(struct check *check)
{
    const size_t heard = SIZE_MAX - check->news[0];
#pragma omp critical(check_error)
    check->worst = size_min(heard, check->worst);
}

/* Of the thread that MPI knows, between rows. */
static void pass_on(struct check *check)
{
    if (!comm_test(check->task->comm, &check->request, 1))
        return;
    hear(check);
    tell(check, true);
}

/* Other ranks may have many rows left. */
static void await_news(struct check *check)
{
    struct backoff backoff = {0};
    while (!comm_test(check->task->comm, &check->request, 1))
        backoff_pause(&backoff);
}

static void tell_end(struct check *check)
{
    await_news(check);
    while (hear(check), check->news[1]) {
        tell(check, false);
        await_news(check);
    }
}

/* Value i of a row in the file's type becomes number `at` of one that is completed. */
static void put_value(enum dtype dtype, const void *given, size_t i, void *row, size_t at)
{
    union value value = typed_get(dtype, given, i);
    if (!dtype_info[dtype].real && value.whole == dtype_info[dtype].unreachable)
        value.whole = INF_I64;
    typed_put(dtype_info[dtype].real ? dtype : DTYPE_I64, row, at, value);
}

/* The row that is to be proved: the distances that are missing are found by a search. A right row
 * is the only one that the certificate takes, so that nothing depends on the search but that right
 * ones are taken. */
static const void *complete(const struct checker *checker, size_t vertex, const char *given)
{
    const struct check_task *task = checker->check->task;
    const struct distances *distances = task->distances;
    const enum dtype dtype = certified_dtype(task);
    if (!checker->search)
        return given;
    search_row(checker->search, task->certificate.edges, task->potential, vertex, dtype,
               checker->row);
    for (size_t i = 0; i < distances->columns; i++)
        put_value(distances->dtype, given, i, checker->row, distances_target(distances, i));
    return checker->row;
}

static bool is_right(const struct checker *checker, size_t vertex, const char *given, char *why)
{
    const struct check_task *task = checker->check->task;
    if (task->exact && exact_row(task->exact, checker->exact, vertex, given, NULL, why))
        return true;
    if (!task->certificate.edges || !certify_row(&task->certificate, checker->space, vertex,
                                                 complete(checker, vertex, given), NULL, why))
        return false;
    if (task->exact)
        checker->check->rounded++;
    return true;
}

static void check_place(const struct checker *checker, size_t place, const char *given)
{
    struct check *check = checker->check;
    const struct distances *distances = check->task->distances;
    struct apsp_error own = {0};
    char why[CERTIFY_WHY], remark[TEXT_LINE];
    if (!is_right(checker, distances_vertex(distances, check->rows[place]), given, why)) {
        error_set(&own, APSP_REFUTED, "%s: verification FAILED: %s%s", check->task->name, why,
                  distances_remark(distances, remark));
        record(checker, place, &own);
    }
    size_t done = atomic_fetch_add(&check->done, 1) + 1;
    if (omp_get_thread_num() == 0) {
        progress_step(&check->progress, done);
        pass_on(check);
    }
}

/* The places of a batch, which are rows that follow each other, or one. Where they cannot be read
 * together it is the first one that counts. */
static void check_batch(const struct checker *checker, size_t first)
{
    struct check *check = checker->check;
    const struct distances *distances = check->task->distances;
    const size_t columns = distances->columns, left = check->count - first,
                 count = size_min(left, check->batch), row = check->rows[first];
    struct apsp_error own = {0};
    if (distances_read(distances, (struct range){row, row + count}, (struct range){0, columns},
                       checker->values, &own) != APSP_OK) {
        record(checker, first, &own);
        return;
    }
    for (size_t i = 0; i < count && first + i < check->worst; i++)
        check_place(checker, first + i,
                    checker->values + i * columns * dtype_info[distances->dtype].bytes);
}

static bool open_checker(struct checker *checker)
{
    const struct check_task *task = checker->check->task;
    const size_t n = task_vertices(task);
    const bool partial = is_partial(task), certifies = task->certificate.edges != NULL;
    checker->values = malloc(mem_bytes(checker->check->batch * n, VALUE_BYTES));
    checker->row = partial ? malloc(mem_bytes(n, VALUE_BYTES)) : NULL;
    checker->search = partial ? search_new(n) : NULL;
    checker->space = certifies ? certify_space_new(n, certified_dtype(task)) : NULL;
    checker->exact = task->exact ? exact_space_new(task->distances) : NULL;
    return checker->values && (!partial || (checker->row && checker->search)) &&
           (!certifies || checker->space) && (!task->exact || checker->exact);
}

static void close_checker(struct checker *checker)
{
    exact_space_free(checker->exact);
    certify_space_free(checker->space);
    search_free(checker->search);
    free(checker->row);
    free(checker->values);
}

/* Rows of this rank: batches alternate between ranks. */
static size_t share_of(const struct check *check)
{
    const struct comm *comm = check->task->comm;
    const size_t turn = check->batch * (size_t)comm->ranks,
                 before = check->batch * (size_t)comm->rank, rest = check->count % turn,
                 last = rest > before ? rest - before : 0;
    return check->count / turn * check->batch + size_min(last, check->batch);
}

static void run(struct check *check, struct apsp_error *error)
{
    const struct check_task *task = check->task;
    const size_t batch = check->batch, step = batch * (size_t)task->comm->ranks,
                 share = share_of(check);
    const double visits = (double)task_vertices(task) + (double)task->distances->graph->m;
    check->progress = (struct progress){.shown = task->progress && task->comm->rank == 0,
                                        .steps = share,
                                        .work = (double)share * visits,
                                        .step = "row",
                                        .unit = "edges/s"};
    progress_start(&check->progress);
    tell(check, true);
#pragma omp parallel num_threads(task->threads)
    {
        struct checker checker = {.check = check, .error = error};
        struct apsp_error short_of = {0};
        if (!open_checker(&checker)) {
            error_set(&short_of, APSP_MEMORY, "no memory for %zu rows of %zu distances", batch,
                      task_vertices(task));
            record(&checker, 0, &short_of);
        }
#pragma omp for schedule(dynamic)
        for (size_t place = (size_t)task->comm->rank * batch; place < check->count; place += step)
            if (place < check->worst && !short_of.code)
                check_batch(&checker, place);
        close_checker(&checker);
    }
    tell_end(check);
    progress_end(&check->progress);
}

/* Of the errors that ranks have found, that of the first row stays. */
static int agree_on_first(const struct check *check, struct apsp_error *error)
{
    struct comm *comm = check->task->comm;
    const size_t mine = check->own, first = SIZE_MAX - comm_most(comm, SIZE_MAX - mine);
    if (mine != first)
        *error = (struct apsp_error){0};
    return comm_agree(comm, error);
}

int check_rows(const struct check_task *task, struct check_result *result, struct apsp_error *error)
{
    struct check check = {.task = task,
                          .count = rows_of(task),
                          .batch = choose_batch(task),
                          .worst = SIZE_MAX,
                          .own = SIZE_MAX};
    *result = (struct check_result){0};
    check.rows = malloc(mem_bytes(check.count, sizeof *check.rows));
    if (!check.rows)
        error_set(error, APSP_MEMORY, "no memory for a list of %zu rows", check.count);
    if (comm_agree(task->comm, error) == APSP_OK) {
        certify_choose(check.rows, check.count, task->distances->rows, task->seed);
        run(&check, error);
        agree_on_first(&check, error);
        result->rows = check.count;
        result->rounded = comm_sum(task->comm, check.rounded);
    }
    free(check.rows);
    return error->code;
}
