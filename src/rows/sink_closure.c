/*
 * The sink that writes the transitive closure as bits: bit j of row i tells whether some path leads
 * from vertex i to vertex j. Every vertex reaches itself. Byte k of a row has bits 8 k and up, the
 * lowest first.
 *
 * The vertices of a strongly connected component have one row. Edges lead to components of the same
 * or a lower number, so each row is that of the component's members and of the rows before it that
 * edges lead to. No distance is used. (E. Nuutila, Efficient transitive closure computation in
 * large digraphs, Acta Polytechnica Scandinavica 74, 1995.)
 */
#include "base/mem.h"
#include "graph/component.h"
#include "kernels/cpu/bits.h"
#include "rows/output.h"
#include "rows/rows.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { BLOCK = 64 }; /* sources of a block */

struct closure {
    struct components components;
    uint64_t *bits;     /* A row for each component. */
    size_t words;       /* of a row */
    const size_t *list; /* The sources of a pass; NULL: all vertices. */
    size_t count, rank, ranks;
    atomic_size_t next; /* The next block of this rank. */
    uint32_t source[SINK_LANES][BLOCK];
};

static const char *path(const struct results *results)
{
    return results->closure;
}

static size_t row_bytes(size_t n)
{
    return (n + 7) / 8;
}

static unsigned counts(const struct sink_task *task)
{
    (void)task;
    return APSP_STATS_OUT;
}

/* There may be as many components as vertices. */
static struct sink_need need(const struct sink_task *task, int lanes)
{
    struct sink_need need = {
        .disk = matrix_bytes(path(task->results), sink_rows(task), row_bytes(task->n), DTYPE_U8),
        .no_rows = true};
    (void)lanes;
    mem_add(&need.host, mem_bytes(task->n, bits_words(task->n) * sizeof(uint64_t)),
            components_need(task->n));
    mem_add(&need.host, need.host, sizeof(struct closure));
    return need;
}

static int open_file(struct sink *sink, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    const struct output_plan plan = {.path = path(task->results),
                                     .inputs = task->results->inputs,
                                     .rows = sink_rows(task),
                                     .n = row_bytes(task->n),
                                     .dtype = DTYPE_U8,
                                     .force = task->results->force};
    struct closure *closure = calloc(1, sizeof *closure);
    sink->state = closure;
    matrix_check_type(plan.path, DTYPE_U8, error);
    if (!closure)
        error_set(error, APSP_MEMORY, "no memory for the closure on %s", task->comm->host);
    if (comm_agree(task->comm, error))
        return error->code;
    return output_open(&sink->output, task->comm, &plan, error);
}

static void set_bit(uint64_t *row, size_t v)
{
    ((unsigned char *)row)[v / 8] |= (unsigned char)(1 << v % 8);
}

static bool has_bit(const uint64_t *row, size_t v)
{
    return ((const unsigned char *)row)[v / 8] >> v % 8 & 1;
}

/* The row of component c, after those of lower numbers. A row that has a vertex has all that this
 * vertex reaches. */
static void fill_row(struct closure *closure, const struct csr *edges, size_t c)
{
    const struct components *components = &closure->components;
    uint64_t *row = closure->bits + c * closure->words;
    const uint32_t *member = components->member;
    for (size_t i = components->first[c]; i < components->first[c + 1]; i++)
        set_bit(row, member[i]);
    for (size_t i = components->first[c]; i < components->first[c + 1]; i++)
        for (size_t e = edges->start[member[i]]; e < edges->start[member[i] + 1]; e++) {
            if (has_bit(row, edges->to[e]))
                continue;
            const uint64_t *other = closure->bits + components->of[edges->to[e]] * closure->words;
            for (size_t w = 0; w < closure->words; w++)
                row[w] |= other[w];
        }
}

/* Makes the rows of components, once the edges are there. */
static int fill(struct closure *closure, const struct csr *edges, struct apsp_error *error)
{
    if (closure->bits || components_find(&closure->components, edges, error))
        return error->code;
    closure->words = bits_words(edges->n);
    closure->bits =
        mem_alloc(mem_bytes(closure->components.count, closure->words * sizeof *closure->bits));
    if (!closure->bits)
        return error_set(error, APSP_MEMORY, "no memory for the closure of %zu components",
                         closure->components.count);
    for (size_t c = 0; c < closure->components.count; c++)
        fill_row(closure, edges, c);
    return APSP_OK;
}

static bool next_block(void *self, int lane, struct block *block, struct apsp_error *error)
{
    struct closure *closure = self;
    const size_t turn = atomic_fetch_add(&closure->next, 1),
                 first = (turn * closure->ranks + closure->rank) * BLOCK;
    uint32_t *source = closure->source[lane];
    (void)error;
    if (first >= closure->count)
        return false;
    *block = (struct block){
        .source = source, .count = closure->count - first < BLOCK ? closure->count - first : BLOCK};
    for (size_t k = 0; k < block->count; k++)
        source[k] = (uint32_t)(closure->list ? closure->list[first + k] : first + k);
    return true;
}

static int maker(struct sink *sink, const size_t *list, size_t count, struct rows_maker *maker,
                 struct apsp_error *error)
{
    struct closure *closure = sink->state;
    const struct comm *comm = sink->task->comm;
    closure->list = list;
    closure->count = list ? count : sink->task->n;
    closure->rank = (size_t)comm->rank;
    closure->ranks = (size_t)comm->ranks;
    atomic_store(&closure->next, 0);
    *maker = (struct rows_maker){.self = closure, .lanes = maker->lanes, .next = next_block};
    for (size_t first = closure->rank * BLOCK; first < closure->count;
         first += closure->ranks * BLOCK)
        maker->rows += closure->count - first < BLOCK ? closure->count - first : BLOCK;
    return fill(closure, sink->task->certificate.edges, error);
}

static int take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    struct closure *closure = sink->state;
    (void)lane;
#pragma omp critical(sink_closure)
    fill(closure, sink->task->certificate.edges, error);
    for (size_t k = 0; k < block->count && !error->code; k++) {
        const size_t source = block_source(block, k), place = sink_place(sink->task, source);
        output_put(sink->output, (struct range){place, place + 1},
                   closure->bits + closure->components.of[source] * closure->words,
                   row_bytes(sink->task->n), error);
    }
    return error->code;
}

static void close_file(struct sink *sink)
{
    struct closure *closure = sink->state;
    if (!closure)
        return;
    components_free(&closure->components);
    mem_free(closure->bits);
    free(closure);
}

const struct sink_ops sink_closure = {
    .name = "closure",
    .wants_edges = true,
    .works = true,
    .setting = SETTING_CLOSURE,
    .suffixes = ".npy .u8",
    .suffixed = true,
    .path = path,
    .counts = counts,
    .need = need,
    .open = open_file,
    .maker = maker,
    .take = take,
    .merge = sink_merge_rows,
    .close = close_file,
};
