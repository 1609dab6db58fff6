/*
 * The sink that counts: of each row the largest distance, the sum of all and how many vertices are reached,
 * itself among them; and the same of all rows. Rows need not be there for it.
 */
#include "base/mem.h"
#include "base/text.h"
#include "rows/count.h"
#include "rows/output.h"
#include "rows/sink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 3 }; /* of a row, as in struct row_counts */

struct stats {
    struct staged staged; /* of rank 0 */
    size_t rows;
    size_t *words; /* WORDS a row, by its place; zero on ranks that do not have the row */
};

static const char *path(const struct job_options *options)
{
    return options->stats;
}

static struct sink_need need(const struct sink_task *task, int lanes)
{
    (void)lanes;
    return (struct sink_need){.host = mem_bytes(sink_rows(task), WORDS * sizeof(size_t))};
}

static bool is_real(const struct sink_task *task)
{
    return dtype_info[task->dtype].real;
}

/* A sum of n distances is to fit 63 bits. */
static bool fits(const struct sink_task *task)
{
    return is_real(task) || (double)task->n * (double)task->bound < 9e18;
}

static int open_stats(struct sink *sink, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    struct stats *stats = calloc(1, sizeof *stats);
    sink->state = stats;
    if (!stats)
        return error_set(error, APSP_MEMORY, "no memory for statistics on %s", task->comm->host);
    stats->staged.fd = -1;
    stats->rows = sink_rows(task);
    stats->words = mem_alloc(mem_bytes(stats->rows, WORDS * sizeof *stats->words));
    if (!stats->words)
        return error_set(error, APSP_MEMORY, "no memory for statistics on %s", task->comm->host);
    if (!fits(task))
        return error_set(error, APSP_INPUT,
                         "%s: sums of %zu distances of up to %lld are more than 64 bits hold",
                         task->options->stats, task->n, (long long)task->bound);
    if (task->comm->rank == 0)
        staged_create(&stats->staged, task->options->stats, task->options->force, error);
    return error->code;
}

static int take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    struct stats *stats = sink->state;
    (void)lane;
    for (size_t k = 0; k < block->count; k++) {
        struct row_counts counts =
            block->counts ? block->counts[k] : count_row(block->dtype, block_row(block, k), block->n);
        memcpy(stats->words + sink_place(sink->task, block_source(block, k)) * WORDS, &counts, sizeof counts);
    }
    return error->code;
}

_Static_assert(sizeof(struct row_counts) == WORDS * sizeof(size_t), "three words");

static struct row_counts counts_at(const struct stats *stats, size_t place)
{
    struct row_counts counts;
    memcpy(&counts, stats->words + place * WORDS, sizeof counts);
    return counts;
}

/* A sum over all pairs. */
__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

static void print_wide(FILE *out, wide value)
{
    char digits[48], *at = digits + sizeof digits;
    bool negative = value < 0;
    unsigned_wide rest = negative ? -(unsigned_wide)value : (unsigned_wide)value;
    *--at = '\0';
    do
        *--at = (char)('0' + (int)(rest % 10));
    while (rest /= 10);
    if (negative)
        *--at = '-';
    fputs(at, out);
}

static void print_value(FILE *out, const struct sink_task *task, union value value)
{
    if (is_real(task))
        fprintf(out, "%.17g", value.real);
    else
        fprintf(out, "%lld", (long long)value.whole);
}

static void print_vertex(FILE *out, const struct sink_task *task, size_t place,
                         void (*print_name)(FILE *, const char *))
{
    size_t vertex = task->sources && task->sources->count ? task->sources->vertex[place] : place;
    label_print(out, task->certificate.labels, vertex, print_name);
}

struct totals {
    size_t pairs;
    union value most;
    wide whole;
    double real;
};

static struct totals add_up(const struct stats *stats, bool real)
{
    struct totals totals = {0};
    for (size_t place = 0; place < stats->rows; place++) {
        struct row_counts counts = counts_at(stats, place);
        totals.pairs += counts.reached;
        if (real) {
            totals.most.real = fmax(totals.most.real, counts.most.real);
            totals.real += counts.sum.real;
        } else {
            totals.most.whole = counts.most.whole > totals.most.whole ? counts.most.whole : totals.most.whole;
            totals.whole += counts.sum.whole;
        }
    }
    return totals;
}

static void print_sum(FILE *out, const struct sink_task *task, const struct totals *totals)
{
    if (is_real(task))
        fprintf(out, "%.17g", totals->real);
    else
        print_wide(out, totals->whole);
}

static void print_csv(FILE *out, const void *self)
{
    const struct sink *sink = self;
    const struct sink_task *task = sink->task;
    const struct stats *stats = sink->state;
    fputs("vertex,eccentricity,sum,reachable\n", out);
    for (size_t place = 0; place < stats->rows; place++) {
        struct row_counts counts = counts_at(stats, place);
        print_vertex(out, task, place, text_print_csv);
        fputc(',', out);
        print_value(out, task, counts.most);
        fputc(',', out);
        print_value(out, task, counts.sum);
        fprintf(out, ",%zu\n", counts.reached);
    }
}

/* One array of the rows' values. */
static void print_array(FILE *out, const struct sink_task *task, const struct stats *stats, const char *name,
                        int which)
{
    fprintf(out, ",\n\t\"%s\":\t[", name);
    for (size_t place = 0; place < stats->rows; place++) {
        struct row_counts counts = counts_at(stats, place);
        fputs(place > 0 ? ", " : "", out);
        if (which == 0)
            print_vertex(out, task, place, text_print_json);
        else if (which == 1)
            print_value(out, task, counts.most);
        else if (which == 2)
            print_value(out, task, counts.sum);
        else
            fprintf(out, "%zu", counts.reached);
    }
    fputc(']', out);
}

static void print_json(FILE *out, const void *self)
{
    static const char *const names[] = {"vertex", "eccentricity", "sum", "reachable"};
    const struct sink *sink = self;
    const struct sink_task *task = sink->task;
    const struct stats *stats = sink->state;
    struct totals totals = add_up(stats, is_real(task));
    fprintf(out, "{\n\t\"vertices\":\t%zu,\n\t\"sources\":\t%zu,\n\t\"all\":\t{\n\t\t\"maximum\":\t", task->n,
            stats->rows);
    print_value(out, task, totals.most);
    fputs(",\n\t\t\"sum\":\t", out);
    print_sum(out, task, &totals);
    fprintf(out, ",\n\t\t\"pairs\":\t%zu\n\t}", totals.pairs);
    for (int which = 0; which < 4; which++)
        print_array(out, task, stats, names[which], which);
    fputs("\n}\n", out);
}

static int write_file(const struct sink *sink, struct apsp_error *error)
{
    const struct stats *stats = sink->state;
    const char *suffix = strrchr(sink->task->options->stats, '.');
    bool json = suffix && strcmp(suffix, ".json") == 0;
    return output_text(&stats->staged, json ? print_json : print_csv, sink, error);
}

static int merge(struct sink *sink, struct apsp_error *error)
{
    struct stats *stats = sink->state;
    comm_sum_all(sink->task->comm, stats->words, stats->rows * WORDS);
    sink->rows = stats->rows;
    sink->amount = (double)stats->rows * (double)sink->task->n;
    sink->unit = "distances/s";
    return sink->task->comm->rank == 0 ? write_file(sink, error) : error->code;
}

static int publish(struct sink *sink, struct apsp_error *error)
{
    return staged_publish(&((struct stats *)sink->state)->staged, error);
}

static void close_stats(struct sink *sink)
{
    struct stats *stats = sink->state;
    if (!stats)
        return;
    staged_free(&stats->staged);
    mem_free(stats->words);
    free(stats);
}

const struct sink_ops sink_stats = {
    .name = "statistics",
    .works = true,
    .counts = true,
    .path = path,
    .option = "--stats",
    .need = need,
    .open = open_stats,
    .take = take,
    .merge = merge,
    .publish = publish,
    .close = close_stats,
};
