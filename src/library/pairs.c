/* Chosen pairs of vertices, for the caller: a sink that is in no table, and what it has, on all
 * ranks. */
#include "rows/pairs.h"
#include "base/mem.h"
#include "library/library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = PAIRS_PACKED / sizeof(size_t) };

struct finding {
    struct pairs *pairs;
    size_t count;
    struct library_certifier *certifier; /* NULL: rows are not certified. */
};

static int find_take(struct sink *sink, int lane, const struct block *block,
                     struct apsp_error *error)
{
    const struct finding *finding = sink->state;
    for (size_t k = 0; k < block->count && !error->code; k++)
        library_certify(finding->certifier, lane, block, k, error);
    return error->code ? error->code : pairs_take(finding->pairs, lane, block, error);
}

static int find_merge(struct sink *sink, struct apsp_error *error)
{
    struct finding *finding = sink->state;
    return pairs_merge(finding->pairs, &finding->count, error);
}

static const struct sink_ops sink_find = {.name = "find",
                                          .works = true,
                                          .targets = true,
                                          .near = pairs_near,
                                          .take = find_take,
                                          .merge = find_merge};

/* It takes whole rows, which can be certified. */
static const struct sink_ops sink_find_whole = {
    .name = "find", .works = true, .take = find_take, .merge = find_merge};

static size_t source_at(const struct sink_task *task, size_t place)
{
    return task->sources ? task->sources->vertex[place] : place;
}

/* All ranks' pairs, place by place, as words on all ranks. */
static void gather(const struct finding *finding, const struct sink_task *task, size_t *words)
{
    size_t at = 0, bytes;
    for (size_t place = 0; place < sink_rows(task); place++) {
        const char *row = pairs_row(finding->pairs, place, &bytes);
        if (row)
            memcpy(words + at, row, bytes);
        at += bytes / sizeof *words;
    }
    comm_sum_all(task->comm, words, at);
}

static struct apsp_pair pair_of(const struct sink_task *task, const size_t words[WORDS],
                                size_t from)
{
    union value value;
    bool real = dtype_info[task->file].real;
    memcpy(&value, &words[1], sizeof value);
    const bool whole = !dtype_info[task->dtype].real;
    return (struct apsp_pair){(uint32_t)from, (uint32_t)words[0], real ? 0 : value.whole,
                              whole ? scale_value(task->scale, value.whole) : value.real};
}

static int give(const struct finding *finding, const struct sink_task *task, struct apsp_pairs *out,
                struct apsp_error *error)
{
    size_t *words = mem_alloc(mem_bytes(finding->count + 1, PAIRS_PACKED)), bytes, at = 0;
    struct apsp_pair *pair = malloc(mem_bytes(finding->count + 1, sizeof *pair));
    if (!words || !pair)
        error_set(error, APSP_MEMORY, "no memory for %zu pairs on %s", finding->count,
                  task->comm->host);
    if (comm_agree(task->comm, error)) {
        mem_free(words);
        free(pair);
        return error->code;
    }
    gather(finding, task, words);
    for (size_t place = 0; place < sink_rows(task); place++) {
        pairs_row(finding->pairs, place, &bytes);
        for (size_t end = at + bytes / PAIRS_PACKED; at < end; at++)
            pair[at] = pair_of(task, &words[WORDS * at], source_at(task, place));
    }
    mem_free(words);
    *out = (struct apsp_pairs){finding->count, pair};
    return APSP_OK;
}

/* Of a task with its lists. */
static int find(struct apsp_solution *solution, const struct sink_task *task,
                struct apsp_pairs *pairs, struct apsp_error *error)
{
    struct finding finding = {0};
    struct sink sink = {.task = task, .state = &finding};
    if (library_certifier_open(&finding.certifier, solution, error) == APSP_OK)
        pairs_open(&finding.pairs, task, &pairs_packed, NULL, error);
    sink.ops = finding.certifier ? &sink_find_whole : &sink_find;
    if (comm_agree(task->comm, error) == APSP_OK &&
        library_pass(solution, &sink, solution->solver->task.threads, error) == APSP_OK)
        give(&finding, task, pairs, error);
    pairs_free(finding.pairs);
    library_certifier_close(finding.certifier, solution);
    return error->code;
}

static bool is_empty(const struct apsp_list *list)
{
    return list->vertex && list->count == 0;
}

struct pairs_question {
    const struct apsp_pairs_request *request;
    struct apsp_pairs *pairs;
};

static int pairs_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    const struct pairs_question *question = opaque;
    const struct apsp_pairs_request *request = question->request;
    struct solver *solver = solution->solver;
    struct results results = *solver->given.results;
    struct sink_task task = solver->sink_task;
    struct sources from = {0}, to = {0};
    struct apsp_pairs aside = {0};
    if (!request || !question->pairs)
        error_set(error, APSP_USAGE, "NULL: the request and the room for pairs must not be NULL");
    else if (request->bounded && isnan(request->within))
        error_set(error, APSP_USAGE, "within: not a number");
    else if (task.algebra.down && (request->bounded || request->nearest))
        error_set(error, APSP_USAGE, "nearest, within: the solution is of %s paths",
                  algebra_name(task.algebra.kind));
    else if (sources_take(&from, request->from.vertex, request->from.count, task.n, "from",
                          error) == APSP_OK)
        sources_take(&to, request->to.vertex, request->to.count, task.n, "to", error);
    if (comm_agree(task.comm, error) == APSP_OK && !is_empty(&request->from) &&
        !is_empty(&request->to)) {
        results.nearest = request->nearest;
        results.bounded = request->bounded != 0;
        results.within = request->within;
        task.results = &results;
        task.sources = from.count ? &from : NULL;
        task.targets = to.count ? &to : NULL;
        find(solution, &task, solution->aside ? &aside : question->pairs, error);
    }
    apsp_pairs_free(&aside);
    sources_free(&to);
    sources_free(&from);
    return error->code;
}

int apsp_find_pairs(struct apsp_solution *solution, const struct apsp_pairs_request *request,
                    struct apsp_pairs *pairs, struct apsp_error *error)
{
    struct pairs_question question = {request, pairs};
    if (pairs)
        *pairs = (struct apsp_pairs){0};
    return library_ask(solution, pairs_rank, &question, error);
}

void apsp_pairs_free(struct apsp_pairs *pairs)
{
    free(pairs->pair);
    *pairs = (struct apsp_pairs){0};
}
