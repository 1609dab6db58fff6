/*
 * The sink that finds diameter, radius, centre and periphery from few rows. In an undirected graph
 * each row bounds the eccentricities of all vertices that it reaches: with E that of s,
 *
 *     max(d(s, v), E - d(s, v)) <= eccentricity of v <= E + d(s, v)
 *
 * (F. W. Takes and W. A. Kosters, "Computing the eccentricity distribution of large graphs",
 * Algorithms 6, 2013). A pass takes rows of vertices with the highest and the lowest bounds, until
 * no other vertex can be in the centre or the periphery. Directed graphs, weights that are not
 * above 0 and lengths that are rounded have no such bounds: all rows are taken.
 */
#include "rows/sink_diameter.h"
#include "base/mem.h"
#include "base/text.h"
#include "rows/arcs.h"
#include "rows/choose.h"
#include "rows/count.h"
#include "rows/output.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH_MOST = 64 };
#define UNKNOWN (INT64_MAX / 4)

struct state {
    struct staged staged; /* of rank 0 */
    bool bounded;         /* Rows bound the eccentricities of other vertices. */
    int64_t *low, *high;  /* Bounds; of reals their bits, which are in the same order. */
    size_t wanted[BATCH_MOST], count; /* Rows of the next pass, ascending; and so many. */
    size_t passes, searches;
    int64_t diameter, radius;
    bool done;
};

static const char *path(const struct results *results)
{
    return results->diameter;
}

static struct sink_need need(const struct sink_task *task, int lanes)
{
    size_t arcs = arcs_need(task->n, task->m, DTYPE_F64), making = arcs_making(task->n, task->m),
           bytes = mem_bytes(task->n, 2 * sizeof(int64_t));
    (void)lanes;
    mem_add(&arcs, arcs, making);
    mem_add(&bytes, bytes, arcs);
    return (struct sink_need){.host = bytes};
}

static bool is_known(const struct state *state, size_t v)
{
    return state->low[v] == state->high[v];
}

/* Whether a vertex is known, or is neither in the centre nor in the periphery. */
static bool is_settled(const struct state *state, size_t v)
{
    return is_known(state, v) ||
           (state->high[v] < state->diameter && state->low[v] > state->radius);
}

/* Chance, the same on all ranks, that parts vertices of equal bounds. */
static uint32_t spread(size_t v)
{
    return (uint32_t)((v + 1) * 0x9E3779B97F4A7C15u >> 32);
}

/* The open vertex of the highest bound, or of the lowest one. */
static size_t find_open(const struct state *state, size_t n, bool highest)
{
    size_t best = n;
    for (size_t v = 0; v < n; v++) {
        if (is_settled(state, v))
            continue;
        bool chosen = false;
        for (size_t k = 0; k < state->count && !chosen; k++)
            chosen = state->wanted[k] == v;
        if (chosen)
            continue;
        const int64_t gain = best == n ? 1
                             : highest ? state->high[v] - state->high[best]
                                       : state->low[best] - state->low[v];
        if (gain > 0 || (gain == 0 && spread(v) > spread(best)))
            best = v;
    }
    return best;
}

static int compare(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* The first pass is of few rows, later ones of more. */
static void choose_rows(struct state *state, size_t n)
{
    const size_t most = state->passes < 10 ? (size_t)4 << state->passes / 2 : BATCH_MOST;
    state->count = 0;
    while (state->count < most && state->count < BATCH_MOST) {
        const size_t v = find_open(state, n, state->count % 2 == 0);
        if (v == n)
            break;
        state->wanted[state->count++] = v;
    }
    qsort(state->wanted, state->count, sizeof *state->wanted, compare);
    state->done = state->count == 0;
}

/* What is known of the whole by the bounds. */
static void update_extent(struct state *state, size_t n)
{
    state->diameter = 0;
    state->radius = INT64_MAX;
    for (size_t v = 0; v < n; v++) {
        state->diameter = state->low[v] > state->diameter ? state->low[v] : state->diameter;
        state->radius = state->high[v] < state->radius ? state->high[v] : state->radius;
    }
}

/* A graph has bounds if it is undirected and lengths are whole; a vertex without edges is known. */
static int find_bounds(struct state *state, const struct sink_task *task, struct apsp_error *error)
{
    struct apsp_error own = {0};
    struct arcs arcs;
    arcs_make(&arcs, task->certificate.edges, DTYPE_I64, task->certificate.labels, &own);
    if (own.code == APSP_MEMORY)
        return error_set(error, own.code, "%s", own.text);
    state->bounded = !own.code && !arcs.directed && !dtype_info[task->dtype].real;
    for (size_t v = 0; v < task->n; v++)
        state->high[v] = state->bounded && arcs.start[v] == arcs.start[v + 1] ? 0 : UNKNOWN;
    if (!own.code)
        arcs_free(&arcs);
    update_extent(state, task->n);
    if (state->bounded)
        choose_rows(state, task->n);
    return APSP_OK;
}

static int open_state(struct sink *sink, struct apsp_error *error)
{
    const struct sink_task *task = sink->task;
    struct state *state = calloc(1, sizeof *state);
    sink->state = state;
    if (task->sources)
        return error_set(error, APSP_USAGE, "--diameter is of all vertices: without --sources");
    if (!state)
        return error_set(error, APSP_MEMORY, "no memory for the diameter on %s", task->comm->host);
    state->staged.fd = -1;
    state->low = mem_alloc(mem_bytes(task->n, 2 * sizeof *state->low));
    if (!state->low)
        return error_set(error, APSP_MEMORY, "no memory for the diameter on %s", task->comm->host);
    state->high = state->low + task->n;
    if (find_bounds(state, task, error) == APSP_OK && task->comm->rank == 0 && path(task->results))
        staged_create(&state->staged, path(task->results), task->results->force, error);
    return error->code;
}

static const size_t *wants(const struct sink *sink, size_t *count)
{
    const struct state *state = sink->state;
    *count = state->count;
    return state->bounded ? state->wanted : NULL;
}

/* A row of s, whose eccentricity is known now. */
static void take_row(const struct sink *sink, const struct block *block, size_t k)
{
    const struct state *state = sink->state;
    const size_t s = block_source(block, k), n = sink->task->n;
    const enum dtype dtype = block->dtype;
    const void *row = block_row(block, k);
    const int64_t most = count_row(dtype, row, n).most.whole;
    for (size_t v = 0; state->bounded && v < n; v++) {
        const int64_t d = choose_value(dtype, row, v).whole;
        if (d == dtype_info[dtype].unreachable)
            continue;
        const int64_t low = d > most - d ? d : most - d;
        state->low[v] = low > state->low[v] ? low : state->low[v];
        state->high[v] = most + d < state->high[v] ? most + d : state->high[v];
    }
    state->low[s] = state->high[s] = most;
}

/* Lanes take turns: a search is more work than its bounds. */
static int take(struct sink *sink, int lane, const struct block *block, struct apsp_error *error)
{
    (void)lane;
#pragma omp critical(diameter)
    for (size_t k = 0; k < block->count; k++)
        take_row(sink, block, k);
    return error->code;
}

/* Whether that is its eccentricity. */
static bool has(const struct state *state, size_t v, int64_t value)
{
    return is_known(state, v) && state->low[v] == value;
}

static void print_those(FILE *out, const struct sink *sink, const char *name, int64_t value)
{
    const struct state *state = sink->state;
    const char *between = "";
    fprintf(out, ",\n\t\"%s\":\t[", name);
    for (size_t v = 0; v < sink->task->n; v++) {
        if (!has(state, v, value))
            continue;
        fputs(between, out);
        label_print_json(out, sink->task->certificate.labels, v);
        between = ", ";
    }
    fputc(']', out);
}

static bool is_real(const struct sink_task *task)
{
    return dtype_info[task->dtype].real || scale_factor(task->scale) != 1;
}

/* In the unit of the weights. */
static struct apsp_value value_of(const struct sink_task *task, int64_t value)
{
    const union value bits = {.whole = value};
    if (dtype_info[task->dtype].real)
        return (struct apsp_value){0, bits.real};
    return (struct apsp_value){is_real(task) ? 0 : value, scale_value(task->scale, value)};
}

static void print_value(FILE *out, const struct sink *sink, const char *name, int64_t value)
{
    const struct apsp_value own = value_of(sink->task, value);
    fprintf(out, ",\n\t\"%s\":\t", name);
    if (is_real(sink->task))
        fprintf(out, "%.17g", own.real);
    else
        fprintf(out, "%lld", (long long)own.whole);
}

static void print_json(FILE *out, const void *self)
{
    const struct sink *sink = self;
    const struct state *state = sink->state;
    fprintf(out, "{\n\t\"vertices\":\t%zu,\n\t\"searches\":\t%zu", sink->task->n, state->searches);
    print_value(out, sink, "diameter", state->diameter);
    print_value(out, sink, "radius", state->radius);
    print_those(out, sink, "centre", state->radius);
    print_those(out, sink, "periphery", state->diameter);
    fputs("\n}\n", out);
}

/* Bounds of all ranks: the highest of the low ones, and the lowest of the high ones. */
static void merge_bounds(struct state *state, struct comm *comm, size_t n)
{
    for (size_t v = 0; v < n; v++)
        state->high[v] = INT64_MAX - state->high[v];
    comm_most_all(comm, (size_t *)state->low, 2 * n);
    for (size_t v = 0; v < n; v++)
        state->high[v] = INT64_MAX - state->high[v];
}

static int merge(struct sink *sink, struct apsp_error *error)
{
    struct state *state = sink->state;
    const size_t n = sink->task->n;
    merge_bounds(state, sink->task->comm, n);
    update_extent(state, n);
    state->searches += state->bounded ? state->count : sink_rows(sink->task);
    state->passes++;
    state->done = true;
    if (state->bounded)
        choose_rows(state, n);
    sink->rows = state->searches;
    sink->amount = (double)state->searches;
    sink->unit = "rows/s";
    return state->done && sink->task->comm->rank == 0 && path(sink->task->results)
               ? output_text(&state->staged, print_json, sink, error)
               : error->code;
}

static bool again(const struct sink *sink)
{
    return !((const struct state *)sink->state)->done;
}

/* The vertices whose eccentricity that is; NULL without memory. */
static uint32_t *list_those(const struct state *state, size_t n, int64_t value, size_t *count)
{
    *count = 0;
    for (size_t v = 0; v < n; v++)
        *count += has(state, v, value);
    uint32_t *list = malloc(mem_bytes(*count + 1, sizeof *list));
    for (size_t v = 0, k = 0; list && v < n; v++)
        if (has(state, v, value))
            list[k++] = (uint32_t)v;
    return list;
}

int sink_diameter_result(const struct sink *sink, struct apsp_extent *extent,
                         struct apsp_error *error)
{
    const struct state *state = sink->state;
    const struct sink_task *task = sink->task;
    *extent = (struct apsp_extent){.vertices = task->n,
                                   .searches = state->searches,
                                   .real = is_real(task),
                                   .diameter = value_of(task, state->diameter),
                                   .radius = value_of(task, state->radius)};
    extent->central = list_those(state, task->n, state->radius, &extent->centrals);
    extent->peripheral = list_those(state, task->n, state->diameter, &extent->peripherals);
    if (!extent->central || !extent->peripheral)
        return error_set(error, APSP_MEMORY, "no memory for the centre on %s", task->comm->host);
    return APSP_OK;
}

static struct staged *file(const struct sink *sink)
{
    return &((struct state *)sink->state)->staged;
}

static void close_state(struct sink *sink)
{
    struct state *state = sink->state;
    if (!state)
        return;
    staged_free(&state->staged);
    mem_free(state->low);
    free(state);
}

const struct sink_ops sink_diameter = {
    .name = "diameter",
    .wants_edges = true,
    .works = true,
    .path = path,
    .option = "--diameter",
    .suffixes = ".json",
    .need = need,
    .open = open_state,
    .wants = wants,
    .take = take,
    .merge = merge,
    .again = again,
    .file = file,
    .close = close_state,
};
