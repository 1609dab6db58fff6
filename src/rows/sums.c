#include "rows/sums.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/size.h"
#include "proof/predecessor.h"

#include <stdlib.h>

enum {
    CHUNK = SIZE_OF(1 << 18, 1 << 9), /* bytes of the rows of a block */
    VERTEX = 40
}; /* visits of edges that one of a vertex takes as long as */

struct lane {
    struct predecessor_space *space;
    void *rows;
    struct block block;   /* the engine's, */
    size_t at;            /* and its first row that is not done */
    double making, spent; /* seconds: the engine's, and its own */
};

struct sums {
    const struct sink_task *task;
    struct rows_maker maker;
    size_t step; /* rows of a block */
    int lanes;
    struct lane *lane;
};

const char *sums_names(void)
{
    return "path, solver";
}

const char *sums_name(bool exact, bool summed)
{
    return exact ? "exact" : summed ? "path" : "solver";
}

double sums_visits(size_t n, size_t m)
{
    return (double)m + VERTEX * (double)n;
}

bool sums_are_wanted(const struct sink_task *task)
{
    return task->summed || task->algebra.map != ALGEBRA_SAME;
}

void sums_request(struct rows_request *request, const struct sink_task *task, int threads)
{
    if (!sums_are_wanted(task))
        return;
    request->lanes = threads < SINK_LANES ? threads : SINK_LANES;
    request->counts = 0;
    request->sides = false;
    request->on_device = request->places = false;
    request->on_host = true;
    request->near.asked = false;
    if (task->summed)
        request->column = NULL;
}

static size_t row_bytes(const struct sink_task *task)
{
    return mem_bytes(task->n, dtype_info[task->dtype].bytes);
}

static size_t step_of(const struct sink_task *task)
{
    size_t rows = CHUNK / row_bytes(task);
    return rows > 0 ? rows : 1;
}

size_t sums_need(const struct sink_task *task, int lanes)
{
    size_t each;
    if (!sums_are_wanted(task))
        return 0;
    mem_add(&each, mem_bytes(step_of(task), row_bytes(task)),
            task->summed ? predecessor_need(task->n, task->dtype) : 0);
    return mem_bytes((size_t)lanes, each);
}

static int open_lane(const struct sums *sums, struct lane *lane, struct apsp_error *error)
{
    const struct sink_task *task = sums->task;
    if (!lane->space && task->summed)
        lane->space = predecessor_space_new(task->n, task->dtype);
    if (!lane->rows)
        lane->rows = mem_alloc(mem_bytes(sums->step, row_bytes(task)));
    if ((lane->space || !task->summed) && lane->rows)
        return APSP_OK;
    return error_set(error, APSP_MEMORY, "no memory to make rows anew on %s", task->comm->host);
}

/* Its block is the next rows of the engine's. */
static int make_rows(const struct sums *sums, struct lane *lane, struct block *block,
                     struct apsp_error *error)
{
    const struct sink_task *task = sums->task;
    char why[CERTIFY_WHY];
    *block = lane->block;
    block->values = lane->rows;
    block->stride = block->n;
    block->device = NULL;
    block->first += lane->at;
    block->source = block->source ? block->source + lane->at : NULL;
    block->count = 0;
    for (; block->count < sums->step && lane->at < lane->block.count; block->count++, lane->at++) {
        char *row = (char *)lane->rows + block->count * block->n * dtype_info[task->dtype].bytes;
        if (!task->summed)
            algebra_values(&task->algebra, task->dtype, block_row(&lane->block, lane->at), row,
                           block->n);
        else if (!predecessor_sums(&task->certificate, lane->space,
                                   block_source(&lane->block, lane->at),
                                   block_row(&lane->block, lane->at), row, why))
            return error_set(error, APSP_REFUTED,
                             "no sums along paths, since the distances are wrong: %s", why);
    }
    return APSP_OK;
}

static bool next(void *self, int number, struct block *block, struct apsp_error *error)
{
    const struct sums *sums = self;
    struct lane *lane = &sums->lane[number];
    double begun = clock_seconds();
    if (open_lane(sums, lane, error))
        return false;
    if (lane->at == lane->block.count) {
        lane->at = 0;
        if (!sums->maker.next(sums->maker.self, number, &lane->block, error))
            return false;
    }
    double made = clock_seconds();
    lane->making += made - begun;
    make_rows(sums, lane, block, error);
    lane->spent += clock_seconds() - made;
    return !error->code;
}

static void end(void *self, int number)
{
    const struct sums *sums = self;
    if (sums->maker.end)
        sums->maker.end(sums->maker.self, number);
}

int sums_open(struct sums **out, struct rows_maker *maker, const struct sink_task *task,
              struct apsp_error *error)
{
    struct sums *sums = *out = calloc(1, sizeof *sums);
    if (sums)
        *sums = (struct sums){.task = task,
                              .maker = *maker,
                              .step = step_of(task),
                              .lanes = maker->lanes,
                              .lane = calloc((size_t)maker->lanes, sizeof *sums->lane)};
    if (!sums || !sums->lane) {
        free(sums);
        *out = NULL;
        return error_set(error, APSP_MEMORY, "no memory to make rows anew on %s", task->comm->host);
    }
    maker->self = sums;
    maker->next = next;
    maker->end = end;
    maker->work += task->summed ? sums_visits(task->n, task->m) : 0;
    return APSP_OK;
}

void sums_free(struct sums *sums)
{
    if (!sums)
        return;
    for (int i = 0; i < sums->lanes; i++) {
        predecessor_space_free(sums->lane[i].space);
        mem_free(sums->lane[i].rows);
    }
    free(sums->lane);
    free(sums);
}

double sums_share(const struct sums *sums)
{
    double making = 0, spent = 0;
    for (int i = 0; i < sums->lanes; i++) {
        making += sums->lane[i].making;
        spent += sums->lane[i].spent;
    }
    return spent > 0 ? spent / (making + spent) : 0;
}
