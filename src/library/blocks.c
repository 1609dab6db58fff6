/* Rows to the caller's callback: a sink that is in no table. */
#include "base/mem.h"
#include "base/size.h"
#include "library/library.h"

#include <pthread.h>
#include <stdatomic.h>

/* Bytes of the rows that a callback gets of a block at a time, where they are not given out as they
 * are there. */
enum { CALL_CHUNK = SIZE_OF(1 << 20, 1 << 9) };

static enum apsp_type type_of(enum dtype dtype)
{
    return (enum apsp_type)(dtype + APSP_U16);
}

/* Of all ranks of a team. */
struct blocks_question {
    apsp_take *take;
    void *user;
    unsigned flags;
    pthread_mutex_t turn; /* of the ranks, unless blocks are taken in parallel */
    atomic_bool stopped;  /* The callback wants no more. */
};

struct call {
    struct blocks_question *question;
    int lane; /* the first of this rank */
    struct packing packing;
};

/* Rows k to k + count - 1 of a block, of that type, at `values`. */
static int call(const struct call *call, int lane, const struct block *block,
                const struct apsp_block *rows, size_t k, struct apsp_error *error)
{
    struct blocks_question *question = call->question;
    const bool parallel = question->flags & APSP_PARALLEL;
    struct apsp_block told = *rows;
    told.lane = call->lane + lane;
    told.columns = block->n;
    told.first = block->first + k;
    told.source = block->source ? block->source + k : NULL;
    if (!parallel)
        pthread_mutex_lock(&question->turn);
    if (question->stopped || question->take(question->user, &told)) {
        question->stopped = true;
        error_set(error, APSP_CANCELLED, "stopped by a callback");
    }
    if (!parallel)
        pthread_mutex_unlock(&question->turn);
    return error->code;
}

/* Some rows at a time, as they are given out. */
static int call_packed(const struct call *self, int lane, const struct block *block,
                       struct apsp_error *error)
{
    const size_t row = mem_bytes(block->n, dtype_info[self->packing.file].bytes);
    const size_t step = row < CALL_CHUNK ? CALL_CHUNK / row : 1;
    char *values = mem_alloc(mem_bytes(step, row));
    if (!values)
        return error_set(error, APSP_MEMORY, "no memory for %zu rows of %zu distances", step,
                         block->n);
    for (size_t k = 0, count; k < block->count && !error->code; k += count) {
        count = block->count - k < step ? block->count - k : step;
        for (size_t i = 0; i < count; i++)
            convert_pack(&self->packing, block_row(block, k + i), values + i * row, block->n);
        const struct apsp_block rows = {.type = type_of(self->packing.file),
                                        .count = count,
                                        .values = values,
                                        .stride = block->n};
        call(self, lane, block, &rows, k, error);
    }
    mem_free(values);
    return error->code;
}

static int call_take(struct sink *sink, int lane, const struct block *block,
                     struct apsp_error *error)
{
    const struct call *self = sink->state;
    const struct apsp_block rows = {.type = type_of(block->dtype),
                                    .count = block->count,
                                    .values = block->values,
                                    .stride = block->stride};
    return self->packing.file != self->packing.rows ? call_packed(self, lane, block, error)
                                                    : call(self, lane, block, &rows, 0, error);
}

static const struct sink_ops sink_call = {.name = "call", .works = true, .take = call_take};

static int blocks_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    struct blocks_question *question = opaque;
    const struct solver *solver = solution->solver;
    const struct apsp_facts *facts = &solution->facts;
    const bool parallel = question->flags & APSP_PARALLEL;
    if (!question->take || question->flags > APSP_PARALLEL)
        error_set(error, APSP_USAGE, "%s",
                  question->take ? "flags: unknown bits" : "NULL: expected a callback");
    if (comm_agree(solver->comm, error))
        return error->code;
    struct call call = {.question = question, .packing = library_packing(solution)};
    if (solution->team && parallel)
        call.lane = solver->comm->rank * (facts->threads / facts->ranks);
    struct sink sink = {.ops = &sink_call, .task = &solver->sink_task, .state = &call};
    return library_pass(solution, &sink, parallel ? solver->task.threads : 1, error);
}

int apsp_blocks(struct apsp_solution *solution, apsp_take *take, void *user, unsigned flags,
                struct apsp_error *error)
{
    struct blocks_question question = {take, user, flags, PTHREAD_MUTEX_INITIALIZER, false};
    return library_ask(solution, blocks_rank, &question, error);
}
