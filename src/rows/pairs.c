#include "rows/pairs.h"

#include "base/mem.h"
#include "base/setting.h"
#include "rows/kept.h"
#include "rows/skim.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

struct lane {
    struct pair *pairs; /* of one row */
    char *row;          /* its columns, where there are others too */
    struct skim *skim;  /* NULL: there are no skims */
};

struct pairs {
    const struct sink_task *task;
    const struct pairs_format *format;
    struct choice choice;
    struct kept *kept;
    size_t most;               /* bytes of a row */
    atomic_size_t count;       /* pairs of this rank */
    const struct skims *skims; /* NULL: there are none, */
    bool linked;               /* or not yet these: */
    struct skim_arcs arcs;
    struct lane lane[SINK_LANES];
};

/* The pairs of row k of a block, which may have columns of its own. */
static size_t choose_row(const struct pairs *pairs, struct lane *lane, const struct block *block,
                         size_t k)
{
    struct choice choice = pairs->choice;
    if (block->part) {
        choice.columns = block->n;
        choice.column = block->column;
    }
    return choose_pairs(&choice, sink_row(pairs->task, block, k, lane->row), block_source(block, k),
                        lane->pairs);
}

/* How many bytes one row may take. */
static size_t row_most(const struct sink_task *task, const struct choice *choice,
                       const struct pairs_format *format)
{
    const size_t skims = task->results->skims ? task->results->skims->count : 0;
    size_t pair;
    mem_add(&pair, format->most(task), mem_bytes(skims, PAIRS_DISTANCE));
    mem_mul(&pair, choose_room(choice), pair);
    mem_add(&pair, pair, format->beside ? format->beside(task) : 0);
    return pair;
}

static size_t place_lane(struct lane *lane, const struct sink_task *task,
                         const struct choice *choice, void *base)
{
    struct mem_layout layout = {.base = base};
    lane->pairs = mem_place(&layout, choose_room(choice), sizeof *lane->pairs);
    lane->row =
        mem_place(&layout, task->targets ? choice->columns : 0, dtype_info[task->dtype].bytes);
    return layout.bytes;
}

/* What the options and the targets choose of every row; `own`: a source counts, too. */
static struct choice choice_of(const struct sink_task *task, bool own)
{
    const struct results *results = task->results;
    return (struct choice){.dtype = task->dtype,
                           .columns = sink_columns(task),
                           .column = task->targets ? task->targets->vertex : NULL,
                           .others = !task->targets && !own,
                           .nearest = results->nearest,
                           .most = choose_most(task->dtype, task->scale,
                                               results->bounded ? results->within : INFINITY)};
}

/* A vertex is one of its own nearest, but not wanted. Skims follow paths through whole rows. */
struct rows_near pairs_near(const struct sink_task *task)
{
    const struct choice choice = choice_of(task, false);
    const bool chosen = choice.nearest > 0 || task->results->bounded;
    return (struct rows_near){.asked = chosen && !task->results->skims,
                              .nearest = choice.nearest > 0 ? choice.nearest + choice.others : 0,
                              .most = choice.most};
}

struct sink_need pairs_need(const struct sink_task *task, const struct pairs_format *format,
                            int lanes)
{
    const struct choice choice = choice_of(task, format->own);
    const size_t most = row_most(task, &choice, format);
    struct lane lane;
    struct sink_need need = {.disk = mem_bytes(sink_rows(task), most), .disk_most = true};
    const struct skims *skims = task->results->skims;
    size_t each = place_lane(&lane, task, &choice, NULL);
    if (skims) {
        mem_add(&each, each, skim_need(task->n, skims->count));
        mem_add(&need.host, need.host, skim_arcs_need(task->n, task->m, skims->count));
    }
    mem_add(&need.host, need.host, mem_bytes(each, (size_t)lanes));
    mem_add(&need.host, need.host, kept_need(sink_rows(task), most, lanes));
    return need;
}

int pairs_open(struct pairs **out, const struct sink_task *task, const struct pairs_format *format,
               struct staged *beside, struct apsp_error *error)
{
    *out = NULL;
    if (task->results->skims && dtype_info[task->dtype].real)
        return error_set(error, APSP_USAGE,
                         "%s requires weights that are integers, or decimals whose sums are "
                         "exact, and contradicts %s f32 and f64",
                         SETTING(SKIM), SETTING(OUTPUT));
    struct pairs *pairs = *out = calloc(1, sizeof *pairs);
    if (!pairs)
        return error_set(error, APSP_MEMORY, "no memory for pairs on %s", task->comm->host);
    pairs->task = task;
    pairs->format = format;
    pairs->skims = task->results->skims;
    pairs->choice = choice_of(task, format->own);
    pairs->most = row_most(task, &pairs->choice, format);
    if (kept_open(&pairs->kept, sink_rows(task), task->comm, beside, error)) {
        pairs_free(pairs);
        *out = NULL;
    }
    return error->code;
}

void pairs_free(struct pairs *pairs)
{
    if (!pairs)
        return;
    for (int i = 0; i < SINK_LANES; i++) {
        mem_free(pairs->lane[i].pairs);
        skim_free(pairs->lane[i].skim);
    }
    skim_arcs_free(&pairs->arcs);
    kept_free(pairs->kept);
    free(pairs);
}

/* The edges are there from the first block on. */
static int link_skims(struct pairs *pairs, struct lane *lane, struct apsp_error *error)
{
#pragma omp critical(pairs_skims)
    if (!pairs->linked) {
        skim_arcs_make(&pairs->arcs, pairs->task->certificate.edges, pairs->skims,
                       pairs->task->sources, pairs->task->targets, error);
        pairs->linked = !error->code;
        if (error->code)
            skim_arcs_free(&pairs->arcs);
    }
    if (!error->code)
        lane->skim = skim_new(pairs->arcs.n, pairs->skims->count);
    return error->code || lane->skim ? error->code
                                     : error_set(error, APSP_MEMORY, "no memory for skims on %s",
                                                 pairs->task->comm->host);
}

static int open_lane(struct pairs *pairs, struct lane *lane, struct apsp_error *error)
{
    if (lane->pairs || (pairs->skims && link_skims(pairs, lane, error)))
        return error->code;
    void *memory = mem_alloc(place_lane(lane, pairs->task, &pairs->choice, NULL));
    place_lane(lane, pairs->task, &pairs->choice, memory);
    return memory ? APSP_OK
                  : error_set(error, APSP_MEMORY, "no memory for pairs on %s",
                              pairs->task->comm->host);
}

/* The pair as the format has it, and the sums behind its distance. */
static char *put_skims(const struct pairs *pairs, struct lane *lane, char *out, size_t source,
                       const struct pair *pair)
{
    const int64_t *sum = skim_to(lane->skim, &pairs->arcs, pair->vertex);
    if (!sum)
        return NULL;
    out = pairs->format->put(out, pairs->task, source, pair, 1) - 1; /* Its line feed goes. */
    for (size_t k = 0; k < pairs->skims->count; k++) {
        *out++ = pairs->format->separator;
        out = scale_put(out, pairs->skims->scale[k], sum[k]);
    }
    *out++ = '\n';
    return out;
}

/* The pairs of a row, whose skims are begun; returns where they end, or NULL: no path has its
 * distances. */
static char *put_row(const struct pairs *pairs, struct lane *lane, char *out, size_t source,
                     size_t count)
{
    if (!pairs->skims)
        return pairs->format->put(out, pairs->task, source, lane->pairs, count);
    for (size_t k = 0; out && k < count; k++)
        out = put_skims(pairs, lane, out, source, &lane->pairs[k]);
    return out;
}

int pairs_take(struct pairs *pairs, int number, const struct block *block, struct apsp_error *error)
{
    struct lane *lane = &pairs->lane[number];
    if (open_lane(pairs, lane, error))
        return error->code;
    for (size_t k = 0; k < block->count && !error->code; k++) {
        size_t source = block_source(block, k), place = sink_place(pairs->task, source);
        if (place >= sink_rows(pairs->task)) /* not requested */
            continue;
        char *text = kept_room(pairs->kept, number, pairs->most, error);
        if (!text)
            break;
        size_t count = choose_row(pairs, lane, block, k);
        if (pairs->skims)
            skim_row(lane->skim, &pairs->arcs, source, block->dtype, block_row(block, k));
        const char *end = put_row(pairs, lane, text, source, count);
        if (!end)
            return error_set(error, APSP_REFUTED, "row %s: no path has the distances of the row",
                             LABEL(pairs->task->certificate.labels, source));
        atomic_fetch_add(&pairs->count, count);
        kept_add(pairs->kept, number, place, (size_t)(end - text), error);
    }
    return error->code;
}

int pairs_merge(struct pairs *pairs, size_t *count, struct apsp_error *error)
{
    *count = comm_sum(pairs->task->comm, pairs->count);
    return kept_merge(pairs->kept, error);
}

const char *pairs_row(const struct pairs *pairs, size_t place, size_t *bytes)
{
    return kept_row(pairs->kept, place, bytes);
}
