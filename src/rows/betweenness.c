/*
 * For a source s, edges u -> v with D[u] + w = D[v] are tight, and make a graph without cycles
 * whose paths from s are the shortest paths. With C[v] of them to v, and the dependency of s on u
 *
 *     sum over tight u -> v of C[u] / C[v] * (1 + dependency of v),
 *
 * dependencies are what s adds to the betweenness. One pass over the vertices in the order of
 * memory finds the tight edges and lists them by their tails; all else is done on these lists. They
 * are taken in topological order (A. Kahn, "Topological sorting of large networks", Communications
 * of the ACM 5, 1962), which needs no sorting by distance, for C, and backwards for the
 * dependencies: these are C[u] times a sum of (1 + dependency of v) / C[v], which stands in the
 * place of C[v] by then.
 *
 * Numbers of paths may be beyond every type. C = part * 2^(512 scale), with 1 <= part < 2^512, so
 * that sums of parts are finite, and what is two scales smaller adds nothing. Along a tight edge C
 * cannot fall.
 *
 * The sums of real rows were rounded in the order in which the engine made them. Edges that are
 * tight but for that are listed, and the sums made again, from the first edge to the last, in
 * topological order of these edges; the row only tells which edges cannot be tight.
 */
#include "rows/betweenness.h"

#include "base/mem.h"
#include "comm/comm.h"
#include "proof/rounding.h"
#include "rows/arcs.h"
#include "rows/count.h"
#include "rows/sink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GREAT 0x1p512

/* A vertex while a row is in hand. */
struct node {
    double part; /* of C; on the way back (1 + dependency) / C without its scale */
    int32_t scale;
    uint32_t waiting; /* tails of tight edges that were not there yet */
};

struct lane {
    double *sum;     /* of each vertex, of all rows so far */
    size_t *first;   /* n + 1: the tight edges out of u are at [first[u], first[u + 1]) */
    uint32_t *next;  /* and their heads here */
    uint32_t *order; /* topological, of the vertices that are reached */
    struct node *node;
    int32_t *wide; /* a row of u16 as i32 */
    double *limit; /* of a real row: no path that is longer, but for rounding, is a shortest one; */
    double *distance; /* the sums made again, */
    double *step;     /* and the scaled lengths of the edges in next */
};

struct betweenness {
    struct arcs arcs;
    struct labels labels;
    enum dtype dtype;   /* of rows, */
    enum dtype measure; /* and of lengths */
    struct lane *lane[SINK_LANES];
};

static enum dtype measure_of(enum dtype dtype)
{
    return dtype == DTYPE_U16 || dtype == DTYPE_I32 ? DTYPE_I32
           : dtype == DTYPE_I64                     ? DTYPE_I64
                                                    : DTYPE_F64;
}

static size_t place(struct lane *lane, size_t n, size_t m, enum dtype dtype, void *base)
{
    struct mem_layout layout = {.base = base};
    mem_place(&layout, 1, sizeof *lane);
    lane->sum = mem_place(&layout, n, sizeof *lane->sum);
    lane->first = mem_place(&layout, n + 1, sizeof *lane->first);
    lane->next = mem_place(&layout, m, sizeof *lane->next);
    lane->order = mem_place(&layout, n, sizeof *lane->order);
    lane->node = mem_place(&layout, n, sizeof *lane->node);
    if (dtype == DTYPE_U16)
        lane->wide = mem_place(&layout, n, sizeof *lane->wide);
    if (dtype_info[dtype].real) {
        lane->limit = mem_place(&layout, n, sizeof *lane->limit);
        lane->distance = mem_place(&layout, n, sizeof *lane->distance);
        lane->step = mem_place(&layout, m, sizeof *lane->step);
    }
    return layout.bytes;
}

size_t betweenness_need(size_t n, size_t m, enum dtype dtype, int lanes)
{
    size_t work = mem_bytes(place(&(struct lane){0}, n, m, dtype, NULL), (size_t)lanes),
           making = arcs_making(n, m), bytes;
    mem_add(&bytes, arcs_need(n, m, measure_of(dtype)), sizeof(struct betweenness));
    mem_add(&bytes, bytes, work > making ? work : making);
    return bytes;
}

int betweenness_new(struct betweenness **out, const struct certificate *certificate,
                    enum dtype dtype, struct apsp_error *error)
{
    *out = NULL;
    if (dtype == DTYPE_F32)
        return error_set(
            error, APSP_USAGE,
            "--betweenness: distances of f32 are too coarse to tell lengths apart; take f64");
    struct betweenness *betweenness = calloc(1, sizeof *betweenness);
    if (!betweenness)
        return error_set(error, APSP_MEMORY, "no memory for the betweenness");
    betweenness->dtype = dtype;
    betweenness->measure = measure_of(dtype);
    betweenness->labels = certificate->labels;
    if (arcs_make(&betweenness->arcs, certificate->edges, betweenness->measure, certificate->labels,
                  error)) {
        betweenness_free(betweenness);
        return error->code;
    }
    *out = betweenness;
    return APSP_OK;
}

void betweenness_free(struct betweenness *betweenness)
{
    for (int i = 0; betweenness && i < SINK_LANES; i++)
        mem_free(betweenness->lane[i]);
    if (betweenness)
        arcs_free(&betweenness->arcs);
    free(betweenness);
}

static int open_lane(struct betweenness *betweenness, int number, struct apsp_error *error)
{
    const struct arcs *arcs = &betweenness->arcs;
    size_t bytes = place(&(struct lane){0}, arcs->n, arcs->m, betweenness->dtype, NULL);
    struct lane *lane = betweenness->lane[number] = mem_alloc(bytes);
    if (!lane)
        return error_set(error, APSP_MEMORY, "no memory for the betweenness");
    place(lane, arcs->n, arcs->m, betweenness->dtype, lane);
    return APSP_OK;
}

/*
 * Lists the edges u -> v with row[u] + length IS limit[v]; no limit is above `most`. Which edge is
 * listed is hard to predict: each is written, and counts or is written over.
 */
#define FIND_TIGHT(name, T, IS, MORE)                                                              \
    static void name(const struct arcs *arcs, struct lane *lane, const T *row, const T *limit,     \
                     T most)                                                                       \
    {                                                                                              \
        const T *length = arcs->length;                                                            \
        uint32_t *next = lane->next;                                                               \
        size_t count = 0;                                                                          \
        for (size_t u = 0; u < arcs->n; u++) {                                                     \
            size_t begin = arcs->start[u], end = arcs->start[u + 1];                               \
            const T here = row[u], left = most - here;                                             \
            lane->first[u] = count;                                                                \
            if (begin == end || length[begin] > left)                                              \
                continue;                                                                          \
            for (size_t lo = begin; length[end - 1] > left;) {                                     \
                size_t middle = lo + (end - lo) / 2; /* lo fits, and end - 1 does not */           \
                if (length[middle] > left)                                                         \
                    end = middle;                                                                  \
                else                                                                               \
                    lo = middle;                                                                   \
            }                                                                                      \
            for (size_t e = begin; e < end; e++) {                                                 \
                uint32_t v = arcs->to[e];                                                          \
                next[count] = v;                                                                   \
                MORE;                                                                              \
                count += here + length[e] IS limit[v];                                             \
            }                                                                                      \
        }                                                                                          \
        lane->first[arcs->n] = count;                                                              \
    }

FIND_TIGHT(find_i32, int32_t, ==, (void)0)
FIND_TIGHT(find_i64, int64_t, ==, (void)0)
FIND_TIGHT(find_f64, double, <=, lane->step[count] = arcs->scaled[e])

/* What rounding in the engine and in the sums here, of at most n edges, may take from one another.
 */
static double raise_limits(struct lane *lane, const double *row, size_t n, double most)
{
    enum { SLACKS = 4 };
    const double share = SLACKS * rounding_slack(DTYPE_F64, n, 1, 0),
                 least = SLACKS * rounding_slack(DTYPE_F64, n, 0, 0);
    for (size_t v = 0; v < n; v++) {
        lane->limit[v] = row[v] + row[v] * share + least;
        lane->distance[v] = INFINITY;
    }
    return most + most * share + least;
}

/* The edges that are tight, but for rounding, go to the lane's lists. */
static void find_tight(const struct betweenness *betweenness, struct lane *lane, const void *row,
                       union value most)
{
    const struct arcs *arcs = &betweenness->arcs;
    switch (betweenness->dtype) {
    case DTYPE_U16:
        for (size_t v = 0; v < arcs->n; v++)
            lane->wide[v] = ((const uint16_t *)row)[v];
        find_i32(arcs, lane, lane->wide, lane->wide, (int32_t)most.whole);
        return;
    case DTYPE_I32:
        find_i32(arcs, lane, row, row, (int32_t)most.whole);
        return;
    case DTYPE_I64:
        find_i64(arcs, lane, row, row, most.whole);
        return;
    default:
        find_f64(arcs, lane, row, lane->limit, raise_limits(lane, row, arcs->n, most.real));
    }
}

/* To the paths to one vertex those that come by way of another. */
static inline void add_paths(struct node *to, double part, int32_t scale)
{
    if (to->scale == scale)
        to->part += part;
    else if (to->scale < scale)
        *to = (struct node){part + (scale - to->scale == 1 ? to->part / GREAT : 0), scale,
                            to->waiting};
    else if (to->scale - scale == 1)
        to->part += part / GREAT;
}

/* The order is all over the memory: what a vertex of it needs is asked for while others are in
 * hand. */
enum { AHEAD = 12 };
static inline void ask_for(const struct lane *lane, uint32_t u)
{
    __builtin_prefetch(&lane->node[u], 1);
    __builtin_prefetch(&lane->first[u]);
    __builtin_prefetch(&lane->sum[u], 1);
}

/*
 * Takes the vertices that s reaches in topological order, and counts paths. Returns how many
 * vertices there are: of a right row all that it has distances of, unless edges that are tight but
 * for rounding make a cycle; 0 where a sum is one of its terms, and so does not show the other.
 */
static inline __attribute__((always_inline)) size_t count_paths(struct lane *lane, size_t n,
                                                                uint32_t s, bool real)
{
    struct node *node = lane->node;
    size_t known = 0;
    bool hidden = false;
    memset(node, 0, n * sizeof *node);
    for (size_t e = 0; e < lane->first[n]; e++)
        node[lane->next[e]].waiting++;
    if (node[s].waiting > 0)
        return 0;
    node[s].part = 1;
    if (real)
        lane->distance[s] = 0;
    lane->order[known++] = s;
    for (size_t at = 0; at < known; at++) {
        uint32_t u = lane->order[at];
        if (at + AHEAD < known)
            ask_for(lane, lane->order[at + AHEAD]);
        if (node[u].part >= GREAT) {
            node[u].part /= GREAT;
            node[u].scale++;
        }
        const struct node from = node[u];
        for (size_t e = lane->first[u]; e < lane->first[u + 1]; e++) {
            uint32_t v = lane->next[e];
            double sum = real ? lane->distance[u] + lane->step[e] : 0;
            hidden |= real && u != s && (sum == lane->step[e] || sum == lane->distance[u]);
            if (real && sum < lane->distance[v]) {
                lane->distance[v] = sum;
                node[v].part = from.part;
                node[v].scale = from.scale;
            } else if (!real || sum == lane->distance[v]) {
                add_paths(&node[v], from.part, from.scale);
            }
            lane->order[known] = v; /* there is room: v waits, and so is not among them */
            known += --node[v].waiting == 0;
        }
    }
    return hidden ? 0 : known;
}

/* Backwards along the order, adds the dependencies of its first vertex on the others. */
static inline __attribute__((always_inline)) void add_dependencies(struct lane *lane, size_t known,
                                                                   bool real)
{
    struct node *node = lane->node;
    for (size_t at = known; at-- > 1;) {
        uint32_t u = lane->order[at];
        if (at > AHEAD)
            ask_for(lane, lane->order[at - AHEAD]);
        const struct node own = node[u];
        double sum = 0;
        for (size_t e = lane->first[u]; e < lane->first[u + 1]; e++) {
            const struct node *after = &node[lane->next[e]];
            if (real && lane->distance[u] + lane->step[e] != lane->distance[lane->next[e]])
                continue;
            if (after->scale == own.scale)
                sum += after->part;
            else if (after->scale - own.scale == 1)
                sum += after->part / GREAT;
        }
        lane->sum[u] += own.part * sum;
        node[u].part = 1 / own.part + sum;
    }
}

static int take_row(struct betweenness *betweenness, struct lane *lane, size_t s, const void *row,
                    struct apsp_error *error)
{
    const size_t n = betweenness->arcs.n;
    const bool real = betweenness->measure == DTYPE_F64;
    struct row_counts counts = count_row(betweenness->dtype, row, n);
    find_tight(betweenness, lane, row, counts.most);
    size_t known =
        real ? count_paths(lane, n, (uint32_t)s, true) : count_paths(lane, n, (uint32_t)s, false);
    if (known != counts.reached && real)
        return error_set(
            error, APSP_INPUT,
            "--betweenness: some weights are so small beside the distances from %s, of up to %g, "
            "that rounding hides which paths are shortest",
            LABEL(betweenness->labels, s), counts.most.real);
    if (known != counts.reached)
        return error_set(
            error, APSP_REFUTED,
            "no betweenness, since the distances are wrong: row %s has %zu, and %zu vertices are "
            "reached over edges as long as it says",
            LABEL(betweenness->labels, s), counts.reached, known);
    if (real)
        add_dependencies(lane, known, true);
    else
        add_dependencies(lane, known, false);
    return APSP_OK;
}

int betweenness_take(struct betweenness *betweenness, int lane, const struct block *block,
                     struct apsp_error *error)
{
    if (!betweenness->lane[lane] && open_lane(betweenness, lane, error))
        return error->code;
    for (size_t k = 0; k < block->count && !error->code; k++)
        take_row(betweenness, betweenness->lane[lane], block_source(block, k), block_row(block, k),
                 error);
    return error->code;
}

const double *betweenness_merge(struct betweenness *betweenness, struct comm *comm,
                                struct apsp_error *error)
{
    const size_t n = betweenness->arcs.n;
    if (!betweenness->lane[0])
        open_lane(betweenness, 0, error);
    if (comm_agree(comm, error))
        return NULL;
    double *all = betweenness->lane[0]->sum;
    for (int i = 1; i < SINK_LANES; i++)
        for (size_t v = 0; betweenness->lane[i] && v < n; v++)
            all[v] += betweenness->lane[i]->sum[v];
    comm_sum_reals(comm, all, n);
    for (size_t v = 0; !betweenness->arcs.directed && v < n; v++)
        all[v] /= 2;
    return all;
}

bool betweenness_is_directed(const struct betweenness *betweenness)
{
    return betweenness->arcs.directed;
}

double betweenness_share(const struct betweenness *betweenness)
{
    const double n = (double)betweenness->arcs.n;
    return n > 2 ? (betweenness->arcs.directed ? 1 : 2) / ((n - 1) * (n - 2)) : 0;
}
